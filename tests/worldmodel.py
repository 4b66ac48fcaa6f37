"""Protocol §2 once more, small and pure: a world of one chapter, a scripted crew, an author with answers.

`follow` does what `next` says until the chapter lands or nothing more is scripted. The same world can be
put on disk (`test_statespace`), where the commands must take the very same steps.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import chain, repeat
from typing import TYPE_CHECKING

from novel_hooks.rules.evaluation import gate as gates
from novel_hooks.rules.steps import break_points, next_step
from novel_hooks.rules.steps.break_points import OpenStep
from novel_hooks.rules.steps.checkpoint import Checkpoint
from novel_hooks.rules.steps.next_step import Staged, StagedVerdict

if TYPE_CHECKING:
    from collections.abc import Iterator

CHAPTER = 2
STAGES = ("drafting", "drafted", "refined", "judged", "revising")
VIOLATION = 4.6
"""This score comes with a violation that the judge is sure of; no other one does."""


@dataclass(frozen=True)
class Eval:
    """`scores` by role; `text` is the version judged, None when no hash says so."""

    scores: dict[str, float]
    text: int | None
    stored: str | None = None
    accepted: bool = False
    polished: bool = False

    def overall(self) -> float:
        return min(self.scores.values())

    def violation(self) -> bool:
        return VIOLATION in self.scores.values()


@dataclass(frozen=True)
class World:
    """`text` is the staged chapter's version, 0 = none that passes; versions only ever go up.

    `stops` are this run's break points, `out` the step that is out and what the author said of it, `before`
    the text that its agent was given.
    """

    stage: str
    revisions: int
    text: int
    recorded: bool
    evaluation: Eval | None
    key_chapter: bool = False
    state: str = "WRITING"
    newest: int = 2
    judged: frozenset[int] = field(default_factory=frozenset)
    stops: tuple[str, ...] = ()
    out: OpenStep | None = None
    before: int = 0

    def write(self) -> World:
        return replace(self, text=self.newest + 1, newest=self.newest + 1)


@dataclass(frozen=True)
class Script:
    """What happens when it is their turn: the judges' scores, the author's answers, sudden deaths.

    `deaths` are the turns (from 0) after which the session dies between the agent's work and `advance`.
    `looks` are his answers at break points after these phases (`stops`), then he always goes on.
    """

    scores: tuple[float, ...]
    answers: tuple[str, ...] = ()
    deaths: tuple[int, ...] = ()
    stops: tuple[str, ...] = ()
    looks: tuple[str, ...] = ()


class Loop(AssertionError):
    """More turns than any honest run takes."""


def decision(world: World) -> str:
    assert world.evaluation is not None
    found = world.evaluation
    return gates.decide(found.overall(), found.violation(), world.revisions).decision


def missing(world: World) -> tuple[str, ...]:
    needed = ("primary", "secondary") if world.key_chapter else ("primary",)
    held = world.evaluation.scores if world.evaluation else {}
    return tuple(role for role in needed if role not in held)


def due(world: World) -> next_step.Next:
    """What the product's own table says."""
    state = (
        world.state if world.state == "ERROR_RETRY" else "CHAPTER_REWRITE" if world.revisions else "WRITING"
    )
    document = {"error": {"step": "chapter:002:draft"}}
    point = Checkpoint(CHAPTER - 1, 1, state, world.stage, CHAPTER, world.revisions, document)
    found = world.evaluation
    verdict = None
    if world.text and found is not None:
        verdict = StagedVerdict(
            missing=missing(world),
            fresh=found.text in (None, world.text),
            stored=found.stored,
            outcome=None if missing(world) else decision(world),
            accepted=found.accepted,
            polished=found.polished,
        )
    staged = Staged(bool(world.text), bool(world.text) and world.recorded, verdict)
    found_due = next_step.next_step(point, staged, None)
    if point.state == "ERROR_RETRY":
        return found_due
    phase = break_points.staged_phase(point, CHAPTER, staged, found_due, world.out)
    if phase is None:
        return found_due
    return break_points.next_after(found_due, CHAPTER, phase, world.out, world.stops, "")


def follow(world: World, script: Script, bound: int = 60) -> Iterator[tuple[str, World]]:
    """(what was done, the world after it) until the commit, or the first question without an answer."""
    scores, answers = iter(script.scores * bound), iter(script.answers)
    looks = looked(script)
    world = replace(world, stops=script.stops)
    for turn in range(bound):
        found = due(world)
        if found.stop and found.recorded and found.step is not None:
            said = next(looks)
            world = seen(world, found.step.phase, said)
            yield f"{said} {found.step.phase}", world
            continue
        if found.step is None or found.step.phase == "review":
            answer = next(answers, None)
            if answer is None:
                yield "ask", world
                return
            world = decide(world, "retry" if found.step is None else answer)
            yield "retry" if found.step is None else answer, world
            continue
        phase = found.step.phase
        if phase == "commit":
            yield "commit", world
            return
        dies = turn in script.deaths or phase in world.stops
        if found.recorded and phase != "judge":
            world = advanced(world, phase)
            yield f"{phase} taken", world
        elif phase == "judge" and not found.recorded:
            world = judged(world, found.role or "primary", next(scores))
            yield f"judge {found.role}", world
        elif phase == "judge":
            world = gated(world)
            yield "gate", world
        else:
            world = worked(world, phase)
            if not dies:
                world = advanced(world, phase)
            yield f"{phase} †" if dies else phase, world
    raise Loop(world, script)


def looked(script: Script) -> Iterator[str]:
    """What the author says at break points, one after the other."""
    return chain(script.looks, repeat(break_points.GO_ON))


def seen(world: World, phase: str, said: str) -> World:
    """He has seen what was made. Stopping ends the run, and its break points with it."""
    made = world.out is not None and world.out.phase == phase and world.out.changed
    out = OpenStep(phase, said, changed=made and said != break_points.AGAIN)
    if said == break_points.STOP:
        return replace(world, out=out, stops=())
    if said == break_points.GO_ON:
        return replace(world, out=out)
    if phase == "draft":
        return replace(world, out=out, text=0)
    if phase == "summarize":
        return replace(world, out=out, recorded=False)
    if phase == "judge":
        return replace(world, out=out, evaluation=None)
    return replace(world, out=out, text=world.before)


def handed(world: World, phase: str) -> World:
    """The packet is out: a new question for the author, and the text of before, when it is not known yet."""
    again = world.out is not None and world.out.phase == phase
    before = world.before if again and world.before else world.text
    return replace(world, out=OpenStep(phase), before=before if phase in world.stops else 0)


def worked(world: World, phase: str) -> World:
    """The agent has the packet and hands in."""
    world = handed(world, phase)
    if phase == "summarize":
        return replace(world, recorded=True)
    if phase == "draft":  # the call for a new draft takes the verdict on the lost text away
        world = replace(world, evaluation=None)
    if phase in break_points.REWRITING:
        world = replace(world, out=OpenStep(phase, changed=True))
    return world.write()


def advanced(world: World, phase: str) -> World:
    world = replace(world, out=None, before=0)
    if phase in ("draft", "revise"):
        counted = phase == "revise" and world.stage == "judged"
        world = replace(world, revisions=world.revisions + counted, recorded=False)
        return replace(world, stage="drafting", evaluation=None)
    if phase == "polish":
        assert world.evaluation is not None
        polished = replace(world.evaluation, polished=True, text=world.text)
        return replace(world, stage="judged", evaluation=polished)
    stage = {"summarize": "drafted", "refine": "refined"}[phase]
    return replace(world, stage=stage, evaluation=None)


def judged(world: World, role: str, score: float) -> World:
    """One judge's words are recorded beside the other's, when those are on the same text."""
    world = handed(world, "judge")
    found = world.evaluation
    fresh = found is not None and found.text in (None, world.text)
    held = dict(found.scores) if found is not None and fresh else {}
    seen = world.judged | {world.text}
    return replace(world, evaluation=Eval({**held, role: score}, world.text), judged=seen)


def gated(world: World) -> World:
    assert world.evaluation is not None
    outcome = decision(world)
    decided = Eval(world.evaluation.scores, world.text, outcome)
    world = replace(world, evaluation=decided, out=None, before=0)
    if outcome == "polish":
        return replace(world, stage="revising")
    if outcome == "revise":
        return replace(world, stage="revising", revisions=world.revisions + 1)
    return replace(world, stage="judged")


def decide(world: World, answer: str) -> World:
    if answer == "retry":
        return replace(world, state="WRITING")
    if answer == "rewrite":
        return replace(world, stage="drafting", revisions=0, text=0, recorded=False, evaluation=None)
    assert world.evaluation is not None
    found = replace(world.evaluation, text=world.text)
    if answer == "accept":
        return replace(world, evaluation=replace(found, accepted=True, stored=decision(world)))
    revised = replace(found, stored="revise")
    return replace(world, stage="revising", revisions=world.revisions + 1, evaluation=revised)


def may_land(world: World) -> bool:
    """Does the last verdict allow this very text?"""
    found = world.evaluation
    if not world.text or not world.recorded or found is None or missing(world):
        return False
    if found.text not in (None, world.text):
        return False
    return found.accepted or found.polished or decision(world) == "pass"
