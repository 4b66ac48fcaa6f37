"""The same event in two chapters, of one volume or two: one conflict, objective or title twice. Pure.

In longer texts a word more or less makes no other event. It is a warning only: a volume may return to a
place, and only the author knows why.
"""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.annotations import Iterable, Iterator, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.outline.contract import Contract
from novel_hooks.rules.outline.outline import Outline

_LEAST = 8
"""Characters of a text that names an event; a shorter one (`过河`) may stand twice."""


_LONG, _NEARLY, _BACK = 16, 0.85, 200
"""A longer text is nearly another by this part of their pairs of characters; so many are compared."""


def outline_problems(outline: Outline, after: int = 0, earlier: Sequence[Outline] = ()) -> Iterator[Problem]:
    """Yield a warning for each conflict and each title that two chapters share, of this outline or `earlier`.

    The later one is this outline's, after the chapter `after`, because written chapters are no longer
    planned.
    """
    begins = min((one.chapter for one in outline.headings), default=0)
    before = [(one, each) for one in earlier for each in one.headings if each.chapter < begins]
    both = [*before, *((outline, each) for each in outline.headings)]
    after = max(after, begins - 1)
    told = ((each.chapter, each.line, each.title or "") for _, each in both)
    yield from _same_problems(outline.path, "标题", told, after, least=1)
    blocks = ((each, outlines.key_lines(outlines.block_under(one, each))) for one, each in both)
    conflicts = ((each.chapter, each.line, keys.get("Conflict", "")) for each, keys in blocks)
    yield from _same_problems(outline.path, " Conflict ", conflicts, after)


def contract_problems(
    plan: Mapping[int, Contract], after: int = 0, earlier: Mapping[int, Contract] | None = None
) -> Iterator[Problem]:
    """Yield a warning for each required objective that two chapters share; the later one is named.

    `earlier` are the contracts of the volumes before. One chapter of the two must be of this plan.
    """
    events = _Events()
    for chapter, contract in sorted({**(earlier or {}), **plan}.items()):
        for each in contracts.objectives(contract):
            said = each.get("description") if each.get("required") is True else None
            plain = _plain(said) if isinstance(said, str) else ""
            if len(plain) < _LEAST:
                continue
            before, how = events.find_first(plain, chapter)
            if before != chapter and chapter > after and chapter in plan:
                yield _twice(contract.path, "必达目标", before, how, chapter, str(said))


def _same_problems(
    path: str, what: str, entries: Iterable[tuple[int, int, str]], after: int, least: int = _LEAST
) -> Iterator[Problem]:
    events = _Events()
    for chapter, line, text in sorted(entries):
        plain = _plain(text)
        if len(plain) < least:
            continue
        before, how = events.find_first(plain, chapter)
        if before != chapter and chapter > after:
            yield _twice(path, what, before, how, chapter, text, f"第 {line} 行起，")


def _twice(path: str, what: str, before: int, how: str, chapter: int, text: str, where: str = "") -> Problem:
    return errors.PlanEventTwice(
        path, where=where, what=what, before=before, alike=how, chapter=chapter, text=text[:30]
    )


class _Events:
    """Texts of events, each with the chapter that was told it first."""

    def __init__(self) -> None:
        self._first: dict[str, int] = {}
        self._pairs: list[tuple[frozenset[str], str, int]] = []

    def find_first(self, plain: str, chapter: int) -> tuple[int, str]:
        """Return (the chapter first told this, or nearly this; how alike), or the chapter itself."""
        if plain in self._first:
            return self._first[plain], "一样"
        self._first[plain] = chapter
        if len(plain) < _LONG:
            return chapter, ""
        pairs = frozenset(map("".join, zip(plain, plain[1:])))
        digits = "".join(mark for mark in plain if mark.isdecimal())
        for others, figures, before in self._pairs[-_BACK:]:
            if figures == digits and len(pairs & others) >= _NEARLY * len(pairs | others):
                return before, "几乎一样"
        self._pairs.append((pairs, digits, chapter))
        return chapter, ""


def _plain(text: str) -> str:
    from unicodedata import normalize

    return "".join(mark for mark in normalize("NFKC", text).casefold() if mark.isalnum())
