"""A reminder that chapters have landed since the last backup. Reads only."""

from __future__ import annotations

from novel_hooks import defaults, errors, layout
from novel_hooks.errors import Problem
from novel_hooks.flows.book import settings
from novel_hooks.flows.book.book import Book
from novel_hooks.rules.text.json_values import integer


def problems(book: Book) -> list[Problem]:
    """Return a note when the author's number of chapters (`backup_after`) has landed without a backup."""
    found = book.project.json(layout.BACKED_UP, own=True)
    until = integer(found.get("chapter")) if isinstance(found, dict) else None
    count = book.checkpoint().last - (until or 0)
    wanted = settings.read(book).get("backup_after")
    limit = defaults.BACKUP_AFTER if wanted is None else int(wanted)
    if not limit or count < limit:
        return []
    return [errors.BackupDue(None, "never" if until is None else "since", count=count, until=until)]
