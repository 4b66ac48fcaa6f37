"""Hand edits that the next chapter would run into are told before it; those that are simply used are not."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.briefing import due_step, edits_before_draft
from novel_hooks.flows.planning import setting_changes
from unit.flows.packet.test_phase_inputs import reading as flows_book

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

EDITS = {
    *("SETTING_UNNOTED", "STATE_DIFFERS", "CHANGELOG_BROKEN"),
    *("VOLUME_FORESHADOWING", "VOLUME_WORLD_RULE", "VOLUME_CAST", "VOLUME_CHARACTER", "VOLUME_STORYLINE"),
}


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """A book with its setting noted and its next chapter's plan known, as a landing leaves them."""
    found = book(tmp_path, 2)
    found.ok("changed", "--note")
    found.ok("lock", "acquire")
    found.ok("instructions", found.step("draft"), "--write-manifest")
    assert told(found, "next") == [] == told(found, "status")
    return found


def told(made: Book, command: str) -> list[Any]:
    return [one for one in made.novel(command).diagnostics if one.code in EDITS]


def change(made: Book, path: str, how: Callable[[Any], object]) -> None:
    document = made.json(path)
    how(document)
    made.write(path, document)


def text(path: str) -> tuple[str, Callable[[Book], object]]:
    return path, lambda made: made.write(path, made.at(path).read_text("utf-8") + "\n沈渡把鞋脱了。\n")


def log(made: Book, how: Callable[[str], str]) -> None:
    """The change log edited, some time after the landing."""
    place = made.at(layout.CHANGELOG)
    text = how(place.read_text("utf-8"))
    assert text != place.read_text("utf-8")
    made.write(layout.CHANGELOG, text)
    landed = made.at(layout.STATE).stat()
    later = max(landed.st_mtime_ns, landed.st_ctime_ns) + 3 * 10**9
    os.utime(place, ns=(later, later))


NEXT = layout.contract(1, 3)
HURTS: dict[str, tuple[Callable[[Book], object], str, str]] = {
    "a person in chapters to come": (
        lambda made: change(made, layout.character_card("shen-du"), lambda d: d.update(wants="改了主意")),
        "SETTING_UNNOTED",
        "角色「沈渡」改了",
    ),
    "the outline of a chapter to come": (
        lambda made: made.write(
            layout.outline(1),
            made.at(layout.outline(1))
            .read_text("utf-8")
            .replace("- **Conflict**:", "- **Conflict**: 改过，"),
        ),
        "SETTING_UNNOTED",
        "第 3 章的大纲改了",
    ),
    "a thread that nobody set up": (
        lambda made: change(
            made,
            NEXT,
            lambda d: d["postconditions"].update(
                foreshadowing_updates=[{"id": "no-such", "action": "advanced", "detail": "x"}]
            ),
        ),
        "VOLUME_FORESHADOWING",
        "no-such",
    ),
    "a rule that is not there": (
        lambda made: change(made, NEXT, lambda d: d["preconditions"].update(required_world_rules=["W-099"])),
        "VOLUME_WORLD_RULE",
        "W-099",
    ),
    "somebody without a card": (
        lambda made: change(made, NEXT, lambda d: d["preconditions"]["character_states"].update(卫蒿={})),
        "VOLUME_CHARACTER",
        "卫蒿",
    ),
    "a storyline that is not there": (
        lambda made: change(
            made, layout.schedule(1), lambda d: d["active_storylines"].append({"storyline_id": "no-line"})
        ),
        "VOLUME_STORYLINE",
        "no-line",
    ),
    "the state": (
        lambda made: change(made, layout.STATE, lambda d: d["characters"]["shen-du"].update(location="大牢")),
        "STATE_DIFFERS",
        "「沈渡」的所在",
    ),
    "the change log": (
        lambda made: log(made, lambda text: text.replace('"value":1}', '"value":7}')),
        "STATE_DIFFERS",
        "「沈渡」的关系",
    ),
    "a line of the change log that is gone": (
        lambda made: log(made, lambda text: text.partition("\n")[2]),
        "CHANGELOG_BROKEN",
        "第 1 行接不上",
    ),
}


@pytest.mark.parametrize("name", HURTS)
def test_what_would_hurt_is_told_by_next_and_status(made: Book, name: str) -> None:
    edit, code, words = HURTS[name]
    edit(made)
    before = made.tree()
    for command in ("next", "status"):
        found = told(made, command)
        assert {one.code for one in found} == {code} and {one.severity for one in found} == {"warning"}
        assert words in found[0].message and layout.STAGING not in found[0].message + found[0].fix
    assert made.changed(before) == {}
    assert made.next()["step"] == made.step("draft"), "it stops nothing"


@pytest.mark.parametrize(
    "name", [*(name for name in HURTS if HURTS[name][1].startswith("VOLUME")), "the state"]
)
def test_doctor_tells_it_at_any_time(made: Book, name: str) -> None:
    edit, code, words = HURTS[name]
    edit(made)
    made.draft()
    assert told(made, "next") == [], "the chapter is written already"
    assert [words in one.message for one in told(made, "doctor") if one.code == code] == [True]


USED = {
    "a summary": text(layout.summary(2)),
    "a page that no chapter needs": text(f"{layout.WORLD}/notes.md"),
    "the brief": text(layout.BRIEF),
}


@pytest.mark.parametrize("name", USED)
def test_what_is_simply_used_is_not_told(made: Book, name: str) -> None:
    path, edit = USED[name]
    if not made.at(path).exists():
        made.write(path, "# 旁的\n\n没有人提。\n")
    edit(made)
    made.write("style-profile.json", {**made.json("style-profile.json"), "do": ["多写手上的活"]})
    made.write(layout.CONFIG, "chapter_chars: [100, 3000]\n")
    assert told(made, "next") == []


def test_a_setting_that_was_noted_or_only_touched_is_not_told(made: Book) -> None:
    HURTS["a person in chapters to come"][0](made)
    assert told(made, "next")
    made.ok("changed", "--note")
    assert told(made, "next") == []
    card = made.at(layout.character_card("shen-du"))
    os.utime(card, ns=(0, card.stat().st_mtime_ns + 10**10))
    card.write_text(json.dumps(json.loads(card.read_text("utf-8")), indent=3), "utf-8")
    assert told(made, "next") == []


def test_the_parts_are_compared_once_after_they_were_noted(
    made: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files that land with what is noted of them are never older; the hand-out remembers them by content."""
    compared: list[Any] = []
    monkeypatch.setattr(setting_changes, "unnoted_problems", lambda book: compared.append(book) or [])
    assert told(made, "next") == [] and compared == []
    card = layout.character_card("shen-du")
    before = made.at(card).read_bytes()
    change(made, card, lambda d: d.update(wants="改了主意"))
    made.novel("next")
    assert len(compared) == 1
    made.at(card).write_bytes(before)
    made.at("world/新地方.md").write_text("# 渡口\n\n水很急。\n", "utf-8")
    made.novel("next")
    assert len(compared) == 2, "a page that was not there"
    made.at("world/新地方.md").unlink()
    made.novel("next")
    assert len(compared) == 2


def test_what_was_changed_before_the_hand_out_is_not_remembered(made: Book) -> None:
    HURTS["a person in chapters to come"][0](made)
    made.ok("instructions", made.step("draft"), "--write-manifest")
    assert [one.code for one in told(made, "next")] == ["SETTING_UNNOTED"]


@pytest.mark.parametrize("path", ["characters/active/pei-wu.md", "volumes/vol-02/outline.md"])
def test_a_file_of_the_setting_that_the_step_has_no_use_for_is_no_obstacle(made: Book, path: str) -> None:
    """`next` tells of it; whether the step needs it, its packet decides."""
    made.at(path).parent.mkdir(exist_ok=True)
    made.at(path).write_bytes(b"\xff\xfe")
    made.ok("instructions", made.step("draft"), "--write-manifest")
    assert "FILE_NOT_UTF8" in {one.code for one in made.novel("next").diagnostics}


def test_what_was_noted_that_cannot_be_read_is_as_if_there_were_none(made: Book) -> None:
    made.at(layout.SETTING).unlink()
    made.at(layout.SETTING).mkdir()
    made.ok("instructions", made.step("draft"), "--write-manifest")
    assert made.novel("next").diagnostics == ()


def test_a_plan_edited_long_before_its_turn_is_told_when_its_turn_comes(made: Book) -> None:
    """Then its form is known already: the chapter before has landed over it."""
    HURTS["a rule that is not there"][0](made)
    view = due_step.view(flows_book(made))
    view.book.document(NEXT, "chapter-contract")
    assert edits_before_draft.problems(view) == [], "as young as what was noted, and known by its form"
    place = made.at(NEXT)
    os.utime(place, ns=(0, place.stat().st_mtime_ns + 2 * edits_before_draft._LANDING_NS))
    assert [one.code for one in edits_before_draft.problems(view)] == ["VOLUME_WORLD_RULE"]


def test_where_nothing_was_noted_nothing_can_be_told(tmp_path: Path) -> None:
    bare = book(tmp_path, 2)
    for name in ("a person in chapters to come", "a rule that is not there"):
        bare.chapter = 3
        HURTS[name][0](bare)
    assert told(bare, "next") == []
    assert "VOLUME_WORLD_RULE" not in {one.code for one in bare.novel("doctor").diagnostics}
