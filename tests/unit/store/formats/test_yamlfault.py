"""Faults of a settings file, in Chinese with the place; which texts are refused is tested at `yamlio`."""

from __future__ import annotations

import types

import pytest

from novel_hooks.store.formats import yamlfault

PATH = "novel.yaml"


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        ("title： 书\nmax: 2\n", 1, 6, "全角"),
        ("gate：\n  pass: 4\n", 1, 5, "全角"),
        ("a: 1\ngate:\n  pass：4.2\n", 3, 7, "全角"),
        ("gate: {pass: 4, polish：3}\n", 1, 23, "全角"),
        ("prices: {sonnet: {input：3}}\n", 1, 24, "全角"),
        ("gate:\n  pass:4.2\n", 2, 7, "空一格"),
        ("gate: {pass:4.2}\n", 1, 12, "空一格"),
        ("title:书\n", 1, 6, "空一格"),
    ],
)
def test_a_colon_that_is_none_is_found(text: str, line: int, column: int, said: str) -> None:
    found = yamlfault.colon_fault("novel.yaml", text)
    assert found is not None
    assert (found.values["line"], found.values["column"]) == (line, column)
    assert said in str(found) and found.path == "novel.yaml"


@pytest.mark.parametrize(
    "text",
    [
        "title: 书：一\n",
        "# pass：4\n",
        "gate: # pass：4\n  pass: 4\n",
        "prices:\n  qwen:7b: {input: 1}\n",
        "title: http://x\n",
        'title: "{a, b：c}"\n',
        "title: 写 a, b：c\n",
        "x:\n\n",
        "",
    ],
)
def test_a_colon_in_a_text_is_none_of_them(text: str) -> None:
    assert yamlfault.colon_fault("novel.yaml", text) is None


@pytest.mark.parametrize(
    ("offset", "place"), [(0, (1, 1)), (1, (1, 2)), (2, (1, 3)), (3, (2, 1)), (4, (2, 2)), (None, (1, 1))]
)
def test_a_place_is_counted_from_1(offset: object, place: tuple[int, int]) -> None:
    fault = yamlfault.fault_at(PATH, "ab\ncd", offset, "说明")
    assert (fault.values["line"], fault.values["column"]) == place
    assert (fault.path, fault.values["fault"]) == (PATH, "说明")


def test_an_error_that_nobody_knows_has_its_place() -> None:
    wrong = types.SimpleNamespace(
        problem="something new", problem_mark=types.SimpleNamespace(line=1, column=4)
    )
    fault = yamlfault.syntax_fault(PATH, "a: 1\nb: 2\n", wrong)
    assert (fault.path, fault.values["line"], fault.values["column"], fault.values["fault"]) == (
        PATH,
        2,
        5,
        "这里的格式不合 YAML 规则",
    )


def test_an_error_without_a_place_is_about_a_control_character() -> None:
    for wrong, column in ((types.SimpleNamespace(position=2), 3), (types.SimpleNamespace(), 1)):
        fault = yamlfault.syntax_fault(PATH, "ab\x07", wrong)
        assert (fault.path, fault.values["line"], fault.values["column"]) == (PATH, 1, column)
        assert fault.values["fault"] == "有看不见的控制字符"


def test_a_faulty_colon_is_the_reason_before_all_others() -> None:
    wrong = types.SimpleNamespace(problem="found duplicate key", problem_mark=None)
    fault = yamlfault.syntax_fault(PATH, "a: 1\nb：2\n", wrong)
    assert (fault.path, fault.values["line"], fault.values["column"]) == (PATH, 2, 2)
    assert "全角" in str(fault.values["fault"])
