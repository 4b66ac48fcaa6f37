"""`novel outline --check` and `--fix` on real files (protocol §7)."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest
from builders import OTHER, SOUND, Book, book, killed_landing
from builders import fast_disk as fast_disk
from planbook import staged_book

from novel_hooks import layout
from novel_hooks.cli import asking

if TYPE_CHECKING:
    from pathlib import Path

OUTLINE = layout.outline(1)


def spoil(made: Book, *changes: tuple[str, str]) -> str:
    """The volume's outline with each text replaced once; what it holds now."""
    text = made.at(OUTLINE).read_text("utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    made.write(OUTLINE, text)
    return text


def codes(found: Any) -> list[str]:
    return [told.code for told in found.diagnostics]


def test_a_sound_outline_has_no_findings(tmp_path: Path) -> None:
    made = book(tmp_path)
    before = made.tree()
    data = made.ok("outline", "--check")
    assert data == {"volume": 1, "path": OUTLINE, "sound": True, "chapters": 6, "fixable": []}
    assert made.ok("outline", "--fix", "--yes")["changed"] is False
    assert made.changed(before) == {}


def test_every_finding_at_once_with_line_and_fix(tmp_path: Path) -> None:
    """A gap, a duplicate, a near miss, a mistyped and a missing key line, an unread number, BOM and CRLF."""
    made = book(tmp_path)
    text = spoil(
        made,
        ("### 第 2 章: ", "## 第二章："),
        ("### 第 4 章", "### 第 3 章"),
        ("- **POV**: 沈渡\n", "- POV：沈渡\n"),
        ("- **Arc**: 从躲着塔上的灯，到自己点起一盏\n", ""),
    )
    text += "### 第 N 章\n"
    made.write(OUTLINE, b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode("utf-8"))
    before = made.tree()
    found = made.novel("outline", "--check")
    assert found.exit == 1 and made.changed(before) == {}
    assert codes(found) == [
        "OUTLINE_HEADING_NEAR",
        "OUTLINE_HEADING_NEAR",
        "OUTLINE_NUMBERING",
        "OUTLINE_NUMBERING",
        "OUTLINE_KEY_MISSING",
        "OUTLINE_KEY_MISSING",
        "OUTLINE_RAW_MARKS",
        "OUTLINE_RAW_MARKS",
    ]
    lines = text.split("\n")
    near, _, twice, gap, missing, mistyped = found.diagnostics[:6]
    line = lines.index("## 第二章：第2趟船") + 1
    assert f"第 {line} 行" in near.message and "`### 第 2 章: 第2趟船`" in near.fix
    assert "3（第 " in twice.message and "缺少：4（第 " in gap.message
    keys = sorted((missing, mistyped), key=lambda told: "写法不对" in told.message)
    assert "Arc" in keys[0].message and "- **Arc**" in keys[0].fix
    assert f"第 {lines.index('- POV：沈渡') + 1} 行" in keys[1].message and "`- **POV**: 沈渡`" in keys[1].fix
    assert found.data["fixable"] == [line] and found.data["sound"] is False
    assert "### 第 N 章" in found.diagnostics[1].message
    assert all(told.path == OUTLINE and told.fix for told in found.diagnostics)


def test_a_bom_and_crlf_alone_are_a_note(tmp_path: Path) -> None:
    made = book(tmp_path)
    text = made.at(OUTLINE).read_bytes()
    made.write(OUTLINE, b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"))
    found = made.novel("outline", "--check")
    assert (found.exit, found.data["sound"]) == (0, True)
    assert {told.severity for told in found.diagnostics} == {"info"}
    assert made.ok("outline", "--fix", "--yes")["line_ends"] is True
    assert made.at(OUTLINE).read_bytes() == text


def test_a_landed_plan_whose_parts_no_longer_fit_is_found(tmp_path: Path) -> None:
    """An edit by hand of the contract or of the schedule alone: the outline's own form is right."""
    made = book(tmp_path)
    contract = made.json(layout.contract(1, 3))
    made.write(layout.contract(1, 3), {**contract, "storyline_id": "nowhere"})
    schedule = made.json(layout.schedule(1))
    made.write(layout.schedule(1), {**schedule, "active_storylines": "都在"})
    found = made.novel("outline", "--check")
    told = {(one.path, one.severity) for one in found.diagnostics}
    assert (found.exit, found.data["sound"]) == (1, False)
    assert (layout.contract(1, 3), "error") in told and (layout.schedule(1), "error") in told
    assert "写法都对" not in (found.text or "")


def test_a_landed_plan_is_held_together_as_the_checkup_does(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.ok("changed", "--note")  # a book of our own: its setting was noted
    contract = made.json(layout.contract(1, 4))
    contract["postconditions"]["foreshadowing_updates"] = [{"id": "no-such-thread", "action": "advanced"}]
    made.write(layout.contract(1, 4), contract)
    found = made.novel("outline", "--check")
    mine = [one for one in found.diagnostics if one.path == layout.contract(1, 4)]
    assert found.exit == 1 and {one.severity for one in mine} == {"warning"}
    seen = made.novel("doctor")
    assert {one.message for one in mine} <= {one.message for one in seen.diagnostics}


def test_a_plan_that_waits_is_checked_as_its_step_is(tmp_path: Path) -> None:
    made = staged_book(tmp_path / "book", "volumes", layout.STORYLINES)
    made.ok("commit", "--setup")
    there = layout.staged(layout.contract(1, 2))
    contract = made.json(there)
    made.write(there, {**contract, "objectives": []})
    found, wanted = made.novel("outline", "--check"), made.novel("validate", "volume:01:outline")
    assert wanted.exit == found.exit == 1
    assert {one.message for one in wanted.diagnostics} <= {one.message for one in found.diagnostics}
    made.drop(layout.staged(layout.schedule(1)))  # still being written: nothing is missing yet
    assert made.novel("outline", "--check").exit == 0


def test_an_outline_without_a_heading_and_no_outline_at_all(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.write(OUTLINE, "# 第 1 卷\n\n## 第一章\n")
    found = codes(made.novel("outline", "--check"))
    assert found == ["OUTLINE_EMPTY", "OUTLINE_HEADING_NEAR", *["OUTLINE_KEY_MISSING"] * 8]
    assert made.ok("outline", "--fix", "--yes")["fixed"][0]["after"] == "### 第 1 章"
    made.drop(OUTLINE)
    for flags in (("--check",), ("--fix", "--yes")):
        made.refused(3, "FILE_MISSING", "outline", *flags)


def test_a_staged_outline_is_looked_at_while_there_is_no_other(tmp_path: Path) -> None:
    made = book(tmp_path)
    staged = layout.staged(layout.outline(2))
    made.write(staged, "## 第 7 章\n")
    assert made.novel("outline", "--volume", "2", "--check").data["path"] == staged
    assert made.ok("outline", "--volume", "2", "--fix", "--yes")["path"] == staged
    assert made.at(staged).read_text("utf-8") == "### 第 7 章\n"


def test_fix_rewrites_the_headings_and_nothing_else(tmp_path: Path) -> None:
    made = book(tmp_path)
    text = spoil(made, ("### 第 2 章: ", "## 第二章："), ("### 第 5 章: 第5趟船", "###第05章第5趟船"))
    before = made.tree()
    data = made.ok("outline", "--fix", "--yes")
    assert set(made.changed(before)) - {layout.KNOWN_FILES} == {OUTLINE}
    assert [(f["chapter"], f["before"], f["after"]) for f in data["fixed"]] == [
        (2, "## 第二章：第2趟船", "### 第 2 章: 第2趟船"),
        (5, "###第05章第5趟船", "### 第 5 章: 第5趟船"),
    ]
    fixed = text
    for entry in data["fixed"]:
        fixed = fixed.replace(entry["before"], entry["after"])
    assert made.at(OUTLINE).read_text("utf-8") == fixed
    assert made.ok("outline", "--check")["chapters"] == 6
    assert made.ok("outline", "--fix", "--yes")["changed"] is False


def test_fix_renumbers_and_invents_nothing_and_says_what_is_left(tmp_path: Path) -> None:
    made = book(tmp_path)
    spoil(
        made,
        ("### 第 2 章: 第2趟船\n", "### 第 2 章: 第2趟船\n#### 第一节 清晨\n"),
        ("### 第 4 章", "### **第 4 章**"),
        ("### 第 6 章", "### 第 5 章"),
    )
    before = made.tree()
    found = made.novel("outline", "--fix", "--yes")
    assert (found.exit, found.data["changed"], found.data["left"]) == (0, False, 3)
    assert codes(found) == ["OUTLINE_UNFIXABLE"] and "--check" in found.diagnostics[0].fix
    assert made.changed(before) == {}


def test_two_lines_of_one_number_are_left_to_the_author(tmp_path: Path) -> None:
    made = book(tmp_path)
    spoil(made, ("### 第 5 章", "## 第 5 章"), ("### 第 6 章", "## 第 5 章"))
    assert made.ok("outline", "--fix", "--yes")["fixed"] == []


def test_a_script_is_told_how_to_say_yes(tmp_path: Path) -> None:
    made = book(tmp_path)
    spoil(made, ("### 第 2 章", "## 第 2 章"))
    before = made.tree()
    found = made.novel("outline", "--fix")
    (told,) = found.diagnostics
    assert (found.exit, told.code, made.changed(before)) == (3, "CONFIRMATION_NEEDED", {})
    assert "novel outline --volume 1 --fix --yes" in told.fix and OUTLINE in told.message


def test_whoever_cannot_be_asked_is_shown_the_change_too(tmp_path: Path) -> None:
    """As text and as data, the same as what `--yes` then does."""
    made = book(tmp_path)
    spoil(made, ("### 第 2 章: ", "## 第二章："))
    shown = made.novel("outline", "--fix")
    assert "- ## 第二章：第2趟船\n+ ### 第 2 章: 第2趟船" in shown.text
    assert shown.data["changed"] is False
    assert {**shown.data, "changed": True} == made.ok("outline", "--fix", "--yes")


def test_a_landing_that_was_killed_is_seen_as_it_will_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = book(tmp_path)
    sound = made.at(OUTLINE).read_bytes()
    spoil(made, ("### 第 2 章: ", "## 第二章："))
    killed_landing(made, monkeypatch, {OUTLINE: sound, layout.BLACKLIST: b"{}\n"})
    before = made.tree()
    assert made.ok("outline", "--fix")["fixed"] == []
    assert made.changed(before) == {} and made.ok("outline", "--check")["sound"] is True


@pytest.mark.parametrize("yes", [True, False])
def test_the_author_sees_the_change_before_he_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, yes: bool
) -> None:
    made = book(tmp_path)
    spoil(made, ("### 第 2 章: ", "## 第二章："))
    before, shown = made.tree(), list[str]()
    monkeypatch.setattr(asking, "_can_ask", lambda _context: True)
    monkeypatch.setattr(asking, "agrees", lambda _context, text: bool(shown.append(text)) or yes)
    assert made.ok("outline", "--fix")["changed"] is yes
    assert "- ## 第二章：第2趟船\n+ ### 第 2 章: 第2趟船" in shown[0]
    assert bool(made.changed(before)) is yes


def test_an_outline_that_changed_while_asked_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = book(tmp_path)
    spoil(made, ("### 第 2 章", "## 第 2 章"))
    monkeypatch.setattr(asking, "_can_ask", lambda _context: True)
    monkeypatch.setattr(asking, "agrees", lambda _context, _text: bool(spoil(made, ("# 第 1 卷", "# 第一卷"))))
    found = made.novel("outline", "--fix")
    assert (found.exit, codes(found)) == (3, ["CHANGED_WHILE_ASKED"])
    assert "## 第 2 章" in made.at(OUTLINE).read_text("utf-8")


def test_fix_waits_for_nobody_and_keeps_the_lock_rules(tmp_path: Path) -> None:
    made = book(tmp_path)
    spoil(made, ("### 第 2 章", "## 第 2 章"))
    made.novel("lock", "acquire", owner=OTHER)
    assert made.novel("outline", "--fix", "--yes").exit == 4
    assert made.novel("outline", "--check").exit == 1
    made.novel("lock", "release", owner=OTHER)
    made.ok("outline", "--fix", "--yes")
    assert made.ok("lock", "status")["kind"] == "free"


def test_fix_is_no_breach_of_the_write_boundary(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.ok("lock", "acquire")
    made.ok("instructions", made.step("draft"), "--write-manifest")
    spoil(made, ("### 第 6 章", "## 第 6 章"))
    made.ok("outline", "--fix", "--yes")
    made.draft()
    assert made.advance("draft")["changed"] is True


def test_near_misses_stop_the_draft_until_they_are_fixed(tmp_path: Path) -> None:
    made = book(tmp_path)
    spoil(made, ("### 第 6 章", "## 第六章"))
    made.refused(3, "OUTLINE_HEADING_NEAR", "instructions", made.step("draft"))
    made.ok("outline", "--fix", "--yes")
    made.ok("instructions", made.step("draft"))


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("--volume", "0"), "卷号"),
        (("--chapter", "0"), "章号"),
        (("--check", "--fix"), "一次只做一件事"),
        (("--chapter", "2", "--check"), "一次只做一件事"),
        (("--yes",), "--fix"),
    ],
)
def test_calls_that_cannot_be_understood(tmp_path: Path, argv: tuple[str, ...], said: str) -> None:
    told = book(tmp_path).refused(2, "CLI_USAGE", "outline", *argv)
    assert said in told.message


def test_nothing_heavy_is_loaded(tmp_path: Path) -> None:
    made = book(tmp_path)
    for name in [name for name in sys.modules if name.partition(".")[0] == "jsonschema"]:
        sys.modules.pop(name)
    SOUND.clear()  # else another test's document would hide that one is judged
    made.ok("outline", "--check")
    assert "jsonschema" not in sys.modules


def test_a_repair_while_a_step_is_out_is_no_breach(tmp_path: Path) -> None:
    """The author says it to `novel`, and `novel` writes it: no agent did."""
    made = book(tmp_path)
    made.ok("lock", "acquire")
    made.ok("instructions", made.step("draft"), "--write-manifest")
    made.draft()
    spoil(made, ("### 第 5 章: ", "## 第五章：改过的"))
    assert made.ok("outline", "--fix", "--yes")["changed"] is True
    assert made.advance("draft")["changed"]


def test_a_volume_planned_again_is_checked_where_its_new_plan_waits(tmp_path: Path) -> None:
    """The staged outline counts while the volume is planned, and never for the writing."""
    made = book(tmp_path)
    staged = layout.staged(OUTLINE)
    made.write(staged, made.at(OUTLINE).read_text("utf-8").replace("### 第 5 章: ", "## 第五章："))
    assert made.ok("outline", "--check")["path"] == OUTLINE
    assert made.ok("outline", "--fix", "--yes")["path"] == OUTLINE
    made.ok("replan", "--yes")
    found = made.novel("outline", "--check")
    assert found.data["path"] == staged and codes(found) == ["OUTLINE_HEADING_NEAR"]
    assert (found.text or "").startswith(f"（还没定下来的规划：{staged}）")
    before = made.at(OUTLINE).read_bytes()
    assert made.ok("outline", "--fix", "--yes")["path"] == staged
    assert made.at(OUTLINE).read_bytes() == before and made.at(staged).read_bytes() == before
