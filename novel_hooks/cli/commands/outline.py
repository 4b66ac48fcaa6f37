"""`novel outline`: the chapters of the volume, or one chapter's block. Reads only."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from novel_hooks.cli.arguments import Parser
from novel_hooks.cli import answer
from novel_hooks.cli.answer import Answer
from novel_hooks.cli.arguments import chapter
from novel_hooks.cli.context import Context
from novel_hooks.errors import DONE, FINDINGS, Problem
from novel_hooks.flows.book import Book
from novel_hooks.rules import outline as outlines


def arguments(parser: Parser) -> None:
    parser.add_argument("--chapter", type=chapter, metavar="章号", help="只看这一章的大纲")
    parser.add_argument("--volume", type=chapter, metavar="卷号", help="默认是当前卷")


def run(context: Context) -> Answer:
    book = context.book()
    volume = context.args.volume or max(1, book.checkpoint().volume)
    return one(book, volume, context.args.chapter) if context.args.chapter else listed(book, volume)


def one(book: Book, volume: int, number: int) -> Answer:
    outline = book.need_outline(volume)
    block = outlines.block(outline, number)
    found = next(h for h in outline.headings if h.chapter == number)
    data = {
        "volume": volume,
        "chapter": number,
        "title": found.title,
        "line": found.line,
        "keys": dict(outlines.keys(block)),
        "block": block,
    }
    problems = outlines.key_problems(outline, number)
    return answer.of(data, block, problems, FINDINGS if problems else DONE)


def listed(book: Book, volume: int) -> Answer:
    outline = book.need_outline(volume)
    problems: list[Problem] = [*outlines.near_problems(outline), *outlines.numbering_problems(outline)]
    data = {
        "volume": volume,
        "start": outline.start,
        "end": outline.end,
        "chapters": [{"chapter": h.chapter, "title": h.title, "line": h.line} for h in outline.headings],
    }
    lines = [f"第 {volume} 卷：第 {outline.start}-{outline.end} 章"]
    lines += [f"  第 {h.chapter} 章　{h.title or ''}".rstrip() for h in outline.headings]
    return answer.of(data, "\n".join(lines), problems, FINDINGS if problems else DONE)
