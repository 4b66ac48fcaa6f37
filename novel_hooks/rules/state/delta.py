"""A chapter's state delta: its faults against chapter and state, and the state after it.

Source: protocol §4 and §1 (state, delta); seed 000 Step 3.6. A single op is the work of
`rules.state.operations`.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Collection, Iterator, Mapping
from novel_hooks.errors import Problem
from novel_hooks.record import Record
from novel_hooks.rules.state import operations
from novel_hooks.rules.text.json_values import deep_copy, integer, same, text

Fault = tuple[str, str, Mapping[str, object]]


class Applied(Record):
    """The state after a delta, with the applied and the dropped ops in order.

    `dropped` holds `{op, reason}`, `reason` in Chinese. `changed` is false when only version and chapter
    moved.
    """

    state: dict[str, Any]
    ops: list[dict[str, Any]]
    dropped: list[dict[str, Any]]
    changed: bool


def empty_state() -> dict[str, Any]:
    """Return the state of a book before its first chapter: version 0, every section empty."""
    return {
        "schema_version": 1,
        "state_version": 0,
        "last_updated_chapter": 0,
        "characters": {},
        "items": {},
        "locations": {},
        "factions": {},
        "world_state": {},
        "active_foreshadowing": [],
    }


def is_skipped(delta: object) -> bool:
    """Tell whether the delta is the stub `{chapter, skipped: true, reason}` of a skip-delta."""
    return isinstance(delta, dict) and delta.get("skipped") is True


def problems(
    delta: object, chapter: int, state_version: int, storyline_id: str | None, path: str | None = None
) -> list[Problem]:
    """Return the reasons not to apply the delta to this chapter and state; [] when it may be applied.

    `storyline_id` None allows any. A bad op is no reason: `apply` drops it. `path` defaults to the delta's
    place in staging.
    """
    where = path or layout.staged(layout.delta(chapter))
    if not isinstance(delta, dict):
        return [errors.DeltaMismatch(where, case="no object", where="整份内容")]
    found: list[Fault] = [*_chapter_faults(delta, chapter)]
    if is_skipped(delta):
        found += [] if text(delta.get("reason")) else [("reason", "no reason", {})]
    else:
        found += [*_base_faults(delta, state_version, storyline_id), *_ops_faults(delta)]
    return [errors.DeltaMismatch(where, case, where=place, **values) for place, case, values in found]


def apply(
    state: Mapping[str, Any] | None,
    delta: Mapping[str, Any],
    *,
    resolved: Collection[str] = (),
    logged: bool = False,
) -> Applied:
    """Apply `delta` to a copy of `state` (None: the empty state) and return the result.

    `resolved` are the ids of foreshadowing that earlier chapters resolved; no op makes them active again.
    The `ops` that come out are plain (`rules.state.plain_ops`): those of the change log (`logged`) are
    applied as they are. A skipped stub changes nothing, any other delta raises the version by one. Raises
    StateBroken when the state has no version.
    """
    before = empty_state() if state is None else state
    version, last = _whole_number(before, "state_version"), _whole_number(before, "last_updated_chapter")
    after = deep_copy(dict(before))
    assert isinstance(after, dict)
    if is_skipped(delta):
        return Applied(after, [], [], False)
    from novel_hooks.rules.state import plain_ops  # `next` checks deltas and applies none

    run = operations.Run(after, set(resolved))
    listed = delta.get("ops")
    for op in listed if isinstance(listed, list) else ():
        run.take(op, None if logged else plain_ops.plain_ops)
    changed = not same(after, before)
    after["state_version"] = version + 1
    after["last_updated_chapter"] = max(last, delta["chapter"])
    return Applied(after, run.applied, run.dropped, changed)


def _whole_number(state: Mapping[str, Any], key: str) -> int:
    found = integer(state.get(key))
    if found is None and key == "last_updated_chapter":
        return 0
    if found is None or found < 0:
        raise errors.StateBroken(layout.STATE, where=key)
    return found


def _chapter_faults(delta: Mapping[str, Any], chapter: int) -> Iterator[Fault]:
    given = delta.get("chapter")
    if integer(given) != chapter:
        yield "chapter", "other chapter", {"wanted": chapter, "found": given}


def _base_faults(delta: Mapping[str, Any], state_version: int, storyline_id: str | None) -> Iterator[Fault]:
    base = delta.get("base_state_version")
    if integer(base) != state_version:
        yield "base_state_version", "other version", {"wanted": state_version, "found": base}
    line = delta.get("storyline_id")
    if storyline_id is not None and line is not None and line != storyline_id:
        yield "storyline_id", "other storyline", {"wanted": storyline_id, "found": line}


def _ops_faults(delta: Mapping[str, Any]) -> Iterator[Fault]:
    listed, quiet = delta.get("ops"), delta.get("no_change", False)
    if not isinstance(listed, list):
        yield "ops", "no list", {}
    elif not isinstance(quiet, bool):
        yield "no_change", "no boolean", {}
    elif quiet and listed:
        yield "no_change", "changes", {}
    elif not quiet and not listed:
        yield "no_change", "empty", {}
