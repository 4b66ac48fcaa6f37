"""Doctor on the story's memory: change log, state, foreshadowing, unknown entities. Reads only.

Source: protocol §1, §4; seed 002.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Iterator, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.book import foreshadowing, logs
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.inventory import lost_inputs
from novel_hooks.flows.landing import foreshadowing_merge
from novel_hooks.flows.review import shown_names
from novel_hooks.rules.state import changelog, consistency, foreshadowing_consistency, operations
from novel_hooks.rules.text import excerpt
from novel_hooks.store.formats import logtail
from novel_hooks.store.schema import schema

SECTIONS = (*operations.SECTIONS, "active_foreshadowing")
LOGS = (layout.CHANGELOG, layout.UNKNOWN_ENTITIES)
_MOST = 20
_MOST_SLUGS = 6


def tail_problems(book: Book) -> Iterator[Problem]:
    """Check the ends of the logs. The guard appends to the audit log, and nobody mends it."""
    for path in LOGS:
        kind = logtail.log_tail(book.project.read(path) or b"", path).kind
        if kind == logtail.CUT:
            yield errors.LogTailBroken(path)
        elif kind == logtail.OPEN:
            yield errors.LogTailOpen(path)


def _is_cut(book: Book, path: str) -> bool:
    """Does the log end in half a line?"""
    return logtail.log_tail(book.read(path) or b"", path).kind == logtail.CUT


def log_lines(book: Book) -> list[dict[str, Any]]:
    """Return the whole change log; [] when it is broken, which `log_problems` reports."""
    return attempt(lambda: logs.lines(book, layout.CHANGELOG))[0] or []


def log_problems(book: Book, last: int) -> Iterator[Problem]:
    """Check that the change log's lines are legal, in order and joined; `tail_problems` checks its end."""
    if _is_cut(book, layout.CHANGELOG):
        return
    found = logs.lines(book, layout.CHANGELOG)
    yield from _schema_problems(found, "changelog-line", layout.CHANGELOG)
    yield from consistency.log_problems(found, last, book.adoption().last)
    skipped = changelog.skipped_chapters(found)
    if skipped:
        listed = consistency.ranges(skipped)
        yield errors.DeltasSkipped(layout.CHANGELOG, chapters=listed, first=min(skipped))


def _schema_problems(found: Sequence[Mapping[str, Any]], name: str, path: str) -> list[Problem]:
    problems: list[Problem] = []
    for number, line in enumerate(found, start=1):
        told = schema.problems(name, line, path) if len(problems) < _MOST else []
        problems += [
            errors.OwnFileDamaged(path, "line", line=number, fault=f"{p.values['where']} {p.values['fault']}")
            for p in told
        ]
    return problems


def state_problems(book: Book, last: int) -> Iterator[Problem]:
    """Check that the state fits its schema and is as the log makes it. A faulty log shows nothing."""
    found = _read_state(book)
    if isinstance(found, Problem):
        yield found
    told = replayed_state(book, last)
    if told is None or isinstance(found, Problem):
        return
    if found is None:
        if told["state_version"]:
            yield errors.StateDiffers(layout.STATE, case="gone")
        return
    places = consistency.state_differences(told, found)
    if places:
        yield errors.StateDiffers(layout.STATE, "places", places=shown_names.state_places(book, places))


def _read_state(book: Book) -> Any:
    """Return the state's document, None when absent, or its fault as one that the log can mend."""
    try:
        return book.document(layout.STATE, "current-state", own=True)
    except errors.NotAFolder:
        raise
    except errors.LayoutNewer as newer:
        return newer
    except Problem as fault:
        return errors.StateDiffers(layout.STATE, case="unreadable", fault=fault)


def replayed_state(book: Book, last: int) -> dict[str, Any] | None:
    """Return the state that a sound log makes; None when `log_problems` has found a fault.

    Raises ChangelogBroken for a sound log whose ops cannot be applied.
    """
    if _is_cut(book, layout.CHANGELOG):
        return None
    found, data = log_lines(book), book.read(layout.CHANGELOG) or b""
    if (data.strip() and not found) or consistency.log_problems(found, last, book.adoption().last):
        return None
    return changelog.replay(found)


def foreshadowing_problems(book: Book, last: int) -> Iterator[Problem]:
    """Check foreshadowing by its schema, by itself, and against the log."""
    items = foreshadowing.facts(book)
    yield from foreshadowing_consistency.problems(items, last)
    waiting = foreshadowing_merge.waiting_chapters(book)
    if waiting:
        yield errors.ThreadsWaiting(layout.FORESHADOWING, chapters=consistency.ranges(waiting))
    lost = list(lost_inputs.foreshadowing_problems(book))
    yield from lost
    if lost:
        return
    told = [line for line in log_lines(book) if isinstance(line.get("ops"), list)]
    yield from foreshadowing_consistency.unmerged_problems(items, told, waiting)


def memory_problems(book: Book) -> Iterator[Problem]:
    """Find the lost memories of storylines that have a landed chapter."""
    told = {line.get("storyline_id") for line in log_lines(book)}
    for storyline in sorted(one for one in told if isinstance(one, str) and layout.SLUG.match(one)):
        yield from lost_inputs.lost_memory_problems(book, storyline)


def cast_problems(book: Book) -> Iterator[Problem]:
    """Find people in the state who have no card."""
    found, faults = attempt(lambda: book.document(layout.STATE, "current-state", own=True))
    if faults:
        return
    names = set(book.project.names(layout.CHARACTERS))
    missing = [slug for slug in sorted((found or {}).get("characters") or {}) if f"{slug}.json" not in names]
    if missing:
        shown = excerpt.first_of([f"「{slug}」" for slug in missing], _MOST_SLUGS)
        yield errors.CardsMissing(layout.CHARACTERS, count=len(missing), slugs=shown)


def entity_log_problems(book: Book, last: int) -> Iterator[Problem]:
    """Check that every line of the unknown-entities log is readable and of a landed chapter."""
    path = layout.UNKNOWN_ENTITIES
    if _is_cut(book, path):
        return
    found = logs.lines(book, path)
    yield from _schema_problems(found, "unknown-entity-line", path)
    late = [at for at in (line.get("chapter") for line in found) if isinstance(at, int) and at > last]
    if late:
        yield errors.OwnFileDamaged(path, "chapters ahead", chapters=consistency.ranges(late), last=last)
