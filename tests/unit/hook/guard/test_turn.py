"""While another session holds the chapter, the guard keeps our agents from writing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from guarding import event, event_text, make_project

from novel_hooks.hook.client import event as events
from novel_hooks.hook.guard import decision, turn
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import moment, process
from novel_hooks.store.lock import lock
from novel_hooks.store.lock.lock import Owner

if TYPE_CHECKING:
    from collections.abc import Iterator

HOST = process.host_name()


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return make_project(tmp_path / "book")


@pytest.fixture
def living() -> Iterator[Owner]:
    child = subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE)
    yield Owner("session-two", child.pid, process.start_mark(child.pid), HOST)
    child.kill()
    child.wait()


def hold(book: Path, owner: Owner, ago: float = 0) -> None:
    lock.acquire(Project(str(book)), owner, 7, time.time() - ago)


def info(book: Path, **changes: Any) -> None:
    place = book / ".novel.lock" / "info.json"
    place.write_text(json.dumps({**json.loads(place.read_bytes()), **changes}), encoding="utf-8")


def test_nobody_holds_it(book: Path) -> None:
    assert turn.other_holder(str(book), "session-one", {}) is None


def test_the_session_itself(book: Path) -> None:
    hold(book, Owner("session-one", None, None, HOST))
    assert turn.other_holder(str(book), "session-one", {}) is None


def this_process(name: str) -> Owner:
    """A session whose client lives, and is no ancestor's name."""
    return Owner(name, os.getpid(), process.start_mark(os.getpid()), HOST)


@pytest.mark.parametrize(
    ("session", "environ"),
    [
        ("session-one", {}),
        ("session-new", {"NOVEL_OWNER": "session-one"}),
        (None, {"NOVEL_OWNER": "session-one"}),
        ("session-one", {"NOVEL_OWNER": ""}),
    ],
)
def test_the_sessions_own_lock_costs_no_closer_look(
    book: Path, session: str | None, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def closer(*_: object) -> str:
        raise AssertionError("it was looked at closely")

    hold(book, this_process("session-one"))
    monkeypatch.setattr(turn, "_other_holder", closer)
    assert turn.other_holder(str(book), session, environ) is None
    for other, more in (("session-two", {}), ("session-one", {"NOVEL_OWNER": "author"}), (None, {})):
        with pytest.raises(AssertionError):
            turn.other_holder(str(book), other, more)


def test_a_living_client_and_its_new_session(book: Path) -> None:
    hold(book, this_process("session-two"))
    held_by = turn.other_holder(str(book), "session-one", {})
    assert held_by is not None and "本机的另一个会话" in held_by
    assert turn.other_holder(str(book), None, {"NOVEL_OWNER": "author"}) is not None
    client = {"CLAUDE_PID": str(os.getpid())}
    assert turn.other_holder(str(book), "session-new", client) is None
    assert turn.other_holder(str(book), "session-new", {**client, "NOVEL_OWNER": "author"}) is not None
    assert turn.other_holder(str(book), "session-new", client, "codex") is not None, (
        "Claude's client, not its own"
    )


def test_a_call_without_a_session_is_of_no_session(book: Path) -> None:
    """Not of one that happens to be called None."""
    hold(book, Owner("None", None, None, "another-computer"))
    assert turn.other_holder(str(book), None, {}) is not None


def test_another_that_lives(book: Path, living: Owner) -> None:
    hold(book, living)
    said = turn.other_holder(str(book), "session-one", {})
    assert said is not None
    assert "本机的另一个会话" in said and "进程" not in said
    # However long ago it last gave a sign.
    info(book, renewed=moment.iso(time.time() - 86400), started=moment.iso(time.time() - 86400))
    assert turn.other_holder(str(book), "session-one", {}) is not None


def test_another_that_is_dead(book: Path, living: Owner) -> None:
    hold(book, living)
    info(book, pid=2**22 - 3)
    assert turn.other_holder(str(book), "session-one", {}) is None


def test_another_of_which_nothing_is_known(book: Path) -> None:
    hold(book, Owner("session-far", None, None, "another-computer"))
    assert turn.other_holder(str(book), "session-one", {}) is not None
    info(book, renewed=moment.iso(time.time() - 1900), started=moment.iso(time.time() - 1900))
    assert turn.other_holder(str(book), "session-one", {}) is None


def test_the_same_client_under_a_new_session_id(book: Path, living: Owner) -> None:
    """`/clear` changes the id, not the process."""
    hold(book, living)
    assert turn.other_holder(str(book), "session-new", {"CLAUDE_PID": str(living.pid)}) is None


def test_a_holder_that_was_named(book: Path) -> None:
    hold(book, Owner("the-author", None, None, HOST))
    assert turn.other_holder(str(book), "session-one", {"NOVEL_OWNER": "the-author"}) is None
    assert turn.other_holder(str(book), "session-one", {}) is not None


def test_a_call_of_no_known_session(book: Path, living: Owner) -> None:
    hold(book, living)
    info(book, owner=None)
    assert turn.other_holder(str(book), None, {}) is not None


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b'{"owner":5}', b"[" * 9999])
def test_an_info_file_that_says_nothing(book: Path, data: bytes) -> None:
    (book / ".novel.lock").mkdir()
    place = book / ".novel.lock" / "info.json"
    place.write_bytes(data)
    assert turn.other_holder(str(book), "session-one", {}) is not None
    place.unlink()
    assert turn.other_holder(str(book), "session-one", {}) is not None
    old = time.time() - 1900
    os.utime(book / ".novel.lock", (old, old))
    assert turn.other_holder(str(book), "session-one", {}) is None


def test_a_lock_that_is_no_folder(book: Path, tmp_path: Path) -> None:
    (book / ".novel.lock").symlink_to(tmp_path / "nothing")
    assert turn.other_holder(str(book), "session-one", {}) is not None


def test_the_decision_names_the_host(book: Path) -> None:
    """A client that is Claude's own holds the book against an agent of Codex."""
    hold(book, this_process("session-two"))
    given = event(
        book,
        agent_type="chapter-writer",
        tool_name="apply_patch",
        tool_input={"command": "*** Add File: staging/a.md"},
    )
    parsed = events.parse(event_text(given).encode("utf-8"), "codex")
    assert parsed is not None
    (write,) = events.each_write(parsed)
    verdict = decision.decide(write, {"CLAUDE_PID": str(os.getpid())})
    assert verdict is not None
    assert verdict.rule == "lock"


def test_a_sign_follows_no_link(book: Path, tmp_path: Path) -> None:
    hold(book, Owner("session-one", None, None, HOST))
    elsewhere = tmp_path / "elsewhere"
    (book / ".novel.lock" / "sign").symlink_to(elsewhere)
    turn.sign(str(book), "session-one")
    assert not elsewhere.exists()


def test_the_decision_says_who_and_what_to_do(book: Path, living: Owner) -> None:
    hold(book, living)
    parsed = events.parse(event_text(event(book)).encode("utf-8"))
    assert parsed is not None
    verdict = decision.decide(parsed, {})
    assert verdict is not None
    assert (verdict.decision, verdict.rule) == ("deny", "lock")
    assert "novel lock status" in verdict.reason
    formal = events.parse(event_text(event(book, tool_input={"file_path": f"{book}/x"})).encode("utf-8"))
    assert formal is not None
    refused = decision.decide(formal, {})
    assert refused is not None
    assert refused.rule == "outside-staging", "what is never allowed is told as that"
