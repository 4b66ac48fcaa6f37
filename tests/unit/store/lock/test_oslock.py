"""One writing command at a time, whoever owns the session lock; and however the first one ends."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from crash import landings

from novel_hooks import errors
from novel_hooks.store.files.project import Project
from novel_hooks.store.journal import journal
from novel_hooks.store.lock import oslock
from novel_hooks.store.lock.oslock import running

if TYPE_CHECKING:
    from collections.abc import Iterator

CHECKOUT = os.path.abspath(__file__).rpartition(os.sep + "tests" + os.sep)[0]
HOLD = """
import sys
from novel_hooks.store.lock.oslock import running
from novel_hooks.store.files.project import Project
with running(Project(sys.argv[1])):
    print("held", flush=True)
    input()
"""
LAND_OFTEN = """
import sys
from novel_hooks import errors
from novel_hooks.store.journal import journal
from novel_hooks.store.lock.oslock import running
from novel_hooks.store.files.project import Project
project, who = Project(sys.argv[1]), sys.argv[2]
landed = 0
while landed < 25:
    try:
        with running(project):
            journal.recover(project)
            line = f'{{"who":"{who}","n":{landed}}}\\n'.encode()
            changes = [journal.append("log.jsonl", line), journal.put("last.json", line)]
            journal.land(project, changes, label=who, guard=lambda: None)
            landed += 1
    except errors.CommandBusy:
        pass
"""


def _python(code: str, *arguments: str) -> subprocess.Popen[str]:
    here = {"PYTHONPATH": CHECKOUT, "PATH": os.environ["PATH"]}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=here, text=True)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "book").mkdir()
    return Project(str(tmp_path / "book"))


@pytest.fixture
def other(project: Project) -> Iterator[subprocess.Popen[str]]:
    started = _python(HOLD, project.root)
    assert started.stdout is not None and started.stdout.readline() == "held\n"
    yield started
    started.kill()
    started.communicate()


def test_a_second_command_is_refused_at_once(project: Project, other: subprocess.Popen[str]) -> None:
    with pytest.raises(errors.CommandBusy) as caught, running(project):
        pytest.fail("two commands at once")
    assert caught.value.exit == errors.BUSY
    other.communicate("\n")
    with running(project):
        pass


def test_a_killed_command_holds_nothing(project: Project, other: subprocess.Popen[str]) -> None:
    other.kill()
    other.wait()
    with running(project):
        assert project.has(".novel/os.lock")


def test_one_process_cannot_hold_it_twice_and_the_file_stays(project: Project) -> None:
    with running(project):
        inode = os.stat(project.absolute(".novel/os.lock")).st_ino
        with pytest.raises(errors.CommandBusy), running(project):
            pytest.fail("twice in one process")
    with running(project):
        assert os.stat(project.absolute(".novel/os.lock")).st_ino == inode


def test_it_is_let_go_when_the_command_fails(project: Project) -> None:
    with pytest.raises(KeyboardInterrupt), running(project):
        raise KeyboardInterrupt
    with running(project):
        pass


def test_a_child_of_the_command_does_not_inherit_it(project: Project) -> None:
    with running(project):
        child = _python("print('up', flush=True); input()")
        assert child.stdout is not None and child.stdout.readline() == "up\n"
    with running(project):
        child.communicate("\n")


def test_a_folder_cleared_away_in_between_gives_a_new_lock(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.open

    def opening(path: str, *rest: int) -> int:
        handle = real(path, *rest)
        if path.endswith("os.lock"):
            monkeypatch.setattr(os, "open", real)
            os.unlink(path)
        return handle

    monkeypatch.setattr(os, "open", opening)
    with running(project), pytest.raises(errors.CommandBusy), running(project):
        pytest.fail("a lock on a file that is gone locks nobody out")


@pytest.mark.parametrize("what", ["link", "folder", "linked folder"])
def test_no_lock_through_a_link_or_on_a_folder(project: Project, tmp_path: Path, what: str) -> None:
    place = Path(project.absolute(".novel/os.lock"))
    if what == "linked folder":
        (tmp_path / "elsewhere").mkdir()
        place.parent.symlink_to(tmp_path / "elsewhere")
    else:
        place.parent.mkdir()
        place.mkdir() if what == "folder" else place.symlink_to(tmp_path / "made-by-link")
    with pytest.raises((errors.NotARegularFile, errors.NotAFolder)), running(project):
        pytest.fail("locked through a link")
    assert not (tmp_path / "made-by-link").exists()
    assert not (tmp_path / "elsewhere/os.lock").exists()


def test_a_disk_without_locks_is_refused(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(errors.LockUnsupported), running(project):
        pytest.fail("unprotected")


def test_two_commands_landing_again_and_again_lose_nothing(project: Project) -> None:
    both = [_python(LAND_OFTEN, project.root, who) for who in ("a", "b")]
    for started in both:
        started.communicate(timeout=100)
    assert [started.returncode for started in both] == [0, 0]
    text = project.text("log.jsonl")
    assert text is not None
    lines = text.splitlines()
    assert sorted(lines) == sorted(f'{{"who":"{who}","n":{n}}}' for who in ("a", "b") for n in range(25))
    assert project.text("last.json") == lines[-1] + "\n"


def test_a_landing_command_killed_by_force_is_finished_by_the_other(tmp_path: Path) -> None:
    """The same with real processes: one lands without end and is killed, the other goes on."""
    project = landings.build_project(tmp_path / "book")
    for round_number in range(5):
        killed = _python(LAND_OFTEN.replace("< 25", "< 10**9"), project.root, f"k{round_number}")
        while not project.has("last.json"):
            pass
        killed.kill()
        killed.communicate()
        with running(project):
            journal.recover(project)
        text = project.text("log.jsonl")
        assert text is not None and text.splitlines()[-1] + "\n" == project.text("last.json")
        os.unlink(project.absolute("last.json"))
    shutil.rmtree(project.root)


@pytest.mark.parametrize("number", [errno.EACCES, errno.EAGAIN, errno.EDEADLK])
def test_a_taken_lock_is_another_command(
    project: Project, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    asked: list[int] = []

    def refuse(_handle: int, how: int) -> None:
        asked.append(how)
        raise OSError(number, "refused")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(errors.CommandBusy) as caught, running(project):
        pytest.fail("two commands at once")
    assert caught.value.path is None
    assert asked == [fcntl.LOCK_EX | fcntl.LOCK_NB]
    assert project.names(".novel") == ["os.lock"], "the other command's folder stays"


def test_a_disk_without_locks_gets_no_folder(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    handles: list[int] = []

    def refuse(handle: int, _how: int) -> None:
        handles.append(handle)
        raise OSError(errno.ENOLCK, "Operation not supported")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(errors.LockUnsupported) as caught, running(project):
        pytest.fail("unprotected")
    assert (caught.value.path, caught.value.values["reason"]) == (None, "系统报错 ENOLCK")
    assert project.kind(".novel") == "absent"
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(handles[0])
    os.mkdir(project.absolute(".novel"))
    with pytest.raises(errors.LockUnsupported), running(project):
        pytest.fail("unprotected")
    assert project.kind(".novel") == "folder", "one that was there stays"


def test_a_file_that_cannot_be_opened_is_told(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.open

    def refuse(path: str, flags: int, *rest: int) -> int:
        if path.endswith("os.lock"):
            assert flags & os.O_NOFOLLOW and flags & os.O_CREAT
            raise OSError(errno.ENOSPC, "refused")
        return real(path, flags, *rest)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(errors.WriteFailed, match="磁盘空间不够") as caught, running(project):
        pytest.fail("unprotected")
    assert caught.value.path == ".novel/os.lock"
    assert project.kind(".novel") == "absent"


def test_the_file_is_one_that_others_may_lock_too(project: Project) -> None:
    before = os.umask(0)
    try:
        with running(project):
            pass
    finally:
        os.umask(before)
    assert os.stat(project.absolute(".novel/os.lock")).st_mode & 0o777 == 0o666


def test_the_handle_is_closed_at_the_end(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    handles: list[int] = []
    real = fcntl.flock

    def flock(handle: int, how: int) -> None:
        handles.append(handle)
        real(handle, how)

    monkeypatch.setattr(fcntl, "flock", flock)
    with running(project):
        os.fstat(handles[0])
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(handles[0])


class TestDiscard:
    def test_file_and_folder_go(self, project: Project) -> None:
        with running(project):
            oslock.discard(project)
            assert project.kind(".novel") == "absent"
        with running(project):
            assert project.names(".novel") == ["os.lock"]

    def test_a_folder_with_something_in_it_stays(self, project: Project) -> None:
        with running(project):
            Path(project.absolute(".novel/x")).write_bytes(b"")
            oslock.discard(project)
        assert project.names(".novel") == ["x"]

    def test_without_a_file_the_folder_goes(self, project: Project) -> None:
        os.mkdir(project.absolute(".novel"))
        oslock.discard(project)
        assert project.kind(".novel") == "absent"

    def test_a_system_that_deletes_no_open_file_keeps_it(
        self, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(_place: str) -> None:
            raise PermissionError

        with running(project):
            monkeypatch.setattr(os, "unlink", refuse)
            oslock.discard(project)
        assert project.names(".novel") == ["os.lock"]
