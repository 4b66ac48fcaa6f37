"""The session lock: when it is stale, how it is taken over, and who wins a race."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from novel_hooks import errors
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import moment
from novel_hooks.store.journal import litter
from novel_hooks.store.lock import lock
from novel_hooks.store.lock.lock import Owner
from unit.store.lock.holders import ELSEWHERE, ME, NOW, UNSEEN, write_lock_info
from unit.store.lock.holders import dead as dead
from unit.store.lock.holders import living as living
from unit.store.lock.holders import project as project


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
        assert held.note is not None and "30 分钟" in held.note

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
        write_lock_info(project, info, age=1800)
        assert lock.lock_state(project, ME, NOW).kind == "other"
        with pytest.raises(errors.LockBusy):
            lock.acquire(project, ME, 7, NOW)
        write_lock_info(project, info, age=1801)
        assert lock.lock_state(project, ME, NOW).kind == "stale"
        assert lock.acquire(project, ME, 7, NOW).note

    def test_a_folder_without_info_counts_by_its_age(self, project: Project) -> None:
        os.mkdir(project.absolute(".novel.lock"))
        os.utime(project.absolute(".novel.lock"), (NOW, NOW))
        assert lock.lock_state(project, ME, NOW + 10).kind == "other"
        assert lock.acquire(project, ME, 7, NOW + 1900).note

    def test_a_lock_of_the_old_shell_counts_by_its_start(self, project: Project) -> None:
        write_lock_info(project, {"pid": 999_999, "started": moment.iso(NOW), "chapter": 7})
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

    def test_between_the_end_of_a_stale_lock_and_the_next_another_may_come(
        self, project: Project, living: Owner, dead: Owner, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lock.acquire(project, dead, 7, NOW)
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
