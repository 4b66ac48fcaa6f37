"""`novel note [CHAPTER] [TEXT]`: keep the author's wish for a chapter. Without a text it only lists."""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.annotations import Any
from novel_hooks.cli import blocks
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser, chapter, note_number
from novel_hooks.cli.context import Context
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.pipeline import answer as pipeline_answer
from novel_hooks.rules.steps import chapter_notes
from novel_hooks.rules.steps.checkpoint import Checkpoint
from novel_hooks.rules.text import typed_words

Comments = list[tuple[int, str]]


def arguments(parser: Parser) -> None:
    parser.value("chapter", "章号", "给哪一章；不写就列出全部", nargs="?", type=chapter)
    parser.value("text", "话", "要写手、架构师记住的；不写就列出这一章的", nargs="*")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--change", type=note_number, metavar="编号", help="改写这一条：后面的章号和话是新的")
    what.add_argument("--remove", nargs="+", type=note_number, metavar="编号", help="去掉这几条")


def run(context: Context) -> Answer:
    args = context.args
    told = " ".join(args.text).strip()
    text = "" if typed_words.is_blank(told) else told
    if args.remove and args.chapter is not None:
        raise errors.UsageError(case="note remove")
    if not args.remove and not text and (args.text or args.change is not None):
        raise errors.UsageError(case="note blank")
    beside = pipeline_answer.comments(context.book(), args.chapter)  # before anything is written
    if not args.remove and not text:
        book = context.book()
        return build(_document(book, args.chapter, beside), _describe(book, args.chapter, beside))
    with context.writing() as session:
        if args.remove:
            gone = pipeline_answer.remove_notes(session, args.remove)
            head = f"去掉了：{'；'.join(one.text for one in gone)}。"
        else:
            kept, changed = (
                pipeline_answer.change_note(session, args.change, args.chapter, text)
                if args.change is not None
                else pipeline_answer.add_note(session, args.chapter, text)
            )
            head = f"{'记下了' if changed else '早已记下'}，编号 {kept.number}。"
    book = context.book()
    only = args.chapter
    return build(_document(book, only, beside), "\n".join([head, *_advice(book, only)]), notes=session.notes)


def _advice(book: Book, number: int | None) -> list[str]:
    """Return what becomes of a note of this chapter now; [] when none was added."""
    if number is None:
        return []
    point = book.checkpoint()
    if number <= point.last:
        return [f"第 {number} 章已经入库：退回它（novel rollback {number - 1}）重写时，写手会拿到这句话。"]
    if point.active and point.inflight == number and point.stage != "drafting":
        return [f"第 {number} 章的初稿已经写好：这一章修订、重写时，写手会拿到这句话。"]
    return [f"写第 {number} 章时，写手会拿到这句话；这一章还没排进大纲的，架构师也会拿到。"]


def _document(book: Book, number: int | None, beside: Comments) -> dict[str, Any]:
    found = chapter_notes.read_all(book.decisions())
    listed = [{"line": line, "text": words} for line, words in beside]
    return {"notes": [one._asdict() for one in found if number in (None, one.chapter)], "comments": listed}


def _describe(book: Book, number: int | None, beside: Comments) -> str:
    point = book.checkpoint()
    found = [one for one in chapter_notes.read_all(book.decisions()) if number in (None, one.chapter)]
    lines = [f"正文第 {line} 行的批注　{words}" for line, words in beside]
    if not found and lines:
        return "\n".join(lines)
    if not found:
        where = "还没有给哪一章留过话" if number is None else f"第 {number} 章没有留过话"
        return f"{where}。要留，写 `novel note {number or 12} '想要的'`。"
    told = [
        f"第 {one.chapter} 章（{_state(one, point)}）　{blocks.note_text(one.number, one.text)}"
        for one in found
    ]
    how = "改写：`novel note 章号 '新的话' --change 编号`；去掉：`novel note --remove 编号`。"
    return "\n".join([*told, *lines, how])


def _state(one: chapter_notes.Note, point: Checkpoint) -> str:
    if one.used:
        return "已照着写了"
    if one.chapter <= point.last:
        return "已入库，重写时交给写手"
    return "正在写" if point.active and point.inflight == one.chapter else "还没写"
