"""The landed chapters that a packet shows in their own words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.packet import earlier_text
from novel_hooks.rules.packet import data_block
from novel_hooks.rules.text import length
from unit.flows.packet.test_chapter_inputs import at_phase, packet

if TYPE_CHECKING:
    from pathlib import Path

LONG = "# 第 4 章 长夜\n\n" + "".join(f"第{n:04d}段，{'水' * 30}。\n\n" for n in range(200))


def given(found: dict[str, Any], key: str) -> dict[str, Any] | None:
    """The newest of the key."""
    return next((one for one in reversed(found["inputs"]) if one["key"] == key), None)


def line_was_away(made: Book) -> None:
    """The line's own last chapter is chapter 1."""
    log = made.lines(layout.CHANGELOG)
    for one in log[1:]:
        one["storyline_id"] = "another"
    made.write(layout.CHANGELOG, "".join(f"{json.dumps(one)}\n" for one in log))


def text_of(found: dict[str, Any], key: str) -> str:
    one = given(found, key)
    assert one is not None
    return data_block.unwrap(one["text"])


@pytest.mark.parametrize("phase", ["draft", "revise", "judge"])
def test_the_last_chapters_by_their_files(tmp_path: Path, phase: str) -> None:
    found = [
        one for one in packet(at_phase(tmp_path, phase), phase)["inputs"] if one["key"] == "previous_text"
    ]
    numbers = (2, 3, 4) if phase == "draft" else (4,)
    assert [one["path"] for one in found] == [layout.chapter(n) for n in numbers]
    assert not [one for one in found if "text" in one]


@pytest.mark.parametrize("phase", ["draft", "revise", "judge"])
def test_of_a_long_last_chapter_its_end_from_a_paragraphs_start(tmp_path: Path, phase: str) -> None:
    made = at_phase(tmp_path, phase)
    made.write(layout.chapter(4), LONG)
    found = text_of(packet(made, phase), "previous_text")
    assert found.startswith("# 第 4 章 长夜\n\n第0") and found.endswith(LONG[-200:].rstrip() + "\n")
    assert earlier_text.LAST - 50 < length.chars(found) <= earlier_text.LAST
    assert found.partition("\n\n")[2].rstrip() in LONG


def test_up_to_the_limit_it_is_whole(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    for extra, whole in ((0, True), (1, False)):
        made.write(
            layout.chapter(4), "# 第 4 章 夜\n\n短。\n\n" + "水" * (earlier_text.LAST - 2 + extra) + "\n"
        )
        one = given(packet(made, "draft"), "previous_text")
        assert one is not None and ("path" in one) is whole


def test_the_end_of_the_lines_own_last_chapter(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    made.write(layout.chapter(1), LONG.replace("第 4 章", "第 1 章"))
    line_was_away(made)
    found = text_of(packet(made, "draft"), "line_text")
    assert found.startswith("# 第 1 章 长夜\n\n第0") and found.endswith(f"第0199段，{'水' * 30}。\n")
    assert earlier_text.LINE - 50 < length.chars(found) <= earlier_text.LINE


def test_none_when_its_text_is_given_anyway(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    assert given(packet(made, "draft"), "line_text") is None


def test_a_revision_has_the_end_of_the_line_that_a_draft_has_whole(tmp_path: Path) -> None:
    found = packet(at_phase(tmp_path, "revise"), "revise")
    assert text_of(found, "line_text").startswith("# 第3章")


def test_the_first_chapter_has_neither(tmp_path: Path) -> None:
    made = book(tmp_path, 0)
    made.stage("drafting")
    found = packet(made, "draft")
    assert given(found, "previous_text") is None and given(found, "line_text") is None
    assert found["warnings"] == []


@pytest.mark.parametrize(("phase", "numbers"), [("draft", [2, 3, 4]), ("revise", [4, 3]), ("judge", [4])])
def test_lost_texts_are_told_with_the_packet(tmp_path: Path, phase: str, numbers: list[int]) -> None:
    made = at_phase(tmp_path, phase)
    made.write(layout.staged(layout.hints(5)), {})  # half done: what is lost now stops nothing
    for number in (2, 3, 4):
        made.drop(layout.chapter(number))
    found = packet(made, phase)
    assert given(found, "previous_text") is None and given(found, "line_text") is None
    told = [w for w in found["warnings"] if "正文却不见了" in w]
    assert len(told) == len(numbers)
    assert all(layout.chapter(n) in w for n, w in zip(numbers, told))
    ahead = [d.message for d in made.novel("next").diagnostics if d.code == "LANDED_TEXT_GONE"]
    assert len(ahead) == 1 and "第 2、3、4 章" in ahead[0], "told of once, whoever reads them"


@pytest.mark.parametrize("number", [3, 4])
def test_a_text_that_is_none_stops_the_step_and_is_told_before(tmp_path: Path, number: int) -> None:
    made = at_phase(tmp_path, "draft")
    made.write(layout.chapter(number), b"\xff\xfe\xfd")
    found = made.novel("instructions", made.step("draft"))
    assert (found.exit, [d.path for d in found.diagnostics]) == (3, [layout.chapter(number)])
    assert layout.chapter(number) in [d.path for d in made.novel("next").diagnostics]
