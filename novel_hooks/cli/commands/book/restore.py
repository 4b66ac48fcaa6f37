"""`novel restore [ARCHIVE] [--yes]`: lay an archive over the book again. Source: ADR 0011.

Without an archive it lists them. `novel restore FILE.zip [FOLDER]` makes a book of a backup. Exit 0 also when
there was nothing to restore or the author said no; 3 without `--yes` when nobody can be asked.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any
from novel_hooks.cli import asking, blocks
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser
from novel_hooks.cli.asking import Offer
from novel_hooks.cli.context import Context, absolute_path, working_folder
from novel_hooks.flows.backup import unpack, write
from novel_hooks.flows.rollback import archive as archives
from novel_hooks.flows.rollback import restore
from novel_hooks.flows.rollback.restore import Preview, Restored


def arguments(parser: Parser) -> None:
    parser.value("archive", "存档", "存档的编号，或备份的 .zip 文件；不写就列出有哪些存档", nargs="?")
    parser.value("to", "文件夹", "备份取回到哪里：空的或还没有的文件夹", nargs="?")
    parser.flag("--yes", "不再询问，直接取回")


def run(context: Context) -> Answer:
    if context.args.archive is None:
        return blocks.archive_list(context.seen(), context.now)
    if context.args.archive.lower().endswith(write.ENDING):
        return _unpack(context)
    if context.args.to is not None:
        raise errors.UsageError(case="restore folder")
    stamp = context.caller().stamp
    return asking.ask_first(
        context,
        lambda book: restore.preview(book, context.args.archive, stamp),
        _offer,
        lambda shown: _execute(context, shown),
    )


def _unpack(context: Context) -> Answer:
    folder = context.args.to
    place = None if folder is None else absolute_path(folder)
    found = unpack.run(absolute_path(context.args.archive), place, working_folder())
    held = found.contents
    data = {"place": found.place, "title": held.title, "chapter": held.chapter, "files": len(held.files)}
    lines = [
        f"《{held.title}》取回来了，写到第 {held.chapter} 章：{found.place}",
        f"共 {len(held.files)} 个文件，都核对过。",
        "在 Claude Code 里打开这个文件夹，输入 /novel:continue 接着写。",
    ]
    lines += ["这本书接过 Codex：在这台电脑上再敲一次 `novel host codex`。"] if held.codex else []
    return build(data, "\n".join(lines))


def _offer(shown: Preview) -> Offer:
    told = f"{_headline(shown)}。" if shown.changes else None
    yes = f"novel restore {shown.archive} --yes"
    return Offer(_document(shown, False, None), told, _headline(shown), yes, _unchanged(shown))


def _execute(context: Context, shown: Preview | None) -> Answer:
    with context.writing() as session:
        found = restore.run(session, context.args.archive, shown)
    return build(
        _document(found.preview, found.preview.changes, found.kept), _describe(found), notes=session.notes
    )


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
