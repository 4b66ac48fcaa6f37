"""Files of setting and plans that were in the book once: named when lost, and nothing is made beside them."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest
from builders import Book, book, killed_landing
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.inventory import lost_setting
from novel_hooks.store.fence import seal

if TYPE_CHECKING:
    from pathlib import Path

STOPPING = (
    layout.CONFIG,
    layout.BRIEF,
    layout.STYLE_PROFILE,
    layout.BLACKLIST,
    layout.WORLD_RULES,
    layout.STORYLINES,
    layout.STORYLINE_SPEC,
    layout.character_card("shen-du"),
    layout.character_profile("shen-du"),
    "world/river.md",
    layout.outline(1),
    layout.schedule(1),
    layout.foreshadowing_plan(1),
)
TOLD = ("research/note.md",)


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """A book whose next step was handed out once, so that what it has is known; nothing is in work."""
    found = book(tmp_path, chapters=3)
    for path in ("world/river.md", *TOLD):
        found.write(path, "一页。\n")
    found.ok("instructions", found.step("draft"), "--write-manifest")
    return found


def lost(made: Book, *argv: str) -> tuple[int, dict[str | None, str]]:
    """The exit, and the fix by path of every file that is named as lost."""
    found = made.novel(*argv)
    return found.exit, {d.path: d.fix for d in found.diagnostics if d.code == "LOST_FILE"}


@pytest.mark.parametrize("path", STOPPING)
@pytest.mark.parametrize("how", ["gone", "empty"])
def test_what_the_next_step_is_made_of_stops_it_at_next(made: Book, path: str, how: str) -> None:
    made.drop(path) if how == "gone" else made.write(path, b"")
    before = made.tree()
    for argv in (("next",), ("status",), ("doctor",), ("instructions", made.step("draft"))):
        code, named = lost(made, *argv)
        assert code in (1, 3, 5) and list(named) == [path], argv
        assert "从备份取回" in (named[path] or "")
    assert made.novel("instructions", made.step("draft"), "--write-manifest").exit == 3
    assert made.changed(before) == {}


@pytest.mark.parametrize("data", [b"\0" * 900, b"\xef\xbb\xbf\r\n", "\n　\n  \n".encode() * 40])
def test_a_file_without_a_word_is_lost(made: Book, data: bytes) -> None:
    """A sync or a failing disk leaves zero bytes: over them the volume would be planned anew."""
    for path in (layout.outline(1), layout.BRIEF, "world/river.md", *TOLD):
        before = made.at(path).read_bytes()
        made.write(path, data)
        code, named = lost(made, "next")
        assert (code, list(named)) == (0 if path in TOLD else 3, [path])
        made.write(path, before)


def test_an_outline_without_headings_is_never_planned_anew_over_landed_chapters(made: Book) -> None:
    made.write(layout.outline(1), "第一卷大概写过桥。\n")
    for argv in (("next",), ("instructions", "volume:01:outline", "--write-manifest")):
        found = made.novel(*argv)
        assert found.exit == 3 and "从备份取回" in (found.diagnostics[0].fix or ""), argv
        assert found.diagnostics[0].code == "OUTLINE_EMPTY"


@pytest.mark.parametrize("path", TOLD)
def test_a_page_that_no_chapter_is_made_of_is_told_and_stops_nothing(made: Book, path: str) -> None:
    made.drop(path)
    for command, exit in (("next", 0), ("status", 0), ("doctor", 1)):
        code, named = lost(made, command)
        assert (code, list(named)) == (exit, [path]), command


def test_a_whole_volume_is_not_planned_anew(made: Book) -> None:
    shutil.rmtree(made.at(layout.volume_dir(1)))
    code, named = lost(made, "next")
    assert code == 3 and set(named) == {path for path in STOPPING if path.startswith("volumes/")}
    assert "规划第 1 卷" not in made.novel("status").text


@pytest.mark.parametrize("volume_size", [6, 2])
def test_the_outline_of_landed_chapters_is_missed_where_nothing_was_handed_out(
    tmp_path: Path, volume_size: int
) -> None:
    made = book(tmp_path, chapters=3, volume_size=volume_size)
    path = layout.outline(3 // volume_size + 1)
    made.drop(path)
    assert [lost(made, command)[1].keys() for command in ("next", "doctor")] == [{path: ""}.keys()] * 2


def test_an_earlier_volumes_outline_is_missed_by_doctor(tmp_path: Path) -> None:
    made = book(tmp_path, chapters=7, volume_size=2)
    made.drop(layout.outline(1))
    assert list(lost(made, "doctor")[1]) == [layout.outline(1)]


def test_what_never_was_is_not_missed(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.drop(layout.STORYLINE_SPEC)
    assert lost(made, "next") == (0, {}) and lost(made, "doctor")[1] == {}


def test_a_placeholder_of_the_cloud_is_known_as_such(made: Book) -> None:
    made.drop(layout.outline(1))
    made.write("volumes/vol-01/.outline.md.icloud", b"bplist00")
    fix = lost(made, "next")[1][layout.outline(1)]
    assert "下载" in fix and "volumes/vol-01/.outline.md.icloud" in made.novel("next").diagnostics[0].message


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (layout.BRIEF, "旧的/brief.md"),
        (layout.outline(1), "volumes/第一卷/vol-01/outline.md"),
        (layout.character_card("shen-du"), "characters/active/主角/shen-du.json"),
        (layout.character_card("shen-du"), "characters/active/Shen-Du.json"),
        (layout.STORYLINES, "storylines/storylines (1).json"),
        (layout.WORLD_RULES, "rules.json"),
    ],
)
def test_what_was_moved_or_renamed_is_named_with_its_place(made: Book, path: str, place: str) -> None:
    made.at(place).parent.mkdir(parents=True, exist_ok=True)
    os.rename(made.at(path), made.at(place))
    found = next(d for d in made.novel("next").diagnostics if d.code == "LOST_FILE")
    assert (found.path, place in found.message) == (path, True)
    assert found.fix.index("备份") < found.fix.index("移回") and "不会盖掉" in found.fix


def test_another_volumes_outline_is_not_taken_for_it(tmp_path: Path) -> None:
    made = book(tmp_path, chapters=3, volume_size=2)
    made.drop(layout.outline(2))
    assert "vol-01" not in made.novel("next").diagnostics[0].message


def test_what_a_killed_landing_still_brings_is_not_missed(
    made: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = "volumes/vol-01/review.md"
    known = made.at(layout.KNOWN_FILES).read_bytes()
    killed_landing(made, monkeypatch, {path: b"x\n", layout.KNOWN_FILES: sealed(known, path)})
    assert not made.at(path).exists() and lost(made, "next") == (0, {})


def sealed(known: bytes, path: str) -> bytes:
    lines = known.decode().splitlines()[1:]
    return seal.sealed_lines("novel-known 1", sorted([*lines, path]))


def test_the_authors_word_ends_it(made: Book) -> None:
    made.drop(layout.STORYLINE_SPEC)
    made.drop("world/river.md")
    accepted = made.ok("accept-changes")["accepted"]
    assert {one["path"] for one in accepted} == {layout.STORYLINE_SPEC, "world/river.md"}
    assert lost(made, "next") == (0, {}) and lost(made, "doctor")[1] == {}
    audit = made.lines(layout.AUDIT)
    assert [line["path"] for line in audit if line["event"] == "accept-changes"] == [
        layout.STORYLINE_SPEC,
        "world/river.md",
    ]


def test_what_novel_removes_itself_is_not_missed(tmp_path: Path) -> None:
    made = book(tmp_path, chapters=3)
    card, profile = layout.character_card("lu-ren"), layout.character_profile("lu-ren")
    made.write(card, {"id": "lu-ren", "display_name": "路人", "contracts": []})
    made.write(profile, "# 路人\n")
    made.ok("instructions", made.step("draft"))
    assert card in made.at(layout.KNOWN_FILES).read_text("utf-8")
    made.ok("retire", "lu-ren", "--yes")
    assert made.names(layout.RETIRED) == ["lu-ren.json", "lu-ren.md"]
    assert lost(made, "next") == (0, {}) and lost(made, "doctor")[1] == {}
    made.drop(layout.retired(card))
    assert list(lost(made, "doctor")[1]) == [layout.retired(card)]


def test_nothing_is_settled_while_the_book_is_set_up(made: Book) -> None:
    made.point(orchestrator_state="INIT", current_volume=0, last_completed_chapter=0)
    made.drop(layout.WORLD_RULES)
    assert lost(made, "doctor")[1] == {}


@pytest.mark.parametrize("path", [*STOPPING, *TOLD, "volumes/vol-01/review.md", "characters/retired/x.json"])
def test_each_kind_has_a_name_of_the_authors(path: str) -> None:
    found = lost_setting.kind(path)
    assert found.title != "文件" and found.stops == (path in STOPPING)
