"""The session lock: who holds it, when it is stale, how it is taken over and given back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from novel_hooks import errors
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import moment, process
from novel_hooks.store.journal import litter
from novel_hooks.store.lock import lock
from novel_hooks.store.lock.lock import Owner

if TYPE_CHECKING:
    from collections.abc import Iterator

NOW = 1_760_000_000.0
HOST = process.host_name()
ME = Owner("session-me", os.getpid(), process.start_mark(os.getpid()), HOST)
UNSEEN = Owner("session-unseen", None, None, HOST)
ELSEWHERE = Owner("session-elsewhere", 7, "linux/x/y/1", "another-computer")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "book").mkdir()
    return Project(str(tmp_path / "book"))


@pytest.fixture
def dead() -> Owner:
    child = subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE)
    owner = Owner("session-dead", child.pid, process.start_mark(child.pid), HOST)
    child.kill()
    child.wait()
    return owner


@pytest.fixture
def living() -> Iterator[Owner]:
    child = subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE)
    yield Owner("session-living", child.pid, process.start_mark(child.pid), HOST)
    child.kill()
    child.wait()


def _info(project: Project) -> dict[str, object]:
    found = project.json(".novel.lock/info.json")
    assert isinstance(found, dict)
    return found


def _write_info(project: Project, data: bytes | dict[str, object], age: float = 0) -> None:
    folder = Path(project.absolute(".novel.lock"))
    folder.mkdir(exist_ok=True)
    (folder / "info.json").write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    os.utime(folder, (NOW - age, NOW - age))


class TestTaking:
    def test_a_free_lock_is_taken_whole(self, project: Project) -> None:
        assert lock.lock_state(project, ME, NOW).kind == "free"
        held = lock.acquire(project, ME, 7, NOW)
        assert held.note is None
        assert _info(project) == {
            "pid": ME.pid,
            "pid_started": ME.pid_started,
            "host": HOST,
            "owner": "session-me",
            "token": held.token,
            "chapter": 7,
            "started": moment.iso(NOW),
            "renewed": moment.iso(NOW),
        }
        assert project.names(".novel") == []
        lock.verify(project, held.token)

    def test_ones_own_is_renewed_with_the_same_token(self, project: Project) -> None:
        held = lock.acquire(project, ME, 7, NOW)
        assert lock.acquire(project, ME, 8, NOW + 60) == held
        assert lock.acquire(project, ME, 8, NOW + 90) == held
        info = _info(project)
        assert (info["chapter"], info["started"], info["renewed"]) == (
            8,
            moment.iso(NOW),
            moment.iso(NOW + 90),
        )

    def test_the_same_process_in_a_new_session_is_the_same_owner(self, project: Project) -> None:
        held = lock.acquire(project, ME, 7, NOW)
        cleared = ME._replace(id="after-clear")
        assert lock.lock_state(project, cleared, NOW + 1).kind == "own"
        assert lock.acquire(project, cleared, 7, NOW + 1).token == held.token
        assert _info(project)["owner"] == "after-clear"

    def test_the_same_session_in_a_new_process_is_the_same_owner(self, project: Project, dead: Owner) -> None:
        held = lock.acquire(project, dead, 7, NOW)
        resumed = ME._replace(id=dead.id)
        assert lock.acquire(project, resumed, 7, NOW + 5).token == held.token
        assert _info(project)["pid"] == ME.pid

    def test_a_pid_without_its_start_is_no_proof_of_being_the_same(self, project: Project) -> None:
        lock.acquire(project, Owner("a", 5, None, HOST), 7, NOW)
        assert lock.lock_state(project, Owner("b", 5, None, HOST), NOW).kind != "own"

    def test_another_live_owner_is_named_and_nothing_changes(self, project: Project, living: Owner) -> None:
        lock.acquire(project, living, 7, NOW)
        before = project.read(".novel.lock/info.json")
        for later in (0, 7200, 10**7):  # a live owner is never stale
            with pytest.raises(errors.LockBusy) as caught:
                lock.acquire(project, ME, 8, NOW + later)
        told = str(caught.value)
        assert caught.value.exit == errors.BUSY
        assert (
            "本机的另一个会话正在写第 7 章" in told
            and "进程" not in told
            and moment.local_text(NOW, NOW) in told
        )
        assert project.read(".novel.lock/info.json") == before
        assert project.names(".novel") == []


class TestStale:
    def test_a_dead_owner_is_followed_at_once_with_a_note(self, project: Project, dead: Owner) -> None:
        first = lock.acquire(project, dead, 7, NOW)
        assert lock.lock_state(project, ME, NOW + 1).kind == "stale"
        held = lock.acquire(project, ME, 7, NOW + 1)
        assert held.token != first.token
        assert held.note is not None and "已经结束" in held.note
        litter.sweep(project)
        assert project.names(".novel") == []
        with pytest.raises(errors.LockLost):
            lock.verify(project, first.token)
        assert not lock.release(project, first.token)
        lock.verify(project, held.token)

    def test_a_pid_used_again_does_not_keep_a_lock_alive(self, project: Project, living: Owner) -> None:
        assert living.pid_started is not None
        before = living.pid_started.rpartition("/")[0] + "/1"
        lock.acquire(project, living._replace(pid_started=before), 7, NOW)
        assert lock.lock_state(project, ME, NOW + 1).kind == "stale"

    @pytest.mark.parametrize("other", [UNSEEN, ELSEWHERE, Owner("x", None, None, "another-computer")])
    def test_what_cannot_be_known_has_half_an_hour(self, project: Project, other: Owner) -> None:
        lock.acquire(project, other, 7, NOW)
        lock.acquire(project, other, 7, NOW + 600)
        assert lock.lock_state(project, ME, NOW + 600 + 1800).kind == "other"
        assert lock.lock_state(project, ME, NOW + 600 + 1801).kind == "stale"
        held = lock.acquire(project, ME, 7, NOW + 600 + 1801)
        assert held.note is not None and "半小时" in held.note

    @pytest.mark.parametrize(
        "info",
        [
            b"",
            b'{"pid": 1, "star',
            b"[]",
            b"\xff",
            {},
            {"pid": 1, "started": "yesterday"},
            {"pid": 1, "started": "2025-01-01T00:00:00"},
            {"pid": 1, "started": moment.iso(NOW + 3600), "chapter": 3},
            {"pid": 1, "started": moment.iso(NOW - 9), "renewed": moment.iso(NOW + 3600)},
        ],
    )
    def test_an_info_not_to_be_trusted_leaves_the_folders_age(
        self, project: Project, info: bytes | dict[str, object]
    ) -> None:
        _write_info(project, info, age=1800)
        assert lock.lock_state(project, ME, NOW).kind == "other"
        with pytest.raises(errors.LockBusy):
            lock.acquire(project, ME, 7, NOW)
        _write_info(project, info, age=1801)
        assert lock.lock_state(project, ME, NOW).kind == "stale"
        assert lock.acquire(project, ME, 7, NOW).note

    def test_a_folder_without_info_counts_by_its_age(self, project: Project) -> None:
        os.mkdir(project.absolute(".novel.lock"))
        os.utime(project.absolute(".novel.lock"), (NOW, NOW))
        assert lock.lock_state(project, ME, NOW + 10).kind == "other"
        assert lock.acquire(project, ME, 7, NOW + 1900).note

    def test_a_lock_of_the_old_shell_counts_by_its_start(self, project: Project) -> None:
        _write_info(project, {"pid": 999_999, "started": moment.iso(NOW), "chapter": 7})
        assert lock.lock_state(project, ME, NOW + 1800).kind == "other"
        assert lock.lock_state(project, ME, NOW + 1801).kind == "stale"

    @pytest.mark.parametrize("kind", ["file", "link", "loop"])
    def test_what_is_no_folder_is_told(self, project: Project, tmp_path: Path, kind: str) -> None:
        place = Path(project.absolute(".novel.lock"))
        if kind == "file":
            place.write_bytes(b"")
        else:
            place.symlink_to(tmp_path if kind == "link" else place)
        for work in (
            lambda: lock.lock_state(project, ME, NOW),
            lambda: lock.acquire(project, ME, 7, NOW),
            lambda: lock.clear(project, ME, NOW, force=True),
        ):
            with pytest.raises(errors.LockPathOdd):
                work()
        assert os.path.lexists(place)


class TestGivingBack:
    def test_only_ones_own_is_released(self, project: Project) -> None:
        held = lock.acquire(project, ME, 7, NOW)
        assert not lock.release(project, "0" * 16)
        assert lock.release(project, held.token)
        assert not lock.release(project, held.token)
        assert lock.lock_state(project, ME, NOW).kind == "free"
        assert project.names(".novel") == []
        with pytest.raises(errors.LockLost):
            lock.verify(project, held.token)

    def test_clear_takes_ones_own_and_stale_ones(self, project: Project, dead: Owner) -> None:
        assert lock.clear(project, ME, NOW, force=False) is None
        for owner in (ME, dead):
            lock.acquire(project, owner, 7, NOW)
            assert lock.clear(project, ME, NOW, force=False)
            assert lock.lock_state(project, ME, NOW).kind == "free"

    def test_clear_takes_anothers_by_force_only(self, project: Project, living: Owner) -> None:
        lock.acquire(project, living, 7, NOW)
        with pytest.raises(errors.LockBusy):
            lock.clear(project, ME, NOW, force=False)
        assert lock.clear(project, ME, NOW, force=True)
        assert project.kind(".novel.lock") == "absent"
        assert project.names(".novel") == []


class TestRaces:
    """Two takers without the OS lock, as on a disk that has none: the renames decide."""

    def test_of_two_takers_of_a_free_lock_one_wins(
        self, project: Project, living: Owner, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real, taken = lock.atomic.create, []

        def create(*args: object) -> None:
            monkeypatch.setattr(lock.atomic, "create", real)
            taken.append(lock.acquire(project, living, 9, NOW))
            real(*args)  # type: ignore[arg-type]

        monkeypatch.setattr(lock.atomic, "create", create)
        with pytest.raises(errors.LockBusy, match="第 9 章"):
            lock.acquire(project, ME, 7, NOW)
        lock.verify(project, taken[0].token)
        litter.sweep(project)
        assert project.names(".novel") == []

    def test_of_two_takers_of_a_stale_lock_one_wins(
        self, project: Project, living: Owner, dead: Owner, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lock.acquire(project, dead, 7, NOW)
        real, taken = lock.atomic.rename, []

        def rename(*args: object) -> None:
            monkeypatch.setattr(lock.atomic, "rename", real)
            taken.append(lock.acquire(project, living, 9, NOW))
            real(*args)  # type: ignore[arg-type]

        monkeypatch.setattr(lock.atomic, "rename", rename)
        with pytest.raises(errors.LockBusy, match="第 9 章"):
            lock.acquire(project, ME, 7, NOW)
        lock.verify(project, taken[0].token)
        litter.sweep(project)
        assert project.names(".novel") == []

    def test_a_lock_that_changed_hands_since_it_was_judged_is_put_back(
        self, project: Project, living: Owner, dead: Owner, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lock.acquire(project, dead, 7, NOW)
        real, taken = lock.atomic.rename, []

        def rename(*args: object) -> None:
            monkeypatch.setattr(lock.atomic, "rename", real)
            lock.clear(project, living, NOW, force=False)
            taken.append(lock.acquire(project, living, 9, NOW))
            real(*args)  # type: ignore[arg-type]

        monkeypatch.setattr(lock.atomic, "rename", rename)
        with pytest.raises(errors.LockBusy, match="第 9 章"):
            lock.acquire(project, ME, 7, NOW)
        lock.verify(project, taken[0].token)
        assert project.names(".novel") == []

    def test_a_lock_taken_over_during_a_release_is_given_back(
        self, project: Project, living: Owner, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        held = lock.acquire(project, ME, 7, NOW)
        real, taken = lock.atomic.rename, []

        def rename(*args: object) -> None:
            monkeypatch.setattr(lock.atomic, "rename", real)
            lock.clear(project, living, NOW, force=True)
            taken.append(lock.acquire(project, living, 9, NOW))
            real(*args)  # type: ignore[arg-type]

        monkeypatch.setattr(lock.atomic, "rename", rename)
        assert not lock.release(project, held.token)
        lock.verify(project, taken[0].token)

    def test_leftovers_of_killed_takers_are_swept(self, project: Project) -> None:
        for name in ("lock.new-", "lock.old-"):
            os.makedirs(project.absolute(f".novel/{name}{'a' * 16}"))
        litter.sweep(project)
        assert project.names(".novel") == []
