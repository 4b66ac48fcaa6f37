"""The lock of a session that lives in the background server: never two writers, never locked out."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from client.codex.model import CodexModel
from client.codex.server import Server
from client.crew import Crew, Job
from novel_hooks.store.lock import lockstate

if TYPE_CHECKING:
    from builders import Book

    from client.codex.harness import CodexHost
    from client.request import Request
    from client.scenario import Answer

pytestmark = [pytest.mark.client, pytest.mark.timeout(900)]


class Pause:
    """A judge who is at it until he is let go."""

    def __init__(self) -> None:
        self.reached, self.go = threading.Event(), threading.Event()

    def twist(self, job: Job, _request: Request) -> Answer | None:
        if job.phase == "judge":
            self.reached.set()
            self.go.wait(300)
        return None


@pytest.fixture
def refined(host: CodexHost, novel: Book) -> Book:
    novel.until("refined")
    novel.ok("lock", "release")
    host.connect(novel.root)
    return novel


def kind(novel: Book) -> str:
    """What another session is told of the lock."""
    return str(novel.ok("lock", "status")["kind"])


def test_a_session_of_the_shared_server(host: CodexHost, refined: Book) -> None:
    """Busy while its turn runs, even for another session of the same server; free at the turn's end."""
    pause = Pause()
    crew = Crew(refined.root, twist=pause.twist, hasty=True)
    model = CodexModel(refined.root, crew.scenario(), host.prompts(), lambda: None)
    with model, Server(host, refined.root, model.url) as server:
        first, _ = server.begin("$novel-continue 1")
        assert pause.reached.wait(120)
        info = refined.ok("lock", "status")["info"]
        assert (info["owner"], info["pid"], info["shared"]) == (first, server.process.pid, True)
        assert kind(refined) == "other" and refined.at(".novel.lock/sign").exists()
        second, _ = server.begin("$novel-continue 1")
        server.await_end(second)
        assert kind(refined) == "other" and refined.ok("lock", "status")["info"]["owner"] == first
        pause.go.set()
        server.await_end(first)
        deadline = time.monotonic() + 60  # hooks at a turn's end run on behind its last word
        while kind(refined) != "free" and time.monotonic() < deadline:
            time.sleep(0.2)
        assert kind(refined) == "free" and server.process.poll() is None
        assert refined.names("chapters")[-1] == "chapter-002.md"
    assert not model.faults


def test_interrupted_and_killed_in_mid_turn(host: CodexHost, refined: Book) -> None:
    """Esc lets the book go at once, and a server that dies is known dead."""
    pause = Pause()
    crew = Crew(refined.root, twist=pause.twist, hasty=True)
    model = CodexModel(refined.root, crew.scenario(), host.prompts(), lambda: None)
    with model, Server(host, refined.root, model.url) as server:
        thread, turn = server.begin("$novel-continue 1")
        assert pause.reached.wait(120)
        server.ask("turn/interrupt", threadId=thread, turnId=turn)
        deadline = time.monotonic() + 60
        while kind(refined) != "free" and time.monotonic() < deadline:
            time.sleep(0.2)
        assert kind(refined) == "free"
        pause.reached.clear()
        server.begin("$novel-continue 1")
        assert pause.reached.wait(120) and kind(refined) == "other"
        server.kill()
        assert kind(refined) == "stale"
        pause.go.set()
    assert lockstate.PATIENCE == 1800
    refined.ok("lock", "acquire")
