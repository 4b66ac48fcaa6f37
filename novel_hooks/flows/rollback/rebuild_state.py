"""`novel rebuild state`: the state from the change log alone, byte for byte. Source: protocol §1, §5."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Mapping
from novel_hooks.errors import Problem, refuse
from novel_hooks.flows.book import logs
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.chapter import kept_attempts
from novel_hooks.flows.rollback.archive import REBUILD
from novel_hooks.flows.session.session import Session
from novel_hooks.record import Record
from novel_hooks.rules.state import changelog, consistency
from novel_hooks.store.formats import jsonio, logtail
from novel_hooks.store.journal import journal, manifest
from novel_hooks.store.journal.journal import Change


class Rebuilt(Record):
    """A rebuild: `differences` are dotted paths of the state, `archive` is the folder's id or None."""

    changed: bool
    version: int
    chapters: int
    differences: tuple[str, ...]
    archive: str | None


def run(session: Session) -> Rebuilt:
    """Replay the change log and land the state, the old one archived. Raises the log's faults by line."""
    book = Book(session.project)
    lines = checked_lines(book)
    _refuse_newer(book)
    state = changelog.replay(lines)
    data, old = jsonio.dump(state), book.read(layout.STATE)
    differences = tuple(_differences(state, old))
    chapters = sum(line["chapter"] > 0 for line in lines)
    if data == old or (old is None and not lines):
        return Rebuilt(False, state["state_version"], chapters, (), None)
    archive, kept = _archive_changes(book, old, session.caller.stamp) if old is not None else (None, [])
    session.land([*kept, journal.put(layout.STATE, data)], label="重建故事状态")
    session.renew_marks([layout.STATE])
    return Rebuilt(True, state["state_version"], chapters, differences, archive)


def _refuse_newer(book: Book) -> None:
    """Raise LayoutNewer for a state of a later version; whatever else is wrong with it is mended here."""
    try:
        book.own(layout.STATE)
    except errors.LayoutNewer:
        raise
    except Problem:
        return


def checked_lines(book: Book) -> list[dict[str, Any]]:
    """Return every line of the change log when the state can be rebuilt from it; else raise the reason."""
    last = book.checkpoint().last
    if logtail.log_tail(book.read(layout.CHANGELOG) or b"", layout.CHANGELOG).kind == logtail.CUT:
        raise errors.LogTailBroken(layout.CHANGELOG)
    lines = logs.lines(book, layout.CHANGELOG)
    refuse(consistency.log_problems(lines, last, book.adoption().last))
    return lines


def _differences(state: Mapping[str, Any], old: bytes | None) -> list[str]:
    """List what of the old state differs from `state`; an unreadable one differs as a whole."""
    found = attempt(lambda: jsonio.parse(old, layout.STATE))[0] if old is not None else None
    return consistency.state_differences(state, found) if isinstance(found, dict) else ["整份内容"]


def _archive_changes(book: Book, old: bytes, stamp: str) -> tuple[str, list[Change]]:
    """Return (id, changes) of a new archive that holds the replaced bytes."""
    archive = f"{kept_attempts.next_number(book.project, layout.ARCHIVE):04d}-{REBUILD}"
    last = book.checkpoint().last
    document = {
        "format": 1,
        "id": archive,
        "made_at": stamp,
        "kind": REBUILD,
        "to_chapter": last,
        "from_chapter": last,
        "entries": [{"path": layout.STATE, "sha256": manifest.digest(old), "what": "replaced"}],
        "checkpoint": book.checkpoint().document,
    }
    return archive, [
        journal.put(layout.archived(archive, layout.STATE), old),
        journal.put(layout.archive_manifest(archive), jsonio.dump(document)),
    ]
