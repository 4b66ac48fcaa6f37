"""The chapters that the volumes hold, and those that are planned and not written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from planbook import plan_volume

from novel_hooks import layout
from novel_hooks.flows.book import planned_chapters
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """Three of six chapters written; the next volume is staged."""
    made = book(tmp_path, 3)
    plan_volume(made, 2)
    return made


def reading(made: Book) -> Reading:
    return Reading(Project(str(made.root)))


def test_only_what_is_not_written_is_planned(made: Book) -> None:
    found = planned_chapters.chapters(reading(made))
    assert [(one.volume, one.chapter) for one in found] == [
        *((1, n) for n in (4, 5, 6)),
        *((2, n) for n in range(7, 13)),
    ]
    assert found[0].contract.path == layout.contract(1, 4)
    assert found[-1].contract.path == layout.staged(layout.contract(2, 12))
    assert found[0].keys["Storyline"] == found[0].contract.storyline_id


def test_a_staged_contract_stands_beside_the_landed_one(made: Book) -> None:
    made.write(layout.staged(layout.contract(1, 5)), made.json(layout.contract(1, 5)))
    paths = [one.contract.path for one in planned_chapters.chapters(reading(made)) if one.chapter == 5]
    assert paths == [layout.staged(layout.contract(1, 5)), layout.contract(1, 5)]


def test_other_files_are_no_contracts(made: Book) -> None:
    for name in ("notes.json", "chapter-5.json", "chapter-005.json.bak"):
        made.write(f"{layout.volume_dir(1)}/chapter-contracts/{name}", "{")
    assert len(planned_chapters.chapters(reading(made))) == 9


def test_volumes_behind_the_current_one_do_not_count(made: Book) -> None:
    assert planned_chapters.volumes(reading(made)) == [1, 2]
    made.point(current_volume=2)
    assert planned_chapters.volumes(reading(made)) == [2]


def test_where_a_volume_begins(made: Book) -> None:
    book = reading(made)
    assert planned_chapters.first_chapter(book, 1, 3) == 1
    assert planned_chapters.first_chapter(book, 2, 3) == 7
    assert planned_chapters.first_chapter(book, 3, 3) == 4, "without a plan before it: behind what is written"


def test_the_volume_of_a_chapter_is_the_newest_that_plans_it(made: Book) -> None:
    made.write(layout.contract(2, 7), made.json(layout.staged(layout.contract(2, 7))))
    made.point(current_volume=2)
    book = reading(made)
    assert [planned_chapters.chapter_volume(book, n) for n in (1, 6, 7, 99)] == [1, 1, 2, 2]


def test_schedules_landed_and_staged(made: Book) -> None:
    found = [path for path, _ in planned_chapters.schedules(reading(made))]
    assert found == [layout.schedule(1), layout.staged(layout.schedule(2))]


def test_plans_of_the_volumes_before_are_read_as_far_as_they_can_be(tmp_path: Path) -> None:
    made = book(tmp_path)
    first = made.at(layout.contract(1, 1)).read_bytes()
    made.write(layout.contract(2, 40), first)
    made.write(layout.contract(2, 41), "{")
    made.write(layout.contract(2, 42), "[]")
    made.write("volumes/vol-02/chapter-contracts/说明.json", first)
    made.write(layout.outline(2), b"\xff\xfe")
    now = reading(made)
    assert [one.path for one in planned_chapters.earlier_outlines(now, 4)] == [layout.outline(1)]
    found = planned_chapters.earlier_contracts(now, 4)
    assert 1 in found and [n for n in found if n > 30] == [40]
    assert found[40].path == layout.contract(2, 40) and found[40].document["objectives"]
    assert planned_chapters.earlier_outlines(now, 1) == []
    assert planned_chapters.earlier_contracts(now, 1) == {}
