"""A run of the writing skill by a real host: its author, its crew, what is left of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book

from client.crew import Crew
from client.harness import Host
from client.plugins import plugin_copy
from client.request import Request

if TYPE_CHECKING:
    from client.crew import Judge, Twist
    from client.result import Result
    from client.scenario import Scenario

ONE = ["draft", "summarize", "refine", "judge"]


ROUND = ["revise", "summarize", "refine", "judge"]


@pytest.fixture(scope="module")
def user(claude: Path, tmp_path_factory: pytest.TempPathFactory) -> Host:
    """He has installed the plugin from its repository; what runs is the client's own copy."""
    place = tmp_path_factory.mktemp("user")
    host = Host(claude, place / "host")
    host.install_from_git(plugin_copy(place / "小说 插件"))
    return host


class Run:
    """The sessions on one book."""

    def __init__(self, host: Host, book: Book) -> None:
        self.host = host
        self.book = book
        self.started: list[str] = []

    def say(self, prompt: str, scenario: Scenario, *options: str) -> Result:
        done = self.host.run(self.book.root, prompt, scenario, options, timeout=600)
        self.started += [phase_of(one) for one in done.begun]
        return done

    def go(self, words: str = "1", judge: Judge | None = None, twist: Twist | None = None) -> Result:
        return self.say(f"/novel:continue {words}", Crew(self.book.root, judge, twist).scenario())

    @property
    def worked(self) -> list[str]:
        """The phases of every agent that was started, in order."""
        return self.started

    @property
    def landed(self) -> list[str]:
        return self.book.names("chapters")

    def log(self, chapter: int) -> dict[str, Any]:
        found: dict[str, Any] = self.book.json(f"logs/chapter-{chapter:03d}-log.json")
        return found


def phase_of(request: Request) -> str:
    """Of an agent's packet, by the path it was given."""
    return request.task.split(".json", 1)[0].rsplit("-", 1)[-1]


@pytest.fixture
def run(user: Host, novel: Book) -> Run:
    """One chapter landed, the volume goes to 6."""
    return Run(user, novel)


def clean(done: Result) -> bool:
    """Nobody was asked for a permission, nothing was denied, no hook failed."""
    return done.denials == [] and {code for _, code in done.hooks} == {0} and done.code == 0


@pytest.fixture
def refined(run: Run) -> Run:
    """Chapter 2 waits for its judge."""
    run.book.until("refined")
    run.book.ok("lock", "release")
    return run


def landed(run: Run, chapter: int = 2) -> bool:
    return f"chapter-{chapter:03d}.md" in run.landed


def free(run: Run) -> bool:
    return bool(run.book.ok("lock", "status")["kind"] == "free")
