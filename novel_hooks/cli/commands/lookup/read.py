"""`novel read 12`, `novel read 12-15`: show the text of chapters. Reads only."""

from __future__ import annotations

from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser, ranges
from novel_hooks.cli.context import Context
from novel_hooks.flows.review import reading


def arguments(parser: Parser) -> None:
    what = "哪一章，或哪几章：12、12-15、3,7"
    parser.value("chapters", "章号", what, type=ranges("章"))


def run(context: Context) -> Answer:
    found = reading.read(context.book(), context.args.chapters)
    text = "\n\n\n".join(one.text.strip("\n") for one in found)
    return build({"chapters": [one._asdict() for one in found]}, text)._replace(paged=True)
