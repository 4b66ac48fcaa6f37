"""Break points: the steps after which the author looks first, and the next step by his answer. Pure.

A step that was handed out and whose outputs lie in staging has been made, but not advanced. There `next`
stops, when the author wants to see it. Source: seed 004 (adapters leave a break point after each step, before
validate, advance, commit).
"""

from __future__ import annotations

from novel_hooks.record import Record
from novel_hooks.rules.steps import next_step
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.checkpoint import Checkpoint
from novel_hooks.rules.steps.next_step import Next, Staged
from novel_hooks.rules.steps.offered_answers import Choice

PHASES = ("draft", "summarize", "refine", "judge", "revise", "polish")
REWRITING = ("refine", "revise", "polish")
"""Phases whose agent writes over the text that the step began with: a text in staging proves no work."""
EVERY = "every"
NONE = "none"
GO_ON, AGAIN, STOP, REVISE = "go-on", "again", "stop", "revise"
ANSWERS = (GO_ON, AGAIN, STOP)


class OpenStep(Record):
    """The step that was handed out last in this round of revision, and the author's answer about its outputs.

    `said` is the answer. `holds`: the answer is about the present outputs (a verdict), or about this hand-out
    (a text, which the author may still change by hand). `done`: a host saw the agent finish. `changed`: the
    text differs from the one that was handed out. Both are False for a step that has failed and was not
    handed out again (`failed`).
    """

    phase: str
    said: str | None = None
    holds: bool = True
    done: bool = False
    changed: bool = False
    failed: bool = False

    @property
    def answer(self) -> str | None:
        """Return the author's answer about the present outputs.

        An answer from before there were any does not count.
        """
        return self.said if self.holds and (self.worked or self.said != STOP) else None

    @property
    def taken(self) -> bool:
        """Tell whether the step counts as made although the author has not looked at it.

        A revision that changed nothing does not: its writer could not do what the fixes ask.
        """
        return self.done and self.phase in REWRITING and (self.phase != "revise" or self.changed)

    @property
    def worked(self) -> bool:
        """Tell whether there is an output for the author to look at."""
        return self.phase not in REWRITING or self.done or self.changed


def parse_phases(value: object) -> tuple[str, ...] | None:
    """Parse `every`, `none`, one phase or a list of phases to the phases in working order.

    None when the value is not understood.
    """
    named = [value] if isinstance(value, str) else value
    if not isinstance(named, list) or any(name not in (*PHASES, EVERY, NONE) for name in named):
        return None
    if EVERY in named:
        return PHASES if len(named) == 1 else None
    if NONE in named:
        return () if len(named) == 1 else None
    return tuple(phase for phase in PHASES if phase in named)


def staged_phase(
    point: Checkpoint, chapter: int, staged: Staged, due: Next, out: OpenStep | None
) -> str | None:
    """Return the phase whose outputs lie in staging and have not advanced yet; None when there is none."""
    if out is not None and _has_outputs(point, chapter, staged, out.phase):
        return out.phase
    return "judge" if due.step is not None and due.step.phase == "judge" and due.recorded else None


def _has_outputs(point: Checkpoint, chapter: int, staged: Staged, phase: str) -> bool:
    """Tell whether a writing step's outputs are in staging, and the step was due before they were."""
    if phase == "judge" or not staged.chapter or (phase == "summarize" and not staged.recorded):
        return False
    before = next_step.without_outputs(staged, phase)
    return next_step.next_in_chapter(point, chapter, before).step == steps.chapter_step(chapter, phase)


def next_after(
    due: Next, chapter: int, phase: str, out: OpenStep | None, stops: tuple[str, ...], what: str
) -> Next:
    """Return the next step when the outputs of `phase` lie in staging.

    It is `due`, the step to be made again; or the made step, to be advanced or to stop at. `out` is the step
    that was handed out last, `stops` are the phases that the author looks at. `what` is a sentence for him:
    the output that was made and the place to read it.
    """
    own = out if out is not None and out.phase == phase else None
    answer = own.answer if own is not None else None
    step = steps.chapter_step(chapter, phase)
    if own is not None and own.failed:
        return Next(step, "这一步上次没有做成，要重做", role=due.role if phase == "judge" else None)
    if answer == AGAIN or (answer is None and _is_still_due(own, phase in stops)):
        return due
    if answer == GO_ON or phase not in stops:
        return Next(step, f"{what}。接着往下走", role=due.role if phase == "judge" else None, recorded=True)
    choices = break_choices(chapter, phase)
    return Next(step, f"{what}。看过再往下走", recorded=True, stop=True, choices=choices)


def _is_still_due(out: OpenStep | None, stops: bool) -> bool:
    """Tell whether a step that the author has not answered is still to be made."""
    if stops:
        return out is not None and not out.worked
    return out is None or not out.taken


def awaits_author(due: Next, out: OpenStep | None, stops: tuple[str, ...]) -> bool:
    """Tell whether the due step is out at a break point, and nothing shows that its agent has worked.

    Then only the author can say that the text stays as it is.
    """
    if out is None or due.step is None or due.recorded or due.step.phase != out.phase:
        return False
    return out.phase in REWRITING and out.phase in stops and out.said != AGAIN


def with_choices(due: Next, chapter: int, what: str) -> Next:
    """Return the due step with the author's answers, for a step that `awaits_author`."""
    reason = f"{what}。做过了、不用改，就照现在的样子往下走"
    return due._replace(reason=reason, choices=break_choices(chapter))


def break_choices(chapter: int, phase: str = "") -> tuple[Choice, ...]:
    """Return the author's answers at a break point; before the first he may change texts by hand.

    After a judge he may send the text back to its writer as well.
    """
    revise = Choice(
        REVISE,
        "再修订一轮",
        "写手照你的意见改，再重新评审",
        f"novel decide {chapter} {REVISE} --note 你的意见",
    )
    return (
        Choice(GO_ON, "接着往下走", "你手改过的也算数", f"novel decide {chapter} {GO_ON}"),
        *([revise] if phase == "judge" else []),
        Choice(
            AGAIN,
            "再做一遍",
            "可以附上你的意见；这一稿会存档",
            f"novel decide {chapter} {AGAIN} --note 你的意见",
        ),
        Choice(STOP, "先停在这里", "下次从这里接着走", f"novel decide {chapter} {STOP}"),
    )
