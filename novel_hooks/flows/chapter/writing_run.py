"""A run: the chapters that one `/novel:continue` writes. `.novel/run.json` holds its beginning.

It begins with `lock acquire --run`, or when another session takes the lock. Its end is not recorded.
"""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.annotations import Any, Mapping
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.chapter import work_log
from novel_hooks.flows.session.caller import Caller
from novel_hooks.record import Record
from novel_hooks.rules.text.json_values import integer, objects, text
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change


class Run(Record):
    """The run: `chapter` is its first, with `stages` steps made before the run; `wanted` chapters, or None.

    `other` is the number of steps without a chapter in their log before the run.
    """

    started_at: str
    owner: str
    chapter: int
    stages: int
    wanted: int | None
    other: int = 0


def read(book: Book) -> Run | None:
    """Read the last run that began; None without one, or when the file is not `novel`'s."""
    found, _ = attempt(lambda: book.own(layout.RUN))
    if not isinstance(found, dict):
        return None
    started, owner = text(found.get("started_at")), text(found.get("owner"))
    chapter, stages = integer(found.get("chapter")), integer(found.get("stages"))
    if started is None or owner is None or chapter is None or stages is None:
        return None
    other = integer(found.get("other")) or 0
    return Run(started, owner, chapter, stages, integer(found.get("wanted")), max(0, other))


def begin_changes(book: Book, caller: Caller, wanted: int | None) -> list[Change]:
    """Return the change that begins a run; [] when the caller's own run goes on.

    `wanted` is the number of chapters to write; None when no run was asked for.
    """
    known = read(book)
    if wanted is None and known is not None and known.owner == caller.owner.id:
        return []
    point = book.checkpoint()
    chapter = point.inflight or point.last + 1
    every = work_log.other_stages(book)
    other = every[-work_log.OTHER_KEPT :]
    document: Mapping[str, Any] = {
        "started_at": caller.stamp,
        "owner": caller.owner.id,
        "chapter": chapter,
        "stages": len(objects(work_log.read(book, chapter).get("stages"))),
        "wanted": wanted,
        "other": len(other),
    }
    trimmed = [work_log.other_change(other)] if len(every) > len(other) else []
    return [*trimmed, journal.put(layout.RUN, jsonio.dump(document))]
