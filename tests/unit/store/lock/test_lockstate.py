"""The state of the session lock: free, own, another's or stale, and since when."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from novel_hooks import errors, layout
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import moment, process
from novel_hooks.store.host.owner import Owner
from novel_hooks.store.lock import lock, lockstate
from novel_hooks.store.lock.lockstate import FREE, OTHER, OWN, STALE, LockState

NOW = 1_760_000_000.0
ME = Owner("me", 5, "mark-5", "here")
INFO: dict[str, Any] = {
    "pid": 7,
    "pid_started": "mark-7",
    "host": "here",
    "owner": "you",
    "token": "t",
    "chapter": 3,
    "started": moment.iso(NOW - 100),
    "renewed": moment.iso(NOW - 50),
}
OLD = {"started": moment.iso(NOW - 1900), "renewed": moment.iso(NOW - 1801)}
AHEAD = {"started": moment.iso(NOW + 60), "renewed": moment.iso(NOW + 90)}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "book").mkdir()
    return Project(str(tmp_path / "book"))


@pytest.fixture
def alive(monkeypatch: pytest.MonkeyPatch) -> dict[tuple[int, object], bool]:
    """Which processes are known to run or not, by pid and mark; of all others nothing is known."""
    known: dict[tuple[int, object], bool] = {}
    monkeypatch.setattr(process, "is_alive", lambda pid, mark: known.get((pid, mark)))
    return known


def _write(project: Project, info: object, born: float = NOW - 200) -> None:
    folder = Path(project.absolute(".novel.lock"))
    folder.mkdir()
    if info is not None:
        data = info if isinstance(info, bytes) else json.dumps(info).encode()
        (folder / "info.json").write_bytes(data)
    os.utime(folder, (born, born))


class TestKind:
    def test_without_a_folder_it_is_free(self, project: Project) -> None:
        assert lockstate.lock_state(project, ME, NOW) == LockState(FREE, None, "没有会话在写")

    @pytest.mark.parametrize(
        ("change", "running", "kind", "reason"),
        [
            ({}, True, OTHER, "由本机的另一个会话持有"),
            ({}, False, STALE, "本机的另一个会话已经结束"),
            ({}, None, OTHER, "由本机的另一个会话持有"),
            (OLD, True, OTHER, "由本机的另一个会话持有"),
            (OLD, None, STALE, "本机的另一个会话已有 30 分钟没有动静"),
            ({**OLD, "renewed": moment.iso(NOW - 1800)}, None, OTHER, "由本机的另一个会话持有"),
            ({**OLD, "renewed": None}, None, STALE, "本机的另一个会话已有 30 分钟没有动静"),
            ({"started": moment.iso(NOW - 1800), "renewed": None}, None, OTHER, "由本机的另一个会话持有"),
            ({"renewed": moment.iso(NOW - 5000)}, None, OTHER, "由本机的另一个会话持有"),
            ({"host": "there"}, False, OTHER, "由电脑「there」上的会话持有"),
            ({**OLD, "host": "there"}, True, STALE, "电脑「there」上的会话已有 30 分钟没有动静"),
            ({"host": ""}, False, OTHER, "由另一个会话持有"),
            ({"host": None}, False, OTHER, "由另一个会话持有"),
            ({"pid": None}, False, OTHER, "由另一个会话持有"),
            ({"pid": True}, False, OTHER, "由本机的另一个会话持有"),
            ({"pid": "7"}, False, OTHER, "由另一个会话持有"),
            ({"owner": "me"}, False, OWN, "由本会话持有"),
            ({"owner": "me", "host": "there", **OLD}, None, OWN, "由本会话持有"),
            ({"pid": 5, "pid_started": "mark-5"}, True, OWN, "由本会话持有"),
            ({"pid": 5, "pid_started": "mark-6"}, True, OTHER, "由本机的另一个会话持有"),
            (
                {"pid": 5, "pid_started": "mark-5", "host": "there"},
                None,
                OTHER,
                "由电脑「there」上的会话持有",
            ),
            ({"pid": 6, "pid_started": "mark-5"}, True, OTHER, "由本机的另一个会话持有"),
        ],
    )
    def test_it_follows_from_owner_process_and_age(
        self,
        project: Project,
        alive: dict[tuple[int, object], bool],
        change: dict[str, object],
        running: bool | None,
        kind: str,
        reason: str,
    ) -> None:
        info = {**INFO, **change}
        if running is not None:
            alive[(info["pid"], info["pid_started"])] = running
        _write(project, info)
        state = lockstate.lock_state(project, ME, NOW)
        assert (state.kind, state.reason) == (kind, reason)
        assert state.info == info and state.raw == json.dumps(info).encode()
        assert state.undated is False

    def test_a_pid_without_a_mark_is_asked_for_alone(
        self, project: Project, alive: dict[tuple[int, object], bool]
    ) -> None:
        alive[(7, None)] = False
        _write(project, {**INFO, "pid_started": 8})
        assert lockstate.lock_state(project, ME, NOW).kind == STALE

    @pytest.mark.parametrize("me", [ME._replace(pid=None), ME._replace(pid_started=None)])
    def test_without_a_process_only_the_session_is_ones_own(self, project: Project, me: Owner) -> None:
        _write(project, {**INFO, "pid": me.pid, "pid_started": me.pid_started})
        assert lockstate.lock_state(project, me, NOW).kind == OTHER
        assert lockstate.is_own({"owner": "me"}, me) and not lockstate.is_own({}, me)

    @pytest.mark.parametrize("info", [None, b"", b"[]", b"{", b"\xff", b"{}"])
    def test_an_info_that_cannot_be_read_leaves_the_folders_age(self, project: Project, info: object) -> None:
        _write(project, info, born=NOW - 1800)
        state = lockstate.lock_state(project, ME._replace(id=""), NOW)
        assert (state.kind, state.info, state.raw, state.since) == (OTHER, {}, info, NOW - 1800)
        os.utime(project.absolute(".novel.lock"), (NOW - 1801, NOW - 1801))
        assert lockstate.lock_state(project, ME, NOW).kind == STALE

    def test_a_folder_in_the_infos_place_is_no_info(self, project: Project) -> None:
        _write(project, None)
        Path(project.absolute(".novel.lock/info.json")).mkdir()
        state = lockstate.lock_state(project, ME, NOW)
        assert (state.kind, state.raw) == (OTHER, None)

    @pytest.mark.parametrize(("what", "words"), [("file", "普通文件"), ("link", "链接")])
    def test_what_is_no_folder_is_told(self, project: Project, what: str, words: str) -> None:
        place = Path(project.absolute(".novel.lock"))
        place.write_bytes(b"") if what == "file" else place.symlink_to("elsewhere")
        with pytest.raises(errors.LockPathOdd) as caught:
            lockstate.lock_state(project, ME, NOW)
        assert (caught.value.path, caught.value.values["kind"]) == (".novel.lock", words)

    def test_one_that_goes_while_it_is_looked_at_is_free(
        self, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _write(project, INFO)
        monkeypatch.setattr(lockstate, "_folder_time", lambda _project: None)
        assert lockstate.lock_state(project, ME, NOW).kind == FREE


class TestSince:
    @pytest.mark.parametrize(
        ("change", "born", "since"),
        [
            ({}, NOW - 200, NOW - 100),
            ({"started": None}, NOW - 200, NOW - 200),
            ({"started": "yesterday"}, NOW - 200, NOW - 200),
            ({"started": moment.iso(NOW + 60)}, NOW - 200, NOW - 200),
            ({"started": moment.iso(NOW + 60)}, NOW, NOW),
            ({"started": moment.iso(NOW + 60)}, NOW + 30, NOW + 60),
            ({"started": moment.iso(NOW)}, NOW - 200, NOW),
        ],
    )
    def test_a_start_that_cannot_be_true_is_that_of_the_folder(
        self, project: Project, change: dict[str, object], born: float, since: float
    ) -> None:
        _write(project, {**INFO, **change}, born)
        assert lockstate.lock_state(project, ME, NOW).since == since

    @pytest.mark.parametrize(
        ("change", "born", "running", "undated"),
        [
            (AHEAD, NOW + 30, None, True),
            (AHEAD, NOW + 30, True, False),
            (AHEAD, NOW, None, False),
            ({"renewed": moment.iso(NOW + 90)}, NOW + 30, None, True),
            ({}, NOW + 30, None, False),
            ({**AHEAD, "owner": "me"}, NOW + 30, None, False),
        ],
    )
    def test_dates_that_all_lie_ahead_prove_nothing(
        self,
        project: Project,
        alive: dict[tuple[int, object], bool],
        change: dict[str, object],
        born: float,
        running: bool | None,
        undated: bool,
    ) -> None:
        if running is not None:
            alive[(7, "mark-7")] = running
        _write(project, {**INFO, **change}, born)
        state = lockstate.lock_state(project, ME, NOW)
        assert state.undated is undated and state.kind in (OTHER, OWN)

    def test_a_folder_that_lies_ahead_is_not_stale(self, project: Project) -> None:
        _write(project, {**INFO, **AHEAD}, NOW + 9000)
        assert lockstate.lock_state(project, ME, NOW).kind == OTHER

    def test_it_is_said_in_local_time(self) -> None:
        state = LockState(OTHER, {}, "", None, NOW - 100)
        assert lockstate.since_text(state, NOW) == moment.local_text(NOW - 100, NOW)
        ahead = lockstate.since_text(state._replace(undated=True), NOW)
        assert ahead == f"{moment.local_text(NOW - 100, NOW)}（这个时间还没到，像是时钟拨错过）"
        assert lockstate.since_text(state._replace(since=None), NOW) == moment.local_text(0.0, NOW)


def test_an_agent_that_was_seen_at_work_keeps_a_lock_that_names_no_process(tmp_path: Path) -> None:
    project, now = make_held(tmp_path), 1_700_000_000.0
    later = now + lockstate.PATIENCE + 60
    other = Owner("session-two", None, None, "here")
    assert lockstate.lock_state(project, other, later).kind == "stale"
    sign = Path(project.absolute(layout.LOCK_SIGN))
    sign.touch()
    for at, kind in ((later - 60, "other"), (later + 60, "stale"), (now, "stale")):
        os.utime(sign, (at, at))
        assert lockstate.lock_state(project, other, later).kind == kind


def make_held(tmp_path: Path) -> Project:
    (tmp_path / ".checkpoint.json").write_text("{}")
    project = Project(str(tmp_path))
    lock.acquire(project, Owner("session-one", None, None, "here"), 7, 1_700_000_000.0)
    return project


def make_shared(tmp_path: Path) -> tuple[Project, Owner]:
    """A lock whose session lives in this process, beside others."""
    (tmp_path / ".checkpoint.json").write_text("{}")
    project = Project(str(tmp_path))
    server = Owner("session-one", os.getpid(), process.start_mark(os.getpid()), process.host_name(), True)
    lock.acquire(project, server, 7, 1_700_000_000.0)
    return project, server


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_turn_that_runs_keeps_the_lock_however_long_it_is_silent(tmp_path: Path) -> None:
    project, server = make_shared(tmp_path)
    other, later = server._replace(id="session-two"), 1_700_000_000.0 + 10 * lockstate.PATIENCE
    told = {name: f'{{"payload":{{"type":"{name}"}}}}\n' for name in ("task_started", "task_complete")}
    record = tmp_path / "rollout-2026-session-one.jsonl"
    for turns, kind in ((["task_complete", "task_started"], "other"), (list(told), "stale"), ([], "stale")):
        record.write_text("".join(told[name] for name in turns))
        with record.open("rb"):
            assert lockstate.lock_state(project, other, later).kind == kind
        assert lockstate.lock_state(project, other, later).kind == "stale", "nobody holds the record open"


def test_a_process_that_sessions_share_proves_an_end_and_no_life(tmp_path: Path) -> None:
    project, server = make_shared(tmp_path)
    here, now = process.host_name(), 1_700_000_000.0
    for other in (server._replace(id="session-two"), Owner("session-two", None, None, here)):
        assert lockstate.lock_state(project, other, now).kind == "other"
        assert lockstate.lock_state(project, other, now + lockstate.PATIENCE + 1).kind == "stale"
    assert lockstate.lock_state(project, server, now).kind == "own"
    gone = server._replace(pid_started="linux/boot/0/1")
    lock.clear(project, server, now, True)
    lock.acquire(project, gone, 7, now)
    assert lockstate.lock_state(project, server._replace(id="session-two"), now).kind == "stale"


def test_a_lock_stays_dead_by_what_it_says_and_not_by_the_age_of_its_folder(
    project: Project, alive: dict[tuple[int, object], bool]
) -> None:
    _write(project, b"{", NOW - 1900)
    unread = lock.lock_state(project, ME, NOW)
    assert unread.kind == STALE and not lockstate.stays_dead(unread, ME, NOW)
    Path(project.absolute(layout.LOCK_INFO)).write_text(json.dumps({**INFO, **OLD}))
    silent = lock.lock_state(project, ME, NOW)
    assert silent.kind == STALE and lockstate.stays_dead(silent, ME, NOW)
    alive[(7, "mark-7")] = False
    dead = lock.lock_state(project, ME, NOW)
    assert dead.kind == STALE and lockstate.stays_dead(dead, ME, NOW)
    alive[(7, "mark-7")] = True
    assert not lockstate.stays_dead(lock.lock_state(project, ME, NOW), ME, NOW)
    assert not lockstate.stays_dead(LockState(FREE, None, ""), ME, NOW)


def test_the_words_for_the_patience_are_those_of_the_number() -> None:
    assert lockstate.PATIENCE == 30 * 60, "docs/user/trouble.md, agent-contract.md and ADR 0019: half an hour"
    assert lockstate.PATIENCE_TEXT == "30 分钟"
