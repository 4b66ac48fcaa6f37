"""What will stop the step that is due is told by `next`, by `status` and when a session begins."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from conftest import CHECKOUT

from novel_hooks import layout
from novel_hooks.cli.commands.next import AHEAD
from novel_hooks.hook import session_start

STAGES = ("draft", "summarize", "refine", "judge")
NOT_UTF8 = b"\xff\xfe\x00"
SIGHT = {
    layout.BRIEF,
    layout.STYLE_PROFILE,
    layout.BLACKLIST,
    layout.WORLD_RULES,
    layout.STORYLINES,
    layout.STORYLINE_SPEC,
    layout.FORESHADOWING,
    layout.outline(1),
    layout.schedule(1),
    layout.plan(1),
    layout.contract(1, 2),
}


def at(tmp_path: Path, phase: str) -> Book:
    """The second chapter, with this phase due."""
    made = book(tmp_path)
    if phase == "draft":
        return made
    made.ok("lock", "acquire")
    made.draft()
    made.advance("draft")
    if phase != "summarize":
        made.records()
        made.advance("summarize")
    if phase == "judge":
        made.advance("refine")
    assert made.next()["phase"] == phase
    return made


def cards(made: Book) -> set[str]:
    return {f"{layout.CHARACTERS}/{name}" for name in made.names(layout.CHARACTERS) if name.endswith(".json")}


@pytest.mark.parametrize("phase", STAGES)
@pytest.mark.parametrize("content", [None, b"", NOT_UTF8, b"{"], ids=["gone", "empty", "bytes", "half"])
def test_a_file_that_stops_the_packet_is_told_before(
    tmp_path: Path, phase: str, content: bytes | None
) -> None:
    """Every file by itself: what a packet is refused for, `next` and `status` tell in the same words."""
    made = at(tmp_path, phase)
    told = 0
    for path in sorted(SIGHT | cards(made)):
        if not made.at(path).is_file():
            continue
        kept = made.at(path).read_bytes()
        if content is None:
            made.drop(path)
        else:
            made.write(path, content)
        asked = made.novel("next")
        due = asked.exit == 0 and asked.data["phase"] == phase  # else the plan is asked for
        refused = made.novel("instructions", asked.data["step"]) if due else asked
        stops = {d.message for d in refused.diagnostics if refused.exit}
        assert stops <= {d.message for d in asked.diagnostics}, path
        page = made.novel("status")
        assert stops <= {d.message for d in page.diagnostics}, path
        if due and stops:
            told += 1
            assert AHEAD in asked.text
            assert AHEAD in page.text
            assert page.data["next"]["stopped"] is True
        made.write(path, kept)
    assert told
    assert AHEAD not in made.novel("next").text
    assert made.ok("status")["next"]["stopped"] is False


def test_a_near_miss_in_the_outline_is_told(tmp_path: Path) -> None:
    made = at(tmp_path, "draft")
    text = made.at(layout.outline(1)).read_text("utf-8").replace("### 第 4 章", "## 第 4 章")
    made.write(layout.outline(1), text)
    found = made.novel("next")
    assert [d.code for d in found.diagnostics if d.path == layout.outline(1)] == ["OUTLINE_HEADING_NEAR"]
    assert AHEAD in found.text


def test_a_brief_that_is_the_template_is_told_and_stops_nothing(tmp_path: Path) -> None:
    made = at(tmp_path, "draft")
    shutil.copy(f"{CHECKOUT}/novel_hooks/templates/brief.md", made.at(layout.BRIEF))
    found = made.novel("next")
    assert [(d.severity, d.code) for d in found.diagnostics] == [("warning", "BRIEF_BLANK")]
    assert made.novel("instructions", made.step("draft")).exit == 0
    assert "BRIEF_BLANK" in [d.code for d in made.novel("doctor").diagnostics]


def test_settings_that_cannot_be_read_are_ahead_on_the_page(tmp_path: Path) -> None:
    made = at(tmp_path, "draft")
    made.write(layout.CONFIG, "titel: x\n")
    found = made.novel("status")
    assert found.data["next"]["stopped"] is True
    assert [d.code for d in found.diagnostics] == ["CONFIG_KEY_UNKNOWN"]


def test_a_new_session_hears_it_first(tmp_path: Path) -> None:
    made = at(tmp_path, "draft")
    made.drop(layout.BRIEF)
    said = session_start.respond({}, str(made.root), {"CLAUDE_PID": "1"}, building=False).decode("utf-8")
    assert "先处理：缺少立意简报" in said


def test_nothing_is_ahead_where_the_author_is_asked(tmp_path: Path) -> None:
    made = at(tmp_path, "draft")
    made.stage(
        "drafting", orchestrator_state="ERROR_RETRY", error={"step": made.step("draft"), "reason": "x"}
    )
    made.drop(layout.BRIEF)
    assert made.novel("next").diagnostics == ()
