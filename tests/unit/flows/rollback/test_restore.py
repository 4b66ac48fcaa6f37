"""`novel restore`: which archives come back, what of now is kept, and what the second fence makes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import OWNER, Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.errors import ChangedWhileAsked
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.rollback import restore, retire, rollback
from novel_hooks.flows.session.caller import Caller
from novel_hooks.flows.session.session import Session, writing
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio
from novel_hooks.store.host.owner import owner

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

SLUG = "bai-sui"
CARD = layout.character_card(SLUG)


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """Three chapters landed, the fourth next."""
    return book(tmp_path, 3)


@pytest.fixture
def back(made: Book) -> Book:
    """Taken back behind chapter 2, the archive is number 1."""
    made.ok("rollback", "2", "--yes")
    made.chapter = 3
    return made


@pytest.fixture
def retired(made: Book) -> Book:
    """A character has left, the archive is number 1."""
    made.ok("retire", SLUG, "--yes")
    return made


def project(made: Book) -> Project:
    return Project(str(made.root))


def held(made: Book) -> AbstractContextManager[Session]:
    return writing(project(made), Caller(owner({}, OWNER), 0.0))


def landed_paths(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The paths of each landing from now on, in order."""
    seen: list[list[str]] = []
    real = Session.land

    def land(self: Session, changes: Any, label: str) -> None:
        seen.append([change.path for change in changes])
        real(self, changes, label)

    monkeypatch.setattr(Session, "land", land)
    return seen


def write_lines(made: Book, lines: list[dict[str, Any]]) -> None:
    made.write(layout.CHANGELOG, b"".join(jsonio.dump_line(line) for line in lines))


# the second fence ------------------------------------------------------------------------------------


def test_who_comes_back_leaves_the_fence_as_it_is(retired: Book) -> None:
    """The step was only read: nobody is kept from the cast, and yet an agent may be at work unseen."""
    retired.ok("instructions", retired.step("draft"))
    retired.write(layout.BRIEF, "# 别人改的\n")
    assert retired.ok("restore", "1", "--yes")["changed"] is True
    assert retired.at(layout.FENCE_ARMED).is_file()
    retired.ok("lock", "acquire")
    retired.draft()
    found = retired.novel("advance", retired.step("draft"))
    assert layout.BRIEF in [d.path for d in found.diagnostics if d.code == "WRITE_OUTSIDE_STAGING"]


def test_who_leaves_leaves_the_fence_as_it_is(made: Book) -> None:
    made.ok("instructions", made.step("draft"))
    assert made.ok("retire", SLUG, "--yes")["changed"] is True
    assert made.at(layout.FENCE_ARMED).is_file()


def test_another_book_is_compared_with_nothing(back: Book) -> None:
    back.ok("instructions", back.step("draft"), "--write-manifest")
    assert back.at(layout.FENCE_ARMED).is_file()
    assert back.ok("restore", "1", "--yes")["changed"] is True
    assert not back.at(layout.FENCE_ARMED).exists()


# while somebody is at work ---------------------------------------------------------------------------


def test_the_cast_stays_while_a_chapter_is_in_work(retired: Book) -> None:
    """Begun and written in; a chapter that a lock alone opened is not in work."""
    retired.ok("lock", "acquire")
    retired.draft()
    assert "第 4 章" in retired.refused(3, "BOOK_AT_WORK", "restore", "1", "--yes").message
    assert "第 4 章" in retired.refused(3, "BOOK_AT_WORK", "retire", "he-tie", "--yes").message
    assert [p.code for p in retire.busy_problems(Reading(project(retired)))] == ["BOOK_AT_WORK"]


def test_the_cast_stays_while_a_step_is_out(retired: Book) -> None:
    retired.ok("instructions", retired.step("draft"), "--write-manifest")
    retired.refused(3, "BOOK_AT_WORK", "restore", "1", "--yes")


# what the author was shown ---------------------------------------------------------------------------


def test_another_book_by_the_time_of_the_answer_to_a_restore(back: Book) -> None:
    with held(back) as session:
        shown = restore.preview(Reading(session.project), "1", session.caller.stamp)
        back.write(layout.chapter(3), "新写的")
        before = back.tree()
        with pytest.raises(ChangedWhileAsked):
            restore.run(session, "1", shown)
        assert back.changed(before) == {}


def test_another_book_by_the_time_of_the_answer_to_a_retirement(made: Book) -> None:
    with held(made) as session:
        shown = retire.preview(Reading(session.project), SLUG)
        made.drop(layout.character_profile(SLUG))
        before = made.tree()
        with pytest.raises(ChangedWhileAsked):
            retire.run(session, SLUG, shown)
        assert made.changed(before) == {}


def test_what_was_shown_is_done(back: Book) -> None:
    with held(back) as session:
        shown = restore.preview(Reading(session.project), "1", session.caller.stamp)
        assert restore.run(session, "1", shown).preview == shown


def test_what_is_there_already_has_nothing_to_be_put_aside(back: Book) -> None:
    back.ok("restore", "1", "--yes")
    found = restore.preview(Reading(project(back)), "1", "t")
    assert (found.changes, found.since) == (False, ())


def test_what_was_written_since_is_named_before(back: Book) -> None:
    back.write(layout.summary(3), "新的摘要\n")
    found = restore.preview(Reading(project(back)), "1", "t")
    assert (found.changes, found.since) == (True, (layout.summary(3),))


# order -----------------------------------------------------------------------------------------------


def test_the_checkpoint_lands_last(back: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader in between goes by the old one."""
    seen = landed_paths(monkeypatch)
    back.ok("restore", "1", "--yes")
    back.ok("rollback", "1", "--yes")
    first, second = seen
    assert first[-1] == second[-1] == layout.CHECKPOINT
    assert first.count(layout.CHECKPOINT) == second.count(layout.CHECKPOINT) == 1
    assert layout.chapter(3) in first and layout.chapter(2) in second


def test_the_archive_lands_with_what_it_holds(back: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    back.write(layout.chapter(3), "新写的")
    seen = landed_paths(monkeypatch)
    kept = back.ok("restore", "1", "--yes")["kept"]
    assert layout.archived(kept, layout.chapter(3)) in seen[0]
    assert layout.archive_manifest(kept) in seen[0]


# archives that nobody may lay over a book ------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "../outside.md",
        "/outside.md",
        layout.archived("0001-rollback-to-002", layout.CHECKPOINT),
        f"{layout.JOURNAL}/manifest.json",
    ],
)
def test_an_entry_that_leads_astray(back: Book, path: str) -> None:
    manifest = layout.archive_manifest("0001-rollback-to-002")
    document = back.json(manifest)
    entry = {"path": path, "sha256": None, "what": "added", "after": None}
    back.write(manifest, {**document, "entries": [*document["entries"], entry]})
    back.refused(5, "ARCHIVE_BROKEN", "restore", "1", "--yes")


@pytest.mark.parametrize(
    "changes",
    [
        {"format": 2},
        {"format": None},
        {"entries": None},
        {"base_sha256": 1},
        {"made_at": None},
        {"chars": "x"},
        {"to_chapter": None},
    ],
)
def test_a_manifest_of_another_make(back: Book, changes: dict[str, Any]) -> None:
    manifest = layout.archive_manifest("0001-rollback-to-002")
    back.write(manifest, {**back.json(manifest), **changes})
    back.refused(5, "ARCHIVE_BROKEN", "restore", "1", "--yes")


def test_an_archive_of_a_later_book_waits_for_its_chapters(back: Book) -> None:
    back.ok("rollback", "1", "--yes")
    told = back.refused(3, "RESTORE_BASE_DIFFERS", "restore", "1", "--yes")
    assert "现在只写到第 1 章" in told.message and "novel restore 0002" in told.fix


# going back: what is easily forgotten ----------------------------------------------------------------


def test_what_a_sync_has_staged_goes_too(made: Book) -> None:
    staged = layout.staged(layout.summary(2))
    made.write(staged, "重新做的摘要\n")
    made.write(layout.staged(layout.summary(1)), "别的\n")
    made.point(sync={"chapter": 2, "stage": "judge", "text_sha256": "0" * 64})
    found = made.ok("rollback", "2", "--yes")
    assert not made.at(staged).exists() and made.at(layout.staged(layout.summary(1))).is_file()
    assert made.at(layout.archived(found["archive"], staged)).read_text("utf-8") == "重新做的摘要\n"


def test_a_memory_that_alone_is_staged_goes_with_its_chapter(made: Book) -> None:
    staged = layout.staged(layout.memory("tower-line"))
    made.write(staged, "还没入库的记忆\n")
    made.stage("drafting")
    found = made.ok("rollback", "3", "--yes")
    assert (found["staged"], made.at(staged).exists()) == ([staged], False)


def test_a_memory_that_nobody_is_at_work_on_stays(made: Book) -> None:
    staged = layout.staged(layout.memory("tower-line"))
    made.write(staged, "我自己放的\n")
    assert made.ok("rollback", "3", "--yes")["changed"] is False
    assert made.at(staged).is_file()


def test_the_work_notes_of_a_chapter_go_with_it(made: Book) -> None:
    made.stage("drafting")
    made.write(layout.work_log(4), {"chapter": 4, "started_at": "t", "stages": []})
    found = made.ok("rollback", "3", "--yes")
    assert not made.at(layout.work_log(4)).exists()
    assert made.at(layout.archived(found["archive"], layout.work_log(4))).is_file()


def test_a_later_line_that_does_not_join_is_taken_away_all_the_same(made: Book) -> None:
    lines = made.lines(layout.CHANGELOG)
    lines[2]["base_state_version"] = 99
    write_lines(made, lines)
    assert made.ok("rollback", "2", "--yes")["changed"] is True
    assert [line["chapter"] for line in made.lines(layout.CHANGELOG)] == [1, 2]
    assert made.json(layout.STATE)["state_version"] == lines[1]["state_version"]


def test_a_chapter_without_its_line_cannot_be_gone_back_to(made: Book) -> None:
    lines = made.lines(layout.CHANGELOG)
    write_lines(made, [lines[0], lines[2]])
    made.refused(5, "CHANGELOG_BROKEN", "rollback", "2", "--yes")


def test_a_rollback_plans_the_same_that_it_shows(made: Book) -> None:
    with held(made) as session:
        shown = rollback.preview(Reading(session.project), 2, session.caller.stamp)
        assert rollback.run(session, 2, shown).preview == shown
