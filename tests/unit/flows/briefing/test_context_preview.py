"""A look at what an agent would be given: of which chapter and volume it can be said, and of which not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import errors, layout
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.briefing import context_preview
from novel_hooks.flows.briefing.context_preview import Preview
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return book(tmp_path, 3)


def chapter(made: Book, agent: str, number: int | None = None) -> Preview:
    return context_preview.chapter_preview(Reading(Project(str(made.root))), agent, number)


def planning(made: Book, agent: str, volume: int | None = None) -> Preview:
    return context_preview.planning_preview(Reading(Project(str(made.root))), agent, volume)


def test_the_next_chapter_and_one_that_has_landed(made: Book) -> None:
    following, old = chapter(made, "chapter-writer"), chapter(made, "chapter-writer", 2)
    assert (str(following.step), following.when) == ("chapter:004:draft", context_preview.NOW)
    assert (str(old.step), old.when) == ("chapter:002:draft", context_preview.LANDED)


@pytest.mark.parametrize("number", [5, 6, 99])
def test_of_a_later_one_nothing_can_be_said(made: Book, number: int) -> None:
    with pytest.raises(errors.ChapterNotDue) as caught:
        chapter(made, "chapter-writer", number)
    assert "第 4 章还没有写完" in str(caught.value)


def test_nor_of_the_first_one_of_a_volume_that_is_not_planned(tmp_path: Path) -> None:
    made = book(tmp_path, 6)
    made.point(orchestrator_state="VOL_REVIEW", current_volume=1)
    with pytest.raises(errors.ChapterNotDue) as caught:
        chapter(made, "chapter-writer", 7)
    assert "要等下一卷规划好" in str(caught.value)
    assert chapter(made, "chapter-writer", 6).when == context_preview.LANDED


def test_a_sync_is_shown_in_the_place_of_its_chapter(tmp_path: Path) -> None:
    made = book(tmp_path, 2)
    made.ok("sync", "2")
    found = chapter(made, "summarizer")
    assert (str(found.step), found.when) == ("sync:002:summarize", context_preview.NOW)
    made.write(layout.chapter(2), "# 第 2 章 夜渡\n\n我又改了一句。\n")
    with pytest.raises(errors.SyncTextChanged):
        chapter(made, "summarizer")


def test_what_is_not_there_yet_stops_nothing_and_is_named(made: Book) -> None:
    made.drop(layout.BRIEF)
    found = chapter(made, "chapter-writer")
    assert [(one["key"], one["path"]) for one in found.missing if one["path"]] == [
        ("project_brief", layout.BRIEF)
    ]


def test_planners_are_shown_at_any_time(made: Book) -> None:
    assert planning(made, "world-builder").when == context_preview.DONE
    found = planning(made, "plot-architect")
    assert (found.step.number, found.when) == (2, context_preview.AHEAD)
    assert planning(made, "plot-architect", 1).when == context_preview.DONE
    made.point(orchestrator_state="VOL_PLANNING")
    assert planning(made, "plot-architect").when == context_preview.NOW


def test_a_volume_behind_one_that_is_not_planned_has_no_beginning(made: Book) -> None:
    with pytest.raises(errors.PlanningNotDue) as caught:
        planning(made, "plot-architect", 3)
    assert caught.value.path == layout.outline(2)


def test_the_packet_that_was_handed_out_is_named(made: Book) -> None:
    made.ok("lock", "acquire")
    assert chapter(made, "chapter-writer").manifest is None
    made.ok("instructions", made.step("draft"), "--write-manifest")
    assert chapter(made, "chapter-writer").manifest == layout.manifest("chapter-004-draft")
