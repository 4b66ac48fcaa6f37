"""What lies about in a project: whose leftovers they are, and what stands in a file's place."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest
from builders import OTHER, OWNER, Book, book
from builders import fast_disk as fast_disk
from rewriting import write_chapter

from novel_hooks import layout
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.doctor import place
from novel_hooks.flows.inventory import lost_chapters
from novel_hooks.flows.session.caller import Caller
from novel_hooks.store.files.project import Project
from novel_hooks.store.host.owner import owner
from novel_hooks.store.lock import lock, lockstate

if TYPE_CHECKING:
    from pathlib import Path

LITTER = f"{layout.OWN}/journal.old-0123456789abcdef"


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return book(tmp_path)


def project(made: Book) -> Project:
    return Project(str(made.root))


def leftovers(made: Book) -> list[tuple[str, str | None]]:
    found = place.leftover_problems(project(made), Caller(owner({}, OWNER), time.time()))
    return [(p.code, p.path) for p in found]


def test_what_killed_commands_left_and_what_nobody_knows(made: Book) -> None:
    made.at(LITTER).mkdir(parents=True)
    made.write(f"{layout.OWN}/mine.txt", "x")
    made.write(".checkpoint.json.bak", "x")
    made.write("notes.txt", "x")
    assert sorted(leftovers(made)) == [
        ("LITTER_LEFT", LITTER),
        ("OWN_FOLDER_STRANGER", ".checkpoint.json.bak"),
        ("OWN_FOLDER_STRANGER", f"{layout.OWN}/mine.txt"),
    ]


@pytest.mark.parametrize(("alive", "told"), [(True, False), (None, False), (False, True)])
def test_while_somebody_else_is_at_work_it_may_be_his(
    made: Book, monkeypatch: pytest.MonkeyPatch, alive: bool | None, told: bool
) -> None:
    made.at(LITTER).mkdir(parents=True)
    made.write(f"{layout.OWN}/mine.txt", "x")
    lock.acquire(project(made), owner({}, OTHER), 2, time.time())
    monkeypatch.setattr(lockstate, "is_holder_alive", lambda _info, _host: alive)
    found = leftovers(made)
    assert ("OWN_FOLDER_STRANGER", f"{layout.OWN}/mine.txt") in found
    assert (("LITTER_LEFT", LITTER) in found) is told


def test_in_ones_own_session_it_is_told(made: Book) -> None:
    made.at(LITTER).mkdir(parents=True)
    lock.acquire(project(made), owner({}, OWNER), 2, time.time())
    assert ("LITTER_LEFT", LITTER) in leftovers(made)


def test_a_link_below_staging_is_found_wherever_it_is(made: Book) -> None:
    os.symlink(made.at(layout.BRIEF), made.at("staging/chapters/link.md"))
    made.at("staging/chapters/deep").mkdir()
    os.symlink(made.root, made.at("staging/chapters/deep/all"))
    found = [(p.code, p.path) for p in place.staging_problems(project(made))]
    assert found == [
        ("FILE_NOT_REGULAR", "staging/chapters/deep/all"),
        ("FILE_NOT_REGULAR", "staging/chapters/link.md"),
    ]


# records that are lost -----------------------------------------------------------------------------------


def unrecorded(made: Book) -> list[str]:
    book = Reading(project(made))
    return [p.code for p in lost_chapters.record_problems(book, book.checkpoint().last)]


def test_the_record_of_the_chapter_that_landed_last_is_missed(made: Book) -> None:
    write_chapter(made)
    assert unrecorded(made) == []
    made.drop(layout.landed_record(2))
    assert unrecorded(made) == ["LANDED_RECORD_LOST"]


def test_a_chapter_that_was_gone_back_to_may_be_another_tools(tmp_path: Path) -> None:
    made = book(tmp_path, 2)
    write_chapter(made)
    made.ok("rollback", "2", "--yes")
    assert made.point()["last_step"] == "chapter:002:commit"
    assert "LANDED_RECORD_LOST" not in unrecorded(made)


def test_a_gap_between_records_is_named(made: Book) -> None:
    for _ in range(3):
        write_chapter(made)
    made.drop(layout.landed_record(3))
    assert unrecorded(made) == ["LANDED_RECORD_NONE"]
