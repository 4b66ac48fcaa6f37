"""The world of a packet: each rule once, later ones for the judge alone, the pages on the chapter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import Book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.rules.packet import data_block
from unit.flows.packet.phase_packets import PAGE, at_phase
from unit.flows.packet.test_chapter_inputs import packet, value

if TYPE_CHECKING:
    from pathlib import Path


def rule(number: int, kind: str, first: int | None, **more: Any) -> dict[str, Any]:
    plain = {"id": f"W-{number:03d}", "category": "河", "rule": f"第{number}条不可违", "exceptions": []}
    return {**plain, "constraint_type": kind, "introduced_chapter": first, **more}


def rules(made: Book) -> None:
    listed = [rule(1, "hard", 1, exceptions=["付一盏灯"]), rule(2, "soft", 5), rule(3, "hard", 6)]
    made.write(layout.WORLD_RULES, {"rules": [*listed, rule(4, "soft", 9), rule(5, "hard", None)]})


@pytest.mark.parametrize("phase", ["draft", "revise"])
def test_a_writer_gets_each_rule_once_and_none_of_later_chapters(tmp_path: Path, phase: str) -> None:
    made = at_phase(tmp_path, phase)
    rules(made)
    found = packet(made, phase)
    hard = ["- [W-001][河] 第1条不可违 (exceptions: 付一盏灯)", "- [W-005][河] 第5条不可违"]
    assert value(found, "hard_rules_list") == hard
    assert [one["id"] for one in value(found, "world_rules")["rules"]] == ["W-002"]


def test_the_judge_gets_all_of_them_the_later_ones_marked(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "judge")
    rules(made)
    found = packet(made, "judge")
    assert [line.partition("条")[0] for line in value(found, "hard_rules_list")] == [
        "- [W-001][河] 第1",
        "- [W-003][河][第 6 章起] 第3",
        "- [W-005][河] 第5",
    ]
    assert [one["id"] for one in value(found, "world_rules")["rules"]] == ["W-002", "W-004"]


def pages(found: dict[str, Any]) -> list[str]:
    return [data_block.unwrap(one["text"]) for one in found["inputs"] if one["key"] == "world_pages"]


def test_the_sections_that_name_the_chapters_places_before_those_that_name_nobody(tmp_path: Path) -> None:
    named, _, prices = PAGE.partition("\n\n## ")
    assert pages(packet(at_phase(tmp_path, "draft"), "draft")) == [named, f"## {prices.strip()}"]


def test_no_section_on_somebody_who_is_not_there(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    made.write(f"{layout.WORLD}/b.md", "## 幕后\n\n何铁换的牌。\n\n## 行话\n\n忌说翻。\n")
    found = "".join(pages(packet(made, "draft")))
    assert "忌说翻" in found and "幕后" not in found


def test_and_its_people_and_the_things_of_the_state(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    made.write(
        f"{layout.WORLD}/b.md",
        "# 行当\n\n## 铁铺\n\n何铁打船钉。\n\n## 灯油\n\n三文一两。\n\n## 船牌\n\n先换牌。\n",
    )
    state = made.json(layout.STATE)
    made.write(
        layout.STATE, {**state, "items": {"oil": {"display_name": "灯油"}, "sign": {"display_name": "船牌"}}}
    )
    contract = made.json(layout.contract(1, 5))
    contract["objectives"][0].update(target="何铁", description="沈渡收灯，丢了灯油")
    made.write(layout.contract(1, 5), contract)
    found = [page.partition("\n")[0] for page in pages(packet(made, "draft"))]
    assert set(found[:3]) == {"# 渡口", "## 铁铺", "## 灯油"}


def test_a_page_that_is_no_text_stops_the_writer_and_is_told_before(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    made.write(f"{layout.WORLD}/ferry.md", b"\xff\xfe\xfd")
    found = made.novel("instructions", made.step("draft"))
    assert (found.exit, [d.path for d in found.diagnostics]) == (3, [f"{layout.WORLD}/ferry.md"])
    assert f"{layout.WORLD}/ferry.md" in [d.path for d in made.novel("next").diagnostics]
