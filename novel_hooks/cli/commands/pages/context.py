"""`novel context AGENT`: preview the context of an agent, for a person. Reads only.

Source: seed 000 Step 2.6.
"""

from __future__ import annotations

from novel_hooks import errors, roles
from novel_hooks.annotations import Any, Callable
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser, chapter, volume
from novel_hooks.cli.context import Context
from novel_hooks.flows.briefing import context_preview
from novel_hooks.flows.briefing.context_preview import Preview
from novel_hooks.flows.review import shown_names
from novel_hooks.flows.session import pending_landing
from novel_hooks.rules.packet import packet as packets
from novel_hooks.rules.text import typed_words

_CREW = frozenset(roles.CHAPTER_AGENTS.values())
_LABELS = {
    context_preview.LANDED: "这一章已经入库，当时给的任务包没有留下。这里是现在重新来会给的：正文、状态、"
    "伏笔和本线记忆按这一章之前算，其余是文件现在的样子。",
    context_preview.DONE: "这一步已经做过，当时给的任务包没有留下。这里是现在再来会给的。",
    context_preview.AHEAD: "还没有轮到这一步。这里是现在来会给的，轮到时会不同。",
}


def arguments(parser: Parser) -> None:
    known = "、".join(f"{role.title}（{agent}）" for agent, role in roles.ROLES.items())
    parser.value("agent", "代理", known)
    parser.value("--chapter", "章号", "默认是进行中的章或下一章", type=chapter)
    parser.value("--volume", "卷号", "情节架构师的：默认是要规划的那一卷", type=volume)
    parser.flag("--full", "资料的全文也列出来")


def run(context: Context) -> Answer:
    args = context.args
    agent = _find_agent(args.agent)
    _fits(agent, args.chapter, args.volume)
    book = context.book()
    if agent in _CREW:
        found = context_preview.chapter_preview(book, agent, args.chapter)
    else:
        found = context_preview.planning_preview(book, agent, args.volume)
    data = _document(found, args.full)
    names = shown_names.read(book)

    def name_of(one: dict[str, Any]) -> str | None:
        return shown_names.of_path(book, one["path"], names) if one.get("path") else None

    told = describe(found, data, args.full, name_of)
    return build(data, told, pending_landing.problems(book.project))


def _find_agent(name: str) -> str:
    """By its name or by the author's word for it. Raises NameUnknown."""
    for agent, role in roles.ROLES.items():
        if name.strip().lower() in (agent, role.title, roles.subagent_name(agent)):
            return agent
    names = [word for agent, role in roles.ROLES.items() for word in (agent, role.title)]
    near = typed_words.meant(name, names)
    known = "、".join(f"{role.title}（{agent}）" for agent, role in roles.ROLES.items())
    raise errors.NameUnknown(
        case="agent", name=name, guess=f"是不是想写「{near}」？" if near else "", known=known
    )


def _fits(agent: str, number: int | None, book_volume: int | None) -> None:
    """A chapter is named for a chapter's agent, a volume for the one who plans it."""
    title = roles.ROLES[agent].title
    if number is not None and agent not in _CREW:
        raise errors.UsageError(case="agent chapter", title=title, command=_usage_text(agent))
    if book_volume is not None and agent not in roles.VOLUME_AGENTS.values():
        raise errors.UsageError(case="agent volume", title=title, command=_usage_text(agent))


def _usage_text(agent: str) -> str:
    more = {**dict.fromkeys(_CREW, " --chapter 章号"), "plot-architect": " --volume 卷号"}.get(agent, "")
    return f"novel context {agent}{more}"


def _document(found: Preview, full: bool) -> dict[str, Any]:
    """The packet's own words for it, the inputs the largest first."""
    shown = ("key", "path", "type", "chars", *(("value", "text") if full else ()))
    inputs = [{"path": None, **one} for one in _largest_first(found)]
    return {
        "step": str(found.step),
        "when": found.when,
        "chapter": found.step.chapter,
        "volume": found.volume,
        "agent": found.agent,
        "model": found.model,
        "role": found.role,
        "chars": sum(one["chars"] for one in inputs),
        "cap": found.assembled.cap,
        "inputs": [{key: one[key] for key in shown if key in one} for one in inputs],
        "missing": [dict(one) for one in found.missing],
        "manifest": found.manifest,
        "warnings": list(found.assembled.warnings),
    }


def _largest_first(found: Preview) -> list[dict[str, Any]]:
    told = [one.document(True) for one in found.assembled.inputs]
    return sorted(told, key=lambda one: -int(one["chars"]))


def describe(
    found: Preview, data: dict[str, Any], full: bool, name_of: Callable[[dict[str, Any]], str | None]
) -> str:
    """Return the sizes, then the missing inputs, then, with `full`, the texts in the packet's order.

    `name_of` returns the name of the person or thing that an input's file is about.
    """
    limit = f"，上限 {data['cap']['limit']} 字" if data["cap"] else ""
    sizes = f"{len(data['inputs'])} 份资料，共 {data['chars']} 字{limit}"
    lines = [f"{roles.ROLES[found.agent].title}　{_work_text(found)}：{sizes}"]
    lines += [_LABELS[found.when]] if found.when in _LABELS else []
    lines += [_input_line(one, name_of(one)) for one in data["inputs"]]
    lines += [f"  还没有　{_title(one)}：{one['how']}" for one in data["missing"]]
    for warning in data["warnings"]:
        hint = found.assembled.hints.get(warning)
        lines += [f"  提醒　{warning}", *([f"  → {hint}"] if hint else [])]
    if found.manifest:
        lines.append(f"上次交出的任务包：{found.manifest}（`novel instructions --replay` 可以对比）")
    for one in (i.document(True) for i in found.assembled.inputs) if full else ():
        held = one["text"] if "text" in one else packets.canonical_json(one["value"])
        lines += ["", f"【{_title(one)}】", held]
    return "\n".join(lines)


def _work_text(found: Preview) -> str:
    phase = roles.PHASE_TITLES[found.step.phase]
    number = found.step.chapter
    if number is not None:
        return f"第 {number} 章{phase}"
    return phase if found.step.number is None else f"第 {found.step.number} 卷{phase}"


def _input_line(one: dict[str, Any], about: str | None) -> str:
    title = _title(one) if about is None else f"{_title(one)}「{about}」"
    return f"  {one['chars']:>6} 字　{title}　{one.get('path') or '（随任务包）'}"


def _title(one: dict[str, Any]) -> str:
    return packets.TITLES.get(one["key"], str(one["key"] or "文件"))
