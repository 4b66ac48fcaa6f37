"""`novel advance STEP`: check the outputs and move the checkpoint. Source: protocol §2."""

from __future__ import annotations

from novel_hooks import roles
from novel_hooks.annotations import Any
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser
from novel_hooks.cli.context import Context
from novel_hooks.flows.chapter.step_result import Advanced
from novel_hooks.flows.pipeline import advance
from novel_hooks.rules.evaluation.gate_entry import decision_word
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.step_name import Step


def arguments(parser: Parser) -> None:
    parser.value("step", "步骤", "如 chapter:007:draft")


def run(context: Context) -> Answer:
    step = steps.parse(context.args.step)
    chapter = step.number if step.kind == "chapter" else None
    with context.writing(chapter) as session:
        found = advance.run(session, step)
    return build(document(found), describe(found), found.warnings, notes=session.notes)


def document(found: Advanced) -> dict[str, Any]:
    outcome = found.outcome
    return {
        "step": str(found.step),
        "changed": found.changed,
        "pipeline_stage": found.point.stage,
        "orchestrator_state": found.point.state,
        "revision_count": found.point.revisions,
        "gate": None
        if outcome is None
        else {
            "decision": outcome.decision,
            "force_passed": outcome.force_passed,
            "overall_final": outcome.overall_final,
            "used": outcome.used,
            "reasons": list(outcome.reasons),
            "required_fixes": list(outcome.fixes) if outcome.decision in ("revise", "polish") else [],
        },
    }


def _whose(step: Step) -> str:
    if step.kind == "setup":
        return "初始设定"
    return f"第 {step.number} {'卷' if step.kind == 'volume' else '章'}"


def describe(found: Advanced) -> str:
    title = roles.phase_title(found.step.kind, found.step.phase)
    if not found.changed:
        return f"「{title}」之前已经推进过，没有改动。"
    lines = [f"{_whose(found.step)}「{title}」完成。"]
    outcome = found.outcome
    if outcome is not None:
        lines.append(f"门控：{decision_word(outcome.decision, False, outcome.force_passed)}")
        lines += [f"  · {reason}" for reason in outcome.reasons]
    return "\n".join(lines)
