"""The end of an agent's work: records a judge's verdict as it came, and notes the work's time and tokens.

In Claude Code the event SubagentStop has the agent's words and no model. PostToolUse of Agent comes later and
has both. Each of the two records the verdict when the other has not. In Codex SubagentStop has everything.
Source: the hook payloads of the real clients, protocol §1.
"""

from __future__ import annotations

import time

from novel_hooks import errors
from novel_hooks.annotations import Callable, Mapping
from novel_hooks.errors import Problem
from novel_hooks.flows.chapter.handout import Run
from novel_hooks.flows.pipeline import agent_report
from novel_hooks.flows.pipeline.agent_report import Ended
from novel_hooks.flows.session.caller import Caller
from novel_hooks.hook.client import answer as answers
from novel_hooks.hook.client import event as events
from novel_hooks.hook.client import wire
from novel_hooks.hook.notice import transcript
from novel_hooks.hook.notice.transcript import Transcript
from novel_hooks.record import Record
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import owner as owners

_TRIES = 20
_PAUSE = 0.25


class Report(Record):
    """The client's report on an agent: `words` are his last ones.

    `run` is None in Claude Code's SubagentStop.
    """

    ended: Ended
    words: str | None
    run: Run | None
    model: str | None = None
    """The judge's own, where the host tells it with his words."""


def respond(
    event: Mapping[str, object], root: str, environ: Mapping[str, str], host: str = wire.CLAUDE
) -> bytes:
    """Record the verdict and the amounts of an agent that has ended.

    Answer b"", or why a verdict was not recorded. The sentence goes to the author after SubagentStop, to the
    model after PostToolUse.
    """
    name = str(event.get("hook_event_name"))
    if name != answers.SUBAGENT_STOP:
        report = _return_report(event)
    else:
        report = _codex_report(event) if host == wire.CODEX else _stop_report(event)
    if report is None:
        return b""
    fault = _record(Project(root), lambda: _caller(event, environ, host), report)
    if fault is None:
        return b""
    sentence = f"评审的意见没有记下。{fault}"
    if name == answers.SUBAGENT_STOP:
        return answers.dump(name, author=sentence)
    return answers.dump(name, model=sentence)


def _record(project: Project, caller: Callable[[], Caller], report: Report) -> str | None:
    """Record a judge's words and the run; return why the words were not, as a Chinese sentence."""
    fault = None
    run, words = report.run, report.words
    if report.ended.agent == agent_report.JUDGE and words:
        fault = _failure_text(
            lambda: agent_report.take_verdict(project, caller(), report.ended, words, report.model)
        )
    if run is not None:
        _failure_text(lambda: agent_report.record_run(project, caller(), report.ended, run))
    return fault


def _failure_text(work: Callable[[], object]) -> str | None:
    """Do the work, and return the Chinese sentence of what went wrong; None when nothing did.

    While another command holds the project, it tries again for five seconds.
    """
    for left in range(_TRIES, -1, -1):
        try:
            work()
            return None
        except errors.CommandBusy as busy:
            if not left:
                return str(busy)
            time.sleep(_PAUSE)
        except Problem as wrong:
            return str(wrong)
    return None


def _caller(event: Mapping[str, object], environ: Mapping[str, str], host: str) -> Caller:
    session = _string_or_none(event.get("session_id"))
    return Caller(owners.owner(owners.in_session(environ, host, session)), time.time())


def _stop_report(event: Mapping[str, object]) -> Report | None:
    agent = _agent_name(event.get("agent_type"))
    if agent is None:
        return None
    log = transcript.read(_string_or_none(event.get("agent_transcript_path")))
    return Report(Ended(agent, log.began), _string_or_none(event.get("last_assistant_message")), None)


def _codex_report(event: Mapping[str, object]) -> Report | None:
    """The report of an agent in Codex: his real model stands in the event, his tokens in his transcript."""
    agent = _agent_name(event.get("agent_type"))
    name = _string_or_none(event.get("agent_id"))
    if agent is None or name is None:
        return None
    log = transcript.read_codex(_string_or_none(event.get("agent_transcript_path")))
    took = None if log.began is None else round((time.time() - log.began) * 1000)
    model = _string_or_none(event.get("model"))
    words = _string_or_none(event.get("last_assistant_message"))
    return Report(Ended(agent, log.began), words, Run(name, model, _amounts({}, log, took)), model)


def _return_report(event: Mapping[str, object]) -> Report | None:
    """The report of a call that has come back; None of one in the background, which has only begun."""
    request, answer = _object(event.get("tool_input")), _object(event.get("tool_response"))
    agent = _agent_name(answer.get("agentType")) or _agent_name(request.get("subagent_type"))
    name = _string_or_none(answer.get("agentId"))
    if agent is None or name is None or answer.get("isAsync") or "content" not in answer:
        return None
    log = transcript.read(_transcript_path(_string_or_none(event.get("transcript_path")), name))
    took = _amount(answer.get("totalDurationMs"))
    run = Run(name, _string_or_none(answer.get("resolvedModel")), _amounts(answer, log, took))
    return Report(Ended(agent, log.began), _last_text(answer.get("content")), run)


def _amounts(answer: Mapping[str, object], log: Transcript, took: int | None) -> dict[str, int]:
    """The known amounts. The answer's `usage` is of the last turn alone, so the transcript goes first."""
    usage = log.usage or _object(answer.get("usage"))
    amounts = {"duration_ms": took, **{key: _amount(usage.get(key)) for key in transcript.USAGE}}
    return {key: value for key, value in amounts.items() if value is not None}


def _transcript_path(session: str | None, agent: str) -> str | None:
    """The path of the agent's transcript, beside that of the session."""
    if session is None or not session.endswith(".jsonl") or not agent.isalnum():
        return None
    return f"{session[: -len('.jsonl')]}/subagents/agent-{agent}.jsonl"


def _last_text(content: object) -> str | None:
    """The last block with text: the agent's own words; the client may put notes before them."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    texts = [_string_or_none(_object(block).get("text")) for block in blocks]
    return next((text for text in reversed(texts) if text), None)


def _agent_name(name: object) -> str | None:
    agent = events.agent(name) if isinstance(name, str) else None
    return agent.role.agent if agent else None


def _object(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _string_or_none(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _amount(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1 << 53:
        return None
    return round(value)
