"""Who is writing, and does his process still run?"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from novel_hooks.store.host import process
from novel_hooks.store.host.owner import owner

if TYPE_CHECKING:
    from collections.abc import Iterator

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
ASK = "from novel_hooks.store.host.owner import owner; import os; print(*owner(os.environ), sep='\\n')"


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    running = subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE)
    yield running
    running.kill()
    running.wait()


class TestOwner:
    def test_a_given_name_counts_alone(self) -> None:
        for found in (
            owner({"CLAUDE_CODE_SESSION_ID": "s", "CLAUDE_PID": str(os.getpid())}, "mine"),
            owner({"CLAUDE_CODE_SESSION_ID": "s", "NOVEL_OWNER": "mine"}),
        ):
            assert found == ("mine", None, None, process.host_name())
        assert owner({"NOVEL_OWNER": "env"}, "given").id == "given"

    def test_claude_codes_session_and_process(self) -> None:
        found = owner({"CLAUDE_CODE_SESSION_ID": "s-1", "CLAUDE_PID": str(os.getpid())})
        assert found == ("s-1", os.getpid(), process.start_mark(os.getpid()), process.host_name())

    @pytest.mark.parametrize("pid", ["", "abc", "-1", "0", "999999999999999999999", "٣", "4194305"])
    def test_a_process_that_is_not_to_be_seen_is_not_named(self, pid: str) -> None:
        found = owner({"CLAUDE_CODE_SESSION_ID": "s-1", "CLAUDE_PID": pid})
        assert (found.id, found.pid, found.pid_started) == ("s-1", None, None)

    def test_else_the_process_that_called(self) -> None:
        found = owner({})
        assert found.pid == os.getppid()
        assert found.id == f"pid:{process.host_name()}:{os.getppid()}:{process.start_mark(os.getppid())}"
        assert owner({}) == found

    @LINUX
    @pytest.mark.parametrize("session", ["c-1", None])
    def test_codex_is_the_nearest_ancestor_of_that_name(
        self, tmp_path_factory: pytest.TempPathFactory, session: str | None
    ) -> None:
        codex = tmp_path_factory.mktemp("bin") / "codex"
        codex.symlink_to("/bin/sh")
        ask = codex.with_name("ask.py")
        ask.write_text(ASK)
        asked = f'echo $$; sh -c \'"{sys.executable}" "{ask}"; true\'; true'
        here = {"PATH": os.environ["PATH"], "PYTHONPATH": os.path.abspath(__file__).rpartition("/tests/")[0]}
        if session:
            here["CODEX_SESSION_ID"] = session
        done = subprocess.run([str(codex), "-c", asked], env=here, capture_output=True, text=True, check=True)
        pid, name, owner_pid, mark, _ = done.stdout.splitlines()
        assert owner_pid == pid
        assert mark.startswith("linux/")
        assert name == (session or f"pid:{process.host_name()}:{pid}:{mark}")


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
