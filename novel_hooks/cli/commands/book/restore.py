"""`novel restore [ARCHIVE] [--yes]`: bring back what a rollback or a leaving took away. Source: ADR 0011.

Without an archive it lists those that there are.

Exit 0 also when all is there already or the author said no; 3 without `--yes` when nobody can be asked.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from novel_hooks.cli.arguments import Parser
    from novel_hooks.flows.rollback.restore import Preview, Restored

from novel_hooks import layout
from novel_hooks.cli import answer, asking, blocks
from novel_hooks.cli.answer import Answer
from novel_hooks.cli.asking import Offer
from novel_hooks.cli.context import Context
from novel_hooks.flows.rollback import archive as archives
from novel_hooks.flows.rollback import restore
from novel_hooks.flows.session.session import writing


def arguments(parser: Parser) -> None:
    parser.add_argument("archive", nargs="?", metavar="存档", help="存档的编号；不写就列出有哪些")
    parser.add_argument("--yes", action="store_true", help="不再询问，直接取回")


def run(context: Context) -> Answer:
    if context.args.archive is None:
        return blocks.archive_list(context.seen(), context.now)
    stamp = context.caller().stamp
    return asking.ask_first(
        context,
        lambda book: restore.preview(book, context.args.archive, stamp),
        _offer,
        lambda shown: _execute(context, shown),
    )


def _offer(shown: Preview) -> Offer:
    told = f"{_headline(shown)}。" if shown.changes else None
    yes = f"novel restore {shown.archive} --yes"
    return Offer(_document(shown, False, None), told, _headline(shown), yes, _unchanged(shown))


def _execute(context: Context, shown: Preview | None) -> Answer:
    with writing(context.project(), context.caller()) as session:
        found = restore.run(session, context.args.archive, shown)
    done = answer.build(_document(found.preview, found.preview.changes, found.kept), _describe(found))
    return answer.with_notes(done, session.notes)


def _document(shown: Preview, changed: bool, kept: str | None) -> dict[str, Any]:
    return {
        "archive": shown.archive,
        "changed": changed,
        "to_chapter": shown.to,
        "last_chapter": shown.last,
        "replaced": list(shown.since),
        "kept": kept,
    }


def _headline(shown: Preview) -> str:
    back = f"取回存档 {shown.archive}，全书回到写完第 {shown.last} 章的样子"
    if shown.kind == archives.RETIRE:
        back = f"取回存档 {shown.archive}，退场的角色回到 {layout.CHARACTERS}/"
    if shown.kind == archives.RENAME:
        back = f"取回存档 {shown.archive}，改过的名字都改回原来的"
    if not shown.since:
        return back
    written = f"第 {shown.to} 章之后新写的 {len(shown.chapters)} 章（{shown.chars} 字）"
    put_aside = written if shown.chapters else f"那以后改动过的 {len(shown.since)} 个文件"
    return f"{back}；{put_aside}先另行存档"


def _describe(found: Restored) -> str:
    if not found.preview.changes:
        return _unchanged(found.preview)
    done = f"已{_headline(found.preview)}。"
    if found.kept is None:
        return done
    return f"{done}\n换下的在 {layout.ARCHIVE}/{found.kept}。"


def _unchanged(shown: Preview) -> str:
    return f"存档 {shown.archive} 里的内容都在原处，没有改动。"
