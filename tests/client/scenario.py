"""What a scripted model says, as a pure function of the request that the client sends.

A request carries the whole conversation, so whose it is, and what has happened in it so far, is read from
it and from nothing else: no counters, no order of arrival. That is what makes agents side by side, a retried
request and a session that goes on after a kill come out the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Callable, NamedTuple, Union

from client.request import SIDE, Request


class Call(NamedTuple):
    """A tool that the model calls."""

    tool: str
    input: Mapping[str, Any]


class Reply(NamedTuple):
    """What the model says next; without calls its turn ends, and an agent's `text` is its report."""

    text: str = ""
    calls: tuple[Call, ...] = ()


class Refuse(NamedTuple):
    """The service answers with an error instead. 400 is final, the client repeats a 5xx."""

    status: int = 400
    message: str = "scripted refusal"


class Kill(NamedTuple):
    """The session's process dies here, answered by nothing."""


class Unscripted(Exception):
    """The client asked for something that the scenario does not foresee."""


Answer = Union[Reply, Refuse, Kill]
Function = Callable[[Request], Answer]
Script = Union[Function, Sequence[Answer]]
Scenario = Union[Function, Mapping[str, Script]]


def answer(scenario: Scenario, request: Request) -> Answer:
    """What the scenario has for this request: its agent's script, at its turn. Raises Unscripted."""
    if callable(scenario):
        return scenario(request)
    script = scenario.get(request.agent)
    if script is None and request.agent == SIDE:
        return Reply("好")
    if script is None:
        raise Unscripted(f"no script for {request.agent}: {request.task[-300:]}")
    if callable(script):
        return script(request)
    if request.turn >= len(script):
        raise Unscripted(f"{request.agent} is asked a {request.turn + 1}th time: {request.last[-600:]}")
    return script[request.turn]


def say(text: str) -> Reply:
    return Reply(text)


def do(*calls: Call, text: str = "") -> Reply:
    return Reply(text, calls)


def write(path: object, content: str = "写好了。\n") -> Call:
    return Call("Write", {"file_path": str(path), "content": content})


def bash(command: str) -> Call:
    return Call("Bash", {"command": command, "description": "run"})


def spawn(agent: str, task: str, *, background: bool | None = False, **more: Any) -> Call:
    """A sub-agent; `background=None` leaves out the key, and the client starts it in the background."""
    where = {} if background is None else {"run_in_background": background}
    return Call("Agent", {"description": "做一步", "subagent_type": agent, "prompt": task, **where, **more})
