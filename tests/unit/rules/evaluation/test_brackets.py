"""Pairs of brackets in JSON text, and the place that a refusal names."""

from __future__ import annotations

import pytest

from novel_hooks.errors import VerdictUnreadable
from novel_hooks.rules.evaluation.brackets import bracket_end, fault
from novel_hooks.rules.text.json_values import MAX_DEPTH


def place(refused: VerdictUnreadable) -> tuple[object, ...]:
    return tuple(refused.values[key] for key in ("line", "column", "fault"))


@pytest.mark.parametrize(
    ("at", "line", "column"),
    [(0, 1, 1), (2, 1, 3), (3, 2, 1), (4, 2, 2), (5, 3, 1), (6, 4, 1), (7, 4, 2)],
)
def test_a_refusal_names_line_and_column_from_one(at: int, line: int, column: int) -> None:
    refused = fault("一二\n三\n\n四五", at, "坏了")
    assert place(refused) == (line, column, "坏了")
    assert (refused.code, refused.exit) == ("JUDGE_VERDICT_UNREADABLE", 1)


@pytest.mark.parametrize(
    ("text", "start", "whole"),
    [
        ("{}", 0, "{}"),
        ("说{}。", 1, "{}"),
        ('{"a": [{}, []]} {"b": 1}', 0, '{"a": [{}, []]}'),
        ('{"a": [{}, []]}', 6, "[{}, []]"),
        ('{"}": "]\\"}"}}', 0, '{"}": "]\\"}"}'),
        ('{"a": "\\\\"}"', 0, '{"a": "\\\\"}'),
        ('{"a": "一\n}"}', 0, '{"a": "一\n}"}'),
        ("[" * MAX_DEPTH + "]" * MAX_DEPTH, 0, "[" * MAX_DEPTH + "]" * MAX_DEPTH),
    ],
)
def test_the_bracket_that_closes_another(text: str, start: int, whole: str) -> None:
    assert bracket_end(text, start) == start + len(whole)
    assert text[start : bracket_end(text, start)] == whole


@pytest.mark.parametrize(
    ("text", "start", "column", "detail"),
    [
        ("{[}]", 0, 3, "括号没有成对"),
        ("说{]", 1, 3, "括号没有成对"),
        ("说{[]", 1, 2, "括号没有闭合，内容像是被截断了"),
        ('{"a": "好', 0, 7, "引号没有闭合，内容像是被截断了"),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), 0, MAX_DEPTH + 1, "嵌套得太深"),
    ],
)
def test_a_pair_that_is_none_is_refused_at_its_place(text: str, start: int, column: int, detail: str) -> None:
    with pytest.raises(VerdictUnreadable) as refused:
        bracket_end(text, start)
    assert place(refused.value) == (1, column, detail)


def test_nothing_behind_the_stop_closes_a_bracket() -> None:
    assert bracket_end("{[]}{}", 0, 4) == 4
    with pytest.raises(VerdictUnreadable) as refused:
        bracket_end("{[]}{}", 0, 3)
    assert refused.value.values["fault"] == "括号没有闭合，内容像是被截断了"
