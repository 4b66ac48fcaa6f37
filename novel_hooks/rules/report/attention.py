"""The most urgent points of the report, at most five, each with the next action. Pure.

Their order: decisions that wait for the author, damage that grows with time, faults that a reader would
notice.
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Iterator, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.rules.outline.storyline import LONGEST_GAP
from novel_hooks.rules.report import habit_rates, threads
from novel_hooks.rules.report.phrases import LEAST
from novel_hooks.rules.review import trend
from novel_hooks.rules.steps import menu
from novel_hooks.rules.text import excerpt, typed_words

LINES = 5
RECENT = 10
_NAMES = 3
_LONG = 24
_MANY_REPEATS = 3
_RISE = 2.0
"""A habit that comes this many times as often in the last chapters as before is told."""


def first_lines(data: Mapping[str, Any], backlog: Sequence[Problem] = ()) -> list[dict[str, Any]]:
    """Return at most `LINES` of `{kind, text, how}`: the point, and the author's next action.

    `backlog`: adopted chapters are not recorded yet.
    """
    urgent = [line for part in (_waiting, _edited) for line in part(data)]
    urgent += [_line("backlog", str(one), one.diagnostic().fix) for one in backlog]
    later = (_late_threads, _low_scores, _storylines, _lengths, _habits, _repeats)
    return [*urgent, *(line for part in later for line in part(data))][:LINES]


def _line(kind: str, text: str, how: str) -> dict[str, Any]:
    return {"kind": kind, "text": text, "how": how}


def _waiting(data: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    waits = data["waiting"]
    if waits is not None and waits["stop"]:
        yield _line("waiting", f"在等你决定：{waits['reason']}。", f"输入 {waits['skill']} 回答。")
    for one in data["failures"]:
        if not one["stopped"]:
            yield _line(
                "failure",
                f"「{one['name'] or '一步'}」没有做成：{one['reason'] or '原因没有记下'}",
                f"接着写时会重做：{menu.CONTINUE}。",
            )


def _edited(data: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    chapters = data["edited"]
    if chapters:
        yield _line(
            "edited",
            f"第 {typed_words.number_list(chapters)} 章入库后手改过，故事状态还照旧文记着。",
            f"输入 {menu.START}，选「{menu.SYNC.label}」。",
        )


def _late_threads(data: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    late = [one for one in data["threads"] if one["state"] in (threads.OVERDUE, threads.DUE)]
    if late:
        named = [
            f"{excerpt.shorten(one['description'], _LONG)}（最迟第 {one['window'][1]} 章）" for one in late
        ]
        shown = excerpt.join_first(named, _NAMES, "条")
        yield _line(
            "threads", f"该收没收的伏笔：{shown}。", "规划下一卷时排上，不收了就 `novel foreshadow drop`。"
        )


def _low_scores(data: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    rows = data["chapters"][-RECENT:]
    scored = [{**row, "force_passed": row["forced"]} for row in rows]
    low = trend.low_chapters(scored, data["bands"]["polish"])
    if low:
        worst = min(low, key=lambda one: (one["overall"] is None, one["overall"] or 0.0))
        score = worst["overall"]
        lowest = "" if score is None else f"，最低是第 {worst['chapter']} 章 {trend.score_text(score)}"
        numbers = typed_words.number_list(one["chapter"] for one in low)
        yield _line(
            "scores",
            f"近 {len(rows)} 章里第 {numbers} 章偏低或勉强放行{lowest}。",
            f"`novel log {worst['chapter']}` 看评语；想重写就输入 {menu.START} 退回。",
        )
    half = trend.HALF
    now, before = trend.mean_score(rows[-half:]), trend.mean_score(rows[:-half])
    if now is not None and before is not None and trend.score_direction(now, before) == trend.DOWN:
        yield _line(
            "trend",
            f"均分在下降：近 {half} 章 {now:.2f}，之前 {before:.2f}。",
            "看看「八维」里哪一维掉得多。",
        )


def _storylines(data: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    last = data["chapters"][-1]["chapter"] if data["chapters"] else 0
    late = [
        one
        for one in data["storylines"]
        if one["awake"] and one["last"] is not None and last - one["last"] >= LONGEST_GAP
    ]
    if late:
        shown = "、".join(f"{one['name']}（上次第 {one['last']} 章）" for one in late[:_NAMES])
        yield _line("storylines", f"久未露面的故事线：{shown}。", "排进后面几章，或在下一卷里让它休眠。")


def _lengths(data: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    least, most = data["chapter_chars"]
    odd = [
        row["chapter"]
        for row in data["chapters"][-RECENT:]
        if row["chars"] is not None and not least <= row["chars"] <= most
    ]
    if odd:
        yield _line(
            "lengths",
            f"近章里第 {typed_words.number_list(odd)} 章不在 {least}～{most} 字之间。",
            "要是想要的字数变了：`novel config 一章字数 下限 上限`。",
        )


def _habits(data: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    rows: Sequence[Mapping[str, Any]] = [row for row in data["chapters"] if row["habits"] is not None]
    now, before = rows[-RECENT:], rows[:-RECENT]
    for place, kind in enumerate(data["habit_kinds"]):
        if before and kind != habit_rates.REPEATED:
            lately = sum(row["habits"][place] for row in now) / len(now)
            usual = sum(row["habits"][place] for row in before) / len(before)
            if lately >= 1 and lately >= usual * _RISE:
                yield _line(
                    "habits",
                    f"「{kind}」多起来了：近 {len(now)} 章每千字 {lately:.1f} 处，之前 {usual:.1f} 处。",
                    "`novel lint 章号` 看是哪些句子。",
                )


def _repeats(data: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    often = [one for one in data["repeats"] if one["count"] >= _MANY_REPEATS]
    if often:
        yield _line(
            "repeats",
            f"有 {len(often)} 句（{LEAST} 字以上）在三章以上重复，最多的一句在 {often[0]['count']} 章里。",
            "见下面「重复的句子」；有意为之的不必理会。",
        )
