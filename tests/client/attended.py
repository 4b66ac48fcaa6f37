"""A session whose author is there: he answers what he is asked, and sees each request for a permission."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any, Callable, NamedTuple

from client.model_server import ModelServer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from client.harness import Host
    from client.request import Request
    from client.scenario import Scenario

ASK = "AskUserQuestion"
OPTIONS = ("--input-format", "stream-json", "--output-format", "stream-json", "--verbose")


class Attended(NamedTuple):
    """`questions`: what the author was asked. `permissions`: calls that wanted his leave, (tool, input)."""

    text: str
    denials: list[Any]
    questions: list[Mapping[str, Any]]
    permissions: list[Any]
    begun: list[Request]


def begun(requests: Sequence[Request]) -> list[Request]:
    """The first question of every agent of ours."""
    return [one for one in requests if one.agent.startswith("novel:") and not one.outcomes]


def attended(
    host: Host,
    project: Path,
    prompt: str,
    scenario: Scenario,
    author: Callable[[Mapping[str, Any]], str],
    leave: Callable[[Mapping[str, Any]], bool] = lambda _input: False,
) -> Attended:
    """One prompt to its end. `author` answers a question, `{question, options}`; `leave` is his to a call."""
    command = [str(host.claude), "-p", *OPTIONS, "--permission-prompt-tool", "stdio"]
    with ModelServer(scenario, host._prompts(project), lambda: None) as model:
        env = {**host.env, "ANTHROPIC_BASE_URL": model.url}
        with subprocess.Popen(
            command,
            env=env,
            cwd=project,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        ) as process:
            try:
                found = _talk(process, prompt, author, leave)
            finally:
                process.kill()
    assert not model.faults, model.faults
    return found._replace(begun=begun(model.requests))


def _talk(
    process: subprocess.Popen[str],
    prompt: str,
    author: Callable[[Mapping[str, Any]], str],
    leave: Callable[[Mapping[str, Any]], bool],
) -> Attended:
    assert process.stdin and process.stdout
    questions: list[Mapping[str, Any]] = []
    permissions: list[Any] = []

    def send(document: Any) -> None:
        assert process.stdin
        process.stdin.write(json.dumps(document) + "\n")
        process.stdin.flush()

    send({"type": "user", "message": {"role": "user", "content": prompt}})
    for line in process.stdout:
        document = json.loads(line)
        if document["type"] == "result":
            return Attended(document["result"], document["permission_denials"], questions, permissions, [])
        if document["type"] != "control_request":
            continue
        asked = document["request"]
        answer: dict[str, Any] = {"behavior": "deny", "message": "不行"}
        if asked.get("tool_name") == ASK:
            (question,) = asked["input"]["questions"]
            questions.append(question)
            given = {**asked["input"], "answers": {question["question"]: author(question)}}
            answer = {"behavior": "allow", "updatedInput": given}
        else:
            permissions.append((asked.get("tool_name"), asked.get("input")))
            if leave(asked.get("input") or {}):
                answer = {"behavior": "allow", "updatedInput": asked["input"]}
        response = {"subtype": "success", "request_id": document["request_id"], "response": answer}
        send({"type": "control_response", "response": response})
    raise AssertionError("the session ended without a result")
