"""Stray copies in every folder of the book: named with the newer text, never read, never removed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from conftest import TESTS

from novel_hooks import layout
from tools import bookparts

LINE = bookparts.storyline_id(1)
FILES = (
    layout.CONFIG,
    layout.BRIEF,
    layout.STYLE_PROFILE,
    layout.BLACKLIST,
    layout.WORLD_RULES,
    layout.STORYLINES,
    layout.STORYLINE_SPEC,
    layout.STATE,
    layout.CHANGELOG,
    layout.FORESHADOWING,
    layout.chapter(1),
    layout.summary(1),
    layout.evaluation(1),
    layout.crossref(1),
    layout.chapter_log(1),
    layout.memory(LINE),
    layout.outline(1),
    layout.schedule(1),
    layout.foreshadowing_plan(1),
    layout.contract(1, 2),
    layout.character_card("shen-du"),
    layout.character_profile("shen-du"),
    "world/river.md",
    "research/note.md",
    "research/samples/mine.txt",
    layout.retired(layout.character_card("left")),
    layout.staged(layout.chapter(2)),
    layout.staged(layout.character_card("new")),
    layout.staged(layout.contract(1, 2)),
)
WAYS = ("{} (1){}", "{}-DESKTOP-K3J2{}", "{} (某台电脑的冲突副本){}", "{} - 副本{}", "{}{}~", "{}{}.orig")


def strays(made: Book, command: str = "doctor") -> dict[str | None, str]:
    return {d.path: d.message for d in made.novel(command).diagnostics if d.code == "STRAY_COPY"}


@pytest.mark.parametrize("path", FILES)
def test_copies_in_every_folder_are_named_and_left_alone(tmp_path: Path, path: str) -> None:
    made = book(tmp_path)
    if not made.at(path).exists():
        made.write(path, {"id": "x"} if path.endswith(".json") else "一页。\n")
    stem, ending = os.path.splitext(path)
    copies = [way.format(stem, ending) for way in WAYS]
    for each in copies:
        made.write(each, made.at(path).read_bytes() + b"\n")
        os.utime(made.at(each), ns=(10**18, 10**18))
    os.utime(made.at(copies[1]), ns=(10**19 // 4, 10**19 // 4))
    before = made.tree()
    found = strays(made)
    assert set(found) == set(copies) and made.changed(before) == {}
    assert f"{path} 改得更晚" in found[copies[0]] and "副本改得更晚" in found[copies[1]]


def test_the_reported_chapters(tmp_path: Path) -> None:
    made = book(tmp_path, chapters=3)
    names = ("chapter-002 (1)", "chapter-001 - 副本", "chapter-0001", "chapter-000", "第1章", "chapter-２")
    for name in names:
        made.write(f"chapters/{name}.md", made.at(layout.chapter(2)).read_bytes())
    found = strays(made)
    assert set(found) == {f"chapters/{name}.md" for name in names}
    assert (
        "一字不差" in (found["chapters/chapter-002 (1).md"]) and "没有叫" in found["chapters/chapter-000.md"]
    )
    assert made.next()["step"] == "chapter:004:draft"


def test_what_an_editor_made_of_a_chapter_and_a_copied_folder_are_named(tmp_path: Path) -> None:
    """A chapter that was edited as a Word document is read by nobody: its author must hear of it."""
    made = book(tmp_path, chapters=2)
    made.write("chapters/chapter-002.docx", "别的程序写的")
    made.write("characters/active (1)/shen-du.json", {"id": "shen-du"})
    made.write("chapters/~$chapter-002.docx", "")
    found = strays(made)
    assert set(found) == {"chapters/chapter-002.docx", "characters/active (1)"}
    assert "chapters/chapter-002.md 不一样" in found["chapters/chapter-002.docx"]


def test_somebody_who_is_active_and_retired_is_named(tmp_path: Path) -> None:
    made = book(tmp_path)
    card = layout.character_card("shen-du")
    made.write(layout.retired(card), made.at(card).read_bytes())
    assert "又在场又退了场" in strays(made)[layout.retired(card)]


def test_an_old_copy_of_a_card_is_no_person_and_nobody_is_to_rename_it(tmp_path: Path) -> None:
    made = book(tmp_path)
    card = (Path(TESTS) / "cases" / "conflict_copy_card.json").read_bytes()
    made.write("characters/active/shen-du (1).json", card)
    made.write(layout.character_card("shen-du"), card + b" \n")
    found = made.novel("next")
    assert (found.exit, [d.code for d in found.diagnostics]) == (0, ["STRAY_COPY"])
    assert "改名" not in found.diagnostics[0].fix and "不要用它盖掉" in found.diagnostics[0].fix
    packet = made.ok("instructions", made.step("draft"), "--embed")
    assert "shen-du (1)" not in str(packet)


def test_a_copy_without_its_first_may_take_its_place(tmp_path: Path) -> None:
    made = book(tmp_path)
    os.rename(made.at(layout.chapter(1)), made.at("chapters/chapter-001-DESKTOP-K3J2.md"))
    fix = next(d.fix for d in made.novel("doctor").diagnostics if d.code == "STRAY_COPY")
    assert fix.index("备份") < fix.index("改名为") and "不会盖掉" in fix


def test_next_and_status_name_those_beside_setting_and_plan(tmp_path: Path) -> None:
    made = book(tmp_path)
    copy = "volumes/vol-01/outline (1).md"
    made.write(copy, made.at(layout.outline(1)).read_bytes())
    assert list(strays(made, "next")) == list(strays(made, "status")) == [copy]


def test_a_plan_that_lands_takes_no_copy_away(tmp_path: Path) -> None:
    made = book(tmp_path)
    copy = f"{layout.contract(1, 4)[:-5]} (1).json"
    made.write(copy, {"chapter": 4})
    from novel_hooks.flows.book.book import Book as Reading
    from novel_hooks.flows.planning import land
    from novel_hooks.rules.steps.step_name import volume_step
    from novel_hooks.store.files.project import Project

    made.write(layout.staged(layout.outline(1)), "### 第 1 章\n")
    gone = land._dropped_contracts(Reading(Project(str(made.root))), volume_step(1, "commit"), [])
    assert copy not in {change.path for change in gone} and gone


@pytest.mark.parametrize("name", ["volumes/vol-01 (1)", "volumes/第一卷", f"storylines/{LINE}-DESKTOP-AB12"])
def test_a_copied_folder_is_named_as_one(tmp_path: Path, name: str) -> None:
    made = book(tmp_path)
    original = f"storylines/{LINE}" if name.startswith("storylines") else layout.volume_dir(1)
    shutil.copytree(made.at(original), made.at(name))
    message = strays(made)[name]
    assert "一整个文件夹" in message and original in message
