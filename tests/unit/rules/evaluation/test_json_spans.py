"""Spans of a reply that may hold an object: what counts, what is passed over, what is refused."""

from __future__ import annotations

import pytest

from novel_hooks.errors import VerdictUnreadable
from novel_hooks.rules.evaluation.json_spans import Span, bracket_end, fault, object_spans
from novel_hooks.rules.text.json_values import MAX_DEPTH

A, B = '{"a": 1}', '{"b": 2}'


def counted(text: str) -> list[tuple[str, bool]]:
    return [(text[span.start : span.end], span.json) for span in object_spans(text)[0]]


def test_a_span_is_where_the_object_begins_and_one_past_its_end() -> None:
    assert object_spans(f"好：{A}。```json\n{B}")[0] == [Span(2, 10, False), Span(19, 27, True)]
    assert object_spans("没有对象") == ([], False)


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        (f"```json\n{A}\n```\n{B}", [(A, True), (B, False)]),
        (f"```JSON5 结果\n{A}\n```", [(A, True)]),
        (f"``` \t json\n{A}", [(A, True)]),
        (f"```json{A}```", [(A, True)]),
        (f"```\n{A}\n```", [(A, False)]),
        (f"````json\n```\n{A}\n````\n{B}", [(A, True), (B, False)]),
        (f"~~~json\n```\n{A}\n~~~\n{B}", [(A, True), (B, False)]),
        (f"```json\n~~~~\n{A}\n````\n{B}", [(A, True), (B, False)]),
        (f"~~~\n{A}\n~~~\n~~~json\n{B}", [(A, False), (B, True)]),
    ],
)
def test_a_block_has_its_label_until_it_is_closed(text: str, spans: list[tuple[str, bool]]) -> None:
    assert counted(text) == spans


@pytest.mark.parametrize("close", ["```", "  ```", "\t```", "``` \t\r", "`````"])
@pytest.mark.parametrize("opening", ["```js", "  ```js", "``` Python 3"])
def test_a_block_in_another_language_counts_only_without_json(opening: str, close: str) -> None:
    block = f"{opening}\n{A}\n{close}\n"
    assert counted(f"{block}```json\n{B}\n```") == [(B, True)]
    assert counted(f"{block}{B}") == [(A, False), (B, False)]
    assert counted(block) == [(A, False)]


@pytest.mark.parametrize("block", [f"说 ```js\n{A}\n```\n", f"```js\n{A}\n``` 完\n"])
def test_what_is_no_proper_block_counts_at_once(block: str) -> None:
    assert counted(block) == [(A, False)]
    assert counted(f"{block}~~~json\n{B}\n~~~") == [(A, False), (B, True)]


@pytest.mark.parametrize("block", [f"```js {A}", f"```js\n{A}\n~~~\n", f"```{A}```", f"```js`{A}"])
def test_a_block_that_is_not_closed_counts_as_far_as_it_goes(block: str) -> None:
    assert counted(block) == [(A, False)]


def test_what_braces_of_prose_hold_need_not_be_in_pairs() -> None:
    assert counted(f"{{第一场]}}写得好。{A}") == [(A, False)]


def test_a_block_inside_a_foreign_block_is_read_last() -> None:
    assert counted(f"````md\n```js\n{A}\n```\n````\n") == [(A, False)]
    assert counted(f"````md\n```json\n{A}\n```\n````\n") == [(A, True)]
    assert counted(f"````md\n```json\n{A}\n```\n````\n{B}") == [(A, True), (B, False)]


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        (f"`{A}`", [(A, False)]),
        (f"`{A}` 与 `{B}`", [(A, False), (B, False)]),
        (f"`{A}` {B}", [(B, False)]),
        (f"``{A}`` {B}", [(B, False)]),
        (f"`` ` {A} `` {B}", [(B, False)]),
        (f"` {A} `` {B}", [(A, False), (B, False)]),
        (f"` {A}\n` {B}", [(A, False), (B, False)]),
        (f"`x` ` {A}", [(A, False)]),
        (f"一行\n`{A}` {B}\n`", [(B, False)]),
        (f"```\n`{A}`\n```\n{B}", [(A, False), (B, False)]),
    ],
)
def test_inline_code_counts_only_when_nothing_else_does(text: str, spans: list[tuple[str, bool]]) -> None:
    assert counted(text) == spans


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        (f"<think>{A}</think>{B}", [(B, False)]),
        (f"<THINKING step=1>{A}</thinking  >{B}", [(B, False)]),
        (f"<think>一</think><think>{A}</THINK>{B}", [(B, False)]),
        (f"<thinker>{A}", [(A, False)]),
        (f"只有结尾</think>{B}", [(B, False)]),
        (f"`{A}`</think>没有", []),
        (f"```js\n{A}\n```\n</think>{B}", [(B, False)]),
    ],
)
def test_thoughts_do_not_count(text: str, spans: list[tuple[str, bool]]) -> None:
    assert counted(text) == spans


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        (f"{{占位}}{A}", [(A, False)]),
        (f'{{他说"好" {A} }}{B}', [(B, False)]),
        (f'[1] ["x"] [] [["y"]] [说] {A}', [(A, False)]),
        (f"[链接]({A})", [(A, False)]),
        ("{}", [("{}", False)]),
        ("{ \n}", [("{ \n}", False)]),
        ("{'a': 1}", [("{'a': 1}", False)]),
        ("{“a”: 1}", [("{“a”: 1}", False)]),
        (f'说"：" {A}', [(A, False)]),
        (f"{A}，{B}", [(A, False), (B, False)]),
    ],
)
def test_brackets_of_prose_are_passed_over(text: str, spans: list[tuple[str, bool]]) -> None:
    assert counted(text) == spans


@pytest.mark.parametrize(
    ("text", "line", "column", "detail"),
    [
        (f"一\n<think>{A}</thinking>", 2, 1, "思考部分没有结束，后面没有结果"),
        (f"一\n说{A}</think>{B}", 2, 2, "分不清这一段是思考还是结果"),
        ("一\n说 } 了", 2, 3, "多出一个右花括号，前面像是缺了一段"),
        (f'": {A}', 1, 4, "这只是一个对象的一部分，外层缺了开头"),
        (f'"scores" \n:\t{A}', 2, 3, "这只是一个对象的一部分，外层缺了开头"),
        (f'":{" " * 198}{A}', 1, 201, "这只是一个对象的一部分，外层缺了开头"),
        (f'{A} ,\n"b": 2', 1, 9, "这只是一个对象的一部分，外层缺了开头"),
        (f"说[{A}]", 1, 2, "最外层是列表，应当只是一个对象"),
        (f'[\n["x", {A}]]', 1, 1, "最外层是列表，应当只是一个对象"),
        (f'["x", {A}', 1, 1, "括号没有闭合，内容像是被截断了"),
        ('{占位 "a"', 1, 1, "括号没有闭合，内容像是被截断了"),
        ('```json\n{"a": [1', 2, 1, "括号没有闭合，内容像是被截断了"),
        ('```js\n{"a": [1\n```\n`]}`', 2, 1, "括号没有闭合，内容像是被截断了"),
        ('```js\n["a", {\n```\n`}]`', 2, 1, "括号没有闭合，内容像是被截断了"),
        ('```js\n{说"a"\n```\n`}`', 2, 1, "括号没有闭合，内容像是被截断了"),
        ("```js\n<think>\n```\n`</think>`", 2, 1, "思考部分没有结束，后面没有结果"),
    ],
)
def test_a_refusal_names_place_and_reason(text: str, line: int, column: int, detail: str) -> None:
    with pytest.raises(VerdictUnreadable) as refused:
        object_spans(text)
    found = refused.value.values
    assert (found["line"], found["column"], found["fault"]) == (line, column, detail)


def test_a_brace_left_over_behind_a_whole_object() -> None:
    """It closes nothing and is passed over; one behind more words may be the end of something cut."""
    for text in (f"{A}}}", f"```json\n{A}\n}}\n```", f"```json\n{A}\n```\n}} }}\n好。"):
        spans, left_over = object_spans(text)
        assert [text[span.start : span.end] for span in spans] == [A] and left_over
    for text in (f"{A} 说 }}", f"}} {A}"):
        with pytest.raises(VerdictUnreadable):
            object_spans(text)


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
