"""Changes of one file of the sample's own volume, and what is told of them."""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from planbook import sample_book

from novel_hooks import layout
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.planning.desk import PlanDesk
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from builders import Book

    from novel_hooks.errors import Diagnostic, Problem

OUTLINE, SCHEDULE, PLAN = (
    layout.staged(f(1)) for f in (layout.outline, layout.schedule, layout.foreshadowing_plan)
)


CARD = layout.character_card("lu-dun")


def deal(chapter: int) -> str:
    return layout.staged(layout.contract(1, chapter))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """The sample, set up, its volume in staging."""
    made = sample_book(tmp_path_factory.mktemp("sample") / "book")
    there = made.at(layout.staged("volumes"))
    there.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(str(made.at("volumes")), str(there))
    made.point(orchestrator_state="VOL_PLANNING", current_volume=1)
    reading = Reading(Project(str(made.at("."))))
    problems(reading)
    made.write(layout.VALIDITY, reading.validity.changes() or b"")  # or each test would judge all shapes anew
    return made


@pytest.fixture
def made(whole: Book) -> Iterator[Book]:
    """The same, put back behind the test."""
    files = {p: p.read_bytes() for p in whole.at(".").rglob("*") if p.is_file()}
    yield whole
    for path in [p for p in whole.at(".").rglob("*") if p.is_file() and p not in files]:
        path.unlink()
    for path, data in files.items():
        if not path.exists() or path.read_bytes() != data:
            path.write_bytes(data)


def problems(reading: Reading) -> tuple[Problem, ...]:
    return PlanDesk(reading, 1).step_files(steps.parse("volume:01:outline"))[1]


def told(made: Book) -> list[Diagnostic]:
    return [p.diagnostic() for p in problems(Reading(Project(str(made.at(".")))))]


class Change:
    """One change of the book: `said` (code, what its message holds) for each finding that it must bring."""

    def __init__(self, name: str, make: Callable[[Book], object], *said: tuple[str, str]) -> None:
        self.name, self.make, self.said = name, make, said


def text(path: str, old: str, new: str) -> Callable[[Book], None]:
    def make(made: Book) -> None:
        before = made.at(path).read_text("utf-8")
        assert old in before
        made.at(path).write_text(before.replace(old, new, 1), "utf-8")

    return make


def document(path: str, change: Callable[[Any], object]) -> Callable[[Book], None]:
    def make(made: Book) -> None:
        held = json.loads(made.at(path).read_text("utf-8"))
        change(held)
        made.at(path).write_text(json.dumps(held, ensure_ascii=False), "utf-8")

    return make


def blank(key: str, mark: str = "**") -> Callable[[Book], None]:
    """Chapter 1's key line without its value, or, with another mark, misspelt."""

    def make(made: Book) -> None:
        value = r"\2" if mark != "**" else ""
        before = made.at(OUTLINE).read_text("utf-8")
        after = re.sub(rf"- (\*\*){key}\*\*:(.*)", rf"- {mark}{key}{mark}:{value}", before, count=1)
        made.at(OUTLINE).write_text(after, "utf-8")

    return make


def states(d: Any) -> Any:
    return d["preconditions"]["character_states"]


def rules(d: Any) -> Any:
    return d["preconditions"]["required_world_rules"]


def updates(d: Any) -> Any:
    return d["postconditions"]["foreshadowing_updates"]


def renamed(held: Any, old: str, new: str) -> None:
    held[new] = held.pop(old)


def line(number: int, **change: Any) -> Callable[[Book], None]:
    return document(SCHEDULE, lambda d: d["active_storylines"][number].update(change))


def event(**change: Any) -> Callable[[Book], None]:
    return document(SCHEDULE, lambda d: d["convergence_events"][0].update(change))


def thread(name: str, **change: Any) -> Callable[[Book], None]:
    """A value of None takes the key away."""

    def make(d: Any) -> None:
        item = next(one for one in d["foreshadowing"] if one["id"] == name)
        item.update(change)
        for key in [key for key, value in change.items() if value is None]:
            del item[key]

    return document(PLAN, make)


CONTRACT, CHAIN, CAST, WHO = "VOLUME_CONTRACT", "VOLUME_CHAIN", "VOLUME_CAST", "VOLUME_CHARACTER"


LINE, MEET, THREAD, WORLD = (
    "VOLUME_STORYLINE",
    "VOLUME_CONVERGENCE",
    "VOLUME_FORESHADOWING",
    "VOLUME_WORLD_RULE",
)


SHAPE = "PLAN_BROKEN"


HINT = "transition_hint"


def check_told_once(made: Book, change: Change) -> None:
    change.make(made)
    found = told(made)
    assert len(found) == len(change.said), found
    for code, said in change.said:
        assert any(one.code == code and said in one.message + one.fix for one in found), found
    for one in found:
        assert one.path and one.path in one.message + one.fix and one.fix, one
