"""Undoing chapters is the inverse of merging them, for any chapters and any point to go back to."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from novel_hooks import layout
from novel_hooks.rules.foreshadowing import facts as foreshadowing_facts
from novel_hooks.rules.state import changelog, landed_record, rollback
from novel_hooks.rules.state.delta import apply

NAMES = st.sampled_from(["bell-rope", "oar", "third-lamp"])
ACTIONS = st.sampled_from(["planted", "advanced", "resolved", "forgotten"])
OPS = st.lists(st.tuples(NAMES, ACTIONS), max_size=3)
LINES = st.sampled_from(["river-line", "tower-line"])
CHAPTERS = st.lists(st.tuples(OPS, LINES), min_size=1, max_size=7)


def op(name: str, action: str) -> dict[str, Any]:
    return {"op": "foreshadow", "path": name, "value": action, "detail": action}


def record(
    chapter: int, line: str, memory: str | None, threads: dict[str, Any]
) -> landed_record.LandedRecord:
    before = {layout.memory(line): memory, layout.FORESHADOWING: threads}
    places = (layout.chapter, layout.summary, layout.evaluation, layout.crossref)
    hashes = {place(chapter): "0" * 64 for place in places}
    document = {"chapter": chapter, "storyline_id": line, "before": before, "sha256": hashes}
    return landed_record.read({**document, "created": [], "waiting": []}, chapter)


@given(CHAPTERS, st.data())
def test_undone_is_as_it_was(chapters: list[tuple[list[tuple[str, str]], str]], data: st.DataObject) -> None:
    mine = {"id": "mine", "status": "planted", "description": "作者自己的"}
    facts: dict[str, Any] = {"foreshadowing": [mine], "note": 1}
    memories: dict[str, str | None] = {"river-line": None, "tower-line": "旧的"}
    stages, records = [(facts, dict(memories))], []
    for chapter, (ops, line) in enumerate(chapters, start=1):
        known = {item["id"]: item for item in facts["foreshadowing"]}
        touched = {name: known.get(name) for name, _ in ops}
        records.append(record(chapter, line, memories[line], touched))
        facts = foreshadowing_facts.merge(facts, None, [op(*one) for one in ops], chapter, line).document
        memories[line] = f"第 {chapter} 章"
        stages.append((facts, dict(memories)))
    to = data.draw(st.integers(0, len(chapters)))
    undone = rollback.threads_before(facts, records[to:])
    told = {**{layout.memory(k): v for k, v in memories.items()}, **rollback.memories_before(records[to:])}
    assert (facts if undone is None else undone) == stages[to][0]
    assert told == {layout.memory(k): v for k, v in stages[to][1].items()}
    assert rollback.later_traces((undone or facts)["foreshadowing"], to) == []


@given(st.lists(st.integers(0, 3), min_size=1, max_size=6), st.data())
def test_a_prefix_of_the_log_is_the_state_it_was(moves: list[int], data: st.DataObject) -> None:
    state: dict[str, Any] | None = None
    lines, stages = [], [changelog.replay([])]
    for chapter, count in enumerate(moves, start=1):
        ops = [{"op": "inc", "path": "world_state.lamps", "value": count}] * (count > 0)
        base = stages[-1]["state_version"]
        applied = apply(state, {"chapter": chapter, "ops": ops})
        state = applied.state
        lines.append(changelog.log_line("", chapter, None, base, base + 1, applied.ops, []))
        stages.append(state)
    to = data.draw(st.integers(0, len(moves)))
    kept = rollback.count_lines(lines, to)
    assert (kept, changelog.replay(lines[:kept])) == (to, stages[to])
    assert list(changelog.states(lines)) == stages
