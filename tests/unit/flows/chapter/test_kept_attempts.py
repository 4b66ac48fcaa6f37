"""What is taken out of staging is kept: moved, copied or dropped, in a folder of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.chapter import kept_attempts
from novel_hooks.flows.chapter.desk import Desk
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.store.files import assets
from novel_hooks.store.files.project import Project
from novel_hooks.store.journal import journal

if TYPE_CHECKING:
    from pathlib import Path

    from novel_hooks.store.journal.journal import Change

ATTEMPT = f"{layout.attempts(2)}/0001-r0-why"


@pytest.fixture
def made(tmp_path: Path) -> Book:
    made = book(tmp_path)
    made.draft("第一稿\n")
    made.write(made.staged("summary"), "摘要\n")
    return made


def desk(made: Book) -> Desk:
    return Desk(Reading(Project(str(made.root))), 1, 2)


def told(changes: list[Change]) -> list[tuple[str, str, bytes]]:
    return [(change.kind, change.path, change.data) for change in changes]


def test_a_move_keeps_and_takes_away(made: Book) -> None:
    assert told(kept_attempts.move(desk(made), ("chapter", "summary", "delta"), "r0-why")) == [
        ("put", f"{ATTEMPT}/chapter-002.md", "第一稿\n".encode()),
        ("put", f"{ATTEMPT}/chapter-002-summary.md", "摘要\n".encode()),
        ("remove", made.staged("chapter"), b""),
        ("remove", made.staged("summary"), b""),
    ]


def test_a_copy_takes_nothing_away(made: Book) -> None:
    assert told(kept_attempts.copy(desk(made), ("chapter",), "r0-why")) == [
        ("put", f"{ATTEMPT}/chapter-002.md", "第一稿\n".encode())
    ]


def test_an_empty_file_goes_and_is_not_worth_keeping(made: Book) -> None:
    made.write(made.staged("chapter"), b"")
    assert told(kept_attempts.move(desk(made), ("chapter",), "r0-why")) == [
        ("remove", made.staged("chapter"), b"")
    ]


def test_nothing_staged_nothing_done(made: Book) -> None:
    assert kept_attempts.move(desk(made), ("delta", "memory"), "r0-why") == []


def test_a_broken_file_is_kept_as_it_is(made: Book) -> None:
    made.write(made.staged("chapter"), b"\xff")
    ((kind, path, data),) = told(kept_attempts.copy(desk(made), ("chapter",), "r0-why"))
    assert (kind, path, data) == ("put", f"{ATTEMPT}/chapter-002.md", b"\xff")


def test_each_attempt_has_a_number_of_its_own(made: Book) -> None:
    for name in ("0001-a", "0007-b", "notes", "12-c"):
        made.at(f"{layout.attempts(2)}/{name}").mkdir(parents=True)
    assert kept_attempts.attempt_folder(desk(made), "r1-judge") == f"{layout.attempts(2)}/0013-r1-judge"
    assert kept_attempts.next_number(desk(made).book.project, "nowhere") == 1


# plans -----------------------------------------------------------------------------------------------


def replaced(made: Book, *changes: Change) -> list[str]:
    step = steps.parse("setup:style")
    found = kept_attempts.replaced_texts(desk(made).book, step, changes)
    assert all(where == f".novel/attempts/setup/0001/{path}" for path, where in found)
    return [path for path, _ in found]


def test_a_landed_text_that_gives_way_is_kept(made: Book) -> None:
    assert replaced(
        made,
        journal.put(layout.BRIEF, "新的立意\n".encode()),
        journal.put(layout.STORYLINES, made.at(layout.STORYLINES).read_bytes()),
        journal.put("world/new.md", b"x"),
        journal.remove(layout.contract(1, 5)),
    ) == [layout.BRIEF, layout.contract(1, 5)]


def test_a_template_that_nobody_touched_is_not(made: Book) -> None:
    template = assets.load(assets.package_path(f"templates/{layout.STYLE_PROFILE}"))
    made.write(layout.STYLE_PROFILE, template)
    assert replaced(made, journal.put(layout.STYLE_PROFILE, b"{}")) == []
    made.write(layout.STYLE_PROFILE, template + b"x")
    assert replaced(made, journal.put(layout.STYLE_PROFILE, b"{}")) == [layout.STYLE_PROFILE]


def test_a_volumes_plan_has_a_folder_of_its_own(made: Book) -> None:
    step = steps.parse("volume:02:outline")
    assert kept_attempts.plan_attempt_folder(desk(made).book, step) == ".novel/attempts/volume-02/0001"
    made.at(".novel/attempts/volume-02/0001").mkdir(parents=True)
    assert kept_attempts.plan_attempt_folder(desk(made).book, step) == ".novel/attempts/volume-02/0002"
