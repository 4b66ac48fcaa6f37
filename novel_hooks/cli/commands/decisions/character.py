"""`novel character add 名字 [--alias …] [--looks …] … [--yes]`: add a character's card without writing JSON.

Exit 0 also when the author said no; 3 without `--yes` when nobody can be asked.
"""

from __future__ import annotations

from novel_hooks.annotations import Any
from novel_hooks.cli import asking
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser
from novel_hooks.cli.asking import Offer
from novel_hooks.cli.context import Context
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.planning import new_character
from novel_hooks.flows.planning.new_character import Preview
from novel_hooks.rules.cast.field_words import WORDS

_FIELDS = {
    "age": "多大",
    "looks": "看得见的样子，一两句",
    "voice": "怎么说话，最好带一句他的话",
    "wants": "他想要什么",
    "fears": "他怕什么",
    "secret": "书里还没人知道的，只给架构师和评审",
}


def arguments(parser: Parser) -> None:
    parser.value("action", "add", "add：为一个人建档", choices=("add",))
    parser.value("name", "名字", "他在书里的名字")
    parser.value("--alias", "别名", "别的叫法，可以几个", nargs="+", default=[])
    for key, told in _FIELDS.items():
        parser.value(f"--{key}", WORDS[key], told)
    parser.value("--id", "代号", "档案的文件名，如 tang-po（不写就自动取）")
    parser.flag("--yes", "不再询问，直接建档")


def run(context: Context) -> Answer:
    return asking.ask_first(
        context,
        lambda book: _preview(context, book),
        lambda shown: _offer(context, shown),
        lambda shown: _execute(context, shown),
    )


def _preview(context: Context, book: Book) -> Preview:
    args = context.args
    told = {key: getattr(args, key) for key in _FIELDS if getattr(args, key)}
    return new_character.preview(book, args.name, args.alias, told, args.id)


def _offer(context: Context, shown: Preview) -> Offer:
    name = shown.card["display_name"]
    headline = f"为「{name}」建档：{shown.path}"
    text = "\n".join([headline, *_lines(shown)])
    return Offer(_document(shown, False), text, headline, _command(context), "没有建档。")


def _command(context: Context) -> str:
    """Return the command that says yes, as it is typed."""
    args = context.args
    options = [("alias", args.alias), *((key, [getattr(args, key) or ""]) for key in (*_FIELDS, "id"))]
    told = [f"--{key} {' '.join(map(_quoted, said))}" for key, said in options if any(said)]
    return " ".join(["novel character add", _quoted(args.name), *told, "--yes"])


def _quoted(word: str) -> str:
    return word if word.isalnum() else "'" + word.replace("'", "'\\''") + "'"


def _execute(context: Context, shown: Preview | None) -> Answer:
    with context.writing() as session:
        found = shown or _preview(context, Book(session.project))
        noted = new_character.run(session, found)
    lines = [f"为「{found.card['display_name']}」建好了档案：{found.path}。", *_lines(found)]
    lines.append("要加他不可违背的（契约）、改别的，直接改这个文件。" if noted else _UNNOTED)
    return build(_document(found, True), "\n".join(lines), notes=session.notes)


_UNNOTED = "设定还改过别的，没有记下；看过以后运行 `novel changed --note` 一起记下。"


def _document(shown: Preview, changed: bool) -> dict[str, Any]:
    return {"path": shown.path, "card": dict(shown.card), "alike": list(shown.alike), "changed": changed}


def _lines(shown: Preview) -> list[str]:
    """Return the card, a line a field, and what else the author should know."""
    card = shown.card
    lines = [f"  别名　{'、'.join(card['aliases'])}"] if card.get("aliases") else []
    lines += [f"  {WORDS[key]}　{card[key]}" for key in _FIELDS if card.get(key)]
    empty = "、".join(WORDS[key] for key in _FIELDS if key != "secret" and not card.get(key))
    lines += [f"  还没写的：{empty}（可以以后再补）"] if empty else []
    lines += [f"  注意：{'；'.join(shown.alike)}像是同一个人；是的话，不用建档。"] if shown.alike else []
    return lines
