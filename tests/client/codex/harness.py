"""Runs the real Codex on a scripted model, with nothing of the developer's own around it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from conftest import CHECKOUT

from client.codex.model import CodexModel
from client.harness import SYSTEM_PATH
from client.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from client.request import Outcome, Request
    from client.scenario import Scenario

MODEL = "gpt-5.5"
ALONE = {"HTTPS_PROXY": "http://127.0.0.1:9", "NO_PROXY": "127.0.0.1"}
"""For a Codex that looks for news on GitHub: this proxy is nobody's."""
PROVIDER = (
    'model_providers.fake={{name="fake",base_url="{url}",wire_api="responses",env_key="OPENAI_API_KEY",'
    "request_max_retries=1,stream_max_retries=1,supports_websockets=false}}"
)


class Result(NamedTuple):
    """What came of one run: `events` are the lines that Codex printed."""

    code: int
    events: Sequence[Mapping[str, Any]]
    requests: Sequence[Request]
    bodies: Sequence[Mapping[str, Any]]
    stderr: str

    @property
    def items(self) -> list[Mapping[str, Any]]:
        return [one["item"] for one in self.events if one.get("type") == "item.completed"]

    @property
    def text(self) -> str:
        """The session's last words."""
        said = [one["text"] for one in self.items if one["type"] == "agent_message"]
        return str(said[-1]) if said else ""

    @property
    def begun(self) -> list[Request]:
        """The first question of every agent of ours."""
        return [one for one in self.requests if one.agent.startswith("novel:") and not one.outcomes]

    def outcomes(self, agent: str) -> list[Outcome]:
        """Every call of this agent with its result."""
        asked = [one for one in self.requests if one.agent == agent]
        return max(asked, key=lambda one: len(one.outcomes)).outcomes if asked else []


class CodexHost:
    """A user of Codex: a HOME, a TMPDIR, and the books that he trusts."""

    def __init__(self, codex: Path, place: Path, checkout: Path = Path(CHECKOUT)) -> None:
        self.codex = codex
        self.place = place
        self.checkout = checkout
        self.home = place / "家 home"
        self.config = self.home / ".codex" / "config.toml"
        for folder in (self.config.parent, place / "tmp"):
            folder.mkdir(parents=True, exist_ok=True)
        self.env = {
            "HOME": str(self.home),
            "CODEX_HOME": str(self.config.parent),
            "TMPDIR": str(place / "tmp"),
            "PATH": os.pathsep.join(SYSTEM_PATH),
            "LANG": "C.UTF-8",
            "SHELL": "/bin/bash",
            "NOVEL_PYTHON": sys.executable,
            "OPENAI_API_KEY": "dummy",
        }
        self.features = ["--disable", "plugins"]

    def novel(self, book: Path, *words: str) -> subprocess.CompletedProcess[str]:
        """A command of the author's in a terminal."""
        return self._tell([str(self.checkout / "bin" / "novel"), *words], book)

    def tell(self, book: Path, *words: str) -> subprocess.CompletedProcess[str]:
        """A command of Codex that needs no model."""
        return self._tell([str(self.codex), *words], book)

    def _tell(self, command: Sequence[str], book: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            env=self.env,
            cwd=book,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )

    def connect(self, book: Path, trust: bool = True, hooks: bool = True) -> None:
        """`novel host codex`, and what the author is asked to do after it."""
        done = self.novel(book, "host", "codex")
        assert done.returncode == 0, done.stderr
        if trust:
            self.trust(book)
        if trust and hooks:
            self.trust_hooks(book)

    def install(self, plugin: Path) -> None:
        """The plugin of Claude Code in Codex too, as its user does it. Codex then asks GitHub for news."""
        self.env.update(ALONE)
        for words in (("marketplace", "add", str(plugin)), ("add", "novel@novel")):
            done = self.tell(self.place, "plugin", *words)
            assert done.returncode == 0, done.stderr
        self.features = []

    def trust(self, book: Path) -> None:
        with self.config.open("a", encoding="utf-8") as file:
            file.write(f'[projects.{json.dumps(str(book), ensure_ascii=False)}]\ntrust_level = "trusted"\n')

    def trust_hooks(self, book: Path) -> None:
        """As the author does in /hooks: every hook as it stands."""
        listed = [one for entry in self.hooks(book) for one in entry["hooks"]]
        assert listed
        with self.config.open("a", encoding="utf-8") as file:
            for one in listed:
                key = json.dumps(one["key"], ensure_ascii=False)
                file.write(f"[hooks.state.{key}]\ntrusted_hash = {json.dumps(one['currentHash'])}\n")

    def hooks(self, book: Path) -> list[dict[str, Any]]:
        """What Codex knows of the book's hooks."""
        asked = [
            {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "t", "version": "1"}}},
            {"method": "initialized"},
            {"id": 2, "method": "hooks/list", "params": {"cwds": [str(book)]}},
        ]
        with subprocess.Popen(
            [str(self.codex), "app-server"],
            env=self.env,
            cwd=book,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        ) as server:
            assert server.stdin and server.stdout
            for one in asked:
                server.stdin.write(json.dumps(one, ensure_ascii=False) + "\n")
            server.stdin.flush()
            told = next(json.loads(line) for line in server.stdout if '"id":2' in line)
            server.kill()
        found: list[dict[str, Any]] = told["result"]["data"]
        return found

    def options(self, url: str) -> list[str]:
        settings = ("analytics.enabled=false", "model_provider=fake", PROVIDER.format(url=url))
        return ["-m", MODEL, *self.features, *(word for one in settings for word in ("-c", one))]

    def run(
        self,
        book: Path,
        prompt: str,
        scenario: Scenario,
        options: Sequence[str] = (),
        timeout: float = 120,
        tolerant: bool = False,
    ) -> Result:
        """One session, `codex exec PROMPT` in the book's folder, to its end.

        Fails when Codex asked what the scenario does not foresee, unless `tolerant`.
        """
        command = [str(self.codex), "exec", "--json", "--skip-git-repo-check"]
        session = Session(command, book)
        with CodexModel(book, scenario, self.prompts(), session.kill) as model:
            session.command = [*command, *self.options(model.url), *options, prompt]
            code, out, err = session.lines(self.env, timeout)
        assert tolerant or not model.faults, (model.faults, out[-3000:], err)
        events = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
        return Result(code, events, model.requests, model.bodies, err)

    def prompts(self) -> dict[str, str]:
        """What every role of ours is told, by the name that scripts know."""
        from novel_hooks.rules.hosting import replacements, texts

        found = {}
        for path in sorted((self.checkout / "agents").glob("*.md")):
            _, body = texts.front_matter(path.read_text(encoding="utf-8"))
            found[f"novel:{path.stem}"] = replacements.swap(body, replacements.AGENTS[path.stem]).strip()
        return found
