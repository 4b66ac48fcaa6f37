"""`novel context AGENT --chapter N`: what an agent would be given, shown to a person. Reads only.

Source: seed 000 Step 2.6.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from novel_hooks.cli.arguments import Parser

from novel_hooks import roles
from novel_hooks.cli import answer
from novel_hooks.cli.answer import Answer
from novel_hooks.cli.arguments import chapter
from novel_hooks.cli.context import Context
from novel_hooks.errors import AgentUnknown, Problem, Problems
from novel_hooks.flows import instruct, look, pending
from novel_hooks.flows.book import Book
from novel_hooks.rules import packet as packets
from novel_hooks.rules.step import Step

_AGENTS = tuple(dict.fromkeys(roles.CHAPTER_AGENTS.values()))


def arguments(parser: Parser) -> None:
    parser.add_argument("agent", metavar="角色", help=f"{'、'.join(_AGENTS)}，或叫它{_titles()}")
    parser.add_argument("--chapter", type=chapter, metavar="章号", help="进行中的章或下一章；默认就是它")
    parser.add_argument("--full", action="store_true", help="资料的全文也列出来")


def run(context: Context) -> Answer:
    agent = _agent(context.args.agent)
    book = context.book()
    found = instruct.build(book, _step(book, agent, context.args.chapter), embed=True).packet
    data = _data(found, context.args.full)
    return answer.of(data, text(found, context.args.full), pending.notes(book.project))


def _titles() -> str:
    return "、".join(roles.ROLES[agent].title for agent in _AGENTS)


def _agent(name: str) -> str:
    """By its name or by the author's word for it. Raises AgentUnknown."""
    for agent in _AGENTS:
        if name.strip() in (agent, roles.ROLES[agent].title, roles.subagent_name(agent)):
            return agent
    raise AgentUnknown(name=name, known="、".join([*_AGENTS, _titles()]))


def _step(book: Book, agent: str, number: int | None) -> Step:
    """The agent's step that is due, else its first of the chapter; of a sync the one that is open."""
    point = book.checkpoint()
    phase = next(phase for phase, who in roles.CHAPTER_AGENTS.items() if who == agent)
    here = point.inflight if point.active and point.inflight else point.last + 1
    try:
        view = look.at(book)
    except (Problem, Problems):  # `build` tells it with everything else that stops the step
        return Step("chapter", number or here, phase)
    due, opened = view.due.step, view.sync.opened.chapter if view.sync else None
    asked = number or opened or here
    if due is not None and due.number == asked and roles.CHAPTER_AGENTS.get(due.phase) == agent:
        return due
    return Step("sync" if asked == opened else "chapter", asked, phase)


def _data(found: dict[str, Any], full: bool) -> dict[str, Any]:
    """The packet's own words for it, the inputs the largest first."""
    shown = ("key", "path", "type", "chars", *(("value", "text") if full else ()))
    inputs = [{"path": None, **one} for one in _largest_first(found)]
    return {
        **{key: found[key] for key in ("step", "chapter", "volume", "agent", "model", "role")},
        "chars": sum(one["chars"] for one in inputs),
        "cap": found["cap"],
        "inputs": [{key: one[key] for key in shown if key in one} for one in inputs],
        "warnings": found["warnings"],
    }


def _largest_first(found: dict[str, Any]) -> list[dict[str, Any]]:
    return sorted(found["inputs"], key=lambda one: -int(one["chars"]))


def text(found: dict[str, Any], full: bool) -> str:
    total = sum(one["chars"] for one in found["inputs"])
    title = roles.ROLES[found["agent"]].title
    phase = roles.PHASE_TITLES[found["phase"]]
    limit = f"，上限 {found['cap']['limit']} 字" if found["cap"] else ""
    lines = [f"{title}　第 {found['chapter']} 章{phase}：{len(found['inputs'])} 份资料，共 {total} 字{limit}"]
    lines += [_line(one) for one in _largest_first(found)]
    lines += [f"  提醒　{warning}" for warning in found["warnings"]]
    for one in found["inputs"] if full else ():
        held = one["text"] if "text" in one else packets.canonical(one["value"])
        lines += ["", f"【{_title(one)}】", held]
    return "\n".join(lines)


def _line(one: dict[str, Any]) -> str:
    return f"  {one['chars']:>6} 字　{_title(one)}　{one.get('path') or '（随任务包）'}"


def _title(one: dict[str, Any]) -> str:
    return packets.TITLES.get(one["key"], str(one["key"]))
