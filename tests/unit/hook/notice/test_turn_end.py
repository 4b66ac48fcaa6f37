"""The end of a turn in Codex lets the book go, and nobody else's."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from guarding import make_project

from novel_hooks import errors
from novel_hooks.flows.pipeline import lock as locking
from novel_hooks.hook.notice import turn_end
from novel_hooks.store.files.project import Project
from novel_hooks.store.host.owner import Owner
from novel_hooks.store.lock import lock, oslock

EVENT = {"hook_event_name": "Stop", "session_id": "session-one"}


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return make_project(tmp_path / "book")


def hold(book: Path, name: str, stops: tuple[str, ...] | None = None) -> Owner:
    owner = Owner(name, None, None, "here")
    lock.acquire(Project(str(book)), owner, 7, time.time(), stops)
    return owner


def end(book: Path, **event: object) -> None:
    turn_end.respond({**EVENT, **event}, str(book), {}, "codex")


def test_the_sessions_lock_is_given_back(book: Path) -> None:
    hold(book, "session-one")
    end(book)
    assert not (book / ".novel.lock").exists()
    end(book)  # nothing to give


@pytest.mark.parametrize("session", ["session-two", "", None, 5])
def test_another_sessions_lock_stays(book: Path, session: object) -> None:
    hold(book, "session-one")
    end(book, session_id=session)
    assert (book / ".novel.lock").exists()


@pytest.mark.parametrize("session", ["", None, 5])
def test_no_session_is_not_the_one_that_the_environment_names(book: Path, session: object) -> None:
    hold(book, "author")
    turn_end.respond({**EVENT, "session_id": session}, str(book), {"NOVEL_OWNER": "author"}, "codex")
    assert (book / ".novel.lock").exists()


def test_break_points_stay_for_the_session_and_others_may_take_over(book: Path) -> None:
    owner = hold(book, "session-one", ("draft",))
    end(book)
    project, now = Project(str(book)), time.time()
    assert lock.lock_state(project, owner, now).kind == "own"
    other = Owner("session-two", None, None, "here")
    assert lock.lock_state(project, other, now).kind == "stale"
    assert lock.acquire(project, other, 7, now).left == ("draft",)


def test_the_session_goes_on_with_its_lock(book: Path) -> None:
    owner = hold(book, "session-one", ("draft",))
    end(book)
    project, now = Project(str(book)), time.time()
    lock.acquire(project, owner, 7, now)
    assert lock.lock_state(project, Owner("session-two", None, None, "here"), now).kind == "other"


def test_a_command_at_work_is_waited_for(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hold(book, "session-one")
    monkeypatch.setattr(turn_end, "_PAUSE", 0)
    with oslock.running(Project(str(book))):
        end(book)
    assert (book / ".novel.lock").exists()
    many: list[object] = []

    def busy(*given: object) -> None:
        many.append(given)
        raise errors.CommandBusy

    real = locking.end_turn
    monkeypatch.setattr(locking, "end_turn", busy)
    end(book)
    assert len(many) == 9, "two seconds"
    tries = iter((errors.CommandBusy(), None))

    def busy_once(*given: object) -> object:
        wrong = next(tries, None)
        if wrong is not None:
            raise wrong
        return real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(locking, "end_turn", busy_once)
    end(book)
    assert not (book / ".novel.lock").exists()
