"""The review as Markdown, in the author's words. Pure: the same document, the same text.

A part with nothing to report is one line; a part that could not be read says so.
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Iterable, Mapping
from novel_hooks.rules.cast.unknown_names import KINDS
from novel_hooks.rules.evaluation.gate_entry import FORCED
from novel_hooks.rules.outline.storyline import LONGEST_GAP, LONGEST_RUN
from novel_hooks.rules.review import continuity, volume_review
from novel_hooks.rules.state.consistency import ranges

OWN_WORDS = "## 作者的话"
_UNREAD = ["- 读不出来，见文末「没有读成的」。"]
_OBJECTIVES = {
    volume_review.MISSED: "没写到",
    volume_review.DOUBTED: "评审存疑",
    volume_review.UNCHECKED: "没有评到",
    volume_review.UNWRITTEN: "那一章还没写",
}
_ROLES = {"primary": "主线", "secondary": "副线", "seasoning": "点缀"}
_SOURCES = {
    continuity.PLACE: "人在哪里",
    continuity.JUDGE: "评审的疑点",
    continuity.LEAK: "串线",
    continuity.STATE: "状态没记上",
}
_BRIDGES = {"storyline": "故事线", "character": "人物", "foreshadowing": "伏笔"}


def markdown(review: Mapping[str, Any]) -> str:
    """Describe the document of `volume_review`, whole, a heading a part, ending in a line end."""
    parts = [(f"# 第 {review['volume']} 卷回顾", _head_lines(review))]
    for head, key, lines in _PARTS:
        parts.append((head, _UNREAD if review[key] is None else lines(review)))
    if review["unread"]:
        parts.append(("## 没有读成的", [f"- `{one['path']}`：{one['detail']}" for one in review["unread"]]))
    parts.append((OWN_WORDS, ["（下一卷想怎么走，写在这里；规划下一卷时会读到。）"]))
    return "\n\n".join("\n".join([head, "", *lines]) for head, lines in parts) + "\n"


def _head_lines(review: Mapping[str, Any]) -> list[str]:
    span = f"第 {review['first_chapter']} 章到第 {review['last_chapter']} 章"
    planned = review["last_chapter"] - review["first_chapter"] + 1
    chars = "" if review["chars"] is None else f"，共 {review['chars']} 字"
    return [f"{span}，计划 {planned} 章，写成 {review['written']} 章{chars}。"]


def _score_lines(review: Mapping[str, Any]) -> list[str]:
    scores = review["scores"]
    if scores["average"] is None:
        return ["- 还没有评分。"]
    lowest = scores["lowest"]
    lines = [f"- 均分 {scores['average']:.2f}，最低是第 {lowest['chapter']} 章 {lowest['overall']:.2f}。"]
    shown = [(one["chapter"], one["overall"]) for one in scores["low"]]
    low = [f"第 {chapter} 章" + ("" if score is None else f" {score:.2f}") for chapter, score in shown]
    lines.append(f"- 偏低的章：{'、'.join(low)}。" if low else "- 没有偏低的章。")
    if scores["forced"]:
        lines.append(f"- {FORCED}：第 {ranges(scores['forced'])} 章。")
    if scores["weakest"]:
        lines.append(f"- 最弱的一维是{scores['weakest']['title']}，平均 {scores['weakest']['average']:.2f}。")
    return lines


def _objective_lines(review: Mapping[str, Any]) -> list[str]:
    summary = review["objectives"]
    lines = [f"- 契约里共 {summary['total']} 条目标，达成 {summary['reached']} 条。"]
    for one in summary["open"]:
        must = "必达，" if one["required"] else ""
        what = f"{one['description'] or one['id']}（{must}{_OBJECTIVES[one['status']]}）"
        lines.append(f"- 第 {one['chapter']} 章：{what}")
    return lines


def _foreshadowing_lines(review: Mapping[str, Any]) -> list[str]:
    threads = review["threads"]
    lines = [f"- 本卷计划 {threads['planned']} 条，收了 {len(threads['resolved'])} 条。"]
    for key, title in (
        ("overdue", "超期没收"),
        ("due", "该收没收"),
        ("missing", "计划要埋，没有埋"),
        ("unplanned", "计划外新埋"),
        ("resolved", "已收"),
    ):
        lines += [f"- {title}：{_thread_line(one)}" for one in threads[key]]
    return lines


def _thread_line(one: Mapping[str, Any]) -> str:
    window = one["window"]
    within = f"（计划第 {window[0]}–{window[1]} 章收）" if window else ""
    return f"{one['description'] or one['id']}{within}"


def _storyline_lines(review: Mapping[str, Any]) -> list[str]:
    lines = []
    for one in review["storylines"]:
        role = f"（{_ROLES[one['role']]}）" if one["role"] in _ROLES else ""
        own = one["chapters"]
        where = f"第 {ranges(own)} 章，共 {len(own)} 章" if own else "没有出现"
        lines.append(f"- {one['name']}{role}：{where}{''.join(_remark_texts(one))}。")
    for one in review["convergences"] or ():
        if one["missing"]:
            start, end = one["chapter_range"]
            lines.append(f"- 交汇第 {start}–{end} 章，没有到场：{'、'.join(one['missing'])}。")
    return lines or ["- 没有故事线。"]


def _remark_texts(one: Mapping[str, Any]) -> Iterable[str]:
    if "run" in one["remarks"]:
        yield f"；连写了 {one['longest_run']} 章（最好不过 {LONGEST_RUN} 章）"
    if "gap" in one["remarks"]:
        yield f"；有 {one['longest_gap']} 章没露面（最好 {LONGEST_GAP} 章内回来）"
    if one["unwritten"]:
        yield f"；计划写它的第 {ranges(one['unwritten'])} 章写了别的线"


def _bridge_lines(review: Mapping[str, Any]) -> list[str]:
    lines = [
        f"- {one['from']} 与 {one['to']} 之间写了{_BRIDGES[one['kind']]}「{one['name']}」，书里没有它。"
        for one in review["bridges"]
    ]
    return lines or ["- 没有。"]


def _unknown_name_lines(review: Mapping[str, Any]) -> list[str]:
    lines = []
    for one in review["unknown_entities"]:
        kind = KINDS.get(one["suggested_type"])
        what = f"（像是{kind}）" if kind else ""
        lines.append(f"- {one['mention']}{what}：第 {ranges(one['chapters'])} 章")
    return lines or ["- 没有。"]


def _fact_lines(review: Mapping[str, Any]) -> list[str]:
    lines = []
    for one in review["continuity"]:
        detail = "：".join(part for part in (one["name"], one["detail"]) if part)
        lines.append(f"- 第 {one['chapter']} 章，{_SOURCES[one['source']]}：{detail}")
    return lines or ["- 没有。"]


_PARTS = (
    ("## 评分", "scores", _score_lines),
    ("## 计划的目标", "objectives", _objective_lines),
    ("## 伏笔", "threads", _foreshadowing_lines),
    ("## 故事线的节奏", "storylines", _storyline_lines),
    ("## 悬空的桥", "bridges", _bridge_lines),
    ("## 还没有档案的名字", "unknown_entities", _unknown_name_lines),
    ("## 对不上的事实", "continuity", _fact_lines),
)
"""The parts by their key in the review, None there for one that could not be read."""
