"""Reading a judge's reply: wrapping comes off, nothing is guessed, the place of a fault is named."""

from __future__ import annotations

import pytest

from novel_hooks.errors import VerdictUnreadable
from novel_hooks.rules.evaluation import json_from_text

GOOD = '{"overall": 4.1, "risk_flags": []}'
VALUE = {"overall": 4.1, "risk_flags": []}


@pytest.mark.parametrize(
    "text",
    [
        f"```\n{GOOD}\n```",
        f"```JSON 评审结果\n{GOOD}\n```",
        f"~~~json\n{GOOD}\n~~~",
        f"````markdown\n{GOOD}\n````",
        f"```评审\n{GOOD}\n```",
        f"```json\n{GOOD}",
        f"```json {GOOD} ```",
        f"如下：```json\r\n{GOOD}\r\n```\r\n",
        f"```python\nprint({{'a': 1}})\n```\n```json\n{GOOD}\n```",
        f'```js\n{{"overall": 1}}\n```\n```json\n{GOOD}\n```',
        f"```json\n{GOOD}\n```\n```json\n{GOOD}\n```",
    ],
)
def test_code_fences_come_off(text: str) -> None:
    assert json_from_text.parse(text) == VALUE


@pytest.mark.parametrize(
    "text",
    [
        f"先说 {{占位}} 的事。\n{GOOD}",
        f"先说「{{他说“好”}}」。{GOOD}",
        f'字段写作 `{{"overall": 数字}}` 即可：\n{GOOD}',
        f"以 `{{` 开头：\n{GOOD}",
        f"模板 {{{{overall}}}} 已填：{GOOD}",
        f"见 [1]、[注] 和 [链接](a)：{GOOD}\n- [ ] 待办 [2]",
        f"[评审结果 {GOOD}]",
        f"真不错~~~ {GOOD}",
        f"`{GOOD}`",
    ],
)
def test_marks_in_the_prose_do_not_confuse(text: str) -> None:
    assert json_from_text.parse(text) == VALUE


@pytest.mark.parametrize(
    "text",
    [
        f'<thinking>\n{{"overall": 1}} [{{ <b>\n</thinking>{GOOD}',
        f"<THINK>甲</THINK>\n<think>乙</think>{GOOD}",
        f'想了想，`{{"overall": 2}}` 不对。</think>\n{GOOD}',
        f"```json\n<think>甲</think>{GOOD}\n```",
    ],
)
def test_thoughts_are_removed(text: str) -> None:
    assert json_from_text.parse(text) == VALUE


def test_tags_and_fences_inside_a_string_stay() -> None:
    told = '残留 </think> 与 <think>，还有\n```\n和 {"x": 1} 与 ,] '
    text = '{"issues": ["' + told.replace('"', '\\"') + '"]}'
    assert json_from_text.parse(f"```json\n{text}\n```") == {"issues": [told]}


def test_raw_tabs_and_line_breaks_stay_as_they_are() -> None:
    assert json_from_text.parse('{"a": "一\t二\r\n三"}') == {"a": "一\t二\r\n三"}


def test_trailing_commas_anywhere_but_in_strings() -> None:
    assert json_from_text.parse('{"a": [1, 2 ,\n], "b": {"c": ",]",},\t}') == {"a": [1, 2], "b": {"c": ",]"}}


@pytest.mark.parametrize(
    "text",
    [
        '{"a": [1,,]}',
        '{"a": [,]}',
        '{"a": [ , ]}',
        '{"a": 1,,}',
        "{,}",
        '{"a":,}',
        '{"a": 1 "b": 2}',
        '{"a": {"b": 1, "b": 2}}',
        '{"a": {"b": 1, "\\u0062": 2}}',
        '{"a": -Infinity}',
        '{"a": 1e999}',
        '{"a": ' + "9" * 400 + "}",
        '{"a": None}',
        '{"a": 01}',
        '{"a": .5}',
        '{"a": +1}',
        '{"a": "\\x41"}',
        '{"a": "\\ud800"}',
        "{'overall': 4.1}",
        "{“overall”: 4.1}",
        '{"a": 1 /* 注 */}',
        '{"a": 1, // 注\n"b": 2}',
        '{"a": [1}',
        '{"a": 1]',
        '"scores": {"plot_logic": {"score": 4}}',
        '"overall": 4.1, "scores": {"plot_logic": 4}}',
        ': {"plot_logic": 4}, "pacing": 4',
        '[{"a": 1}, {"a": 1}]',
        '[["x", {"a": 1}]]',
        '[{"a": 1}]\n{"a": 1}',
        '```\n`{"a": 1}`\n```\n{"a": 2}',
        '["x", {"a": 1}',
        '{"a": 1}}',
        "",
        "  \n ",
        "[]",
        "{占位}",
        '{"a": 1}{"a": true}',
        '{"a": "1"}{"a": 1}',
        '{"a": 1}</think>',
        '`{"a": 1}`</think>',
        '真好~~~评审\n{"a": 1}\n~~~\n```json\n{"a": 2}\n```',
        '{"a": 1}</think>{"a": 1}',
        '<think>{"a": 1}</thinking>',
        '```json\n{"a": 1}\n```\n```json\n{"a": 2}\n```',
        '```json\n{"a": 1}\n```\n{"a": 2}',
        '```\n{"a": 1}\n```\n```json\n{"a": 2}\n```',
        '{"a": "他说：\n```json\n{"b": 1}\n```',
        '{占位 {"a": 1}',
        '\ufeff{"a": 1',
    ],
)
def test_refused(text: str) -> None:
    with pytest.raises(VerdictUnreadable):
        json_from_text.parse(text)


def test_an_inner_object_of_something_else_is_never_taken() -> None:
    with pytest.raises(VerdictUnreadable):
        json_from_text.parse('{overall: 4.1, scores: {"plot_logic": {"score": 4}}}')


def test_whole_numbers_and_fractions_of_equal_value_are_one_reading() -> None:
    assert json_from_text.parse('{"a": 4}\n{"a": 4.0}') == {"a": 4}


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('\ufeff{"a": NaN}', 1, 7),
        ('好\n{"x": "NaN",\n "a": NaN}', 3, 7),
        ('{"a": 1,\n  "b": 2,\n  "a": 3}', 3, 3),
        ('说\n说 {"a": True}', 2, 9),
        ("一\n<think>", 2, 1),
    ],
)
def test_the_place_of_the_fault(text: str, line: int, column: int) -> None:
    with pytest.raises(VerdictUnreadable) as refused:
        json_from_text.parse(text)
    assert (refused.value.values["line"], refused.value.values["column"]) == (line, column)


@pytest.mark.parametrize(
    "text",
    [
        '{"a":' * 100_000,
        "{" * 200_000,
        "[" * 200_000,
        "<think" * 100_000,
        '{"a": "' + "\\" * 200_001,
        '{"a": [' + "1," * 200_000,
        "` `` " * 100_000 + "没有",
        "x" * (json_from_text.LONGEST + 1),
        '{"a":' * 90 + "[" * 90 + "]" * 90 + "}" * 90,
    ],
    ids=lambda text: f"{text[:8]}…{len(text)}",
)
@pytest.mark.timeout(10)
def test_huge_and_deep_input_is_refused_quickly(text: str) -> None:
    with pytest.raises(VerdictUnreadable):
        json_from_text.parse(text)


def test_a_long_verdict_is_read_quickly() -> None:
    text = '{"issues": [' + '"他说，\\"好\\"。", ' * 20_000 + "]}"
    assert len(json_from_text.parse(text)["issues"]) == 20_000  # type: ignore[arg-type]
