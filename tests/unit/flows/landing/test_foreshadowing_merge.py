"""Foreshadowing at commit: merged, put off, caught up, made anew."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from rewriting import plant

from novel_hooks import layout
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.landing import foreshadowing_merge
from novel_hooks.flows.landing.foreshadowing_merge import Threads
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """One chapter whose line of the log planted the first clue."""
    return book(tmp_path)


def entry(*ops: Any, chapter: int = 2) -> dict[str, Any]:
    return {"chapter": chapter, "storyline_id": "tower-line", "ops": list(ops)}


def merged(made: Book, *ops: Any) -> Threads:
    return foreshadowing_merge.merge(Reading(Project(str(made.root))), 1, 2, entry(*ops))


def threads(found: Threads) -> dict[str, str]:
    (data,) = [change.data for change in found.changes if change.path == layout.FORESHADOWING]
    return {item["id"]: item["status"] for item in json.loads(data)["foreshadowing"]}


def log(made: Book, *lines: Any) -> None:
    made.write(layout.CHANGELOG, b"".join(jsonio.dump_line(line) for line in lines))


def test_without_foreshadowing_nothing_changes(made: Book) -> None:
    assert merged(made) == Threads((), (), {})
    assert merged(made, {"op": "set", "path": "items.lamp.oil", "value": 3}) == Threads((), (), {})


def test_what_it_touches_is_known_as_it_was(made: Book) -> None:
    known = made.json(layout.FORESHADOWING)["foreshadowing"][0]
    found = merged(made, plant(known["id"], "advanced"), plant("oar"))
    assert threads(found)["oar"] == "planted"
    assert found.before == {known["id"]: known, "oar": None}


def test_lost_facts_are_made_anew_of_the_whole_log(made: Book) -> None:
    first = {item["id"] for item in made.json(layout.FORESHADOWING)["foreshadowing"]}
    made.drop(layout.FORESHADOWING)
    assert set(threads(merged(made, plant("oar")))) == {*first, "oar"}
    assert set(threads(merged(made))) == first, "even when this chapter has none"


def test_chapters_that_waited_are_caught_up_in_their_order(made: Book) -> None:
    log(made, entry(plant("oar", "advanced"), chapter=3), entry(plant("oar"), chapter=1))
    made.write(layout.FORESHADOW_BACKLOG, "[1, 3]")
    found = merged(made, plant("bell"))
    assert (threads(found)["oar"], threads(found)["bell"]) == ("advanced", "planted")
    assert [(c.kind, c.path) for c in found.changes][-1] == ("remove", layout.FORESHADOW_BACKLOG)


def test_what_cannot_be_merged_waits(made: Book) -> None:
    made.write(layout.FORESHADOWING, "{")
    for before, ops, after in (
        (None, (plant("oar"),), [2]),
        ([1], (plant("oar"),), [1, 2]),
        ([1], (), [1]),
        ([1, 2], (plant("oar"),), [1, 2]),
    ):
        if before is not None:
            made.write(layout.FORESHADOW_BACKLOG, before)
        found = merged(made, *ops)
        (change,) = found.changes
        assert (change.path, json.loads(change.data)) == (layout.FORESHADOW_BACKLOG, after)
        assert [p.code for p in found.warnings] == ["FORESHADOWING_SKIPPED"] and found.before == {}


def test_a_broken_plan_fills_nothing_in_and_is_told(made: Book) -> None:
    made.write(layout.foreshadowing_plan(1), "{")
    found = merged(made, plant("oar"))
    assert threads(found)["oar"] == "planted"
    assert [p.path for p in found.warnings] == [layout.foreshadowing_plan(1)]


@pytest.mark.parametrize("content", ["{}", '"x"', "[1, null, true, 2]"])
def test_an_odd_backlog(made: Book, content: str) -> None:
    made.write(layout.FORESHADOW_BACKLOG, content)
    found = foreshadowing_merge.waiting_chapters(Reading(Project(str(made.root))))
    assert [n for n in found if n is not True] == ([1, 2] if content.startswith("[") else [])
