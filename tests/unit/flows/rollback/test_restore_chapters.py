"""`novel restore`: chapters that a rollback took away come back; the list of archives."""

from __future__ import annotations

import pytest
from builders import Book
from builders import fast_disk as fast_disk
from rewriting import archived, files, plant, unlike, write_chapter

from novel_hooks import layout
from unit.flows.rollback.five_chapters import back
from unit.flows.rollback.five_chapters import made as made
from unit.flows.rollback.five_chapters import stages as stages
from unit.flows.rollback.five_chapters import written as written

# bringing back ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("chapter", [4, 2, 0])
def test_a_restore_brings_every_byte_back(made: Book, chapter: int) -> None:
    made.write(layout.chapter(5), "# 第 5 章\r\n\r\n我改过的一句。")
    before = files(made)
    archive = back(made, chapter)["archive"]
    found = made.ok("restore", archive, "--yes")
    assert unlike(files(made), before) == []
    assert (found["changed"], found["kept"], found["last_chapter"]) == (True, None, 5)
    assert made.next()["step"] == "chapter:006:draft"


def test_a_restore_said_twice_is_as_good_as_once(made: Book) -> None:
    back(made, 2)
    made.ok("restore", "1", "--yes")
    for more in ((), ("--yes",)):
        before = made.tree()
        assert made.ok("restore", "0001", *more)["changed"] is False
        assert made.changed(before) == {}


def test_what_was_written_since_is_put_aside_and_can_be_restored_too(made: Book) -> None:
    first = files(made)
    back(made, 2)
    write_chapter(made, plant("third-lamp", "resolved"), plant("new-one"))
    write_chapter(made, until="judged")
    second = files(made)
    found = made.ok("restore", "0001", "--yes")
    assert unlike(files(made), first) == []
    assert found["kept"] == "0002-restore-of-0001"
    again = made.ok("restore", found["kept"], "--yes")
    assert [p for p in unlike(files(made), second) if p != layout.FENCE_ARMED] == []
    assert again["kept"] == "0003-restore-of-0002"
    made.ok("restore", "3", "--yes")
    assert unlike(files(made), first) == []


def test_a_hand_edit_made_since_is_put_aside(made: Book) -> None:
    back(made, 2)
    made.write(layout.memory("tower-line"), "回退以后我写的。\n")
    kept = made.ok("restore", "1", "--yes")["kept"]
    assert archived(made, kept)[layout.memory("tower-line")] == "回退以后我写的。\n".encode()


def test_archives_in_steps_come_back_in_steps(made: Book) -> None:
    before = files(made)
    back(made, 3)
    middle = files(made)
    back(made, 1)
    refused = made.refused(3, "RESTORE_BASE_DIFFERS", "restore", "1", "--yes")
    assert "`novel restore 0002`" in refused.fix
    made.ok("restore", "2", "--yes")
    assert unlike(files(made), middle) == []
    made.ok("restore", "1", "--yes")
    assert unlike(files(made), before) == []


def test_an_archive_does_not_go_onto_another_beginning(made: Book) -> None:
    back(made, 3)
    back(made, 1)
    write_chapter(made, plant("something-else"))
    write_chapter(made)
    made.refused(3, "RESTORE_BASE_DIFFERS", "restore", "1", "--yes")


def test_who_cannot_be_asked_has_to_say_yes_to_a_restore(made: Book) -> None:
    back(made, 2)
    write_chapter(made)
    told = made.refused(3, "CONFIRMATION_NEEDED", "restore", "1")
    assert "新写的 1 章" in told.message
    assert "`novel restore 0001-rollback-to-002 --yes`" in told.fix


@pytest.mark.parametrize("name", ["7", "nothing", "", "../0001-rollback-to-002", "000"])
def test_no_such_archive(made: Book, name: str) -> None:
    back(made, 4)
    back(made, 2)
    refused = made.refused(3, "ARCHIVE_UNKNOWN", "restore", name, "--yes")
    assert all(one["id"] in refused.fix for one in made.ok("rollback", "--list")["archives"])
    if name == "7":
        assert refused.message == "没有 7 号存档。"


@pytest.mark.parametrize("what", ["changed", "missing", "manifest", "shape", "outside"])
def test_an_archive_that_was_tampered_with(made: Book, what: str) -> None:
    archive = back(made, 2)["archive"]
    manifest = layout.archive_manifest(archive)
    document = made.json(manifest)
    if what == "changed":
        made.write(layout.archived(archive, layout.chapter(4)), "别的")
    elif what == "missing":
        made.drop(layout.archived(archive, layout.chapter(4)))
    elif what == "manifest":
        made.drop(manifest)
    elif what == "shape":
        made.write(manifest, {**document, "entries": [{"path": "chapters/chapter-003.md"}]})
    else:
        entry = {"path": "../outside.md", "sha256": None, "what": "added", "after": None}
        made.write(manifest, {**document, "entries": [*document["entries"], entry]})
    made.refused(5, "ARCHIVE_BROKEN", "restore", "1", "--yes")


def test_the_list(made: Book) -> None:
    assert made.ok("rollback", "--list") == {"archives": []}
    back(made, 2)
    write_chapter(made)
    made.ok("restore", "1", "--yes")
    made.write(layout.archived("0003-rebuild", layout.STATE), "{}")
    made.write(layout.archived("0004-rollback-to-001", "manifest.json"), "{")
    found = made.novel("rollback", "--list")
    keys = ("id", "kind", "to_chapter", "from_chapter", "chapters", "chars")
    assert [tuple(one[key] for key in keys) for one in found.data["archives"]] == [
        ("0001-rollback-to-002", "rollback", 2, 5, 3, 135),
        ("0002-restore-of-0001", "restore", 2, 3, 1, 45),
    ]
    assert [bool(one["restored_at"]) for one in found.data["archives"]] == [True, False]
    lines = found.text.splitlines()
    assert lines[0].endswith(" 取回过") and "取回过" not in lines[1]
    assert [d.code for d in found.diagnostics] == ["ARCHIVE_SKIPPED"]
    last = found.text.splitlines()[-1]
    assert last.startswith("0003-rebuild") and "只供查看" in last
    assert made.ok("rollback", "4", "--yes")["archive"] == "0005-rollback-to-004"


def test_what_a_rebuild_replaced_is_only_to_be_looked_at(made: Book) -> None:
    made.write(layout.STATE, b"{}")
    kept = made.ok("rebuild", "state")["archive"]
    lines = made.novel("rollback", "--list").text.splitlines()
    assert lines[0] == "还没有能取回的存档。" and lines[1].startswith(kept)
    refused = made.refused(3, "ARCHIVE_UNKNOWN", "restore", "1", "--yes")
    assert "不用取回" in refused.message and f"{layout.ARCHIVE}/{kept}/" in refused.fix


def test_a_folder_of_somebody_else_is_named_as_that(made: Book) -> None:
    made.write(layout.archived("0007-我的", "a.md"), "我抄的")
    refused = made.refused(3, "ARCHIVE_UNKNOWN", "restore", "7", "--yes")
    assert "不是写作助手存下的" in refused.message and "0007-我的/" in refused.fix
    assert "0007" not in made.novel("rollback", "--list").text
