"""Landed files that the author changed: what is read again, what is remembered, what is told."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest
from builders import Book, book, killed_landing
from builders import fast_disk as fast_disk
from copying import copied
from rewriting import write_chapter

from novel_hooks import layout
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.inventory import hand_edits
from novel_hooks.flows.inventory.hand_edits import Edit, Survey
from novel_hooks.flows.session import pending_landing
from novel_hooks.rules.steps.resync_steps import OpenSync
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from pathlib import Path

TEXT, SUMMARY = layout.chapter(2), layout.summary(2)


@pytest.fixture(scope="module")
def landed(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """Chapters 2 and 3 with landed records."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", lambda _handle: None)
        made = book(tmp_path_factory.mktemp("landed"), 1)
        write_chapter(made)
        write_chapter(made)
    return made


@pytest.fixture
def made(landed: Book, tmp_path: Path) -> Book:
    return copied(landed, tmp_path / "book")


def reading(made: Book) -> Reading:
    return Reading(Project(str(made.root)))


def later() -> float:
    """A moment at which every file written so far is old."""
    return time.time() + 60


def survey(made: Book, now: float | None = None) -> Survey:
    return hand_edits.survey(reading(made), 3, later() if now is None else now)


def remember(made: Book) -> Survey:
    found = survey(made)
    made.write(layout.LANDED_MARKS, hand_edits.dump(found.marks))
    made.write(layout.HAND_EDITS, hand_edits.dump_edits(found))
    return found


def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The landed files that are read from now on."""
    seen: list[str] = []
    real = Project.read

    def read(self: Project, path: str) -> bytes | None:
        if path.startswith(("chapters/", "summaries/")):
            seen.append(path)
        return real(self, path)

    monkeypatch.setattr(Project, "read", read)
    return seen


# the survey ------------------------------------------------------------------------------------------


def test_what_landed_is_no_edit(made: Book) -> None:
    found = survey(made)
    assert (found.edits, found.unrecorded, found.compared, found.unfit) == ((), (1,), True, ())


def test_edits_by_chapter_and_path(made: Book) -> None:
    made.write(layout.chapter(3), "# 第 3 章\n\n我改的。\n")
    made.write(TEXT, "# 第 2 章\n\n我改的。\n")
    made.drop(SUMMARY)
    assert survey(made).edits == (
        Edit(2, TEXT, "changed"),
        Edit(2, SUMMARY, "missing"),
        Edit(3, layout.chapter(3), "changed"),
    )


def test_line_ends_and_a_bom_are_no_edit(made: Book) -> None:
    data = made.at(TEXT).read_bytes()
    made.write(TEXT, b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"))
    assert survey(made).edits == ()


def test_a_text_that_cannot_be_read_is_said_to_be(made: Book) -> None:
    made.write(TEXT, "夜渡".encode("gbk"))
    found = survey(made)
    assert found.edits == (Edit(2, TEXT, "changed"),)
    assert [(p.code, p.path) for p in found.unfit] == [("FILE_NOT_UTF8", TEXT)]


def test_only_what_looks_otherwise_is_read_again(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    remember(made)
    made.at(SUMMARY).write_text("另一份摘要\n", "utf-8")
    seen = reads(monkeypatch)
    assert survey(made).edits == (Edit(2, SUMMARY, "changed"),)
    assert set(seen) == {SUMMARY}


def test_of_a_file_that_looks_as_it_did_the_mark_counts(made: Book) -> None:
    marks = dict(remember(made).marks)
    look, _ = marks[TEXT]
    made.write(layout.LANDED_MARKS, hand_edits.dump({**marks, TEXT: (look, "0" * 64)}))
    assert survey(made).edits == (Edit(2, TEXT, "changed"),)


def test_a_young_file_is_read_and_not_remembered(made: Book) -> None:
    """It may change again without looking otherwise."""
    found = os.lstat(made.at(layout.chapter(3)))
    born = max(found.st_mtime_ns, found.st_ctime_ns) / 1e9
    assert layout.chapter(3) not in survey(made, born + 1.9).marks
    assert layout.chapter(3) in survey(made, born + 2.1).marks


def test_broken_marks_are_none(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    remember(made)
    made.write(layout.LANDED_MARKS, "garbage")
    seen = reads(monkeypatch)
    assert survey(made).edits == () and TEXT in seen


# what is remembered ----------------------------------------------------------------------------------


def test_what_was_found_is_remembered_until_it_is_as_it_landed(made: Book) -> None:
    before = made.at(TEXT).read_bytes()
    made.write(TEXT, "改了\n")
    made.drop(SUMMARY)
    remember(made)
    assert hand_edits.remembered_edits(reading(made)) == [
        Edit(2, TEXT, "changed"),
        Edit(2, SUMMARY, "missing"),
    ]
    made.write(TEXT, before)
    assert hand_edits.remembered_edits(reading(made)) == [Edit(2, SUMMARY, "missing")]
    made.at(SUMMARY).mkdir()
    assert hand_edits.remembered_edits(reading(made)) == [Edit(2, SUMMARY, "changed")]


@pytest.mark.parametrize(
    "content", ["{", "[]", '{"files": []}', '{"files": {"a": [1, "b"], "c": ["1", "2", "3"]}}']
)
def test_a_broken_memory_is_none(made: Book, content: str) -> None:
    made.write(layout.HAND_EDITS, content)
    assert hand_edits.remembered_edits(reading(made)) == []


def forgotten(made: Book, chapter: int, **how: list[str]) -> list[str]:
    """The paths that are still remembered behind it."""
    changes = hand_edits.forget_changes(reading(made), chapter, **how)
    if changes:
        made.write(layout.HAND_EDITS, changes[0].data)
    return [edit.path for edit in hand_edits.remembered_edits(reading(made))]


@pytest.fixture
def edited(made: Book) -> Book:
    """Text and summary of chapter 2, and the text of chapter 3, are remembered as edited."""
    made.write(TEXT, "改了\n")
    made.drop(SUMMARY)
    made.write(layout.chapter(3), "改了\n")
    remember(made)
    return made


def test_a_chapter_that_is_settled_is_forgotten(edited: Book) -> None:
    assert forgotten(edited, 2) == [layout.chapter(3)]


def test_what_is_missing_stays_remembered(edited: Book) -> None:
    assert forgotten(edited, 2, missing=[SUMMARY]) == [layout.chapter(3), SUMMARY]


def test_what_lands_is_forgotten_whosever_it_was(edited: Book) -> None:
    assert forgotten(edited, 4, landing=[layout.chapter(3)]) == [TEXT, SUMMARY]


def test_nothing_to_forget_writes_nothing(edited: Book) -> None:
    assert hand_edits.forget_changes(reading(edited), 9) == []


# what is told ----------------------------------------------------------------------------------------


def told(made: Book) -> list[tuple[str, str]]:
    found = hand_edits.problems(reading(made))
    assert all(p.severity != "error" for p in found)
    return [(p.code, str(p)) for p in found]


def test_an_edit_of_a_recent_text_is_told_without_having_been_found(made: Book) -> None:
    assert told(made) == []
    made.write(TEXT, "# 第 2 章\n\n我改的。\n")
    ((code, text),) = told(made)
    assert code == "SYNC_HAND_EDITS" and "2" in text


def test_a_chapter_that_is_being_recorded_anew_is_not_told(made: Book) -> None:
    made.write(TEXT, "# 第 2 章\n\n我改的。\n")
    made.write(layout.chapter(3), "# 第 3 章\n\n我改的。\n")
    made.point(sync=OpenSync(2, "summarize", "0" * 64).document())
    ((code, text),) = told(made)
    assert code == "SYNC_HAND_EDITS" and "3" in text and "2" not in text


def test_a_lost_text_is_told_as_that_and_as_nothing_else(made: Book) -> None:
    made.drop(TEXT)
    remember(made)
    ((code, text),) = told(made)
    assert code == "LANDED_TEXT_GONE" and "2" in text


def test_a_text_that_nobody_can_read_is_no_edit(made: Book) -> None:
    made.write(TEXT, "夜渡".encode("gbk"))
    assert [code for code, _ in told(made)] == ["FILE_NOT_UTF8"]


# in the middle of a landing --------------------------------------------------------------------------


def test_stat_says_nothing_of_a_text_that_is_about_to_be_another(
    made: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Remembered as edited; the landing that waits brings back what landed."""
    before = made.at(TEXT).read_bytes()
    made.write(TEXT, "改了\n")
    remember(made)
    killed_landing(made, monkeypatch, {TEXT: before})
    seen = Reading(pending_landing.after_landing(Project(str(made.root))))
    assert hand_edits.remembered_edits(seen) == []


def test_stat_says_nothing_of_a_record_that_is_about_to_be_another(
    made: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text is older than its record, and will be another one."""
    text, record = made.at(TEXT), made.at(layout.landed_record(2))
    os.utime(text, ns=(0, 0))
    assert os.lstat(text).st_mtime_ns < os.lstat(record).st_mtime_ns
    killed_landing(made, monkeypatch, {TEXT: "# 第 2 章\n\n换过的。\n".encode()})
    seen = Reading(pending_landing.after_landing(Project(str(made.root))))
    assert [p.code for p in hand_edits.problems(seen)] == ["SYNC_HAND_EDITS"]
