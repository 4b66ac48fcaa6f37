"""Merging foreshadow ops: twice is once, nothing goes back, nothing is lost, whatever the ops hold."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.foreshadowing import facts as foreshadowing_facts
from novel_hooks.rules.foreshadowing.item import ACTIONS

ids = st.sampled_from(["jade", "sword", "well", "lamp"])
ranges = st.sampled_from([None, "", [1, 4], [4, 1], [True, 2], "1-4"])
items = st.fixed_dictionaries(
    {"id": ids},
    optional={
        "description": st.sampled_from([None, "", "jade", "玉佩裂了"]),
        "scope": st.sampled_from([None, "", "short", "medium", "long", "epic"]),
        "status": st.sampled_from([None, "", *ACTIONS]),
        "planted_chapter": st.sampled_from([None, 2]),
        "target_resolve_range": ranges,
        "last_updated_chapter": st.sampled_from([None, 1, 9, "3"]),
        "history": st.sampled_from([None, [], ["x"], [{"chapter": 3, "action": "advanced", "detail": "旧"}]]),
        "note": st.just("作者的话"),
    },
)
documents = st.lists(items, max_size=4, unique_by=lambda item: item["id"])
ops = st.fixed_dictionaries(
    {
        "op": st.sampled_from(["foreshadow", "foreshadow", "set"]),
        "path": st.one_of(ids, st.sampled_from(["", None])),
        "value": st.sampled_from([*ACTIONS, "gone", None, []]),
    },
    optional={"detail": st.sampled_from(["雨夜", None, 4])},
)
chapters = st.integers(1, 12)


@given(documents, documents, st.lists(ops, max_size=8), chapters)
def test_the_same_ops_again_change_nothing(facts: Any, plan: Any, listed: Any, chapter: int) -> None:
    once = foreshadowing_facts.merge(facts, plan, listed, chapter, "main")
    twice = foreshadowing_facts.merge(once.document, plan, listed, chapter, "main")
    assert json.dumps(twice.document, sort_keys=True) == json.dumps(once.document, sort_keys=True)


@given(documents, documents, st.lists(ops, max_size=8), chapters)
def test_facts_only_grow(facts: Any, plan: Any, listed: Any, chapter: int) -> None:
    was = json.dumps([facts, plan])
    after = {
        item["id"]: item
        for item in foreshadowing_facts.merge(facts, plan, listed, chapter, "main").document["foreshadowing"]
    }
    assert json.dumps([facts, plan]) == was
    for before in facts:
        item = after[before["id"]]
        rank = [*ACTIONS, None, ""]
        if before.get("status"):
            assert rank.index(item["status"]) >= rank.index(before["status"])
        assert (before.get("history") or []) == (item.get("history") or [])[
            : len(before.get("history") or [])
        ]
        assert item.get("note") == before.get("note")
        for key in ("planted_chapter", "planted_storyline"):
            assert before.get(key) in (None, "", item.get(key))
        if before.get("description") not in (None, "", before["id"]):
            assert item["description"] == before["description"]


@given(documents, documents, chapters)
def test_tasks_are_sorted_unresolved_and_none_twice(facts: Any, plan: Any, chapter: int) -> None:
    found = foreshadowing_facts.tasks(facts, plan, chapter)
    names = [item["id"] for item in found]
    assert names == sorted(set(names))
    assert all(item.get("status") != "resolved" for item in found)
    assert not set(names) & {item["id"] for item in facts if item.get("status") == "resolved"}
