"""`novel init`: a new project. Never overwrites."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from novel_hooks.cli.arguments import Parser
import os

from novel_hooks.cli import answer
from novel_hooks.cli.answer import Answer
from novel_hooks.cli.context import Context, here
from novel_hooks.errors import UsageError
from novel_hooks.flows import begin


def arguments(parser: Parser) -> None:
    parser.add_argument("folder", nargs="?", metavar="文件夹", help="新项目放在哪里（默认是当前文件夹）")
    parser.add_argument("--title", metavar="书名")
    parser.add_argument("--genre", metavar="题材")


def run(context: Context) -> Answer:
    args = context.args
    place = os.path.abspath(os.path.join(here(), args.folder or args.project or ""))
    if os.path.lexists(place) and not os.path.isdir(place):
        raise UsageError(detail=f"「{place}」是文件，不是文件夹", how="请换一个文件夹的名字。")
    if place in (os.path.dirname(place), os.path.expanduser("~")):
        raise UsageError(
            detail=f"「{place}」里放着别的一切，不能当作一本书", how="请给新书单独起一个文件夹。"
        )
    found = begin.run(place, context.caller(), args.title, args.genre)
    lines = [f"新项目已建好：{found.root}", *(f"  {path}" for path in found.files)]
    lines.append("接下来：照模板填好 brief.md、文风和忌用词。")
    lines.append("规划新书的向导还没有；卷大纲和契约可以照着示例小说写（`novel demo`）。")
    return answer.of({"root": found.root, "files": list(found.files)}, "\n".join(lines))
