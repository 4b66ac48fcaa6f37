"""From every mix of state, files, verdicts and R, `next` leads to a commit or to the author; never round.

First over the pure table, thousands of worlds; then a sample of them on real files, where every command
must take the steps of the model (`worldmodel`).
"""

from __future__ import annotations

import itertools
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from builders import Book, book, make_verdict
from builders import fast_disk as fast_disk
from conftest import examples
from copying import copied
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from worldmodel import CHAPTER, STAGES, VIOLATION, Eval, Script, World, follow, looked, may_land

from novel_hooks import layout
from novel_hooks.rules.steps.break_points import PHASES as EVERY

if TYPE_CHECKING:
    from collections.abc import Iterator

SCORES = (4.5, 3.7, 3.2, 2.5, 1.5, VIOLATION)
PLAIN = (
    Script((4.5,)),
    Script((3.7,)),
    Script((3.2,), deaths=(0,)),
    Script((VIOLATION,), ("accept",)),
    Script((2.5, 4.5), ("revise", "rewrite", "accept")),
    Script((1.5,), ("rewrite", "revise", "revise", "accept"), deaths=(1, 4)),
    Script((3.2, 3.7, VIOLATION, 4.5), ("revise", "accept"), deaths=(0, 2, 3)),
)
LOOKING = (
    Script((4.5,), stops=EVERY),
    Script((3.7, 4.5), stops=EVERY, looks=("again",) * 6),
    Script((3.2,), ("accept",), deaths=(0, 4), stops=("draft", "revise"), looks=("again", "go-on", "again")),
    Script(
        (2.5, 4.5), ("revise", "rewrite", "accept"), stops=EVERY, looks=("go-on", "again", "go-on", "stop")
    ),
    Script(
        (VIOLATION, 3.7), ("accept",), deaths=(1, 2), stops=("judge", "polish", "refine"), looks=("stop",)
    ),
    Script((3.7,), stops=("polish", "summarize"), looks=("again", "go-on", "go-on", "again", "stop")),
)
SCRIPTS = (*PLAIN, *LOOKING)
ENOUGH = 150


def evaluations(key_chapter: bool) -> Iterator[Eval | None]:
    yield None
    roles = [("primary",), ("secondary",), ("primary", "secondary")] if key_chapter else [("primary",)]
    marks = [(None, False, False), ("polish", False, False), ("revise", False, False)]
    marks += [("pause_for_user", True, False), ("polish", False, True)]
    for held, score, text, mark in itertools.product(roles, SCORES, (None, 1, 2), marks):
        yield Eval(dict.fromkeys(held, score), text, *mark)


def worlds() -> Iterator[World]:
    """Version 2 of the text is staged, or none; verdicts are on version 1, on 2, or on who knows what."""
    for key_chapter in (False, True):
        for found in evaluations(key_chapter):
            for stage, revisions, text, recorded in itertools.product(
                STAGES, range(4), (0, 2), (False, True)
            ):
                yield World(stage, revisions, text, recorded, found, key_chapter)


def run(world: World, script: Script) -> list[tuple[str, World]]:
    return list(follow(world, script, ENOUGH))


def check(world: World, script: Script) -> None:
    trace = run(world, script)
    done, last = trace[-1]
    assert done in ("commit", "ask")
    if done == "ask":
        return
    found = last.evaluation
    assert found is not None and may_land(last), trace
    told = world.evaluation is not None and world.evaluation.text in (None, world.text)
    heard = last.judged | ({world.text} if told else set())
    assert found.polished or last.text in heard, trace


# One in so many worlds, prime to the number of scripts and to that of every part of a world.
SHARES = (11, pytest.param(1, marks=pytest.mark.exhaustive))


@pytest.mark.parametrize("every", SHARES)
def test_every_world_ends_well(every: int) -> None:
    count = 0
    for number, world in enumerate(worlds()):
        count += 1
        if number % every == 0:
            check(world, SCRIPTS[(number + number // len(SCRIPTS)) % len(SCRIPTS)])
    assert count > 20000


@pytest.mark.parametrize("script", SCRIPTS, ids=str)
def test_an_error_asks_first_and_goes_on_after_retry(script: Script) -> None:
    for stage, text in itertools.product(STAGES, (0, 2)):
        world = World(stage, 1, text, True, Eval({"primary": 3.7}, 2), state="ERROR_RETRY")
        asked = replace(world, stops=script.stops)
        assert run(world, replace(script, answers=())) == [("ask", asked)]
        check(world, replace(script, answers=("retry", *script.answers)))


def test_without_deaths_and_questions_a_chapter_takes_few_turns() -> None:
    fresh = World("drafting", 0, 0, False, None)
    plain = ["draft", "summarize", "refine", "judge primary", "gate"]
    again = ["revise", *plain[1:]]
    for scores, expected in (
        ((4.5,), [*plain, "commit"]),
        ((3.7,), [*plain, "polish", "commit"]),
        ((3.2,), [*plain, *again, *again, "commit"]),
        ((VIOLATION,), [*plain, *again, *again, "ask"]),
        ((2.5,), [*plain, "ask"]),
        ((VIOLATION, 4.5), [*plain, *again, "commit"]),
    ):
        assert [what for what, _ in run(fresh, Script(scores))] == expected


@pytest.mark.parametrize("every", [11 * 17, pytest.param(7, marks=pytest.mark.exhaustive)])
def test_every_world_stops_where_the_author_wants_to_look(every: int) -> None:
    """What lands was seen in the very text that was taken, and no agent works on what he has not answered."""
    for number, world in enumerate(worlds()):
        if number % every == 0:
            _looked_at(run(world, LOOKING[(number // every) % len(LOOKING)]))


def _looked_at(trace: list[tuple[str, World]]) -> None:
    for (done, at), (then, _) in zip(trace, trace[1:]):
        if done.endswith(" †") and done[:-2] in at.stops:
            assert then.split() in ([word, done[:-2]] for word in ("go-on", "again", "stop")), trace
        if done.startswith(("go-on ", "stop ")):
            phase = done.split()[1]
            assert then in (f"{phase} taken", "gate" if phase == "judge" else ""), trace
        if done.startswith("again "):
            assert then.split()[0] == done.split()[1], trace


# the same on real files ------------------------------------------------------------------------------


class Stage:
    """The world on disk, and the same script through the commands."""

    def __init__(self, made: Book, world: World, script: Script) -> None:
        self.made = made
        self.script = script
        self.newest = world.newest
        self.stops = script.stops
        self._set(world)

    def _set(self, world: World) -> None:
        made = self.made
        if world.key_chapter:
            made.key_chapter()
        if world.recorded:
            made.records()
        for version in (1, 2):
            made.draft(version=version)
            if world.evaluation and world.evaluation.text in (None, version):
                self._evaluate(world.evaluation)
        if not world.text:
            made.drop(made.staged("chapter"))
        error = {"step": made.step("draft"), "reason": "x", "from_state": "WRITING"}
        failed = {"orchestrator_state": "ERROR_RETRY", "error": error}
        made.stage(world.stage, world.revisions, **(failed if world.state == "ERROR_RETRY" else {}))

    def _evaluate(self, found: Eval) -> None:
        gate = {"decision": found.stored, "polished": found.polished}
        if found.accepted:
            gate["accepted"] = {"by": "author"}
        sha = {} if found.text else {"text_sha256": None}
        verdicts = {role: said(score) for role, score in found.scores.items()}
        document = self.made.evaluation(4.5, gate=gate, **sha)
        used = min(verdicts, key=lambda role: found.scores[role])
        judges = {
            role: {"model": None, "overall": v["overall"], "verdict": v} for role, v in verdicts.items()
        }
        document["metadata"]["judges"] = {**judges, "used": used, "overall_final": verdicts[used]["overall"]}
        document.update(verdicts[used], overall_final=verdicts[used]["overall"])
        self.made.write(self.made.staged("evaluation"), document)

    def follow(self) -> Iterator[str]:
        scores, answers = iter(self.script.scores * ENOUGH), iter(self.script.answers)
        looks = looked(self.script)
        for turn in range(ENOUGH):
            if self.stops:
                self.made.ok("lock", "acquire", "--step", ",".join(self.stops))
            found = self.made.next()
            if found["stop"] and found["recorded"]:
                said = next(looks)
                self.made.ok("decide", str(CHAPTER), said)
                self.stops = () if said == "stop" else self.stops
                yield f"{said} {found['phase']}"
            elif found["stop"]:
                answer = next(answers, None)
                if answer is None:
                    yield "ask"
                    return
                if found["step"] is None:
                    answer = "retry"
                    self.made.ok("retry")
                else:
                    self.made.ok("decide", str(CHAPTER), answer)
                yield answer
            elif found["phase"] == "commit":
                self.made.ok("commit", "--chapter", str(CHAPTER))
                yield "commit"
                return
            elif found["recorded"]:
                self.made.advance(found["phase"])
                yield "gate" if found["phase"] == "judge" else f"{found['phase']} taken"
            else:
                yield self._crew(found["step"], found["phase"], scores, turn in self.script.deaths)
        raise AssertionError("it goes round")

    def _crew(self, step: str, phase: str, scores: Iterator[float], dies: bool) -> str:
        packet = self.made.ok("instructions", step)
        if phase == "judge":
            words = self.made.words(said(next(scores)))
            self.made.ok("judge", "record", "--role", packet["role"], "--file", words)
            return f"judge {packet['role']}"
        if phase == "summarize":
            self.made.records()
        else:
            self.newest += 1
            self.made.draft(version=self.newest)
        if dies or phase in self.stops:
            return f"{phase} †"
        self.made.advance(phase)
        return phase


def said(score: float) -> dict[str, object]:
    return make_verdict(score, "l1" if score == VIOLATION else None)


@pytest.fixture(scope="module")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Book:
    return book(tmp_path_factory.mktemp("blank"))


EVALS = st.builds(
    Eval,
    st.dictionaries(st.sampled_from(["primary", "secondary"]), st.sampled_from(SCORES), min_size=1),
    st.sampled_from([None, 1, 2]),
    st.sampled_from([None, "polish", "revise"]),
    st.booleans(),
    st.booleans(),
).filter(lambda found: not (found.accepted and found.polished))
WORLDS = st.builds(
    World,
    st.sampled_from(STAGES),
    st.integers(0, 3),
    st.sampled_from([0, 2]),
    st.booleans(),
    st.none() | EVALS,
    st.booleans(),
    st.sampled_from(["WRITING", "WRITING", "ERROR_RETRY"]),
)


@settings(
    max_examples=examples(40),
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(world=WORLDS, script=st.sampled_from(SCRIPTS))
def test_the_commands_take_the_steps_of_the_model(
    blank: Book, tmp_path_factory: pytest.TempPathFactory, world: World, script: Script
) -> None:
    made = copied(blank, tmp_path_factory.mktemp("world") / "book")
    try:
        _as_the_model(made, world, script)
    finally:
        shutil.rmtree(made.root)


def _as_the_model(made: Book, world: World, script: Script) -> None:
    landed = made.at(layout.chapter(CHAPTER))
    trace = run(world, script)
    assert list(Stage(made, world, script).follow()) == [what for what, _ in trace]
    assert landed.exists() is (trace[-1][0] == "commit")
    if landed.exists():
        last = trace[-2][1] if len(trace) > 1 else world
        assert f"第{last.text}稿" in landed.read_text("utf-8")
        gate = made.json(layout.evaluation(CHAPTER))["metadata"]["gate"]
        found = last.evaluation
        assert found is not None
        assert (bool(gate.get("accepted")), bool(gate.get("polished"))) == (found.accepted, found.polished)
        assert found.accepted or found.polished or gate["decision"] == "pass"
