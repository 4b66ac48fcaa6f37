"""`novel rename`: one name in the whole book, in one landing, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout

if TYPE_CHECKING:
    from pathlib import Path

OLD, NEW = "乔九", "乔久安"
CARD = layout.character_card("qiao-jiu")
TEXT = layout.chapter(2)


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """Three chapters landed, the fourth next; 乔九 is in cards, plan, summaries, memories and texts."""
    made = book(tmp_path, 3, 6)
    made.ok("changed", "--note")
    return made


def holding(made: Book, word: str, *folders: str) -> list[str]:
    """The files of the story that hold the word."""
    return sorted(
        path
        for path, mark in made.tree().items()
        if mark != "folder" and not path.startswith(layout.ARCHIVE) and path.startswith(folders or ("",))
        if word in made.at(path).read_text("utf-8", "replace")
    )


def test_everything_but_the_chapters_has_the_new_name(made: Book) -> None:
    assert {path.partition("/")[0] for path in holding(made, OLD)} >= {"characters", "volumes", "summaries"}
    found = made.ok("rename", OLD, NEW, "--yes")
    assert found["changed"] and sum(one["count"] for one in found["files"]) > 5
    assert made.json(CARD)["display_name"] == NEW
    assert [
        path for path in holding(made, OLD) if not path.startswith(("chapters", "evaluations", "logs"))
    ] == []
    assert NEW in made.json(layout.contract(1, 4))["preconditions"]["character_states"]


def test_nothing_counts_as_edited_by_hand_or_as_a_changed_setting(made: Book) -> None:
    made.write(TEXT, made.at(TEXT).read_text("utf-8") + f"\n{OLD}上了船。\n")
    edited = made.ok("sync")
    before = made.novel("doctor").diagnostics
    made.ok("rename", OLD, NEW, "--text", "--yes")
    assert OLD not in made.at(TEXT).read_text("utf-8") and f"{NEW}上了船" in made.at(TEXT).read_text("utf-8")
    assert made.ok("sync") == edited
    assert made.novel("doctor").diagnostics == before
    assert made.ok("changed")["changes"] == []


def landed(tmp_path: Path) -> Book:
    """A book whose second chapter landed through the commands and so has a record; its people hold a lamp."""
    made = book(tmp_path, 1, 6)
    made.ok("lock", "acquire")
    made.draft(f"# 第 2 章 夜渡\n\n{OLD}把灯递过来，沈渡收起那一盏灯。\n")
    made.advance("draft")
    made.records(
        ops=[{"op": "set", "path": "characters.shen-du.location", "value": f"{OLD}的船上"}],
    )
    made.advance("summarize")
    made.advance("refine")
    made.judge(4.5)
    made.advance("judge")
    made.ok("commit", "--chapter", "2")
    made.ok("lock", "release")
    return made


def test_landed_files_stay_as_landed_and_the_state_agrees_with_its_log(tmp_path: Path) -> None:
    made = landed(tmp_path)
    assert made.ok("sync")["edits"] == []
    before = made.novel("doctor").diagnostics
    made.ok("rename", OLD, NEW, "--text", "--yes")
    assert made.at(TEXT).read_text("utf-8").count(NEW) == 1
    assert made.json(layout.STATE)["characters"]["shen-du"]["location"] == f"{NEW}的船上"
    assert made.ok("sync")["edits"] == []
    assert made.novel("doctor").diagnostics == before
    assert made.ok("rebuild", "state")["differences"] == ()


def test_a_text_edited_by_hand_stays_edited(tmp_path: Path) -> None:
    made = landed(tmp_path)
    made.write(TEXT, made.at(TEXT).read_text("utf-8") + f"\n{OLD}上了船。\n")
    made.ok("rename", OLD, NEW, "--text", "--yes")
    assert [one["path"] for one in made.ok("sync")["edits"]] == [TEXT]


def test_the_renaming_is_no_part_of_a_later_edit_by_hand(tmp_path: Path) -> None:
    made = landed(tmp_path)
    made.write(TEXT, made.at(TEXT).read_text("utf-8") + f"\n{OLD}上了船。\n")
    (edited,) = made.ok("sync")["texts"]
    made.ok("rename", OLD, NEW, "--text", "--yes")
    (still,) = made.ok("sync")["texts"]
    assert (edited["places"], still["places"], still["lines"]) == (1, 1, [f"第 5 行　〔增：{NEW}上了船。〕"])
    titles = [one["title"] for one in made.ok("diff", "2")["versions"]]
    assert titles[-3:] == ["入库时", "入库时，改名后", "现在的正文"]
    made.ok("rename", NEW, "乔三", "--text", "--yes")
    assert made.ok("sync")["texts"][0]["lines"] == ["第 5 行　〔增：乔三上了船。〕"]
    made.ok("restore", "2", "--yes")
    made.ok("restore", "1", "--yes")
    assert made.ok("sync")["texts"] == [edited]
    assert not [path for path in made.tree() if path.startswith(layout.ATTEMPTS) and "-renamed/" in path]


def test_going_back_behind_a_landed_chapter(tmp_path: Path) -> None:
    made = landed(tmp_path)
    made.ok("rename", OLD, NEW, "--text", "--yes")
    made.ok("rollback", "1", "--yes")
    held = holding(made, OLD, "storylines", "state", "foreshadowing")
    assert held == [] and made.novel("doctor").exit == 0


def test_renamed_back_by_name_and_once_more(tmp_path: Path) -> None:
    made = landed(tmp_path)
    made.ok("rename", OLD, NEW, "--yes")
    made.ok("rename", NEW, OLD, "--yes")
    assert holding(made, NEW, "characters", "volumes", "state", "summaries") == []
    assert made.ok("restore", "1", "--yes")["changed"] is False, "all is as it was"
    assert made.ok("rename", OLD, NEW, "--yes")["changed"] is True


def test_without_yes_it_is_only_shown(made: Book) -> None:
    before = made.tree()
    found = made.novel("rename", OLD, NEW)
    assert found.exit == 3 and found.data["changed"] is False
    assert "  各章契约　6 份，12 处" in (found.text or "") and "3 章里还有 3 处旧名" in (found.text or "")
    assert made.changed(before) == {}


def test_restore_takes_it_back_byte_for_byte(made: Book) -> None:
    before = made.tree()
    made.ok("rename", OLD, NEW, "--text", "--yes")
    assert "改名以前的文件" in (made.novel("rollback", "--list").text or "")
    made.ok("restore", "1", "--yes")
    assert {
        p for p in made.changed(before) if not p.startswith((layout.ARCHIVE, layout.KNOWN_FILES))
    } == set()


def test_it_cannot_be_taken_back_after_something_else_was_written(made: Book) -> None:
    made.ok("rename", OLD, NEW, "--yes")
    made.write(CARD, {**made.json(CARD), "voice": {"tone": "慢"}})
    told = made.refused(3, "RESTORE_RENAME_LATE", "restore", "1", "--yes")
    assert "novel rename" in told.fix


def test_said_again_it_is_done_already(made: Book) -> None:
    made.ok("rename", OLD, NEW, "--alias", "--yes")
    before = made.tree()
    assert made.ok("rename", OLD, NEW, "--alias", "--yes")["changed"] is False
    assert made.changed(before) == {}


def test_the_old_name_stays_an_alias_when_the_author_says_so(made: Book) -> None:
    made.ok("rename", OLD, NEW, "--alias", "--yes")
    assert made.json(CARD)["aliases"] == [OLD]


def test_an_alias_becomes_the_name(made: Book) -> None:
    made.write(CARD, {**made.json(CARD), "aliases": ["九儿"]})
    made.ok("rename", OLD, "九儿", "--yes")
    assert (made.json(CARD)["display_name"], made.json(CARD)["aliases"]) == ("九儿", [])


def test_going_back_brings_no_old_name(made: Book) -> None:
    made.ok("rename", OLD, NEW, "--yes")
    made.ok("rollback", "1", "--yes")
    assert [
        p
        for p in holding(made, OLD)
        if not p.startswith(("chapters", "evaluations", "logs", ".novel/archive"))
    ] == []
    assert made.novel("rebuild", "state").exit == 0


def test_a_place_of_the_state_can_be_renamed(made: Book) -> None:
    state = made.json(layout.STATE)
    made.write(layout.STATE, {**state, "locations": {"old-dock": {"display_name": "老渡口"}}})
    made.write("world/places.md", "# 地方\n\n老渡口在下游，老渡口边有塔。\n")
    found = made.ok("rename", "老渡口", "沉灯渡", "--yes")
    assert sorted(one["path"] for one in found["files"]) == [layout.STATE, "world/places.md"]
    assert made.at("world/places.md").read_text("utf-8").count("沉灯渡") == 2


def test_a_longer_name_keeps_its_part_and_is_named(made: Book) -> None:
    card = made.json(layout.character_card("bai-sui"))
    made.write(layout.character_card("bai-sui"), {**card, "aliases": [f"{OLD}娘"]})
    found = made.ok("rename", OLD, NEW, "--yes")
    (left,) = found["left"]
    assert (left["path"], left["part_of"]) == (layout.character_card("bai-sui"), f"{OLD}娘")


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("乔十", NEW, "RENAME_UNKNOWN"),
        ("qiao-jiu", NEW, "RENAME_UNKNOWN"),
        (OLD, "沈渡", "RENAME_TAKEN"),
        (OLD, OLD, "RENAME_ODD"),
        (OLD, " ", "RENAME_ODD"),
        (OLD, "乔.九", "RENAME_ODD"),
        (OLD, "乔" * 21, "RENAME_ODD"),
    ],
)
def test_refused(made: Book, old: str, new: str, code: str) -> None:
    made.refused(3, code, "rename", old, new, "--yes")


def test_a_name_noted_without_a_record_follows(made: Book) -> None:
    made.write(layout.UNKNOWN_ENTITIES, f'{{"mention": "{OLD}", "chapter": 1}}\n')
    made.ok("rename", OLD, NEW, "--yes")
    assert [one["mention"] for one in made.lines(layout.UNKNOWN_ENTITIES)] == [NEW]


def test_the_nearest_name_is_offered(made: Book) -> None:
    assert f"是不是「{OLD}」" in made.refused(3, "RENAME_UNKNOWN", "rename", "乔十", NEW, "--yes").fix


def test_not_while_something_is_in_work(made: Book) -> None:
    made.write(layout.staged(layout.outline(1)), "# 大纲\n")
    made.refused(3, "BOOK_AT_WORK", "rename", OLD, NEW, "--yes")
    made.drop(layout.staged(layout.outline(1)))
    made.stage("drafting")
    made.draft()
    made.refused(3, "BOOK_AT_WORK", "rename", OLD, NEW, "--yes")


def test_a_chapter_that_a_lock_alone_opened_is_not_in_work(made: Book) -> None:
    made.ok("lock", "acquire")
    made.ok("rename", OLD, NEW, "--yes")
    assert made.json(CARD)["display_name"] == NEW and made.next()["step"] == made.step("draft")
    made.ok("restore", "1", "--yes")
    assert made.json(CARD)["display_name"] == OLD
    made.ok("character", "add", "唐婆", "--yes")


def test_a_card_with_the_name_in_escapes(made: Book) -> None:
    import json

    made.write(CARD, json.dumps(made.json(CARD)))
    made.ok("rename", OLD, NEW, "--yes")
    assert made.json(CARD)["display_name"] == NEW


def test_the_chapters_can_follow_later(made: Book) -> None:
    """`--text` said after the rest was renamed takes in what is left."""
    made.ok("rename", "沈渡", "沈舟", "--yes")
    assert any("沈渡" in made.at(layout.chapter(n)).read_text("utf-8") for n in (1, 2))
    made.ok("rename", "沈渡", "沈舟", "--text", "--yes")
    assert not any("沈渡" in made.at(layout.chapter(n)).read_text("utf-8") for n in (1, 2))
    assert made.ok("rename", "沈渡", "沈舟", "--text", "--yes")["changed"] is False


@pytest.mark.parametrize("name", ["lu-dun", "沈\u200b舟", "**", "沈，舟", "沈\x01舟", "Zoe\u0301渡"])
def test_what_can_be_no_name_is_refused(made: Book, name: str) -> None:
    before = made.tree()
    made.refused(3, "RENAME_ODD", "rename", "沈渡", name, "--yes")
    assert made.changed(before) == {}


def told(name: str) -> dict[str, object]:
    """An answer of the author that names somebody."""
    choices = [["1", f"{name}撑", ""], ["2", "不撑", ""]]
    answer = {"choice": "1", "note": f"就让{name}撑。"}
    asked = {"id": "who-rows", "kind": "question", "header": "撑船", "question": "谁撑船？", "why": ""}
    done = {"answer": answer, "told": None, "done": answer, "at": "2026-01-01T00:00:00Z"}
    return {"step": "volume:01:outline", **asked, "choices": choices, **done}


def test_the_authors_answers_and_the_crossrefs_follow(made: Book) -> None:
    made.write(layout.DECISIONS, {"schema_version": 1, "decisions": [told(OLD)]})
    made.write(layout.DROPPED_THREADS, {"lamp": {"at": "", "by": "", "chapter": 1, "reason": f"{OLD}走了"}})
    crossref = made.json(layout.crossref(1))
    made.write(layout.crossref(1), {**crossref, "leak_detail": f"{OLD}知道得太早"})
    found = made.ok("rename", OLD, NEW, "--yes")
    paths = {one["path"] for one in found["files"]}
    assert paths >= {layout.DECISIONS, layout.DROPPED_THREADS, layout.crossref(1)}
    assert holding(made, OLD, ".novel", "state") == []
    assert "你答过的问题　3 处" in (made.novel("rename", NEW, OLD).text or "")


def test_an_older_archive_brings_no_old_name(tmp_path: Path) -> None:
    made = landed(tmp_path)
    made.ok("rollback", "1", "--yes")
    made.ok("rename", OLD, NEW, "--yes")
    before = made.tree()
    refused = made.refused(3, "RESTORE_RENAMED", "restore", "1", "--yes")
    assert made.changed(before) == {}
    for call in (f"rename {NEW} {OLD}", "restore 0001", f"rename {OLD} {NEW}"):
        assert f"`novel {call}`" in refused.fix
        made.ok(*call.split(), "--yes")
    assert made.at(TEXT).is_file() and made.json(layout.STATE)["last_updated_chapter"] == 2
    held = holding(made, OLD, "characters", "storylines", "state", "volumes", "summaries", layout.LANDED)
    assert held == [] and made.novel("doctor").exit == 0


def test_a_renaming_that_was_taken_back_stops_no_restore(tmp_path: Path) -> None:
    made = landed(tmp_path)
    made.ok("rollback", "1", "--yes")
    made.ok("rename", OLD, NEW, "--yes")
    made.ok("restore", "2", "--yes")
    assert made.ok("restore", "1", "--yes")["changed"] is True
    assert holding(made, NEW, "characters", "storylines", "state") == []


def test_an_archive_of_a_name_since_taken_back(tmp_path: Path) -> None:
    made = landed(tmp_path)
    made.ok("rename", OLD, NEW, "--yes")
    made.ok("rollback", "1", "--yes")
    made.ok("rename", NEW, OLD, "--yes")
    assert f"novel rename {OLD} {NEW}`" in made.refused(3, "RESTORE_RENAMED", "restore", "2", "--yes").fix


def test_a_character_who_left_comes_back_with_the_names_of_now(made: Book) -> None:
    made.write("characters/active/lao-zhou.json", {"id": "lao-zhou", "display_name": "老周", "contracts": []})
    made.write("characters/active/lao-zhou.md", f"{OLD}的舅舅。\n")
    made.ok("retire", "lao-zhou", "--yes")
    made.ok("rename", OLD, NEW, "--yes")
    made.refused(3, "RESTORE_RENAMED", "restore", "1", "--yes")


def test_a_name_that_two_people_share_is_nobodys_to_change(made: Book) -> None:
    for slug in ("qiao-jiu", "bai-sui"):
        card = made.json(layout.character_card(slug))
        made.write(layout.character_card(slug), {**card, "aliases": ["船家"]})
    before = made.tree()
    refused = made.refused(3, "RENAME_SHARED", "rename", "船家", "摆渡人", "--yes")
    assert CARD in refused.fix and layout.character_card("bai-sui") in refused.fix
    assert made.changed(before) == {}


def test_a_thing_with_the_name_of_a_person_is_told(made: Book) -> None:
    made.write(layout.STATE, {**made.json(layout.STATE), "items": {OLD: {"display_name": OLD}}})
    shown = made.novel("rename", OLD, NEW)
    assert shown.data["things"] == ["items"] and f"也有叫「{OLD}」的物品" in (shown.text or "")


def test_a_place_of_the_world_pages_alone(made: Book) -> None:
    made.write("world/places.md", "# 地方\n\n## 老渡口\n\n老渡口在下游。\n")
    made.ok("rename", "老渡口", "沉灯渡", "--yes")
    assert made.at("world/places.md").read_text("utf-8") == "# 地方\n\n## 沉灯渡\n\n沉灯渡在下游。\n"
    made.refused(3, "RENAME_UNKNOWN", "rename", "display_name", "名字", "--yes")


def test_a_name_of_one_character(made: Book) -> None:
    """A new one could never be taken back; an old one is changed where it certainly stands, the rest told."""
    made.refused(3, "RENAME_ODD", "rename", OLD, "九", "--yes")
    made.write(layout.STATE, {**made.json(layout.STATE), "items": {"锚": {"display_name": "锚"}}})
    made.write("world/places.md", "# 物件\n\n- 锚：铁锚有两只。\n")
    found = made.ok("rename", "锚", "寒铁锚", "--yes")
    assert made.json(layout.STATE)["items"] == {"寒铁锚": {"display_name": "寒铁锚"}}
    assert made.at("world/places.md").read_text("utf-8") == "# 物件\n\n- 寒铁锚：铁锚有两只。\n"
    assert [one["path"] for one in found["left"]] == ["world/places.md"]
