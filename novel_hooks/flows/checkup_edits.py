"""Doctor on hand edits: what is not what landed any more. The author's right, so told as notes. Reads only.

Source: protocol §1 (`.novel/landed/`), §5. By hash over the text, never by time.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

from novel_hooks import layout
from novel_hooks.errors import LandedEdited, OwnFileDamaged, Problem
from novel_hooks.flows import checkup_book, handedits
from novel_hooks.flows.book import Book
from novel_hooks.flows.collecting import collected
from novel_hooks.store.project import Project


def edited(book: Book, last: int) -> Iterator[Problem]:
    """Landed files whose text is not what landed, by hash over LF line ends without BOM."""
    for path, (chapter, told) in sorted(landed(book.project, last).items(), key=lambda each: each[1][0]):
        found = handedits.digest(book.project.read(path), path)
        if not found or found == told:
            continue  # what is missing is told of elsewhere
        yield LandedEdited(path, chapter=chapter)
        yield from _judged(book, path)


def _judged(book: Book, path: str) -> list[Problem]:
    """A document that was changed by hand is judged by its schema again."""
    number = checkup_book.NUMBERED.match(path.rpartition("/")[2])
    for part in checkup_book.PARTS:
        schema = part.schema
        if schema and number and path == part.place(int(number.group(1))):
            return collected(lambda schema=schema: book.document(path, schema, own=True))  # type: ignore[misc]
    return []


def landed(project: Project, last: int) -> dict[str, tuple[int, str]]:
    """path → (chapter, sha256) of what landed there last; chapters without a record tell nothing."""
    told: dict[str, tuple[int, str]] = {}
    names = set(project.names(layout.landed_record(1).rpartition("/")[0]))
    for number in range(1, last + 1):
        path = layout.landed_record(number)
        if path.rpartition("/")[2] not in names:
            continue
        document = project.json(path, own=True)
        hashes = document.get("sha256") if isinstance(document, dict) else None
        if not isinstance(hashes, dict):
            raise OwnFileDamaged(path, detail="没有入库时的校验值")
        told.update({place: (number, str(sha256)) for place, sha256 in hashes.items()})
    return told
