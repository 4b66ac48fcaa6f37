"""The versions of a chapter's text, and `novel diff`."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.book.book import Book as Reader
from novel_hooks.flows.review import versions
from novel_hooks.store.files.project import Project
from novel_hooks.store.schema import schema

CHAPTER = layout.chapter(2)


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return book(tmp_path)


def titles(made: Book, chapter: int = 2) -> list[str]:
    return [one["title"] for one in made.ok("diff", str(chapter), "--list")["versions"]]


def land(made: Book) -> None:
    """The second chapter, refined, judged and landed."""
    made.until("drafted")
    made.next()
    made.ok("instructions", made.step("refine"))
    made.write(
        made.staged("chapter"), made.at(made.staged("chapter")).read_text("utf-8").replace("。", "！", 1)
    )
    made.advance("refine")
    made.judge(4.5)
    made.advance("judge")
    made.ok("commit", "--chapter", "2")


def test_the_draft_is_kept_when_it_is_refined(made: Book) -> None:
    land(made)
    assert titles(made) == ["初稿（润色前）", "现在的正文"]
    data = made.ok("diff", "2")
    assert (data["from"], data["to"], data["amount"]) == (1, 2, {"places": 1, "removed": 1, "added": 1})


def test_what_landed_is_kept_when_the_author_edits_it(made: Book) -> None:
    land(made)
    made.write(CHAPTER, made.at(CHAPTER).read_text("utf-8") + "他又添了一句。\n")
    assert titles(made) == ["初稿（润色前）", "入库时", "现在的正文"]
    assert made.ok("diff", "2")["amount"] == {"places": 1, "removed": 0, "added": 7}
    shown = made.novel("sync").text.splitlines()
    at = next(n for n, line in enumerate(shown) if "正文改过 1 处（删 0 字，增 7 字：novel diff 2）" in line)
    assert shown[at + 1].startswith("    第 ") and "〔增：他又添了一句。〕" in shown[at + 1]
    (told,) = made.ok("sync")["texts"]
    assert (told["chapter"], told["places"], told["added"], told["left"]) == (2, 1, 7, 0)
    assert told["lines"] == [shown[at + 1].strip()]


def test_of_many_edits_the_first_are_shown(made: Book) -> None:
    land(made)
    more = "".join(f"{n}是新的。\n" for n in "甲乙丙丁戊")
    made.write(CHAPTER, made.at(CHAPTER).read_text("utf-8") + more)
    (told,) = made.ok("sync")["texts"]
    assert (len(told["lines"]), told["left"]) == (3, 2)
    assert "    另有 2 段" in made.novel("sync").text.splitlines()


def test_a_stop_shows_what_the_step_changed(made: Book) -> None:
    made.ok("lock", "acquire", "--step", "refine,judge")
    made.until("drafted")
    assert made.next()["changes"] == []
    made.ok("instructions", made.step("refine"))
    text = made.at(made.staged("chapter")).read_text("utf-8")
    made.write(made.staged("chapter"), text.replace("。", "！", 1))
    found = made.next()
    assert found["stop"] and found["changes"][0] == "改了 1 处：删 1 字，增 1 字（看全部：novel diff 2）"
    assert "〔删：。〕〔增：！〕" in found["changes"][1]
    assert schema.problems("next", found, "next") == []
    assert "和上一稿比：改了 1 处" in made.novel("next").text and "〔增：！〕" in made.novel("status").text
    made.ok("decide", "2", "go-on")
    made.advance("refine")
    made.judge(4.5)
    assert made.next()["changes"] == found["changes"]


def test_a_stop_over_a_text_that_nobody_changed_shows_no_words(made: Book) -> None:
    made.ok("lock", "acquire", "--step", "refine")
    made.until("drafted")
    made.next()
    made.ok("instructions", made.step("refine"))
    assert made.next()["changes"] == []


def test_the_commit_says_how_much_was_refined(made: Book) -> None:
    made.until("drafted")
    made.next()
    made.ok("instructions", made.step("refine"))
    made.advance("refine")
    made.judge(4.5)
    made.advance("judge")
    assert "润色：动了 0.0% 的字；看改了什么：novel diff 2" in made.novel("commit", "--chapter", "2").text


def test_two_versions_by_number_and_one_against_the_last(made: Book) -> None:
    land(made)
    made.write(CHAPTER, "# 第 2 章\n\n全改了。\n")
    assert made.ok("diff", "2", "1", "2")["to"] == 2
    assert made.ok("diff", "2", "1")["to"] == 3
    made.refused(2, "CLI_USAGE", "diff", "2", "4")
    made.refused(2, "CLI_USAGE", "diff", "2", "1", "2", "3")


def test_a_version_is_named_as_such(made: Book) -> None:
    land(made)
    assert made.ok("diff", "2", "第一稿")["from"] == 1
    (told,) = made.novel("diff", "2", "初稿").diagnostics
    assert "「初稿」不是第几稿的编号" in told.message


def test_a_chapter_that_nobody_wrote(made: Book) -> None:
    made.refused(3, "CHAPTER_UNWRITTEN", "diff", "9")


def test_a_version_that_cannot_be_read_costs_only_itself(made: Book) -> None:
    land(made)
    (kept,) = made.at(layout.attempts(2)).glob("*-before-refine/*.md")
    kept.write_bytes(b"\xff\xfe\xfa")
    found = versions.read(Reader(Project(str(made.root))), 2)
    assert [one.title for one in found.all] == ["现在的正文"]
    assert [problem.severity for problem in found.problems] == ["warning"]


def test_what_a_rollback_took_away_is_a_version(made: Book) -> None:
    land(made)
    made.ok("rollback", "1", "--yes")
    assert titles(made) == ["初稿（润色前）", "退回到第 1 章时取走的"]


def test_what_was_brought_back_and_edited_shows_the_edit(made: Book) -> None:
    land(made)
    made.ok("rollback", "1", "--yes")
    made.ok("restore", "1", "--yes")
    made.write(CHAPTER, made.at(CHAPTER).read_text("utf-8") + "他又添了一句。\n")
    assert [one["added"] for one in made.ok("sync")["texts"]] == [7]


def test_a_text_edited_before_a_rollback_stands_first(made: Book) -> None:
    land(made)
    made.write(CHAPTER, made.at(CHAPTER).read_text("utf-8") + "他又添了一句。\n")
    made.ok("rollback", "1", "--yes")
    assert titles(made) == ["退回到第 1 章时取走的", "初稿（润色前）", "入库时"]


def test_older_chapters_keep_only_what_landed(made: Book) -> None:
    made.write(layout.CONFIG, "keep_versions: 1\n")
    made.write(f"{layout.attempts(1)}/0001-r0-before-refine/chapter-001.md", "# 旧稿\n")
    made.write(f"{layout.attempts(1)}/0002-landed/chapter-001.md", "# 入库稿\n")
    land(made)
    assert sorted(path.name for path in made.at(layout.attempts(1)).iterdir() if any(path.iterdir())) == [
        "0002-landed"
    ]
    assert any("before-refine" in name for name in made.names(layout.attempts(2)))


def test_the_page_holds_the_text_and_no_script_from_it(made: Book, tmp_path: Path) -> None:
    land(made)
    made.write(CHAPTER, made.at(CHAPTER).read_text("utf-8") + "<script>alert(1)</script>\n")
    page = tmp_path / "对比.html"
    made.ok("diff", "2", "--html", str(page))
    text = page.read_text("utf-8")
    assert "<ins>&lt;script&gt;alert(1)&lt;/script&gt;</ins>" in text
    assert "<script" not in text
    made.refused(2, "CLI_USAGE", "diff", "2", "--html", str(tmp_path / "chapter-002.md"))
