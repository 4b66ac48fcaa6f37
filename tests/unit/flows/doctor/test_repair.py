"""`novel doctor --fix`: what is kept of what it takes away, and that its own writing is no breach."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book, killed_landing
from builders import fast_disk as fast_disk
from copying import once
from rewriting import plant, write_chapter

from novel_hooks import errors, layout
from novel_hooks.flows.doctor import place
from novel_hooks.flows.session import fence
from novel_hooks.store.files.project import Project
from novel_hooks.store.journal import journal

if TYPE_CHECKING:
    from pathlib import Path


@once
def _three_chapters(place: Path) -> Book:
    """Chapters 2 and 3 by us; the draft of 4 is handed out, so that the second fence compares."""
    made = book(place, 1)
    write_chapter(made, plant("oar"), unknown_entities=[name("渔夫")])
    write_chapter(made, plant("oar", "advanced"))
    made.ok("lock", "acquire")
    return made


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return _three_chapters(tmp_path)


def name(mention: str) -> dict[str, str]:
    return {"mention": mention, "context": "在岸上", "suggested_type": "character"}


def hand_out(made: Book) -> None:
    made.ok("instructions", made.step("draft"), "--write-manifest")


def project(made: Book) -> Project:
    return Project(str(made.root))


def fixed(made: Book) -> Any:
    found = made.novel("doctor", "--fix")
    fence.check(project(made))
    return found


def torn(made: Book) -> dict[str, bytes]:
    return {one: made.at(f"{layout.TORN}/{one}").read_bytes() for one in made.names(layout.TORN)}


def spoil(made: Book, path: str, data: bytes) -> None:
    """Spoilt before the hand-out, so that only the repair writes behind it."""
    made.write(path, data)
    made.drop(layout.HANDOUT)
    made.drop(layout.FENCE_ARMED)


@pytest.fixture(params=[layout.CHANGELOG, layout.UNKNOWN_ENTITIES])
def log(request: pytest.FixtureRequest) -> str:
    path: str = request.param
    return path


def test_half_a_line_is_moved_out_byte_for_byte(made: Book, log: str) -> None:
    hand_out(made)
    whole = made.at(log).read_bytes()
    spoil(made, log, whole + b'{"chapter": 9, "me')
    rearm(made)
    fixed(made)
    assert made.at(log).read_bytes() == whole
    assert list(torn(made).values()) == [b'{"chapter": 9, "me']


def test_a_whole_line_without_its_end_gets_one(made: Book, log: str) -> None:
    hand_out(made)
    whole = made.at(log).read_bytes()
    spoil(made, log, whole[:-1])
    rearm(made)
    fixed(made)
    assert made.at(log).read_bytes() == whole and torn(made) == {}


def test_a_line_that_nobody_can_read_is_moved_out(made: Book, log: str) -> None:
    hand_out(made)
    whole = made.at(log).read_bytes()
    spoil(made, log, b"garbage\n" + whole)
    rearm(made)
    fixed(made)
    assert made.at(log).read_bytes() == whole
    assert list(torn(made).values()) == [b"garbage\n"]


def rearm(made: Book) -> None:
    """The step out again, with the marks of now: as if it were handed out over the broken file."""
    for change in fence.mark(project(made), made.step("draft"), 3):
        made.write(change.path, change.data)


def test_a_record_that_was_changed_is_moved_out(made: Book) -> None:
    path = layout.landed_record(3)
    spoilt = made.at(path).read_bytes().replace(b'"waiting"', b'"waited"')
    made.write(path, spoilt)
    fixed(made)
    assert not made.at(path).exists() and list(torn(made).values()) == [spoilt]


def test_a_state_that_differs_is_rebuilt_and_the_old_one_archived(made: Book) -> None:
    state = made.at(layout.STATE).read_bytes()
    other = {**made.json(layout.STATE), "items": {"lamp": {"oil": 9}}}
    made.write(layout.STATE, other)
    rearm(made)
    old = made.at(layout.STATE).read_bytes()
    fixed(made)
    assert made.at(layout.STATE).read_bytes() == state
    (kept,) = made.names(layout.ARCHIVE)
    assert made.at(layout.archived(kept, layout.STATE)).read_bytes() == old


def test_foreshadowing_that_waits_is_merged(made: Book) -> None:
    before = made.at(layout.FORESHADOWING).read_bytes()
    made.drop(layout.FORESHADOWING)
    rearm(made)
    fixed(made)
    known = {item["id"]: item["status"] for item in made.json(layout.FORESHADOWING)["foreshadowing"]}
    assert known == {item["id"]: item["status"] for item in json.loads(before)["foreshadowing"]}


def test_foreshadowing_that_cannot_be_merged_is_stuck_and_waits_on(made: Book) -> None:
    made.write(layout.FORESHADOWING, "{")
    made.write(layout.FORESHADOW_BACKLOG, "[3]")
    rearm(made)
    found = fixed(made)
    assert "FORESHADOWING_SKIPPED" in [d.code for d in found.diagnostics]
    assert made.json(layout.FORESHADOW_BACKLOG) == [3]


def test_a_broken_checkpoint_that_leaves_a_doubt_stays(made: Book) -> None:
    made.stage(None)
    made.write(layout.CHECKPOINT, "{")
    made.write(layout.staged(layout.evaluation(4)), {})
    found = made.novel("doctor", "--fix")
    assert made.at(layout.CHECKPOINT).read_bytes() == b"{"
    assert "CHECKPOINT_UNSURE" in [d.code for d in found.diagnostics]


def test_one_that_leaves_none_is_made_anew_and_the_old_one_kept(made: Book) -> None:
    made.ok("lock", "release")
    made.stage(None)
    made.write(layout.CHECKPOINT, "{")
    made.novel("doctor", "--fix")
    assert made.point()["last_completed_chapter"] == 3
    assert b"{" in torn(made).values()


# a landing that is not through ---------------------------------------------------------------------------


@pytest.mark.parametrize(("alive", "verified"), [(True, False), (False, True), (None, True)])
def test_a_landing_is_held_against_its_files_unless_its_command_lives(
    made: Book, monkeypatch: pytest.MonkeyPatch, alive: bool | None, verified: bool
) -> None:
    killed_landing(made, monkeypatch, {layout.BRIEF: b"x\n", "world/new.md": b"x\n"})
    made.write(layout.BRIEF, "又是别的\n")
    monkeypatch.setattr(journal, "is_owner_alive", lambda _plan: alive)
    if verified:
        with pytest.raises(errors.JournalConflict):
            place.pending_manifest(project(made))
    else:
        plan = place.pending_manifest(project(made))
        assert plan is not None and plan.label == "试"
        assert "另一条命令正在写" in str(place.unchecked_problem(plan))
