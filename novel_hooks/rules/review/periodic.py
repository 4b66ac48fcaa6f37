"""The reviews after every fifth and every tenth chapter, as facts and as sentences. Pure.

Source: seed 000 Step 4.
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Iterable, Mapping, Sequence
from novel_hooks.rules.evaluation.gate_entry import FORCED
from novel_hooks.rules.evaluation.score import DIMENSIONS
from novel_hooks.rules.review import trend
from novel_hooks.rules.text import excerpt
from novel_hooks.rules.text.json_values import mapping, number, text

BRIEF_EVERY, CONSISTENCY_EVERY = 5, 10
_SHOWN = 6
_FLAGS = 3
_MANY_ROUNDS = 2
_WEAK_BELOW = 3.5


def is_brief_due(chapter: int) -> bool:
    """Tell whether the quality brief follows this chapter."""
    return chapter > 0 and chapter % BRIEF_EVERY == 0


def is_consistency_due(chapter: int) -> bool:
    """Tell whether the reminder of consistency follows this chapter."""
    return chapter > 0 and chapter % CONSISTENCY_EVERY == 0


def quality_brief(
    rows: Sequence[Mapping[str, Any]],
    before: float | None,
    evaluations: Sequence[Mapping[str, Any]],
    line: float,
) -> dict[str, Any]:
    """Summarize the last chapters as `{from_chapter, to_chapter, average, low[], weakest, risks[]}`.

    `before` is the average of the chapters in front of them, `line` the score below which a chapter is low.
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
    """Find the dimension with the lowest average, `{dimension, title, average}`; None without scores.

    Of equal ones the first in the order of `DIMENSIONS`.
    """
    scores_by_name: dict[str, list[float]] = {name: [] for name in DIMENSIONS}
    for document in evaluations:
        for name, entry in mapping(document.get("scores")).items():
            found = number(entry.get("score")) if isinstance(entry, dict) else None
            if name in scores_by_name and found is not None:
                scores_by_name[name].append(found)
    means = {name: round(sum(found) / len(found), 2) for name, found in scores_by_name.items() if found}
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
    """List the risks as Chinese clauses: first those of the numbers, then the judges' newest flags."""
    chapters = list(rows)
    found = ["均分在下降"] if direction == trend.DOWN else []
    forced = [row["chapter"] for row in chapters if row["force_passed"]]
    rounds = [row["chapter"] for row in chapters if (row["revisions"] or 0) >= _MANY_ROUNDS]
    if forced:
        found.append(f"{FORCED}：{_chapters_text(forced)}")
    if rounds:
        found.append(f"修订了两轮以上：{_chapters_text(rounds)}")
    if weakest and weakest["average"] < _WEAK_BELOW:
        found.append(f"最弱的一维是{weakest['title']}（平均 {weakest['average']:.2f}）")
    return [*found, *_flag_lines(evaluations)]


def _flag_lines(evaluations: Iterable[Mapping[str, Any]]) -> list[str]:
    newest: dict[str, None] = {}
    for document in reversed(list(evaluations)):
        flags = document.get("risk_flags")
        for flag in flags if isinstance(flags, list) else []:
            words = text(flag)
            if words:
                newest.setdefault(excerpt.shorten(words, trend.LONG))
    return [f"评审提到：{flag}" for flag in list(newest)[:_FLAGS]]


def consistency_facts(
    unknown: Sequence[str] | None,
    overdue: Sequence[Mapping[str, Any]] | None,
    lines: Iterable[Mapping[str, Any]] | None,
) -> dict[str, Any]:
    """Select what the author should check: `{unknown_entities[], overdue[], storylines[]}`.

    `overdue` are `{id, description, due}`, `storylines` the late ones as `{id, name}`; `lines` are those of
    `trend.storyline_presence`. A part that could not be read is None, as argument and in the result;
    storylines are None also when one of them is unsure.
    """
    presences = None if lines is None else list(lines)
    unsure = presences is None or any(one["unsure"] for one in presences)
    late = None if unsure or presences is None else [one for one in presences if one["late"]]
    return {
        "unknown_entities": None if unknown is None else list(unknown),
        "overdue": _select_keys(overdue, ("id", "description", "due")),
        "storylines": _select_keys(late, ("id", "name")),
    }


def _select_keys(
    rows: Sequence[Mapping[str, Any]] | None, keys: Sequence[str]
) -> list[dict[str, Any]] | None:
    return None if rows is None else [{key: row[key] for key in keys} for row in rows]


def brief_text(brief: Mapping[str, Any]) -> list[str]:
    """Describe a `quality_brief` to the author, as lines."""
    span = f"第 {brief['from_chapter']}-{brief['to_chapter']} 章"
    average = "没有评分" if brief["average"] is None else f"均分 {brief['average']:.2f}"
    lines = [f"质量简报：{span}{average}，{trend.low_text(brief['low'])}"]
    lines += [f"  · {risk}" for risk in brief["risks"]] or ["  · 没有看到明显的风险"]
    return [*lines, "  想看看方向、改改路子，随时可以叫停。"]


def consistency_text(facts: Mapping[str, Any]) -> list[str]:
    """Describe `consistency_facts` to the author, as lines; a part that is None could not be read."""
    lines = ["该回头核对一遍前后是否一致了（人物、时间、伏笔）："]
    lines += _part_lines("还没有登记的名字", facts["unknown_entities"], str)
    lines += _part_lines("过了期还没收的伏笔", facts["overdue"], trend.thread_text)
    lines += _part_lines(
        f"近 {trend.WINDOW} 章没出现的故事线", facts["storylines"], lambda line: str(line["name"])
    )
    return lines


def _part_lines(title: str, found: Any, shown: Any) -> list[str]:
    if found is None:
        return [f"  · {title}：读不出来，请运行 `novel doctor`"]
    if not found:
        return [f"  · {title}：没有"]
    return [f"  · {title}：{excerpt.join_first([*map(shown, found)], _SHOWN, '个')}"]


def _chapters_text(numbers: Iterable[int]) -> str:
    return "、".join(f"第 {number} 章" for number in numbers)
