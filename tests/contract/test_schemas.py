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
    return [str(problem.values["detail"]) for problem in schema.problems(name, value, "a.json")]


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


def test_an_unknown_name_is_a_bug_and_never_a_file() -> None:
    with pytest.raises(ValueError, match="no schema named"):
        schema.problems("../../etc/passwd", {}, "a.json")


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
def test_good_examples_pass(path: Path) -> None:
    assert [str(problem) for problem in schema.problems(path.parent.name, read(path), path.name)] == []


@pytest.mark.parametrize("path", BAD, ids=label)
def test_bad_examples_are_refused_at_the_expected_place(path: Path) -> None:
    expected = json.loads((path.parent / "places.json").read_text(encoding="utf-8"))[path.name]
    assert places(path.parent.name, read(path)) == [expected]


@pytest.mark.parametrize("path", BAD, ids=label)
def test_bad_examples_differ_from_a_good_one_in_one_thing(path: Path) -> None:
    good = [read(other) for other in GOOD if other.parent == path.parent]
    assert 1 in {differences(document, read(path)) for document in good}


@pytest.mark.parametrize("path", BAD, ids=label)
def test_what_the_author_reads_is_chinese_and_has_one_way_out(path: Path) -> None:
    name = path.parent.name
    (problem,) = schema.problems(name, read(path), "outline/x.json")
    shown = problem.diagnostic()
    assert re.search("[一-鿿]", str(problem.values["detail"]))
    assert "不合要求（" not in shown.message
    assert shown.path == "outline/x.json"
    assert "outline/x.json" in shown.message
    assert "outline/x.json" in shown.fix
    assert "None" not in shown.message
    assert shown.code == ("OWN_FILE_INVALID" if name in schema.OWN else "SCHEMA_VIOLATION")
    assert problem.exit == (errors.DAMAGED if name in schema.OWN else errors.REFUSED)


@pytest.mark.parametrize("path", GOOD, ids=label)
def test_unknown_keys_are_let_through(path: Path) -> None:
    document = read(path)
    if isinstance(document, dict):
        assert places(path.parent.name, {**document, "of_another_tool": {"kept": [True]}}) == []


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


# --- findings --------------------------------------------------------------------------------


def test_all_findings_come_at_once_in_the_order_of_their_places() -> None:
    document = {
        "chapter": "7",
        "objectives": [
            {"id": "OBJ-1", "required": True, "description": ""},
            {"required": 1, "description": "对账"},
        ],
        "preconditions": [],
    }
    assert places("chapter-contract", document) == [
        "chapter",
        "objectives[0].description",
        "objectives[1].id",
        "objectives[1].required",
        "preconditions",
        "storyline_id",
    ]


def test_the_order_of_keys_does_not_change_the_findings() -> None:
    document = {"volume": "1", "active_storylines": 3, "newly_activated": 4, "convergence_events": 5}
    backwards = dict(reversed(list(document.items())))
    assert places("storyline-schedule", document) == places("storyline-schedule", backwards)


@pytest.mark.parametrize(
    ("name", "value", "where", "detail"),
    [
        ("chapter-log", [], "最外层", "应为对象 { }，现在是 []"),
        (
            "ai-blacklist",
            {"words": ["早"] * 3, "whitelist": "早\n安"},
            "whitelist",
            "应为列表 [ ]，现在是文字“早 安”",
        ),
        ("world-rules", {}, "rules", "缺少这一项"),
        ("hints", {"hints": [7]}, "hints[0]", "应为对象 { }，现在是 7"),
        ("hints", {"hints": [{"change": " "}]}, "hints[0].change", "不能为空"),
        (
            "ai-blacklist",
            {"words": [], "whitelist": ["啊" * 30, None]},
            "whitelist[1]",
            "应为文字，现在是 null",
        ),
    ],
)
def test_wording(name: str, value: object, where: str, detail: str) -> None:
    assert (places(name, value), details(name, value)) == ([where], [detail])


def test_a_long_value_is_cut_and_a_huge_number_is_not_spelled_out() -> None:
    document = read(EXAMPLES / "chapter-delta" / "good-full.json")
    (detail,) = details("chapter-delta", {**document, "chapter": "章" * 500})
    assert len(detail) < 60
    verdict = read(EXAMPLES / "judge-verdict" / "good-full.json")
    assert details("judge-verdict", {**verdict, "overall": 10**400}) == ["不能大于 5，现在是一个很大的数"]


def test_a_key_that_a_path_cannot_hold_is_quoted() -> None:
    contract = read(EXAMPLES / "chapter-contract" / "good-seed.json")
    contract["preconditions"] = {"character_states": {"沈.渡": 1, "阿 棠": 2}}
    assert places("chapter-contract", contract) == [
        'preconditions.character_states["沈.渡"]',
        'preconditions.character_states["阿 棠"]',
    ]


def test_of_alternatives_the_one_that_was_meant_is_reported() -> None:
    either = {"anyOf": [{"type": "string"}, {"type": "object", "required": ["id"]}]}
    assert findings.describe(Draft202012Validator(either).iter_errors({})) == [("id", "缺少这一项")]
    assert findings.describe(Draft202012Validator(either).iter_errors(7)) == [
        ("最外层", "与允许的几种写法都不符，现在是 7")
    ]


def test_a_fault_deeper_down_does_not_rule_an_alternative_out() -> None:
    either = {"anyOf": [{"type": "string"}, {"properties": {"id": {"type": "string"}}}]}
    assert findings.describe(Draft202012Validator(either).iter_errors({"id": 7})) == [
        ("id", "应为文字，现在是 7")
    ]


def test_when_several_alternatives_could_be_meant_none_is_guessed() -> None:
    either = {"anyOf": [{"required": ["path"]}, {"required": ["value"]}]}
    assert findings.describe(Draft202012Validator(either).iter_errors({})) == [
        ("最外层", "与允许的几种写法都不符，现在是对象")
    ]


def test_keys_that_are_not_allowed_are_each_named() -> None:
    closed = {"properties": {"a": True}, "patternProperties": {"^x-": True}, "additionalProperties": False}
    found = findings.describe(Draft202012Validator(closed).iter_errors({"a": 1, "x-b": 1, "d": 1, "c": 1}))
    assert found == [("c", "不认识这一项"), ("d", "不认识这一项")]


# --- digests ---------------------------------------------------------------------------------


def test_digests_tell_schemas_apart() -> None:
    assert len({schema.digest(name) for name in schema.NAMES}) == len(schema.NAMES)


def test_a_digest_changes_with_the_schema_that_is_referred_to(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {name: schema.digest(name) for name in ("foreshadowing", "foreshadowing-plan", "style-profile")}
    monkeypatch.setattr(schema, "_digests", {})
    changed = {"foreshadowing": schema.schema_source("foreshadowing").replace(b'"long"', b'"endless"')}
    monkeypatch.setattr(schema, "_sources", changed)
    after = {name: schema.digest(name) for name in before}
    assert before["foreshadowing"] != after["foreshadowing"]
    assert before["foreshadowing-plan"] != after["foreshadowing-plan"]
    assert before["style-profile"] == after["style-profile"]


def test_a_digest_changes_with_the_way_of_checking(monkeypatch: pytest.MonkeyPatch) -> None:
    before = schema.digest("hints")
    monkeypatch.setattr(schema, "_digests", {})
    monkeypatch.setattr(schema, "RULES_OF_CHECKING", b"another")
    assert schema.digest("hints") != before
