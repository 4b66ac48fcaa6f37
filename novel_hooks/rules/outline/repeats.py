"""The same event in two chapters of a plan: one conflict, one objective or one title twice. Pure.

It is told, and stops nothing: a volume may come back to a place, and only the author knows why.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from novel_hooks.rules.outline.contract import Contract
    from novel_hooks.rules.outline.outline import Outline

from novel_hooks import errors
from novel_hooks.errors import Problem
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline import outline as outlines

_LEAST = 8
"""Characters of a text that names an event; a shorter one (`过河`) may stand twice."""


def outline_problems(outline: Outline, after: int = 0) -> Iterator[Problem]:
    """Yield a warning for each conflict and each title that two of the outline's chapters share.

    One of them comes after the chapter `after`: what is written is not planned any more.
    """
    headings = outline.headings
    told = ((one.chapter, one.line, one.title or "") for one in headings)
    yield from _same_problems(outline.path, "标题", told, after, least=1)
    blocks = ((one, outlines.key_lines(outlines.block_under(outline, one))) for one in headings)
    conflicts = ((one.chapter, one.line, keys.get("Conflict", "")) for one, keys in blocks)
    yield from _same_problems(outline.path, " Conflict ", conflicts, after)


def contract_problems(plan: Mapping[int, Contract], after: int = 0) -> Iterator[Problem]:
    """Yield a warning for each objective that must be reached in two chapters; the later one is named."""
    first: dict[str, int] = {}
    for chapter, contract in sorted(plan.items()):
        for each in contracts.objectives(contract):
            said = each.get("description") if each.get("required") is True else None
            plain = _plain(said) if isinstance(said, str) else ""
            if len(plain) < _LEAST:
                continue
            before = first.setdefault(plain, chapter)
            if before != chapter and chapter > after:
                yield _twice(contract.path, "必达目标", before, chapter, str(said))


def _same_problems(
    path: str, what: str, entries: Iterable[tuple[int, int, str]], after: int, least: int = _LEAST
) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for chapter, line, text in sorted(entries):
        plain = _plain(text)
        if len(plain) < least:
            continue
        before = first.setdefault(plain, chapter)
        if before != chapter and chapter > after:
            yield _twice(path, what, before, chapter, text, f"第 {line} 行起，")


def _twice(path: str, what: str, before: int, chapter: int, text: str, where: str = "") -> Problem:
    return errors.PlanEventTwice(path, where=where, what=what, before=before, chapter=chapter, text=text[:30])


def _plain(text: str) -> str:
    return "".join(mark for mark in text if mark.isalnum())
