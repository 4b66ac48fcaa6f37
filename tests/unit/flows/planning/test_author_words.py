"""What the author says unasked: his wishes for a volume, his remarks on a plan, his notes for the planner."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book
from builders import fast_disk as fast_disk
from planbook import RESEARCH, ready_for, sample_book, staged_book

from novel_hooks import layout

if TYPE_CHECKING:
    from pathlib import Path

OUTLINE = "volume:01:outline"


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """A book whose first volume is due to be planned."""
    return ready_for(sample_book(tmp_path / "book"), OUTLINE)


def unplanned(made: Book) -> Book:
    """Without the sample's own plan."""
    made.drop(layout.outline(1))
    return made


def value(found: dict[str, Any], key: str) -> Any:
    values = [one.get("value") for one in found["inputs"] if one["key"] == key]
    return values[0] if values else None


def test_the_planner_gets_the_authors_notes(made: Book) -> None:
    found = made.ok("instructions", OUTLINE)
    assert [one["path"] for one in found["inputs"] if one["key"] == "research"] == [RESEARCH]


def test_before_planning_the_author_may_say_what_he_wishes(made: Book) -> None:
    found = unplanned(made).next()
    assert (found["step"], found["stop"], found["recorded"]) == (OUTLINE, False, False)
    assert [(one["key"], one["command"]) for one in found["choices"]] == [
        ("1", f"novel answer {OUTLINE} wishes 1"),
        ("own", f"novel answer {OUTLINE} wishes --note 你的意见"),
    ]
    assert "/novel:start" in str(made.novel("next").text), "he may go on without a word"
    made.ok("answer", OUTLINE, "wishes", "--note", "卷末让沈渡自己点灯")
    after = made.next()
    assert (after["step"], after["choices"]) == (OUTLINE, [])
    packet = made.ok("instructions", OUTLINE)
    assert value(packet, "volume_wishes") == [{"wish": "卷末让沈渡自己点灯", "todo": True}]
    assert value(packet, "author_decisions") is None, "not told twice"
    assert any("volume_wishes" in rule for rule in packet["rules"])


def test_none_is_an_answer_too_and_is_in_no_packet(made: Book) -> None:
    made.ok("answer", OUTLINE, "wishes", "1")
    assert unplanned(made).next()["choices"] == []
    packet = made.ok("instructions", OUTLINE)
    assert value(packet, "volume_wishes") is None and value(packet, "author_decisions") is None


def test_a_host_that_does_not_ask_goes_on(made: Book) -> None:
    unplanned(made).ok("instructions", OUTLINE, "--write-manifest")
    assert made.next()["choices"] == []


def test_wishes_are_kept_when_the_volume_is_planned_anew(made: Book) -> None:
    made.ok("answer", OUTLINE, "wishes", "--note", "不要让乔九死")
    landed(made)
    made.ok("replan", "--yes")
    assert made.next()["choices"] == [], "not asked again"
    assert value(made.ok("instructions", OUTLINE), "volume_wishes") == [
        {"wish": "不要让乔九死", "todo": False}
    ]


def landed(made: Book) -> None:
    """Stage a plan of the volume, walk it to its landing."""
    made.ok("instructions", OUTLINE, "--write-manifest")
    stage_plan(made)
    made.ok("advance", OUTLINE)
    made.ok("advance", "volume:01:validate")
    made.ok("commit", "--volume", "1")


def stage_plan(made: Book) -> None:
    """The sample's own plan, as if its planner had just made it."""
    for name in ("outline.md", "storyline-schedule.json", "foreshadowing.json", "chapter-contracts"):
        source, place = made.at(f"volumes/vol-01/{name}"), made.at(f"staging/volumes/vol-01/{name}")
        place.parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, place)


def test_a_remark_at_the_nod_is_kept_like_a_decision_and_done(made: Book) -> None:
    made.ok("instructions", OUTLINE, "--write-manifest")
    stage_plan(made)
    made.ok("advance", OUTLINE)
    made.ok("advance", "volume:01:validate")
    assert made.next()["phase"] == "commit"
    told = made.ok("answer", OUTLINE, "remark", "--note", "第二章提前下雨")
    assert (told["question"], told["again"], told["changed"]) == ("remark-1", True, True)
    assert made.ok("answer", OUTLINE, "remark", "--note", "第二章提前下雨")["changed"] is False
    assert made.next()["step"] == OUTLINE
    made.ok("instructions", OUTLINE, "--write-manifest")
    (one,) = value(made.ok("instructions", OUTLINE), "author_decisions")
    assert (one["id"], one["note"], one["todo"]) == ("remark-1", "第二章提前下雨", True)
    made.ok("advance", OUTLINE)
    made.ok("answer", OUTLINE, "remark", "--note", "第三章再短些")
    made.ok("instructions", OUTLINE, "--write-manifest")
    two = value(made.ok("instructions", OUTLINE), "author_decisions")
    assert [(each["id"], each["todo"]) for each in two] == [("remark-1", False), ("remark-2", True)]
    made.ok("advance", OUTLINE)
    made.ok("advance", "volume:01:validate")
    made.ok("commit", "--volume", "1")
    made.ok("replan", "--yes")
    kept = value(made.ok("instructions", OUTLINE), "author_decisions")
    assert [each["note"] for each in kept] == ["第二章提前下雨", "第三章再短些"]


@pytest.mark.parametrize("step", ["setup:world", "setup:characters", "setup:style"])
def test_a_remark_on_a_step_of_setting_up_sends_that_step_back(tmp_path: Path, step: str) -> None:
    made = staged_book(tmp_path / "book")
    shutil.rmtree(made.at(layout.STYLE_SAMPLES), ignore_errors=True)
    made.ok("answer", step, "remark", "--note", "过桥钱改成三文")
    assert made.next()["step"] == step
    packet = made.ok("instructions", step)
    assert [one["note"] for one in value(packet, "author_decisions") if one["todo"]] == ["过桥钱改成三文"]
    made.ok("instructions", step, "--write-manifest")
    made.ok("advance", step)
    assert made.next()["step"] == "setup:commit"
    made.ok("commit", "--setup")
    told = value(made.ok("instructions", OUTLINE), "author_decisions")
    assert [(one["note"], one["todo"]) for one in told] == [("过桥钱改成三文", False)]


@pytest.mark.parametrize(
    ("argv", "code", "about"),
    [
        (("setup:brief", "remark", "--note", "改"), "NAME_UNKNOWN", "「remark」的问题"),
        ((OUTLINE, "remark"), "CLI_USAGE", ""),
        ((OUTLINE, "remark", "1"), "NAME_UNKNOWN", "「1」这个选法"),
        ((OUTLINE, "wishes", "7"), "NAME_UNKNOWN", "「7」这个选法"),
        (("setup:world", "wishes", "1"), "NAME_UNKNOWN", "「wishes」的问题"),
        (("volume:02:outline", "wishes", "1"), "PLANNING_NOT_DUE", ""),
    ],
)
def test_what_is_no_answer_is_refused(made: Book, argv: tuple[str, ...], code: str, about: str) -> None:
    before = made.tree()
    found = made.novel("answer", *argv)
    first = found.diagnostics[0]
    assert found.exit and first.code in (code, "PLANNING_NOT_DUE")
    assert first.code != code or about in first.message
    assert made.changed(before) == {}


def test_a_remark_says_what_becomes_of_it(tmp_path: Path, made: Book) -> None:
    """Before a plan is made nothing is settled; of one that is made the step comes again."""
    early = made.novel("answer", OUTLINE, "remark", "--note", "别写成悬案").text or ""
    assert "做这一步时照着办" in early and "都定了" not in early
    staged = staged_book(tmp_path / "other")
    late = staged.novel("answer", "setup:world", "remark", "--note", "过桥钱改成三文").text or ""
    assert "这一步会照着改一遍" in late and "都定了" not in late
