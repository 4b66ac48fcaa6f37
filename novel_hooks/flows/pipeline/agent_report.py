"""A host's report of its agents: a judge's words, a run's time and tokens. Source: protocol §1, §2.

Chapter and judge follow from the step that is handed out; a report of any other agent is ignored. A second
report of the same run changes nothing.
"""

from __future__ import annotations

from novel_hooks import roles
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.chapter import handout, work_log
from novel_hooks.flows.chapter.handout import Handout, Run
from novel_hooks.flows.pipeline import record_verdict
from novel_hooks.flows.pipeline.record_verdict import Recorded
from novel_hooks.flows.session import pending_landing
from novel_hooks.flows.session.caller import Caller
from novel_hooks.flows.session.session import writing
from novel_hooks.record import Record
from novel_hooks.rules.steps import agents
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.step_name import Step
from novel_hooks.store.files.project import Project

JUDGE = roles.CHAPTER_AGENTS["judge"]
_CLOCK_GRAIN = 1.0


class Ended(Record):
    """An agent that has finished. `began` in seconds since the epoch (UTC), None when unknown."""

    agent: str
    began: float | None


class Out(Record):
    """The hand-out of the agent's step. `chapter` is None for a planning step."""

    step: Step
    chapter: int | None
    handout: Handout


def take_verdict(
    project: Project, caller: Caller, ended: Ended, words: str, model: str | None = None
) -> Recorded | None:
    """Record a judge's words as `novel judge record` does; None when no verdict of his is awaited.

    `model` is the host's report; without it, the requested model is recorded. Raises the errors of
    `record_verdict.record`, LockBusy and CommandBusy.
    """
    out = _judge_handout(project, ended)
    if out is None or out.chapter is None:
        return None
    with writing(project, caller, out.chapter) as session:
        out = _judge_handout(project, ended)
        if out is None or out.chapter is None:
            return None
        raw, role = words.encode("utf-8", "surrogatepass"), out.handout.role or "primary"
        known = model or out.handout.model
        return record_verdict.record(session, out.chapter, role, known, raw, "评审的回话")


def record_run(project: Project, caller: Caller, ended: Ended, run: Run) -> bool:
    """Record the run's amounts with the hand-out; return False when it is another agent's, or recorded."""
    out = _agent_handout(project, ended)
    if out is None or not work_log.run_changes(Book(pending_landing.after_landing(project)), run):
        return False
    with writing(project, caller, out.chapter) as session:
        changes = work_log.run_changes(Book(project), run) if _agent_handout(project, ended) else []
        session.land(changes, label="记下代理用去的时间")
        return bool(changes)


def _judge_handout(project: Project, ended: Ended) -> Out | None:
    """Return the hand-out to a judge whose verdict has not been taken yet."""
    out = _agent_handout(project, ended)
    return None if out is None or out.step.phase != "judge" or out.handout.recorded else out


def _agent_handout(project: Project, ended: Ended) -> Out | None:
    """Return the hand-out that this agent has: of his role, and not handed out after he began."""
    out = handout.read(Book(pending_landing.after_landing(project)))
    step, _ = attempt(lambda: steps.parse(out.step or ""))
    if step is None or agents.agent_of(step) != ended.agent:
        return None
    if ended.began is not None and out.at is not None and ended.began + _CLOCK_GRAIN < out.at:
        return None
    return Out(step, step.chapter, out)
