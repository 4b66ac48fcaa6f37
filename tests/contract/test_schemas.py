"""Every schema against its examples: good ones pass, bad ones are refused at the one place that is wrong."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from novel_hooks import errors, layout, roles
from novel_hooks.rules.steps import checkpoint as checkpoints
from novel_hooks.store.formats import jsonio
from novel_hooks.store.schema import findings, schema

EXAMPLES = Path(__file__).parent / "examples"
SCHEMAS = Path(schema.__file__).parents[2] / "schemas"
ALL = (*schema.NAMES, schema.SHARED)
GOOD = sorted(EXAMPLES.glob("*/good-*.json"))
BAD = sorted(EXAMPLES.glob("*/bad-*.json"))
NOT_NUMBERS = (True, "4.5", None, float("nan"), float("inf"), [4], {"value": 4})


def label(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def read(path: Path) -> Any:
    return jsonio.parse(path.read_bytes(), path.name)


def places(name: str, value: object) -> list[str]:
    return [str(problem.values["where"]) for problem in schema.problems(name, value, "a.json")]


def details(name: str, value: object) -> list[str]:
    return [str(problem.values["fault"]) for problem in schema.problems(name, value, "a.json")]


def differences(one: object, other: object) -> int:
    """In how many places two documents differ; a subtree, or a list of plain values, is one place."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = one.keys() | other.keys()
        return sum(differences(one[k], other[k]) if k in one and k in other else 1 for k in keys)
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        plain = not any(isinstance(item, (dict, list)) for item in one)
        found = sum(differences(a, b) for a, b in zip(one, other))
        return min(found, 1) if plain else found
    return 0 if type(one) is type(other) and one == other else 1


def subschemas(node: object) -> list[dict[str, Any]]:
    if isinstance(node, list):
        return [found for item in node for found in subschemas(item)]
    if not isinstance(node, dict):
        return []
    return [node, *(found for item in node.values() for found in subschemas(item))]


# --- the schemas themselves ------------------------------------------------------------------


def test_every_schema_file_is_listed_and_every_listed_one_is_there() -> None:
    files = {name[: -len(".schema.json")] for name in os.listdir(SCHEMAS) if name.endswith(".json")}
    assert files == set(ALL)
    assert list(schema.NAMES) == sorted(schema.NAMES)
    assert set(schema.NAMES) >= schema.OWN


@pytest.mark.parametrize("name", ALL)
def test_a_schema_is_valid_2020_12_and_says_what_it_is(name: str) -> None:
    document = json.loads(schema.schema_source(name))
    Draft202012Validator.check_schema(document)
    assert document["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert document["$id"] == f"novel:{name}"
    assert document["title"]
    assert document["description"].isascii()


@pytest.mark.parametrize("name", ALL)
def test_references_lead_to_a_definition_that_is_there(name: str) -> None:
    for node in subschemas(json.loads(schema.schema_source(name))):
        if isinstance(node.get("$ref"), str):
            file, _, pointer = node["$ref"].partition("#")
            target = json.loads(schema.schema_source(file.partition(":")[2] or name))
            for key in filter(None, pointer.split("/")):
                target = target[key]


def test_every_definition_in_the_shared_file_is_used() -> None:
    texts = b"".join(schema.schema_source(name) for name in ALL).decode()
    for name in json.loads(schema.schema_source(schema.SHARED))["$defs"]:
        assert f"#/$defs/{name}" in texts, name


def test_every_keyword_in_use_can_be_told_in_chinese() -> None:
    silent = {"$schema", "$id", "$ref", "$defs", "title", "description", "default", "x-says", "properties"}
    silent |= {"items", "if", "then", "else", "required", "additionalProperties", "propertyNames"}
    used = set()
    for name in ALL:
        for node in subschemas(json.loads(schema.schema_source(name))):
            if not _is_names(node):
                used |= node.keys()
    assert used - silent <= findings._DETAILS.keys()


def _is_names(node: dict[str, Any]) -> bool:
    """A map of names to schemas (`properties`, `$defs`), not a schema."""
    return all(isinstance(value, (dict, bool)) for value in node.values()) and not (
        node.keys() & {"$ref", "if", "items", "else", "not"} and len(node) <= 3
    )


def test_every_output_of_an_agent_has_its_schema() -> None:
    wanted = {o.schema for outputs in roles.CHAPTER_OUTPUTS.values() for o in outputs if o.schema}
    assert wanted <= set(schema.NAMES)


@given(st.text(alphabet="ab0-A_中\n ", max_size=6))
def test_the_pattern_of_a_slug_is_that_of_the_layout(text: str) -> None:
    document = {"id": text, "display_name": "沈渡"}
    assert (places("character", document) == []) == bool(layout.SLUG.match(text))


def test_states_and_stages_are_those_of_the_checkpoint_rules() -> None:
    properties = json.loads(schema.schema_source("checkpoint"))["properties"]
    assert properties["orchestrator_state"]["enum"] == list(checkpoints.STATES)
    stages = {*checkpoints.IDLE_STAGES, *checkpoints.ACTIVE_STAGES}
    assert set(properties["pipeline_stage"]["enum"]) == stages


# --- examples --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", schema.NAMES)
def test_a_schema_has_examples(name: str) -> None:
    assert len([path for path in GOOD if path.parent.name == name]) >= 2
    assert len([path for path in BAD if path.parent.name == name]) >= 4


def test_no_example_lies_astray() -> None:
    assert {path.parent.name for path in (*GOOD, *BAD)} == set(schema.NAMES)
    for folder in EXAMPLES.iterdir():
        told = json.loads((folder / "places.json").read_text(encoding="utf-8"))
        assert set(told) == {path.name for path in folder.glob("bad-*.json")}


@pytest.mark.parametrize("path", GOOD, ids=label)
def test_good_examples_pass_and_so_do_unknown_keys(path: Path) -> None:
    document = read(path)
    assert [str(problem) for problem in schema.problems(path.parent.name, document, path.name)] == []
    if isinstance(document, dict):
        assert places(path.parent.name, {**document, "of_another_tool": {"kept": [True]}}) == []


@pytest.mark.parametrize("path", BAD, ids=label)
def test_bad_examples_differ_in_one_thing_and_are_refused_at_the_expected_place(path: Path) -> None:
    """In words that are Chinese and have one way out."""
    document = read(path)
    good = [read(other) for other in GOOD if other.parent == path.parent]
    assert 1 in {differences(other, document) for other in good}
    expected = json.loads((path.parent / "places.json").read_text(encoding="utf-8"))[path.name]
    name = path.parent.name
    assert places(name, document) == [expected]
    (problem,) = schema.problems(name, document, "outline/x.json")
    shown = problem.diagnostic()
    assert re.search("[一-鿿]", str(problem.values["fault"]))
    assert "不合要求（" not in shown.message
    assert shown.path == "outline/x.json"
    assert "outline/x.json" in shown.message
    assert "outline/x.json" in shown.fix
    assert "None" not in shown.message
    assert shown.code == ("OWN_FILE_INVALID" if name in schema.OWN else "SCHEMA_VIOLATION")
    assert problem.exit == (errors.DAMAGED if name in schema.OWN else errors.REFUSED)


# --- numbers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("value", NOT_NUMBERS, ids=repr)
@pytest.mark.parametrize("name", ["judge-verdict", "chapter-eval"])
def test_an_overall_that_is_no_finite_number_is_refused(name: str, value: object) -> None:
    document = read(EXAMPLES / name / "good-full.json")
    assert places(name, {**document, "overall": value}) == ["overall"]


@pytest.mark.parametrize("value", [0, 5, 0.0, 5.0, 3.9999, 4])
def test_an_overall_from_0_to_5_is_legal(value: float) -> None:
    document = read(EXAMPLES / "judge-verdict" / "good-full.json")
    assert places("judge-verdict", {**document, "overall": value}) == []


@pytest.mark.parametrize("value", [*NOT_NUMBERS, 7.0, 7.5, -1, 0], ids=repr)
def test_a_chapter_is_an_integer_from_1(value: object) -> None:
    document = read(EXAMPLES / "chapter-delta" / "good-full.json")
    assert places("chapter-delta", {**document, "chapter": value}) == ["chapter"]


def test_nan_in_a_score_is_refused() -> None:
    document = read(EXAMPLES / "judge-verdict" / "good-full.json")
    document["scores"]["pacing"]["score"] = float("nan")
    assert places("judge-verdict", document) == ["scores.pacing.score"]
