"""`novel entities`: names in the text that nobody has registered, with their chapters. Reads only."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from novel_hooks.cli.arguments import Parser

from novel_hooks import layout
from novel_hooks.cli import answer
from novel_hooks.cli.answer import Answer
from novel_hooks.cli.context import Context
from novel_hooks.flows.book import unknown_names
from novel_hooks.flows.book.unknown_names import Unregistered
from novel_hooks.rules.cast.unknown_names import UnknownName
from novel_hooks.rules.state import consistency

KINDS = {"character": "角色", "location": "地点", "item": "物品", "faction": "势力"}

_HOW = (
    f"会再出现的人，请在 {layout.CHARACTERS}/ 里为他建档（照别人的 .json 写一份），写手才记得住；"
    "地点、物品、势力归记录员登记，不用你写。"
)


def arguments(parser: Parser) -> None:
    pass


def run(context: Context) -> Answer:
    found = unknown_names.run(context.book())
    data = {
        "entities": [{**one._asdict(), "chapters": list(one.chapters)} for one in found.strangers],
        "noted": found.noted,
    }
    return answer.build(data, describe(found))


def describe(found: Unregistered) -> str:
    if not found.noted:
        return "正文里还没有记下没档案的名字。"
    if not found.strangers:
        return f"记下过的 {found.noted} 个名字都有档案了。"
    lines = [f"有 {len(found.strangers)} 个名字还没有档案（记下过 {found.noted} 个）："]
    lines += [f"  {name_line(one)}" for one in found.strangers]
    return "\n".join([*lines, _HOW])


def name_line(one: UnknownName) -> str:
    """Return one name as a line: `老周　角色？　3 章：第 2–3、7 章　城门口的守卒`."""
    kind = KINDS.get(one.suggested_type or "")
    where = (
        f"{len(one.chapters)} 章：第 {consistency.ranges(list(one.chapters))} 章" if one.chapters else None
    )
    context = " ".join(one.context.split()) if one.context else None
    return "　".join(part for part in (one.mention, f"{kind}？" if kind else None, where, context) if part)
