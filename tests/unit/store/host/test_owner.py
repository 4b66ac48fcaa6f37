"""The owner of a lock: which session it is, and which process lasts as long."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from novel_hooks.store.host import process
from novel_hooks.store.host.owner import owner

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
ASK = "from novel_hooks.store.host.owner import owner; import os; print(*owner(os.environ), sep='\\n')"


class TestOwner:
    def test_a_given_name_counts_alone(self) -> None:
        for found in (
            owner({"CLAUDE_CODE_SESSION_ID": "s", "CLAUDE_PID": str(os.getpid())}, "mine"),
            owner({"CLAUDE_CODE_SESSION_ID": "s", "NOVEL_OWNER": "mine"}),
        ):
            assert found[:4] == ("mine", None, None, process.host_name())
        assert owner({"NOVEL_OWNER": "env"}, "given").id == "given"

    def test_claude_codes_session_and_process(self) -> None:
        found = owner({"CLAUDE_CODE_SESSION_ID": "s-1", "CLAUDE_PID": str(os.getpid())})
        assert found[:4] == ("s-1", os.getpid(), process.start_mark(os.getpid()), process.host_name())

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
        pid, name, owner_pid, mark, *_ = done.stdout.splitlines()
        assert owner_pid == pid
        assert mark.startswith("linux/")
        assert name == (session or f"pid:{process.host_name()}:{pid}:{mark}")

    @pytest.mark.parametrize(
        ("text", "pid"), [("1", 1), ("0000000001", 1), ("00000000001", None), ("1.0", None)]
    )
    def test_a_pid_is_a_number_of_ten_digits_at_most(
        self, monkeypatch: pytest.MonkeyPatch, text: str, pid: int | None
    ) -> None:
        monkeypatch.setattr(process, "start_mark", lambda _pid: "mark")
        monkeypatch.setattr(process, "parent_of", lambda _pid: None)
        assert owner({"CLAUDE_CODE_SESSION_ID": "s", "CLAUDE_PID": text}).pid == pid

    def test_a_named_owner_may_name_its_process(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(process, "start_mark", lambda pid: f"mark-{pid}")
        environ = {"NOVEL_OWNER": "mine", "NOVEL_OWNER_PID": "7"}
        host = process.host_name()
        assert owner(environ)[:4] == ("mine", 7, "mark-7", host)
        assert owner(environ, "given")[:4] == ("given", None, None, host)


class TestAncestors:
    """Processes by number: 50 runs the test, and each is the parent of the one before."""

    @pytest.fixture
    def names(self, monkeypatch: pytest.MonkeyPatch) -> dict[int, str]:
        names = dict.fromkeys(range(50, 200), "sh")
        monkeypatch.setattr(os, "getpid", lambda: 50)
        monkeypatch.setattr(os, "getppid", lambda: 51)
        monkeypatch.setattr(process, "parent_of", lambda pid: pid + 1 if pid + 1 in names else None)
        monkeypatch.setattr(process, "name_of", names.get)
        monkeypatch.setattr(process, "start_mark", lambda pid: f"mark-{pid}")
        return names

    def test_the_nearest_of_that_name(self, names: dict[int, str]) -> None:
        names.update({50: "claude", 53: "claude", 54: "claude", 55: "codex"})
        assert owner({"CLAUDE_CODE_SESSION_ID": "s"}).pid == 53
        assert owner({"CODEX_SESSION_ID": "c"})[:3] == ("c", 55, "mark-55")

    def test_codex_without_a_session_is_named_by_its_process(self, names: dict[int, str]) -> None:
        names[52] = "codex"
        assert owner({})[:4] == (f"pid:{process.host_name()}:52:mark-52", 52, "mark-52", process.host_name())

    def test_without_one_the_caller(self, names: dict[int, str]) -> None:
        assert owner({})[1:3] == (51, "mark-51")
        for number in range(60, 200):
            del names[number]
        assert owner({})[1:3] == (51, "mark-51")
        assert owner({"CODEX_SESSION_ID": "c"})[:3] == ("c", None, None)

    @pytest.mark.parametrize(("depth", "pid"), [(64, 114), (65, None)])
    def test_64_processes_are_asked(self, names: dict[int, str], depth: int, pid: int | None) -> None:
        names[50 + depth] = "codex"
        assert owner({"CODEX_SESSION_ID": "c"}).pid == pid

    def test_claude_is_no_codex(self, names: dict[int, str]) -> None:
        for number in range(60, 200):
            del names[number]
        names[52] = "claude"
        assert owner({"CODEX_SESSION_ID": "c"}).pid is None
        assert owner({"CLAUDE_CODE_SESSION_ID": "s", "CODEX_SESSION_ID": "c"})[:2] == ("s", 52)
