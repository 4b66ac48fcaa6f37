"""`novel rollback N`: the project as it was after chapter N, in one landing. Source: protocol §5.

Every removed or replaced file is archived first: nothing is deleted.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.chapter import reported
from novel_hooks.flows.rollback import archive, earlier_book
from novel_hooks.flows.rollback.earlier_book import Rewound
from novel_hooks.flows.session import fence
from novel_hooks.flows.session.session import Session
from novel_hooks.record import Record
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change


class Preview(Record):
    """A rollback to `chapter`, before it is done. `last` and `inflight` are those of now.

    `chapters` are the numbers of the texts that are taken away, `chars` their length in 字; `staged` are
    files of the chapter in flight; `edits` later files that the author changed by hand; `left` what cannot be
    taken back, as sentences.
    """

    chapter: int
    last: int
    inflight: int | None
    chapters: tuple[int, ...]
    chars: int
    staged: tuple[str, ...]
    edits: tuple[str, ...]
    left: tuple[str, ...]
    changes: bool


class RolledBack(Record):
    """A rollback. `archive` is its id; None when there was nothing to do."""

    preview: Preview
    archive: str | None
    warnings: tuple[Problem, ...]


def preview(book: Book, chapter: int, stamp: str) -> Preview:
    """Work out the files that a rollback removes; reads only. Raises RollbackBeyond, every other obstacle."""
    return _preview(earlier_book.after(book, chapter, stamp))


def run(session: Session, chapter: int, shown: Preview | None = None) -> RolledBack:
    """Take the book back to `chapter`. `shown` is the preview that the author agreed to.

    Raises as `preview`, and ChangedWhileAsked when the book is not as in `shown`.
    """
    book = Book(session.project)
    rewound = earlier_book.after(book, chapter, session.caller.stamp)
    found = _preview(rewound)
    if shown is not None and shown != found:
        raise errors.ChangedWhileAsked(layout.CHECKPOINT)
    session.end()
    if not found.changes:
        return RolledBack(found, None, ())
    now, stamp = {path: book.read(path) for path in rewound.then}, session.caller.stamp
    label, then = f"rollback-to-{chapter:03d}", rewound.then
    name, kept = archive.create(session.project, archive.ROLLBACK, label, rewound, now, then, stamp)
    changes = [*kept, *path_changes(then), *fence.disarm(session.project), *reported.forget_changes(book)]
    session.land(checkpoint_last(changes), label=f"退回到第 {chapter} 章之后")
    return RolledBack(found, name, rewound.warnings)


def path_changes(then: dict[str, bytes | None]) -> list[Change]:
    """Return the changes that give every path the bytes it has in `then` (None: removed), sorted by path."""
    return [
        journal.remove(path) if data is None else journal.put(path, data)
        for path, data in sorted(then.items())
    ]


def checkpoint_last(changes: Sequence[Change]) -> list[Change]:
    """Sort the checkpoint last: until it lands, readers follow the old checkpoint."""
    return sorted(changes, key=lambda change: change.path == layout.CHECKPOINT)


def _preview(rewound: Rewound) -> Preview:
    return Preview(
        chapter=rewound.to,
        last=rewound.point.last,
        inflight=rewound.point.inflight,
        chapters=rewound.chapters,
        chars=rewound.chars,
        staged=rewound.staged,
        edits=rewound.edits,
        left=tuple(str(problem) for problem in rewound.warnings),
        changes=bool(rewound.then),
    )
