"""`novel entities`: list the names in the text that have no record, with their chapters.

It reads; `--ignore` and `--list-again` change the list of names that the author wants no record of.
"""

from __future__ import annotations

from novel_hooks.annotations import Sequence
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser
from novel_hooks.cli.context import Context
from novel_hooks.flows.book import unknown_names
from novel_hooks.flows.book.unknown_names import Unregistered
from novel_hooks.flows.planning import new_character
from novel_hooks.flows.planning.new_character import Expected
from novel_hooks.rules.cast.unknown_names import KINDS, UnknownName
from novel_hooks.rules.state import consistency

_HOW = (
    "会再出现的人，用 `novel character add 名字` 为他建档，写手才记得住；"
    "地点、物品、势力归记录员登记，不用你写。不用建档的：`novel entities --ignore 名字`。"
)


def arguments(parser: Parser) -> None:
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--ignore", nargs="+", metavar="名字", help="这几个不用建档，以后不列")
    what.add_argument("--list-again", nargs="+", metavar="名字", help="不列的这几个重新列出来")
    what.add_argument("--all", action="store_true", help="只在一章里露过面的人、不列的名字也列出来")


def run(context: Context) -> Answer:
    args = context.args
    if not args.ignore and not args.list_again:
        return _list_answer(context, "", args.all)
    with context.writing() as session:
        if args.ignore:
            planned = [one.name for one in new_character.expected(context.book())]
            fresh = unknown_names.ignore(session, [one.strip() for one in args.ignore], planned)
            head = f"不再列出：{'、'.join(fresh)}。" if fresh else "早已不列，没有改动。"
            head += f"想再列出来：`novel entities --list-again {args.ignore[0].strip()}`。"
        else:
            again = unknown_names.list_again(session, [one.strip() for one in args.list_again])
            head = f"重新列出：{'、'.join(again)}。"
    return _list_answer(context, head, False, session.notes)


def _list_answer(context: Context, head: str, every: bool, notes: Sequence[str] = ()) -> Answer:
    """Return the answer with the names; `head` says what was done to them."""
    book = context.book()
    found, expected = unknown_names.run(book), new_character.expected(book)
    shown = (*found.strangers, *found.passing) if every else found.strangers
    data = {
        "entities": [{**one._asdict(), "chapters": list(one.chapters)} for one in shown],
        "expected": [
            {"name": one.name, "chapters": list(one.chapters), "known_to": list(one.known_to)}
            for one in expected
        ],
        "passing": len(found.passing),
        "ignored": list(found.ignored),
        "noted": found.noted,
    }
    text = "\n".join([*_expected_lines(expected), describe(found, every)])
    return build(data, f"{head}\n{text}" if head else text, notes=notes)


def _expected_lines(expected: Sequence[Expected]) -> list[str]:
    """Return the people whom cards or plan name before the text does, a line each under a heading."""
    if not expected:
        return []
    lines = [f"还没写到、也没有档案的 {len(expected)} 个（写到以前先用 `novel character add 名字` 建档）："]
    for one in expected:
        planned = f"排好的第 {consistency.ranges(list(one.chapters))} 章冲着他" if one.chapters else ""
        known = f"{'、'.join(one.known_to)}的档案里写了和他的关系" if one.known_to else ""
        lines.append(f"  {'　'.join(part for part in (one.name, planned, known) if part)}")
    return lines


def describe(found: Unregistered, every: bool = False) -> str:
    """Return a line for each name; with `every` also for people of one chapter and ignored names."""
    if not found.noted:
        return "正文里还没有记下没档案的名字。"
    shown = (*found.strangers, *found.passing) if every else found.strangers
    lines = [f"有 {len(shown)} 个名字还没有档案（记下过 {found.noted} 个）："] if shown else []
    lines += [f"  {name_line(one)}" for one in shown]
    beside = [f"只在一章里露过面的人 {len(found.passing)} 个"] if found.passing and not every else []
    beside += [f"你说不用建档的 {len(found.ignored)} 个"] if found.ignored and not every else []
    if every and found.ignored:
        lines.append(f"你说不用建档的：{'、'.join(found.ignored)}")
    if beside:
        lines.append(f"没有列：{'，'.join(beside)}（加 --all 列出）。")
    if not shown:
        lines.insert(0, f"没有要建档的名字（记下过 {found.noted} 个）。")
    return "\n".join([*lines, *([_HOW] if shown else [])])


def name_line(one: UnknownName) -> str:
    """Return one name as a line: `老周　角色？　3 章：第 2–3、7 章　城门口的守卒`."""
    kind = KINDS.get(one.suggested_type or "")
    where = (
        f"{len(one.chapters)} 章：第 {consistency.ranges(list(one.chapters))} 章" if one.chapters else None
    )
    context = " ".join(one.context.split()) if one.context else None
    return "　".join(part for part in (one.mention, f"{kind}？" if kind else None, where, context) if part)
