"""Doctor on landed chapters: checkpoint, chapters, their records and hand edits. Reads only.

Source: protocol §1, §5. Files are read one by one and let go, so a long book costs time, not memory. A file
passed its schema when it landed: only one that changed since is judged whole.
"""

from __future__ import annotations

from functools import partial

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Iterator, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.book import landed_record
from novel_hooks.flows.book.book import Book, Damage
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.inventory import hand_edits, lost_chapters, lost_inputs
from novel_hooks.flows.inventory.lost_chapters import PARTS, Part
from novel_hooks.pattern import Pattern
from novel_hooks.rules.state.landed_record import LandedRecord
from novel_hooks.rules.steps import checkpoint as checkpoints
from novel_hooks.rules.text import json_values
from novel_hooks.store.fence import fence
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio

_MOST = 20
_MOST_BEYOND = 5
_ENDINGS = "|".join(part.name(1)[len(layout.chapter_id(1)) :].replace(".", r"\.") for part in PARTS)
NUMBERED = Pattern(rf"chapter-([0-9]{{3,9}})(?:{_ENDINGS})\Z")


def checkpoint_problems(book: Book) -> Iterator[Problem]:
    """Find fields that contradict each other, and changes by others; illegal fields are raised on reading."""
    contradiction = checkpoints.contradiction(book.checkpoint())
    if contradiction is not None:
        yield contradiction
    told = fence.sealed_checkpoint(book.project)
    if told is not None and told != fence.digest(book.project, layout.CHECKPOINT):
        yield errors.CheckpointEdited(layout.CHECKPOINT)


def beyond_problems(
    project: Project, last: int, lines: Sequence[Mapping[str, Any]], state: object
) -> Iterator[Problem]:
    """Find chapters after the checkpoint's last one, with the parts that are there and those missing."""
    traces: dict[int, list[str]] = {}
    for part in PARTS:
        for name in project.names(part.folder):
            found = NUMBERED.match(name)
            if found and int(found.group(1)) > last and name == part.name(int(found.group(1))):
                traces.setdefault(int(found.group(1)), []).append(part.title)
    for line in lines:
        number = json_values.integer(line.get("chapter"))
        if number is not None and number > last:
            traces.setdefault(number, []).append("变更记录")
    updated = json_values.integer(state.get("last_updated_chapter")) if isinstance(state, dict) else None
    if updated is not None and updated > last:
        traces.setdefault(updated, []).append("故事状态")
    for number in sorted(traces)[:_MOST_BEYOND]:
        yield _beyond_problem(number, last, traces[number])


def _beyond_problem(number: int, last: int, there: list[str]) -> Problem:
    wanted = [*(part.title for part in PARTS), "变更记录", "故事状态"]
    missing = [title for title in wanted if title not in there]
    return errors.ChapterBeyond(
        layout.chapter(number),
        last=last,
        chapter=number,
        there="、".join(dict.fromkeys(there)),
        missing=f"，还缺{'、'.join(missing)}" if missing else "",
        checkpoint=layout.CHECKPOINT,
    )


def content_problems(project: Project, last: int) -> Iterator[Problem]:
    """Check that landed files can be read, that texts are not blank, and documents are of their chapter."""
    found: list[Problem] = []
    for part in PARTS:
        names = set(project.names(part.folder))
        for number in range(1, last + 1):
            if part.name(number) in names and len(found) < _MOST:
                found += _part_problems(project, part, number)
    yield from found


def _part_problems(project: Project, part: Part, number: int) -> list[Problem]:
    path, data = part.place(number), project.read(part.place(number)) or b""
    if not data.strip(b"\0 \t\r\n"):
        return [lost_chapters.blank_problem(project, part, number)]
    if part.schema is None:
        unfit = lost_inputs.text_problem(project, data, path, number)
        return [unfit] if unfit else []
    try:
        with Damage(path):
            document = jsonio.parse(data, path, own=True)
    except Problem as fault:
        return list(fault.problems)
    if not isinstance(document, dict):
        return [errors.OwnFileDamaged(path, case="no object")]
    told = document.get("chapter", number)
    return [] if told == number else [errors.OwnFileDamaged(path, case="other chapter", chapter=told)]


def edit_problems(book: Book, last: int) -> Iterator[Problem]:
    """Find landed files whose text has another hash than at landing (LF, no BOM), and broken records.

    Edits are notes, because they are the author's right.
    """
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
    number = NUMBERED.match(path.rpartition("/")[2])
    for part in PARTS:
        if part.schema and number and path == part.place(int(number.group(1))):
            return attempt(partial(book.document, path, part.schema, own=True))[1]
    return []
