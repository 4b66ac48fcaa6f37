"""`novel changed [--note | --done ID…]`: changed settings, and the planned chapters that they touch.

Without an option it only reads. Source: protocol §1 (`pending_actions`).
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Mapping
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser
from novel_hooks.cli.context import Context
from novel_hooks.flows.planning import setting_changes
from novel_hooks.flows.planning.setting_changes import ChangedSettings
from novel_hooks.rules.state import consistency

_NEVER = (
    "还没有记过设定的样子，在这之前改过什么看不出来；没写的章靠着改过的设定的，运行 `novel replan` 重排。\n"
    "运行 `novel changed --note` 记下现在的样子，以后再改就看得出来。"
)


def arguments(parser: Parser) -> None:
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--note", action="store_true", help="记下来，规划时接住")
    what.add_argument(
        "--done", nargs="+", metavar="序号", help="`novel changed` 列出的第几件已经处理好了；全部写 all"
    )


def run(context: Context) -> Answer:
    args = context.args
    if not args.note and not args.done:
        found = setting_changes.find_changes(context.book())
        return build(_document(found), _describe(found, noted=False))
    with context.writing() as session:
        found, count = (
            setting_changes.done(session, args.done) if args.done else (setting_changes.note(session), None)
        )
    text = _describe(found, bool(args.note)) if count is None else _describe_done(found, count)
    return build(_document(found), text, notes=session.notes)


def _document(found: ChangedSettings) -> dict[str, Any]:
    return {"known": found.known, "changes": list(found.fresh), "pending": list(found.pending)}


def _describe_done(found: ChangedSettings, count: int) -> str:
    head = f"{count} 件改动已处理，不再提醒。" if count else "没有记下过、等着处理的改动。"
    rest = _describe(found, noted=False) if found.fresh or found.pending else ""
    return "\n".join([head, *([rest] if rest else [])])


def _describe(found: ChangedSettings, noted: bool) -> str:
    lines = []
    if not found.known:
        lines.append("已记下设定现在的样子；在这之前改过什么，看不出来。" if noted else _NEVER)
    elif noted and found.fresh:
        lines.append("已记下这些改动，已写的章不动：")
    elif found.fresh:
        lines.append("设定改过这些，还没有记下（`novel changed --note`）：")
    numbers = {id(one): at for at, one in enumerate(found.pending, 1)}
    lines += [f"  · {_action_line(one)}" for one in found.fresh]
    fresh = [new["id"] for new in found.fresh] if noted else []
    told = [one for one in found.pending if not (isinstance(one, dict) and one.get("id") in fresh)]
    waiting = [one for one in told if not _touches_nothing(one)]
    if waiting:
        lines.append("记下过、还没有处理的（处理好了：`novel changed --done 序号`）：")
        lines += [f"  {numbers[id(one)]}. {_action_line(one)}" for one in waiting]
    if len(waiting) < len(told):
        lines.append("记下过、没有牵动排好的章的，不用处理；规划下一卷时会告诉架构师：")
        lines += [f"  · {_action_line(one)}" for one in told if _touches_nothing(one)]
    return "\n".join(lines) or "设定没有改动，也没有等着处理的。"


def _touches_nothing(one: Any) -> bool:
    return isinstance(one, dict) and one.get("chapters") == []


_WORDS = (("old", "原来："), ("new", "现在："))


def _action_line(one: Any) -> str:
    if not isinstance(one, dict):
        return str(one)
    chapters = [n for n in one.get("chapters") or () if isinstance(n, int)]
    where = f"牵动第 {consistency.ranges(chapters)} 章" if chapters else "没有牵动排好的章"
    return "\n    ".join([f"{one.get('what') or one}：{where}", *_word_lines(one)])


def _word_lines(one: Mapping[str, Any]) -> list[str]:
    """Return the words that changed: as one text where both the old and the new ones are known."""
    old, new = one.get("old"), one.get("new")
    if old and new:
        from novel_hooks.rules.review import difference

        told = difference.words_text(str(old), str(new))
        if told:  # nothing but blanks has changed where there is none
            return [f"改动：{told}"]
    return [f"{said}{one[key]}" for key, said in _WORDS if one.get(key)]
