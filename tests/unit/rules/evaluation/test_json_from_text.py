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
    ids=range(9),
)
@pytest.mark.timeout(60)
def test_huge_and_deep_input_is_refused_quickly(text: str) -> None:
    with pytest.raises(VerdictUnreadable):
        json_from_text.parse(text)


def test_a_long_verdict_is_read_quickly() -> None:
    text = '{"issues": [' + '"他说，\\"好\\"。", ' * 20_000 + "]}"
    assert len(json_from_text.parse(text)["issues"]) == 20_000  # type: ignore[arg-type]


REFUSALS = [
    (" \n", 1, 1, "回复是空的"),
    ("\ufeff\n", 1, 1, "回复是空的"),
    ("好的，\n没有结果", 1, 1, "没有找到 JSON 对象"),
    ("一\n" + "x" * json_from_text.LONGEST, 2, json_from_text.LONGEST - 1, "回复太长，超过 1000000 字"),
    ('{"a": 1}\n {"a": 2}', 2, 2, "前后有两个不同的结果，不知道该用哪一个"),
    ('{"a": 1}\n{"a": 1}\n{"a": 2}', 3, 1, "前后有两个不同的结果，不知道该用哪一个"),
    ('说\n说{"a": 1, b: 2}', 2, 11, "这里应是用双引号括起的字段名"),
    ('说{"a" 1}', 1, 7, "字段名后面缺半角冒号"),
    ('说{"a": 1 "b": 2}', 1, 10, "这里缺半角逗号，或字符串里的引号没有转义"),
    ('说{"a": x}', 1, 8, "这里缺一个值，或写法不是 JSON"),
    ('说{"a": "\\x41"}', 1, 9, "反斜杠的写法不对"),
    ('说\n{"a": "\\ud800"}', 2, 1, "含有不成对的特殊字符，存不成文件"),
    ('说\n{"a": -Infinity}', 2, 7, "-Infinity 不是 JSON 里的数"),
    ('说{"1e999": 1, "a": 1e999}', 1, 20, "1e999 这个数太大"),
    ('{"a": -1e999}', 1, 7, "-1e999 这个数太大"),
    ('{"a": ' + "9" * 301 + "}", 1, 7, "这个整数太长"),
    ('{"a": 1, "b": {"c": 1,\n"a": "c", "c": 2}}', 2, 11, "字段「c」写了两次"),
    ('{"a": 1, "\\u0061": 2}', 1, 10, "字段「a」写了两次"),
    ('{"a\tb": 1, "a\tb": 2}', 1, 12, "字段「a\tb」写了两次"),
    ('{"a": 1,\n"b": [1, ],\n"c": NaN}', 3, 6, "NaN 不是 JSON 里的数"),
]


@pytest.mark.parametrize(("text", "line", "column", "detail"), REFUSALS, ids=range(len(REFUSALS)))
def test_a_refusal_names_place_and_reason(text: str, line: int, column: int, detail: str) -> None:
    with pytest.raises(VerdictUnreadable) as refused:
        json_from_text.parse(text)
    found = refused.value.values
    assert (found["line"], found["column"], found["fault"]) == (line, column, detail)


LIMITS = [
    ('{"a": ' + "9" * 300 + "}", int("9" * 300)),
    ('{"a": 1e308}', 1e308),
    ('{"a": -1.5}', -1.5),
    ('{"a": "NaN 1e999"}', "NaN 1e999"),
    ('{"a": [1, 2, ]}', [1, 2]),
    ('{"a": {"b": "x",}, }', {"b": "x"}),
    ('{"a": "\\ud83d\\ude00"}', "😀"),
]


@pytest.mark.parametrize(("text", "value"), LIMITS, ids=range(len(LIMITS)))
def test_a_value_at_the_limit_is_read(text: str, value: object) -> None:
    assert json_from_text.parse(text) == {"a": value}


def test_a_reply_of_the_greatest_length_is_read() -> None:
    text = '{"a": 1}'.ljust(json_from_text.LONGEST)
    assert json_from_text.parse("\ufeff" + text) == {"a": 1}


def test_a_brace_left_over_is_told() -> None:
    """It stands behind the whole object and closes nothing: what was said is whole without it."""
    assert json_from_text.parse_reply('{"a": 1}}') == ({"a": 1}, True)
    assert json_from_text.parse_reply('```json\n{"a": 1}\n```\n}') == ({"a": 1}, True)
    assert json_from_text.parse_reply('{"a": "}"}') == ({"a": "}"}, False)
