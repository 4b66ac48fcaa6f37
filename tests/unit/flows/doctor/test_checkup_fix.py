"""`novel doctor --fix`: mends what has one right answer, and leaves the rest."""

from __future__ import annotations

import pytest
from builders import OTHER, Book
from builders import fast_disk as fast_disk

from novel_hooks import errors, layout
from novel_hooks.store.formats import jsonio, logtail
from novel_hooks.store.journal import journal, recovery
from unit.flows.doctor.checked_book import CASES, DEAD, ENTITY, PLANT, dead_lock, doctor, held_by, land, line
from unit.flows.doctor.checked_book import made as made


def fixed(made: Book, exit: int = 0) -> list[str]:
    found = made.novel("doctor", "--fix")
    assert found.exit == exit, found.diagnostics
    repaired: list[str] = found.data["repaired"]
    return repaired


def test_the_state_is_rebuilt_and_the_old_one_kept(made: Book) -> None:
    right = made.at(layout.STATE).read_bytes()
    wrong = b'{"state_version": 3}'
    made.write(layout.STATE, wrong)
    (said,) = fixed(made)
    assert "重建" in said and "0001-rebuild" in said
    assert made.at(layout.STATE).read_bytes() == right
    assert made.at(layout.archived("0001-rebuild", layout.STATE)).read_bytes() == wrong


def test_the_state_is_left_alone_while_the_log_is_not_sound(made: Book) -> None:
    made.write(layout.STATE, b"{")
    line(2, base_state_version=5)(made)
    before = made.tree()
    assert fixed(made, exit=5) == []
    assert made.changed(before) == {}


def test_a_whole_last_line_gets_its_line_end(made: Book) -> None:
    right = made.at(layout.CHANGELOG).read_bytes()
    made.write(layout.CHANGELOG, right[:-1])
    assert doctor(made)[1]["LOG_TAIL_OPEN"].path == layout.CHANGELOG
    assert len(fixed(made)) == 1
    assert made.at(layout.CHANGELOG).read_bytes() == right


def test_a_line_of_unknown_names_of_no_shape_is_moved_out(made: Book) -> None:
    """Doctor says `--fix` of it, so that has to help."""
    sound = jsonio.dump_line({**ENTITY, "chapter": 1})
    made.write(layout.UNKNOWN_ENTITIES, b'{"chapter": "x"}\n' + sound)
    assert doctor(made)[1]["OWN_FILE_DAMAGED"].path == layout.UNKNOWN_ENTITIES
    (said,) = fixed(made)
    assert "第 1 行" in said and made.at(layout.UNKNOWN_ENTITIES).read_bytes() == sound
    assert made.at(f"{layout.TORN}/{made.names(layout.TORN)[0]}").read_bytes() == b'{"chapter": "x"}\n'


def test_half_a_line_is_moved_out_byte_for_byte(made: Book) -> None:
    whole = made.at(layout.CHANGELOG).read_bytes()
    made.write(layout.CHANGELOG, whole + b'{"chapter": 4, "op\xe6')
    state = made.at(layout.STATE).read_bytes()
    assert doctor(made)[0] == 5
    assert len(fixed(made)) == 1
    assert made.at(layout.CHANGELOG).read_bytes() == whole
    assert made.at(".novel/torn/0001-changelog.jsonl").read_bytes() == b'{"chapter": 4, "op\xe6'
    assert made.at(layout.STATE).read_bytes() == state


def test_when_the_torn_line_was_a_landed_chapters_the_state_stays(made: Book) -> None:
    """The log then lacks that chapter: rebuilding would take its changes away."""
    whole = made.at(layout.CHANGELOG).read_bytes()
    made.write(layout.CHANGELOG, whole[:-9])
    state = made.at(layout.STATE).read_bytes()
    assert len(fixed(made, exit=5)) == 1
    assert made.at(layout.STATE).read_bytes() == state
    assert "CHANGELOG_CHAPTERS_MISSING" in doctor(made)[1]
    torn = made.at(".novel/torn/0001-changelog.jsonl").read_bytes()
    assert made.at(layout.CHANGELOG).read_bytes() + torn == whole[:-9]


def test_foreshadowing_that_had_to_wait_is_caught_up(made: Book) -> None:
    right = made.at(layout.FORESHADOWING).read_bytes()
    made.write(layout.FORESHADOWING, b"{")
    land(made, ops=[{**PLANT, "path": "new-rope"}])
    assert fixed(made, exit=1) == []
    made.write(layout.FORESHADOWING, right)
    assert doctor(made)[1]["FORESHADOWING_WAITING"].severity == "warning"
    (said,) = fixed(made)
    assert "第 4 章" in said
    assert "new-rope" in [item["id"] for item in made.json(layout.FORESHADOWING)["foreshadowing"]]
    assert not made.at(layout.FORESHADOW_BACKLOG).exists()


def test_a_dead_lock_folders_and_leftovers(made: Book) -> None:
    dead_lock(made)
    for name in ("half a journal", "temporary file", "folder lost"):
        CASES[name][0](made)
    said = "\n".join(fixed(made))
    for word in ("写作锁", "journal.new-", ".novel-tmp-", "staging/state"):
        assert word in said
    assert not made.at(layout.LOCK_DIR).exists()
    assert fixed(made) == []


def test_a_live_lock_of_another_is_left_alone(made: Book) -> None:
    held_by(OTHER)(made)
    made.write(layout.STATE, b"{")
    made.refused(4, "LOCK_BUSY", "doctor", "--fix")


def interrupted(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """A commit whose command died right after the commit point."""
    made.stage("judged")
    made.draft()
    made.records(ops=[PLANT])
    made.evaluation()

    def die(*_: object) -> None:
        raise errors.JournalPending(layout.JOURNAL, label="入库", detail="断电")

    with monkeypatch.context() as patched:
        patched.setattr(recovery, "finish", die)
        assert made.novel("commit", "--chapter", "4").exit == 3
    place = f"{layout.JOURNAL}/manifest.json"
    plan = made.json(place)
    made.write(place, jsonio.dump({**plan, "pid": DEAD}))


def test_a_landing_that_is_not_through_is_told_then_finished(
    made: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(made, monkeypatch)
    before = made.tree()
    exit, found = doctor(made)
    assert exit == 1
    assert "第 4 章入库" in found["BOOK_UNCHECKED"].message and "--fix" in found["BOOK_UNCHECKED"].fix
    assert made.changed(before) == {}
    assert any("补完" in said for said in fixed(made))
    assert made.point()["last_completed_chapter"] == 4
    assert made.at(layout.chapter(4)).exists()


def test_a_landing_whose_command_lives_is_waited_for(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted(made, monkeypatch)
    monkeypatch.setattr(journal, "is_owner_alive", lambda plan: True)
    assert "等那条命令结束" in doctor(made)[1]["BOOK_UNCHECKED"].fix


def test_a_conflict_of_the_journal_is_a_finding_with_fix_too(
    made: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(made, monkeypatch)
    made.write(layout.chapter(4), "别的东西")
    before = made.tree()
    assert doctor(made)[1]["JOURNAL_CONFLICT"].path == layout.chapter(4)
    exit, found = doctor(made, "--fix")
    assert (exit, set(found)) == (5, {"JOURNAL_CONFLICT"})
    assert made.changed(before) == {}


def test_a_repair_in_the_middle_of_a_chapter_is_no_breach_of_the_fence(made: Book) -> None:
    made.ok("lock", "acquire")
    made.write(layout.CHANGELOG, made.at(layout.CHANGELOG).read_bytes()[:-1])
    made.ok("instructions", made.step("draft"), "--write-manifest")
    made.draft()
    assert len(fixed(made)) == 1
    assert made.advance("draft")["pipeline_stage"] == "drafting"


def test_what_others_changed_is_still_found_after_a_repair(made: Book) -> None:
    made.ok("lock", "acquire")
    made.ok("instructions", made.step("draft"), "--write-manifest")
    made.write(layout.BRIEF, "# 改过的立意\n")
    made.write(layout.STATE, b"{")
    made.draft()
    assert len(fixed(made)) == 1
    found = made.novel("advance", made.step("draft"))
    assert (found.exit, found.diagnostics[0].path) == (3, layout.BRIEF)


# --- pure rules ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "kind", "rest"),
    [
        (b"", "whole", b""),
        (b"{}\n", "whole", b""),
        (b"{}\n{}", "open", b"{}"),
        (b'{}\n{"a"', "cut", b'{"a"'),
        (b"{}\n\0\0", "cut", b"\0\0"),
        (b"{}\n\xe6\x88", "cut", b"\xe6\x88"),
    ],
)
def test_tails(data: bytes, kind: str, rest: bytes) -> None:
    assert logtail.log_tail(data, layout.CHANGELOG)[::2] == (kind, rest)
