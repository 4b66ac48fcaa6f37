"""`novel review [V]`: the review of a volume as it is now. Reads only. Source: protocol §2.

The review lands with `novel advance volume:VV:review` when the volume is written.
"""

from __future__ import annotations

from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser, volume
from novel_hooks.cli.context import Context
from novel_hooks.flows.review import volume_review


def arguments(parser: Parser) -> None:
    parser.value("volume", "卷号", "默认是现在这一卷", type=volume, nargs="?")


def run(context: Context) -> Answer:
    found = volume_review.run(context.book(), context.args.volume)
    return build(found.document, found.text, found.unread)
