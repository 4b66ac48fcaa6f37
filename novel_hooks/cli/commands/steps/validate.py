"""`novel validate STEP`: check the agents' files in staging. Reads only."""

from __future__ import annotations

from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser
from novel_hooks.cli.context import Context
from novel_hooks.errors import DONE, FINDINGS
from novel_hooks.flows.pipeline import validate
from novel_hooks.flows.pipeline.validate import Validated
from novel_hooks.rules.steps import step_name as steps


def arguments(parser: Parser) -> None:
    parser.value("step", "步骤", "如 chapter:007:draft")


def run(context: Context) -> Answer:
    step = steps.parse(context.args.step)
    found = validate.run(context.book(), step)
    data = {
        "step": str(step),
        "ok": found.ok,
        "chars": found.chars,
        "again": list(found.again),
        "outputs": [{"key": f.key, "path": f.path, "found": f.ok} for f in found.files],
    }
    return build(data, describe(found), found.problems, DONE if found.ok else FINDINGS)


def describe(found: Validated) -> str:
    length = f"，{found.chars} 字" if found.chars is not None else ""
    verdict = f"可以推进{length}" if found.ok else "还不能推进"
    lines = [f"{'✓' if f.ok else '✗'} {f.path}" for f in found.files]
    return "\n".join([f"{found.step.label}：{verdict}", *lines])
