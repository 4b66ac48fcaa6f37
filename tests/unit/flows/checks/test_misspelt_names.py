"""A misspelt name stops the step that wrote it; in a landed text `novel lint` names it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout

if TYPE_CHECKING:
    from pathlib import Path

STAGES = {"draft": ("drafting", 0), "refine": ("drafted", 0), "revise": ("revising", 1)}
SLIP = "# 第 2 章 夜渡\n\n荀九锁把灯提起来。\n\n旬九锁没有回头。\n"


def with_name(tmp_path: Path, phase: str = "draft") -> Book:
    """A book in whose cast is 荀九锁, its second chapter in work at `phase`."""
    made = book(tmp_path)
    contracts = made.json(layout.character_card("he-tie"))["contracts"]
    card = {"id": "xun-jiusuo", "display_name": "荀九锁", "contracts": contracts}
    made.write(layout.character_card("xun-jiusuo"), card)
    made.stage(*STAGES[phase])
    made.draft(SLIP)
    if phase != "draft":
        made.records()
    if phase == "revise":
        made.evaluation(3.2, gate={"decision": phase})
    return made


@pytest.mark.parametrize("phase", STAGES)
def test_the_step_that_wrote_it_does_not_pass(tmp_path: Path, phase: str) -> None:
    made = with_name(tmp_path, phase)
    for command in ("validate", "advance"):
        found = made.novel(command, made.step(phase))
        (told,) = [one for one in found.diagnostics if one.code == "NAME_MISSPELT"]
        assert found.exit == 1 and told.path == made.staged("chapter")
        assert "第 5 行把「荀九锁」写成了「旬九锁」" in told.message
        assert told.fix.startswith("请让润色师改成" if phase == "refine" else "请让写手改成")
    assert made.ok("instructions", made.step(phase))["phase"] == phase


def test_the_right_name_passes(tmp_path: Path) -> None:
    made = with_name(tmp_path)
    made.draft(SLIP.replace("旬", "荀"))
    assert made.novel("validate", made.step("draft")).exit == 0


@pytest.mark.parametrize(
    "path",
    [
        layout.chapter(1),
        layout.summary(1),
        layout.BRIEF,
        layout.contract(1, 2),
        layout.character_card("he-tie"),
        "world/places.md",
        layout.UNKNOWN_ENTITIES,
    ],
)
def test_what_the_book_knows_is_somebody_else(tmp_path: Path, path: str) -> None:
    made = with_name(tmp_path)
    place = made.at(path)
    before = place.read_text("utf-8") if place.exists() else ""
    text = before.replace("沈渡", "旬九锁") if "沈渡" in before else f"{before}旬九锁"
    if path == layout.character_card("he-tie"):
        text = before.replace("何铁", "何铁，旬九锁的徒弟")
    elif path == layout.UNKNOWN_ENTITIES:
        text = '{"mention": "旬九锁", "chapter": 1}\n'
    made.write(path, text)
    found = made.novel("validate", made.step("draft"))
    assert [one for one in found.diagnostics if one.code == "NAME_MISSPELT"] == []


def test_what_the_author_lets_pass_stops_nothing(tmp_path: Path) -> None:
    made = with_name(tmp_path)
    made.write(layout.BLACKLIST, {**made.json(layout.BLACKLIST), "whitelist": ["旬九锁"]})
    assert made.novel("validate", made.step("draft")).exit == 0


def test_lint_names_it_in_a_landed_text_and_nothing_else_stops(tmp_path: Path) -> None:
    made = with_name(tmp_path)
    made.draft()
    made.write(layout.chapter(1), SLIP)
    found = made.novel("lint", "1")
    assert found.exit == 1
    assert [one["written"] for one in found.data["misspelt"]] == ["旬九锁"]
    assert "必须先改的名字：\n  第 5 行　把「荀九锁」写成了「旬九锁」" in (found.text or "")
    assert "没有必须先改" not in (found.text or ""), "this is to be mended"
    assert made.novel("validate", made.step("draft")).exit == 0


def test_a_card_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    made = with_name(tmp_path)
    made.write(layout.character_card("bai-sui"), "{")
    found = made.novel("validate", made.step("draft"))
    assert [one.code for one in found.diagnostics if one.severity == "error"] == ["NAME_MISSPELT"]
