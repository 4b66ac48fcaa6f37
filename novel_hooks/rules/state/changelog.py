"""The change log: one line a commit, from which state and foreshadowing can be rebuilt.

Source: protocol §1 (changelog) and §4 (skip-delta).
"""

from __future__ import annotations

from collections import deque

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Iterable, Iterator, Mapping, Sequence
from novel_hooks.record import Record
from novel_hooks.rules.state import delta, operations
from novel_hooks.rules.text.json_values import deep_copy, integer, objects


class ForeshadowOps(Record):
    """The foreshadow ops of one line of the change log."""

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
    """Return the line of a commit that took the state from version `base` to `version`.

    `ts` is ISO-8601. `applied` and `dropped` are those of `delta.Applied`.
    """
    return {
        "ts": ts,
        "chapter": chapter,
        "storyline_id": storyline_id,
        "base_state_version": base,
        "state_version": version,
        "ops": list(applied),
        "dropped": list(dropped),
    }


def setup_line(ts: str, ops: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the first line of a log, of chapter 0: what the cards tell as the book is set up."""
    return log_line(ts, 0, None, 0, 1, ops, [])


def skipped_line(
    ts: str, chapter: int, storyline_id: str | None, version: int, reason: str
) -> dict[str, Any]:
    """Return the line of a commit whose delta the author skipped: the version stays the same."""
    return {
        **log_line(ts, chapter, storyline_id, version, version, [], []),
        "skipped": True,
        "reason": reason,
    }


def skipped_chapters(lines: Iterable[Mapping[str, Any]]) -> list[int]:
    """Return the chapters whose delta was skipped, in the order of the log."""
    return [one["chapter"] for one in lines if one.get("skipped") is True]


def replay(lines: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the state after all `lines`, built from the empty state. Raises as `states`."""
    return deque(_growing_state(lines), maxlen=1).pop()


def states(lines: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the state before the first of `lines` and after each, built from the empty state.

    Raises ChangelogBroken, its line counted from 1, when a line does not continue the one before it, or when
    one of its ops cannot be applied.
    """
    for state in _growing_state(lines):
        copied = deep_copy(state)
        assert isinstance(copied, dict)
        yield copied


def _growing_state(lines: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield what `states` does, each time as the same object: a copy for each line would cost the most."""
    run = operations.Run(delta.empty_state(), set())
    state = run.state
    yield state
    for number, one in enumerate(lines, start=1):
        step = 0 if one.get("skipped") is True else 1
        _check_continues(one, state, number, step=step)
        if step:
            for op in one["ops"]:
                run.take(op)
            if run.dropped:
                raise broken_line(number, "not applied", one["chapter"], reason=run.dropped[0]["reason"])
            state["state_version"] += 1
            state["last_updated_chapter"] = max(state["last_updated_chapter"], one["chapter"])
        yield state


def resolved_ids(lines: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the ids of the foreshadowing that these lines resolve, as `delta.apply` takes them."""
    ops = (op for one in lines for op in objects(one.get("ops")))
    return {op["path"] for op in ops if op.get("op") == "foreshadow" and op.get("value") == "resolved"}


def foreshadow_ops(lines: Iterable[Mapping[str, Any]]) -> list[ForeshadowOps]:
    """Return the foreshadow ops of the chapters, in chapter order; no entry without ops."""
    entries = [
        ForeshadowOps(
            one["chapter"], one.get("storyline_id"), [op for op in one["ops"] if op.get("op") == "foreshadow"]
        )
        for one in lines
        if one["chapter"] > 0
    ]
    return sorted((entry for entry in entries if entry.ops), key=lambda entry: entry.chapter)


def _check_continues(one: Mapping[str, Any], state: Mapping[str, Any], number: int, *, step: int) -> None:
    version, chapter = state["state_version"], integer(one.get("chapter"))
    if chapter is None or not isinstance(one.get("ops"), list):
        raise broken_line(number, "no list", chapter)
    base, after = one.get("base_state_version"), one.get("state_version")
    if (base, after) != (version, version + step):
        ends = {"version": version, "next": version + step, "base": base, "after": after}
        raise broken_line(number, "versions", chapter, **ends)


def broken_line(number: int, case: str, redo: int | None = None, **values: object) -> errors.ChangelogBroken:
    """Return the refusal of a line of the change log, counted from 1.

    `redo` is the line's chapter when it can be recorded anew or rolled back; None gives no such advice.
    """
    return errors.ChangelogBroken(layout.CHANGELOG, case, redo, line=number, **values)
