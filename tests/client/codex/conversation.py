"""A session of Codex, read as one of Claude Code, and answered likewise: one script serves both hosts.

A script calls Read, Write, Edit, Bash and Agent. In Codex each is done as the generated texts say: a file is
read in pieces by the shell, written by a patch; an agent is spawned with the packet's `agent` and `codex`,
and waited for until his FINAL_ANSWER. What came back is shown to the script as the result of its own call.
"""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, NamedTuple

from client.author import ASK
from client.request import Request
from client.scenario import Call, Reply

if TYPE_CHECKING:
    from collections.abc import Mapping

PIECE, STEP = 30000, 29990
EXIT = re.compile(r"Process exited with code (\d+)")
CALLED = re.compile(r"\$novel-(\w+) ?(.*)", re.DOTALL)
# What the skill says of the author's words, and how Claude Code would have put them there.
TYPED = re.compile(r"(作者要的章数|作者写的)：他这句话里[^。]*。")
TOOLS = ("Bash", "Read", "Write", "Edit", "Agent")
FINAL = re.compile(r"Message Type: FINAL_ANSWER\n.*?Sender: (\S+)\nPayload:\n", re.DOTALL)


class Item(NamedTuple):
    """A call of Codex's own tools; a patch is free text."""

    name: str
    arguments: Mapping[str, Any] | str
    namespace: str | None = None


class Doing:
    """One call of a script on its way: what Codex said so far, and what has to be done next."""

    def __init__(self, call: Call, root: Path, codex: Mapping[str, Any], names: itertools.count[int]) -> None:
        self.call = call
        self.root = root
        self.codex = codex
        self.names = names
        self.said: list[str] = []
        self.text: str | None = None
        self.failed = False
        self.agent = ""

    def next(self) -> Item:
        code: Item = getattr(self, f"_{self.call.tool.lower()}")()
        return code

    def take(self, output: str) -> None:
        """What Codex answered to the item that was last."""
        self.said.append(output)
        getattr(self, f"_took_{self.call.tool.lower()}")(output)

    def end(self, text: str, failed: bool = False) -> None:
        self.text, self.failed = text, failed

    def _shell(self, command: str) -> Item:
        return Item("exec_command", {"cmd": command, "max_output_tokens": 16000})

    def _bash(self) -> Item:
        given = dict(self.call.input)
        item = self._shell(given.pop("command"))
        given.pop("description", None)
        return item._replace(arguments={**dict(item.arguments), **given})

    def _took_bash(self, output: str) -> None:
        code = EXIT.search(output)
        body = output.split("\nOutput:\n", 1)[-1]
        number = int(code.group(1)) if code else 1
        self.end(f"Exit code {number}\n{body}" if number else body, bool(number))

    def _read(self) -> Item:
        return self._shell(
            f"tail -c +{1 + STEP * len(self.said)} '{self.call.input['file_path']}' 2>/dev/null"
            f" | head -c {PIECE}"
        )

    def _took_read(self, output: str) -> None:
        code = EXIT.search(output)
        if code is None or code.group(1) != "0" or output.endswith("Output:\n"):
            self.end(output, failed=True)
            return
        assert "truncated" not in output.split("\nOutput:\n")[0], "a piece did not fit"
        pieces = [said.split("\nOutput:\n", 1)[1] for said in self.said]
        if len(pieces[-1].encode("utf-8")) < STEP:
            self.end(joined(pieces))

    def _patch(self) -> Item:
        return self._patched(self.call.input["body"])

    def _write(self) -> Item:
        body = "".join(f"+{line}\n" for line in self.call.input["content"].rstrip("\n").split("\n"))
        return self._patched(f"*** Add File: {self.call.input['file_path']}\n{body}")

    def _edit(self) -> Item:
        old, new = self.call.input["old_string"], self.call.input["new_string"]
        text = (self.root / self.call.input["file_path"]).read_text(encoding="utf-8")
        line = next(line for line in text.split("\n") if old in line)
        hunk = f"@@\n-{line}\n+{line.replace(old, new)}\n"
        return self._patched(f"*** Update File: {self.call.input['file_path']}\n{hunk}")

    def _patched(self, body: str) -> Item:
        if body.startswith("<<"):  # a here-document has all of it
            return Item("apply_patch", body)
        return Item("apply_patch", f"*** Begin Patch\n{body}*** End Patch\n")

    def _took_write(self, output: str) -> None:
        self.end(output, failed="Success" not in output)

    _took_edit = _took_write
    _took_patch = _took_write

    def _agent(self) -> Item:
        if self.agent:
            return Item("wait_agent", {"timeout_ms": 3600000}, "collaboration")
        given = self.call.input
        name = re.sub(r"[^a-z0-9]", "_", str(given["subagent_type"].split(":")[-1])) + f"_{next(self.names)}"
        task = {"task_name": name, "message": given["prompt"], "fork_turns": "none"}
        kind = {"agent_type": given["subagent_type"].split(":")[-1]}
        chosen = {"model": self.codex.get("model"), "reasoning_effort": self.codex.get("effort")}
        known = {key: value for key, value in chosen.items() if value}
        return Item("spawn_agent", {**kind, **task, **known}, "collaboration")

    def _took_agent(self, output: str) -> None:
        if self.agent:
            return
        found = json.loads(output) if output.startswith("{") else {}
        self.agent = found.get("task_name", "")
        if not self.agent:
            self.end(output, failed=True)

    def question(self) -> str:
        """What the author is asked, as plain words: the options one by one."""
        return "\n".join(
            line
            for one in self.call.input["questions"]
            for line in (one["question"], *(f"- {option['label']}" for option in one["options"]))
        )

    def answered(self, words: str) -> None:
        """The author's words, a line for each question."""
        pairs = zip(self.call.input["questions"], words.split("\n"))
        self.end(", ".join(f'"{one["question"]}"="{said}"' for one, said in pairs))

    def heard(self, sender: str, words: str) -> None:
        if sender == self.agent:
            self.end(words, failed=words.startswith("Agent errored"))


class Group(NamedTuple):
    """What a script said in one reply: words, and calls that are done one after the other."""

    text: str
    doings: list[Doing]

    @property
    def open(self) -> list[Doing]:
        """What is not done yet: all of it goes on at once, but for commands and agents."""
        found = [doing for doing in self.doings if doing.text is None]
        return found if all(one.call.tool in ("Read", "Write") for one in found) else found[:1]

    @property
    def asks(self) -> Doing | None:
        """The question that the reply is, where it is one."""
        return self.doings[0] if self.doings and self.doings[0].call.tool == ASK else None


class Codex:
    """All conversations of one client. `root` is the book."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.groups: list[Group] = []
        self.codex: Mapping[str, Any] = {}
        self.names = itertools.count(1)
        self.asked: list[Mapping[str, Any]] = []
        """The questions that wait for the author."""

    def read(self, body: Mapping[str, Any], prompts: Mapping[str, str]) -> tuple[Request, Group | None]:
        """The request as a script reads it, and the reply that is not done yet."""
        seen = Reading(self)
        for item in body["input"]:
            seen.take(item)
        shown = {
            "system": "\n".join(seen.system),
            "tools": [{"name": name} for name in TOOLS] if _has_shell(body) else [],
            "model": body["model"],
            "messages": _typed([part for one in seen.messages for part in _spread(one)]),
        }
        waiting = [group for group in seen.groups.values() if group.open and not group.asks]
        return Request(shown, prompts), waiting[-1] if waiting else None

    def asked_in(self, text: str, known: Mapping[int, Group]) -> int | None:
        """The number of the question that these words of the session are."""
        asking = [(n, one.asks) for n, one in enumerate(self.groups) if n not in known and one.asks]
        return next((n for n, one in asking if one and one.question() == text), None)

    def notice(self, doing: Doing) -> None:
        """What the packet says of Codex is what the next agent is spawned with."""
        command = str(doing.call.input.get("command", ""))
        if command.startswith("novel instructions") and doing.text and not doing.failed:
            self.codex = json.loads(doing.text[doing.text.index("{") :])["data"].get("codex") or {}

    def begin(self, reply: Reply) -> int:
        """A reply that has calls: its number."""
        doings = [Doing(call, self.root, self.codex, self.names) for call in reply.calls]
        self.groups.append(Group(reply.text, doings))
        asks = self.groups[-1].asks
        self.asked = list(asks.call.input["questions"]) if asks else []
        return len(self.groups) - 1

    def number(self, group: Group) -> int:
        return next(n for n, one in enumerate(self.groups) if one.doings[0].call is group.doings[0].call)


class Reading:
    """One conversation, read from its first item on."""

    def __init__(self, codex: Codex) -> None:
        self.codex = codex
        self.system: list[str] = []
        self.messages: list[dict[str, Any]] = []
        self.groups: dict[int, Group] = {}

    def take(self, item: Mapping[str, Any]) -> None:
        kind = item["type"]
        if kind in ("function_call", "custom_tool_call"):
            self._group(int(item["call_id"].split("-")[1]))
        elif kind in ("function_call_output", "custom_tool_call_output"):
            number, at = map(int, item["call_id"].split("-")[1:3])
            doing = self.groups[number].doings[at]
            doing.take(_output(item["output"]))
            self.codex.notice(doing)
        elif kind == "agent_message":
            self._report(item)
        elif kind == "message":
            self._message(item["role"], "".join(part.get("text", "") for part in item["content"]))

    def _group(self, number: int) -> None:
        if number not in self.groups:
            self.groups[number] = _fresh(self.codex.groups[number])
            self.messages.append({"role": "assistant", "group": self.groups[number]})

    def _report(self, item: Mapping[str, Any]) -> None:
        """A task for this agent, or the last words of one that it waits for."""
        text = "".join(part.get("text", part.get("encrypted_content", "")) for part in item["content"])
        found = FINAL.match(text)
        if found is None:
            self.messages.append({"role": "user", "content": text.split("Payload:\n", 1)[-1]})
            return
        for group in self.groups.values():
            for doing in group.doings:
                doing.heard(found.group(1), text[found.end() :])

    def _message(self, role: str, text: str) -> None:
        asked = self.codex.asked_in(text, self.groups) if role == "assistant" else None
        waits = next((one.asks for one in self.groups.values() if one.asks and one.open), None)
        if role == "developer":
            self.system.append(text)
        elif asked is not None:
            self._group(asked)
        elif waits is not None and role == "user":
            waits.answered(text)
        elif not text.startswith("<environment_context>"):
            self.messages.append({"role": role, "content": text})


def _fresh(group: Group) -> Group:
    """To be read again from the conversation: a request is the only thing that a script knows."""
    return Group(group.text, [Doing(one.call, one.root, one.codex, one.names) for one in group.doings])


def _has_shell(body: Mapping[str, Any]) -> bool:
    """Codex's own questions, as for the name of a task in the TUI, come without."""
    return any(tool.get("name") == "exec_command" for tool in body["tools"])


def _output(value: Any) -> str:
    return value if isinstance(value, str) else "".join(part.get("text", "") for part in value)


def _spread(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A reply and its results as the two messages that they are in Claude Code."""
    group = message.get("group")
    if group is None:
        return [dict(message)]
    if group.open:
        return []
    words = [{"type": "text", "text": group.text}] if group.text else []
    calls, results = [], []
    for doing in group.doings:
        name = f"call-{id(doing)}"
        calls.append({"type": "tool_use", "id": name, "name": doing.call.tool, "input": doing.call.input})
        results.append(
            {"type": "tool_result", "tool_use_id": name, "content": doing.text, "is_error": doing.failed}
        )
    return [{"role": "assistant", "content": [*words, *calls]}, {"role": "user", "content": results}]


def _typed(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The skill's text with the author's own words in it, as Claude Code puts them there."""
    words = ""
    for message in messages:
        if message["role"] != "user" or not isinstance(message["content"], str):
            continue
        called = CALLED.match(message["content"])
        words = called.group(2).strip() if called else words
        message["content"] = TYPED.sub(_typed_as(words), message["content"])
    return messages


def _typed_as(words: str) -> Callable[[re.Match[str]], str]:
    return lambda found: f"{found.group(1)}：`{words}`"


def joined(pieces: list[str]) -> str:
    """Pieces of a file, each beginning ten bytes before the last one ended; a cut character is no loss."""
    text = pieces[0]
    for piece in pieces[1:]:
        before, after = text.rstrip("\ufffd"), piece.lstrip("\ufffd")
        size = next(n for n in range(10, -1, -1) if before.endswith(after[:n]))
        text = before + after[size:]
    return text
