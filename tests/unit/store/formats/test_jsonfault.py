"""Faults of a JSON text, with line and column; which texts are refused is tested at `jsonio`."""

from __future__ import annotations

import json

import pytest

from novel_hooks.store.formats import jsonfault
from novel_hooks.store.formats.jsonfault import Fault

TWICE = "键「a」在同一个花括号里写了两次"


def _syntax_fault(text: str) -> Fault:
    with pytest.raises(json.JSONDecodeError) as caught:
        json.loads(text)
    return jsonfault.syntax_fault(text, caught.value)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", (1, 1, "文件是空的")),
        (" \n\t", (1, 1, "文件是空的")),
        ("[1,\n 2,\n]", (2, 3, "最后一项后面多了一个逗号")),
        ('{"a": 1,}', (1, 8, "最后一项后面多了一个逗号")),
        ('{"a": 1 ,\n }', (1, 9, "最后一项后面多了一个逗号")),
        ("[,]", (1, 2, "最后一项后面多了一个逗号")),
        ("[,1]", (1, 2, "这里应当有一个值")),
        ("[1,", (1, 4, "这里应当有一个值")),
        ("[1,,2]", (1, 4, "这里应当有一个值")),
        ('{"a": 1, b}', (1, 10, "这里应当是用英文双引号括起来的键名")),
        ('{"a" 1}', (1, 6, "键名后面缺一个英文冒号")),
        ("[1\n2]", (2, 1, "两项之间缺一个英文逗号，或者括号没有收尾")),
        ("{} x", (1, 4, "内容已经结束，后面还有多余的文字")),
        ('\n"a', (2, 1, "这段文字没有用英文双引号收尾")),
        ('"a\nb"', (1, 3, "引号里有没写成 \\n 的换行或其他控制字符")),
        ('"\\x"', (1, 2, "反斜杠后面的字符不合规则")),
    ],
)
def test_the_fault_of_a_text_that_is_no_json(text: str, fault: tuple[int, int, str]) -> None:
    assert _syntax_fault(text) == fault


@pytest.mark.parametrize(
    ("text", "offset", "column"),
    [
        ("[1, ]", 2, 3),
        ("[1, ]", 3, 3),
        ("[1, ]", 4, 3),
        ("[1 ,]", 4, 4),
        ('{"a": 1, }x', 9, 8),
        ("[1, 2]", 4, None),
        ("[1, 2]", 2, None),
        ("[1 ]", 3, None),
    ],
)
def test_a_needless_comma_is_found_wherever_a_python_points(
    text: str, offset: int, column: int | None
) -> None:
    """Newer ones point at it, older ones behind it or at the bracket."""
    fault = jsonfault.syntax_fault(text, json.JSONDecodeError("Expecting value", text, offset))
    if column is None:
        assert fault == (1, offset + 1, "这里应当有一个值")
    else:
        assert fault == (1, column, "最后一项后面多了一个逗号")


def test_a_fault_that_nobody_knows_has_its_place() -> None:
    wrong = json.JSONDecodeError("Something new", "{\n  x", 4)
    assert jsonfault.syntax_fault("{\n  x", wrong) == (2, 3, "这里的格式不合 JSON 规则")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"a": 1, "a": 2}', (1, 10, TWICE)),
        ('{"a": {"a": 1}, "b": ["a", {"a": 1}],\n"a": 2}', (2, 1, TWICE)),
        ('{"b": {"a": 1}, "c": {"a": 1, "a": 2}}', (1, 31, TWICE)),
        ('[{"a": 1}, {"a": 1}, {"a": "a", "a": 1}]', (1, 33, TWICE)),
        ('{"a": ["x"], "a": 1}', (1, 14, TWICE)),
        ("[NaN]", (1, 2, "NaN 不是合法的数字")),
        ('["a", "a", NaN]', (1, 12, "NaN 不是合法的数字")),
        ("\n\n[1,\n 2,\n  NaN]", (5, 3, "NaN 不是合法的数字")),
        ('{"NaN": -Infinity}', (1, 9, "-Infinity 不是合法的数字")),
        ("[1.5, -1e999]", (1, 7, "这个数字太大了")),
        ("[1e999]", (1, 2, "这个数字太大了")),
        (f"[{'9' * 300}, {'9' * 301}]", (1, 304, "这个数字超过了 300 位")),
        (f"[-{'9' * 300}]", (1, 2, "这个数字超过了 300 位")),
        ('["\\ud83d\\ude00", "\\ud83d"]', (1, 18, "引号里有半个 \\u 代理字符")),
        ('["x", \n' + "[" * 100, (2, 100, "括号套了 100 层以上")),
        ("[]" * 200 + "[" * 101, (1, 501, "括号套了 100 层以上")),
        ('["\\"[{", true, null]', (1, 1, "这里的格式不合 JSON 规则")),
    ],
)
def test_the_first_fault_of_a_text_that_only_we_refuse(text: str, fault: tuple[int, int, str]) -> None:
    assert jsonfault.first_fault(text) == fault
