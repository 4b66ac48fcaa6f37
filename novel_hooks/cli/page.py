"""The page of `novel status`: the book's progress, its last chapters, the next step."""

from __future__ import annotations

from novel_hooks import roles
from novel_hooks.annotations import Any
from novel_hooks.cli import blocks
from novel_hooks.cli.blocks import AHEAD
from novel_hooks.rules.steps import menu
from novel_hooks.rules.steps import step_name as steps

STATES = {
    "INIT": "还没开始设定",
    "QUICK_START": "正在做初始设定",
    "VOL_PLANNING": "正在规划本卷",
    "WRITING": "写作中",
    "CHAPTER_REWRITE": "正在修订",
    "VOL_REVIEW": "本卷已写完，等卷末回顾",
    "ERROR_RETRY": "有步骤连续失败，等你决定",
}
_STAGES = {
    "drafting": "正在写",
    "drafted": "初稿与记录已齐",
    "refined": "已润色，等评审",
    "judged": "已评审",
    "revising": "正在改",
}


def describe(data: dict[str, Any]) -> str:
    """Return the page; a block that could not be read says so, the others stay."""
    page = (
        _progress_lines(data.get("progress")),
        blocks.word_lines(data.get("words")),
        _recent_lines(data.get("recent")),
        blocks.trend_lines(data.get("trend")),
        blocks.thread_lines(data.get("foreshadowing")),
        blocks.storyline_lines(data.get("storylines")),
        blocks.work_lines(data.get("work")),
        _lock_lines(data.get("lock")),
        _next_lines(data.get("next")),
        menu_lines(data),
    )
    return "\n".join(line for block in page for line in block)


def _progress_lines(block: dict[str, Any] | None) -> list[str]:
    if block is None:
        return ["进度：读不出来（见下面的提示）"]
    lines = [f"状态：{STATES[block['state']]}"]
    last, end = block["last_completed_chapter"], block["volume_end"]
    if end:
        start = block["volume_start"]
        done = max(0, min(last, end) - start + 1)
        shown = blocks.bar(done, end - start + 1)
        lines.append(f"进度：第 {block['volume']} 卷 {shown} 已完成到第 {last} 章（本卷 {start}-{end}）")
    else:
        lines.append(f"进度：已完成到第 {last} 章")
    if block["inflight_chapter"]:
        stage = _STAGES.get(block["pipeline_stage"], block["pipeline_stage"])
        rounds = f"，已修订 {block['revision_count']} 次" if block["revision_count"] else ""
        lines.append(f"手头：第 {block['inflight_chapter']} 章 {stage}{rounds}")
    return lines


def _recent_lines(block: list[dict[str, Any]] | None) -> list[str]:
    if block is None:
        return ["近章：读不出来（见下面的提示）"]
    return [f"  第 {c['chapter']} 章　{_verdict_line(c)}" for c in block]


def _verdict_line(chapter: dict[str, Any]) -> str:
    """`4.2 分　通过　修订 1 次　3,000 字`."""
    decision = chapter["decision"] or "unrecorded"  # a landed chapter has one
    told = {**chapter, "overall_final": chapter["overall"], "gate_decision": decision}
    chars = "" if chapter.get("chars") is None or chapter["adopted"] else f"　{chapter['chars']:,} 字"
    return f"{blocks.verdict_line(told)}{chars}"


def _lock_lines(block: dict[str, Any] | None) -> list[str]:
    if block is None or block["kind"] == "free":
        return []
    return [f"写作锁：{block['reason']}"]


def _next_lines(block: dict[str, Any] | None) -> list[str]:
    if block is None:
        return ["下一步：先处理下面的问题"]
    if block["step"] is None:
        head = "下一步：等你决定"
    else:
        step = steps.parse(block["step"])
        where = f"第 {step.number} 章 · " if step.chapter is not None else ""
        head = f"下一步：{where}{roles.phase_title(step.kind, step.phase)}"
    first = [f"  {AHEAD}"] if block["stopped"] else []
    planning = str(block["step"]).startswith("volume:")  # what may be said before planning is `next`'s to ask
    choices = [] if planning and not block["stop"] else block["choices"]
    return [
        f"{head}（{block['reason']}）",
        *first,
        *blocks.verdict_lines(block["verdict"]),
        *blocks.note_lines(block["notes"]),
        *blocks.change_lines(block["changes"]),
        *(blocks.choice_line(c["label"], c["why"], c["command"]) for c in choices),
    ]


def menu_lines(data: dict[str, Any]) -> list[str]:
    """Return the menu as a line, `现在可以：接着写（/novel:continue）　…`; [] where the author has to decide.

    An entry without a command of its own is done by the front desk.
    """
    entries = [] if (data.get("next") or {}).get("stop") else data.get("menu") or []
    told = [f"{entry['label']}（{entry['do'] or menu.START}）" for entry in entries]
    return [f"现在可以：{'　'.join(told)}"] if told else []
