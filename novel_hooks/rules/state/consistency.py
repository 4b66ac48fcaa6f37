"""Consistency of change log, state and landed chapters. Pure: facts in, problems out.

Source: protocol §1 (checkpoint, change log, state), §4, §5 (what a landing leaves).
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Iterable, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.rules.state.changelog import broken_line
from novel_hooks.rules.state.operations import author_place
from novel_hooks.rules.text import excerpt
from novel_hooks.rules.text.json_values import integer, same

_SHOWN = 5
_MOST = 20


def ranges(numbers: Iterable[int]) -> str:
    """Return numbers as ranges: `1, 2, 3, 7` → `1-3、7`; beyond eight of them `…、20 等 9 段`."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return excerpt.join_first([f"{a}" if a == b else f"{a}-{b}" for a, b in runs], 8, "段")


def log_problems(lines: Sequence[Mapping[str, Any]], last: int, adopted: int = 0) -> list[Problem]:
    """Return the faults of the change log by itself and against `last`, the last landed chapter.

    Chapters up to `adopted` were adopted, and may not have their lines yet.

    A log has one line a chapter, chapters that rise, versions that join, and a line for each landed chapter;
    a line of chapter 0, what the cards told at the setup, may stand before them. A line of a chapter after
    `last` is no fault here: `checkup` reports that chapter. At most 20 faults of lines are returned.
    """
    found: list[Problem] = []
    chapter, version = -1, 0
    for number, line in enumerate(lines, start=1):
        now, base, after = (integer(line.get(k)) for k in ("chapter", "base_state_version", "state_version"))
        if now is None or base is None or after is None:
            found.append(broken_line(number, "no version", now if now and now > chapter else None))
            continue
        if now <= chapter:
            case = "twice" if now == chapter else "behind"
            found.append(broken_line(number, case, chapter=now, before=chapter))
        step = 0 if line.get("skipped") is True else 1
        if (base, after) != (version, version + step):
            ends = {"version": version, "next": version + step, "base": base, "after": after}
            found.append(broken_line(number, "versions", now if now > chapter else None, **ends))
        chapter, version = max(chapter, now), after
    return [*found[:_MOST], *unlogged_problems(lines, last, adopted)]


def unlogged_problems(lines: Iterable[Mapping[str, Any]], last: int, adopted: int = 0) -> list[Problem]:
    """Return the landed chapters after `adopted` that have no line, as one problem; [] without any."""
    logged = {line.get("chapter") for line in lines}
    missing = [chapter for chapter in range(adopted + 1, last + 1) if chapter not in logged]
    if not missing:
        return []
    case, anew = "some lines" if logged else "no line", _sync_advice(missing)
    return [errors.ChaptersUnlogged(layout.CHANGELOG, case=case, chapters=ranges(missing), anew=anew)]


def _sync_advice(missing: Sequence[int]) -> str:
    """Advise to record up to five chapters anew, the first one first: each builds on the state before it."""
    if len(missing) > _SHOWN:
        return ""
    steps = "、".join(f"`novel sync {chapter}`" for chapter in missing)
    order = "按这个次序" if len(missing) > 1 else ""
    return f"没有备份时，{order}运行 {steps}，照正文重新记一遍，正文不动；每一章记完入了库再记下一章。"


def state_differences(replayed: Any, found: Any, place: str = "") -> list[str]:
    """Return the dotted paths, in order, at which the state `found` differs from the replayed one.

    States of different kinds differ at `整份内容`. `place` is where both stand in the whole state.
    """
    if isinstance(replayed, dict) and isinstance(found, dict):
        return [
            each
            for key in sorted({**replayed, **found})
            for each in state_differences(
                replayed.get(key, _ABSENT), found.get(key, _ABSENT), f"{place}.{key}" if place else key
            )
        ]
    return [] if replayed is found or same(replayed, found) else [place or "整份内容"]


_ABSENT = object()


def paths_text(places: Sequence[str], names: Mapping[str, str]) -> str:
    """Return the first five paths for the author: `「桑准」的所在、书里的时日`, with more ` 等 6 处`.

    `names` is id → name.
    """
    return excerpt.join_first([author_place(place, names) for place in places], _SHOWN, "处")
