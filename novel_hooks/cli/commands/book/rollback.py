"""`novel rollback N [--yes]` and `--list`: the book as it was after chapter N. Source: ADR 0011.

Exit 0 also when there was nothing to do or the author said no; 3 without `--yes` when nobody can be asked.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any
from novel_hooks.cli import answer, asking, blocks
from novel_hooks.cli.answer import Answer
from novel_hooks.cli.arguments import Parser, chapter_or_none
from novel_hooks.cli.asking import Offer
from novel_hooks.cli.context import Context
from novel_hooks.flows.rollback import rollback
from novel_hooks.flows.rollback.rollback import Preview, RolledBack

_SHOWN = 8


def arguments(parser: Parser) -> None:
    parser.add_argument(
        "chapter",
        type=chapter_or_none,
        nargs="?",
        metavar="章号",
        help="退回到这一章刚写完的时候；0 是一章未写",
    )
    parser.add_argument("--yes", action="store_true", help="不再询问，直接退回")
    parser.add_argument("--list", action="store_true", help="列出已有的存档，和重建时换下的旧状态")


def run(context: Context) -> Answer:
    args = context.args
    if args.list == (args.chapter is not None):
        raise errors.UsageError(case="rollback")
    if args.list:
        return blocks.archive_list(context.seen(), context.now)
    stamp = context.caller().stamp
    return asking.ask_first(
        context,
        lambda book: rollback.preview(book, args.chapter, stamp),
        _offer,
        lambda shown: _execute(context, shown),
    )


def _offer(shown: Preview) -> Offer:
    told = _describe_offer(shown) if shown.changes else None
    yes = f"novel rollback {shown.chapter} --yes"
    return Offer(_document(shown, None), told, _headline(shown), yes, _unchanged(shown))


def _execute(context: Context, shown: Preview | None) -> Answer:
    with context.writing() as session:
        found = rollback.run(session, context.args.chapter, shown)
    return answer.build(
        _document(found.preview, found.archive), _describe(found), found.warnings, notes=session.notes
    )


def _document(shown: Preview, archive: str | None) -> dict[str, Any]:
    return {
        "chapter": shown.chapter,
        "changed": archive is not None,
        "archive": archive,
        "from_chapter": shown.last,
        "inflight_chapter": shown.inflight,
        "chapters": list(shown.chapters),
        "chars": shown.chars,
        "staged": list(shown.staged),
        "hand_edits": list(shown.edits),
    }


def _headline(shown: Preview, tense: str = "会") -> str:
    """What goes, in one line; `tense` is 会 before and 已 after."""
    parts = []
    if shown.chapters:
        parts.append(f"{_range_text(shown.chapters)}（{len(shown.chapters)} 章，共 {shown.chars} 字）")
    if shown.inflight is not None:
        parts.append(f"正在写的第 {shown.inflight} 章")
    elif shown.staged:
        parts.append(f"暂存区里还没入库的 {len(shown.staged)} 个文件")
    gone = "和".join(parts) or "后来的记录"
    return f"回到{_chapter_text(shown.chapter)}，{tense}把{gone}取走存档"


def _describe_offer(shown: Preview) -> str:
    lines = [f"{_headline(shown)}。"]
    if shown.edits:
        lines.append("其中你手工改过：")
        lines += [f"  {path}" for path in shown.edits[:_SHOWN]]
        lines += [f"  …共 {len(shown.edits)} 个文件"] if len(shown.edits) > _SHOWN else []
    if shown.left:
        lines.append("有些内容没有底稿，退不回去，会留在原处：")
        lines += [f"  {sentence}" for sentence in shown.left]
    lines.append("取走的都原样存着，用 `novel restore` 可以取回；大纲和设定不动。")
    return "\n".join(lines)


def _describe(found: RolledBack) -> str:
    if found.archive is None:
        return _unchanged(found.preview)
    number = found.archive.partition("-")[0]
    return (
        f"{_headline(found.preview, '已')}。\n"
        f"存档在 {layout.ARCHIVE}/{found.archive}；想取回，运行 `novel restore {number}`。"
    )


def _unchanged(shown: Preview) -> str:
    return f"现在就在{_chapter_text(shown.chapter)}，没有改动。"


def _chapter_text(chapter: int) -> str:
    return f"第 {chapter} 章之后" if chapter else "第一章之前"


def _range_text(chapters: tuple[int, ...]) -> str:
    first, last = chapters[0], chapters[-1]
    return f"第 {first} 章" if first == last else f"第 {first}–{last} 章"
