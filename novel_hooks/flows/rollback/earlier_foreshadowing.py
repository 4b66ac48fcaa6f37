"""Memories and foreshadowing as they were after an earlier chapter, from the contents in landed records.

Without a record nothing is guessed: the file stays, and the author is warned.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Any, Iterable, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.landing import foreshadowing_merge
from novel_hooks.rules.foreshadowing import facts, item
from novel_hooks.rules.state import rollback
from novel_hooks.rules.state.landed_record import LandedRecord
from novel_hooks.rules.text import excerpt
from novel_hooks.store.formats import jsonio

if TYPE_CHECKING:
    Then = dict[str, bytes | None]

_SHOWN = 6


def earlier_files(
    book: Book, to: int, last: int, records: Sequence[LandedRecord], taken: Sequence[Mapping[str, Any]]
) -> tuple[Then, list[Problem]]:
    """Return (the files after chapter `to`, warnings of contents that cannot be taken back).

    `records` and `taken` are the landed records and the lines of the change log of chapters `to` + 1 to
    `last`. Raises the faults of a foreshadowing file that would have to be changed.
    """
    memories = rollback.memories_before(records).items()
    then: Then = {path: None if text is None else text.encode("utf-8") for path, text in memories}
    told = _unrecorded_problems(book, {r.chapter for r in records}, taken)
    threads, kept = _earlier_foreshadowing(book, to, records, taken)
    then.update(threads)
    then.update(_earlier_backlog(book, to, records))
    return then, [*told, *kept]


def _unrecorded_problems(book: Book, recorded: set[int], taken: Sequence[Mapping[str, Any]]) -> list[Problem]:
    """Warn of the memories whose chapters left no record."""
    lines: dict[str, list[int]] = {}
    for line in taken:
        if line["chapter"] not in recorded and isinstance(line.get("storyline_id"), str):
            lines.setdefault(layout.memory(line["storyline_id"]), []).append(line["chapter"])
    return [
        errors.MemoryKept(path, chapters=_names_text(map(str, sorted(set(chapters)))))
        for path, chapters in sorted(lines.items())
        if book.read(path) is not None
    ]


def _earlier_foreshadowing(
    book: Book, to: int, records: Sequence[LandedRecord], taken: Sequence[Mapping[str, Any]]
) -> tuple[Then, list[Problem]]:
    logged = any(foreshadowing_merge.foreshadowing_ops(line) for line in taken)
    if not logged and not any(r.threads for r in records):
        return {}, []
    path = layout.FORESHADOWING
    data = book.read(path)
    document = None if data is None else jsonio.parse(data, path)
    undone = rollback.threads_before(document, records)
    items = facts.parse(document if undone is None else undone, path)
    traced = {*rollback.later_traces(items, to)}
    left = [item.title(one) for one in items if one.get("id") in traced]
    shown = _names_text(f"「{one}」" for one in left)
    kept: list[Problem] = [errors.ForeshadowingKept(path, names=shown)] if left else []
    if undone is None:
        return {}, kept
    first = min(records, key=lambda record: record.chapter)
    gone = not items and set(undone) == {"foreshadowing"} and path in first.created
    return {path: None if gone else jsonio.dump(undone)}, kept


def _earlier_backlog(book: Book, to: int, records: Sequence[LandedRecord]) -> Then:
    """Return the backlog of foreshadowing as it was; no file when there was none."""
    path = layout.FORESHADOW_BACKLOG
    now = foreshadowing_merge.waiting_chapters(book)
    found = rollback.backlog(now, records, to)
    return {} if found == now else {path: jsonio.dump(found) if found else None}


def _names_text(names: Iterable[str]) -> str:
    return excerpt.join_first([*names], _SHOWN, "个")
