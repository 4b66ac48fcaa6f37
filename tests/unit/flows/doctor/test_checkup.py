"""`novel doctor`: a sound book is sound, every fault is named."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

import pytest
from builders import Book, book, process
from builders import fast_disk as fast_disk

from novel_hooks import __version__, layout
from novel_hooks.cli.call import call
from novel_hooks.store.formats import jsonio
from unit.flows.doctor.checked_book import CASES, PLANT, codes, doctor, land, put, thread
from unit.flows.doctor.checked_book import made as made

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


# --- sound -----------------------------------------------------------------------------------


def test_a_book_as_commits_leave_it_is_sound_and_untouched(made: Book) -> None:
    before = made.tree()
    found = made.novel("doctor")
    assert (found.exit, found.diagnostics) == (0, ())
    assert found.data["sound"] is True and len(found.data["checked"]) > 15
    assert made.changed(before) == {}


@pytest.mark.parametrize("stage", ["drafting", "drafted", "refined", "judged"])
def test_sound_in_the_middle_of_a_chapter(made: Book, stage: str) -> None:
    made.until(stage)
    exit, found = doctor(made)
    assert exit == 0
    assert set(found) == {"LOCK_HELD"}


def test_a_book_of_another_tool_is_sound(tmp_path: Path) -> None:
    assert doctor(book(tmp_path, chapters=13, volume_size=6)) == (0, {})


def test_what_earlier_versions_kept_is_no_fault(made: Book) -> None:
    made.write(f"{layout.SNAPSHOTS}/chapter-050.json", {"lines": 50})
    assert doctor(made) == (0, {})


def installed(place: Path, version: str, head: str) -> Path:
    """What `pipx install` leaves: an environment with the package, and the script that a shell finds."""
    package = place / "venv" / "lib" / "python3.11" / "site-packages" / "novel_hooks"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(f'"""Novel."""\n\n__version__ = "{version}"\n')
    script = place / "venv" / "bin" / "novel"
    script.parent.mkdir()
    body = "import sys\nfrom novel_hooks.cli.main import entry\nsys.exit(entry())\n"
    script.write_text(head.format(python=place / "venv" / "bin" / "python") + body, encoding="utf-8")
    script.chmod(0o755)
    (place / "bin").mkdir()
    (place / "bin" / "novel").symlink_to(script)
    return place / "bin"


@pytest.mark.parametrize("head", ["#!{python}\n", "#!/bin/sh\n'''exec' '{python}' \"$0\" \"$@\"\n' '''\n"])
def test_an_installed_copy_of_this_version_is_as_good(tmp_path: Path, head: str) -> None:
    assert codes({"PATH": str(installed(tmp_path / "我的 书", __version__, head))}) == set()
    assert codes({"PATH": str(installed(tmp_path / "old", "0.0.1", head))}) == {"PATH_OTHER_NOVEL"}


def test_another_checkout_of_this_version_is_as_good(tmp_path: Path) -> None:
    for version, told in ((__version__, set()), ("0.0.1", {"PATH_OTHER_NOVEL"})):
        root = tmp_path / version
        for folder in ("bin", "novel_hooks"):
            (root / folder).mkdir(parents=True)
        (root / "novel_hooks" / "__init__.py").write_text(f'__version__ = "{version}"\n')
        (root / "bin" / "novel").write_text("#!/bin/sh\n")
        (root / "bin" / "novel").chmod(0o755)
        assert codes({"PATH": str(root / "bin")}) == told


def test_a_new_project_is_sound(tmp_path: Path) -> None:
    root = tmp_path / "new"
    assert call("init", [str(root)], {"NOVEL_OWNER": "x"}).exit == 0
    assert doctor(Book(root, 1)) == (0, {})


def test_the_page_has_the_faults_first_and_what_passed_in_one_line(made: Book) -> None:
    sound = made.novel("doctor")
    assert (sound.text, sound.after.count("\n")) == ("没有发现问题。", 0)
    assert f"{len(sound.data['checked'])} 项" in sound.after
    made.write(layout.STATE, {**made.json(layout.STATE), "characters": {}})
    found = made.novel("doctor")
    assert found.text == "有 1 处要看："
    assert "故事状态" in sound.after and "故事状态" not in found.after
    assert found.after.startswith(f"查过没有问题的 {len(found.data['checked']) - 1} 项：安装、")
    page = process("doctor", cwd=made.root, env={"PATH": os.defpath})
    assert page.stdout.decode().splitlines() == [found.text, found.after]


def test_the_headline_counts_the_notes_below_it(made: Book) -> None:
    made.write(layout.chapter(2), made.at(layout.chapter(2)).read_text("utf-8") + "改了。\n")
    found = made.novel("doctor")
    assert [(one.severity, found.exit) for one in found.diagnostics] == [("info", 0)]
    assert found.text == "没有发现问题，有 1 处说明：" and "手改" not in found.after
    made.write(layout.STATE, {**made.json(layout.STATE), "characters": {}})
    assert made.novel("doctor").text == "有 1 处要看，另有 1 处说明："


def test_a_card_that_is_not_named_by_its_id_is_told_with_what_to_rename(made: Book) -> None:
    name = sorted(n for n in made.names(layout.CHARACTERS) if n.endswith(".json"))[0]
    card = made.json(f"{layout.CHARACTERS}/{name}")
    made.write(f"{layout.CHARACTERS}/Lu_Ren.json", {**card, "id": "lu-ren", "display_name": "路人"})
    told = [d for d in made.novel("doctor").diagnostics if d.code == "CHARACTER_ID_WRONG"]
    assert [d.path for d in told] == [f"{layout.CHARACTERS}/Lu_Ren.json"] and "lu-ren.json" in told[0].fix


def test_fix_on_a_sound_book_changes_nothing(made: Book) -> None:
    before = made.tree()
    found = made.novel("doctor", "--fix")
    assert (found.exit, found.data["repaired"]) == (0, [])
    assert made.changed(before) == {}


@pytest.mark.parametrize("name", CASES)
def test_named(made: Book, name: str) -> None:
    """With its code and exit, place and fix in Chinese; and looking changes nothing."""
    wrong, code, expected = CASES[name]
    wrong(made)
    before = made.tree()
    exit, found = doctor(made)
    assert code in found, found
    assert exit == expected, found
    assert found[code].path
    assert re.search(r"[\u4e00-\u9fff]", found[code].message) and found[code].fix
    assert made.changed(before) == {}


@pytest.mark.parametrize("chapter", [1, 3])
@pytest.mark.parametrize("place", [layout.chapter, layout.summary])
@pytest.mark.parametrize(
    ("data", "code"), [(b"", "LANDED_TEXT_BLANK"), ("雾大，渡口没有人。".encode("gb18030"), "FILE_NOT_UTF8")]
)
def test_a_landed_text_that_cannot_be_read_is_a_fault(
    made: Book, place: Callable[[int], str], chapter: int, data: bytes, code: str
) -> None:
    """Whoever landed it, and whether or not there is a record of it."""
    made.write(place(chapter), data)
    exit, found = doctor(made)
    assert set(found) == {code} and exit == (5 if code == "LANDED_TEXT_BLANK" else 1)
    assert (found[code].severity, found[code].path) == ("error", place(chapter))


def test_a_line_end_of_windows_is_no_edit(made: Book) -> None:
    text = made.at(layout.chapter(2)).read_bytes()
    made.write(layout.chapter(2), b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"))
    assert doctor(made) == (0, {})


def test_a_memory_that_a_later_chapter_replaced_is_no_edit(made: Book) -> None:
    made.chapter = 4
    land(made, ops=[PLANT])
    made.chapter = 5
    land(made, ops=[PLANT])
    assert doctor(made) == (0, {})


def test_foreshadowing_resolved_by_hand_is_the_authors_right(made: Book) -> None:
    """The state tells what the chapters did, and is rebuilt to the same bytes."""
    thread(status="resolved")(made)
    land(made, ops=[{**PLANT, "path": "other-rope"}])
    assert "STATE_DIFFERS" not in doctor(made)[1]
    before = made.at(layout.STATE).read_bytes()
    assert {"bell-rope", "other-rope"} <= set(json.loads(before)["active_foreshadowing"])
    made.novel("doctor", "--fix")
    assert made.at(layout.STATE).read_bytes() == before


def test_a_state_of_an_older_layout_that_went_by_hand_edits_is_told_and_mended(made: Book) -> None:
    """Commits once left out of the state what the author had closed by hand; the log never knew."""
    thread(status="resolved")(made)
    state = made.json(layout.STATE)
    told = made.at(layout.STATE).read_bytes()
    made.write(layout.STATE, {**state, "active_foreshadowing": []})
    land(made, ops=[{**PLANT, "path": "other-rope"}])
    assert "在途的伏笔" in doctor(made)[1]["STATE_DIFFERS"].message
    made.ok("rebuild", "state")
    assert "STATE_DIFFERS" not in doctor(made)[1]
    made.ok("rollback", "3", "--yes")
    assert made.at(layout.STATE).read_bytes() == told


def test_a_landing_of_another_layout_is_told_piece_by_piece(made: Book) -> None:
    put(layout.chapter(4), "# 第 4 章 夜\n")(made)
    put(layout.summary(4), "摘要\n")(made)
    told = doctor(made)[1]["CHAPTER_BEYOND_CHECKPOINT"]
    assert "正文、摘要，还缺评审、串线检测、写作日志、变更记录、故事状态" in told.message
    assert layout.CHECKPOINT in told.fix


def test_skipped_deltas_are_listed_and_lead_somewhere(made: Book) -> None:
    lines = made.lines(layout.CHANGELOG)
    stub = {**lines[-1], "base_state_version": 3, "ops": [], "skipped": True, "reason": "读不懂"}
    more = [{**stub, "chapter": number} for number in (4, 5, 6)]
    made.write(layout.CHANGELOG, b"".join(jsonio.dump_line(one) for one in [*lines, *more]))
    found = doctor(made)[1]
    assert "4-6" in found["STATE_DELTAS_SKIPPED"].message
    assert "novel sync 4" in found["STATE_DELTAS_SKIPPED"].fix
    assert "STATE_REBUILD_ADVISED" not in found, "its advice is `novel doctor`"
