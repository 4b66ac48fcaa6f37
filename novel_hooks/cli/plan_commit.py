"""`novel commit --setup` and `--volume V`: land a plan, whole or not at all. Source: protocol §5."""

from __future__ import annotations

from novel_hooks.annotations import Any
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.context import Context
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.briefing import due_step
from novel_hooks.flows.planning import land
from novel_hooks.flows.planning.land import Landed
from novel_hooks.rules.steps.step_name import Step


def run(context: Context) -> Answer:
    args = context.args
    step = Step("setup", None, "commit") if args.setup else Step("volume", args.volume, "commit")
    if args.dry_run:
        found = land.prepare(due_step.view(context.book()), step, context.caller().stamp)
        return build(document(found, dry=True), _prepare(found), found.warnings)
    with context.writing() as session:
        found = land.run(session, due_step.view(Book(session.project)), step)
    return build(document(found, dry=False), describe(found), found.warnings, notes=session.notes)


def document(found: Landed, dry: bool) -> dict[str, Any]:
    return {
        "step": str(found.step),
        "dry_run": dry,
        "repeat": found.repeat,
        "orchestrator_state": found.point.state,
        "current_volume": found.point.volume,
        "paths": list(found.paths),
        "kept": [{"path": path, "kept": kept} for path, kept in found.kept],
    }


def describe(found: Landed) -> str:
    what = "初始设定" if found.step.kind == "setup" else f"第 {found.step.number} 卷的规划"
    if found.repeat:
        return f"{what}之前已经入库，没有改动。"
    volume = max(1, found.point.volume)
    then = f"接下来规划第 {volume} 卷。" if found.step.kind == "setup" else "可以开始写了。"
    return f"{what}已入库（{len(found.paths)} 个文件），{then}"


def _prepare(found: Landed) -> str:
    if found.repeat:
        return describe(found)
    return "\n".join(["可以入库，会写：", *(f"  {path}" for path in found.paths)])
