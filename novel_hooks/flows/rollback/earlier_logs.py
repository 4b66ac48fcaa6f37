"""The logs and the state as they were after an earlier chapter. Source: protocol §1 (changelog), §5."""

from __future__ import annotations

from novel_hooks import errors, layout, sha2
from novel_hooks.annotations import Any, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.book import logs, unknown_names
from novel_hooks.flows.book.book import Book, Damage
from novel_hooks.record import Record
from novel_hooks.rules.state import changelog, rollback
from novel_hooks.rules.text.json_values import integer
from novel_hooks.store.formats import jsonio


class Log(Record):
    """The change log taken back. `then`: log and state after it; `taken` are the lines of later chapters.

    `base` is the sha256 of the lines that stay; `skipped` how many of them skipped their delta.
    """

    then: dict[str, bytes | None]
    taken: Sequence[Mapping[str, Any]]
    base: str
    skipped: int


def change_log(book: Book, to: int, last: int) -> Log:
    """Work out the change log and the state after chapter `to`; `last` is the last landed chapter.

    Raises ChangelogBroken and LogLineBroken with the line, LogBehindState.
    """
    path = layout.CHANGELOG
    raw, numbers = logs.raw_lines(book, path)
    lines = logs.parse_raw(raw, numbers, path)
    kept = rollback.count_lines(lines, to)
    version = (integer(lines[-1].get("state_version")) or 0) if lines else 0
    if last > to:
        _check_reaches_state(book, version)
    then: dict[str, bytes | None] = {}
    if kept < len(lines):
        then[path] = b"".join(raw[:kept]) or None
        then.update(_earlier_state(lines, kept, version, to))
    base = sha2.digest(b"\n".join(line.strip() for line in raw[:kept]))
    return Log(then, lines[kept:], base, len(changelog.skipped_chapters(lines[:kept])))


def entity_log(book: Book, to: int) -> dict[str, bytes | None]:
    """Return the unknown-entities log without the lines of later chapters; an unreadable line stays."""
    path = layout.UNKNOWN_ENTITIES
    with Damage(path):
        lines = unknown_names.lines(book)
    stay = [line.raw for line in lines if (integer((line.said or {}).get("chapter")) or 0) <= to]
    return {path: b"".join(stay) or None} if len(stay) < len(lines) else {}


def _earlier_state(
    lines: Sequence[Mapping[str, Any]], kept: int, version: int, to: int
) -> dict[str, bytes | None]:
    """Replay the state, unless no line taken away has moved it; absent at version 0.

    Lines taken away may be unsound, and the first need not join, as long as chapter `to` has its line.
    """
    state = changelog.replay(lines[:kept])
    before = integer(lines[kept].get("base_state_version"))
    joins = before == state["state_version"]
    reached = integer(lines[kept - 1].get("chapter")) if kept else state["last_updated_chapter"]
    if not joins and reached != to:
        raise changelog.broken_line(kept + 1, "not joined", version=state["state_version"], base=before)
    if joins and state["state_version"] == version:
        return {}
    return {layout.STATE: jsonio.dump(state) if state["state_version"] else None}


def _check_reaches_state(book: Book, told: int) -> None:
    """Raise LogBehindState for a log shorter than the state, LayoutNewer; a broken state says nothing."""
    try:
        found = book.own(layout.STATE)
    except errors.LayoutNewer:
        raise
    except Problem:
        return
    version = integer(found.get("state_version")) if isinstance(found, dict) else None
    if version is not None and version > told:
        case = "some lines" if told else "no line"
        raise errors.LogBehindState(layout.CHANGELOG, case=case, told=told, version=version)
