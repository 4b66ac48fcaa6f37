"""Does a process still run, and is it the one that it was?"""

from __future__ import annotations

import os
import subprocess
import sys
import types
from typing import TYPE_CHECKING

import pytest

from novel_hooks.store.host import process

if TYPE_CHECKING:
    from collections.abc import Iterator

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    running = subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE)
    yield running
    running.kill()
    running.wait()


class TestProcess:
    def test_a_running_process_is_alive_and_keeps_its_mark(self, child: subprocess.Popen[bytes]) -> None:
        mark = process.start_mark(child.pid)
        assert mark is not None and mark == process.start_mark(child.pid)
        assert process.is_alive(child.pid, mark) is True
        assert process.is_alive(child.pid, None) is None

    def test_an_ended_process_is_dead(self, child: subprocess.Popen[bytes]) -> None:
        mark = process.start_mark(child.pid)
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert process.start_mark(child.pid) is None, "a zombie writes no more"
        assert sys.platform != "linux" or process.is_alive(child.pid, None) is False
        assert process.is_alive(child.pid, mark) is False
        child.wait()
        assert process.is_alive(child.pid, mark) is False
        assert process.is_alive(child.pid, None) is False

    @LINUX
    def test_another_start_boot_or_namespace(self) -> None:
        mark = process.start_mark(os.getpid())
        assert mark is not None
        system, boot, namespace, ticks = mark.split("/")
        assert process.is_alive(os.getpid(), f"{system}/{boot}/{namespace}/{int(ticks) - 1}") is False
        assert process.is_alive(os.getpid(), f"{system}/other-boot/{namespace}/{ticks}") is False
        assert process.is_alive(os.getpid(), f"{system}/{boot}/1/{ticks}") is None, (
            "a sandbox has its own pids"
        )
        assert process.is_alive(os.getpid(), "linux/damaged") is None

    def test_marks_of_another_kind_prove_nothing(self, child: subprocess.Popen[bytes]) -> None:
        assert process.is_alive(child.pid, "whatever") is None
        child.kill()
        child.wait()
        assert process.is_alive(child.pid, "whatever") is False

    @pytest.mark.parametrize("pid", [0, -1, 10**30])
    def test_numbers_that_are_no_pid(self, pid: int) -> None:
        assert process.start_mark(pid) is None
        assert process.is_alive(pid, "x") in (None, False)

    def test_the_portable_way_agrees(
        self, child: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What macOS uses, run here as well."""
        monkeypatch.setattr(process, "_LINUX", False)
        mark = process.start_mark(child.pid)
        assert mark is not None and mark.startswith("ps/")
        assert process.is_alive(child.pid, mark) is True
        assert process.is_alive(child.pid, "ps/Mon-Jan-1-00:00:00-2001") is False
        child.kill()
        child.wait()
        assert process.start_mark(child.pid) is None
        assert process.is_alive(child.pid, mark) is False

    def test_windows_knows_nothing_and_kills_nobody(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(process, "_LINUX", False)
        monkeypatch.setattr(process, "_WINDOWS", True)
        monkeypatch.setattr(os, "kill", lambda *_: pytest.fail("os.kill ends processes on Windows"))
        assert process.start_mark(os.getpid()) is None
        assert process.is_alive(os.getpid(), None) is None

    @LINUX
    def test_names_and_parents(self) -> None:
        assert process.parent_of(os.getpid()) == os.getppid()
        assert process.name_of(os.getpid())
        assert process.parent_of(2**22 + 1) is None and process.name_of(2**22 + 1) is None


STAT = "7 (a (b) c) {state} 3 " + " ".join(str(n) for n in range(5, 22)) + " 4711 23 24\n"
BOOT = "linux/boot-1/42"


@pytest.fixture
def proc(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A computer with one process, number 7, that started at tick 4711."""
    files = {
        "/proc/7/stat": STAT.format(state="S"),
        "/proc/7/comm": "claude\n",
        "/proc/sys/kernel/random/boot_id": "boot-1\n",
    }
    monkeypatch.setattr(process, "_LINUX", True)
    monkeypatch.setattr(process, "_read_text", files.get)
    monkeypatch.setattr(os, "stat", lambda place: _ns(place))
    monkeypatch.setattr(os, "kill", _kill)
    return files


def _ns(place: str) -> types.SimpleNamespace:
    assert place == "/proc/self/ns/pid"
    return types.SimpleNamespace(st_ino=42)


def _kill(pid: int, signal: int) -> None:
    assert signal == 0
    if pid == 8:
        raise PermissionError
    if pid != 7:
        raise ProcessLookupError


class TestLinux:
    def test_a_mark_is_boot_namespace_and_ticks(self, proc: dict[str, str]) -> None:
        assert process.start_mark(7) == f"{BOOT}/4711"
        assert process.start_mark(1) is None
        assert (process.parent_of(7), process.name_of(7)) == (3, "claude")
        assert (process.parent_of(1), process.name_of(1)) == (None, None)

    @pytest.mark.parametrize("state", ["Z", "X", "x"])
    def test_an_ended_process_has_no_mark(self, proc: dict[str, str], state: str) -> None:
        proc["/proc/7/stat"] = STAT.format(state=state)
        assert process.start_mark(7) is None
        assert process.is_alive(7, f"{BOOT}/4711") is False

    @pytest.mark.parametrize(
        ("pid", "mark", "alive"),
        [
            (7, f"{BOOT}/4711", True),
            (7, f"{BOOT}/4712", False),
            (7, "linux/boot-2/42/4711", False),
            (7, "linux/boot-1/43/4711", None),
            (7, "linux/boot-1/42", None),
            (7, "linux/boot-1/42/4711/x", None),
            (9, f"{BOOT}/4711", False),
            (8, f"{BOOT}/4711", None),
            (7, None, None),
            (9, None, False),
            (8, None, None),
            (7, "ps/Mon", None),
            (9, "ps/Mon", False),
            (0, f"{BOOT}/4711", None),
            (-7, f"{BOOT}/4711", None),
        ],
    )
    def test_alive_is_the_same_process_on_the_same_boot(
        self, proc: dict[str, str], pid: int, mark: str | None, alive: bool | None
    ) -> None:
        assert process.is_alive(pid, mark) is alive

    def test_without_a_boot_id_nothing_is_known(
        self, proc: dict[str, str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        del proc["/proc/sys/kernel/random/boot_id"]
        assert process.start_mark(7) is None
        assert process.is_alive(7, f"{BOOT}/4711") is None

    def test_without_a_namespace_nothing_is_known(
        self, proc: dict[str, str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(_place: str) -> None:
            raise PermissionError

        monkeypatch.setattr(os, "stat", refuse)
        assert process.start_mark(7) is None
        assert process.is_alive(7, f"{BOOT}/4711") is None

    @pytest.mark.parametrize("stat", ["", "7 (sh) S 3 4", "nothing"])
    def test_half_a_stat_is_none(self, proc: dict[str, str], stat: str) -> None:
        proc["/proc/7/stat"] = stat
        assert process.start_mark(7) is None and process.parent_of(7) is None
        assert process.is_alive(7, f"{BOOT}/4711") is None

    def test_a_number_too_large_for_a_pid_is_dead(
        self, proc: dict[str, str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(_pid: int, _signal: int) -> None:
            raise OverflowError

        monkeypatch.setattr(os, "kill", refuse)
        assert process.is_alive(10**30, None) is False


class TestElsewhere:
    """BSD and macOS ask `ps`."""

    @pytest.mark.parametrize(
        ("printed", "mark"),
        [
            (b"Ss   Mon Jan  1 08:00:00 2025\n", "ps/Mon-Jan-1-08:00:00-2025"),
            (b"Z    Mon Jan  1 08:00:00 2025\n", None),
            (b"Z+   Mon Jan  1 08:00:00 2025\n", None),
            (b"S Mon", "ps/Mon"),
            (b"Ss\n", None),
            (b"", None),
            (b"S \xff", "ps/\ufffd"),
        ],
    )
    def test_a_mark_is_the_printed_start(
        self, monkeypatch: pytest.MonkeyPatch, printed: bytes, mark: str | None
    ) -> None:
        def run(command: list[str], **options: object) -> types.SimpleNamespace:
            assert command == ["ps", "-o", "state=,lstart=", "-p", "7"]
            environ = options["env"]
            assert isinstance(environ, dict)
            assert (environ["LC_ALL"], environ["TZ"], environ["PATH"]) == ("C", "UTC", os.environ["PATH"])
            assert (options["timeout"], options["capture_output"], options["check"]) == (10, True, False)
            return types.SimpleNamespace(stdout=printed)

        monkeypatch.setattr(subprocess, "run", run)
        monkeypatch.setattr(process, "_LINUX", False)
        assert process.start_mark(7) == mark

    @pytest.mark.parametrize("wrong", [FileNotFoundError(), subprocess.TimeoutExpired("ps", 10)])
    def test_without_ps_nothing_is_known(self, monkeypatch: pytest.MonkeyPatch, wrong: Exception) -> None:
        def run(*_: object, **__: object) -> None:
            raise wrong

        monkeypatch.setattr(subprocess, "run", run)
        monkeypatch.setattr(process, "_LINUX", False)
        assert process.start_mark(7) is None
        assert process.is_alive(os.getpid(), "ps/Mon") is None

    def test_the_mark_of_now_decides(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(process, "_LINUX", False)
        monkeypatch.setattr(process, "_ps_start", lambda _pid: "ps/Mon")
        assert process.is_alive(os.getpid(), "ps/Mon") is True
        assert process.is_alive(os.getpid(), "ps/Tue") is False
        assert process.is_alive(os.getpid(), "other/Tue") is None


def test_the_computers_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert process.host_name() == os.uname().nodename
    monkeypatch.delattr(os, "uname")
    monkeypatch.setenv("COMPUTERNAME", "ein-rechner")
    assert process.host_name() == "ein-rechner"
    monkeypatch.delenv("COMPUTERNAME")
    assert process.host_name() == ""


@LINUX
def test_the_files_that_a_process_holds_open(tmp_path_factory: pytest.TempPathFactory) -> None:
    place = tmp_path_factory.mktemp("held") / "a"
    with place.open("w"):
        assert str(place) in process.open_files(os.getpid())
    assert str(place) not in process.open_files(os.getpid())
    assert process.open_files(0) == []
