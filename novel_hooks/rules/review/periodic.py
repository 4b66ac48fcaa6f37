"""The looks back after every fifth and every tenth chapter, as facts and as sentences. Pure.

Source: seed 000 Step 4.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any
from novel_hooks.rules.evaluation.verdict_fields import DIMENSIONS
from novel_hooks.rules.review import trend
from novel_hooks.rules.text.json_values import number, text

BRIEF_EVERY, CONSISTENCY_EVERY = 5, 10
_SHOWN = 6
_FLAGS = 3
_LONG = 60
_MANY_ROUNDS = 2
_WEAK_BELOW = 3.5
_DIRECTIONS = {trend.UP: "在上升", trend.DOWN: "在下降", trend.LEVEL: "持平"}


def is_brief_due(chapter: int) -> bool:
    return chapter > 0 and chapter % BRIEF_EVERY == 0


def is_consistency_due(chapter: int) -> bool:
    return chapter > 0 and chapter % CONSISTENCY_EVERY == 0


def quality_brief(
    rows: Sequence[Mapping[str, Any]],
    before: float | None,
    evaluations: Sequence[Mapping[str, Any]],
    line: float,
) -> dict[str, Any]:
    """`{from_chapter, to_chapter, average, low[], weakest, risks[]}` of the last chapters.

    `before` is the average of those in front of them, `line` the score below which a chapter is low.
    """
    average = trend.mean_score(rows)
    weakest = weakest_dimension(evaluations)
    return {
        "from_chapter": rows[0]["chapter"] if rows else None,
        "to_chapter": rows[-1]["chapter"] if rows else None,
        "average": average,
        "low": trend.low_chapters(rows, line),
        "weakest": weakest,
        "risks": risks(rows, trend.score_direction(average, before), weakest, evaluations),
    }


def weakest_dimension(evaluations: Iterable[Mapping[str, Any]]) -> dict[str, Any] | None:
    """`{dimension, title, average}` of the lowest of the eight scores; None without scores."""
    held: dict[str, list[float]] = {name: [] for name in DIMENSIONS}
    for document in evaluations:
        scores = document.get("scores")
        for name, entry in (scores if isinstance(scores, dict) else {}).items():
            found = number(entry.get("score")) if isinstance(entry, dict) else None
            if name in held and found is not None:
                held[name].append(found)
    means = {name: round(sum(found) / len(found), 2) for name, found in held.items() if found}
    if not means:
        return None
    name = min(means, key=lambda one: (means[one], list(DIMENSIONS).index(one)))
    return {"dimension": name, "title": DIMENSIONS[name], "average": means[name]}


def risks(
    rows: Iterable[Mapping[str, Any]],
    direction: str | None,
    weakest: Mapping[str, Any] | None,
    evaluations: Iterable[Mapping[str, Any]],
) -> list[str]:
    """Chinese sentences: what the numbers say first, then the newest of what the judges flagged."""
    listed = list(rows)
    found = ["均分在下降"] if direction == trend.DOWN else []
    forced = [row["chapter"] for row in listed if row["force_passed"]]
    rounds = [row["chapter"] for row in listed if (row["revisions"] or 0) >= _MANY_ROUNDS]
    if forced:
        found.append(f"次数用尽才放行：{_chapters_text(forced)}")
    if rounds:
        found.append(f"修订了两轮以上：{_chapters_text(rounds)}")
    if weakest and weakest["average"] < _WEAK_BELOW:
        found.append(f"最弱的一维是{weakest['title']}（平均 {weakest['average']:.2f}）")
    return [*found, *_flag_lines(evaluations)]


def _flag_lines(evaluations: Iterable[Mapping[str, Any]]) -> list[str]:
    told: dict[str, None] = {}
    for document in reversed(list(evaluations)):
        flags = document.get("risk_flags")
        for flag in flags if isinstance(flags, list) else []:
            said = text(flag)
            if said:
                told.setdefault(_shorten(said))
    return [f"评审提到：{flag}" for flag in list(told)[:_FLAGS]]


def consistency_facts(
    unknown: Sequence[str] | None,
    overdue: Sequence[Mapping[str, Any]] | None,
    lines: Iterable[Mapping[str, Any]] | None,
) -> dict[str, Any]:
    """`{unknown_entities[], overdue[{id, description, due}], storylines[{id, name}]}`: what to look at.

    A part that could not be read is None, in and out.
    """
    listed = None if lines is None else list(lines)
    unsure = listed is None or any(told["unsure"] for told in listed)
    late = None if unsure or listed is None else [told for told in listed if told["late"]]
    return {
        "unknown_entities": None if unknown is None else list(unknown),
        "overdue": _select_keys(overdue, ("id", "description", "due")),
        "storylines": _select_keys(late, ("id", "name")),
    }


def _select_keys(
    listed: Sequence[Mapping[str, Any]] | None, keys: Sequence[str]
) -> list[dict[str, Any]] | None:
    return None if listed is None else [{key: told[key] for key in keys} for told in listed]


def brief_text(told: Mapping[str, Any]) -> list[str]:
    span = f"第 {told['from_chapter']}-{told['to_chapter']} 章"
    average = "没有评分" if told["average"] is None else f"均分 {told['average']:.2f}"
    lines = [f"质量简报：{span}{average}，{_low_text(told['low'])}"]
    lines += [f"  · {risk}" for risk in told["risks"]] or ["  · 没有看到明显的风险"]
    return [*lines, "  想看看方向、改改路子，随时可以叫停。"]


def consistency_text(told: Mapping[str, Any]) -> list[str]:
    """A part that is None could not be read."""
    lines = ["该回头核对一遍前后是否一致了（人物、时间、伏笔）："]
    names = told["unknown_entities"]
    lines += _part_lines("还没有登记的名字", names, lambda name: str(name))
    lines += _part_lines("过了期还没收的伏笔", told["overdue"], thread_text)
    lines += _part_lines(
        f"近 {trend.WINDOW} 章没出现的故事线", told["storylines"], lambda line: str(line["name"])
    )
    return lines


def _part_lines(title: str, found: Any, shown: Any) -> list[str]:
    if found is None:
        return [f"  · {title}：读不出来，请运行 `novel doctor`"]
    if not found:
        return [f"  · {title}：没有"]
    more = f" 等 {len(found)} 个" if len(found) > _SHOWN else ""
    return [f"  · {title}：{'、'.join(shown(one) for one in found[:_SHOWN])}{more}"]


def trend_text(told: Mapping[str, Any]) -> str:
    """A trend as half a line; empty without a score."""
    if told["average"] is None:
        return ""
    count = min(trend.HALF, len(told["chapters"]))
    parts = [f"近 {count} 章均分 {told['average']:.2f}"]
    if told["direction"]:
        parts.append(f"之前 {told['before']:.2f}，{_DIRECTIONS[told['direction']]}")
    low = f"；{_low_text(told['low'])}" if told["low"] else ""
    return "，".join(parts) + low


def thread_text(told: Mapping[str, Any]) -> str:
    """`灯的数目（clue-001，最迟第 9 章收）`."""
    due = f"，最迟第 {told['due']} 章收" if told["due"] is not None else ""
    name = _shorten(told["description"])
    return f"{name}（{told['id']}{due}）" if name != told["id"] else f"{name}{due}"


def storyline_text(told: Mapping[str, Any]) -> str:
    if told["last_seen"]:
        return f"{told['name']} 第 {told['last_seen']} 章"
    if told["unsure"]:
        return f"{told['name']} 看不出（有的章记录读不出来）"
    return f"{told['name']} {f'近 {trend.WINDOW} 章没出现' if told['late'] else '还没出现'}"


def _low_text(listed: Iterable[Mapping[str, Any]]) -> str:
    shown = [
        f"第 {one['chapter']} 章" + ("" if one["overall"] is None else f" {trend.score_text(one['overall'])}")
        for one in listed
    ]
    return f"偏低：{'、'.join(shown)}" if shown else "没有偏低的章"


def _chapters_text(numbers: Iterable[int]) -> str:
    return "、".join(f"第 {number} 章" for number in numbers)


def _shorten(said: str) -> str:
    plain = " ".join(said.split())
    return plain if len(plain) <= _LONG else f"{plain[: _LONG - 1]}…"
