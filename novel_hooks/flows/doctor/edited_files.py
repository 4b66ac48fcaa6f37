"""Doctor on hand edits of landed files, by hash over the text. Reads only. Source: protocol §1, §5.

They are notes, because an edit is the author's right.
"""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.annotations import Iterator
from novel_hooks.errors import Problem
from novel_hooks.flows.book import landed_record
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import collect_problems
from novel_hooks.flows.doctor import chapters
from novel_hooks.flows.inventory import hand_edits, lost_chapters, lost_inputs
from novel_hooks.rules.state.landed_record import LandedRecord


def edit_problems(book: Book, last: int) -> Iterator[Problem]:
    """Find landed files whose text has another hash than at landing (LF, no BOM), and broken records."""
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
        if not data or hand_edits.digest(data, path) == told:
            continue  # a missing or empty file is reported elsewhere
        prose = path.endswith(".md")
        unfit = lost_inputs.text_problem(book.project, data, path, chapter) if prose else None
        if unfit is not None:
            yield unfit
            continue
        yield errors.LandedEdited(path, chapter=chapter)
        yield from _schema_problems(book, path)


def _schema_problems(book: Book, path: str) -> list[Problem]:
    """Judge a document that was changed by hand by its schema again."""
    number = chapters.NUMBERED.match(path.rpartition("/")[2])
    for part in lost_chapters.PARTS:
        schema = part.schema
        if schema and number and path == part.place(int(number.group(1))):
            return collect_problems(lambda schema=schema: book.document(path, schema, own=True))  # type: ignore[misc]
    return []
