"""`novel rollback` that is refused, asked about, or has nothing to do."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from builders import BIN, OTHER, OWNER, Book, book
from builders import fast_disk as fast_disk
from rewriting import files, unlike

from novel_hooks import layout
from novel_hooks.errors import ChangedWhileAsked
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.rollback import rollback
from novel_hooks.flows.session.caller import Caller
from novel_hooks.flows.session.session import writing
from novel_hooks.store.files.project import Project
from novel_hooks.store.host.owner import owner
from unit.flows.rollback.five_chapters import back
from unit.flows.rollback.five_chapters import made as made
from unit.flows.rollback.five_chapters import stages as stages
from unit.flows.rollback.five_chapters import written as written

if TYPE_CHECKING:
    from pathlib import Path

# refusals --------------------------------------------------------------------------------------------


def test_who_cannot_be_asked_has_to_say_yes(made: Book) -> None:
    told = made.refused(3, "CONFIRMATION_NEEDED", "rollback", "2")
    assert "第 3–5 章（3 章，共 135 字）" in told.message
    assert "`novel rollback 2 --yes`" in told.fix


def test_a_chapter_not_written_yet(made: Book) -> None:
    told = made.refused(3, "ROLLBACK_BEYOND", "rollback", "6", "--yes")
    assert "第 5 章" in told.message
    assert "最大是 5" in told.fix and "N" not in told.fix


@pytest.mark.parametrize("argv", [(), ("2", "--list"), ("-1",), ("一百五",), ("1.5",)])
def test_usage(made: Book, argv: tuple[str, ...]) -> None:
    made.refused(2, "CLI_USAGE", "rollback", *argv)


def test_another_session_writes(made: Book) -> None:
    made.ok("lock", "acquire")
    made.refused(4, "LOCK_BUSY", "rollback", "2", "--yes", owner=OTHER)
    made.refused(4, "LOCK_BUSY", "restore", "1", "--yes", owner=OTHER)


def test_lines_out_of_order(made: Book) -> None:
    lines = made.at(layout.CHANGELOG).read_text("utf-8").splitlines(keepends=True)
    made.write(layout.CHANGELOG, "".join([lines[0], lines[2], lines[1], *lines[3:]]))
    made.refused(5, "CHANGELOG_BROKEN", "rollback", "2", "--yes")


def test_a_log_that_lost_its_beginning(made: Book) -> None:
    lines = made.at(layout.CHANGELOG).read_text("utf-8").splitlines(keepends=True)
    made.write(layout.CHANGELOG, "".join(lines[2:]))
    made.refused(5, "CHANGELOG_BROKEN", "rollback", "2", "--yes")


def test_a_log_that_is_shorter_than_the_state(made: Book) -> None:
    lines = made.at(layout.CHANGELOG).read_text("utf-8").splitlines(keepends=True)
    made.write(layout.CHANGELOG, "".join(lines[:3]))
    made.refused(5, "LOG_BEHIND_STATE", "rollback", "2", "--yes")


def test_a_broken_state_is_no_hindrance(made: Book, stages: list[dict[str, bytes]]) -> None:
    made.write(layout.STATE, "{")
    back(made, 3)
    assert unlike(files(made), stages[3]) == []


@pytest.mark.parametrize("record", ["{", "[]", '{"before": {}}', '{"before": [], "sha256": {}}'])
def test_a_broken_landed_record(made: Book, record: str) -> None:
    made.write(layout.landed_record(4), record)
    before = made.tree()
    assert made.novel("rollback", "2", "--yes").exit == 5
    assert made.changed(before) == {}


def test_a_link_in_the_place_of_a_chapter(made: Book) -> None:
    made.at(layout.chapter(4)).rename(made.root.parent / "outside.md")
    made.at(layout.chapter(4)).symlink_to(made.root.parent / "outside.md")
    made.refused(3, "FILE_NOT_REGULAR", "rollback", "2", "--yes")


def test_another_book_by_the_time_of_the_answer(made: Book) -> None:
    caller = Caller(owner({"NOVEL_OWNER": OWNER}, None), 0.0)
    before = files(made)
    with writing(Project(str(made.root)), caller) as session:
        shown = rollback.preview(Reading(session.project), 2, caller.stamp)
        made.write(layout.chapter(4), "改了")
        with pytest.raises(ChangedWhileAsked):
            rollback.run(session, 2, shown)
    assert unlike(files(made), before) == [layout.chapter(4)]


# at a terminal ---------------------------------------------------------------------------------------


def at_terminal(made: Book, said: bytes, *argv: str) -> tuple[int, str, str]:
    """`bin/novel` with an author at a terminal who says this; exit code, what he is shown, stdout."""
    ours, theirs = os.openpty()
    env = {**os.environ, "NOVEL_OWNER": OWNER}
    started = subprocess.Popen(
        [BIN, *argv], cwd=made.root, env=env, stdin=theirs, stderr=theirs, stdout=subprocess.PIPE
    )
    os.close(theirs)
    shown, output = b"", b""
    try:
        while "直接回车".encode() not in shown:
            shown += os.read(ours, 4096)
        os.write(ours, said)
        output, _ = started.communicate(timeout=60)
        while rest := os.read(ours, 4096):
            shown += rest
    except OSError:  # it ended
        output = output if started.returncode is not None else started.communicate(timeout=60)[0]
    finally:
        os.close(ours)
    return started.returncode, shown.decode("utf-8"), output.decode("utf-8")


def test_the_author_is_shown_what_goes_and_asked(made: Book, stages: list[dict[str, bytes]]) -> None:
    made.write(layout.chapter(4), "# 第 4 章 夜渡\n\n我改过的一句。\n")
    before = files(made)
    for no in (b"\n", "算了\n".encode(), b"\x04"):
        code, shown, output = at_terminal(made, no, "rollback", "2")
        assert (code, output) == (0, "没有改动。\n")
        assert shown.endswith("\n"), "what he is told stands on a line of its own"
        assert "第 3–5 章" in shown
        assert layout.chapter(4) in shown
        assert unlike(files(made), before) == []
    code, _, output = at_terminal(made, b"yes\n", "rollback", "2")
    assert code == 0
    assert "`novel restore 0001`" in output
    assert [p for p in unlike(files(made), stages[2]) if p != layout.CHECKPOINT] == []
    code, shown, output = at_terminal(made, "说什么\n好的。\n".encode(), "restore", "1")
    assert (code, unlike(files(made), before)) == (0, [])


def test_with_stdin_closed_nobody_is_asked(made: Book) -> None:
    env = {**os.environ, "NOVEL_OWNER": OWNER}
    closed = subprocess.run(
        ["sh", "-c", f"'{BIN}' rollback 2 <&-"], cwd=made.root, env=env, capture_output=True, timeout=60
    )
    assert closed.returncode == 3


def test_what_cannot_be_taken_back_is_told_before_it_is_asked(made: Book) -> None:
    shutil.rmtree(made.at(layout.OWN))
    found = made.novel("rollback", "2")
    assert found.exit == 3
    assert "退不回去" in found.text
    left = found.text.partition("退不回去")[2]
    told = made.novel("rollback", "2", "--yes")
    kept = [d.message for d in told.diagnostics if d.severity == "warning"]
    assert kept
    assert all(message in left for message in kept)


def test_nothing_to_go_back_to_in_an_unwritten_book(tmp_path: Path) -> None:
    made = book(tmp_path, 0)
    told = made.refused(3, "ROLLBACK_BEYOND", "rollback", "5", "--yes")
    assert "0 到 0" not in told.fix
