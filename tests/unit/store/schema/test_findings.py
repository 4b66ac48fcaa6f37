"""Findings of a validator, for an author: each at its place, once, in Chinese."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from novel_hooks.store.schema import findings, schema
from novel_hooks.store.schema.findings import now_text, value_text

EXAMPLES = Path(__file__).parents[3] / "contract" / "examples"


def read(path: Path) -> Any:
    return json.loads(path.read_bytes())


def places(name: str, value: object) -> list[str]:
    return [str(problem.values["where"]) for problem in schema.problems(name, value, "a.json")]


def details(name: str, value: object) -> list[str]:
    return [str(problem.values["fault"]) for problem in schema.problems(name, value, "a.json")]


def found(document: object, value: object) -> list[tuple[str, str]]:
    return findings.describe(Draft202012Validator(document).iter_errors(value))  # type: ignore[arg-type]


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


@pytest.mark.parametrize(
    ("rule", "value", "detail"),
    [
        ({"type": "integer"}, "x", "应为整数，现在是文字“x”"),
        ({"type": ["string", "null"]}, 7, "应为文字或null（空），现在是 7"),
        (
            {"type": ["object", "array", "boolean", "number"]},
            "",
            "应为对象 { }或列表 [ ]或true 或 false或数字，现在是空文字",
        ),
        ({"enum": ["甲", "b", ""]}, "c", "只能是 甲、b、空文字 之一，现在是文字“c”"),
        ({"enum": [1, None, True]}, 2, "只能是 1、null、true 之一，现在是 2"),
        ({"const": "甲"}, "乙", "必须是 甲，现在是文字“乙”"),
        ({"const": 1}, 2, "必须是 1，现在是 2"),
        ({"minimum": 1}, 0, "不能小于 1，现在是 0"),
        ({"maximum": 5}, 6.5, "不能大于 5，现在是 6.5"),
        ({"exclusiveMinimum": 0}, 0, "必须大于 0，现在是 0"),
        ({"exclusiveMaximum": 1}, 1, "必须小于 1，现在是 1"),
        ({"pattern": "^a"}, "b", "写法不对，现在是文字“b”"),
        ({"minLength": 2}, "a", "至少要有 2 个字，现在是文字“a”"),
        ({"maxLength": 2}, "abcd", "最多 2 个字，现在有 4 个字"),
        ({"minItems": 2}, [1], "至少要有 2 项，现在有 1 项"),
        ({"maxItems": 1}, [1, 2], "最多 1 项，现在有 2 项"),
        ({"uniqueItems": True}, [1, 1], "有重复的项"),
        ({"contains": {"const": 1}}, [2], "缺少符合要求的一项"),
        ({"minProperties": 1}, {}, "至少要有 1 项内容"),
        ({"maxProperties": 1}, {"a": 1, "b": 2}, "最多 1 项内容"),
        ({"oneOf": [True, True]}, 7, "应只符合允许的写法中的一种，现在是 7"),
        ({"not": {}}, 7, "不允许这样写"),
        ({"multipleOf": 2}, 7, "不合要求"),
    ],
)
def test_every_keyword_has_its_words(rule: dict[str, object], value: object, detail: str) -> None:
    assert found({"properties": {"a": rule}}, {"a": value}) == [("a", detail)]


@pytest.mark.parametrize(
    ("rule", "value", "detail"),
    [
        ({"pattern": "^a", "x-says": "要以 a 开头"}, "b", "要以 a 开头，现在是文字“b”"),
        ({"pattern": "^a", "x-says": "不能为空"}, " ", "不能为空"),
        ({"anyOf": [{"const": 1}, {"const": 2}], "x-says": "写 1 或 2"}, 7, "写 1 或 2"),
        ({"oneOf": [{"const": 1}, {"const": 2}], "x-says": "写 1 或 2"}, "七", "写 1 或 2，现在是文字“七”"),
        ({"contains": {"const": 1}, "x-says": "要有一个 1"}, [2], "要有一个 1"),
        ({"minLength": 3, "x-says": "别的事"}, "b", "至少要有 3 个字，现在是文字“b”"),
    ],
)
def test_a_schema_may_say_it_itself(rule: dict[str, object], value: object, detail: str) -> None:
    assert found({"properties": {"a": rule}}, {"a": value}) == [("a", detail)]


def test_an_alternative_that_the_schema_explains_is_not_taken_apart() -> None:
    either = {"anyOf": [{"type": "string"}, {"type": "object", "required": ["id"]}], "x-says": "写名字或对象"}
    assert found(either, {}) == [("最外层", "写名字或对象")]


def test_a_name_is_called_a_name() -> None:
    rule = {"propertyNames": {"pattern": "^a", "x-says": "要以 a 开头"}}
    assert found({"properties": {"m": rule}}, {"m": {"b": 1}}) == [("m.b", "名称要以 a 开头，现在是文字“b”")]


def test_every_missing_key_has_a_place_of_its_own() -> None:
    assert found({"required": ["b", "a", "c"]}, {"c": 1}) == [("a", "缺少这一项"), ("b", "缺少这一项")]


def test_places_are_ordered_by_number_and_name_and_each_is_said_once() -> None:
    items = {"type": "array", "items": {"type": "string"}}
    either = {"allOf": [{"properties": {"b": items}}, {"properties": {"b": items, "a": {"type": "null"}}}]}
    assert [where for where, _ in found(either, {"b": [7] * 11, "a": 1})] == [
        "a",
        *(f"b[{number}]" for number in range(11)),
    ]


def test_two_findings_at_one_place_are_both_said() -> None:
    rule = {"properties": {"a": {"minLength": 3, "pattern": "^x"}}}
    assert found(rule, {"a": "b"}) == [
        ("a", "写法不对，现在是文字“b”"),
        ("a", "至少要有 3 个字，现在是文字“b”"),
    ]


def test_places_for_a_program_have_keys_and_the_keyword() -> None:
    rule = {
        "required": ["z"],
        "properties": {
            "a": {"items": {"minLength": 3, "pattern": "^x"}},
            "m": {
                "propertyNames": {"pattern": "^a"},
                "additionalProperties": False,
                "properties": {"a": True},
            },
        },
    }
    errors = Draft202012Validator(rule).iter_errors({"a": ["xxx", "b"], "m": {"a": 1, "b": 1}})
    assert findings.error_places(errors) == [
        (("a", 1), "minLength"),
        (("m", "b"), "pattern"),
        (("z",), "required"),
    ]


@pytest.mark.parametrize(
    ("key", "where"),
    [
        ("a-b_c", "m.a-b_c"),
        ("沈渡", "m.沈渡"),
        ("a.b", 'm["a.b"]'),
        ("a b", 'm["a b"]'),
        ("a[0]", 'm["a[0]"]'),
        ("", 'm[""]'),
    ],
)
def test_a_place_is_written_so_that_it_is_one(key: str, where: str) -> None:
    assert found({"properties": {"m": {"additionalProperties": {"type": "null"}}}}, {"m": {key: 1}}) == [
        (where, "应为null（空），现在是 1")
    ]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        ("", "空文字"),
        (" \n", "空文字"),
        ("a\n  b", "文字“a b”"),
        ("字" * 20, f"文字“{'字' * 20}”"),
        ("字" * 21, f"文字“{'字' * 20}…”"),
        ([], "[]"),
        ([1, 2], "[1, 2]"),
        ([1, 2, 3], "列表（3 项）"),
        (["a"], "列表（1 项）"),
        ([10**15], "列表（1 项）"),
        ([10**15 - 1], f"[{10**15 - 1}]"),
        ({}, "对象"),
        ({"a": 1}, "对象"),
        (1.5, "1.5"),
        (float("nan"), "一个不是有限值的数"),
        (float("-inf"), "一个不是有限值的数"),
        (10**15 - 1, "999999999999999"),
        (10**15, "一个很大的数"),
        (-(10**15), "一个很大的数"),
        (-(10**15) + 1, "-999999999999999"),
    ],
)
def test_a_value_fits_one_line(value: object, shown: str) -> None:
    assert value_text(value) == shown
    assert now_text(value) == f"现在是{' ' if shown[0].isascii() else ''}{shown}"


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
@pytest.mark.parametrize("other", [{"type": "string"}, {"const": {"id": 1}}, {"enum": [{}, 1]}])
def test_an_alternative_of_another_type_or_word_is_ruled_out(keyword: str, other: dict[str, object]) -> None:
    rule = {keyword: [other, {"required": ["id"]}]}
    assert found({"properties": {"a": rule}}, {"a": {"x": 1}}) == [("a.id", "缺少这一项")]


def test_what_may_not_be_there_at_all_is_said() -> None:
    assert found(False, {"a": 1}) == [("最外层", "不合要求")]
