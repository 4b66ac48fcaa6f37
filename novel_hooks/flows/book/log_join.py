"""The join of checkpoint, change log and state, checked before anything is built on the state. Reads only.

Only the log's last line is read, so the cost is the same in a long book; doctor reads every line. Source:
protocol §1 (change log), §4, §5.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Mapping
from novel_hooks.errors import Problem, refuse
from novel_hooks.flows.book import logs
from novel_hooks.flows.book.book import Book
from novel_hooks.rules.text.json_values import integer


def problems(book: Book) -> list[Problem]:
    """Return the obstacles to the log's next line, as errors of exit 5; [] when there are none.

    Only chapters with a landed record must be in the log: another tool's chapters are not. Raises the faults
    of the checkpoint and of the state.
    """
    last = book.checkpoint().last
    try:
        line = logs.last_line(book)
    except Problem as fault:
        return [*fault.problems]
    recorded = last > 0 and book.project.has(layout.landed_record(last))
    if line is None and not recorded:
        return []
    line = line or {"chapter": 0, "state_version": 0}
    chapter, told = (integer(line.get(key)) for key in ("chapter", "state_version"))
    if chapter is None or told is None:
        return [errors.OwnFileDamaged(layout.CHANGELOG, case="last line")]
    if chapter > last:
        return [errors.LogBeyond(layout.CHANGELOG, chapter=chapter, last=last)]
    return [*(_lost_lines(chapter, last) if recorded else ()), *_version_problems(book, told)]


def _lost_lines(chapter: int, last: int) -> list[Problem]:
    """Tell of the chapters behind the last line's; asked where there are any."""
    if chapter == last:
        return []
    from novel_hooks.rules.state import consistency

    return consistency.unlogged_problems([{"chapter": chapter}] if chapter else (), last, chapter)


def _version_problems(book: Book, told: int) -> list[Problem]:
    version = book.state()["state_version"]
    if version == told:
        return []
    if version > told:
        case = "some lines" if told else "no line"
        return [errors.LogBehindState(layout.CHANGELOG, case=case, told=told, version=version)]
    case = "log without state" if book.project.kind(layout.STATE) == "absent" else "log ahead"
    return [errors.StateDiffers(layout.STATE, case=case, told=told, version=version)]


def checked_state(book: Book) -> Mapping[str, Any]:
    """Return the state when the change log's next line may follow it. Raises the obstacles (exit 5).

    A state that is replayed from the log needs no check.
    """
    refuse([] if book.replayed else problems(book))
    return book.state()
