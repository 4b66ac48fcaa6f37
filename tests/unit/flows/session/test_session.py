"""A writing command's hold on the book: whose lock it is, how long it lasts, what a killed command left."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import pytest
from builders import OTHER, OWNER, Book, book, killed_landing
from builders import fast_disk as fast_disk

from novel_hooks import errors, layout
from novel_hooks.flows.session import fence
from novel_hooks.flows.session.caller import Caller
from novel_hooks.flows.session.session import Session, writing
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import moment
from novel_hooks.store.host.owner import owner
from novel_hooks.store.journal import journal
from novel_hooks.store.lock import lock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

NOW = 1_800_000_000.0
NOTE = "research/笔记.md"


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return book(tmp_path)


def project(made: Book) -> Project:
    return Project(str(made.root))


def hold(made: Book, *, who: str = OWNER, now: float = NOW, **how: Any) -> AbstractContextManager[Session]:
    return writing(project(made), Caller(owner({}, who), now), **how)


def abandoned(made: Book, chapter: int = 2, stops: tuple[str, ...] = ("draft",)) -> bytes:
    """The lock of a run with break points whose session has not been seen for a day; its bytes."""
    lock.acquire(project(made), owner({}, OTHER), chapter, NOW - 86400, stops)
    info = made.json(layout.LOCK_INFO)
    gone = moment.iso(NOW - 86400)
    made.write(layout.LOCK_INFO, {**info, "pid": None, "pid_started": None, "started": gone, "renewed": gone})
    return made.at(layout.LOCK_INFO).read_bytes()


def test_the_moment_of_a_caller_is_told_in_utc() -> None:
    assert Caller(owner({}, OWNER), 0.0).stamp == "1970-01-01T00:00:00Z"


# how long the lock lasts -----------------------------------------------------------------------------


def test_a_lock_for_one_command_says_so_and_goes_with_it(made: Book) -> None:
    with hold(made) as session:
        assert made.json(layout.LOCK_INFO)["command_only"] is True
        assert (session.held_before, session.keep) == (False, False)
    assert made.held() is None


def test_a_lock_for_a_session_says_nothing_of_the_kind(made: Book) -> None:
    with hold(made, for_session=True) as session:
        assert "command_only" not in made.json(layout.LOCK_INFO)
        session.keep = True
    assert made.held() is not None


def test_a_command_inside_a_session_leaves_its_lock_on_its_chapter(made: Book) -> None:
    lock.acquire(project(made), owner({}, OWNER), 2, NOW)
    with hold(made, chapter=7) as session:
        assert session.held_before
    assert made.json(layout.LOCK_INFO)["chapter"] == 2
    assert "command_only" not in made.json(layout.LOCK_INFO)


def test_a_command_that_ends_the_run_takes_its_lock_along(made: Book) -> None:
    lock.acquire(project(made), owner({}, OWNER), 2, NOW)
    with hold(made) as session:
        session.end()
    assert made.held() is None


def test_a_command_that_fails_gives_its_lock_back(made: Book) -> None:
    with pytest.raises(errors.NameUnknown), hold(made):
        raise errors.NameUnknown(case="change", name="x", known="")
    assert made.held() is None


def test_a_lock_that_cannot_be_given_back_is_a_note(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise errors.WriteFailed(layout.LOCK_DIR, reason="磁盘满了")

    with hold(made) as session:
        monkeypatch.setattr(lock, "release", full)
    assert len(session.notes) == 1 and session.notes[0].startswith("写作锁没能交还")


def test_another_sessions_lock_refuses_at_once_and_stays(made: Book) -> None:
    lock.acquire(project(made), owner({}, OTHER), 2, NOW)
    before = made.at(layout.LOCK_INFO).read_bytes()
    with pytest.raises(errors.LockBusy), hold(made):
        pytest.fail("held twice")
    assert made.at(layout.LOCK_INFO).read_bytes() == before


# the lock of a killed run with break points ----------------------------------------------------------


def test_its_lock_is_back_behind_a_command_that_does_not_end_it(made: Book) -> None:
    left = abandoned(made)
    with hold(made) as session:
        assert (session.left, session.earlier_lock) == (("draft",), left)
        assert made.json(layout.LOCK_INFO)["owner"] == OWNER
    assert made.at(layout.LOCK_INFO).read_bytes() == left
    assert session.notes == [], "nothing was taken over for good"


def test_a_command_that_ends_the_run_forgets_it(made: Book) -> None:
    abandoned(made)
    with hold(made) as session:
        session.end()
    assert made.held() is None


def test_a_command_that_clears_forgets_it_and_says_so(made: Book) -> None:
    abandoned(made)
    with hold(made, clearing=True) as session:
        assert session.earlier_lock is None
        assert len(session.notes) == 1
    assert made.held() is None


def test_a_session_goes_on_with_its_break_points(made: Book) -> None:
    abandoned(made)
    with hold(made, chapter=2, for_session=True) as session:
        assert (session.left, session.earlier_lock) == (("draft",), None)
        session.keep = True
    assert made.json(layout.LOCK_INFO)["stop_after"] == ["draft"]


def test_a_dead_run_without_break_points_is_taken_over_with_a_note(made: Book) -> None:
    abandoned(made, stops=())
    with hold(made) as session:
        assert session.earlier_lock is None and len(session.notes) == 1
    assert made.held() is None


# landing ---------------------------------------------------------------------------------------------


def test_a_landing_of_a_killed_command_is_finished_first(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    killed_landing(made, monkeypatch, {NOTE: "断电前\n".encode()})
    with hold(made) as session:
        assert made.at(NOTE).read_text("utf-8") == "断电前\n"
        assert session.finished == "试" and len(session.notes) == 1
    with hold(made) as later:
        assert (later.finished, later.notes) == (None, [])


def test_nothing_to_land_writes_nothing(made: Book) -> None:
    before = made.tree()
    with hold(made) as session:
        session.land([], label="无")
    assert made.changed(before) == {}


@pytest.fixture
def taken(made: Book) -> Iterator[Session]:
    """A session whose lock another has taken meanwhile."""
    with contextlib.ExitStack() as stack:
        session = stack.enter_context(hold(made))
        made.write(layout.LOCK_INFO, {**made.json(layout.LOCK_INFO), "token": "another", "owner": OTHER})
        yield session


def test_nothing_lands_under_a_lock_that_is_lost(made: Book, taken: Session) -> None:
    before = made.tree()
    with pytest.raises(errors.LockLost):
        taken.land([journal.put(NOTE, b"x")], label="试")
    assert made.changed(before) == {}


def test_a_lock_that_another_has_taken_is_not_given_back(made: Book) -> None:
    with hold(made):
        made.write(layout.LOCK_INFO, {**made.json(layout.LOCK_INFO), "token": "another"})
    assert made.json(layout.LOCK_INFO)["token"] == "another"


def test_every_checkpoint_lands_with_its_seal(made: Book) -> None:
    data = made.at(layout.CHECKPOINT).read_bytes().replace(b"}", b" }")
    with hold(made) as session:
        session.land([journal.put(layout.CHECKPOINT, data)], label="试")
    place = project(made)
    assert fence._checkpoint_differences(place) == []
    made.write(layout.CHECKPOINT, data + b"\n")
    assert [d.path for d in fence._checkpoint_differences(place)] == [layout.CHECKPOINT]


def test_marks_that_cannot_be_renewed_are_a_note_and_no_refusal(
    made: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise errors.WriteFailed(layout.FENCE, reason="磁盘满了")

    monkeypatch.setattr(fence, "renew", full)
    with hold(made) as session:
        session.renew_marks(["novel.yaml", "brief.md"])
    assert len(session.notes) == 1
    assert session.notes[0].startswith("brief.md、novel.yaml ") and "novel accept-changes" in session.notes[0]
