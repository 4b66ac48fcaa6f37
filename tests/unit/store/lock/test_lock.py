"""The session lock: who holds it, when it is stale, how it is taken over and given back."""

from __future__ import annotations

import os

import pytest

from novel_hooks import errors
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import moment
from novel_hooks.store.journal import litter
from novel_hooks.store.lock import lock
from novel_hooks.store.lock.lock import Owner
from unit.store.lock.holders import ELSEWHERE, HOST, ME, NOW, UNSEEN, lock_info, write_lock_info
from unit.store.lock.holders import dead as dead
from unit.store.lock.holders import living as living
from unit.store.lock.holders import project as project


class TestTaking:
    def test_a_free_lock_is_taken_whole(self, project: Project) -> None:
        assert lock.lock_state(project, ME, NOW).kind == "free"
        held = lock.acquire(project, ME, 7, NOW)
        assert held.note is None
        assert lock_info(project) == {
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
        info = lock_info(project)
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
        assert lock_info(project)["owner"] == "after-clear"

    def test_the_same_session_in_a_new_process_is_the_same_owner(self, project: Project, dead: Owner) -> None:
        held = lock.acquire(project, dead, 7, NOW)
        resumed = ME._replace(id=dead.id)
        assert lock.acquire(project, resumed, 7, NOW + 5).token == held.token
        assert lock_info(project)["pid"] == ME.pid

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


class TestRenewing:
    def test_without_a_chapter_it_keeps_the_one_it_has(self, project: Project) -> None:
        lock.acquire(project, ME, 7, NOW)
        lock.acquire(project, ME, None, NOW + 1)
        assert lock_info(project)["chapter"] == 7
        lock.acquire(project, ME, 8, NOW + 1)
        assert lock_info(project)["chapter"] == 8

    @pytest.mark.parametrize("token", [None, "", 7])
    def test_a_lock_without_a_token_gets_one(self, project: Project, token: object) -> None:
        lock.acquire(project, ME, 7, NOW)
        write_lock_info(project, {**lock_info(project), "token": token, "chapter": "7"})
        held = lock.acquire(project, ME, None, NOW)
        assert len(held.token) == 16 and lock_info(project)["token"] == held.token
        assert lock_info(project)["chapter"] is None

    def test_its_start_is_never_in_the_future(self, project: Project) -> None:
        lock.acquire(project, ME, 7, NOW + 3600)
        os.utime(project.absolute(".novel.lock"), (NOW + 60, NOW + 60))
        lock.acquire(project, ME, 7, NOW)
        assert lock_info(project)["started"] == moment.iso(NOW)


class TestWords:
    @pytest.mark.parametrize(("chapter", "words"), [(7, "第 7 章"), (None, "这本书")])
    def test_a_refusal_names_holder_chapter_and_start(
        self, project: Project, chapter: int | None, words: str
    ) -> None:
        lock.acquire(project, ELSEWHERE, chapter, NOW)
        with pytest.raises(errors.LockBusy) as caught:
            lock.acquire(project, ME, 8, NOW + 60)
        assert caught.value.path == ".novel.lock"
        values = caught.value.values
        assert (values["who"], values["chapter"], values["since"]) == (
            "电脑「another-computer」上的会话",
            words,
            moment.local_text(NOW, NOW),
        )

    def test_a_lock_without_info_is_refused_all_the_same(self, project: Project) -> None:
        write_lock_info(project, b"")
        with pytest.raises(errors.LockBusy, match="另一个会话正在写这本书"):
            lock.acquire(project, ME, 7, NOW)

    def test_clearing_says_whose_it_was(self, project: Project, living: Owner, dead: Owner) -> None:
        for owner, words in (
            (ME, "写作锁已清除（原来由本会话持有）。"),
            (dead, "写作锁已清除（原来本机的另一个会话已经结束）。"),
            (living, "写作锁已清除（原来由本机的另一个会话持有）。"),
        ):
            lock.acquire(project, owner, 7, NOW)
            assert lock.clear(project, ME, NOW, force=owner is living) == words

    def test_a_lost_lock_is_named_by_its_place(self, project: Project) -> None:
        for data in (None, b"", b"[]", b"{}", b'{"token": 7}'):
            if data is not None:
                write_lock_info(project, data)
            with pytest.raises(errors.LockLost) as caught:
                lock.verify(project, "0" * 16)
            assert caught.value.path == ".novel.lock"


class TestDisk:
    """What the system refuses leaves the lock as it was, and nothing half made."""

    @pytest.mark.parametrize("call", ["make_folders", "create", "rename"])
    def test_a_lock_that_cannot_be_made_is_not_there(
        self, project: Project, monkeypatch: pytest.MonkeyPatch, call: str
    ) -> None:
        def refuse(_project: Project, rel: str, *_: object) -> None:
            raise errors.WriteFailed(rel, reason="磁盘空间不够")

        monkeypatch.setattr(lock.atomic, call, refuse)
        with pytest.raises(errors.WriteFailed, match="磁盘空间不够"):
            lock.acquire(project, ME, 7, NOW)
        monkeypatch.undo()
        assert project.kind(".novel.lock") == "absent" and project.names(".novel") == []

    def test_a_stale_lock_that_cannot_be_moved_stays(
        self, project: Project, dead: Owner, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first = lock.acquire(project, dead, 7, NOW)

        def refuse(_project: Project, _old: str, new: str) -> None:
            raise errors.WriteFailed(new, reason="没有权限")

        monkeypatch.setattr(lock.atomic, "rename", refuse)
        for work in (lambda: lock.acquire(project, ME, 7, NOW), lambda: lock.clear(project, ME, NOW, False)):
            with pytest.raises(errors.WriteFailed, match="没有权限"):
                work()
        lock.verify(project, first.token)

    def test_a_lock_is_moved_to_a_place_named_after_it(
        self, project: Project, dead: Owner, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Two that judged the same lock move it to the same place, so only one of them can."""
        places: list[str] = []
        real = lock.atomic.rename

        def rename(project: Project, old: str, new: str) -> None:
            if old == ".novel.lock":
                places.append(new)
            real(project, old, new)

        monkeypatch.setattr(lock.atomic, "rename", rename)
        lock.acquire(project, dead, 7, NOW)
        raw = project.read(".novel.lock/info.json")
        assert raw is not None
        lock.acquire(project, ME, 7, NOW)
        assert project.names(".novel") == [places[0].rpartition("/")[2]]
        lock.clear(project, ME, NOW, force=False)
        litter.sweep(project)
        write_lock_info(project, raw)
        lock.acquire(project, ME, 7, NOW)
        write_lock_info(project, raw.replace(b'"chapter": 7', b'"chapter": 8'))
        litter.sweep(project)
        lock.acquire(project, ME, 7, NOW)
        assert all(litter.is_litter(place.rpartition("/")[2]) for place in places)
        assert places[0] == places[2] and len(set(places)) == 3


class TestEndOfATurn:
    def test_the_sessions_lock_is_released(self, project: Project) -> None:
        lock.acquire(project, ME, 7, NOW)
        assert lock.end_turn(project, ME, NOW)
        assert lock.lock_state(project, ME, NOW).kind == "free"
        assert not lock.end_turn(project, ME, NOW), "there is none"

    def test_another_sessions_lock_stays(self, project: Project) -> None:
        lock.acquire(project, ME, 7, NOW)
        before = lock_info(project)
        assert not lock.end_turn(project, UNSEEN, NOW)
        assert lock_info(project) == before

    def test_with_break_points_it_stays_for_anybody(self, project: Project) -> None:
        held = lock.acquire(project, ME, 7, NOW, ("draft",))
        before = lock_info(project)
        assert lock.end_turn(project, ME, NOW)
        assert lock_info(project) == {**before, "pid": None, "pid_started": None, "ended": True}
        assert lock.lock_state(project, ME, NOW).kind == "own"
        assert lock.acquire(project, UNSEEN, 7, NOW).token != held.token
