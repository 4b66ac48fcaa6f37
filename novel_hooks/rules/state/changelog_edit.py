"""One line of the change log replaced, and what follows from it for every line behind.

Source: protocol §4 and §5, ADR 0012. Versions are counted on from the replaced line, so that they
join. An op of a later chapter that no longer applies is set aside in its line's `dropped`, with `at`, its
place among the ops, and is tried again at the next replacement.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    Line = Mapping[str, Any]
from novel_hooks import errors, layout
from novel_hooks.record import Record
from novel_hooks.rules.state import changelog
from novel_hooks.rules.state import delta as deltas
from novel_hooks.rules.text.json_values import integer


class InvalidatedOp(Record):
    """An op of a later chapter that the new line leaves without ground; `reason` is Chinese."""

    chapter: int
    op: dict[str, Any]
    reason: str


class Relogged(Record):
    """Every line as it is now, in order, and the state after the last one."""

    lines: list[dict[str, Any]]
    state: dict[str, Any]
    fallen: list[InvalidatedOp]


def line_index(lines: Sequence[Line], chapter: int) -> int:
    """The index of the chapter's one line. Raises SyncLogLine when there is none, or several."""
    found = [at for at, line in enumerate(lines) if integer(line.get("chapter")) == chapter]
    if len(found) != 1:
        raise errors.SyncLogLine(layout.CHANGELOG, chapter=chapter, count=len(found))
    return found[0]


_STAND_IN = "lost"


def with_stand_in(
    lines: Sequence[Line], chapter: int, storyline_id: str | None, threads: Sequence[Mapping[str, Any]]
) -> list[Line]:
    """The log with a line that does nothing to the state in the place of a landed chapter's lost one.

    `threads` are the foreshadow ops that the facts still tell of. The lines as they are when there is one, or
    when the versions around the gap do not fit the chapters that it lacks. Of several chapters each is told
    anew by itself; the versions behind it are counted on.
    """
    if any(integer(line.get("chapter")) == chapter for line in lines):
        return list(lines)
    head = [line for line in lines if (integer(line.get("chapter")) or 0) < chapter]
    rest = list(lines[len(head) :])
    base = (integer(head[-1].get("state_version")) or 0) if head else 0
    lost = (integer(rest[0].get("chapter")) or 0) - 1 if rest else chapter
    lost -= (integer(head[-1].get("chapter")) or 0) if head else 0
    found = integer(rest[0].get("base_state_version")) if rest else base + 1
    if found is None or not base <= found <= base + lost:
        return list(lines)
    after = min(found, base + 1)
    gap = changelog.log_line("", chapter, storyline_id, base, after, threads, ())
    return [*head, {**gap, _STAND_IN: True, "skipped": after == base}, *rest]


def is_stand_in(line: Line) -> bool:
    """Is it the line that `with_stand_in` put into a gap?"""
    return _STAND_IN in line


def state_before(lines: Sequence[Line], chapter: int) -> dict[str, Any]:
    """The state as it was before the chapter landed. Raises ChangelogBroken, SyncLogLine."""
    return changelog.replay(lines[: line_index(lines, chapter)])


def replace_line(lines: Sequence[Line], chapter: int, line: Line) -> Relogged:
    """The log with `line` (an applied or skipped delta, base version as it was) for the chapter's own."""
    at = line_index(lines, chapter)
    head = [dict(one) for one in lines[:at]]
    state = changelog.replay([*head, line])
    resolved = changelog.resolved_ids([*head, line])
    rest: list[dict[str, Any]] = []
    fallen: list[InvalidatedOp] = []
    for later in lines[at + 1 :]:
        state, renewed, lost = _reapply(later, state, resolved)
        resolved |= changelog.resolved_ids([renewed])
        rest.append(renewed)
        fallen += lost
    return Relogged([*head, dict(line), *rest], state, fallen)


def _reapply(
    line: Line, state: dict[str, Any], resolved: set[str]
) -> tuple[Any, dict[str, Any], list[InvalidatedOp]]:
    """A later line on another state: its ops tried again in their first order, versions counted on."""
    base = state["state_version"]
    if line.get("skipped") is True:
        return state, {**line, "base_state_version": base, "state_version": base}, []
    aside, others = _dropped_ops(line)
    ops = list(line.get("ops") or ())
    for at, op in aside:
        ops.insert(at, op)
    step = deltas.apply(state, {"chapter": line["chapter"], "ops": ops}, resolved=resolved)
    lost = _with_places(ops, step.dropped)
    renewed = {**line, "base_state_version": base, "state_version": base + 1, "ops": step.ops}
    if lost or others or "dropped" in line:
        renewed["dropped"] = [*others, *lost]
    known = [op for _, op in aside]
    fresh = [InvalidatedOp(line["chapter"], d["op"], d["reason"]) for d in lost if d["op"] not in known]
    return step.state, renewed, fresh


def _dropped_ops(line: Line) -> tuple[list[tuple[int, dict[str, Any]]], list[Any]]:
    """Ops that an earlier replacement set aside, by place; and what was dropped when the line was made."""
    aside: list[tuple[int, dict[str, Any]]] = []
    others: list[Any] = []
    for one in line.get("dropped") or ():
        at = integer(one.get("at")) if isinstance(one, dict) else None
        if at is None:
            others.append(one)
        else:
            aside.append((at, one["op"]))
    return sorted(aside, key=lambda pair: pair[0]), others


def _with_places(ops: Sequence[Any], dropped: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What was dropped, each with its place among `ops`; they come in the same order."""
    found: list[dict[str, Any]] = []
    start = 0
    for one in dropped:
        start = next(i for i in range(start, len(ops)) if ops[i] is one["op"]) + 1
        found.append({**one, "at": start - 1})
    return found


def op_subjects(ops: Sequence[Any]) -> set[str]:
    """What ops are about: `characters.shen-du`, or the id of a piece of foreshadowing."""
    found: set[str] = set()
    for op in ops:
        if isinstance(op, dict) and isinstance(op.get("path"), str):
            path = op["path"]
            found.add(path if op.get("op") == "foreshadow" else ".".join(path.split(".")[:2]))
    return found


def affected_chapters(
    lines: Sequence[Line], chapter: int, old: Sequence[Any], new: Sequence[Any]
) -> list[int]:
    """Later chapters of the same storyline, or whose ops are about what the old or new ops are about."""
    at = line_index(lines, chapter)
    storyline, about = lines[at].get("storyline_id"), op_subjects([*old, *new])
    return sorted(
        {
            line["chapter"]
            for line in lines[at + 1 :]
            if (storyline is not None and line.get("storyline_id") == storyline)
            or about & op_subjects(line.get("ops") or ())
        }
    )


def is_latest(lines: Sequence[Line], chapter: int) -> bool:
    """Is the chapter the last one of its storyline that landed?"""
    at = line_index(lines, chapter)
    own = lines[at].get("storyline_id")
    return all(line.get("storyline_id") != own for line in lines[at + 1 :])
