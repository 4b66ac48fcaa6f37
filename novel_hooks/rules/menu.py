"""The start menu: two to four things that make sense now, one of them recommended.

A pure function of where the book stands, so that an author who stops finds the same menu again. `kind` says
what the front desk does: `steps` (walk the steps from `next`), `skill` (the author types it), `command` (as
it stands), `talk` (ask him first, then the command with his words). Source: protocol §2.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from novel_hooks.rules.nextstep import Choice, Next

from novel_hooks.record import Record

MOST = 4


class Entry(Record):
    """One line of the menu. `do`: the skill or the command, None for `steps`."""

    key: str
    label: str
    why: str
    kind: str
    do: str | None = None
    recommended: bool = False


CREATE = Entry(
    "create",
    "在这里建一本新书",
    "先定书名和题材，别的一步步来",
    "talk",
    "novel init --title 书名 --genre 题材",
)
SAMPLE = Entry("sample", "先看一本示例小说", "三章录好的示例，不花钱，看看怎样运转", "command", "novel demo")
IMPORT = Entry(
    "import",
    "交来现成的笔记或设定",
    "立世界、立角色时会照着它写；你写过的文字，定文风时照着学",
    "talk",
    "novel import 文件或文件夹",
)
KEEP = IMPORT._replace(why="收进书里备查；要用上，再照着它改设定")
"""The same once the setting stands: later steps do not read notes."""
SETTING = Entry("setting", "改一处设定", "算出牵动哪些还没写的章，已写的不动", "talk", "novel changed")
TOUCHED = Entry(
    "touched", "处理设定改动牵动的章", "改过设定，有没写的章还是照改之前排的", "talk", "novel changed"
)
LOOK = Entry("look", "看看走到这里的经过", "每一步做了什么、怎样没做成", "command", "novel log")
SYNC = Entry("sync", "看看手改过哪些章", "有入库后手改过、还没有重新记录的", "command", "novel sync")
KEEP_PLAN = Entry(
    "keep-plan",
    "不重排了，照原来的规划写",
    "写好的章没有动过；重排到一半的稿子会存档",
    "command",
    "novel replan --cancel",
)
CANCEL = Entry("cancel", "放弃这次重新记录", "正文照你改的留着", "command", "novel sync --cancel")

NO_PROJECT = (CREATE._replace(recommended=True), SAMPLE)


def of(
    due: Next,
    outcome: str | None = None,
    edited: bool = False,
    replanning: bool = False,
    touched: bool = False,
) -> tuple[Entry, ...]:
    """The menu for the next step `due`. `outcome`: the gate's, where a chapter waits for the author;
    `edited`: landed chapters were edited by hand and not taken up; `replanning`: the rest of a volume that
    has a plan is being planned anew; `touched`: chapters to come lean on a setting that
    was changed, and nobody has seen to it."""
    back = (KEEP_PLAN,) if replanning else ()
    if due.stop or due.step is None:
        return _asked(due, outcome, back)
    kind, phase = due.step.kind, due.step.phase
    if kind == "setup":
        return _menu(Entry("setup", "接着做初始设定", due.reason, "steps"), IMPORT)
    if kind == "volume" and phase == "review":
        return _menu(Entry("review", f"回顾第 {due.step.number} 卷", due.reason, "steps"), SETTING)
    if kind == "volume":
        plan = f"接着重排第 {due.step.number} 卷" if replanning else f"规划第 {due.step.number} 卷"
        return _menu(Entry("plan", plan, due.reason, "steps"), *back, SETTING, KEEP)
    go = Entry("continue", "接着写", due.reason, "skill", "/novel:continue")
    if kind == "sync":
        return _menu(go._replace(label=f"接着重新记录第 {due.step.number} 章"), CANCEL)
    return _menu(go, *((SYNC,) if edited else ()), *((TOUCHED,) if touched else ()), SETTING, KEEP)


def _asked(due: Next, outcome: str | None, back: Sequence[Entry]) -> tuple[Entry, ...]:
    """The answers themselves; the first is recommended unless the gate's outcome says another.

    `back` is offered behind them where there is room; for his own words there is always room.
    """
    first = {"pause_for_user": "revise", "pause_for_user_force_rewrite": "rewrite"}.get(outcome or "")
    entries = [_answer(choice) for choice in due.choices[:MOST]]
    named = [entry for entry in entries if entry.key == first] or entries[:1]
    rest = [entry for entry in entries if entry not in named]
    if back:
        from novel_hooks.rules.decisions import OWN

        rest = sorted([*rest, *back], key=lambda entry: entry.key == OWN)
    return _menu(*named, *rest, *((LOOK,) if len(entries) < 2 else ()))


def _answer(choice: Choice) -> Entry:
    own = "你的意见" in choice.command or "你的话" in choice.command
    return Entry(choice.key, choice.label, "", "talk" if own else "command", choice.command)


def _menu(first: Entry, *others: Entry) -> tuple[Entry, ...]:
    rest: Sequence[Entry] = others[: MOST - 1]
    return (first._replace(recommended=True), *rest)
