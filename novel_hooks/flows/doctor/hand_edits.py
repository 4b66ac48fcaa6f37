"""Doctor on hand edits: landed files that changed. The author's right, so they are notes. Reads only.

Source: protocol §1 (`.novel/landed/`), §5. By hash over the text, never by time.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from novel_hooks.rules.state.landed_record import LandedRecord
    from novel_hooks.store.files.project import Project

from novel_hooks import errors, layout
from novel_hooks.errors import Problem
from novel_hooks.flows.book import hand_edits, landed_record, missing_files
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import collect_problems
from novel_hooks.flows.doctor import chapters
from novel_hooks.rules.state.consistency import ranges
from novel_hooks.rules.steps import step_name


def edit_problems(book: Book, last: int) -> Iterator[Problem]:
    """Find landed files whose text is not what landed, by hash (LF, no BOM), and broken records."""
    records: list[tuple[int, LandedRecord | None]] = []
    for number in range(1, last + 1):
        try:
            records.append((number, landed_record.read(book.project, number)))
        except (errors.LandedBroken, errors.LandedOdd, errors.FileUnreadable) as fault:
            records.append((number, None))
            yield fault
    landed = landed_record.newest(records)
    for path, (chapter, told) in sorted(landed.items(), key=lambda each: each[1][0]):
        data = book.project.read(path)
        if data is None or hand_edits.digest(data, path) == told:
            continue  # a missing file is reported elsewhere
        unfit = missing_files.text_problem(data, path, chapter) if path.endswith(".md") else None
        if unfit is not None:
            yield unfit
            continue
        yield errors.LandedEdited(path, chapter=chapter)
        yield from _schema_problems(book, path)


def unrecorded_problems(book: Book, last: int) -> Iterator[Problem]:
    """Find lost records of landing, and a `.novel/` that was emptied.

    Chapters before the first record are left out: another tool wrote them.
    """
    project, told = book.project, book.checkpoint().document.get("last_step")
    if told and all(project.kind(path) == "absent" for path in (layout.CHECKPOINT_SEAL, layout.LANDED)):
        yield errors.OwnFolderLost(layout.OWN)
    names = set(project.names(layout.LANDED))
    start = book.adoption().last + 1  # a chapter that moved in has a record once it is recorded
    missing = [n for n in range(start, last + 1) if layout.landed_record(n).rpartition("/")[2] not in names]
    ours = told == str(step_name.chapter_step(last, "commit")) and not _is_rolled_back_to(project, last)
    if ours and missing[-1:] == [last]:
        yield errors.LandedRecordLost(layout.LANDED, chapters=ranges(missing))
        return
    first = next((n for n, each in enumerate(missing, start) if n != each), len(missing) + start)
    gaps = [n for n in missing if n > first]
    if gaps and first <= last:
        yield errors.LandedUnrecorded(layout.LANDED, chapters=ranges(gaps))


def _is_rolled_back_to(project: Project, chapter: int) -> bool:
    """Was the book rolled back to it? Then its commit is the last step, whatever tool landed it."""
    return any(name.endswith(f"-to-{chapter:03d}") for name in project.names(layout.ARCHIVE))


def _schema_problems(book: Book, path: str) -> list[Problem]:
    """Judge a document that was changed by hand by its schema again."""
    number = chapters.NUMBERED.match(path.rpartition("/")[2])
    for part in chapters.PARTS:
        schema = part.schema
        if schema and number and path == part.place(int(number.group(1))):
            return collect_problems(lambda schema=schema: book.document(path, schema, own=True))  # type: ignore[misc]
    return []
