"""One reading of a project: the checkpoint, the staged files, the next step."""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING
from novel_hooks.record import Record

if TYPE_CHECKING:
    from novel_hooks.flows.book.book import Book
    from novel_hooks.flows.chapter.desk import Desk
    from novel_hooks.flows.chapter.landed_desk import LandedDesk
    from novel_hooks.rules.steps.checkpoint import Checkpoint
    from novel_hooks.rules.steps.next_step import Next, Staged
    from novel_hooks.rules.steps.resync_steps import OpenSync


class Sync(Record):
    """The landed chapter that is being recorded anew. `changed`: its text changed since the sync began."""

    opened: OpenSync
    desk: LandedDesk
    staged: Staged
    changed: bool
    due: Next


class View(Record):
    """The reading, the checkpoint, the staged files (active stages), the next step, the open sync."""

    book: Book
    point: Checkpoint
    desk: Desk | None
    staged: Staged | None
    due: Next
    sync: Sync | None = None

    @property
    def paused(self) -> bool:
        """Return whether the next step is done and waits for the author to see it."""
        return self.due.stop and self.due.recorded

    @property
    def stopped(self) -> bool:
        """Return whether the next step waits for the author's decision over staged files."""
        return self.due.stop and self.staged is not None
