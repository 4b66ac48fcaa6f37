"""What doctor says of a piece of foreshadowing is done to the letter, and then nothing is wrong with it."""

from __future__ import annotations

import copy
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from hypothesis import given
from hypothesis import strategies as st
from rewriting import plant, write_chapter

from novel_hooks import layout
from novel_hooks.rules.state import foreshadowing_consistency

if TYPE_CHECKING:
    from pathlib import Path

LAST = 4
PLACE = re.compile("第 ([0-9]+) 项")
ACTIONS = st.sampled_from(["planted", "advanced", "resolved"])
CHAPTERS = st.one_of(st.none(), st.integers(1, 8))
ENTRIES = st.fixed_dictionaries({"chapter": st.integers(1, 8), "action": ACTIONS})
ITEMS = st.fixed_dictionaries(
    {
        "id": st.sampled_from(["oar", "bell-rope"]),
        "status": st.one_of(ACTIONS, st.none()),
        "planted_chapter": CHAPTERS,
        "last_updated_chapter": CHAPTERS,
        "history": st.one_of(st.none(), st.lists(ENTRIES, max_size=4)),
    }
)


def follow(items: list[dict[str, Any]], name: str, how: str) -> None:
    """Do what `how` says about the item `name`, and nothing else."""
    steps = how.replace("状态（status）", " status ").partition("（")[0]
    at = next(place for place, item in enumerate(items) if item["id"] == name)
    twice = re.match("就是列表里的第 ([0-9]+) 条和第 ([0-9]+) 条", steps)
    if twice:
        assert items[int(twice.group(1)) - 1]["id"] == items[int(twice.group(2)) - 1]["id"] == name
        del items[int(twice.group(2)) - 1]
        return
    if steps == "把它整条删去":
        del items[at]
        return
    item = items[at]
    done = False
    for step in steps.split("，"):
        told = re.match("把 (status|last_updated_chapter) (?:从 ([^ ]+) )?改成 ([a-z0-9]+)", step)
        if step.startswith(("删去 history 里的", "删去其中的")):
            gone = {int(number) for number in PLACE.findall(step)}
            item["history"] = [e for n, e in enumerate(item["history"], start=1) if n not in gone]
        elif told and told.group(1) == "status":
            assert told.group(2) in (None, item["status"])
            item["status"] = told.group(3)
        elif told:
            assert told.group(2) == str(item["last_updated_chapter"])
            item["last_updated_chapter"] = None if told.group(3) == "null" else int(told.group(3))
        else:
            assert done, how
        done = True


@given(st.lists(ITEMS, max_size=3), st.integers(0, LAST))
def test_done_as_told_nothing_is_left(items: list[dict[str, Any]], last: int) -> None:
    """One finding after the other; each takes something away, so there is an end."""
    items = copy.deepcopy(items)
    for _ in range(20):
        found = [p for p in foreshadowing_consistency.problems(items, last) if _own(items, p)]
        if not found:
            break
        follow(items, found[0].values["name"], found[0].values["how"])
    assert foreshadowing_consistency.problems(items, last) == []


def _own(items: list[dict[str, Any]], problem: Any) -> bool:
    """Two items of one id first: a name says only then which one is meant."""
    twice = len({item["id"] for item in items}) < len(items)
    return not twice or "出现了两次" in problem.values["detail"]


@pytest.mark.parametrize("to", [4, 3, 2, 1])
def test_after_a_rollback_without_records(tmp_path: Path, to: int) -> None:
    made = book(tmp_path, 1)
    for op in (plant("oar"), plant("third-lamp"), plant("oar", "advanced"), plant("oar", "resolved")):
        write_chapter(made, op)
    made.ok("lock", "release")
    for chapter in range(2, 6):
        made.drop(layout.landed_record(chapter))
    made.ok("rollback", str(to), "--yes")
    found = odd(made)
    assert found and all(d.path == layout.FORESHADOWING and "「" in d.fix for d in found)
    document = made.json(layout.FORESHADOWING)
    for diagnostic in found:
        asked = re.match("请打开 .*，找到 id 是「.*」（(.*)）的一条，(.*)。$", diagnostic.fix)
        name, how = asked.groups()  # type: ignore[union-attr]
        follow(document["foreshadowing"], name, how)
    made.write(layout.FORESHADOWING, document)
    assert made.novel("doctor").exit == 0
    statuses = {item["id"]: item["status"] for item in document["foreshadowing"]}
    assert statuses.get("oar") == {4: "advanced", 3: "planted", 2: "planted"}.get(to)
    made.chapter = to + 1
    write_chapter(made, plant("oar", "advanced"))
    assert made.novel("doctor").exit == 0


def odd(made: Book) -> list[Any]:
    return [d for d in made.novel("doctor").diagnostics if d.code == "FORESHADOWING_ODD"]


@pytest.mark.parametrize("whole", [False, True], ids=["history", "item"])
def test_what_the_facts_lost_is_told_so_that_it_can_be_put_back(tmp_path: Path, whole: bool) -> None:
    made = book(tmp_path, 1)
    write_chapter(made, plant("oar"))
    write_chapter(made, plant("oar", "advanced"))
    document = made.json(layout.FORESHADOWING)
    item = next(one for one in document["foreshadowing"] if one["id"] == "oar")
    if whole:
        document["foreshadowing"].remove(item)
    item["history"] = []
    made.write(layout.FORESHADOWING, document)
    told = next(d for d in made.novel("doctor").diagnostics if d.code == "FORESHADOWING_DISAGREES")
    entries = [json.loads(one) for one in re.findall(r"\{[^}]*\}", told.fix)]
    if whole:
        assert "添一条 id 是「oar」的伏笔" in told.fix
        item = {"id": "oar", "history": []}
        document["foreshadowing"].append(item)
    item["history"] += entries
    made.write(layout.FORESHADOWING, document)
    assert "FORESHADOWING_DISAGREES" not in {d.code for d in made.novel("doctor").diagnostics}
