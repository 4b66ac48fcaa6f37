"""The author at the keyboard: he answers what the client asks him, and says what comes next.

The client asks over the pipe that embedding programs use (`--permission-prompt-tool stdio`): a question of
AskUserQuestion, or may a tool be used. The first he answers; the second he refuses, and it is kept: a run
that should ask for no permission has none.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import threading
from typing import IO, TYPE_CHECKING, Any, Callable

from client.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

FLAGS = (
    *("--input-format", "stream-json", "--output-format", "stream-json", "--verbose"),
    *("--permission-prompt-tool", "stdio"),
)
ASK = "AskUserQuestion"


class Author:
    """`words`: what he says, one message after the other; he leaves when there is none left.

    `pick`: from a question (`{question, header, options[{label, description}]}`) to a label, or own words.
    `questions` are those he was asked, `refused` the tools (name, input) he was asked to allow. A command
    that begins with `allows` he allows: it is in `allowed`.
    """

    def __init__(
        self, words: Sequence[str], pick: Callable[[Mapping[str, Any]], str], allows: str | None = None
    ) -> None:
        self.words = list(words)
        self.pick = pick
        self.allows = allows
        self.allowed: list[str] = []
        self.questions: list[Mapping[str, Any]] = []
        self.refused: list[tuple[str, Mapping[str, Any]]] = []

    def reply(self, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
        command = str(given.get("command", ""))
        if tool == "Bash" and self.allows is not None and command.startswith(self.allows):
            self.allowed.append(command)
            return {"behavior": "allow", "updatedInput": dict(given)}
        if tool != ASK:
            self.refused.append((tool, given))
            return {"behavior": "deny", "message": "作者没有允许"}
        self.questions += given["questions"]
        answers = {one["question"]: self.pick(one) for one in given["questions"]}
        return {"behavior": "allow", "updatedInput": {**given, "answers": answers}}


def first(question: Mapping[str, Any]) -> str:
    """What is recommended stands first."""
    label: str = question["options"][0]["label"]
    return label


class Dialogue(Session):
    """A session that an author talks with."""

    def __init__(self, command: Sequence[str], cwd: Path, author: Author) -> None:
        super().__init__(command, cwd)
        self.author = author

    def talk(self, env: Mapping[str, str], timeout: float) -> tuple[int, dict[str, Any], str, str]:
        """(exit code, the last result that the client told, stdout, stderr)."""
        with subprocess.Popen(
            self.command,
            env=dict(env),
            cwd=self.cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        ) as self._process:
            self._started.set()
            watch = threading.Timer(timeout, self._end_group)
            watch.start()
            try:
                result, out = self._talk()
                err = self._process.stderr.read() if self._process.stderr else b""
            finally:
                watch.cancel()
                self._end_group()
        return self._process.returncode, result, out, err.decode("utf-8", "replace")

    def _talk(self) -> tuple[dict[str, Any], str]:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        result: dict[str, Any] = {}
        lines = []
        words = iter(self.author.words)
        _say(stdin, next(words))
        for raw in stdout:
            lines.append(raw.decode("utf-8"))
            told = json.loads(raw)
            if told["type"] == "control_request":
                asked = told["request"]
                answer = self.author.reply(asked["tool_name"], asked["input"])
                _put(stdin, _control(told["request_id"], answer))
            elif told["type"] == "result":
                result = told
                more = next(words, None)
                if more is None:
                    stdin.close()
                else:
                    _say(stdin, more)
        return result, "".join(lines)


def _say(stdin: IO[bytes], words: str) -> None:
    message = {"role": "user", "content": words}
    _put(stdin, {"type": "user", "message": message, "parent_tool_use_id": None, "session_id": ""})


def _control(request: str, answer: Mapping[str, Any]) -> dict[str, Any]:
    response = {"subtype": "success", "request_id": request, "response": answer}
    return {"type": "control_response", "response": response}


def _put(stdin: IO[bytes], document: Mapping[str, Any]) -> None:
    with contextlib.suppress(BrokenPipeError):  # it was killed: stdout ends too
        stdin.write(json.dumps(document, ensure_ascii=False).encode("utf-8") + b"\n")
        stdin.flush()
