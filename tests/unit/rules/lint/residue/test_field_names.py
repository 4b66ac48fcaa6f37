"""Field names: each that agents see is residue, other words with an underscore are not."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import CHECKOUT

from novel_hooks.rules.lint.residue import field_names
from novel_hooks.rules.lint.residue.field_names import OURS
from novel_hooks.rules.packet import packet
from unit.rules.lint.samples import PLAIN, expand, hits, residue

PARTS = [
    "chapter",
    "chapters",
    "storyline",
    "storylines",
    "foreshadowing",
    "character",
    "characters",
    "plot",
    "pov",
    "outline",
    "summary",
    "summaries",
    "scene",
    "scenes",
    "narrative",
    "arc",
    "dialogue",
    "contracts",
    "lore",
    "conflict",
    "emotion",
    "emotional",
    "pacing",
    "immersion",
    "leak",
    "planted",
    "fixes",
    "violation",
    "violations",
    "objective",
    "objectives",
    "paragraph",
    "beat",
    "beats",
    "rubric",
]
ALONE = [
    "world_rule",
    "world_rules",
    "world_docs",
    "world_state",
    "current_state",
    "concurrent_state",
    "state_changes",
    "state_version",
    "base_state_version",
    "hard_rules_list",
    "required_world_rules",
    "risk_flags",
    "overall_final",
    "transition_hint",
    "acceptance_criteria",
    "cross_references",
    "unknown_entities",
    "suggested_type",
    "display_name",
    "no_change",
    "affiliated_factions",
    "constraint_type",
    "convergence_condition",
    "convergence_events",
    "interleaving_pattern",
    "newly_activated",
    "shared_events",
    "time_marker",
    "ongoing_events",
    "project_brief",
    "ai_blacklist",
    "ai_blacklist_top10",
    "writing_methodology",
    "lint_report",
    "l1_checks",
    "l2_checks",
    "l3_checks",
    "ls_checks",
    "update_requires",
    "valid_until",
    "last_verified",
    "pending_actions",
    "author_decisions",
    "previous_problems",
    "previous_volume_review",
    "style_naturalness",
    "style_profile",
    "style_guide",
    "style_samples",
    "style_facts",
    "sentence_length",
    "entity_id_map",
    "target_resolve_range",
    "rule_id",
    "contract_id",
    "contract_verification",
    "volume_role",
    "brief_template",
    "stop_after",
    "goes_as",
    "world_pages",
    "previous_text",
    "line_text",
    "called_by",
    "previous_output",
    "volume_wishes",
    "author_notes",
    "author_notes",
]
OTHERS = [
    "git_push",
    "dark_knight",
    "world_map",
    "current_time",
    "state_of",
    "risk_it",
    "display_all",
    "style_icon",
    "sentence_word",
    "entity_id",
    "contract_worker",
    "l4_checks",
    "volume_up",
    "stop_now",
    "ai_blacklist_top9x",
    "previous_volume",
]
SEEN = (
    "chapter-contract",
    "chapter-delta",
    "chapter-crossref",
    "judge-verdict",
    "foreshadowing",
    "storylines",
)


def names_of(text: str) -> list[str]:
    return [found.group() for found in re.finditer(OURS, text)]


@pytest.mark.parametrize("part", PARTS)
def test_a_part_makes_a_field_at_either_end(part: str) -> None:
    fields = [f"{part}_zz", f"zz_{part}", f"zz_{part}_zz", f"z9_{part}", f"0_{part}", f"{part}_z9_zz"]
    assert [names_of(f"他的{name}还在。") for name in fields] == [[name] for name in fields]
    assert names_of(f"他的{part}还在。") == []


@pytest.mark.parametrize("name", ALONE)
def test_a_field_of_its_own_name_is_residue(name: str) -> None:
    assert names_of(f"他的{name}还在。") == [name]
    assert hits(f"他的{name}还在。") == [("字段名", True, True)]


@pytest.mark.parametrize("name", OTHERS)
def test_another_word_with_an_underscore_is_no_field(name: str) -> None:
    assert names_of(f"他的{name}还在。") == []
    assert hits(f"他的{name}还在。") in ([], [("字段名", False, False)])


@pytest.mark.parametrize("text", list(expand("⟨a|Z|9|_|名|叫|号|户|@|.|/⟩plot_logic还在。")))
def test_what_stands_before_it_may_make_it_a_users_name(text: str) -> None:
    assert "plot_logic" not in names_of(text)


@pytest.mark.parametrize("text", list(expand("plot_logic⟨A|Z|_|@⟩还在。")))
def test_what_stands_behind_it_may_make_it_another_word(text: str) -> None:
    assert names_of(text) == []


def test_a_field_is_found_between_han_characters_and_marks() -> None:
    assert names_of("这plot_logic，“risk_flags”（pov_x）") == ["plot_logic", "risk_flags", "pov_x"]
    ((name, line, quote),) = residue(f"{PLAIN}\n\n这一处plot_logic不稳。")
    assert (name, line, quote) == ("字段名", 5, "这一处plot_logic不稳。")


def _fields(schema: Any) -> set[str]:
    """Names with an underscore among a schema's properties."""
    if isinstance(schema, list):
        return {name for part in schema for name in _fields(part)}
    if not isinstance(schema, dict):
        return set()
    own = schema.get("properties")
    found = {name for name in own if "_" in name} if isinstance(own, dict) else set()
    return {*found, *(name for part in schema.values() for name in _fields(part))}


def test_every_field_that_an_agent_sees_blocks() -> None:
    folder = Path(CHECKOUT) / "novel_hooks/schemas"
    found = {name for name in packet.TITLES if "_" in name}
    for name in SEEN:
        found |= _fields(json.loads((folder / f"{name}.schema.json").read_text("utf-8")))
    assert len(found) > 60
    assert [name for name in sorted(found) if not residue(f"他的{name}还没有改。")] == []


def test_the_table_has_no_entry_that_is_not_written_out_here() -> None:
    assert (len(field_names._OF_A_NOVEL.split("|")), len(field_names._ALONE.split("|"))) == (28, 61)
