"""The backlog recorded: adopted chapters, one after the other, the newest first, interrupted at any time.

A chapter (`flows.inventory.backlog` lists them) is recorded by the steps of a sync without a judge,
because its text is the author's. It has no contract, so an empty one lands with the first step.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.errors import Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.chapter import landed_desk
from novel_hooks.flows.inventory import backlog
from novel_hooks.flows.resync import reopen
from novel_hooks.flows.session.session import Session
from novel_hooks.rules.steps import resync_steps
from novel_hooks.rules.steps.resync_steps import OpenSync
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change


def begin(session: Session, wanted: int | None, chapter: int | None = None) -> OpenSync | None:
    """Open the recording of the newest waiting chapter, or of `chapter`; None when none waits.

    `wanted` chapters follow each other; None: first those that the next chapter needs, then all others.
    Raises BacklogNotNow, SyncNotIdle, SyncOpen, and faults of the text or the storylines.
    """
    book = Book(session.project)
    if book.checkpoint().setting_up:
        raise errors.BacklogNotNow(case="setup")
    if not book.project.has(layout.STORYLINES):
        raise errors.BacklogNotNow(case="storylines")
    numbers = list(backlog.waiting(book)) if chapter is None else [chapter]
    if not numbers:
        return None
    point = reopen.idle_checkpoint(book, numbers[0])
    going = resync_steps.open_sync(point)
    left = min(wanted or _usual(book, numbers), len(numbers))
    if chapter and going is not None and going.left:
        left = going.left  # its text has changed: the run goes on behind it
    opened, changes = opening(book, numbers[0], left)
    moved = point.moved(session.caller.stamp, drop=("failures",), sync=opened.document())
    if changes:  # it was never begun, so nothing of it is staged
        cleared = reopen.take_back_changes(session, numbers[0])
    else:
        cleared = reopen.clear_changes(session, landed_desk.desk(book, numbers[0]), "before-sync")
    last = journal.put(layout.CHECKPOINT, jsonio.dump(moved.document))
    session.land([*cleared, *changes, last], label=f"补记第 {numbers[0]} 章")
    return opened


def _usual(book: Book, numbers: list[int]) -> int:
    """Return how many of the waiting chapters writing on needs; all, when it needs none any more."""
    return len({*backlog.needed(book)}.intersection(numbers)) or len(numbers)


def opening(book: Book, chapter: int, left: int) -> tuple[OpenSync, list[Change]]:
    """Return the recording of a chapter and its changes. Raises the faults of its text."""
    changes = _contract_changes(book, chapter)
    desk = landed_desk.desk(book, chapter)
    return OpenSync(chapter, "summarize", reopen.landed_text_hash(desk, bare=bool(changes)), left), changes


def _contract_changes(book: Book, chapter: int) -> list[Change]:
    """Return the bare contract of a chapter that has none."""
    path = layout.contract(book.adoption().volume_of(chapter), chapter)
    if book.project.has(path):
        return []
    objective = {"id": f"OBJ-{chapter}-1", "required": False, "description": "搬进来的章，没有契约"}
    document = {"chapter": chapter, "storyline_id": _storyline(book), "objectives": [objective]}
    return [journal.put(path, jsonio.dump(document))]


def _storyline(book: Book) -> str:
    """Return the book's first storyline, that of a chapter nobody planned. Raises FileMissing."""
    found = book.document(layout.STORYLINES, "storylines") or {}
    lines = found if isinstance(found, list) else found.get("storylines") or found.get("items") or []
    if not lines:
        raise errors.FileMissing(layout.STORYLINES, "setting", what="故事线")
    return str(lines[0]["id"])


def following(book: Book, opened: OpenSync) -> tuple[OpenSync | None, list[Change]]:
    """Return the run's next recording after this one, and its changes; None at the end of the run.

    A chapter that cannot be recorded, such as one without text, is skipped.
    """
    if opened.left is None or opened.left < 2:
        return None, []
    for number in backlog.waiting(book):
        if number != opened.chapter:
            try:
                return opening(book, number, opened.left - 1)
            except Problem:
                continue
    return None, []
