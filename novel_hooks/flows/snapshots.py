"""The state after every fiftieth chapter, beside the log: going back replays what came since, not the book.

A snapshot counts only while the log still begins with the very lines that it was made of; otherwise it is as
if it were not there. Source: ADR 0011 (going back grows only with what it takes away).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

import hashlib

from novel_hooks import layout
from novel_hooks.errors import Problem
from novel_hooks.flows.book import Book
from novel_hooks.rules import changelog
from novel_hooks.rules.changelog import Snapshot
from novel_hooks.rules.json_values import integer
from novel_hooks.store import journal, jsonio, seal
from novel_hooks.store.journal import Change

EVERY = 50


def due(book: Book, chapter: int, state: Mapping[str, Any], entry: Mapping[str, Any]) -> list[Change]:
    """The snapshot of a chapter that lands, when it is one of its turn; `entry` is its line of the log."""
    if chapter % EVERY:
        return []
    from novel_hooks.flows.merging import ledger_lines

    raw = [line for line in (book.read(layout.CHANGELOG) or b"").split(b"\n") if line.strip()]
    raw.append(jsonio.dump_line(entry))
    lines = [*ledger_lines(book, layout.CHANGELOG), entry]
    return [journal.put(layout.snapshot(chapter), jsonio.dump(document(raw, lines, state)))]


def document(
    raw: Sequence[bytes], lines: Sequence[Mapping[str, Any]], state: Mapping[str, Any]
) -> dict[str, Any]:
    """`raw` and `lines` are the log, as bytes and as it reads; `state` is what it comes to."""
    return seal.sealed(
        {
            "lines": len(raw),
            "log_sha256": digest(raw),
            "resolved": sorted(changelog.resolved(lines)),
            "skipped": len(changelog.skipped_chapters(lines)),
            "state": dict(state),
        }
    )


def before(book: Book, raw: Sequence[bytes], chapter: int) -> Snapshot | None:
    """The newest one up to `chapter` that was made of the first of these lines of the log."""
    for number in range(chapter - chapter % EVERY, 0, -EVERY):
        found = _read(book, number)
        if found is not None:
            lines, told, snapshot = found
            if 0 <= lines <= len(raw) and digest(raw[:lines]) == told:
                return snapshot
    return None


def digest(raw: Iterable[bytes]) -> str:
    """Of lines of the log, whatever ends them."""
    return hashlib.sha256(b"\n".join(line.strip() for line in raw)).hexdigest()


def _read(book: Book, number: int) -> tuple[int, str, Snapshot] | None:
    """What cannot be read, or is not as it was written, is not there: the log itself tells all."""
    try:
        document = book.own(layout.snapshot(number))
    except Problem:
        return None
    found = document if isinstance(document, dict) and seal.holds(document) else {}
    lines, skipped = integer(found.get("lines")), integer(found.get("skipped"))
    told, state, resolved = (found.get(key) for key in ("log_sha256", "state", "resolved"))
    if lines is None or skipped is None or not isinstance(told, str):
        return None
    if not isinstance(state, dict) or not isinstance(resolved, list):
        return None
    return lines, told, Snapshot(lines, state, frozenset(map(str, resolved)), skipped)
