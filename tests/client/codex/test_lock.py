"""The author leaves the real TUI in mid-turn, or kills it: never two writers, never locked out.

All terminals share the background server, in which turns go on without them.
"""

from __future__ import annotations

import json
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from builders import make_verdict

from client.codex.model import CodexModel
from client.codex.terminal import Background, Terminal, wait
from client.crew import Crew
from client.request import MAIN
from client.scenario import Refuse, bash, do, say
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import process
from novel_hooks.store.host.owner import Owner
from novel_hooks.store.lock import lockstate

if TYPE_CHECKING:
    from builders import Book

    from client.codex.harness import CodexHost
    from client.crew import Job
    from client.request import Request
    from client.scenario import Answer, Scenario

pytestmark = [pytest.mark.client, pytest.mark.timeout(900)]

WRITE = "$novel-continue 1"
HOLD, HOLD_AND_FAIL = "先占着这本书", "先占着这本书，然后断线"


class Pauses:
    """Judges, and turns that hold the book, in the order of their coming: each stays until it is let go."""

    def __init__(self, novel: Book) -> None:
        self.novel = novel
        self.reached: list[threading.Event] = []

    def scenario(self) -> Scenario:
        crew = Crew(self.novel.root, twist=self.judge, hasty=True).scenario()
        assert isinstance(crew, dict)
        desk: Any = crew[MAIN]
        return {**crew, MAIN: lambda request: self.hold(request) if HOLD in request.task else desk(request)}

    def judge(self, job: Job, _request: Request) -> Answer | None:
        """The first one thinks little of the chapter."""
        if job.phase != "judge":
            return None
        first = not self.reached
        self._stay()
        return say(json.dumps(make_verdict(3.2), ensure_ascii=False)) if first else None

    def hold(self, request: Request) -> Answer:
        if not request.outcomes:
            return do(bash("novel lock acquire --run 1 --json"))
        self._stay()
        return Refuse(400, "out of ink") if HOLD_AND_FAIL in request.task else say("完了")

    def _stay(self) -> None:
        self.reached.append(threading.Event())
        self.reached[-1].wait(300)

    def owner(self, count: int) -> str:
        """Who holds the book, now that so many have come; it is somebody else's for all others."""
        wait(lambda: len(self.reached) == count)
        assert kind(self.novel) == "other"
        self.novel.refused(4, "LOCK_BUSY", "lock", "acquire")
        return str(self.novel.ok("lock", "status")["info"]["owner"])

    def let_go(self, number: int) -> None:
        self.reached[number - 1].set()


def kind(novel: Book) -> str:
    """What another session is told of the lock."""
    return str(novel.ok("lock", "status")["kind"])


def await_kind(novel: Book, wanted: str) -> None:
    wait(lambda: kind(novel) == wanted, lambda: novel.ok("lock", "status"))


def later(novel: Book, seconds: float) -> str:
    """What another session of this computer will be told so much later."""
    other = Owner("another", None, None, process.host_name())
    return lockstate.lock_state(Project(str(novel.root)), other, time.time() + seconds).kind


def test_left_and_killed_in_mid_turn(host: CodexHost, novel: Book) -> None:
    novel.until("refined")
    novel.ok("lock", "release")
    host.connect(novel.root)
    pauses = Pauses(novel)
    model = CodexModel(novel.root, pauses.scenario(), host.prompts(), lambda: None)
    with model, Background(host, model.url) as server:
        stopped(host, novel, pauses)
        left_at_work(host, novel, pauses, server)
        killed(host, novel, pauses, server)
    assert model.faults == []


def stopped(host: CodexHost, novel: Book, pauses: Pauses) -> None:
    """Esc, or the choice to stop and exit, lets the book go at once; an agent at work does not know of it."""
    with Terminal(host, novel.root) as one:
        one.say(WRITE)
        first = pauses.owner(1)
        one.escape()
        await_kind(novel, "free")
        one.say("/new")
        one.say(WRITE)
        assert pauses.owner(2) != first
        one.stop()
        await_kind(novel, "free")


def left_at_work(host: CodexHost, novel: Book, pauses: Pauses, server: Background) -> None:
    """The turn goes on to its end, in the server that lives on; the next writer has to wait for it.

    What the stopped one's agent hands in meanwhile is not taken.
    """
    with Terminal(host, novel.root) as two, Terminal(host, novel.root) as three:
        two.say(WRITE)
        second = pauses.owner(3)
        info = novel.ok("lock", "status")["info"]
        assert (info["pid"], info["shared"]) == (server.pid(), True)
        assert novel.at(".novel.lock/sign").exists()
        two.quit()
        pauses.let_go(1)
        three.say(WRITE)
        three.await_shown("正在写")
        assert pauses.owner(3) == second
        pauses.let_go(3)
        await_kind(novel, "free")
    assert novel.names("chapters")[-1] == "chapter-002.md"
    assert novel.json("evaluations/chapter-002-eval.json")["metadata"]["judges"]["primary"]["overall"] == 4.5


def killed(host: CodexHost, novel: Book, pauses: Pauses, server: Background) -> None:
    """The turn of a killed terminal ends as any other does: with a hook, or with a fault and without one.

    Half an hour after such a fault says it; or the end of the server, at once.
    """
    with Terminal(host, novel.root) as four:
        four.say(HOLD)
        pauses.owner(4)
        four.kill()
        pauses.owner(4)
        pauses.let_go(4)
        await_kind(novel, "free")
    with Terminal(host, novel.root) as five:
        five.say(HOLD_AND_FAIL)
        pauses.owner(5)
        five.kill()
        pauses.owner(5)
        assert later(novel, 10 * lockstate.PATIENCE) == "other", "the turn runs, however silent"
        pauses.let_go(5)
        wait(lambda: later(novel, lockstate.PATIENCE + 1) == "stale")
    assert later(novel, lockstate.PATIENCE - 60) == "other"
    server.kill()
    await_kind(novel, "stale")
    novel.ok("lock", "acquire")
