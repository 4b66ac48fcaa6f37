"""`novel outline --check` and `--fix`: the faults of a volume's outline, and their mechanical repair.

While a volume is planned or planned anew, its staged outline is used, else the landed one. Source: protocol
§7.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.errors import Problem
from novel_hooks.flows.book import planned_chapters
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.session.session import Session
from novel_hooks.record import Record
from novel_hooks.rules.outline import check as outline_check
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.outline import repeats
from novel_hooks.rules.outline.headings import NearMiss
from novel_hooks.rules.outline.outline import Outline
from novel_hooks.rules.steps.checkpoint import WRITING_STATES
from novel_hooks.store.journal import journal


class Checked(Record):
    """An outline checked. `fixable` are the headings that `--fix` would rewrite."""

    volume: int
    outline: Outline
    problems: tuple[Problem, ...]
    fixable: tuple[NearMiss, ...]


class Repair(Record):
    """A repair, before or after it is done. `old`, `new`: the file's bytes.

    `raw`: line ends or a BOM change too; `left`: the number of findings that stay.
    """

    volume: int
    path: str
    old: bytes
    new: bytes
    mended: tuple[NearMiss, ...]
    raw: bool
    left: int

    @property
    def changes(self) -> bool:
        """Return whether the file would change."""
        return self.old != self.new


def inspect(book: Book, volume: int) -> Checked:
    """Return every finding at once. Raises FileMissing, TextNotUtf8."""
    outline, data = _read_outline(book, volume)
    problems = outline_check.problems(outline, volume, data)
    problems += repeats.outline_problems(outline, earlier=planned_chapters.earlier_outlines(book, volume))
    return Checked(volume, outline, tuple(problems), outline_check.repair(outline).mended)


def repair(book: Book, volume: int) -> Repair:
    """Work out what `--fix` would do; nothing changes. Raises FileMissing, TextNotUtf8."""
    outline, data = _read_outline(book, volume)
    mended = outline_check.repair(outline)
    new = mended.text.encode("utf-8")
    raw = data.startswith(b"\xef\xbb\xbf") or b"\r" in data
    left = outline_check.problems(outlines.parse(mended.text, outline.path), volume, new)
    return Repair(volume, outline.path, data, new, mended.mended, raw, len(left))


def land(session: Session, volume: int, shown: Repair | None = None) -> Repair:
    """Write the repaired outline. Raises ChangedWhileAsked when it is not the one that was `shown`."""
    found = repair(Book(session.project), volume)
    if shown is not None and shown.old != found.old:
        raise errors.ChangedWhileAsked(found.path)
    if found.changes:
        session.land([journal.put(found.path, found.new)], label=f"改正第 {volume} 卷大纲的写法")
        session.renew_marks([found.path])
    return found


def path_in_force(book: Book, volume: int) -> str:
    """Return the path of the outline in use now; chapters are written by the landed one only."""
    landed = layout.outline(volume)
    staged, point = layout.staged(landed), book.checkpoint()
    state = point.error.get("from_state") if point.state == "ERROR_RETRY" else point.state
    writing = state in WRITING_STATES and book.read(landed) is not None
    return landed if writing or book.read(staged) is None else staged


def _read_outline(book: Book, volume: int) -> tuple[Outline, bytes]:
    path = path_in_force(book, volume)
    data, text = book.read(path), book.text(path)
    if data is None or text is None:
        raise errors.FileMissing(path, "plan", what=f"第 {volume} 卷大纲")
    return outlines.parse(text, path), data
