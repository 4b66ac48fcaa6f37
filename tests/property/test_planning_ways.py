"""From every mix of state, landed files and staged ones, `next` leads from setting up to the first draft."""

from __future__ import annotations

import itertools
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book
from builders import fast_disk as fast_disk
from conftest import examples
from copying import copied
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from planbook import SAMPLE, sample_book

from novel_hooks import layout
from novel_hooks.rules.steps import checkpoint as checkpoints
from novel_hooks.rules.steps import next_step
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.next_step import Planned
from novel_hooks.store.files import assets

if TYPE_CHECKING:
    from pathlib import Path

PARTS: dict[str, tuple[str, ...]] = {
    "setup:brief": (layout.BRIEF,),
    "setup:world": (layout.WORLD,),
    "setup:characters": ("characters",),
    "setup:style": (layout.STYLE_PROFILE,),
    "volume:01:outline": ("volumes", layout.STORYLINES),
}
BREAK = {
    "setup:brief": layout.BRIEF,
    "setup:world": layout.WORLD_RULES,
    "setup:characters": layout.character_card("xu-er"),
    "setup:style": layout.STYLE_PROFILE,
    "volume:01:outline": layout.contract(1, 3),
}
WAYS = ("absent", "landed", "staged", "broken")
STATES = ("INIT", "QUICK_START", "VOL_PLANNING", "WRITING", "ERROR_RETRY")
LAST = (None, "setup:world", "setup:style", "volume:01:outline", "volume:01:validate")
MOST = 40
"""Commands; the longest way is 5 steps of 3 commands, a validation and two landings."""


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """Without a text of the author's to measure: the sample's profile has numbers of another one."""
    made = sample_book(tmp_path_factory.mktemp("ways") / "book")
    made.drop(SAMPLE)
    return made


def place(made: Book, step: str, to: str) -> None:
    """The right files of a step, landed or staged."""
    for part in PARTS[step]:
        source = assets.package_path(f"sample/project/{part}")
        target = made.at(part if to == "landed" else layout.staged(part))
        target.parent.mkdir(parents=True, exist_ok=True)
        if not part.endswith((".md", ".json")):
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            shutil.copy(source, target)


def world(sample: Book, root: Path, state: str, ways: dict[str, str], last: str | None) -> Book:
    made = copied(sample, root)
    for step, way in ways.items():
        for part in PARTS[step]:
            there = made.at(part)
            shutil.rmtree(there) if there.is_dir() else there.unlink()
        if way == "broken":
            place(made, step, "staged")
            made.write(layout.staged(BREAK[step]), "{" if BREAK[step].endswith("json") else " ")
        elif way != "absent":
            place(made, step, way)
    early = state in ("INIT", "QUICK_START", "ERROR_RETRY")
    error = {"error": {"step": "setup:world", "reason": "没有交稿", "from_state": "QUICK_START"}}
    made.point(
        orchestrator_state=state,
        current_volume=0 if early else 1,
        last_step=last,
        **(error if state == "ERROR_RETRY" else {}),
    )
    return made


def follow(made: Book) -> list[str]:
    """What a host does that knows nothing but `next`, with agents who do their work."""
    trace: list[str] = []
    while len(trace) < MOST:
        due: dict[str, Any] = made.next()
        step, phase = due["step"], due["phase"]
        trace.append(str(step))
        if step is None:
            made.ok(*due["choices"][0]["command"].split()[1:])
        elif step.startswith("chapter:"):
            return trace
        elif phase == "commit":
            made.ok("commit", *(["--setup"] if step.startswith("setup") else ["--volume", "1"]))
        elif due["recorded"]:
            made.ok("advance", step)
        else:
            made.ok("instructions", step, "--write-manifest")
            place(made, step, "staged")
            made.ok("validate", step)
            made.ok("advance", step)
    raise AssertionError(trace)


@given(
    state=st.sampled_from(STATES),
    ways=st.fixed_dictionaries({step: st.sampled_from(WAYS) for step in PARTS}),
    last=st.sampled_from(LAST),
)
@settings(
    max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_every_mix_ends_at_the_first_draft(
    sample: Book, tmp_path: Path, state: str, ways: dict[str, str], last: str | None
) -> None:
    if state in ("VOL_PLANNING", "WRITING"):  # set up already: what has landed is there
        ways = {step: ways[step] if step.startswith("volume") else "landed" for step in ways}
    root = tmp_path / f"world-{len(list(tmp_path.iterdir()))}"
    trace = follow(world(sample, root, state, ways, last))
    assert trace[-1] == "chapter:001:draft"
    assert len(set(trace)) == len(trace), trace
    shutil.rmtree(root)


def test_the_table_names_a_step_for_every_plan() -> None:
    """Over the pure table: each row has a step, and that step may be advanced or landed."""
    phases = (None, "brief", "world", "characters", "style")
    count = 0
    for state, setup, outline, volume_phase, faulty in itertools.product(
        ("INIT", "QUICK_START", "VOL_PLANNING", "WRITING", "VOL_REVIEW"),
        phases,
        (False, True),
        ("outline", "validate", "commit"),
        (False, True),
    ):
        point = checkpoints.initial(1, state)
        plan = Planned(outline, 6 if outline else None, setup, volume_phase, faulty)
        due = next_step.next_step(point, None, plan)
        assert due.step is not None and due.reason and not due.stop
        if due.step.kind in ("setup", "volume"):
            assert next_step.may_advance_plan(due.step, due, None)
            assert due.recorded is (due.step.phase in ("validate", "review"))
        count += 1
    assert count == 300


def test_earlier_steps_are_taken_and_later_ones_only_when_handed_out() -> None:
    due = next_step.next_step(checkpoints.initial(), None, Planned(setup="characters"))
    for phase in ("brief", "world", "characters"):
        assert next_step.may_advance_plan(steps.parse(f"setup:{phase}"), due, None)
    style = steps.parse("setup:style")
    assert not next_step.may_advance_plan(style, due, None)
    assert next_step.may_advance_plan(style, due, "setup:style")
    assert not next_step.may_advance_plan(steps.parse("volume:01:outline"), due, "setup:world")
