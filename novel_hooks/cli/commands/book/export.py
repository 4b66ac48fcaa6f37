"""`novel export`: write the landed chapters as TXT, Markdown, EPUB or Word, for readers and platforms.

Exit 0 also when the author said no; 1 when `--check` has findings; 3 without `--yes` when nobody can be
asked.
"""

from __future__ import annotations

import os
import shlex

from novel_hooks import errors
from novel_hooks.annotations import Any
from novel_hooks.cli import asking
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser, ranges, word
from novel_hooks.cli.asking import Offer
from novel_hooks.cli.context import Context, absolute_path
from novel_hooks.errors import FINDINGS
from novel_hooks.flows.publication import export
from novel_hooks.flows.publication.chapters import Wanted
from novel_hooks.flows.publication.export import Exported, Preview
from novel_hooks.rules.publication.file_names import NAMELESS
from novel_hooks.rules.text import typed_words

_SHOWN = 8


def arguments(parser: Parser) -> None:
    formats = word(typed_words.FORMATS)
    parser.value("format", "格式", "txt（默认）、markdown、epub、word", type=formats, nargs="?")
    parser.value("--chapters", "章", "只要这些章，如 3-10,15", type=ranges("章"), default=())
    parser.value("--volumes", "卷", "只要这些卷，如 1-2", type=ranges("卷"), default=())
    parser.flag("--split", "一章一个文件（TXT、Markdown）")
    parser.value(
        "--preset", "排版", "TXT 的排版：通用（默认）、起点、番茄、晋江", type=word(typed_words.PRESETS)
    )
    parser.value("--author", "笔名", "写在 EPUB、Word 里的作者")
    parser.value("--cover", "图片", "EPUB 的封面，JPG 或 PNG")
    parser.flag("--vertical", "EPUB 竖排，从右往左翻")
    parser.value("--to", "去处", "写到哪个文件（--split 时是文件夹）；默认在 exports/ 里")
    parser.flag("--check", "只查，不写：忌用词、字数、没收的伏笔、手改")
    parser.flag("--yes", "不再询问，直接导出")


def run(context: Context) -> Answer:
    order = _order(context)
    if context.args.check:
        return _check(export.preview(context.book(), order, context.now))
    context.caller().check_thread()
    return asking.ask_first(
        context,
        lambda book: export.preview(book, order, context.now),
        lambda shown: _offer(context, shown),
        lambda shown: _execute(context, order, shown),
    )


def _order(context: Context) -> export.Order:
    args = context.args
    ending = os.path.splitext(args.to or "")[1].lower()
    by_ending = next((key for key, one in export.ENDINGS.items() if one == ending), None)
    chosen = args.format or (None if args.split else by_ending) or "txt"
    for given, allowed, option in (
        (args.split, ("txt", "markdown"), "--split"),
        (args.preset, ("txt",), "--preset"),
        (args.cover, ("epub",), "--cover"),
        (args.vertical, ("epub",), "--vertical"),
        (args.author, ("epub", "docx"), "--author"),
    ):
        if given and chosen not in allowed:
            known = "、".join(typed_words.word_of(typed_words.FORMATS, one) for one in allowed)
            raise errors.UsageError(case="export option", option=option, known=known)
    return export.Order(
        chosen,
        Wanted(args.chapters, args.volumes),
        args.preset or "plain",
        args.split,
        args.author.strip() if args.author else None,
        absolute_path(args.to) if args.to else None,
        absolute_path(args.cover) if args.cover else None,
        args.vertical,
    )


def _check(shown: Preview) -> Answer:
    problems = shown.findings.problems
    text = f"要导出的{export.files_of(shown.numbers)}（{len(shown.numbers)} 章）"
    text += "，有这些要看一看：" if problems else "，没有查出什么。"
    return build(_document(shown, None), text, problems, FINDINGS if problems else 0)


def _offer(context: Context, shown: Preview) -> Offer:
    headline = f"把{export.files_of(shown.numbers)}（{len(shown.numbers)} 章）导出到 {shown.place}"
    lines = [f"《{shown.title}》：{headline}。"]
    if shown.title == NAMELESS:
        lines.append("这本书还没有书名：`novel config 书名 你的书名`，再导出。")
    lines += ["那里已有一份，会换成新的。"] if shown.replaced else []
    notes = [str(one) for one in shown.findings.problems]
    lines += ["先告诉你：", *(f"  {one}" for one in notes[:_SHOWN])] if notes else []
    lines += [f"  另有 {len(notes) - _SHOWN} 条；加 --check 看全部。"] if len(notes) > _SHOWN else []
    return Offer(_document(shown, None), "\n".join(lines), headline, _command(context), "")


def _command(context: Context) -> str:
    """Return the command that says yes: the same words again."""
    args, words = context.args, ["novel", "export"]
    words += [typed_words.word_of(typed_words.FORMATS, args.format)] if args.format else []
    for option, value in (("--chapters", args.chapters), ("--volumes", args.volumes)):
        shown = ",".join(str(low) if low == high else f"{low}-{high}" for low, high in value)
        words += [option, shown] if value else []
    words += ["--preset", typed_words.word_of(typed_words.PRESETS, args.preset)] if args.preset else []
    for option in ("author", "cover", "to"):
        value = getattr(args, option)
        words += [f"--{option}", shlex.quote(value)] if value else []
    words += [f"--{option}" for option in ("split", "vertical") if getattr(args, option)]
    return " ".join([*words, "--yes"])


def _execute(context: Context, order: export.Order, shown: Preview | None) -> Answer:
    book = context.book()
    before = shown or export.preview(book, order, context.now)
    found = export.run(book, order, asking.progress_bar(context, "导出"))
    problems = () if shown else before.findings.problems  # at a terminal he has read them with the question
    return build(_document(before, found), _describe(found), problems)


def _describe(found: Exported) -> str:
    what = f"{export.files_of(found.numbers)}（{len(found.numbers)} 章）"
    if not found.changed:
        return f"{found.place} 里就是现在的{what}，没有改动。"
    count = f"，共 {found.files} 个文件" if found.files > 1 else ""
    return f"{what}导出到了 {found.place}{count}。"


def _document(shown: Preview, found: Exported | None) -> dict[str, Any]:
    findings = shown.findings
    return {
        "place": shown.place,
        "chapters": list(shown.numbers),
        "files": found.files if found else 0,
        "changed": bool(found and found.changed),
        "words": findings.words,
        "lengths": [{"chapter": number, "chars": chars} for number, chars in findings.lengths.items()],
        "threads": findings.threads,
        "edited": findings.edited,
    }
