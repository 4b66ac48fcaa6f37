"""The checking itself: our dialect, our problems, the digest; the schemas' own tests are in `contract`."""

from __future__ import annotations

import hashlib

import pytest

from novel_hooks import errors
from novel_hooks.store.schema import schema

PLAIN = "https://json-schema.org/draft/2020-12/schema"


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two schemas of the test's own: `own`, that refers to `shared`, that refers to itself."""
    sources = {
        "hints": b"""{"$schema": "%s", "$id": "novel:hints", "properties": {
            "whole": {"type": "integer"},
            "number": {"type": "number"},
            "rising": {"x-ascending": true, "items": {"type": "number"}},
            "falling": {"x-ascending": false},
            "tree": {"$ref": "novel:common#/$defs/tree"}}}"""
        % PLAIN.encode(),
        "common": b"""{"$schema": "%s", "$id": "novel:common", "$defs": {"tree": {
            "type": "object", "additionalProperties": {"$ref": "novel:common#/$defs/tree"}}}}"""
        % PLAIN.encode(),
    }
    for cache in ("_digests", "_validators"):
        monkeypatch.setattr(schema, cache, {})
    monkeypatch.setattr(schema, "_sources", sources)


def _places(value: object) -> list[str]:
    return [str(problem.values["where"]) for problem in schema.problems("hints", value, "a.json")]


def test_an_unknown_name_is_a_bug_and_never_a_file() -> None:
    with pytest.raises(ValueError, match="no schema named"):
        schema.problems("../../etc/passwd", {}, "a.json")


@pytest.mark.parametrize(
    ("name", "kind"), [("world-rules", errors.SchemaViolation), ("checkpoint", errors.OwnFileInvalid)]
)
def test_a_fault_is_the_authors_or_damage(name: str, kind: type[errors.Problem]) -> None:
    (problem,) = schema.problems(name, [], "x/a.json")
    assert type(problem) is kind
    assert (problem.path, problem.values["where"]) == ("x/a.json", "最外层")
    assert problem.values["fault"] == "应为对象 { }，现在是 []"


def test_places_come_with_the_keyword() -> None:
    assert schema.misfit_places("world-rules", []) == [((), "type")]
    assert schema.misfit_places("world-rules", {}) == [(("rules",), "required")]
    assert schema.misfit_places("world-rules", {"rules": []}) == []


@pytest.mark.parametrize(
    ("value", "fits"),
    [(7, True), (-7, True), (10**30, True), (7.0, False), (True, False), ("7", False), (None, False)],
)
def test_an_integer_is_written_without_a_fraction(own: None, value: object, fits: bool) -> None:
    assert _places({"whole": value}) == ([] if fits else ["whole"])


@pytest.mark.parametrize(
    ("value", "fits"),
    [
        (7, True),
        (7.5, True),
        (float("nan"), False),
        (float("inf"), False),
        (float("-inf"), False),
        (False, False),
        ("7", False),
    ],
)
def test_a_number_is_finite(own: None, value: object, fits: bool) -> None:
    assert _places({"number": value}) == ([] if fits else ["number"])


@pytest.mark.parametrize(
    ("value", "places"),
    [
        ([], []),
        ([1], []),
        ([1, 1, 2.5], []),
        ([2, 1], ["rising"]),
        ([1, 3, 2], ["rising"]),
        ([3, "x", 1], ["rising[1]"]),
        ("321", []),
        ({"b": 2, "a": 1}, []),
    ],
)
def test_a_list_may_have_to_rise(own: None, value: object, places: list[str]) -> None:
    assert _places({"rising": value, "falling": [2, 1]}) == places


def test_a_list_that_falls_is_said_so(own: None) -> None:
    (problem,) = schema.problems("hints", {"rising": [2, 1]}, "a.json")
    assert problem.values["fault"] == "后面的数不能比前面的小，现在是 [2, 1]"


def test_a_schema_may_refer_to_another_and_that_to_itself(own: None) -> None:
    assert _places({"tree": {"a": {"b": {}}}}) == []
    assert _places({"tree": {"a": {"b": 7}}}) == ["tree.a.b"]


def test_a_validator_is_built_once(own: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _places({"whole": "x"}) == ["whole"]
    monkeypatch.setattr(schema, "_build", None)
    assert _places({"whole": "x"}) == ["whole"]


def test_a_source_is_the_file_and_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "_sources", {})
    data = schema.schema_source("common")
    assert b'"novel:common"' in data
    monkeypatch.setattr(schema, "_FOLDER", "nowhere")
    assert schema.schema_source("common") is data
    with pytest.raises(ValueError, match="'nothing'"):
        schema.schema_source("nothing")


def test_a_digest_is_over_the_rules_and_all_that_is_referred_to(own: None) -> None:
    one, other = (hashlib.sha256(schema.schema_source(name)).digest() for name in ("hints", "common"))
    assert schema.digest("hints") == hashlib.sha256(b"\0".join([b"1", one, other])).digest()
    assert schema.digest("common") == hashlib.sha256(b"\0".join([b"1", other])).digest()


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
