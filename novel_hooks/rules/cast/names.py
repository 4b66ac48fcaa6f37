"""Whom a word means: one resolver for ids, display names and aliases. Pure.

Source: protocol §1, seed 000 Step 2.3. Width, spaces and unseen marks do not tell names apart. A display name
goes before another's alias or id; a word that several people share otherwise means all of them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

from novel_hooks.pattern import Pattern

_BETWEEN = Pattern(r"[、，,；;／/|＋+&→\n]")
_AND = (Pattern(r"[与和及]"), Pattern(r"\s+"))
_REMARK = Pattern(r"[（(【\[][^（）()【】\[\]]*[）)】\]]")
_IDLIKE = "-_"
_SHORTEST = 2
"""A name of one character would be found everywhere in a running text."""


def normalize_name(name: str) -> str:
    """The name as a reader tells it apart: neither width nor spaces nor unseen marks count."""
    if name.isascii():
        return "".join(name.split())
    from unicodedata import normalize

    plain = normalize("NFKC", name)
    return "".join(mark for mark in plain if mark.isprintable() and not mark.isspace())


class Names:
    """The words of some people. Somebody is told by his id (`who`) and shown by his `title`."""

    __slots__ = ("_first", "_known", "titles")

    def __init__(self, people: Iterable[tuple[str, Sequence[str]]]) -> None:
        """`people` are (id, words), the first word being the display name."""
        listed = [(name, [word.strip() for word in said if normalize_name(word)]) for name, said in people]
        self.titles = {name: said[0] if said else name for name, said in listed}
        self._known: dict[str, tuple[str, ...]] = {}
        for name, said in listed:
            for word in {normalize_name(word) for word in said[:1]}:
                self._known[word] = (*self._known.get(word, ()), name)
        shown = set(self._known)
        for name, said in listed:
            for word in dict.fromkeys(map(normalize_name, said[1:])):
                if word not in shown:
                    self._known[word] = (*self._known.get(word, ()), name)
        self._first: dict[str, list[str]] = {}
        spoken = {_normalize_text(word) for _, said in listed for word in said}
        for word in sorted(spoken, key=lambda one: (-len(one), one)):
            if len(word) >= _SHORTEST:
                self._first.setdefault(word[0], []).append(word)

    def title(self, name: str) -> str:
        return self.titles.get(name, name)

    def shown(self) -> list[str]:
        """The display names."""
        return list(self.titles.values())

    def who(self, word: str) -> tuple[str, ...]:
        """The ids of those whom the whole word means; () nobody's."""
        return self._known.get(normalize_name(word), ())

    def parts(self, said: str) -> list[tuple[str, tuple[str, ...]]]:
        """`苗禾与絮儿（藏着）` → each part without remarks, and whom it means.

        和, 与 and a space separate only where somebody is known by that: `和光` is one name.
        """
        pieces = [(piece or "").strip() for piece in _BETWEEN.split(_REMARK.sub("", said))]
        for separator in _AND:
            pieces = [part for piece in pieces for part in self._smaller(piece, separator)]
        return [(piece, self.who(piece)) for piece in pieces if piece]

    def _smaller(self, piece: str, separator: Pattern) -> list[str]:
        smaller = [(part or "").strip() for part in separator.split(piece)]
        return smaller if not self.who(piece) and any(map(self.who, smaller)) else [piece]

    def ids_in_list(self, said: str) -> list[str]:
        """The ids of those whom the parts mean beyond doubt, in order."""
        return list(dict.fromkeys(found[0] for _, found in self.parts(said) if len(found) == 1))

    def ids_at_start(self, said: str) -> list[str]:
        """The id of him whom the first word of a running text means."""
        plain = _normalize_text(said)
        return self._sure(
            next((one for one in self._first.get(plain[:1], ()) if _is_word_at(plain, 0, one)), "")
        )

    def ids_in_text(self, said: str, owned: bool = True) -> list[str]:
        """The ids of those who are named in a running text, the longest word first at each place.

        A word that several share names nobody. Without `owned` `何铁的灯` is a lamp and not 何铁.
        """
        plain, found, at = _normalize_text(said), dict[str, None](), 0
        while at < len(plain):
            word = next((one for one in self._first.get(plain[at], ()) if _is_word_at(plain, at, one)), "")
            if word and (owned or plain[at + len(word) : at + len(word) + 1] != "的"):
                found.update(dict.fromkeys(self._sure(word)))
            at += len(word) or 1
        return list(found)

    def _sure(self, word: str) -> list[str]:
        found = self.who(word)
        return [found[0]] if len(found) == 1 else []


def _normalize_text(said: str) -> str:
    if said.isascii():
        return said.strip()
    from unicodedata import normalize

    return normalize("NFKC", said).strip()


def _is_word_at(plain: str, at: int, word: str) -> bool:
    """Does the word stand there, an id or a foreign name as a word of its own?"""
    if not plain.startswith(word, at):
        return False
    before, behind = plain[at - 1 : at] if at else "", plain[at + len(word) : at + len(word) + 1]
    return not (word[0].isascii() and _joins_word(before)) and not (
        word[-1].isascii() and _joins_word(behind)
    )


def _joins_word(mark: str) -> bool:
    return mark.isascii() and (mark.isalnum() or mark in _IDLIKE) if mark else False
