"""`novel config [KEY [VALUE]]`: show or change the author's settings. Source: protocol §3, seed 004."""

from __future__ import annotations

import json

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Any, Sequence
from novel_hooks.cli import answer
from novel_hooks.cli.answer import Answer
from novel_hooks.cli.context import Context
from novel_hooks.errors import Problem, Problems
from novel_hooks.flows.book import settings
from novel_hooks.flows.book.collect import collect_problems
from novel_hooks.flows.setup import configure
from novel_hooks.rules.text import typed_words

if TYPE_CHECKING:
    from novel_hooks.cli.arguments import Parser
    from novel_hooks.flows.setup.configure import Shown

_NAMING = (
    errors.ConfigNoSuch,
    errors.ConfigMap,
    errors.ConfigRefused,
    errors.ConfigUneditable,
    errors.ConfigComment,
)


def arguments(parser: Parser) -> None:
    parser.add_argument("key", nargs="?", metavar="设置", help="如 通过线（gate.pass）；不写是列出全部")
    parser.add_argument("value", nargs="*", metavar="值", help="要改成的值，如 4.2；几个值之间用空格或逗号")
    parser.add_argument("--unset", action="store_true", help="不要自己的值，用回默认的")


def run(context: Context) -> Answer:
    args = context.args
    key = None if args.key is None else typed_words.setting_key(args.key)
    try:
        return _show_or_change(context, key)
    except Problem as wrong:
        raise Problems(_as_typed(one, key, args.key) for one in wrong.problems) from None


def _as_typed(wrong: Problem, key: str | None, typed: str | None) -> Problem:
    """A refusal names the setting as the author did."""
    if key == typed or not isinstance(wrong, _NAMING) or wrong.values.get("key") != key:
        return wrong
    told: dict[str, Any] = {name: value for name, value in wrong.values.items() if name != "path"}
    return type(wrong)(wrong.path, **{**told, "key": typed})


def _show_or_change(context: Context, key: str | None) -> Answer:
    args = context.args
    if args.unset and (args.key is None or args.value):
        raise errors.UsageError(case="config unset")
    if key is None or not (args.value or args.unset):
        listed = configure.shown(context.book(), key)
        return answer.build(_document(listed, False), _table(listed) if key is None else _describe(listed))
    with context.writing() as session:
        told = None if args.unset else " ".join(args.value)
        listed, changed = configure.change(session, key, told)
    head = f"已改好 {layout.CONFIG}。" if changed else "没有要改的，和原来一样。"
    words = "\n".join([head, *([_describe(listed)] if listed else [])])
    doubts = collect_problems(
        lambda: settings.price_warnings(context.book())
    )  # after the landing: nothing of it refuses
    return answer.build(_document(listed, changed), words, doubts, notes=session.notes)


def _document(listed: Sequence[Shown], changed: bool) -> dict[str, Any]:
    return {"settings": [one._asdict() for one in listed], "changed": changed}


def _table(listed: Sequence[Shown]) -> str:
    lines = [
        f"{_setting_name(one)} = {_value_text(one.key, one.value)}{_change_text(one)}　{one.meaning}"
        for one in listed
    ]
    head = f"这本书的设置（写在 {layout.CONFIG} 里；没有写的用默认值）："
    return "\n".join(
        [head, *lines, "改一项：`novel config 设置 值`；用回默认：`novel config --unset 设置`。"]
    )


def _describe(listed: Sequence[Shown]) -> str:
    return "\n".join(
        f"{_setting_name(one)} = {_value_text(one.key, one.value)}　{one.meaning}"
        f"（默认 {_default_text(one.key, one.default)}）"
        for one in listed
    )


def _setting_name(one: Shown) -> str:
    return f"{typed_words.setting_name(one.key)}（{one.key}）"


def _change_text(one: Shown) -> str:
    return "" if one.value == one.default else f"（你定的，默认 {_default_text(one.key, one.default)}）"


def _default_text(key: str, value: Any) -> str:
    """Return the default as it stands within brackets."""
    text = _value_text(key, value)
    return "无" if text == "（无）" else text


def _value_text(key: str, value: Any) -> str:
    """In words that `novel config` reads back."""
    if key == "stop_after":
        listed = value if isinstance(value, list) else [value]
        return "、".join(typed_words.word_of(typed_words.STOPS, one) for one in listed) or "都不停"
    if key == "chapter_chars":
        return "～".join(map(str, value))
    if value in (None, "", [], {}):
        return "（无）"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
