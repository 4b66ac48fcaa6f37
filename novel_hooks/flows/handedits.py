"""Landed files that the author changed by hand: by hash over the text with LF and without BOM.

Source: issue 4 (sync). What stat says is remembered under `.novel/`, and only what looks different is read
again. What was found is remembered too, so that `next` and `status` can say it without looking at the book.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from novel_hooks.store.journal import Change

    Marks = dict[str, tuple[str, str]]
import os

from novel_hooks import layout
from novel_hooks.errors import HandEdits, Problem
from novel_hooks.flows import pending
from novel_hooks.flows.book import Book
from novel_hooks.record import Record
from novel_hooks.rules import syncing
from novel_hooks.store import jsonio, seal

RECENT = 3
_SHOWN = 8
_FORMAT = "novel-landed 2"
# A file this young may change again without looking different.
_SETTLED_NS = 2_000_000_000


class Edit(Record):
    """`what` is changed or missing."""

    chapter: int
    path: str
    what: str


class Survey(Record):
    """`unrecorded` are chapters that left no landed record: nothing can be said of them.

    `compared`: at least one file was held against a record.
    """

    edits: tuple[Edit, ...]
    unrecorded: tuple[int, ...]
    marks: Mapping[str, tuple[str, str]]
    compared: bool


def survey(book: Book, last: int, now: float) -> Survey:
    """Hold every landed file against its record. `now` in seconds since the epoch."""
    landed, unrecorded = _landed(book, last)
    known, marks = _load(book), {}
    edits: list[Edit] = []
    for path, (chapter, sha256) in landed.items():
        look = _look(book.project.absolute(path), now)
        mark = known.get(path)
        if mark is None or look is None or mark[0] != look:
            mark = (look or "", digest(book.project.read(path), path))
        if mark[1] != sha256:
            edits.append(Edit(chapter, path, "changed" if mark[1] else "missing"))
        if look:
            marks[path] = mark
    ordered = sorted(edits, key=lambda edit: (edit.chapter, edit.path))
    return Survey(tuple(ordered), unrecorded, marks, bool(landed))


def _landed(book: Book, last: int) -> tuple[dict[str, tuple[int, str]], tuple[int, ...]]:
    """path → (the chapter that landed it last, its hash). Raises all that is wrong with the records."""
    from novel_hooks.flows import landedrecord

    records = landedrecord.read_all(book, range(1, last + 1))
    unrecorded = tuple(chapter for chapter, record in records if record is None)
    return landedrecord.newest(records), unrecorded


def digest(data: bytes | None, path: str) -> str:
    """The hash that a landed record holds; "" when there is no file."""
    from novel_hooks import sha2
    from novel_hooks.store.text import decode

    if data is None:
        return ""
    try:
        return sha2.sha256(decode(data, path).encode("utf-8")).hexdigest()
    except Problem:  # what is not UTF-8 cannot be what landed, so its bytes will do
        return sha2.sha256(data).hexdigest()


def _look(place: str, now: float) -> str | None:
    """What stat says; None for what cannot be relied on."""
    try:
        found = os.lstat(place)
    except OSError:
        return None
    if now * 1e9 - max(found.st_mtime_ns, found.st_ctime_ns) < _SETTLED_NS:
        return None
    return f"{found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}"


def _load(book: Book) -> Marks:
    """{} when nothing is remembered, or it cannot be read: then everything is read."""
    try:
        lines = seal.lines(book.project.read(layout.LANDED_MARKS) or b"", _FORMAT)
    except Problem:
        return {}
    parts = [line.split("\t") for line in lines or ()]
    return {p[2]: (p[0], p[1]) for p in parts if len(p) == 3}


def dump(marks: Mapping[str, tuple[str, str]]) -> bytes:
    lines = [f"{look}\t{sha256}\t{path}" for path, (look, sha256) in sorted(marks.items())]
    return seal.sealed_lines(_FORMAT, lines)


def remembered(book: Book) -> list[int]:
    """The chapters that were found changed when the author looked last."""
    try:
        data = book.project.read(layout.HAND_EDITS)
        found = None if data is None else jsonio.parse(data, layout.HAND_EDITS)
    except Problem:  # a memory, no truth: the next `novel sync` finds them again
        return []
    listed = found.get("chapters") if isinstance(found, dict) else None
    return [n for n in listed if isinstance(n, int)] if isinstance(listed, list) else []


def memory(chapters: Iterable[int]) -> bytes:
    return jsonio.dump({"chapters": sorted(set(chapters))})


def forgotten(book: Book, chapter: int, still: bool = False) -> list[Change]:
    """The chapter is no longer remembered as edited, unless there is `still` something."""
    from novel_hooks.store import journal

    known = remembered(book)
    if still or chapter not in known:
        return []
    return [journal.put(layout.HAND_EDITS, memory(n for n in known if n != chapter))]


def notes(book: Book) -> list[Problem]:
    """One line on edits that wait: those remembered, and the last chapters by stat. Never an obstacle."""
    point = book.checkpoint()
    opened = syncing.opened(point)
    recent = [n for n in range(max(1, point.last - RECENT + 1), point.last + 1) if _changed(book, n)]
    found = {n for n in (*remembered(book), *recent) if n <= point.last}
    found -= {opened.chapter} if opened else set()
    return [HandEdits(chapters=listed(found))] if found else []


def listed(chapters: Iterable[int]) -> str:
    """`3、7、9 等 12`, in order."""
    numbers = sorted(chapters)
    shown = "、".join(map(str, numbers[:_SHOWN]))
    return shown if len(numbers) <= _SHOWN else f"{shown} 等 {len(numbers)}"


def _changed(book: Book, chapter: int) -> bool:
    """A text that is younger than its record, and not what landed."""
    path, record = layout.chapter(chapter), layout.landed_record(chapter)
    try:
        if not pending.touches(book.project, path, record) and not _younger(book, path, record):
            return False
        from novel_hooks.flows import landedrecord

        found = landedrecord.read(book, chapter)
        told = None if found is None else found.sha256.get(path)
        return told != digest(book.project.read(path), path)
    except (OSError, Problem):  # a chapter without record or text: `novel doctor` tells of that
        return False


def _younger(book: Book, path: str, than: str) -> bool:
    text, record = (os.lstat(book.project.absolute(place)) for place in (path, than))
    return text.st_mtime_ns > record.st_mtime_ns
