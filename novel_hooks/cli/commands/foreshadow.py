"""`novel foreshadow query N`: the threads that chapter N has to do with. Reads only. Source: seed 002 §5."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from novel_hooks.cli.arguments import Parser

from novel_hooks.cli import answer
from novel_hooks.cli.answer import Answer
from novel_hooks.cli.arguments import chapter
from novel_hooks.cli.context import Context
from novel_hooks.flows import threads


def arguments(parser: Parser) -> None:
    parser.add_argument("action", choices=("query",), metavar="query", help="查与一章有关的伏笔")
    parser.add_argument("chapter", type=chapter, metavar="章号")


def run(context: Context) -> Answer:
    items = threads.due(context.book(), context.args.chapter)
    return answer.of({"items": items}, text(context.args.chapter, items))


def text(number: int, items: list[dict[str, Any]]) -> str:
    if not items:
        return f"第 {number} 章没有要处理的伏笔。"
    return "\n".join(
        [
            f"第 {number} 章有 {len(items)} 条伏笔：",
            *(f"  {i['id']}　{i.get('description') or ''}" for i in items),
        ]
    )
