"""The start menu: two to four entries, one recommended, every command there is."""

from __future__ import annotations

import itertools
import shlex

import pytest

from novel_hooks.cli import call
from novel_hooks.rules.steps import menu, offered_answers
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.menu import MenuEntry
from novel_hooks.rules.steps.next_step import Next
from novel_hooks.rules.steps.offered_answers import Choice

_EVERY_STEP = [
    *(f"setup:{phase}" for phase in steps.SETUP_PHASES),
    *(f"volume:02:{phase}" for phase in steps.VOLUME_PHASES),
    *(f"chapter:012:{phase}" for phase in ("draft", "summarize", "refine", "judge", "commit")),
    *(f"sync:003:{phase}" for phase in ("summarize", "judge", "commit")),
]


def _well_formed(entries: tuple[MenuEntry, ...]) -> None:
    assert 2 <= len(entries) <= menu.MOST
    assert [entry.recommended for entry in entries] == [True] + [False] * (len(entries) - 1)
    assert len({entry.key for entry in entries}) == len(entries)
    for entry in entries:
        assert entry.kind in ("steps", "skill", "command", "talk")
        assert (entry.do is None) == (entry.kind == "steps")
        if entry.do is not None and entry.kind != "skill":
            words = shlex.split(entry.do)
            assert words[0] == "novel" and words[1] in call.COMMANDS


@pytest.mark.parametrize("edited", [False, True])
@pytest.mark.parametrize("step", _EVERY_STEP)
def test_every_step_has_its_menu(step: str, edited: bool) -> None:
    entries = menu.entries(Next(steps.parse(step), "为什么"), edited=edited)
    _well_formed(entries)
    assert ("sync" in [entry.key for entry in entries]) == (edited and step.startswith("chapter:"))
    kind = "skill" if step.startswith(("chapter:", "sync:")) else "steps"
    assert entries[0].kind == kind


@pytest.mark.parametrize("step", ["volume:02:outline", "volume:02:validate", "volume:02:commit"])
def test_who_plans_anew_may_think_better_of_it(step: str) -> None:
    entries = menu.entries(Next(steps.parse(step), "为什么"), replanning=True)
    _well_formed(entries)
    assert [entry.key for entry in entries] == ["plan", "keep-plan", "setting", "import"]


@pytest.mark.parametrize("count", [2, 3, 4])
def test_also_when_the_architect_asks(count: int) -> None:
    choices = tuple(Choice(str(n), f"第 {n} 条", "", f"novel answer {n}") for n in range(1, count + 1))
    own = Choice("own", "都不合适", "", "novel answer --note 你的意见")
    due = Next(steps.parse("volume:02:outline"), "问", recorded=True, stop=True, choices=(*choices, own))
    entries = menu.entries(due, replanning=True)
    _well_formed(entries)
    assert ("keep-plan" in [entry.key for entry in entries]) == (count < 4)
    assert [entry.key for entry in entries][:count] == [choice.key for choice in choices]


@pytest.mark.parametrize(
    ("outcome", "first"),
    [(None, "revise"), ("pause_for_user", "revise"), ("pause_for_user_force_rewrite", "rewrite")],
)
def test_a_paused_chapter_offers_the_authors_answers(outcome: str | None, first: str) -> None:
    choices = offered_answers.review_choices(12, outcome)
    entries = menu.entries(Next(steps.chapter_step(12, "review"), "等作者决定", stop=True, choices=choices))
    _well_formed(entries)
    assert entries[0].key == first
    assert [entry.key for entry in entries] == [choice.key for choice in choices], "as `next` has them"
    assert {entry.key for entry in entries} == {"accept", "revise", "rewrite"}
    assert next(entry.kind for entry in entries if entry.key == "revise") == "talk"


@pytest.mark.parametrize("key", ["restart", "again"])
def test_what_only_the_author_can_know_is_not_recommended(key: str) -> None:
    choices = (
        Choice(key, "是我做的", "", "novel sync 3"),
        Choice("cancel", "不是", "", "novel sync --cancel"),
    )
    entries = menu.entries(Next(None, "等你确认", stop=True, choices=choices))
    assert [(entry.key, entry.recommended) for entry in entries] == [(key, False), ("cancel", False)]


def test_one_command_has_one_entry() -> None:
    for edited, touched in itertools.product((False, True), repeat=2):
        for entries in (menu.entries(Next(steps.parse(s), ""), edited, touched=touched) for s in _EVERY_STEP):
            commands = [entry.do for entry in entries if entry.do]
            assert len(commands) == len(set(commands)), commands


def test_a_lone_answer_has_something_beside_it() -> None:
    due = Next(None, "连续失败", stop=True, choices=(Choice("retry", "再试一次", "", "novel retry"),))
    entries = menu.entries(due)
    _well_formed(entries)
    assert [entry.key for entry in entries] == ["retry", "look"]


def test_more_answers_than_a_menu_holds_are_cut_at_four() -> None:
    choices = tuple(Choice(f"c{n}", f"第 {n} 条", "", f"novel retry {n}") for n in range(6))
    _well_formed(menu.entries(Next(None, "", stop=True, choices=choices)))


def test_without_a_project_one_can_make_one_or_look_at_a_sample() -> None:
    _well_formed(menu.NO_PROJECT)


def _lines(step: str, **flags: bool) -> list[tuple[str, str, str | None]]:
    found = menu.entries(Next(steps.parse(step), "为什么", recorded=True), **flags)
    assert found[0].why == "为什么" and all(entry.why for entry in found)
    return [(entry.key, entry.kind, entry.do) for entry in found]


SETTING = ("setting", "talk", "novel changed")
IMPORT = ("import", "talk", "novel import 文件或文件夹")
REPORT = ("report", "command", "novel report --open")
ADOPT, EXPORT = ("adopt", "talk", "novel adopt 文件或文件夹"), ("export", "talk", "novel export")


def test_each_menu_line_by_line() -> None:
    assert _lines("setup:world") == [("setup", "steps", None), IMPORT, ADOPT]
    assert _lines("setup:world", edited=True, replanning=True, touched=True) == _lines("setup:world")
    assert _lines("setup:world", written=True) == [("setup", "steps", None), IMPORT, ADOPT, EXPORT]
    assert _lines("volume:01:outline") == [("plan", "steps", None), SETTING, IMPORT]
    assert _lines("volume:02:outline", written=True) == [("plan", "steps", None), SETTING, REPORT, EXPORT]
    assert _lines("volume:02:review") == [("review", "steps", None), SETTING, REPORT, EXPORT]
    assert _lines("volume:02:review", replanning=True) == _lines("volume:02:review")
    back = ("keep-plan", "command", "novel replan --cancel")
    plan = ("plan", "steps", None)
    assert _lines("volume:02:outline", replanning=True) == [plan, back, SETTING, IMPORT]
    assert _lines("volume:02:outline", replanning=True, written=True) == [plan, back, SETTING, REPORT]
    go = ("continue", "skill", "/novel:continue")
    assert _lines("sync:003:judge") == [go, ("cancel", "command", "novel sync --cancel")]
    assert _lines("chapter:001:draft") == [go, SETTING, IMPORT]
    assert _lines("chapter:005:draft", written=True) == [go, SETTING, REPORT, EXPORT]
    edited = ("sync", "talk", "novel sync")
    assert _lines("chapter:005:draft", edited=True, written=True) == [go, edited, SETTING, REPORT]
    touched = ("touched", "talk", "novel changed")
    assert _lines("chapter:005:draft", touched=True, written=True) == [go, touched, REPORT, EXPORT]
    assert _lines("chapter:005:draft", edited=True, touched=True, written=True) == [
        go,
        edited,
        touched,
        REPORT,
    ]


def test_chapters_that_moved_in_are_recorded_before_a_volume_is_planned() -> None:
    found = menu.entries(Next(steps.parse("volume:02:outline"), ""), backlog=True)
    _well_formed(found)
    assert [entry.key for entry in found] == ["backlog", "plan", "setting", "import"]
    assert found == menu.entries(Next(steps.parse("volume:02:outline"), ""), backlog=True)
    assert menu.entries(Next(steps.parse("volume:02:outline"), ""))[0].key == "plan"


@pytest.mark.parametrize(
    ("step", "replanning", "label"),
    [
        ("volume:02:outline", False, "规划第 2 卷"),
        ("volume:02:outline", True, "接着重排第 2 卷"),
        ("volume:02:review", False, "回顾第 2 卷"),
        ("sync:003:judge", False, "接着重新记录第 3 章"),
        ("chapter:005:draft", False, "接着写"),
        ("setup:world", False, "接着做初始设定"),
    ],
)
def test_the_first_line_says_what_is_done(step: str, replanning: bool, label: str) -> None:
    first = menu.entries(Next(steps.parse(step), ""), replanning=replanning)[0]
    assert (first.label, first.recommended) == (label, True)


def test_notes_are_read_while_setting_up_and_only_filed_later() -> None:
    early = menu.entries(Next(steps.parse("setup:world"), ""))[1]
    late = menu.entries(Next(steps.parse("chapter:001:draft"), ""))[-1]
    assert early == menu.IMPORT and late == menu.KEEP
    assert (early.label, early.do) == (late.label, late.do) and early.why != late.why


def test_an_answer_is_a_line_with_its_label_and_command() -> None:
    choices = (
        Choice("a", "甲", "", "novel decide 5 revise --note 你的意见"),
        Choice("b", "乙", "", "novel decide 5 accept"),
        Choice("c", "丙", "", "novel note 你的话"),
    )
    due = Next(steps.parse("chapter:005:review"), "问", stop=True, choices=choices)
    assert menu.entries(due, edited=True, touched=True) == (
        MenuEntry("a", "甲", "", "talk", "novel decide 5 revise --note 你的意见", True),
        MenuEntry("b", "乙", "", "command", "novel decide 5 accept", False),
        MenuEntry("c", "丙", "", "talk", "novel note 你的话", False),
    )


def test_a_stop_without_a_step_has_the_answers_too() -> None:
    choices = (
        Choice("retry", "再试一次", "", "novel retry"),
        Choice("skip", "跳过", "", "novel decide 5 skip-delta"),
    )
    for step in (None, steps.parse("chapter:005:draft")):
        assert [
            entry.key for entry in menu.entries(Next(step, "", stop=step is not None, choices=choices))
        ] == [
            "retry",
            "skip",
        ]


@pytest.mark.parametrize("key", ["restart", "again", "go-on"])
def test_a_lone_fact_is_not_recommended_either(key: str) -> None:
    entries = menu.entries(Next(None, "", stop=True, choices=(Choice(key, "甲", "", "novel next"),)))
    assert [(entry.key, entry.recommended) for entry in entries] == [(key, False), ("look", False)]
    assert entries[1] == menu.HISTORY


def test_the_way_back_stands_before_the_authors_own_words() -> None:
    choices = tuple(Choice(key, key, "", f"novel answer {key}") for key in ("1", "2", "own"))
    due = Next(steps.parse("volume:02:outline"), "问", recorded=True, stop=True, choices=choices)
    assert [entry.key for entry in menu.entries(due, replanning=True)] == ["1", "2", "keep-plan", "own"]
    assert [entry.key for entry in menu.entries(due)] == ["1", "2", "own"]


def test_the_menu_without_a_project() -> None:
    assert [(entry.key, entry.recommended) for entry in menu.NO_PROJECT] == [
        ("create", True),
        ("sample", False),
        ("adopt", False),
    ]
