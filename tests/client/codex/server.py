"""Codex's background server, as the TUI uses it: sessions live in it, and outlive whoever asked for them."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from client.codex.harness import CodexHost


class Server:
    """`codex app-server` from `with` to its end, spoken to over its pipe."""

    def __init__(self, host: CodexHost, book: Path, url: str) -> None:
        words = host.options(url)
        model = words.index("-m")
        self.command = [str(host.codex), "app-server", *words[:model], *words[model + 2 :]]
        self.host = host
        self.book = book
        self.model = words[model + 1]
        self.asked = 0
        self.leaves: list[str] = []
        """What the author was asked to allow, by method; he declines all but the command `allowed`."""
        self.allowed = ""

    def __enter__(self) -> Server:
        self.process = subprocess.Popen(
            self.command,
            env=self.host.env,
            cwd=self.book,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            start_new_session=True,
        )
        self.ask("initialize", clientInfo={"name": "t", "version": "1"})
        self._put({"method": "initialized"})
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self.process.communicate()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self.asked += 1
        self._put({"id": self.asked, "method": method, "params": params})
        return self._until(lambda told: told.get("id") == self.asked)["result"]  # type: ignore[no-any-return]

    def begin(self, words: str, approval: str = "never") -> tuple[str, str]:
        """A session with its first turn: (thread, turn). It goes on by itself."""
        thread = self.ask("thread/start", cwd=str(self.book), model=self.model, approvalPolicy=approval)
        name = thread["thread"]["id"]
        turn = self.ask("turn/start", threadId=name, input=[{"type": "text", "text": words}])
        return name, turn["turn"]["id"]

    def say(self, thread: str, words: str) -> None:
        """The next message of the author, to the end of its turn."""
        self.ask("turn/start", threadId=thread, input=[{"type": "text", "text": words}])
        self.await_end(thread)

    def await_end(self, thread: str) -> None:
        """Until the turn of that session has ended."""
        self._until(
            lambda told: told.get("method") == "turn/completed" and told["params"]["threadId"] == thread
        )

    def _put(self, document: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(document, ensure_ascii=False) + "\n")
        self.process.stdin.flush()

    def _until(self, wanted: Any) -> dict[str, Any]:
        assert self.process.stdout
        for line in self.process.stdout:
            told: dict[str, Any] = json.loads(line)
            if "method" in told and "id" in told:
                self.leaves.append(told["method"])
                says_yes = bool(self.allowed) and self.allowed in json.dumps(
                    told["params"], ensure_ascii=False
                )
                decision = "accept" if says_yes else "decline"
                self._put({"id": told["id"], "result": {"decision": decision}})
            elif wanted(told):
                assert "error" not in told, told
                return told
        raise AssertionError("the server has ended")
