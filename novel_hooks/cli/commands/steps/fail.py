"""`novel fail STEP --reason`: count a failure of a step; repeat the step or ask the author.

Source: protocol §2.
"""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser
from novel_hooks.cli.context import Context
from novel_hooks.flows.pipeline import fail_retry
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.text import typed_words


def arguments(parser: Parser) -> None:
    parser.value("step", "步骤", "如 chapter:007:draft")
    parser.value("--reason", "原因", "为什么失败，一句话", required=True, nargs="+")


def run(context: Context) -> Answer:
    step = steps.parse(context.args.step)
    reason = " ".join(" ".join(context.args.reason).split())
    if typed_words.is_blank(reason):
        raise errors.UsageError(case="no reason")
    with context.writing() as session:
        found = fail_retry.run(session, step, reason)
    data = {
        "step": str(step),
        "answer": "retry" if found.again else "stop",
        "orchestrator_state": found.point.state,
    }
    if found.again:
        return build(data, "已记下。请把这一步再做一次。")
    return build(
        data,
        "这一步又失败了，已停下等你决定；进度和暂存区都保留着。`novel retry` 再试一次。",
    )
