"""Break points: after which steps the author looks first, and what his answer makes of the next step. Pure.

A step that was handed out and whose outputs lie in staging has been made, but not taken. There `next` stops,
when the author wants to see it. Source: seed 004 (adapters leave a break point after each step, before
validate, advance, commit).
"""

from __future__ import annotations

from novel_hooks.record import Record
from novel_hooks.rules.steps import next_step
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.checkpoint import Checkpoint
from novel_hooks.rules.steps.next_step import Choice, Next, Staged

PHASES = ("draft", "summarize", "refine", "judge", "revise", "polish")
REWRITING = ("refine", "revise", "polish")
"""Phases whose agent writes over the text he was given: that it is found does not tell that he worked."""
EVERY = "every"
NONE = "none"
GO_ON, AGAIN, STOP = "go-on", "again", "stop"
ANSWERS = (GO_ON, AGAIN, STOP)


class OpenStep(Record):
    """The step that is out in this round of revision, and what the author said of its outputs.

    `holds`: the answer is about the outputs as they are (a verdict), or about this hand-out (a text, which
    the author may still change by hand). `done`: a host saw its agent finish. `changed`: the text is not the
    one that was handed out. Neither holds of a step that has failed and was not handed out again.
    """

    phase: str
    said: str | None = None
    holds: bool = True
    done: bool = False
    changed: bool = False

    @property
    def answer(self) -> str | None:
        """What the author said of the outputs as they are; a stop before there were any is none."""
        return self.said if self.holds and (self.worked or self.said != STOP) else None

    @property
    def taken(self) -> bool:
        """May its outputs be taken unseen? A writer who changed nothing found that he could not."""
        return self.done and self.phase in REWRITING and (self.phase != "revise" or self.changed)

    @property
    def worked(self) -> bool:
        """Is there anything that the author could look at?"""
        return self.phase not in REWRITING or self.done or self.changed


def parse_phases(value: object) -> tuple[str, ...] | None:
    """`every`, `none`, one phase or a list of them → the phases in working order; None: not understood."""
    named = [value] if isinstance(value, str) else value
    if not isinstance(named, list) or any(one not in (*PHASES, EVERY, NONE) for one in named):
        return None
    if EVERY in named:
        return PHASES if len(named) == 1 else None
    if NONE in named:
        return () if len(named) == 1 else None
    return tuple(phase for phase in PHASES if phase in named)


def staged_phase(
    point: Checkpoint, chapter: int, staged: Staged, due: Next, out: OpenStep | None
) -> str | None:
    """The phase whose outputs lie in staging and are not taken yet; None when there is none."""
    if out is not None and _has_outputs(point, chapter, staged, out.phase):
        return out.phase
    judged = due.step is not None and due.step.phase == "judge" and due.recorded
    return "judge" if judged else None


def _has_outputs(point: Checkpoint, chapter: int, staged: Staged, phase: str) -> bool:
    """Are a writing step's outputs found, and was it due before they were?"""
    if phase == "judge" or not staged.chapter or (phase == "summarize" and not staged.recorded):
        return False
    before = next_step.without_outputs(staged, phase)
    return next_step.next_in_chapter(point, chapter, before).step == steps.chapter_step(chapter, phase)


def next_after(
    due: Next, chapter: int, phase: str, out: OpenStep | None, stops: tuple[str, ...], what: str
) -> Next:
    """What comes next when `phase` was made; `what` says what was made and where to read it."""
    own = out if out is not None and out.phase == phase else None
    said = own.answer if own is not None else None
    unsaid = _is_still_due(own, phase in stops)
    if said == AGAIN or (said is None and unsaid):
        return due
    step = steps.chapter_step(chapter, phase)
    if said == GO_ON or phase not in stops:
        return Next(step, f"{what}。接着往下走", role=due.role if phase == "judge" else None, recorded=True)
    return Next(step, f"{what}。看过再往下走", recorded=True, stop=True, choices=break_choices(chapter))


def _is_still_due(out: OpenStep | None, stops: bool) -> bool:
    """The author has said nothing: is the step still to be done?"""
    if stops:
        return out is not None and not out.worked
    return out is None or not out.taken


def awaits_author(due: Next, out: OpenStep | None, stops: tuple[str, ...]) -> bool:
    """Is the due step out, at a break point, and nobody has told that its agent worked?

    Then only the author can say that the text stays as it is.
    """
    if out is None or due.step is None or due.recorded or due.step.phase != out.phase:
        return False
    return out.phase in REWRITING and out.phase in stops and out.said != AGAIN


def with_choices(due: Next, chapter: int, what: str) -> Next:
    """The due step while it is `unseen`, with what the author may say of its text."""
    reason = f"{what}。做过了、不用改，就照现在的样子往下走"
    return due._replace(reason=reason, choices=break_choices(chapter))


def break_choices(chapter: int) -> tuple[Choice, ...]:
    """The three answers; the texts may be changed by hand before the first one."""
    return (
        Choice(GO_ON, "就这样，接着往下走（你手改过的也算数）", f"novel decide {chapter} {GO_ON}"),
        Choice(
            AGAIN,
            "再做一遍（可以附上你的意见；这一稿会存档）",
            f"novel decide {chapter} {AGAIN} --note 你的意见",
        ),
        Choice(STOP, "先停在这里，下次从这里接着走", f"novel decide {chapter} {STOP}"),
    )
