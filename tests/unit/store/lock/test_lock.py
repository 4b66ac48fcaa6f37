"""The session lock: who holds it, when it is stale, how it is taken over and given back."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from novel_hooks import errors
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import moment, process
from novel_hooks.store.journal import litter
from novel_hooks.store.lock import lock
from novel_hooks.store.lock.lock import Owner

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
    """A process whose pid is used again: by this one, which started at another time."""
    assert ME.pid_started is not None
    return Owner("session-dead", ME.pid, ME.pid_started[:-1] + "?", HOST)


@pytest.fixture
def living() -> Owner:
    return Owner("session-living", os.getppid(), process.start_mark(os.getppid()), HOST)


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


class TestRuns:
    """Break points live as long as the lock, and go on with it to who takes over the same chapter."""

    def _stops(self, project: Project) -> object:
        return _info(project).get("stop_after")

    def test_they_are_written_and_kept_by_a_renewal(self, project: Project) -> None:
        held = lock.acquire(project, ME, 7, NOW, ["draft", "judge"])
        assert held.left == () and self._stops(project) == ["draft", "judge"]
        lock.acquire(project, ME, 7, NOW + 1)
        assert self._stops(project) == ["draft", "judge"]
        lock.acquire(project, ME, 7, NOW + 2, [])
        assert self._stops(project) == []
        lock.acquire(project, ME, 7, NOW + 3, ["commit"])
        assert self._stops(project) == ["commit"]

    def test_without_them_the_lock_has_none(self, project: Project) -> None:
        lock.acquire(project, ME, 7, NOW)
        lock.acquire(project, ME, 7, NOW + 1)
        assert "stop_after" not in _info(project)

    @pytest.mark.parametrize(
        ("chapter", "said", "left", "stops"),
        [
            (7, None, ("draft", "judge"), ["draft", "judge"]),
            (7, ["commit"], ("draft", "judge"), ["commit"]),
            (7, [], ("draft", "judge"), []),
            (8, None, (), None),
            (8, ["commit"], (), ["commit"]),
            (None, None, (), None),
        ],
    )
    def test_a_dead_sessions_run_goes_on_in_its_own_chapter(
        self,
        project: Project,
        dead: Owner,
        chapter: int | None,
        said: list[str] | None,
        left: tuple[str, ...],
        stops: list[str] | None,
    ) -> None:
        lock.acquire(project, dead, 7, NOW, ["draft", "judge"])
        held = lock.acquire(project, ME, chapter, NOW + 1, said)
        assert (held.left, self._stops(project)) == (left, stops)
        info = _info(project)
        assert (info["chapter"], info["started"], info["renewed"]) == (
            chapter,
            moment.iso(NOW + 1),
            moment.iso(NOW + 1),
        )
        assert info["token"] == held.token and len(held.token) == 16
        assert held.note == "本机的另一个会话已经结束，写作锁已转到本会话。"

    @pytest.mark.parametrize("written", ["draft", 7, None, {"draft": 1}])
    def test_what_is_no_list_is_no_run(self, project: Project, dead: Owner, written: object) -> None:
        lock.acquire(project, dead, 7, NOW)
        _write_info(project, {**_info(project), "stop_after": written})
        assert lock.acquire(project, ME, 7, NOW + 1).left == ()
        assert "stop_after" not in _info(project)

    def test_of_a_list_only_words_count(self, project: Project, dead: Owner) -> None:
        lock.acquire(project, dead, 7, NOW)
        _write_info(project, {**_info(project), "stop_after": ["draft", 7, None]})
        assert lock.acquire(project, ME, 7, NOW + 1).left == ("draft",)


class TestBrief:
    """A lock for one command is that process's, whatever session it belongs to."""

    def test_it_names_this_process(self, project: Project) -> None:
        lock.acquire(project, UNSEEN, 7, NOW, brief=True)
        info = _info(project)
        assert (info["pid"], info["pid_started"], info["owner"], info["command_only"]) == (
            ME.pid,
            ME.pid_started,
            "session-unseen",
            True,
        )
        assert lock.is_brief(lock.lock_state(project, ME, NOW))

    def test_a_process_that_cannot_be_seen_is_not_named(
        self, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(process, "start_mark", lambda _pid: None)
        lock.acquire(project, ME, 7, NOW, brief=True)
        assert (_info(project)["pid"], _info(project)["pid_started"]) == (None, None)

    def test_a_sessions_lock_is_none(self, project: Project) -> None:
        assert not lock.is_brief(lock.lock_state(project, ME, NOW))
        lock.acquire(project, ME, 7, NOW)
        assert not lock.is_brief(lock.lock_state(project, ME, NOW))

    def test_renewed_for_a_session_it_is_none_any_more(self, project: Project) -> None:
        lock.acquire(project, ME, 7, NOW, brief=True)
        lock.acquire(project, ME, 7, NOW, brief=True)
        assert lock.is_brief(lock.lock_state(project, ME, NOW))
        lock.acquire(project, ME, 7, NOW)
        assert not lock.is_brief(lock.lock_state(project, ME, NOW))

    @pytest.mark.parametrize(
        ("stops", "asked", "chapter", "left"),
        [(["draft"], 9, 7, ("draft",)), (["draft"], None, 7, ("draft",)), (None, 9, 9, ()), ([], 9, 9, ())],
    )
    def test_it_keeps_the_chapter_of_a_dead_run(
        self,
        project: Project,
        dead: Owner,
        stops: list[str] | None,
        asked: int | None,
        chapter: int,
        left: tuple[str, ...],
    ) -> None:
        lock.acquire(project, dead, 7, NOW, stops)
        held = lock.acquire(project, ME, asked, NOW + 1, brief=True)
        assert (_info(project)["chapter"], held.left) == (chapter, left)
        assert lock.is_brief(lock.lock_state(project, ME, NOW))

    def test_a_lock_is_put_back_as_it_was(self, project: Project, dead: Owner) -> None:
        lock.acquire(project, dead, 7, NOW, ["draft"])
        raw = project.read(".novel.lock/info.json")
        assert raw is not None
        held = lock.acquire(project, ME, 7, NOW + 1, brief=True)
        lock.put_back(project, "0" * 16, raw)
        assert _info(project)["token"] == held.token
        lock.put_back(project, held.token, raw)
        assert project.read(".novel.lock/info.json") == raw


class TestRenewing:
    def test_without_a_chapter_it_keeps_the_one_it_has(self, project: Project) -> None:
        lock.acquire(project, ME, 7, NOW)
        lock.acquire(project, ME, None, NOW + 1)
        assert _info(project)["chapter"] == 7
        lock.acquire(project, ME, 8, NOW + 1)
        assert _info(project)["chapter"] == 8

    @pytest.mark.parametrize("token", [None, "", 7])
    def test_a_lock_without_a_token_gets_one(self, project: Project, token: object) -> None:
        lock.acquire(project, ME, 7, NOW)
        _write_info(project, {**_info(project), "token": token, "chapter": "7"})
        held = lock.acquire(project, ME, None, NOW)
        assert len(held.token) == 16 and _info(project)["token"] == held.token
        assert _info(project)["chapter"] is None

    def test_its_start_is_never_in_the_future(self, project: Project) -> None:
        lock.acquire(project, ME, 7, NOW + 3600)
        os.utime(project.absolute(".novel.lock"), (NOW + 60, NOW + 60))
        lock.acquire(project, ME, 7, NOW)
        assert _info(project)["started"] == moment.iso(NOW)


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
        _write_info(project, b"")
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
                _write_info(project, data)
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
        _write_info(project, raw)
        lock.acquire(project, ME, 7, NOW)
        _write_info(project, raw.replace(b'"chapter": 7', b'"chapter": 8'))
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
        before = _info(project)
        assert not lock.end_turn(project, UNSEEN, NOW)
        assert _info(project) == before

    def test_with_break_points_it_stays_for_anybody(self, project: Project) -> None:
        held = lock.acquire(project, ME, 7, NOW, ("draft",))
        before = _info(project)
        assert lock.end_turn(project, ME, NOW)
        assert _info(project) == {**before, "pid": None, "pid_started": None, "ended": True}
        assert lock.lock_state(project, ME, NOW).kind == "own"
        assert lock.acquire(project, UNSEEN, 7, NOW).token != held.token
