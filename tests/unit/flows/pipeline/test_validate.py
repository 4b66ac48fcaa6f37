"""`novel validate`: of which chapter, whose turn it still is, and a sync whose text has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import errors, layout
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.pipeline import validate
from novel_hooks.flows.pipeline.validate import Validated
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def made(tmp_path: Path) -> Book:
    made = book(tmp_path, 2)
    made.stage("drafting")
    made.draft()
    made.records()
    return made


def run(made: Book, step: str) -> Validated:
    return validate.run(Reading(Project(str(made.root))), steps.parse(step))


def test_a_steps_files_that_are_right(made: Book) -> None:
    found = run(made, made.step("summarize"))
    assert (found.ok, found.again, found.chars) == (True, (), None)
    assert [one.key for one in found.files] == ["summary", "delta", "crossref", "memory"]
    chars = run(made, made.step("draft")).chars
    assert isinstance(chars, int) and chars > 0


@pytest.mark.parametrize("chapter", [1, 2, 4, 99])
def test_only_the_chapter_in_work_is_looked_at(made: Book, chapter: int) -> None:
    with pytest.raises(errors.ChapterNotDue) as caught:
        run(made, f"chapter:{chapter:03d}:summarize")
    assert "第 3 章 · 润色" in str(caught.value)


def test_between_chapters_it_is_the_next_one(made: Book) -> None:
    made.stage(None)
    assert run(made, "chapter:003:draft").ok
    with pytest.raises(errors.ChapterNotDue):
        run(made, "chapter:004:draft")


@pytest.mark.parametrize("phase", ["review", "commit"])
def test_what_has_no_outputs_cannot_be_validated(made: Book, phase: str) -> None:
    with pytest.raises(errors.StepNotConducted):
        run(made, made.step(phase))


# once more -------------------------------------------------------------------------------------------


@pytest.fixture
def short(made: Book) -> Book:
    """A draft of which not half is written: its writer alone can mend that."""
    made.write(layout.CONFIG, "chapter_chars: [1000, 2000]\n")
    return made


def test_a_warning_that_only_its_agent_can_mend_is_worth_another_run(short: Book) -> None:
    found = run(short, short.step("draft"))
    assert found.ok and len(found.again) == 1
    assert found.again[0] in [str(p) for p in found.problems]


@pytest.mark.parametrize(("revisions", "again"), [(0, 0), (1, 1)])
def test_but_not_when_it_failed_before_in_this_round(short: Book, revisions: int, again: int) -> None:
    failure = {"step": short.step("draft"), "revision_count": revisions, "reason": "x"}
    short.point(failures=[failure])
    assert len(run(short, short.step("draft")).again) == again


def test_a_failure_over_form_alone_leaves_the_agent_his_run(short: Book) -> None:
    short.point(failures=[{"step": short.step("draft"), "revision_count": 0, "reason": "x", "form": True}])
    assert len(run(short, short.step("draft")).again) == 1


def test_nor_where_there_is_an_error_anyway(short: Book) -> None:
    short.draft("# 第 3 章 夜渡\n\n**收灯**，伏笔 F-012。\n")
    found = run(short, short.step("draft"))
    assert (found.ok, found.again) == (False, ())


# a sync ----------------------------------------------------------------------------------------------


def test_a_text_that_changed_since_its_sync_was_opened_is_told(tmp_path: Path) -> None:
    made = book(tmp_path, 2)
    made.ok("sync", "2")
    made.chapter = 2
    made.records()
    assert run(made, "sync:002:summarize").ok
    made.write(layout.chapter(2), "# 第 2 章 夜渡\n\n我又改了一句。\n")
    found = run(made, "sync:002:summarize")
    assert [p.code for p in found.problems if p.severity == "error"] == ["SYNC_TEXT_CHANGED"]
    assert found.ok is False
    with pytest.raises(errors.SyncNotOpen):
        run(made, "sync:001:summarize")
