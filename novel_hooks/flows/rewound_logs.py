"""The logs and the state as they were after an earlier chapter. Source: protocol §1 (changelog), §5."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

from novel_hooks import layout
from novel_hooks.errors import ChangelogBroken, LogBehindState, OwnFileDamaged, Problem, Problems
from novel_hooks.flows import snapshots
from novel_hooks.flows.book import Book
from novel_hooks.flows.merging import ledger_lines
from novel_hooks.record import Record
from novel_hooks.rules import changelog, rewind
from novel_hooks.rules.json_values import integer
from novel_hooks.store import jsonio


class Log(Record):
    """`then`: the change log and the state after it; `taken` are the lines of later chapters.

    `base` is the sha256 of the lines that stay; `skipped` how many of them skipped their delta.
    """

    then: dict[str, bytes | None]
    taken: Sequence[Mapping[str, Any]]
    base: str
    skipped: int


def change_log(book: Book, to: int, last: int) -> Log:
    """`last` is the last landed chapter.

    Raises ChangelogBroken and OwnJsonBroken with the line, LogBehindState.
    """
    lines = ledger_lines(book, layout.CHANGELOG)
    raw = _raw_lines(book, layout.CHANGELOG, len(lines))
    kept = rewind.split(lines, to)
    version = _version(lines[-1]) if lines else 0
    if last > to:
        _reaches_state(book, version)
    then: dict[str, bytes | None] = {}
    if kept < len(lines):
        then[layout.CHANGELOG] = b"".join(raw[:kept]) or None
        then.update(_state(book, lines, raw, kept, to, version))
    skipped = len(changelog.skipped_chapters(lines[:kept]))
    return Log(then, lines[kept:], snapshots.digest(raw[:kept]), skipped)


def entities(book: Book, to: int) -> dict[str, bytes | None]:
    """The unknown-entities log without the lines of later chapters."""
    path = layout.UNKNOWN_ENTITIES
    lines = ledger_lines(book, path)
    later = [(integer(line.get("chapter")) or 0) > to for line in lines]
    if not any(later):
        return {}
    raw = _raw_lines(book, path, len(lines))
    return {path: b"".join(line for line, gone in zip(raw, later) if not gone) or None}


def _state(
    book: Book, lines: Sequence[Mapping[str, Any]], raw: Sequence[bytes], kept: int, to: int, version: int
) -> dict[str, bytes | None]:
    """Replayed, unless no line that goes has moved it; absent at version 0, as before the first chapter."""
    state = changelog.replay(lines[:kept], snapshots.before(book, raw[:kept], to))
    before = integer(lines[kept].get("base_state_version"))
    if before != state["state_version"]:
        told = f"版本应从 {state['state_version']} 接起，写的是 {before}"
        raise ChangelogBroken(layout.CHANGELOG, line=kept + 1, detail=told)
    if state["state_version"] == version:
        return {}
    return {layout.STATE: jsonio.dump(state) if state["state_version"] else None}


def _reaches_state(book: Book, told: int) -> None:
    """A log that is shorter than the state cannot rebuild it; a broken state says nothing."""
    try:
        found = book.own(layout.STATE)
    except (Problem, Problems):
        return
    version = integer(found.get("state_version")) if isinstance(found, dict) else None
    if version is not None and version > told:
        raise LogBehindState(layout.CHANGELOG, told=told, version=version)


def _version(line: Mapping[str, Any]) -> int:
    return integer(line.get("state_version")) or 0


def _raw_lines(book: Book, path: str, count: int) -> list[bytes]:
    """The lines as bytes, each with its end; empty ones go with the line before them."""
    found: list[bytes] = []
    for line in (book.read(path) or b"").splitlines(keepends=True):
        if line.strip() or not found:
            found.append(line)
        else:
            found[-1] += line
    if len([line for line in found if line.strip()]) != count:
        raise OwnFileDamaged(path, detail="里面有不该有的换行符")
    return found
