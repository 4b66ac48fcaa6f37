"""`novel note`: kept, listed, changed, removed; shown when its chapter is next, given to who writes it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from planbook import ready_for, sample_book

from novel_hooks import layout

if TYPE_CHECKING:
    from pathlib import Path

RAIN = "结尾下一场雨"


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """Two landed chapters, the third planned."""
    return book(tmp_path, 2)


def given(found: dict[str, Any]) -> Any:
    values = [one["value"] for one in found["inputs"] if one["key"] == "author_notes"]
    return values[0] if values else None


def notes(made: Book) -> list[tuple[int, int, str, bool]]:
    listed = made.ok("note")["notes"]
    return [(one["number"], one["chapter"], one["text"], one["used"]) for one in listed]


def test_a_note_is_listed_changed_and_removed(made: Book) -> None:
    assert "还没有给哪一章留过话" in str(made.novel("note").text)
    made.ok("note", "4", RAIN)
    made.ok("note", "第三章", "阿蔺别哭")
    assert "早已记下，编号 1" in str(made.novel("note", "4", RAIN).text), "the same words are kept once"
    assert notes(made) == [(2, 3, "阿蔺别哭", False), (1, 4, RAIN, False)]
    assert made.ok("note", "4")["notes"][0]["text"] == RAIN
    made.ok("note", "5", "结尾下一场雪", "--change", "1")
    assert notes(made) == [(2, 3, "阿蔺别哭", False), (1, 5, "结尾下一场雪", False)]
    made.ok("note", "--remove", "1", "2")
    assert notes(made) == []


def test_a_number_that_is_none_changes_nothing(made: Book) -> None:
    made.ok("note", "3", RAIN)
    for command in (("--remove", "1", "7"), ("3", "别的", "--change", "7")):
        refused = made.novel("note", *command)
        assert [one.code for one in refused.diagnostics] == ["NAME_UNKNOWN"]
        assert "没有编号是 7 的话" in refused.diagnostics[0].message
        assert "现有的编号：1" in str(refused.diagnostics[0].fix)
    assert notes(made) == [(1, 3, RAIN, False)]


@pytest.mark.parametrize("words", [("3", " "), ("3", "--change", "1"), ("3", "--remove", "1")])
def test_a_note_without_words_is_none(made: Book, words: tuple[str, ...]) -> None:
    assert made.novel("note", *words).exit == 2
    assert not made.at(layout.DECISIONS).exists()


def test_it_is_shown_when_its_chapter_is_next_and_given_to_its_writer(made: Book) -> None:
    made.ok("note", "3", RAIN)
    made.ok("note", "4", "下一章的话")
    assert f"你给第 3 章的话：{RAIN}（编号 1）" in str(made.novel("next").text)
    assert f"你给第 3 章的话：{RAIN}（编号 1）" in str(made.novel("status").text)
    assert "下一章的话" not in str(made.novel("next").text)
    packet = made.ok("instructions", "chapter:003:draft")
    assert given(packet) == [RAIN]
    assert any("author_notes" in rule for rule in packet["rules"])


def test_the_judge_holds_the_chapter_against_it(made: Book) -> None:
    made.ok("note", "3", RAIN)
    made.until("refined")
    packet = made.ok("instructions", made.step("judge"))
    assert given(packet) == [RAIN]
    told = [rule for rule in packet["rules"] if "author_notes" in rule]
    assert len(told) == 1 and "照办的写进 issues" in told[0]


def test_a_writer_without_notes_is_told_of_none(made: Book) -> None:
    packet = made.ok("instructions", "chapter:003:draft")
    assert given(packet) is None and not any("author_notes" in rule for rule in packet["rules"])


def test_a_note_is_used_once_its_chapter_has_landed_and_given_again_when_it_is_written_anew(
    made: Book,
) -> None:
    made.ok("note", "3", RAIN)
    made.until("judged")
    made.ok("commit", "--chapter", "3")
    assert notes(made) == [(1, 3, RAIN, True)]
    assert "已照着写了" in str(made.novel("note").text)
    late = made.novel("note", "3", "再加一盏灯")
    assert "novel rollback 2" in str(late.text)
    made.ok("rollback", "2", "--yes")
    assert given(made.ok("instructions", "chapter:003:draft")) == [RAIN, "再加一盏灯"]


def test_the_planner_gets_the_notes_of_the_chapters_to_come_and_no_decision(tmp_path: Path) -> None:
    planned = ready_for(sample_book(tmp_path / "book"), "volume:01:outline")
    planned.drop(layout.outline(1))
    planned.ok("note", "12", RAIN)
    packet = planned.ok("instructions", "volume:01:outline")
    assert given(packet) == [{"chapter": 12, "note": RAIN}]
    assert not any(one["key"] == "author_decisions" for one in packet["inputs"])
    assert any("author_notes" in rule for rule in packet["rules"])


def test_a_name_in_a_note_follows_a_rename(made: Book) -> None:
    name = made.json(layout.character_card("shen-du"))["display_name"]
    made.ok("note", "3", f"{name}不说话")
    made.ok("rename", name, "沈灯", "--yes")
    assert notes(made)[0][2] == "沈灯不说话"


def test_a_note_that_nobody_wrote_is_damage(made: Book) -> None:
    made.ok("note", "3", RAIN)
    broken = made.json(layout.DECISIONS)
    broken["decisions"][0]["id"] = "one"
    made.write(layout.DECISIONS, broken)
    assert made.novel("note").exit == 5


@pytest.fixture
def landed(made: Book) -> Book:
    """The third chapter landed by the commands, the fourth next."""
    made.until("judged")
    made.ok("commit", "--chapter", "3")
    return made


def commented(landed: Book) -> str:
    """A landed chapter with the author's comments; its text before them."""
    path = layout.chapter(3)
    before = landed.at(path).read_text("utf-8")
    head, _, rest = before.partition("\n\n")
    body = rest.rstrip("\n")
    landed.write(path, f"{head}\n\n<!-- 批注甲\n两行 -->\n\n{body}<!--批注乙-->\n\n<!--批注丙-->\n")
    return before


def test_a_comment_in_a_landed_chapter_is_a_note_and_no_part_of_the_text(landed: Book) -> None:
    def shown() -> list[Any]:
        reads = (("read", "3"), ("lint", "3"), ("outline",), ("find", "批注"), ("log",))
        return [landed.novel(*one).text for one in reads]

    before = shown()
    commented(landed)
    assert shown() == before
    assert landed.ok("sync")["edits"] == [], "a note is no edit of the text"
    assert [one["text"] for one in landed.ok("note", "3")["comments"]] == ["批注甲 两行", "批注乙", "批注丙"]
    assert "批注乙" in landed.novel("note", "3").text
    packet = landed.ok("instructions", "chapter:004:draft")
    assert "批注" not in str(packet)
    texts = [one for one in packet["inputs"] if one["key"] == "previous_text"]
    assert texts and all(one.get("path") != layout.chapter(3) for one in texts)


def test_no_comment_reaches_readers(landed: Book, tmp_path: Path) -> None:
    landed.ok("export", "txt", "--to", str(tmp_path / "plain.txt"), "--yes")
    commented(landed)
    landed.ok("export", "txt", "--to", str(tmp_path / "noted.txt"), "--yes")
    plain, noted = ((tmp_path / f"{one}.txt").read_bytes() for one in ("plain", "noted"))
    assert plain == noted


def test_a_word_changed_beside_a_comment_is_an_edit_all_the_same(landed: Book) -> None:
    commented(landed)
    path = layout.chapter(3)
    landed.write(path, landed.at(path).read_text("utf-8").replace("批注乙-->", "批注乙-->又一句。"))
    assert [one["chapter"] for one in landed.ok("sync")["edits"]] == [3]


COMMENT = "\n<!-- 这里再冷一点 -->\n"


def comment_in(made: Book) -> None:
    """The author writes into the staged text, between two steps."""
    place = made.at(made.staged("chapter"))
    place.write_text(place.read_text("utf-8") + COMMENT, "utf-8")


def prose(made: Book, phase: str) -> dict[str, Any]:
    packet = made.ok("instructions", made.step(phase), "--write-manifest")
    whole = made.json(packet["manifest"])
    (found,) = [one for one in whole["inputs"] if one["key"] == "chapter_content"]
    assert "再冷一点" not in json.dumps(
        [one for one in whole["inputs"] if one["key"] != "author_notes"], ensure_ascii=False
    )
    found["notes"] = given(whole)
    return dict(found)


def test_a_comment_in_a_staged_text_is_the_authors_note_and_survives_the_refiner(made: Book) -> None:
    made.ok("lock", "acquire")
    made.draft()
    made.advance("draft")
    comment_in(made)
    assert "再冷一点" in made.novel("note", "3").text and made.ok("lint", "3")["residue"] == []
    assert "冷" not in prose(made, "summarize")["text"]
    made.records()
    made.advance("summarize")
    assert made.next()["phase"] == "refine"
    assert "path" in prose(made, "refine"), "the refiner writes over the file itself"
    assert "<!--" not in made.at(made.staged("chapter")).read_text("utf-8")
    made.draft(version=2)
    made.advance("refine")
    assert [note[2] for note in notes(made)] == ["这里再冷一点（写在稿子第 5 行的批注）"]
    comment_in(made)
    assert made.next()["phase"] == "judge", "no word of the text has changed"
    shown = prose(made, "judge")
    assert "冷" not in shown["text"] and shown["notes"] == ["这里再冷一点（写在稿子第 5 行的批注）"]
    made.judge(4.5)
    made.advance("judge")
    comment_in(made)
    assert made.next()["phase"] == "commit", "the verdict is of this text"
    made.ok("commit", "--chapter", "3")
    assert "再冷一点" in made.at(layout.chapter(3)).read_text("utf-8")
    assert "再冷一点" in made.novel("note", "3").text
    made.novel("export", "txt", "--to", str(made.root.parent / "out.txt"), "--yes")
    assert "再冷一点" not in (made.root.parent / "out.txt").read_text("utf-8")
    assert made.novel("doctor").exit == 0


def test_an_agents_comment_is_residue(landed: Book) -> None:
    landed.ok("lock", "acquire")
    landed.chapter = 4
    landed.draft(f"# 第 4 章 夜渡\n\n<!-- 这里要改 -->\n\n{'水声' * 20}。\n")
    found = landed.novel("validate", "chapter:004:draft")
    assert "CHAPTER_RESIDUE" in {one.code for one in found.diagnostics}


SLOW = "开头太慢，第一段就让他上船"


def test_what_the_author_says_of_a_text_holds_for_every_later_round(tmp_path: Path) -> None:
    made = book(tmp_path, 4, 8)
    made.stage("judged", 0)
    made.draft()
    made.records()
    made.evaluation(2.5)
    made.ok("decide", "5", "revise", "--note", SLOW)
    revision = made.ok("instructions", made.step("revise"))
    assert json.dumps(revision, ensure_ascii=False).count(SLOW) == 1, "it is the first fix"
    made.ok("instructions", made.step("revise"), "--write-manifest")
    made.draft(version=2)
    made.advance("revise")
    made.records()
    made.advance("summarize")
    made.advance("refine")
    assert given(made.ok("instructions", made.step("judge"))) == [SLOW]
    made.judge(3.2)
    made.advance("judge")
    assert made.next()["phase"] == "revise"
    assert given(made.ok("instructions", made.step("revise"))) == [SLOW]


@pytest.mark.parametrize("answer", ["rewrite", "again"])
def test_so_it_does_when_the_text_is_written_anew(tmp_path: Path, answer: str) -> None:
    made = book(tmp_path, 4, 8)
    if answer == "rewrite":
        made.stage("judged", 0)
        made.draft()
        made.records()
        made.evaluation(2.5)
    else:
        made.ok("lock", "acquire", "--step")
        made.ok("instructions", made.step("draft"), "--write-manifest")
        made.draft()
    made.ok("decide", "5", answer, "--note", SLOW)
    found = made.ok("instructions", made.step("draft"))
    assert given(found) is None and sum(SLOW in rule for rule in found["rules"]) == 1
    assert notes(made) == [(1, 5, SLOW, False)]
    made.stage("refined", 0)
    made.draft()
    made.records()
    assert given(made.ok("instructions", made.step("judge"))) == [SLOW]


def test_what_he_says_to_the_recorder_is_none_of_the_writers(tmp_path: Path) -> None:
    made = book(tmp_path, 4, 8)
    made.ok("lock", "acquire", "--step", "summarize")
    made.draft()
    made.advance("draft")
    made.ok("instructions", made.step("summarize"), "--write-manifest")
    made.records()
    made.ok("decide", "5", "again", "--note", "把灯的去向记上")
    assert notes(made) == []
