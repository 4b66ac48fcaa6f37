"""The reading of landed records, the same for rollback, sync, hand edits and doctor.

A record carries a seal over itself. A record of an older layout has none; it counts when every field has the
right type. Source: protocol §5 (pre-images), ADR 0011.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Any, Iterable, Mapping
from novel_hooks.errors import Problem, refuse
from novel_hooks.rules.state import landed_record
from novel_hooks.store.fence import seal
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal

if TYPE_CHECKING:
    from novel_hooks.flows.book.book import Book
    from novel_hooks.rules.state.landed_record import LandedRecord
    from novel_hooks.store.files.project import Project
    from novel_hooks.store.journal.journal import Change


def read(source: Book | Project, chapter: int) -> LandedRecord | None:
    """Read the chapter's record; None when it landed without one.

    Raises LandedBroken when it is not as `novel` writes it, LandedOdd when it is no file, and errors of
    reading.
    """
    path = layout.landed_record(chapter)
    try:
        data = source.read(path)
        document = None if data is None else jsonio.parse(data, path, own=True)
    except errors.NotARegularFile as odd:
        raise errors.LandedOdd(path, chapter=chapter, kind=odd.values["kind"]) from odd
    except (errors.TextNotUtf8, errors.GitConflict, errors.OwnJsonBroken) as fault:
        raise errors.LandedBroken(path, chapter=chapter, case="unreadable", cause=fault) from fault
    if data is None:
        return None
    found = landed_record.read(document, chapter)
    if seal.KEY in found.document and not seal.is_sealed(found.document):
        raise errors.LandedBroken(path, chapter=chapter, case="changed")
    return found


def read_all(source: Book | Project, chapters: Iterable[int]) -> list[tuple[int, LandedRecord | None]]:
    """Return (chapter, its record or None), in the order given. Raises Problems with all their faults."""
    found: list[tuple[int, LandedRecord | None]] = []
    problems: list[Problem] = []
    for chapter in chapters:
        try:
            found.append((chapter, read(source, chapter)))
        except (errors.LandedBroken, errors.LandedOdd, errors.FileUnreadable) as fault:
            problems.append(fault)
    refuse(problems)
    return found


def record_change(chapter: int, document: Mapping[str, Any]) -> Change:
    """Return the change that lands the record, sealed."""
    return journal.put(layout.landed_record(chapter), jsonio.dump(seal.with_seal(document)))


def newest(records: Iterable[tuple[int, LandedRecord | None]]) -> dict[str, tuple[int, str]]:
    """Return path → (the chapter that landed it last, its hash), of records in chapter order.

    A chapter without a record may have landed any storyline's memory, so memories landed before it are left
    out.
    """
    found: dict[str, tuple[int, str]] = {}
    for chapter, record in records:
        if record is None:
            found = {path: told for path, told in found.items() if not landed_record.is_memory(path)}
        else:
            found.update({path: (chapter, sha256) for path, sha256 in record.sha256.items()})
    return found
