"""`novel instructions STEP`: the packet of a step. Source: seed 004."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from novel_hooks.cli.arguments import Parser

from novel_hooks import roles
from novel_hooks.cli import answer
from novel_hooks.cli.answer import Answer
from novel_hooks.cli.context import Context
from novel_hooks.errors import CommandBusy, LockBusy, Problem
from novel_hooks.flows import instruct
from novel_hooks.flows.instruct import Instructions
from novel_hooks.flows.session import writing
from novel_hooks.rules import step as steps


def arguments(parser: Parser) -> None:
    parser.add_argument("step", metavar="步骤", help="如 chapter:007:draft")
    parser.add_argument("--embed", action="store_true", help="把资料全文也放进任务包")
    parser.add_argument(
        "--write-manifest", action="store_true", help="把任务包写进 staging/manifests/，只交一个路径给执行者"
    )


def run(context: Context) -> Answer:
    step = steps.parse(context.args.step)
    instruct.build(context.book(), step, context.args.embed)  # refuse before anything is held
    write = bool(context.args.write_manifest)
    notes: list[Problem] = []
    try:
        with writing(context.project(), context.caller()) as session:
            found = instruct.hand_out(session, step, context.args.embed, write)
    except (CommandBusy, LockBusy) as busy:
        if write:
            raise
        busy.severity = "warning"
        notes.append(busy)
        found = instruct.build(context.book(), step, context.args.embed)
    data = dict(found.packet)
    if write:
        data["manifest"] = found.manifest()
    return answer.of(data, text(found, write), notes)


def text(found: Instructions, written: bool) -> str:
    packet: dict[str, Any] = found.packet
    who = roles.ROLES[packet["agent"]].title if packet["agent"] else "写作助手"
    lines = [f"{packet['step']}　交给{who}：{packet['task']}"]
    if written:
        lines.append(f"任务包：{found.manifest()}")
    lines += [
        f"  资料　{i['key']}　{i.get('path', '（随任务包）')}　{i['chars']} 字" for i in packet["inputs"]
    ]
    lines += [f"  产物　{o['path']}" for o in packet["outputs"]]
    lines += [f"  提醒　{w}" for w in packet["warnings"]]
    lines += [f"  然后　{action}" for action in packet["next_actions"]]
    return "\n".join(lines)
