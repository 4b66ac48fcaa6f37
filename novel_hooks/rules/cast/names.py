"""Names of characters: one resolver for ids, display names and aliases. Pure.

Width, spaces and invisible marks do not distinguish names. A display name counts before another's alias or
id. Any other word that several people share means all of them. Source: protocol §1, seed 000 Step 2.3.
"""

from __future__ import annotations

from functools import lru_cache

from novel_hooks.annotations import Iterable, Sequence
from novel_hooks.pattern import Pattern

_BETWEEN = Pattern(r"[、，,；;／/|＋+&→\n]")
_AND = (Pattern(r"[与和及]"), Pattern(r"\s+"))
_REMARK = Pattern(r"[（(【\[][^（）()【】\[\]]*[）)】\]]")
_IDLIKE = "-_"
_SHORTEST = 2
"""Marks of a name that is searched for in a running text: a shorter one would occur everywhere."""


@lru_cache(maxsize=4096)
def normalize_name(name: str) -> str:
    """Return the name as names are compared: without spaces and invisible marks, of one width."""
    if name.isascii():
        return "".join(name.split())
    from unicodedata import normalize

    return "".join(mark for mark in normalize("NFKC", name) if mark.isprintable() and not mark.isspace())


class Names:
    """The names of some characters, resolved to their ids.

    `titles` are the display names by id.
    """

    __slots__ = ("_by_mark", "_ids", "titles")

    def __init__(self, people: Iterable[tuple[str, Sequence[str]]]) -> None:
        """Index the words of `people`, which are (id, words), the first word being the display name."""
        listed = [(name, [word.strip() for word in words if normalize_name(word)]) for name, words in people]
        self.titles = {name: words[0] if words else name for name, words in listed}
        self._ids: dict[str, tuple[str, ...]] = {}
        for name, words in listed:
            for word in map(normalize_name, words[:1]):
                self._ids[word] = (*self._ids.get(word, ()), name)
        shown = set(self._ids)
        for name, words in listed:
            for word in dict.fromkeys(map(normalize_name, words[1:])):
                if word not in shown:
                    self._ids[word] = (*self._ids.get(word, ()), name)
        # The words of a running text by their first mark, the longest first.
        self._by_mark: dict[str, list[str]] = {}
        in_texts = {_normalize_text(word) for _, words in listed for word in words}
        for word in sorted(in_texts, key=lambda one: (-len(one), one)):
            if len(word) >= _SHORTEST:
                self._by_mark.setdefault(word[0], []).append(word)

    def title(self, name: str) -> str:
        """Return the display name of an id; an unknown id is its own."""
        return self.titles.get(name, name)

    def shown(self) -> list[str]:
        """Return the display names."""
        return list(self.titles.values())

    def who(self, word: str) -> tuple[str, ...]:
        """Return the ids of the characters that the whole word means; () = none."""
        return self._ids.get(normalize_name(word), ())

    def parts(self, text: str) -> list[tuple[str, tuple[str, ...]]]:
        """Split a list of names into (part without remarks, the ids that it means).

        `苗禾与絮儿（藏着）` has the parts 苗禾 and 絮儿. 和, 与 and a space separate only where a part is
        somebody's name: `和光` is one name.
        """
        pieces = [(piece or "").strip() for piece in _BETWEEN.split(_REMARK.sub("", text))]
        for separator in _AND:
            pieces = [part for piece in pieces for part in self._smaller(piece, separator)]
        return [(piece, self.who(piece)) for piece in pieces if piece]

    def _smaller(self, piece: str, separator: Pattern) -> list[str]:
        smaller = [(part or "").strip() for part in separator.split(piece)]
        return smaller if not self.who(piece) and any(map(self.who, smaller)) else [piece]

    def ids_in_list(self, text: str) -> list[str]:
        """Return the ids that the parts of a list of names mean, in order; a shared name means none."""
        return list(dict.fromkeys(ids[0] for _, ids in self.parts(text) if len(ids) == 1))

    def ids_at_start(self, text: str) -> list[str]:
        """Return the id that the first word of a running text means, as a list of one; [] when none."""
        return self._only_id(self._word_at(_normalize_text(text), 0))

    def ids_in_text(self, text: str, owned: bool = True) -> list[str]:
        """Return the ids named in a running text, in order; at each place the longest word counts.

        A word that several share names none of them. With `owned=False`, `何铁的灯` is a lamp and not 何铁.
        """
        plain, ids, end = _normalize_text(text), dict[str, None](), 0
        for at, mark in enumerate(plain):
            if mark not in self._by_mark or at < end:
                continue
            word = self._word_at(plain, at)
            end = at + len(word)
            if word and (owned or plain[end : end + 1] != "的"):
                ids.update(dict.fromkeys(self._only_id(word)))
        return list(ids)

    def _word_at(self, plain: str, at: int) -> str:
        """Return the longest name at this place of the text, `""` when there is none."""
        names = self._by_mark.get(plain[at : at + 1], ())
        found = (name for name in names if plain.startswith(name, at) and stands_apart(plain, at, name))
        return next(found, "")

    def _only_id(self, word: str) -> list[str]:
        ids = self.who(word)
        return [ids[0]] if len(ids) == 1 else []


def _normalize_text(text: str) -> str:
    if text.isascii():
        return text.strip()
    from unicodedata import normalize

    return normalize("NFKC", text).strip()


def stands_apart(plain: str, at: int, word: str) -> bool:
    """Tell whether the word at this place is no part of a longer id or foreign name."""
    before, behind = plain[at - 1 : at] if at else "", plain[at + len(word) : at + len(word) + 1]
    begun, goes_on = word[0].isascii() and _joins_word(before), word[-1].isascii() and _joins_word(behind)
    return not (begun or goes_on)


def _joins_word(mark: str) -> bool:
    return mark.isascii() and (mark.isalnum() or mark in _IDLIKE) if mark else False
