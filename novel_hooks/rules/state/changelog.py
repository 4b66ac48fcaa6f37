"""The change log: one line per commit, enough to rebuild the state and the foreshadowing from nothing.

Source: protocol §1 (changelog) and §4 (skip-delta).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any
from collections import deque

from novel_hooks import errors, layout
from novel_hooks.record import Record
from novel_hooks.rules.state import delta
from novel_hooks.rules.text.json_values import integer

SKIPS_UNTIL_ADVICE = 3
"""From the third skipped delta on `status` advises a rebuild."""


class ForeshadowOps(Record):
    """What one line tells of foreshadowing."""

    chapter: int
    storyline_id: str | None
    ops: list[dict[str, Any]]


def log_line(
    ts: str,
    chapter: int,
    storyline_id: str | None,
    base: int,
    version: int,
    applied: Sequence[Mapping[str, Any]],
    dropped: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """The line of a commit: state version `base` became `version`; `ts` ISO-8601; see `delta.Applied`."""
    return {
        "ts": ts,
        "chapter": chapter,
        "storyline_id": storyline_id,
        "base_state_version": base,
        "state_version": version,
        "ops": list(applied),
        "dropped": list(dropped),
    }


def skipped_line(
    ts: str, chapter: int, storyline_id: str | None, version: int, reason: str
) -> dict[str, Any]:
    """The line of a commit whose delta the author skipped: the version stays."""
    return {
        **log_line(ts, chapter, storyline_id, version, version, [], []),
        "skipped": True,
        "reason": reason,
    }


def skipped_chapters(lines: Iterable[Mapping[str, Any]]) -> list[int]:
    """The chapters whose delta was skipped, in the order of the log."""
    return [one["chapter"] for one in lines if one.get("skipped") is True]


def replay(lines: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The state after all `lines`, built from the skeleton. Raises as `states`."""
    return deque(states(lines), maxlen=1).pop()


def states(lines: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The state before the first of `lines` and after each, built from the skeleton.

    Raises ChangelogBroken (line counted from 1) where a line does not continue the one before it, or where
    an op that it says was applied cannot be.
    """
    state, resolved = delta.empty_state(), set[str]()
    yield state
    for number, one in enumerate(lines, start=1):
        if one.get("skipped") is True:
            _check_continues(one, state, number, step=0)
        else:
            _check_continues(one, state, number, step=1)
            step = delta.apply(state, {"chapter": one["chapter"], "ops": one["ops"]}, resolved=resolved)
            if step.dropped:
                raise broken_line(
                    number, f"记为已生效的变更无法生效：{step.dropped[0]['reason']}", one["chapter"]
                )
            state, resolved = step.state, resolved | _resolved_by(one["ops"])
        yield state


def resolved_ids(lines: Iterable[Mapping[str, Any]]) -> set[str]:
    """The ids that some line resolved, for `delta.apply`: what the log alone tells."""
    return {name for one in lines for name in _resolved_by(one.get("ops"))}


def foreshadow_ops(lines: Iterable[Mapping[str, Any]], after: int = 0) -> list[ForeshadowOps]:
    """The foreshadow ops of the chapters behind `after`, in chapter order, to catch a merge up."""
    told = [
        ForeshadowOps(
            one["chapter"], one.get("storyline_id"), [op for op in one["ops"] if op.get("op") == "foreshadow"]
        )
        for one in lines
        if one["chapter"] > after
    ]
    return sorted((entry for entry in told if entry.ops), key=lambda entry: entry.chapter)


def _resolved_by(ops: Any) -> set[str]:
    listed = ops if isinstance(ops, list) else []
    return {op["path"] for op in listed if op.get("op") == "foreshadow" and op.get("value") == "resolved"}


def _check_continues(one: Mapping[str, Any], state: Mapping[str, Any], number: int, *, step: int) -> None:
    version = state["state_version"]
    if integer(one.get("chapter")) is None or not isinstance(one.get("ops"), list):
        raise broken_line(number, "缺少章号或变更列表", integer(one.get("chapter")))
    if one.get("base_state_version") != version or one.get("state_version") != version + step:
        told = f"{one.get('base_state_version')} → {one.get('state_version')}"
        told = f"版本应是 {version} → {version + step}，写的是 {told}"
        raise broken_line(number, told, integer(one.get("chapter")))


def broken_line(number: int, detail: str, chapter: int | None = None) -> errors.ChangelogBroken:
    """The refusal; `chapter` when it is one whose line can be made anew, or taken back."""
    how = ""
    if chapter:
        how = f"没有备份时，运行 `novel sync {chapter}` 照正文重新记一遍，正文不动；"
        how += f"或者 `novel rollback {chapter - 1}`，退回这一章之前。"
    return errors.ChangelogBroken(layout.CHANGELOG, line=number, detail=detail, how=how)
