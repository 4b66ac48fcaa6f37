"""`novel foreshadow [list] | query C | show WORDS | overdue`: the threads of a book. Source: seed 002.

`drop WORDS` gives a thread up, `revive WORDS` takes it up again; the other forms only read. Lateness counts
from the last landed chapter, as in `status` (§4); in `query C` from C.
"""

from __future__ import annotations

import argparse

from novel_hooks import errors
from novel_hooks.annotations import TYPE_CHECKING, Any, Mapping
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser, chapter, word
from novel_hooks.cli.context import Context
from novel_hooks.flows.book import foreshadowing as book_foreshadowing
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.foreshadowing import Thread
from novel_hooks.rules.foreshadowing import facts
from novel_hooks.rules.foreshadowing.item import ACTION_WORDS, CLOSED, course, described
from novel_hooks.rules.text import typed_words

if TYPE_CHECKING:
    from novel_hooks.flows.planning.dropped_threads import Outcome

STATUS = {key: words[0] for key, words in typed_words.STATUS.items()}
SCOPE = {key: words[0] for key, words in typed_words.SCOPE.items()}
_NUMBERS = "0123456789零〇一二三四五六七八九十百千万两第章-+. "
_ACTIONS = ("query", "list", "show", "overdue", "drop", "revive")
_NEEDS = {"query": "章号", "show": "伏笔", "drop": "伏笔", "revive": "伏笔"}


def arguments(parser: Parser) -> None:
    parser.value(
        "action",
        "做什么",
        "list：全部，不写也是它；query 章号：这一章要处理的；show 伏笔：一条的来龙去脉；"
        "overdue：超期未收的；drop 伏笔：放下不收了；revive 伏笔：放下的接回来",
        nargs="?",
        default="list",
        choices=_ACTIONS,
    )
    parser.value(
        "what",
        "章号或伏笔",
        "query 后面写章号，别的写伏笔：编号，或描述里的几个字，如 灯草，可以写几个词",
        nargs="*",
    )
    parser.value("--reason", "原因", "drop 时记下为什么放下")
    parser.value("--status", "状态", _choices(STATUS), type=word(typed_words.STATUS))
    parser.value("--scope", "长短", _choices(SCOPE), type=word(typed_words.SCOPE))


def _choices(words: dict[str, str]) -> str:
    return f"list 时只看：{'、'.join(f'{word}（{key}）' for key, word in words.items())}"


def run(context: Context) -> Answer:
    args = context.args
    args.what = " ".join(args.what) or None  # several words of a thread's description need no quotes
    _check_words(args)
    if args.action in ("drop", "revive"):
        return _drop_or_revive(context)
    book = context.book()
    number = _chapter_number(args.what) if args.action == "query" else None
    if number is not None:
        items = book_foreshadowing.due_tasks(book, number)
        end = book_foreshadowing.last_planned_chapter(book)
        return build({"items": items}, describe(number, items, end))
    if args.action in ("query", "show"):
        return _show(book, args.what)
    last = book.checkpoint().last
    if args.action == "overdue":
        items = book_foreshadowing.overdue(book)
        told = _describe_overdue(items, last)
        return build({"chapter": last, "items": items}, told, book_foreshadowing.doubled_problems(book))
    every = book_foreshadowing.all_threads(book)
    items = [item for item in every if _wanted(item, args.status, args.scope)]
    told = _describe_list(items, len(every), last)
    return build({"chapter": last, "items": items}, told, book_foreshadowing.doubled_problems(book))


def _show(book: Book, words: str) -> Answer:
    name, found = book_foreshadowing.find_thread(book, words)
    data = {
        "item": found.fact,
        "plans": [{"volume": volume, "item": item} for volume, item in found.planned],
        "chapter": found.chapter,
        "overdue_by": found.late,
    }
    told = describe_thread(found, book_foreshadowing.storyline_names(book))
    drop = book.dropped_threads().get(name)
    if drop is not None:
        told += f"\n{_drop_line(drop)}"
        data["dropped"] = drop
    return build(data, told, [*found.warnings, *book_foreshadowing.doubled_problems(book, name)])


def _drop_line(drop: Mapping[str, Any]) -> str:
    reason = f"：{drop['reason']}" if drop.get("reason") else "。"
    return f"作者放下了它（{str(drop['at'])[:10]}，写完第 {drop['chapter']} 章时）{reason}"


def _drop_or_revive(context: Context) -> Answer:
    from novel_hooks.flows.planning import dropped_threads

    args = context.args
    with context.writing() as session:
        if args.action == "drop":
            found = dropped_threads.give_up(session, args.what, args.reason)
        else:
            found = dropped_threads.revive(session, args.what)
    data = {"id": found.name, "changed": found.changed, "dropped": found.record}
    return build(data, _describe_drop(args.action, found), found.warnings, notes=session.notes)


def _describe_drop(action: str, found: Outcome) -> str:
    if action == "revive":
        return (
            f"伏笔「{found.title}」接回来了。"
            if found.changed
            else f"伏笔「{found.title}」没有放下过，没有改动。"
        )
    if not found.changed:
        return f"伏笔「{found.title}」早已放下，没有改动。"
    back = f"想接回来，运行 `novel foreshadow revive {found.name}`。"
    return f"伏笔「{found.title}」放下了：以后不再催它、不再要求收它；写过的章不动。{back}"


def _check_words(args: argparse.Namespace) -> None:
    """Raises UsageError for a word too many or too few."""
    action, what, needs = args.action, args.what, _NEEDS.get(args.action)
    if needs and not what:
        raise errors.UsageError(case="foreshadow lacks", action=action, needs=needs)
    if not needs and what:
        raise errors.UsageError(case="foreshadow word", action=action, what=what)
    if (args.status or args.scope) and action != "list":
        raise errors.UsageError(case="list only")
    if args.reason is not None and action != "drop":
        raise errors.UsageError(case="drop only")


def _chapter_number(what: str) -> int | None:
    """Return the chapter's number; None for words that name a thread."""
    try:
        return chapter(what)
    except argparse.ArgumentTypeError as wrong:
        if any(mark not in _NUMBERS for mark in typed_words.normalize_typed(what)):
            return None
        raise errors.UsageError(case="foreshadow chapter", reason=wrong) from wrong


def _wanted(item: dict[str, Any], status: str | None, scope: str | None) -> bool:
    """`open`: a fact that is neither resolved nor given up."""
    told = item.get("status")
    fits = status is None or told == status or (status == "open" and told not in (*CLOSED, "planned"))
    return fits and (scope is None or item.get("scope") == scope)


def describe(number: int, items: list[dict[str, Any]], end: int | None = None) -> str:
    """Return a line for each thread. `end` is the last planned chapter; lateness after it is unknown."""
    beyond = end is not None and number > end
    lines = [f"第 {number} 章还没有大纲：本卷到第 {end} 章，那时超不超期现在说不准。"] if beyond else []
    if not items:
        return "\n".join([*lines, f"第 {number} 章没有要处理的伏笔。"])
    lines.append(f"第 {number} 章有 {len(items)} 条伏笔：")
    return "\n".join([*lines, *(f"  {thread_line(i, 0 if beyond else number)}" for i in items)])


def thread_line(item: dict[str, Any], chapter: int) -> str:
    """Return one thread as a line.

    `灯的数目（clue-001）　短线　第 1 章已埋　计划第 5–9 章收　超期 3 章`; what is not known is left
    out."""
    name, told = item["id"], described(item)
    parts = [f"{told}（{name}）" if told != name else name]
    parts += [SCOPE.get(item.get("scope") or ""), *course(item)]
    late = facts.lateness(item, chapter)
    parts.append(f"超期 {late} 章" if late else None)
    return "　".join(part for part in parts if part)


def _describe_list(items: list[dict[str, Any]], every: int, last: int) -> str:
    if not every:
        return "还没有伏笔。"
    if not items:
        return f"没有符合的伏笔（共 {every} 条）。"
    lines = [f"伏笔 {len(items)} 条" + (f"（共 {every} 条）" if every != len(items) else "") + "："]
    for status in ("planted", "advanced", "", "planned", "resolved", "dropped"):
        group = [item for item in items if (item.get("status") or "") == status]
        if group:
            lines.append(f"{STATUS.get(status, '没写状态')} {len(group)} 条")
            lines += [f"  {thread_line(item, last)}" for item in group]
    return "\n".join(lines)


def _describe_overdue(items: list[dict[str, Any]], last: int) -> str:
    if not items:
        return f"写完第 {last} 章，没有超期的伏笔。" if last else "还没有写好的章，没有超期的伏笔。"
    lines = [f"写完第 {last} 章，{len(items)} 条短线伏笔过了该收的章还没收："]
    return "\n".join([*lines, *(f"  {thread_line(item, last)}" for item in items)])


def describe_thread(found: Thread, lines_named: Mapping[str, str]) -> str:
    """Return the lines on one thread: description, history, plan."""
    known = found.fact or facts.all_threads((), [found.planned[-1][1]])[0]
    lines = [thread_line(known, found.chapter)]
    if known.get("planted_storyline"):
        told = known["planted_storyline"]
        lines.append(f"故事线：{lines_named.get(told, told)}")
    halves = (("signal", "读者看得见的"), ("payoff", "谜底"))
    lines += [f"{title}：{known[key]}" for key, title in halves if known.get(key)]
    history = known.get("history") or []
    lines.append("经过：" if history and found.fact else "经过：正文里还没有写到。")
    if found.fact:
        lines += [f"  {_history_line(entry)}" for entry in history]
    lines += ["计划："] if found.planned else ["计划：各卷的伏笔计划里没有它。"]
    for volume, item in found.planned:
        told = [item.get("description"), *course(item, done=False)]
        lines.append(f"  第 {volume} 卷　" + "　".join(str(part) for part in told if part))
    return "\n".join(lines)


def _history_line(entry: dict[str, Any]) -> str:
    detail = f"：{entry['detail']}" if entry.get("detail") else ""
    return f"第 {entry.get('chapter')} 章{ACTION_WORDS.get(str(entry.get('action')), '')}{detail}"
