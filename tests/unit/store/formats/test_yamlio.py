"""YAML: read strictly, told in Chinese with the place."""

from __future__ import annotations

import contextlib
import os
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks import errors
from novel_hooks.store.formats import yamlfault, yamlio

CHECKOUT = os.path.abspath(__file__).rpartition(os.sep + "tests" + os.sep)[0]

REFUSED = [
    ("a: 1\nb: 1\na: 2\n", 3, 1, "写了两次"),
    ("gate:\n  pass: 1\n  pass: 2\n", 3, 3, "写了两次"),
    ("a: [1,2\n", 2, 1, "收尾"),
    ("title: 长夜: 上卷: 下\n", 1, 10, "冒号"),
    ("a:\n\tb: 1\n", 2, 1, "Tab"),
    ("a: &x [*x]\n", 1, 8, "引用"),
    ("a: 1\n---\nb: 2\n", 2, 1, "一份"),
    ("a: !!python/object:os.system x\n", 1, 4, "标记"),
    ("a: !foo [1]\n", 1, 4, "标记"),
    ("a: !foo {b: 1}\n", 1, 4, "标记"),
    ("a: !foo x\n", 1, 4, "标记"),
    ("a: ! x\n", 1, 4, "标记"),
    ("a: !!str 7\n", 1, 4, "标记"),
    ("!!map {a: 1}\n", 1, 1, "标记"),
    ("%YAML 1.1\n---\na: yes\n", 2, 1, "指令"),
    ("书: \x07\n", 1, 4, "控制字符"),
    ("[" * 3000, 1, 101, "100 层"),
    ("a: .nan\n", 1, 4, "有限"),
    ("a: -.INF\n", 1, 4, "有限"),
    ("a: 1e999\n", 1, 4, "太大"),
    ("a: " + "9" * 5000, 1, 4, "300 位"),
    ("a: 0o" + "7" * 5000, 1, 4, "300 位"),
    ("a:\n  1: x\n", 2, 3, "键"),
    ("? [a]\n: c\n", 1, 3, "键"),
    ("<<: {a: 1}\n", 1, 1, "键"),
    ("a: @x\n", 1, 4, "引号"),
    ("a: 'x\n", 2, 1, "引号没有收尾"),
    ("- a\nb: 1\n", 2, 1, "缩进"),
]


@pytest.mark.parametrize(("text", "line", "column", "words"), REFUSED)
def test_what_is_refused_is_told_with_its_place(
    text: str, line: int, column: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(errors.YamlBroken) as caught:
        yamlio.parse(text, "novel.yaml")
    told = caught.value.values
    assert (told["line"], told["column"], words in str(told["fault"])) == (line, column, True), told
    assert capsys.readouterr() == ("", "")


def test_a_value_is_what_a_json_file_could_hold(capsys: pytest.CaptureFixture[str]) -> None:
    text = "a: 2024-01-01\nb: yes\nc: ~\nd: 1e5\ne: 0x10\nf: 1.2.3\ng: 12:30\nh: [true, 'x']\ni: 2024-99-99\n"
    assert yamlio.parse(text, "novel.yaml") == {
        "a": "2024-01-01",
        "b": "yes",
        "c": None,
        "d": 1e5,
        "e": 16,
        "f": "1.2.3",
        "g": "12:30",
        "h": [True, "x"],
        "i": "2024-99-99",
    }
    assert capsys.readouterr() == ("", ""), "ruamel's own remarks are not for the author"


@pytest.mark.parametrize("text", [".nan", "1e999", "9" * 301])
def test_what_is_quoted_is_a_text(text: str) -> None:
    assert yamlio.parse(f"a: '{text}'\n", "novel.yaml") == {"a": text}


@pytest.mark.parametrize("text", ["", "\n", "# 只有说明\n"])
def test_nothing_is_none(text: str) -> None:
    assert yamlio.parse(text, "novel.yaml") is None


@given(st.text("abc:[]{}-#&*!|>'\"%@` \n\t0.9书", max_size=40))
def test_any_text_gives_a_value_or_a_problem(text: str) -> None:
    with contextlib.suppress(errors.YamlBroken):
        yamlio.parse(text, "novel.yaml")


@pytest.mark.parametrize(("number", "refused"), [("9" * 300, False), ("9" * 301, True), ("1.2.3e5", False)])
def test_a_number_has_300_digits_at_most(number: str, refused: bool) -> None:
    if refused:
        with pytest.raises(errors.YamlBroken, match="300 位"):
            yamlio.parse(f"a: {number}\n", "novel.yaml")
    else:
        assert yamlio.parse(f"a: {number}\n", "novel.yaml") is not None


@pytest.mark.parametrize(("levels", "refused"), [(100, False), (101, True)])
def test_a_text_has_100_levels_at_most(levels: int, refused: bool) -> None:
    for text in ("[" * levels + "]" * levels, "{a: " * levels + "1" + "}" * levels):
        if refused:
            with pytest.raises(errors.YamlBroken, match="100 层以上") as caught:
                yamlio.parse(text, "novel.yaml")
            assert caught.value.path == "novel.yaml"
        else:
            assert yamlio.parse(text, "novel.yaml")


def test_levels_that_are_closed_do_not_count() -> None:
    assert yamlio.parse("[" + "[1], {a: 1}, " * 200 + "]", "novel.yaml") == [[1], {"a": 1}] * 200


def test_an_endless_nesting_of_the_reader_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def deep(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr(yamlfault, "check", deep)
    with pytest.raises(errors.YamlBroken, match="100 层以上") as caught:
        yamlio.parse("a: 1\n", "novel.yaml")
    assert (caught.value.path, caught.value.values["line"], caught.value.values["column"]) == (
        "novel.yaml",
        1,
        1,
    )


def test_every_node_has_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    text = "a:  # 说明\n  - x\nb: 2024-01-01\n"
    root = yamlio.node_tree(text)
    (_, items), (_, day) = root.value
    assert text[items.value[0].start_mark.index :].startswith("x\n")
    assert text[day.start_mark.index : day.end_mark.index] == "2024-01-01"
    assert yamlio.node_tree("# 只有说明\n") is None
    assert capsys.readouterr() == ("", "")


def test_a_missing_reader_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ruamel.yaml", None)
    with pytest.raises(errors.DependencyMissing, match=r"ruamel\.yaml") as caught:
        yamlio.parse("a: 1", "novel.yaml")
    assert caught.value.exit == errors.REFUSED
