"""The templates of a new book."""

from __future__ import annotations

import json

import pytest
from ruamel.yaml import YAML

from novel_hooks import defaults
from novel_hooks.rules.evaluation.gate_entry import Bands
from novel_hooks.rules.packet import size_limit
from novel_hooks.rules.settings import settings as table
from novel_hooks.store.schema import schema
from unit.pages.agent_pages import read, template_path

# --- templates -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["style-profile", "ai-blacklist", "storyline-spec"])
def test_templates_have_the_shape_they_must_have(name: str) -> None:
    value = json.loads(read(template_path(f"{name}.json")))
    assert schema.problems(name, value, f"{name}.json") == []


def test_the_blacklist_is_long_enough_and_sorted_into_kinds() -> None:
    value = json.loads(read(template_path("ai-blacklist.json")))
    words = value["words"]
    assert len(words) >= 40 and len(set(words)) == len(words)
    kinds = [word for listed_words in value["categories"].values() for word in listed_words]
    assert sorted(kinds) == sorted(words), "each word has one kind, each kind's words are listed"


def test_the_storyline_rules() -> None:
    rules = json.loads(read(template_path("storyline-spec.json")))["rules"]
    assert [rule["id"] for rule in rules] == [f"LS-00{n}" for n in range(1, 6)]
    hard = [rule["id"] for rule in rules if rule["constraint_type"] == "hard"]
    assert hard == ["LS-001"]


def test_the_settings_are_the_ones_in_force_without_them() -> None:
    settings = YAML(typ="safe").load(read(template_path("novel.yaml")))
    bands = Bands()
    remarked = (
        "chapter_names",
        "daily_chars",
        "models",
        "codex_models",
        "currency",
        "prices",
        "budget",
        "packet_chars",
    )
    assert (*settings, *remarked) == table.KEYS
    assert all(f"# {key}:" in read(template_path("novel.yaml")) for key in remarked)
    assert settings["gate"] == {
        "pass": bands.pass_at,
        "polish": bands.polish_at,
        "revise": bands.revise_at,
        "pause": bands.pause_at,
    }
    assert settings["max_revisions"] == bands.max_revisions
    assert tuple(settings["chapter_chars"]) == defaults.CHAPTER_CHARS
    assert settings["max_characters"] == defaults.MAX_CHARACTERS
    assert settings["stop_after"] == []
    (remark,) = [line for line in read(template_path("novel.yaml")).splitlines() if "packet_chars" in line]
    assert YAML(typ="safe").load(remark.lstrip("# ")) == {"packet_chars": dict(size_limit.LIMITS)}


def test_the_brief_says_what_is_still_open() -> None:
    text = read(template_path("brief.md"))
    assert text.count("〔待填〕") >= 10
