"""What the code writes fits its schema, and where rules and schema both decide, they decide alike."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from builders import book
from hypothesis import given
from hypothesis import strategies as st

import novel_hooks
from novel_hooks import layout
from novel_hooks.errors import Problem
from novel_hooks.hook.guard import pre_tool_use
from novel_hooks.rules.cast import unknown_names
from novel_hooks.rules.evaluation import document as evaluation_document
from novel_hooks.rules.evaluation import gate
from novel_hooks.rules.evaluation import verdict as verdicts
from novel_hooks.rules.evaluation.document import Verdict
from novel_hooks.rules.evaluation.gate_entry import Bands
from novel_hooks.rules.foreshadowing import facts
from novel_hooks.rules.packet import packet
from novel_hooks.rules.state import changelog, delta
from novel_hooks.rules.steps import checkpoint, step_name
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio
from novel_hooks.store.host.owner import Owner
from novel_hooks.store.lock import lock
from novel_hooks.store.schema import schema

EXAMPLES = Path(__file__).parent / "examples"
TEMPLATES = Path(novel_hooks.__file__).parent / "templates"
NOW = "2026-03-01T08:30:00Z"
SHA = "0123456789abcdef" * 4
OPS = [
    {"op": "set", "path": "characters.shen-du.location", "value": "渡口"},
    {"op": "inc", "path": "characters.shen-du.relationships.a-tang", "value": 2},
    {"op": "foreshadow", "path": "half_tally", "value": "planted"},
    {"op": "explode", "path": "items.x", "value": 1},
]
ODD_VALUES = (None, True, False, 0, 1, 3.5, 5, 6, -1, "", "4", "Pass", "HIGH", "hard", "x", [], {}, [{}])


def example(name: str, which: str) -> Any:
    return json.loads((EXAMPLES / name / f"{which}.json").read_text(encoding="utf-8"))


def fits(name: str, value: object) -> bool:
    return not schema.problems(name, value, "a.json")


def assert_fits(name: str, value: object) -> None:
    """After a round trip through the file, as a reader sees it."""
    read = jsonio.parse(jsonio.dump(value), "a.json")
    assert [str(problem) for problem in schema.problems(name, read, "a.json")] == []


# --- what is written -------------------------------------------------------------------------


def test_the_first_checkpoint_and_one_that_moved() -> None:
    first = checkpoint.initial()
    assert_fits("checkpoint", first.document)
    moved = first.moved(NOW, current_volume=1, orchestrator_state="WRITING", last_step="volume:01:commit")
    assert_fits("checkpoint", moved.document)


def test_the_state_before_and_after_a_delta() -> None:
    assert_fits("current-state", delta.empty_state())
    after = delta.apply(None, {"chapter": 1, "ops": OPS})
    assert after.dropped
    assert_fits("current-state", after.state)


def test_a_state_whose_entities_an_op_made_odd_is_still_read() -> None:
    """`set` may put any value at a legal path; a state that a commit wrote must not stop the next one."""
    ops = [
        {"op": "set", "path": "characters.shen-du", "value": "不在了"},
        {"op": "set", "path": "characters.a-tang.relationships", "value": "生疏"},
        {"op": "set", "path": "world_state.ongoing_events", "value": 7},
    ]
    assert_fits("current-state", delta.apply(None, {"chapter": 1, "ops": ops}).state)


def test_the_lines_of_the_change_log() -> None:
    after = delta.apply(None, {"chapter": 1, "ops": OPS})
    assert_fits("changelog-line", changelog.log_line(NOW, 1, "salt-road", 0, 1, after.ops, after.dropped))
    assert_fits("changelog-line", changelog.skipped_line(NOW, 2, None, 1, "作者决定跳过"))


def test_the_foreshadowing_after_a_merge_of_any_shape_that_is_read() -> None:
    for which in ("good-full", "good-bare-list", "good-key-items", "good-gaps-to-fill", "good-empty"):
        merged = facts.merge(example("foreshadowing", which), None, OPS, 7, "salt-road")
        assert_fits("foreshadowing", merged.document)


def test_every_good_foreshadowing_example_is_read_by_the_rules() -> None:
    for path in EXAMPLES.glob("foreshadowing*/good-*.json"):
        facts.parse(json.loads(path.read_text(encoding="utf-8")))


def test_the_lines_of_unknown_entities() -> None:
    found = example("chapter-delta", "good-full")["unknown_entities"]
    (line,) = unknown_names.merge_unknown([], 7, NOW, found)
    assert_fits("unknown-entity-line", line)


@pytest.mark.parametrize("roles", [["primary"], ["primary", "secondary"]])
def test_an_evaluation_of_one_and_of_two_judges(roles: list[str]) -> None:
    verdict = example("judge-verdict", "good-full")
    given = {role: Verdict(None, verdict) for role in roles}
    decided = {"decision": gate.PASS, "revisions": 0, "force_passed": False, "bands": Bands().to_json()}
    document = evaluation_document.compose(
        given, text_sha256=SHA, gate=decided, warnings=["节奏略平"], chapter=7
    )
    assert_fits("chapter-eval", document)
    assert evaluation_document.missing_roles(document, len(roles) == 2) == []


@pytest.mark.parametrize("embed", [False, True])
def test_a_packet_of_every_kind_of_input(embed: bool) -> None:
    inputs = [
        packet.file_input("project_brief", "world_doc", "brief.md", "盐道上的人\n"),
        packet.value_input("storyline_id", "salt-road"),
        packet.value_input("transition_hint", None),
        packet.excerpt_input("chapter_outline", "summary", "### 第 7 章\n"),
    ]
    output = {"key": "chapter", "path": "staging/chapters/chapter-007.md", "schema": None, "required": True}
    for phase in packet.TASKS:
        step_ = step_name.chapter_step(7, phase)
        assert_fits("packet", packet.document(step_, 1, inputs, [output], ["novel next"], embed=embed))


@pytest.mark.parametrize("pid", [4711, None])
def test_the_lock_of_a_session(tmp_path: Path, pid: int | None) -> None:
    project = Project(str(tmp_path))
    (tmp_path / layout.OWN).mkdir()
    lock.acquire(project, Owner("session-a", pid, "boot:1" if pid else None, "desk"), 7, 1_772_353_800.0)
    assert_fits("lock-info", project.json(layout.LOCK_INFO))


def test_the_audit_lines_of_a_call_and_of_the_authors_word(tmp_path: Path) -> None:
    made = book(tmp_path, chapters=2)
    made.ok("instructions", made.step("draft"))
    made.draft()
    written = {"tool_name": "Write", "tool_input": {"file_path": str(made.at("brief.md"))}}
    call = {"agent_type": "novel:summarizer", "cwd": str(made.root), **written}
    assert b'"deny"' in pre_tool_use.respond(json.dumps(call).encode("utf-8"), {})
    made.at("brief.md").write_text("# 另一份立意\n", encoding="utf-8")
    made.at("CLAUDE.md").write_text("写慢些\n", encoding="utf-8")
    made.ok("accept-changes")
    made.ok("advance", made.step("draft"))
    lines = made.lines(layout.AUDIT)
    assert [line["event"] for line in lines] == ["PreToolUse", "accept-changes", "accept-changes"]
    for line in lines:
        assert_fits("audit-line", line)


@pytest.mark.parametrize("name", ["ai-blacklist", "storyline-spec", "style-profile"])
def test_templates(name: str) -> None:
    data = (TEMPLATES / f"{name}.json").read_bytes()
    assert schema.problems(name, jsonio.parse(data, name), name) == []


# --- rules and schema agree ------------------------------------------------------------------


def legal_for_rules(verdict: object) -> bool:
    return not verdicts.problems(verdict)


@pytest.mark.parametrize("path", sorted((EXAMPLES / "judge-verdict").glob("*-*.json")), ids=lambda p: p.stem)
def test_rules_and_schema_agree_on_every_example_of_a_verdict(path: Path) -> None:
    verdict = json.loads(path.read_text(encoding="utf-8"))
    assert legal_for_rules(verdict) == fits("judge-verdict", verdict) == path.name.startswith("good-")


def paths_into(node: object) -> list[tuple[object, ...]]:
    """Every place in a document, the deepest ones too."""
    listed: Any = (
        node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    )
    return [found for key, held in listed for found in ((key,), *((key, *rest) for rest in paths_into(held)))]


def changed(document: Any, place: tuple[Any, ...], value: object, gone: bool) -> Any:
    fresh = copy.deepcopy(document)
    at = fresh
    for key in place[:-1]:
        at = at[key]
    if gone:
        del at[place[-1]]
    else:
        at[place[-1]] = value
    return fresh


VERDICT = example("judge-verdict", "good-full")
POINT = example("checkpoint", "good-full")


@given(st.sampled_from(paths_into(VERDICT)), st.sampled_from(ODD_VALUES), st.booleans())
def test_rules_and_schema_agree_on_a_verdict_with_one_odd_value(
    place: tuple[object, ...], value: object, gone: bool
) -> None:
    verdict = changed(VERDICT, place, value, gone)
    assert legal_for_rules(verdict) == fits("judge-verdict", verdict)


@given(
    st.sampled_from(["last_completed_chapter", "current_volume", "orchestrator_state", "pipeline_stage"])
    | st.sampled_from(["inflight_chapter", "revision_count", "pending_actions"]),
    st.sampled_from([*ODD_VALUES, 1.0, "INIT", "WRITING", "drafted"]),
    st.booleans(),
)
def test_rules_and_schema_agree_on_a_checkpoint_with_one_odd_value(
    key: str, value: object, gone: bool
) -> None:
    document = changed(POINT, (key,), value, gone)
    try:
        checkpoint.parse(document)
    except Problem:
        legal = False
    else:
        legal = True
    assert legal == fits("checkpoint", document)
