"""The guard's rules on an agent's call, in order (the last: `audit`). Source: protocol §1, §5, §6."""

from __future__ import annotations

import os

from novel_hooks import root as roots
from novel_hooks.annotations import Mapping
from novel_hooks.hook.client import event as events
from novel_hooks.hook.client import wire
from novel_hooks.hook.client.event import Agent, Event
from novel_hooks.hook.guard import projects, target, turn
from novel_hooks.hook.guard.reasons import ALLOWED, Refusal
from novel_hooks.record import Record

ALLOW = "allow"
DENY = "deny"
# Tools that change nothing: they are the client's own affair, and `hooks.json` does not even ask about them.
READ_ONLY = ("Read", "Glob", "Grep", "LS", "NotebookRead")
# The tools that may write, and the key of each for its file. No other tool can be judged.
PATH_KEYS = {"Write": "file_path", "Edit": "file_path", "MultiEdit": "file_path", events.PATCH: "file_path"}
_TOOL_RULES = {
    "Bash": "tool-shell",
    "PowerShell": "tool-shell",
    "Agent": "tool-agent",
    "Task": "tool-agent",
    "NotebookEdit": "tool-notebook",
}
# What ends a word in a command of the shell, beside white space.
_WORD_ENDS = "\"'`;&|()<>{}$="


class Verdict(Record):
    """The decision on one call: ALLOW or DENY, `rule` a stable name, `reason` a Chinese sentence.

    `project` is the root with the audit log, None without a project. `path` is the path for the log: relative
    to that root, or as the agent gave it.
    """

    decision: str
    rule: str
    reason: str
    project: str | None
    path: str | None


def decide(event: Event, environ: Mapping[str, str]) -> Verdict | None:
    """Decide on one call of an agent; None when the call is not our affair.

    A shell of Codex is not: its permission profile limits it. Only a call of `novel` in such a shell is
    refused.
    """
    agent = events.agent(event.agent_type)
    if agent is None or event.tool in READ_ONLY or (_is_shell(event) and not _names_novel(event)):
        return None
    wanted = _wanted(event)
    home = projects.home_project(event, environ)
    there = None if isinstance(wanted, Refusal) else roots.find_root(os.path.dirname(target.lexical(wanted)))
    if not agent.scoped:
        home, there = projects.our_project(home), projects.our_project(there)
    project = home or there
    if project is None and not agent.scoped:
        return None
    path = _shown_path(event, wanted, project)
    try:
        _check(event, agent, wanted, home, there, environ)
    except Refusal as no:
        return Verdict(DENY, no.rule, no.reason, project, path)
    return Verdict(ALLOW, "staging", ALLOWED, project, path)


def _check(
    event: Event,
    agent: Agent,
    wanted: str | Refusal,
    home: str | None,
    there: str | None,
    environ: Mapping[str, str],
) -> None:
    """Raise the first Refusal that applies, if any."""
    if home is None and there is None:
        raise Refusal("no-project")
    if (event.host, event.name) == (wire.CODEX, events.PERMISSION_REQUEST):
        raise Refusal("escalation")
    if event.tool not in PATH_KEYS:
        raise Refusal(_tool_rule(event))
    if not agent.role.writes:
        raise Refusal("read-only-role")
    if event.tool == events.PATCH and not event.input:
        raise Refusal("patch")
    if isinstance(wanted, Refusal):
        raise wanted
    if there is None:
        raise Refusal("outside-project")
    if not projects.is_same_project(home, there, event.cwd):
        raise Refusal("other-project")
    target.check(wanted, there, agent.role.writes)
    holder = turn.other_holder(there, event.session_id, environ, event.host)
    if holder is not None:
        raise Refusal("lock", holder=holder)


def _is_shell(event: Event) -> bool:
    """Return whether Codex is about to run a command, and does not ask for leave beyond its sandbox."""
    return (event.host, event.tool, event.name) == (wire.CODEX, events.SHELL, events.PRE_TOOL_USE)


def _names_novel(event: Event) -> bool:
    """Return whether a command names our program. However hidden, `novel` refuses a sub-agent's call."""
    command = event.input.get("command")
    if not isinstance(command, str):
        return True
    for mark in _WORD_ENDS:
        command = command.replace(mark, " ")
    return any(
        word == "novel" or word.endswith("/bin/novel") or "novel_hooks" in word for word in command.split()
    )


def _tool_rule(event: Event) -> str:
    if event.host == wire.CODEX:
        return "command-novel" if event.tool == events.SHELL else "tool-codex"
    return _TOOL_RULES.get(event.tool or "", "tool")


def _wanted(event: Event) -> str | Refusal:
    """The absolute path that the call wants to write, or the Refusal of a path that is none."""
    try:
        return target.absolute(_given_path(event), event.cwd)
    except Refusal as no:
        return no


def _given_path(event: Event) -> object:
    """The path as the agent gave it; None of a tool that names no file."""
    return event.input.get(PATH_KEYS[event.tool]) if event.tool in PATH_KEYS else None


def _shown_path(event: Event, wanted: str | Refusal, project: str | None) -> str | None:
    if isinstance(wanted, Refusal):
        raw = _given_path(event)
        return raw if isinstance(raw, str) else None
    if project is not None and target.lexical(wanted).startswith(os.path.join(project, "")):
        return "/".join(target.below(wanted, project))
    return wanted
