"""`novel commit --chapter N`: land a chapter, whole or not at all; `--setup`, `--volume V`: a plan.

Source: protocol §5.
"""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Any
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser, chapter, volume
from novel_hooks.cli.context import Context
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.inventory import hand_edits
from novel_hooks.flows.pipeline import commit
from novel_hooks.flows.pipeline.commit import Committed
from novel_hooks.flows.review import periodic_report
from novel_hooks.rules.evaluation.gate_entry import decision_word
from novel_hooks.rules.review import trend
from novel_hooks.rules.steps.step_name import Step

if TYPE_CHECKING:
    from novel_hooks.flows.planning.land import Landed


def arguments(parser: Parser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--chapter", type=chapter, metavar="章号")
    what.add_argument("--setup", action="store_true", help="初始设定入库")
    what.add_argument("--volume", type=volume, metavar="卷号", help="这一卷的规划入库")
    parser.flag("--dry-run", "只检查、只列出会写什么，不落一个字")


def run(context: Context) -> Answer:
    number = context.args.chapter
    if number is None:
        return _commit_plan(context)
    if context.args.dry_run:
        found = commit.dry_run(context.book(), number, context.caller().stamp)
        return build({**document(found, dry=True), "periodic": None}, _prepare(found), found.warnings)
    with context.writing(number) as session:
        found = commit.run(session, number)
        now = Book(session.project)
        fresh = not (found.repeat or found.synced)
        waiting, unread = attempt(lambda: hand_edits.problems(now))
        look, unseen = attempt(lambda: periodic_report.run(now, number) if fresh else None)
    for fault in (*unread, *unseen):  # the chapter has landed: nothing is refused any more
        fault.severity = "warning"
    told = describe(found) if look is None else f"{describe(found)}\n{look['text']}"
    problems = [*found.warnings, *(waiting or ()), *unread, *unseen]
    return build({**document(found, dry=False), "periodic": look}, told, problems, notes=session.notes)


def document(found: Committed, dry: bool) -> dict[str, Any]:
    return {
        "chapter": found.chapter,
        "dry_run": dry,
        "repeat": found.repeat,
        "chars": found.chars,
        "overall_final": found.overall_final,
        "gate_decision": found.decision,
        "revisions": found.revisions,
        "force_passed": found.force_passed,
        "accepted": found.accepted,
        "volume_end": found.volume_end,
        "paths": list(found.paths),
        "synced": found.synced,
        "later": list(found.later),
        "judged": list(found.judged),
    }


def describe(found: Committed) -> str:
    """Return the line about a landed chapter (seed 000 Step 3.7), and the two on its verdict."""
    if found.repeat:
        return f"第 {found.chapter} 章之前已经入库，没有改动。"
    if found.synced and found.overall_final is None:  # the recording of a chapter that moved in has no judge
        return f"第 {found.chapter} 章补记好了（{found.chars} 字），摘要和状态都已记下，正文没有动。"
    if found.synced:
        return f"第 {found.chapter} 章已按你改过的正文重新入库（{found.chars} 字），摘要和状态都已跟上。"
    score = "无评分" if found.overall_final is None else f"评分 {trend.score_text(found.overall_final)}/5.0"
    gate = decision_word(found.decision, found.accepted, found.force_passed)
    mark = "△" if found.force_passed or found.accepted else "✓"
    made = f"第 {found.chapter} 章已生成（{found.chars} 字）"
    line = f"{made}，{score}，门控{gate}，修订 {found.revisions} 次 {mark}"
    line = "\n".join([line, *found.judged])
    end = "\n本卷已写完，请运行 /novel:start 做卷末回顾。" if found.volume_end else ""
    return line + end


def _prepare(found: Committed) -> str:
    if found.repeat:
        return describe(found)
    return "\n".join([f"第 {found.chapter} 章可以入库，会写：", *(f"  {path}" for path in found.paths)])


def _commit_plan(context: Context) -> Answer:
    """Land the setup or a volume's plan, whole or not at all."""
    from novel_hooks.flows.briefing import due_step
    from novel_hooks.flows.planning import land

    args = context.args
    step = Step("setup", None, "commit") if args.setup else Step("volume", args.volume, "commit")
    if args.dry_run:
        found = land.prepare(due_step.view(context.book()), step, context.caller().stamp)
        told = _plan_text(found)
        if not found.repeat:
            told = "\n".join(["可以入库，会写：", *(f"  {path}" for path in found.paths)])
        return build(_plan_document(found, dry=True), told, found.warnings)
    with context.writing() as session:
        found = land.run(session, due_step.view(Book(session.project)), step)
    return build(_plan_document(found, dry=False), _plan_text(found), found.warnings, notes=session.notes)


def _plan_document(found: Landed, dry: bool) -> dict[str, Any]:
    return {
        "step": str(found.step),
        "dry_run": dry,
        "repeat": found.repeat,
        "orchestrator_state": found.point.state,
        "current_volume": found.point.volume,
        "paths": list(found.paths),
        "kept": [{"path": path, "kept": kept} for path, kept in found.kept],
    }


def _plan_text(found: Landed) -> str:
    what = "初始设定" if found.step.kind == "setup" else f"第 {found.step.number} 卷的规划"
    if found.repeat:
        return f"{what}之前已经入库，没有改动。"
    volume = max(1, found.point.volume)
    then = f"接下来规划第 {volume} 卷。" if found.step.kind == "setup" else "可以开始写了。"
    return f"{what}已入库（{len(found.paths)} 个文件），{then}"
