"""`novel sync`: list hand edits of landed chapters, and record a chapter anew. Source: protocol §2."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Mapping, Sequence
from novel_hooks.cli import answer, asking
from novel_hooks.cli.answer import Answer
from novel_hooks.cli.arguments import Parser, chapter
from novel_hooks.cli.context import Context
from novel_hooks.errors import Diagnostic, Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.inventory import backlog, lost_inputs
from novel_hooks.flows.resync import record_backlog, reopen
from novel_hooks.flows.session.session import writing
from novel_hooks.rules.steps import resync_steps
from novel_hooks.rules.text import typed_words

if TYPE_CHECKING:
    from novel_hooks.flows.inventory.hand_edits import Edit, Survey
    from novel_hooks.flows.review.versions import Changed
    from novel_hooks.rules.steps.resync_steps import OpenSync

_MEANS = (
    ("chapters/", "正文", "摘要、状态、记忆说的还是旧的正文"),
    ("summaries/", "摘要", "以后照你改的用"),
    ("evaluations/", "评审意见", "只是记录，不影响往下写"),
    ("state/", "串线检测", "只是记录，不影响往下写"),
    ("storylines/", "故事线记忆", "以后照你改的用"),
)
_SHOWN = 40
_NONE_LANDED = "还没有入库的章。"


def arguments(parser: Parser) -> None:
    parser.add_argument(
        "chapter",
        type=chapter,
        nargs="?",
        metavar="章号",
        help="重新记录这一章（搬进来的：补记）；不写则只列出",
    )
    parser.add_argument(
        "--accept", action="store_true", help="照现在的样子认下，不重新记录（只改了错字时用）"
    )
    parser.add_argument("--yes", action="store_true", help="没有手改过的章也直接开始，不再询问")
    parser.add_argument(
        "--backlog",
        type=_count,
        nargs="?",
        const=0,
        metavar="几章",
        help="补记搬进来的章，从最后一章往前；不写几章，就记接着写要用的，记完了再敲是其余的全部",
    )
    parser.add_argument("--cancel", action="store_true", help="放弃正在做的补记或重新记录")


def run(context: Context) -> Answer:
    args = context.args
    if args.cancel and (args.accept or args.chapter is not None):
        raise errors.UsageError(case="sync cancel")
    if args.accept and args.chapter is None:
        raise errors.UsageError(case="sync accept")
    if args.yes and (args.accept or args.chapter is None):
        raise errors.UsageError(case="sync yes")
    if args.backlog is not None and (args.cancel or args.accept or args.yes or args.chapter is not None):
        raise errors.UsageError(case="sync backlog")
    if args.backlog is not None:
        return _record_backlog(context, args.backlog or None)
    if args.cancel:
        return _cancel(context)
    if args.chapter is None:
        return _show_list(context)
    return _accept(context, args.chapter) if args.accept else _open(context, args.chapter)


def _show_list(context: Context) -> Answer:
    project, caller = context.project(), context.caller()
    notes: list[Diagnostic] = []
    renamed = 0
    try:
        with writing(project, caller) as session:
            renamed = reopen.follow_names(session)
            found = reopen.survey(Book(project), caller.now)
            reopen.remember(session, found)
        notes = [answer.note(n) for n in session.notes]
    except (errors.CommandBusy, errors.LockBusy):  # looking needs no lock; it is only not remembered
        found = reopen.survey(context.book(), caller.now)
    book = context.book()
    opened, left = resync_steps.open_sync(book.checkpoint()), sum(1 for _ in backlog.waiting(book))
    changed = _changed_texts(book, found)
    data = {
        "edits": [edit._asdict() for edit in found.edits],
        "texts": [
            {"chapter": number, **one.amount._asdict(), "lines": list(one.lines), "left": one.left}
            for number, one in changed.items()
        ],
        "chapters": sorted({edit.chapter for edit in found.edits}),
        "unrecorded": list(found.unrecorded),
        "open": opened.chapter if opened else None,
        "backlog": left,
        "renamed": renamed,
    }
    faults = [*_missing_problems(book, found.edits), *found.unfit]
    if faults:
        from novel_hooks.flows.inventory import lost_setting

        lost_setting.tell_places(book.project, faults)
    for fault in faults:
        fault.severity = "warning"
    text = describe(found, opened, changed)
    if left:
        text = (
            text.replace(_NONE_LANDED, "")
            + f"\n搬进来的章里有 {left} 章没有补记：运行 `novel sync --backlog`。"
        )
    if renamed:
        text = f"有 {renamed} 章的文件改了名，和设置（chapter_names）一致了。\n{text}"
    return Answer(data, text.lstrip("\n"), (*notes, *(fault.diagnostic() for fault in faults)))


def _changed_texts(book: Book, found: Survey) -> dict[int, Changed]:
    """Return what was changed in each text, of the first that are shown and were kept as they landed."""
    from novel_hooks.flows.review import versions

    spoilt = {fault.path for fault in found.unfit}
    texts = [e.chapter for e in found.edits[:_SHOWN] if e.path == layout.chapter(e.chapter)]
    changed = [n for n in texts if layout.chapter(n) not in spoilt and book.project.has(layout.chapter(n))]
    known = {number: versions.edit(book, number) for number in changed}
    return {number: one for number, one in known.items() if one is not None}


def _missing_problems(book: Book, edits: Sequence[Edit]) -> list[Problem]:
    lost = [e.chapter for e in edits if (e.path, e.what) == (layout.chapter(e.chapter), "missing")]
    return [lost_inputs.missing_text_refusal(book.project, lost)] if lost else []


def describe(found: Survey, opened: OpenSync | None, changed: Mapping[int, Changed]) -> str:
    """Name the edited files, what follows from the edits, and the commands for them."""
    spoilt = {fault.path for fault in found.unfit}
    lines = [_meaning_text(edit, edit.path in spoilt, changed) for edit in found.edits[:_SHOWN]]
    if len(found.edits) > _SHOWN:
        lines.append(f"  …还有 {len(found.edits) - _SHOWN} 个文件")
    lines = [*_head_lines(found), *lines]
    if opened is not None:
        lines.append(f"第 {opened.chapter} 章正在{opened.what}，运行 `novel next` 接着做。")
    whole = [edit for edit in found.edits if edit.path not in spoilt]
    return "\n".join([*lines, *(_advice_lines(whole) if opened is None else [])])


def _head_lines(found: Survey) -> list[str]:
    """What could be compared, and what could not: never that nothing was changed where nobody can tell."""
    advice: list[str] = []
    if found.unrecorded:
        which = typed_words.number_list(found.unrecorded)
        advice = [
            f"第 {which} 章没有入库记录，改没改过看不出来；改过正文的，运行 `novel sync 章号` 重新记录。"
        ]
    if found.edits:
        return [*advice, f"入库后手改过的文件有 {len(found.edits)} 个："]
    if not found.compared:
        return advice or [_NONE_LANDED]
    return [*advice, f"{'其余各章' if advice else ''}入库的文件都没有手改过。"]


def _meaning_text(edit: Edit, spoilt: bool, texts: Mapping[int, Changed]) -> str:
    kind, means = next((k, m) for start, k, m in _MEANS if edit.path.startswith(start))
    if edit.what == "missing":
        return f"  第 {edit.chapter} 章　{kind}不见了：请从备份取回　{edit.path}"
    if spoilt:
        return f"  第 {edit.chapter} 章　{kind}读不出内容　{edit.path}"
    changed = texts.get(edit.chapter) if edit.path == layout.chapter(edit.chapter) else None
    if changed is None:
        return f"  第 {edit.chapter} 章　{kind}改过：{means}　{edit.path}"
    told = changed.amount
    amount = f"删 {told.removed:,} 字，增 {told.added:,} 字"
    words = f" {told.places} 处（{amount}：novel diff {edit.chapter}）"
    lines = [*changed.lines, *([f"另有 {changed.left} 段"] if changed.left else [])]
    head = f"  第 {edit.chapter} 章　{kind}改过{words}：{means}　{edit.path}"
    return "\n".join([head, *(f"    {one}" for one in lines)])


def _advice_lines(edits: Sequence[Edit]) -> list[str]:
    texts = [e.chapter for e in edits if e.path == layout.chapter(e.chapter) and e.what == "changed"]
    if texts:
        return [f"情节有变：`novel sync {texts[0]}` 重新记录；只改了错字：`novel sync {texts[0]} --accept`。"]
    changed = [e.chapter for e in edits if e.what == "changed"]
    return [f"就照你改的用：`novel sync {changed[0]} --accept`。"] if changed else []


def _count(text: str) -> int:
    return chapter(text)


def _record_backlog(context: Context, wanted: int | None, number: int | None = None) -> Answer:
    with context.writing() as session:
        opened = record_backlog.begin(session, wanted, number)
    if opened is None:
        text = "搬进来的章都记过了，没有改动。"
        return answer.build({"chapter": None, "changed": False, "left": 0}, text, notes=session.notes)
    text = (
        f"补记从第 {opened.chapter} 章开始，往前共 {opened.left} 章。在 Claude Code 里输入 /novel:continue "
        "就会做；想停，运行 `novel sync --cancel`，记好的都在。"
    )
    if number is not None:
        data = {"chapter": number, "changed": True, "accepted": [], "missing": []}
        return answer.build(data, text, notes=session.notes)
    return answer.build(
        {"chapter": opened.chapter, "changed": True, "left": opened.left}, text, notes=session.notes
    )


def _open(context: Context, number: int) -> Answer:
    if backlog.is_waiting(context.book(), number):
        return _record_backlog(context, 1, number)
    if not context.args.yes and reopen.is_unchanged(context.book(), number, context.now):
        what = f"第 {number} 章入库后没有手改过，重新记录会让记录员和评审把它再做一遍"
        data = {"chapter": number, "changed": False, "accepted": [], "missing": []}
        agreed = asking.agrees(context, f"{what}；正文不动。")
        if agreed is None:
            return asking.refusal(data, f"{what}。", what, f"novel sync {number} --yes")
        if not agreed:
            return answer.build(data, "没有改动。")
    with context.writing(number) as session:
        found = reopen.begin(session, number)
    said = f"第 {number} 章开始重新记录。运行 `novel next` 看下一步，`novel sync --cancel` 可以放弃。"
    already = f"第 {number} 章已经在重新记录，没有改动。运行 `novel next` 接着做。"
    data = {"chapter": number, "changed": found.changed, "accepted": [], "missing": []}
    return answer.build(data, said if found.changed else already, notes=session.notes)


def _accept(context: Context, number: int) -> Answer:
    with context.writing(number) as session:
        found = reopen.accept(session, number)
    data = {
        "chapter": number,
        "changed": bool(found.paths),
        "accepted": list(found.paths),
        "missing": list(found.missing),
    }
    lines = [f"第 {number} 章照现在的样子认下了：", *(f"  {path}" for path in found.paths)]
    if not found.paths:
        lines = [f"第 {number} 章没有手改过的文件，没有改动。"]
    lines += [f"  {path} 不见了，认不了；请从备份取回。" for path in found.missing]
    return answer.build(data, "\n".join(lines), notes=session.notes)


def _cancel(context: Context) -> Answer:
    with context.writing() as session:
        found = reopen.cancel(session)
    text = "没有正在记录的章，没有改动。"
    if found:
        text = f"已放弃第 {found.chapter} 章的{found.what}；写好的留在 .novel/attempts/ 里，正文没有动。"
    return answer.build({"cancelled": found.chapter if found else None}, text, notes=session.notes)
