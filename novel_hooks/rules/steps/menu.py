"""The start menu: two to four things that make sense now, at most one of them recommended.

A pure function of the next step, so that an author who stops finds the same menu again. Source: protocol §2.
"""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Sequence
from novel_hooks.record import Record

if TYPE_CHECKING:
    from novel_hooks.rules.steps.next_step import Next
    from novel_hooks.rules.steps.offered_answers import Choice

MOST = 4
"""The most entries of a menu."""


class MenuEntry(Record):
    """One line of the menu: its `label`, the reason `why`, and the skill or command `do`.

    `kind` names the duty of the front desk. `steps`: walk the steps from `next`; `do` is None. `skill`: the
    author types it. `command`: run it as it is. `talk`: ask the author first, then run the command with his
    words.
    """

    key: str
    label: str
    why: str
    kind: str
    do: str | None = None
    recommended: bool = False


CREATE = MenuEntry(
    "create",
    "在这里建一本新书",
    "先定书名和题材，别的一步步来",
    "talk",
    "novel init --title 书名 --genre 题材",
)
SAMPLE = MenuEntry(
    "sample", "先看一本示例小说", "三章录好的示例，不花钱，看看怎样运转", "command", "novel demo"
)
IMPORT = MenuEntry(
    "import",
    "交来现成的笔记或设定",
    "立世界、立角色时会照着它写；你写过的文字，定文风时照着学",
    "talk",
    "novel import 文件或文件夹",
)
ADOPT = MenuEntry(
    "adopt",
    "把写了一半的书搬进来",
    "TXT、Word、EPUB 都行；先给你看拆成哪些章，点头才搬",
    "talk",
    "novel adopt 文件或文件夹",
)
EXPORT = MenuEntry("export", "导出成书", "TXT、EPUB、Word；先告诉你有什么要看一看", "talk", "novel export")
KEEP = IMPORT._replace(why="收进书里备查；要用上，再照着它改设定")
"""The same after setup: later steps do not read notes."""
SETTING = MenuEntry(
    "setting",
    "看改设定牵动了哪些章",
    "设定由你改，再算出牵动哪些还没写的章；已写的不动",
    "talk",
    "novel changed",
)
TOUCHED = MenuEntry(
    "touched",
    "处理设定改动牵动的章",
    "有没写的章还是照改之前排的；还要再改设定，改好了再选这一样",
    "talk",
    "novel changed",
)
REPORT = MenuEntry(
    "report",
    "看全书报告",
    "一张网页：字数、评分、伏笔、人物、花费，先看哪几样",
    "command",
    "novel report --open",
)
HISTORY = MenuEntry("look", "看看走到这里的经过", "每一步做了什么、怎样没做成", "command", "novel log")
SYNC = MenuEntry("sync", "处理手改过的章", "有入库后手改过、还没有重新记录的", "talk", "novel sync")
KEEP_PLAN = MenuEntry(
    "keep-plan",
    "不重排了，照原来的规划写",
    "写好的章没有动过；重排到一半的稿子会存档",
    "command",
    "novel replan --cancel",
)
BACKLOG = MenuEntry(
    "backlog",
    "补记搬进来的章",
    "从最后一章往前，记下谁在哪里、埋了什么，往下写才接得上；随时可停",
    "command",
    "novel sync --backlog",
)
CANCEL = MenuEntry("cancel", "放弃这次记录", "正文不动，以后可以再记", "command", "novel sync --cancel")

START, CONTINUE = "/novel:start", "/novel:continue"

NO_PROJECT = (CREATE._replace(recommended=True), SAMPLE, ADOPT)


def entries(
    due: Next,
    edited: bool = False,
    replanning: bool = False,
    touched: bool = False,
    backlog: bool = False,
    written: bool = False,
    recording: str = "重新记录",
) -> tuple[MenuEntry, ...]:
    """Return the menu for the next step `due`, the recommended entry first.

    `edited`: landed chapters were edited by hand and not recorded anew. `replanning`: the rest of a volume
    that has a plan is planned anew. `touched`: planned chapters use a setting that was changed since.
    `backlog`: of the last chapters that moved in some are not recorded. `written`: a chapter has landed.
    `recording`: what is done to a landed chapter, by `OpenSync.what`.
    """
    back = (KEEP_PLAN,) if replanning else ()
    if due.stop or due.step is None:
        return _answer_entries(due, back)
    kind, phase = due.step.kind, due.step.phase
    if kind == "setup":
        setup = MenuEntry("setup", "接着做初始设定", due.reason, "steps")
        return _with_recommended(setup, IMPORT, ADOPT, *((EXPORT,) if written else ()))
    if kind == "volume" and phase == "review":
        return _with_recommended(
            MenuEntry("review", f"回顾第 {due.step.number} 卷", due.reason, "steps"), SETTING, REPORT, EXPORT
        )
    first = (BACKLOG,) if backlog else ()
    if kind == "volume":
        plan = f"接着重排第 {due.step.number} 卷" if replanning else f"规划第 {due.step.number} 卷"
        plans = MenuEntry("plan", plan, due.reason, "steps")
        return _with_recommended(*first, plans, *back, SETTING, *_to_look_at(written), KEEP)
    go = MenuEntry("continue", "接着写", due.reason, "skill", CONTINUE)
    if kind == "sync":
        return _with_recommended(go._replace(label=f"接着{recording}第 {due.step.number} 章"), CANCEL)
    more = (SYNC,) if edited else ()
    return _with_recommended(*first, go, *more, TOUCHED if touched else SETTING, *_to_look_at(written), KEEP)


def _to_look_at(written: bool) -> Sequence[MenuEntry]:
    return (REPORT, EXPORT) if written else ()


_FACTS = ("restart", "again", "go-on")
"""Keys of first answers that are not recommended: the author alone knows if he changed it, if it is good."""


def _answer_entries(due: Next, back: Sequence[MenuEntry]) -> tuple[MenuEntry, ...]:
    """Return the author's answers in the order of `next`; the first is recommended unless it is in `_FACTS`.

    `back` comes behind them where there is room, but before the answer in his own words.
    """
    first, *rest = [_answer_entry(choice) for choice in due.choices[:MOST]]
    if back:
        from novel_hooks.rules.steps.questions import OWN

        rest = sorted([*rest, *back], key=lambda entry: entry.key == OWN)
    menu = _with_recommended(first, *rest, *(() if rest else (HISTORY,)))
    return (first, *menu[1:]) if first.key in _FACTS else menu


def _answer_entry(choice: Choice) -> MenuEntry:
    own = "你的意见" in choice.command or "你的话" in choice.command
    return MenuEntry(choice.key, choice.label, choice.why, "talk" if own else "command", choice.command)


def _with_recommended(first: MenuEntry, *others: MenuEntry) -> tuple[MenuEntry, ...]:
    rest: Sequence[MenuEntry] = others[: MOST - 1]
    return (first._replace(recommended=True), *rest)
