"""`novel instructions STEP`: the packet of a step. Source: seed 004."""

from __future__ import annotations

import os

from novel_hooks import errors, roles
from novel_hooks.annotations import TYPE_CHECKING, Any
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.context import Context
from novel_hooks.errors import DONE, FINDINGS, Problem
from novel_hooks.flows.briefing import instructions
from novel_hooks.flows.briefing.instructions import Instructions
from novel_hooks.rules.packet import packet as packets
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.store.files.oserror import system_reason

if TYPE_CHECKING:
    from novel_hooks.cli.arguments import Parser
    from novel_hooks.flows.briefing.packet_replay import Difference, Replay
    from novel_hooks.store.files.project import Project


def arguments(parser: Parser) -> None:
    parser.value("step", "步骤", "如 chapter:007:draft", nargs="?")
    parser.flag("--embed", "把资料全文也放进任务包")
    parser.flag("--write-manifest", "把任务包写进 staging/manifests/，只交一个路径给代理")
    parser.value("--replay", "文件", "照写下的任务包再做一遍，说出哪些资料变了")


def run(context: Context) -> Answer:
    if context.args.replay is not None:
        return replayed(context)
    if context.args.step is None:
        raise errors.UsageError(case="instructions step")
    step = steps.parse(context.args.step)
    caller, write = context.caller(), bool(context.args.write_manifest)
    notes: list[Problem] = []
    try:
        with context.writing() as session:
            found = instructions.hand_out(session, step, context.args.embed, write)
    except (errors.CommandBusy, errors.LockBusy) as busy:
        found = instructions.build(context.book(), step, context.args.embed)  # what refuses it comes first
        caller.check_boundary()
        if write:
            raise
        busy.severity = "warning"
        notes.append(busy)
    return build(_document(found, write), describe(found, write), notes)


HOST = ("step", "phase", "chapter", "volume", "agent", "subagent", "model", "codex", "role", "outputs")
"""The keys of a written packet that its host needs; the agent reads the others in the file."""


def _document(found: Instructions, written: bool) -> dict[str, Any]:
    """The packet. Of one that is written, its path and what a host needs to start the agent and to go on."""
    packet = found.packet
    if not written:
        return dict(packet)
    told = {key: packet[key] for key in (*HOST, "warnings", "next_actions")}
    return {**told, "manifest": found.manifest()}


def describe(found: Instructions, written: bool) -> str:
    packet: dict[str, Any] = found.packet
    who = roles.ROLES[packet["agent"]].title if packet["agent"] else "写作助手"
    lines = [f"{packet['step']}　交给{who}：{packet['task']}"]
    if written:
        lines.append(f"任务包：{found.manifest()}")
    lines += [
        f"  资料　{i['key']}　{i.get('path', '（随任务包）')}　{i['chars']} 字" for i in packet["inputs"]
    ]
    lines += [f"  产物　{o['path']}" for o in packet["outputs"]]
    for warning in packet["warnings"]:
        hint = found.hints.get(warning)
        lines += [f"  提醒　{warning}", *([f"  → {hint}"] if hint else [])]
    lines += [f"  然后　{action}" for action in packet["next_actions"]]
    return "\n".join(lines)


def replayed(context: Context) -> Answer:
    """Compare a packet that was written earlier with the packet of the project as it is now."""
    from novel_hooks.flows.briefing import packet_replay

    args = context.args
    if args.step is not None or args.embed or args.write_manifest:
        raise errors.UsageError(case="instructions replay")
    book = context.book()
    found = packet_replay.compare(
        book, packet_replay.parse(_read_packet(book.project, args.replay), args.replay)
    )
    reasons = list(found.reasons)
    data = {
        "step": found.step,
        "same": found.same,
        "rebuilt": found.rebuilt,
        "inputs": [one._asdict() for one in found.inputs],
        "other": list(found.other),
    }
    return build(data, describe_replay(found), reasons, DONE if found.same else FINDINGS)


def _read_packet(project: Project, place: str) -> bytes:
    """The file as the caller sees it, else below the project, as `manifest` names it."""
    inside = os.path.join(project.root, place)
    for path in (place, inside):
        if os.path.isfile(path):
            try:
                with open(path, "rb") as handle:
                    return handle.read()
            except OSError as wrong:
                raise errors.FileUnreadable(place, reason=system_reason(wrong)) from wrong
    raise errors.FileMissing(place, "option", what="任务包", option="--replay")


def describe_replay(found: Replay) -> str:
    if found.same:
        return f"{steps.label(found.step)}：和写下时一模一样，一个字节不差。"
    head = "和写下时不一样" if found.rebuilt else "现在做不出这一步的任务包，只对照了资料文件"
    lines = [f"{steps.label(found.step)}：{head}。", *map(_difference_line, found.inputs)]
    if not found.rebuilt and not found.inputs:
        lines.append("  资料文件都和写下时一样；随包的小资料没法对照。")
    return "\n".join([*lines, *(f"  不同　{key}" for key in found.other)])


def _difference_line(one: Difference) -> str:
    word = {"changed": "变了", "missing": "没有了", "added": "多出来"}[one.what]
    sides = [f"{side['chars']} 字 {str(side['sha256'])[:12]}" for side in (one.old, one.new) if side]
    title = packets.TITLES.get(one.key, one.key)
    return f"  {word}　{title}　{one.path or '（随任务包）'}　{' → '.join(sides)}"
