"""`/novel:start` in the real client where a book is under way: what the author decides there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from planbook import plan_volume

from client import desk, sample_crew
from client.author import Author, first
from client.harness import Host
from client.start_scenario import START, asked, scenario, started
from novel_hooks import layout

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

pytestmark = pytest.mark.client


def test_a_volume_is_looked_back_on_and_the_next_one_planned(host: Host, tmp_path: Path) -> None:
    made = book(tmp_path, 6, 6)
    made.point(orchestrator_state="VOL_REVIEW", current_volume=1)
    model = Book(tmp_path / "model", 1)
    plan_volume(model, 2)

    def plan(_: Mapping[str, Any], files: dict[str, str]) -> None:
        files.clear()
        for path in sorted(model.root.rglob("*.*")):
            files[path.relative_to(model.root).as_posix()] = path.read_text("utf-8")

    author = Author((START,), first)
    done = host.talk(made.root, author, scenario(plot_architect=sample_crew.planner(plan)))
    assert author.refused == []
    assert asked(author) == [desk.MENU, desk.TURNS, desk.MENU, desk.LANDS, desk.MENU]
    assert started(done) == ["plot-architect"]
    assert made.at(layout.volume_review(1)).exists() and made.at(layout.outline(2)).exists()
    point = made.point()
    assert (point["orchestrator_state"], point["current_volume"]) == ("WRITING", 2)
    assert made.next()["step"] == "chapter:007:draft"


def test_a_setting_is_changed_and_the_rest_of_the_volume_planned_anew(host: Host, tmp_path: Path) -> None:
    """Two chapters are left to write, and the change touches the contracts of both."""
    made = book(tmp_path, 4, 6)
    made.ok("changed", "--note")
    model = Book(tmp_path / "model", 1)
    plan_volume(model, 1)
    profile = layout.character_profile("qiao-jiu")
    written = {layout.staged(layout.contract(1, number)) for number in (1, 2, 3, 4)}
    touched = [layout.contract(1, number) for number in (5, 6)]

    def plan(packet: Mapping[str, Any], files: dict[str, str]) -> None:
        (actions,) = [one["value"] for one in packet["inputs"] if one["key"] == "pending_actions"]
        assert [(one["chapters"], one["contracts"]) for one in actions] == [([5, 6], touched)]
        assert [one["path"] for one in packet["inputs"] if one["key"] == "touched_contracts"] == touched
        files.clear()
        for path in sorted(model.root.rglob("*.*")):
            files[path.relative_to(model.root).as_posix()] = path.read_text("utf-8")
        for path in written:
            del files[path]

    def stops(question: Mapping[str, Any]) -> str:
        if question["question"] == desk.EDITED:
            made.write(profile, "# 乔九\n\n塔上长大。\n")
        answers = {desk.MENU: "看改设定牵动了哪些章", desk.EDITED: "改好了", desk.REPLAN: desk.STOPS}
        return answers[question["question"]]

    author = Author((START,), stops)
    host.talk(made.root, author, scenario())
    assert asked(author) == [desk.MENU, desk.EDITED, desk.REPLAN]
    question = author.questions[-1]

    def pick(question: Mapping[str, Any]) -> str:
        labels = [one["label"] for one in question["options"]]
        second = len(author.questions) == 1 or question["question"] == desk.REPLAN
        return labels[1] if second else labels[0]

    author = Author((START,), pick, lambda given: str(given["command"]).startswith("novel replan "))
    done = host.talk(made.root, author, scenario(plot_architect=sample_crew.planner(plan)))
    assert author.refused == [] and started(done) == ["plot-architect"] and len(author.allowed) == 1
    assert author.questions[1] == question, "he stopped at it, and finds it again"
    assert asked(author) == [desk.MENU, desk.REPLAN, desk.LANDS, desk.MENU]
    assert made.point()["orchestrator_state"] == "WRITING" and not made.point()["pending_actions"]
    assert made.next()["step"] == "chapter:005:draft"


def test_who_is_needed_does_not_leave_and_it_is_said_why(host: Host, tmp_path: Path) -> None:
    """The client asks the author before the command, for nobody else lets a character go."""
    made = book(tmp_path, 4, 6)
    before = made.tree()
    author = Author(
        (f"{START} 沈渡{desk.RETIRES}",),
        first,
        lambda given: str(given["command"]).startswith("novel retire "),
    )
    done = host.talk(made.root, author, scenario())
    allowed = [given["command"] for _, given in author.allowed]
    assert (allowed, author.refused) == (["novel retire '沈渡' --json"], [])
    for words in (
        "「沈渡」还不能退场：第 5 章还要他出场",
        "第 6 章还要他出场",
        "不要他出场，就改大纲里的这一章",
    ):
        assert words in done.text, done.text
    assert made.changed(before) == {}


@pytest.mark.parametrize(
    ("label", "words", "step"),
    [
        ("再修订一轮（推荐）", "把桩数清楚", "chapter:002:revise"),
        pytest.param("照现在的样子入库", None, "chapter:002:commit", marks=pytest.mark.exhaustive),
        pytest.param("整章重写", None, "chapter:002:draft", marks=pytest.mark.exhaustive),
    ],
)
def test_a_chapter_that_waits_for_the_author(
    host: Host, tmp_path: Path, label: str, words: str | None, step: str
) -> None:
    made = book(tmp_path)
    made.until("judged", overall=2.6)
    reason = made.next()["reason"]

    def pick(question: Mapping[str, Any]) -> str:
        if question["question"] == desk.WORDS:
            return words or desk.NO_WORDS
        assert question["question"] == reason and label in [one["label"] for one in question["options"]]
        return label

    author = Author((START,), pick)
    done = host.talk(made.root, author, scenario())
    assert (author.refused, started(done)) == ([], [])
    assert asked(author) == [reason, *([desk.WORDS] if words else [])]
    assert done.text == "请输入 /novel:continue。" and made.next()["step"] == step
    if words:
        (fixes,) = [
            one["value"] for one in made.ok("instructions", step)["inputs"] if one["key"] == "required_fixes"
        ]
        assert words in json.dumps(fixes[0], ensure_ascii=False)
