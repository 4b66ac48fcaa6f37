"""The session lock: break points of a run, and a lock for one command."""

from __future__ import annotations

import pytest

from novel_hooks.store.files.project import Project
from novel_hooks.store.host import moment, process
from novel_hooks.store.lock import lock
from novel_hooks.store.lock.lock import Owner
from unit.store.lock.holders import ME, NOW, UNSEEN, lock_info, write_lock_info
from unit.store.lock.holders import dead as dead
from unit.store.lock.holders import project as project


class TestRuns:
    """Break points live as long as the lock, and go on with it to who takes over the same chapter."""

    def _stops(self, project: Project) -> object:
        return lock_info(project).get("stop_after")

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
        assert "stop_after" not in lock_info(project)

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
        info = lock_info(project)
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
        write_lock_info(project, {**lock_info(project), "stop_after": written})
        assert lock.acquire(project, ME, 7, NOW + 1).left == ()
        assert "stop_after" not in lock_info(project)

    def test_of_a_list_only_words_count(self, project: Project, dead: Owner) -> None:
        lock.acquire(project, dead, 7, NOW)
        write_lock_info(project, {**lock_info(project), "stop_after": ["draft", 7, None]})
        assert lock.acquire(project, ME, 7, NOW + 1).left == ("draft",)


class TestBrief:
    """A lock for one command is that process's, whatever session it belongs to."""

    def test_it_names_this_process(self, project: Project) -> None:
        lock.acquire(project, UNSEEN, 7, NOW, brief=True)
        info = lock_info(project)
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
        assert (lock_info(project)["pid"], lock_info(project)["pid_started"]) == (None, None)

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
        assert (lock_info(project)["chapter"], held.left) == (chapter, left)
        assert lock.is_brief(lock.lock_state(project, ME, NOW))

    def test_a_lock_is_put_back_as_it_was(self, project: Project, dead: Owner) -> None:
        lock.acquire(project, dead, 7, NOW, ["draft"])
        raw = project.read(".novel.lock/info.json")
        assert raw is not None
        held = lock.acquire(project, ME, 7, NOW + 1, brief=True)
        lock.put_back(project, "0" * 16, raw)
        assert lock_info(project)["token"] == held.token
        lock.put_back(project, held.token, raw)
        assert project.read(".novel.lock/info.json") == raw
