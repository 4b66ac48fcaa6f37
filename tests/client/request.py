"""One question of the client to a model, read: whose it is, and what has happened in its conversation."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

MAIN = "main"
# The client's own questions to a model (a title, a classifier); they offer no tools.
SIDE = "side"


class Outcome(NamedTuple):
    """A tool call of the conversation, and what came back."""

    tool: str
    input: Mapping[str, Any]
    text: str
    failed: bool


class Request:
    """One call of `/v1/messages`, read.

    `agent`: MAIN, SIDE, or the name in `prompts` whose text stands in the system prompt.
    `turn`: how often this conversation's model has spoken already.
    """

    def __init__(self, body: Mapping[str, Any], prompts: Mapping[str, str]) -> None:
        self.body = body
        self.system = text_of(body.get("system", ""))
        self.tools = [str(tool.get("name")) for tool in body.get("tools", ())]
        self.model = str(body.get("model"))
        self.agent = self._whose(prompts)
        self.messages: list[tuple[str, list[Any]]] = _merged(body.get("messages", ()))
        self.turn = sum(role == "assistant" for role, _ in self.messages)

    def _whose(self, prompts: Mapping[str, str]) -> str:
        ours = [name for name, prompt in prompts.items() if prompt in self.system]
        if ours:
            return max(ours, key=lambda name: len(prompts[name]))
        return MAIN if self.tools else SIDE

    @property
    def task(self) -> str:
        """What the conversation began with: the author's words, or the task of an agent."""
        return next((text_of(content) for role, content in self.messages if role == "user"), "")

    @property
    def last(self) -> str:
        """All text that came in since the model spoke last: results, reminders, reports."""
        found: list[str] = []
        for role, content in reversed(self.messages):
            if role == "assistant":
                break
            found.insert(0, text_of(content))
        return "\n".join(found)

    @property
    def outcomes(self) -> list[Outcome]:
        """Every tool call so far whose result is in, in the order of the calls."""
        blocks = [block for _, content in self.messages for block in content]
        results = {b["tool_use_id"]: b for b in blocks if b.get("type") == "tool_result"}
        return [
            Outcome(
                block["name"],
                block["input"],
                text_of(results[block["id"]].get("content", "")),
                bool(results[block["id"]].get("is_error")),
            )
            for block in blocks
            if block.get("type") == "tool_use" and block["id"] in results
        ]

    @property
    def fingerprint(self) -> str:
        """The same for the same request, repeated or not."""
        text = json.dumps(self.body, ensure_ascii=True, sort_keys=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()[:20]


def text_of(content: Any) -> str:
    """The text of a string, of a block or of a list of blocks."""
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        return text_of(content.get("text", content.get("content", "")))
    return "\n".join(text_of(block) for block in content or ())


def _merged(messages: Sequence[Mapping[str, Any]]) -> list[tuple[str, list[Any]]]:
    """(role, blocks), neighbours of one role as one message."""
    found: list[tuple[str, list[Any]]] = []
    for message in messages:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
        if found and found[-1][0] == message["role"]:
            found[-1][1].extend(blocks)
        else:
            found.append((message["role"], blocks))
    return found
