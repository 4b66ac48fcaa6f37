"""Whom a word means: one resolver for ids, display names and aliases. Pure.

Source: protocol §1, seed 000 Step 2.3. Width, spaces and unseen marks do not tell names apart. A display name
goes before another's alias or id; a word that several people share otherwise means all of them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from novel_hooks.rules.cast import Character

from novel_hooks.pattern import Pattern
from novel_hooks.rules.json_values import text

_BETWEEN = Pattern(r"[、，,；;／/|＋+&→\n]|\s+|(?<=.)[与和及](?=.)")
_REMARK = Pattern(r"[（(【\[][^（）()【】\[\]]*[）)】\]]")
_IDLIKE = "-_"
_SHORTEST = 2
"""A name of one character would be found everywhere in a running text."""


def words(person: Character) -> list[str]:
    """What texts and documents call somebody: display name, aliases, id; each once."""
    listed = person.document.get("aliases")
    aliases = [one for one in listed if text(one)] if isinstance(listed, list) else []
    return list(dict.fromkeys([person.name, *aliases, person.slug]))


def bare(name: str) -> str:
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
        listed = [(name, [bare(word) for word in said if bare(word)]) for name, said in people]
        self.titles = {name: said[0] if said else name for name, said in listed}
        self._known: dict[str, tuple[str, ...]] = {}
        for name, said in listed:
            for word in said[:1]:
                self._known[word] = (*self._known.get(word, ()), name)
        shown = set(self._known)
        for name, said in listed:
            for word in dict.fromkeys(said[1:]):
                if word not in shown:
                    self._known[word] = (*self._known.get(word, ()), name)
        self._first: dict[str, list[str]] = {}
        for word in sorted(self._known, key=lambda one: (-len(one), one)):
            if len(word) >= _SHORTEST:
                self._first.setdefault(word[0], []).append(word)

    def title(self, name: str) -> str:
        return self.titles.get(name, name)

    def shown(self) -> list[str]:
        """The display names."""
        return list(self.titles.values())

    def who(self, word: str) -> tuple[str, ...]:
        """The ids of those whom the whole word means; () nobody's."""
        return self._known.get(bare(word), ())

    def parts(self, said: str) -> list[tuple[str, tuple[str, ...]]]:
        """`苗禾与絮儿（藏着）` → each part without remarks, and whom it means; a known whole is one part."""
        plain = _REMARK.sub("", said).strip()
        whole = self.who(plain)
        if whole:
            return [(plain, whole)]
        listed = [(part or "").strip() for part in _BETWEEN.split(plain)]
        return [(part, self.who(part)) for part in listed if part]

    def among(self, said: str) -> list[str]:
        """The ids of those whom the parts mean, in order."""
        return list(dict.fromkeys(name for _, found in self.parts(said) for name in found))

    def leading(self, said: str) -> list[str]:
        """The ids of those whom the first word of a running text means."""
        plain = said.strip()
        word = next((one for one in self._first.get(plain[:1], ()) if _stands(plain, 0, one)), "")
        return list(self._known.get(word, ()))

    def within(self, said: str, owned: bool = True) -> list[str]:
        """The ids of those who are named in a running text, the longest word first at each place.

        Without `owned` `何铁的灯` is a lamp and not 何铁.
        """
        from unicodedata import normalize

        plain = said if said.isascii() else normalize("NFKC", said)
        found: dict[str, None] = {}
        at = 0
        while at < len(plain):
            word = next((one for one in self._first.get(plain[at], ()) if _stands(plain, at, one)), "")
            if word and (owned or plain[at + len(word) : at + len(word) + 1] != "的"):
                found.update(dict.fromkeys(self._known[word]))
            at += len(word) or 1
        return list(found)


def of(people: Iterable[Character]) -> Names:
    return Names((person.slug, words(person)) for person in people)


def _stands(plain: str, at: int, word: str) -> bool:
    """Does the word stand there, an id or a foreign name as a word of its own?"""
    if not plain.startswith(word, at):
        return False
    before, behind = plain[at - 1 : at] if at else "", plain[at + len(word) : at + len(word) + 1]
    return not (word[0].isascii() and _joins(before)) and not (word[-1].isascii() and _joins(behind))


def _joins(mark: str) -> bool:
    return mark.isascii() and (mark.isalnum() or mark in _IDLIKE) if mark else False
