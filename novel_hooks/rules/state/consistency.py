"""What must hold between the parts of a book. Pure: facts in, problems out.

Source: protocol §1 (checkpoint, change log, state), §4, §5 (what a landing leaves).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any
from novel_hooks import errors, layout
from novel_hooks.errors import Problem
from novel_hooks.rules.state.changelog import broken_line
from novel_hooks.rules.text.json_values import integer, same

_SHOWN = 5
_MOST = 20


def ranges(numbers: Iterable[int]) -> str:
    """`1, 2, 3, 7` → `1-3、7`; beyond eight pieces the rest is counted."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    shown = [f"{a}" if a == b else f"{a}-{b}" for a, b in runs[:8]]
    return "、".join(shown) + (f" 等 {len(runs)} 段" if len(runs) > 8 else "")


def log_problems(lines: Sequence[Mapping[str, Any]], last: int) -> list[Problem]:
    """The change log by itself and against `last`, the last landed chapter.

    One line a chapter, chapters rising, versions joined, no landed chapter left out. A line of a chapter
    behind `last` is no fault of the log (`checkup` tells of the chapter).
    """
    found: list[Problem] = []
    chapter, version = 0, 0
    for number, line in enumerate(lines, start=1):
        now, base, after = (integer(line.get(k)) for k in ("chapter", "base_state_version", "state_version"))
        if now is None or base is None or after is None:
            found.append(broken_line(number, "缺少章号或状态版本", now if now and now > chapter else None))
            continue
        if now <= chapter:
            told = f"第 {now} 章记了两次" if now == chapter else f"第 {now} 章排在第 {chapter} 章后面"
            found.append(broken_line(number, told))
        step = 0 if line.get("skipped") is True else 1
        if (base, after) != (version, version + step):
            told = f"版本应是 {version} → {version + step}，写的是 {base} → {after}"
            found.append(broken_line(number, told, now if now > chapter else None))
        chapter, version = max(chapter, now), after
    return [*found[:_MOST], *unlogged_problems(lines, last)]


def unlogged_problems(lines: Iterable[Mapping[str, Any]], last: int) -> list[Problem]:
    """Landed chapters without a line, as one problem."""
    told = {line.get("chapter") for line in lines}
    missing = [chapter for chapter in range(1, last + 1) if chapter not in told]
    if not missing:
        return []
    return [errors.ChaptersUnlogged(layout.CHANGELOG, chapters=ranges(missing), how=_sync_advice(missing))]


def _sync_advice(missing: Sequence[int]) -> str:
    """A few chapters can be told again from their texts, the first one first: each on the state before it."""
    if len(missing) > _SHOWN:
        return ""
    steps = "、".join(f"`novel sync {chapter}`" for chapter in missing)
    order = "按这个次序" if len(missing) > 1 else ""
    return f"没有备份时，{order}运行 {steps}，照正文重新记一遍，正文不动；每一章记完入了库再记下一章。"


def state_differences(told: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    """Where the state `found` is not what the change log has `told`, as dotted paths, in order."""
    return _differing_paths(told, found, "")


def paths_text(places: Sequence[str]) -> str:
    """The first five places, and how many there are."""
    more = f" 等 {len(places)} 处" if len(places) > _SHOWN else ""
    return "、".join(places[:_SHOWN]) + more


def _differing_paths(told: Any, found: Any, place: str) -> list[str]:
    if isinstance(told, dict) and isinstance(found, dict):
        keys = [*told, *(key for key in found if key not in told)]
        return [
            each
            for key in sorted(keys)
            for each in _differing_paths(
                told.get(key, _ABSENT), found.get(key, _ABSENT), f"{place}.{key}" if place else key
            )
        ]
    return [] if told is found or same(told, found) else [place or "整份内容"]


_ABSENT = object()
