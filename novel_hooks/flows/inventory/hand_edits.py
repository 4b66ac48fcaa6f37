"""Hand edits: landed files that the author changed, by hash over the text with LF and without BOM.

The files' stat is remembered under `.novel/`, and only a file whose stat differs is read again. The edits
that were found are remembered too, so that `next` and `status` report them by reading those files alone.
Source: protocol §2 (sync), ADR 0012.
"""

from __future__ import annotations

import os
from functools import partial

from novel_hooks import errors, layout, sha2
from novel_hooks.annotations import TYPE_CHECKING, Iterable, Mapping
from novel_hooks.errors import Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import as_warnings, attempt, collect_problems
from novel_hooks.flows.inventory import backlog, lost_inputs
from novel_hooks.flows.session import pending_landing
from novel_hooks.record import Record
from novel_hooks.rules.steps import resync_steps
from novel_hooks.store.formats import jsonio
from novel_hooks.store.formats.text import decode

if TYPE_CHECKING:
    from novel_hooks.store.fence.marks import Marks
    from novel_hooks.store.journal.journal import Change

RECENT = 3
_LOOKED_AT = 50
_FORMAT = "novel-landed 2"


class Edit(Record):
    """A landed file that is not as it landed: `what` is changed or missing."""

    chapter: int
    path: str
    what: str


class Survey(Record):
    """The edits of a whole book. `unrecorded` are chapters without a landed record.

    `compared`: at least one file was compared with a record. `landed`: path → hash at landing, of the edited
    files. `unfit`: the reason why an edited text cannot be read.
    """

    edits: tuple[Edit, ...]
    unrecorded: tuple[int, ...]
    marks: Mapping[str, tuple[str, str]]
    compared: bool
    landed: Mapping[str, str]
    unfit: tuple[Problem, ...]


def survey(book: Book, last: int, now: float) -> Survey:
    """Compare every landed file with its record. `now` in seconds since the epoch."""
    landed, unrecorded = _landed_hashes(book, last)
    known, marks = _load(book), {}
    edits: list[Edit] = []
    for path, (chapter, sha256) in landed.items():
        look = _stat_mark(book.project.absolute(path), now)
        mark = known.get(path)
        if mark is None or look is None or mark[0] != look:
            mark = (look or "", digest(book.project.read(path), path))
        if mark[1] != sha256:
            edits.append(Edit(chapter, path, "changed" if mark[1] else "missing"))
        if look:
            marks[path] = mark
    edits.sort(key=lambda edit: (edit.chapter, edit.path))
    told = {edit.path: landed[edit.path][1] for edit in edits}
    unfit = [fault for edit in edits for fault in _text_problems(book, edit.path, edit.chapter)]
    return Survey(tuple(edits), unrecorded, marks, bool(landed), told, tuple(unfit))


def _text_problems(book: Book, path: str, chapter: int) -> list[Problem]:
    data = book.project.read(path) if path.endswith(".md") else None
    fault = None if data is None else lost_inputs.text_problem(book.project, data, path, chapter)
    return [] if fault is None else [fault]


def _landed_hashes(book: Book, last: int) -> tuple[dict[str, tuple[int, str]], tuple[int, ...]]:
    """Return path → (the chapter that landed it last, its hash). Raises all faults of the records."""
    from novel_hooks.flows.book import landed_record

    records = landed_record.read_all(book, range(1, last + 1))
    adopted = book.adoption().last  # they wait to be recorded: nothing says yet what they were
    unrecorded = tuple(chapter for chapter, record in records if record is None and chapter > adopted)
    return landed_record.newest(records), unrecorded


def digest(data: bytes | None, path: str) -> str:
    """Return the hash in the form of a landed record; "" when there is no file."""
    if data is None:
        return ""
    try:
        return sha2.digest(decode(data, path).encode("utf-8"))
    except Problem:  # what is not UTF-8 cannot be what landed, so its bytes will do
        return sha2.digest(data)


def _stat_mark(place: str, now: float) -> str | None:
    """Return the file's stat as a mark; None for one that cannot be relied on."""
    from novel_hooks.store.fence import marks as filemarks

    try:
        found = os.lstat(place)
    except OSError:
        return None
    settled = now * 1e9 - max(found.st_mtime_ns, found.st_ctime_ns) >= filemarks.SETTLED_NS
    return filemarks.signature(found) if settled else None


def _load(book: Book) -> Marks:
    """Return the remembered marks; {} when there are none, or they are broken: then everything is read."""
    from novel_hooks.store.fence import marks as filemarks

    data, _ = attempt(lambda: book.project.read(layout.LANDED_MARKS))
    return filemarks.parse(data or b"", _FORMAT) or {}


def dump(marks: Mapping[str, tuple[str, str]]) -> bytes:
    """Dump the marks to the file's bytes."""
    from novel_hooks.store.fence import marks as filemarks

    return filemarks.dump(marks, _FORMAT)


def remembered_edits(book: Book) -> list[Edit]:
    """Return the edits of the last survey, without files that are again as they landed.

    A file whose stat has not changed is not read. Of very many files only the first are compared again, so
    that an everyday command stays fast; `novel sync` compares all.
    """
    found = []
    for index, (path, (chapter, landed, look)) in enumerate(sorted(_remembered_rows(book).items())):
        what = _edit_kind(book, path, landed, look) if index < _LOOKED_AT else "changed"
        found += [Edit(chapter, path, what)] if what else []
    return found


def _remembered_rows(book: Book) -> dict[str, tuple[int, str, str]]:
    """Return path → (chapter, hash of what landed, its stat mark); {} when nothing is remembered.

    It is a memory, no truth: the next `novel sync` finds them again.
    """
    files = book.plain_document(layout.HAND_EDITS).get("files")
    if not isinstance(files, dict):
        return {}
    rows = {path: one for path, one in files.items() if isinstance(one, list) and len(one) == len(_ROW)}
    known = {p: one for p, one in rows.items() if all(map(isinstance, one, _ROW))}
    return {path: (one[0], one[1], one[2]) for path, one in known.items()}


_ROW = (int, str, str)


def _edit_kind(book: Book, path: str, landed: str, look: str) -> str | None:
    """Return changed or missing; None when the file is what landed."""
    from novel_hooks.store.fence import marks as filemarks

    try:
        place = book.project.absolute(path)
        if (
            not pending_landing.has_pending(book.project, path)
            and filemarks.signature(os.lstat(place)) == look
        ):
            return "changed"
        found = digest(book.project.read(path), path)
    except FileNotFoundError:
        return "missing"
    except (OSError, Problem):  # there is no file in its place
        return "changed"
    return None if found == landed else ("changed" if found else "missing")


def dump_edits(found: Survey) -> bytes:
    """Dump the survey's edits to the bytes that `remembered_edits` reads."""
    looks = {path: look for path, (look, _) in found.marks.items()}
    return _dump_rows({e.path: (e.chapter, found.landed[e.path], looks.get(e.path, "")) for e in found.edits})


def _dump_rows(known: Mapping[str, tuple[int, str, str]]) -> bytes:
    return jsonio.dump({"files": {path: list(row) for path, row in sorted(known.items())}})


def forget_changes(
    book: Book, chapter: int, missing: Iterable[str] = (), landing: Iterable[str] = ()
) -> list[Change]:
    """Return the change that forgets the chapter's edits but the `missing`, and all `landing` ones."""
    from novel_hooks.store.journal import journal

    known = _remembered_rows(book)
    gone = {p for p, row in known.items() if row[0] == chapter and p not in missing}.union(landing)
    left = {path: row for path, row in known.items() if path not in gone}
    return [] if left == known else [journal.put(layout.HAND_EDITS, _dump_rows(left))]


def problems(book: Book) -> list[Problem]:
    """Warn of landed files: lost, doubled or unreadable texts, and hand edits. They stop nothing.

    Only remembered edits and the last chapters are looked at, by stat; one line for each kind.
    """
    point = book.checkpoint()
    opened = resync_steps.open_sync(point)
    recent = [*range(max(1, point.last - RECENT + 1), point.last + 1)]
    twice = collect_problems(*(partial(book.project.place, layout.chapter(n)) for n in recent))
    recent = [n for n in recent if layout.chapter(n) not in [fault.path for fault in twice]]
    known = [edit for edit in remembered_edits(book) if edit.chapter <= point.last]
    lost = {e.chapter for e in known if (e.path, e.what) == (layout.chapter(e.chapter), "missing")}
    lost |= {n for n in recent if book.project.kind(layout.chapter(n)) == "absent"}
    changed = [n for n in recent if n not in lost and _is_changed(book, n)]
    # Where there is no file in a text's place `novel doctor` reports that.
    texts = [attempt(partial(_text_problems, book, layout.chapter(n), n))[0] for n in changed]
    unfit = [fault for several in texts for fault in several or ()]
    told_of = {*map(layout.chapter, lost), *(fault.path for fault in unfit)}
    found = {e.chapter for e in known if e.path not in told_of}
    found |= {n for n in changed if layout.chapter(n) not in told_of}
    found -= {opened.chapter} if opened else set()
    gone = [lost_inputs.missing_text_refusal(book.project, sorted(lost))] if lost else []
    told = as_warnings([*gone, *unfit, *twice])
    if found:
        from novel_hooks.rules.text import typed_words

        told.append(errors.HandEdits(chapters=typed_words.number_list(found)))
    return [*told, *backlog.problems(book)]


def _is_changed(book: Book, chapter: int) -> bool:
    """Is the text younger than its record, and not what landed?"""
    path, record = layout.chapter(chapter), layout.landed_record(chapter)
    try:
        waits = pending_landing.has_pending(book.project, path, record)
        if not (waits or _is_younger_or_empty(book, path, record)):
            return False
        from novel_hooks.flows.book import landed_record

        found = landed_record.read(book, chapter)
        told = None if found is None else found.sha256.get(path)
        return told != digest(book.project.read(path), path)
    except (OSError, Problem):  # a chapter without record or text: `novel doctor` reports that
        return False


def _is_younger_or_empty(book: Book, path: str, than: str) -> bool:
    text, record = (os.lstat(book.project.absolute(place)) for place in (path, than))
    return text.st_mtime_ns > record.st_mtime_ns or text.st_size == 0
