"""`novel retire NAME [--settle] [--yes]`: take a character out of the book when nothing needs him any more.

`--settle` also settles, in the same landing, everything that still needs him. Exit 0 also when he has left
already or the author said no; 3 without `--yes` when nobody can be asked.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any
from novel_hooks.cli import answer, asking
from novel_hooks.cli.answer import Answer
from novel_hooks.cli.arguments import Parser
from novel_hooks.cli.asking import Offer
from novel_hooks.cli.context import Context
from novel_hooks.flows.pipeline import settled_retirement as settling
from novel_hooks.flows.rollback import retire
from novel_hooks.rules.planning import retirement
from novel_hooks.rules.planning.retirement import Settlement


def arguments(parser: Parser) -> None:
    parser.add_argument("who", metavar="角色", help="名字、别名或代号")
    what = "还牵着他的一起了结：他的伏笔放下，故事线去掉他，要他出场的章跟着重排"
    parser.add_argument("--settle", action="store_true", help=what)
    parser.add_argument("--keep-threads", action="store_true", help="和 --settle 一起用：伏笔不放下，照样收")
    parser.add_argument("--yes", action="store_true", help="不再询问，直接退场")


def run(context: Context) -> Answer:
    args = context.args
    if args.keep_threads and not args.settle:
        raise errors.UsageError(case="retire threads")
    if not args.settle:
        return asking.ask_first(
            context,
            lambda book: retire.preview(book, args.who),
            lambda shown: _offer(shown, []),
            lambda shown: _execute(context, shown),
        )
    return asking.ask_first(
        context,
        lambda book: settling.preview(book, args.who, args.keep_threads),
        lambda shown: _offer(shown.who, _settled_lines(shown), shown, args.keep_threads),
        lambda shown: _settle(context, shown),
    )


def _offer(
    who: retire.Preview, lines: list[str], whole: settling.Preview | None = None, keep: bool = False
) -> Offer:
    back = "以后可以用 `novel restore` 请回来。"
    told = "\n".join([f"{_headline(who)}。", *lines, back]) if who.paths else None
    options = "" if whole is None else " --settle --keep-threads" if keep else " --settle"
    yes = f"novel retire {who.slug}{options} --yes"
    return Offer(_document(who, None, whole), told, _headline(who), yes, _unchanged(who))


def _execute(context: Context, shown: retire.Preview | None) -> Answer:
    with context.writing() as session:
        found = retire.run(session, context.args.who, shown)
    return answer.build(
        _document(found.preview, found.archive), _describe(found.preview, found.archive), notes=session.notes
    )


def _settle(context: Context, shown: settling.Preview | None) -> Answer:
    with context.writing() as session:
        found = settling.run(session, context.args.who, context.args.keep_threads, shown)
    whole, who = found.preview, found.preview.who
    lines = [_describe(who, found.archive), *(_settled_lines(whole, done=True) if found.archive else [])]
    return answer.build(_document(who, found.archive, whole), "\n".join(lines), notes=session.notes)


def _settled_lines(shown: settling.Preview, done: bool = False) -> list[str]:
    """Return what is settled, a line each."""
    lines = [f"  {part}" for part in retirement.settled_parts(shown.settled)]
    if shown.reopened is None:
        return lines
    if done:
        return [*lines, f"  本卷从第 {shown.reopened} 章起正在重排。运行 `novel next` 看下一步。"]
    return [*lines, "  写好的章不动；重排好之前不能往下写。"]


def _document(
    who: retire.Preview, archive: str | None, whole: settling.Preview | None = None
) -> dict[str, Any]:
    settled = whole.settled if whole is not None else Settlement({}, (), (), ())
    return {
        "id": who.slug,
        "name": who.name,
        "changed": archive is not None,
        "archive": archive,
        "paths": list(who.paths),
        "threads": dict(settled.threads),
        "storylines": list(settled.lines),
        "chapters": list(settled.chapters),
        "replan_from": whole.reopened if whole is not None else None,
    }


def _headline(shown: retire.Preview) -> str:
    return f"「{shown.name}」退场，他的档案移到 {layout.RETIRED}/，以后的章节不再用他"


def _describe(shown: retire.Preview, archive: str | None) -> str:
    if archive is None:
        return _unchanged(shown)
    return f"「{shown.name}」已退场，档案在 {layout.RETIRED}/。想请回来，运行 `novel restore {shown.name}`。"


def _unchanged(shown: retire.Preview) -> str:
    return f"「{shown.name}」早已退场，没有改动。"
