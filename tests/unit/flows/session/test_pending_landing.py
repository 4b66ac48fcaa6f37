"""A landing that is not through, as commands see it that only read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book, book, killed_landing
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.session import pending_landing
from novel_hooks.store.files.project import Project
from novel_hooks.store.journal import journal

if TYPE_CHECKING:
    from pathlib import Path

NOTE = "research/笔记.md"


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return book(tmp_path)


@pytest.fixture
def seen(made: Book, monkeypatch: pytest.MonkeyPatch) -> Project:
    """The project through a landing that its command left when it was killed."""
    killed_landing(made, monkeypatch, {NOTE: b"x"})
    return pending_landing.after_landing(Project(str(made.root)))


def test_without_one_the_project_is_the_very_same(made: Book) -> None:
    project = Project(str(made.root))
    assert pending_landing.after_landing(project) is project
    assert pending_landing.problems(project) == []
    assert pending_landing.has_pending(project, NOTE) is False


def test_a_reader_sees_the_files_as_they_will_be(made: Book, seen: Project) -> None:
    assert not made.at(NOTE).exists()
    assert seen.read(NOTE) == b"x"


def test_only_the_files_of_the_landing_wait(seen: Project) -> None:
    assert pending_landing.has_pending(seen, NOTE) is True
    assert pending_landing.has_pending(seen, "brief.md", NOTE) is True
    assert pending_landing.has_pending(seen, "brief.md") is False


@pytest.mark.parametrize(
    ("alive", "code"), [(True, "COMMAND_WRITING"), (False, "JOURNAL_WAITS"), (None, "JOURNAL_WAITS")]
)
def test_only_a_command_that_surely_lives_is_said_to_be_writing(
    seen: Project, alive: bool | None, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "is_owner_alive", lambda _plan: alive)
    (told,) = pending_landing.problems(seen)
    assert (told.code, told.path) == (code, layout.JOURNAL)
    assert "试" in str(told)
