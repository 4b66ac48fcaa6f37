"""The start menu: two to four entries, one recommended, every command there is."""

from __future__ import annotations

import itertools
import shlex

import pytest

from novel_hooks.cli import call
from novel_hooks.rules.steps import menu, next_step
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.menu import MenuEntry
from novel_hooks.rules.steps.next_step import Choice, Next

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
    choices = tuple(Choice(str(n), f"第 {n} 条", f"novel answer {n}") for n in range(1, count + 1))
    own = Choice("own", "都不合适", "novel answer --note 你的意见")
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
    choices = next_step.review_choices(12, outcome)
    entries = menu.entries(Next(steps.chapter_step(12, "review"), "等作者决定", stop=True, choices=choices))
    _well_formed(entries)
    assert entries[0].key == first
    assert [entry.key for entry in entries] == [choice.key for choice in choices], "as `next` has them"
    assert {entry.key for entry in entries} == {"accept", "revise", "rewrite"}
    assert next(entry.kind for entry in entries if entry.key == "revise") == "talk"


@pytest.mark.parametrize("key", ["restart", "again"])
def test_what_only_the_author_can_know_is_not_recommended(key: str) -> None:
    choices = (Choice(key, "是我做的", "novel sync 3"), Choice("cancel", "不是", "novel sync --cancel"))
    entries = menu.entries(Next(None, "等你确认", stop=True, choices=choices))
    assert [(entry.key, entry.recommended) for entry in entries] == [(key, False), ("cancel", False)]


def test_one_command_has_one_entry() -> None:
    for edited, touched in itertools.product((False, True), repeat=2):
        for entries in (menu.entries(Next(steps.parse(s), ""), edited, touched=touched) for s in _EVERY_STEP):
            commands = [entry.do for entry in entries if entry.do]
            assert len(commands) == len(set(commands)), commands


def test_a_lone_answer_has_something_beside_it() -> None:
    due = Next(None, "连续失败", stop=True, choices=(Choice("retry", "再试一次", "novel retry"),))
    entries = menu.entries(due)
    _well_formed(entries)
    assert [entry.key for entry in entries] == ["retry", "look"]


def test_more_answers_than_a_menu_holds_are_cut_at_four() -> None:
    choices = tuple(Choice(f"c{n}", f"第 {n} 条", f"novel retry {n}") for n in range(6))
    _well_formed(menu.entries(Next(None, "", stop=True, choices=choices)))


def test_without_a_project_one_can_make_one_or_look_at_a_sample() -> None:
    _well_formed(menu.NO_PROJECT)
