"""The change log with one line replaced, and every later line replayed on it.

Source: protocol §4 and §5, ADR 0012. Versions are counted on from the replaced line, so that they join. An op
of a later chapter that no longer applies moves to its line's `dropped`. There it has `at`, its place among
the ops, and the next replacement tries it again.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Mapping, Sequence
from novel_hooks.record import Record
from novel_hooks.rules.state import changelog
from novel_hooks.rules.state import delta as deltas
from novel_hooks.rules.text.json_values import integer

Line = Mapping[str, Any]


class InvalidatedOp(Record):
    """An op of a later chapter that a replacement made inapplicable; `reason` is Chinese."""

    chapter: int
    op: dict[str, Any]
    reason: str


class Relogged(Record):
    """The log after a replacement: all lines in order, the last state, the ops newly set aside."""

    lines: list[dict[str, Any]]
    state: dict[str, Any]
    fallen: list[InvalidatedOp]


def line_index(lines: Sequence[Line], chapter: int) -> int:
    """Return the index of the chapter's one line. Raises SyncLogLine when there is none, or several."""
    found = [at for at, line in enumerate(lines) if integer(line.get("chapter")) == chapter]
    if len(found) != 1:
        case = "some lines" if lines else "no line"
        raise errors.SyncLogLine(layout.CHANGELOG, case=case, chapter=chapter, count=len(found))
    return found[0]


_STAND_IN = "lost"


def with_stand_in(
    lines: Sequence[Line], chapter: int, storyline_id: str | None, threads: Sequence[Mapping[str, Any]]
) -> list[Line]:
    """Return the log with a stand-in for a landed chapter's missing line.

    The stand-in changes nothing of the state. Its ops are `threads`, the foreshadow ops that the facts still
    record. The lines are returned unchanged when the chapter has one, or when the versions around the gap do
    not fit the number of missing chapters. Of several missing chapters one is recorded anew at a time; the
    later versions are then counted on.
    """
    if any(integer(line.get("chapter")) == chapter for line in lines):
        return list(lines)
    head = [line for line in lines if (integer(line.get("chapter")) or 0) < chapter]
    rest = list(lines[len(head) :])
    base = (integer(head[-1].get("state_version")) or 0) if head else 0
    missing = (integer(rest[0].get("chapter")) or 0) - 1 if rest else chapter
    missing -= (integer(head[-1].get("chapter")) or 0) if head else 0
    next_base = integer(rest[0].get("base_state_version")) if rest else base + 1
    if next_base is None or not base <= next_base <= base + missing:
        return list(lines)
    after = min(next_base, base + 1)
    gap = changelog.log_line("", chapter, storyline_id, base, after, threads, ())
    return [*head, {**gap, _STAND_IN: True, "skipped": after == base}, *rest]


def is_stand_in(line: Line) -> bool:
    """Tell whether `with_stand_in` made the line."""
    return _STAND_IN in line


def state_before(lines: Sequence[Line], chapter: int) -> dict[str, Any]:
    """Return the state as it was before the chapter landed. Raises ChangelogBroken, SyncLogLine."""
    return changelog.replay(lines[: line_index(lines, chapter)])


def replace_line(lines: Sequence[Line], chapter: int, line: Line) -> Relogged:
    """Return the log with `line` for the chapter's own, and every later line replayed.

    `line` is that of an applied or a skipped delta, with the base version of the line that it replaces.
    Raises ChangelogBroken, SyncLogLine.
    """
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
    """Replay a later line on another state: (state, line, ops newly set aside).

    Its ops, also those that an earlier replacement set aside, are tried in their first order.
    """
    base = state["state_version"]
    if line.get("skipped") is True:
        return state, {**line, "base_state_version": base, "state_version": base}, []
    aside, others = _dropped_ops(line)
    ops = list(line.get("ops") or ())
    for at, op in aside:
        ops.insert(at, op)
    step = deltas.apply(state, {"chapter": line["chapter"], "ops": ops}, resolved=resolved, logged=True)
    lost = _with_places(ops, step.dropped)
    renewed = {**line, "base_state_version": base, "state_version": base + 1, "ops": step.ops}
    if lost or others or "dropped" in line:
        renewed["dropped"] = [*others, *lost]
    known = [op for _, op in aside]
    fresh = [InvalidatedOp(line["chapter"], d["op"], d["reason"]) for d in lost if d["op"] not in known]
    return step.state, renewed, fresh


def _dropped_ops(line: Line) -> tuple[list[tuple[int, dict[str, Any]]], list[Any]]:
    """Split the `dropped` of a line: ops set aside by a replacement, by place; ops dropped at the landing."""
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
    """Return each dropped op with `at`, its place among `ops`; both are in the same order."""
    found: list[dict[str, Any]] = []
    start = 0
    for one in dropped:
        start = next(i for i in range(start, len(ops)) if ops[i] is one["op"]) + 1
        found.append({**one, "at": start - 1})
    return found


def op_subjects(ops: Sequence[Any]) -> set[str]:
    """Return the subjects of ops: `characters.shen-du`, or the id of a piece of foreshadowing."""
    found: set[str] = set()
    for op in ops:
        if isinstance(op, dict) and isinstance(op.get("path"), str):
            path = op["path"]
            found.add(path if op.get("op") == "foreshadow" else ".".join(path.split(".")[:2]))
    return found


def affected_chapters(
    lines: Sequence[Line], chapter: int, old: Sequence[Any], new: Sequence[Any]
) -> list[int]:
    """Return the later chapters that a replacement of ops may concern, in order.

    They are those of the same storyline, and those whose ops share a subject with the `old` or `new` ops.
    """
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
    """Tell whether no later chapter of the same storyline has landed."""
    at = line_index(lines, chapter)
    own = lines[at].get("storyline_id")
    return all(line.get("storyline_id") != own for line in lines[at + 1 :])
