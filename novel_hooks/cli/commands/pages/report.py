"""`novel report [--open]`: write the whole book as one page, and list the most urgent points.

It writes that page only.
"""

from __future__ import annotations

import os

from novel_hooks import layout
from novel_hooks.annotations import Any, Mapping
from novel_hooks.cli import blocks
from novel_hooks.cli.amounts import omission_text, usage_text
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.arguments import Parser
from novel_hooks.cli.context import Context
from novel_hooks.flows.report import gathering, write
from novel_hooks.rules.settings import budget
from novel_hooks.rules.text import typed_words
from novel_hooks.store.host import moment

_NO_BROWSER = "没有能打开的浏览器；请自己打开 {place}。"


def arguments(parser: Parser) -> None:
    parser.flag("--open", "做好就用浏览器打开")


def run(context: Context) -> Answer:
    context.caller().check_thread()
    book = context.book()
    found = gathering.run(book, context.now)
    project = context.project()
    write.run(project, found.data)
    place = os.path.join(project.root, *layout.REPORT.split("/"))
    shut = context.args.open and not _open(place, context.environ)
    notes = [_NO_BROWSER.format(place=place)] if shut else []
    data = {"page": place, **found.data}
    return build(data, describe(found.data, place), found.problems, notes=notes)


def _open(place: str, environ: Mapping[str, str]) -> bool:
    """Open the page; False without a browser that has a window: one in the terminal holds up the session."""
    import pathlib
    import webbrowser

    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    in_terminal = type(browser) is webbrowser.GenericBrowser and not environ.get("BROWSER")
    return not in_terminal and browser.open(pathlib.Path(place).as_uri())


def describe(data: Mapping[str, Any], place: str) -> str:
    """Return the lines at the top of the page, and the page's path."""
    rows, pace = data["chapters"], data["pace"]
    chars = sum(row["chars"] or 0 for row in rows)
    days = f"写了 {pace['days']} 天，连着 {pace['streak']} 天，近七天 {pace['week_chars']:,} 字"
    head = f"共 {len(rows)} 章 {chars:,} 字；{days}。"
    lines = [f"  {n}. {one['text']}{one['how']}" for n, one in enumerate(data["attention"], 1)]
    first = ["先看这几样：", *lines] if lines else ["没有急着要看的。"]
    return "\n".join([*_night_lines(data), head, *first, f"全书报告：{place}"])


def _night_lines(data: Mapping[str, Any]) -> list[str]:
    """Return the last run: what was written and decided, a line a chapter, what it cost, what waits."""
    run = data["night"]
    if run is None:
        return []
    began = moment.local_text(moment.epoch(run["started_at"]) or 0.0, moment.epoch(data["made_at"]) or 0.0)
    wanted = "" if run["wanted"] is None else f"，要写 {run['wanted']} 章"
    lines = [f"最近一趟（{began} 开始{wanted}）：写成 {len(run['chapters'])} 章，{run['chars']:,} 字"]
    lines += [f"  第 {row['chapter']} 章　{_chapter_line(row)}" for row in run["chapters"]]
    lines += [f"  {text}" for text in _other_lines(run)]
    limits = [
        budget.amount_text(limit, key.rpartition("_")[2], data["currency"])
        for key, limit in run["limits"].items()
    ]
    within = f"（一趟的预算 {'、'.join(limits)}）" if limits else ""
    lines.append(f"花了　{usage_text(run['spent'], data['currency'])}{omission_text(run['spent'])}{within}")
    waits = data["waiting"]
    if waits is not None:
        head = "在等你" if waits["stop"] else "下一步"
        lines.append(f"{head}：{waits['reason']}（{waits['skill']}）")
    return lines


def _other_lines(run: Mapping[str, Any]) -> list[str]:
    recorded, planned = run["recorded"], run["planned"]
    lines = [f"补记、重记了第 {typed_words.number_list(recorded)} 章"] if recorded else []
    return [*lines, f"另外做了：{'、'.join(planned)}"] if planned else lines


def _chapter_line(row: Mapping[str, Any]) -> str:
    told = {
        **row,
        "overall_final": row["overall"],
        "gate_decision": row["decision"],
        "force_passed": row["forced"],
    }
    return f"{row['chars'] or 0} 字　{blocks.verdict_line(told)}"
