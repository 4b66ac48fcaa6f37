"""One value of a YAML text set or dropped: every other byte stays, or nothing is changed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import CHECKOUT, examples
from hypothesis import given
from hypothesis import settings as bounds
from hypothesis import strategies as st

from novel_hooks import errors, layout
from novel_hooks.rules.settings import settings
from novel_hooks.store.formats import yamlio, yamlsplice

if TYPE_CHECKING:
    from collections.abc import Mapping

TEMPLATE = Path(CHECKOUT, "novel_hooks/templates/novel.yaml").read_text("utf-8")
NAME = layout.CONFIG


def _change(before: str, keys: list[str], value: Any) -> str:
    """Drop the value at `keys` when `value` is None, else set it."""
    if value is None:
        return yamlsplice.drop_value(before, NAME, keys)
    return yamlsplice.set_value(before, NAME, keys, value)


TEXTS = [
    ("", ["gate", "pass"], 4, "gate:\n  pass: 4\n"),
    ("# 说明", ["a"], "x", "# 说明\na: x\n"),
    ("a: 1  # 一", ["b"], [1, 2], "a: 1  # 一\nb: [1, 2]\n"),
    ("a:   # 空的\nb: 2\n", ["a"], "是: 的", 'a: "是: 的"   # 空的\nb: 2\n'),
    ("a:\nb: 2\n", ["a", "c"], 1, "a:\n  c: 1\nb: 2\n"),
    ("a:\n    x: 1\n    # 尾\nb: 2\n", ["a", "y"], 3, "a:\n    x: 1\n    y: 3\n    # 尾\nb: 2\n"),
    ("a: {x: 1}  # 花\n", ["a", "y", "z"], 2, "a: {x: 1, y: {z: 2}}  # 花\n"),
    ("a: {}\n", ["a", "y"], "true", 'a: {y: "true"}\n'),
    ("a:\n  - x\n  - z\nb: 1\n", ["a"], ["y"], "a: [y]\nb: 1\n"),
    ("a:\n- x\nb: 1\n", ["a"], ["y"], "a: [y]\nb: 1\n"),
    ("a:  # 说明\n  # 又一句\n\n  - x\n  - z\nb: 1\n", ["a"], ["y"], "a: [y]  # 说明\n  # 又一句\nb: 1\n"),
    ("a:\n  - x\n  - z  # 尾\n  # 下\n", ["a"], ["y"], "a: [y]  # 尾\n  # 下\n"),
    ("a: |\n  两行\n  字\nb: 1\n", ["a"], "x", "a: x\nb: 1\n"),
    ("---\na: 1\n...\n", ["b"], 2, "---\na: 1\nb: 2\n...\n"),
    ("a: 'it''s'\n\n\nb: \"x\"\n", ["b"], "y", "a: 'it''s'\n\n\nb: y\n"),
    ("{a: 1}\n", ["b"], 2, "{a: 1, b: 2}\n"),
    ("a: 1\n", ["b"], 2, "a: 1\nb: 2\n"),
    ('a: "x # 一"\nb: 2\n', ["a"], "y", "a: y\nb: 2\n"),
    ('"k#1": 1\na: 2\n', ["a"], 3, '"k#1": 1\na: 3\n'),
    ("b: 1\na: |\n  # 字\nc: 2\n", ["a"], "x", "b: 1\na: x\nc: 2\n"),
    ("b: 1\na: >\n  # 字\nc: 2\n", ["a"], "x", "b: 1\na: x\nc: 2\n"),
    ("a: 1\n# 尾\n", ["b"], 2, "a: 1\n# 尾\nb: 2\n"),
    ("a:\n  x: 1", ["a", "y"], 2, "a:\n  x: 1\n  y: 2\n"),
    ("a:", ["a", "y"], 2, "a:\n  y: 2\n"),
    ("b: 1\na:", ["a"], 2, "b: 1\na: 2"),
    ("---\n", ["a"], 1, "---\na: 1\n"),
    ("x: 1\na:\nb: 2\n", ["a"], 1, "x: 1\na: 1\nb: 2\n"),
    ("x: 1\na:  # 说明: 一\n  - x\n", ["a"], ["y"], "x: 1\na: [y]  # 说明: 一\n"),
]


@pytest.mark.parametrize(("before", "keys", "value", "after"), TEXTS)
def test_put(before: str, keys: list[str], value: Any, after: str) -> None:
    assert yamlsplice.set_value(before, NAME, keys, value) == after


DROPS = [
    ("a: 1\nb: 2\n", ["a"], "b: 2\n"),
    ("a: 1", ["a"], "# a: 1"),
    ("a: 1\n# 一\nb: 2\n", ["a"], "# a: 1\n# 一\nb: 2\n"),
    ("b:\n  x: 1\n  y: 2\n# 一\n", ["b", "y"], "b:\n  x: 1\n# 一\n"),
    ("b:\n  x: 1\n  y: 2\n# 一\n", ["b", "x"], "b:\n  # x: 1\n  y: 2\n# 一\n"),
    ("a:\n  x: 1  # 一\n  y: 2\n", ["a", "x"], "a:\n  # x: 1  # 一\n  y: 2\n"),
    ("a:\n  x: 1\nb: 2\n", ["a", "x"], "a:\nb: 2\n"),
    ("a:\n  x: 1\n\n  y: 2\nb: 2  # 一\n", ["a"], "# a:\n#   x: 1\n\n#   y: 2\nb: 2  # 一\n"),
    ("a: {x: 1, y: 2, z: 3}\n", ["a", "x"], "a: {y: 2, z: 3}\n"),
    ("a: {x: 1, y: 2, z: 3}\n", ["a", "z"], "a: {x: 1, y: 2}\n"),
    ("a: {x: 1}\n", ["a", "x"], "a: {}\n"),
    ("{a: 1}  # 一\n", ["a"], "{}  # 一\n"),
    ("a:  # 一\n  # 二\n\nb: 2\n", ["a"], "# a:  # 一\n  # 二\n\nb: 2\n"),
    ("a:\n  # 一\n  x: 1\nb: 2\n", ["a"], "# a:\n  # 一\n#   x: 1\nb: 2\n"),
    ("a: |\n  # 字\nb: 2\n# 一", ["a"], "# a: |\n#   # 字\nb: 2\n# 一"),
    ("# a: 1\nb: 2\na: 1\n", ["a"], "# a: 1\nb: 2\n"),
    ("# a: 1\nb: 2\na: 1  # 一\n", ["a"], "# a: 1\nb: 2\n# a: 1  # 一\n"),
    ("# a: 1  # 一\nb: 2\na: 1  # 一\n", ["a"], "# a: 1  # 一\nb: 2\n# a: 1  # 一\n"),
    ("\na: 1\nb: 2\n", ["a"], "\nb: 2\n"),
    ("\nb: 2\na:\n  # 一\n  x: 1\n", ["a"], "\nb: 2\n# a:\n  # 一\n#   x: 1\n"),
    ("a:\n  x: [1,\n 2]\n  y: 1\n# 一", ["a", "x"], "a:\n  # x: [1,\n # 2]\n  y: 1\n# 一"),
    ("a: 1\n", ["b"], "a: 1\n"),
    ("", ["b", "c"], ""),
]


@pytest.mark.parametrize(("before", "keys", "after"), DROPS)
def test_drop(before: str, keys: list[str], after: str) -> None:
    assert yamlsplice.drop_value(before, NAME, keys) == after


def test_a_text_of_one_value_is_never_left_empty() -> None:
    """An empty file looks as if it were lost."""
    assert yamlsplice.drop_value("a:\n  b: 1\n", NAME, ["a"]) == "# a:\n#   b: 1\n"


LOST = [
    ("a:\n  - x  # 一\n  - z  # 二\n# 三\n", ["a"], ["y"], 2),
    ("b: 1\na: [x, y,\n  # 一\n  z]\n", ["a"], ["y"], 3),
    ("a: |  # 说明\n  # 不是说明\n", ["a"], "y", 1),
    ("a: {\n  x: 1,  # 一\n  y: 2}\n", ["a", "x"], None, 2),
    ("a: {\n  x: 1,  # 一\n  y: 2}\n", ["a", "y"], None, 2),
]


@pytest.mark.parametrize(("before", "keys", "value", "line"), LOST)
def test_a_comment_inside_a_value_is_never_lost(before: str, keys: list[str], value: Any, line: int) -> None:
    with pytest.raises(yamlsplice.Unspliced) as caught:
        _change(before, keys, value)
    assert (caught.value.line, caught.value.comment) == (line, True)


@pytest.mark.parametrize("before", ["a: &x  # 说明\n  - x\n", "a: 1\n", "- a\n", "null\n"])
def test_what_cannot_be_changed_alone_is_not_changed(before: str) -> None:
    with pytest.raises(yamlsplice.Unspliced):
        yamlsplice.set_value(before, NAME, ["a"] if "x" in before else ["a", "b"], [1])


SINGLE = [setting.key for setting in settings.all_settings() if setting.key != "prices"]
KEYS = st.sampled_from([*SINGLE, "prices.sonnet.input"])
VALUES = (
    st.integers(-9, 9999)
    | st.floats(0, 9, allow_nan=False).map(lambda x: round(x, 3))
    | st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
    | st.lists(st.sampled_from(["draft", "judge", 2000, 3500]), max_size=3)
)


@bounds(max_examples=examples(40), deadline=None)
@given(st.lists(st.tuples(KEYS, st.none() | VALUES), max_size=6))
def test_what_is_set_is_read_back_and_no_comment_is_lost(steps: list[tuple[str, Any]]) -> None:
    now = TEMPLATE
    for key, value in steps:
        parts = settings.split_key(key)
        before = yamlio.parse(now, NAME)
        assert isinstance(before, dict)
        now = (
            yamlsplice.drop_value(now, NAME, parts)
            if value is None
            else yamlsplice.set_value(now, NAME, parts, value)
        )
        after = yamlio.parse(now, NAME)
        assert isinstance(after, dict)
        assert settings.value_at(after, key) == value
        rest = [one for one in SINGLE if one != key]
        assert _all(after, rest) == _all(before, rest)
    comments = [line for line in TEMPLATE.splitlines() if line.startswith("#")]
    assert [line for line in comments if line not in now.splitlines()] == []


def _all(found: Mapping[str, Any], keys: list[str]) -> list[Any]:
    return [settings.value_at(found, key) for key in keys]


@bounds(max_examples=examples(150), deadline=None)
@given(st.text("ab:[]{}-#'\"| \n01书", max_size=30), st.sampled_from([["a"], ["a", "b"]]), VALUES)
def test_any_text_is_changed_as_meant_or_not_at_all(before: str, keys: list[str], value: Any) -> None:
    try:
        after = yamlsplice.set_value(before, NAME, keys, value)
    except (yamlsplice.Unspliced, errors.YamlBroken):
        return
    assert yamlsplice.value_at(yamlio.parse(after, NAME), keys) == value


@pytest.mark.parametrize(
    ("before", "keys", "value", "line"),
    [
        ("a: 1\n", ["a", "b"], 2, 1),
        ("x: 1\na:\n  b: text\n", ["a", "b", "c"], 2, 3),
        ("- a\n", ["a"], 2, 1),
        ("x: 1\n? a\n: 2\n", ["a"], None, 2),
    ],
)
def test_what_cannot_be_changed_is_told_by_the_last_key_there(
    before: str, keys: list[str], value: Any, line: int
) -> None:
    with pytest.raises(yamlsplice.Unspliced) as caught:
        _change(before, keys, value)
    assert (caught.value.line, caught.value.comment) == (line, False)


@pytest.mark.parametrize("before", ["a: [\n", "a: 1\na: 2\n"])
def test_a_faulty_text_is_refused_with_its_file(before: str) -> None:
    for change in (
        lambda: yamlsplice.set_value(before, NAME, ["a"], 1),
        lambda: yamlsplice.drop_value(before, NAME, ["a"]),
    ):
        with pytest.raises(errors.YamlBroken) as caught:
            change()
        assert caught.value.path == NAME


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        ([], {"a": {"b": [1]}}),
        (["a"], {"b": [1]}),
        (["a", "b"], [1]),
        (["a", "c"], None),
        (["a", "b", "c"], None),
    ],
)
def test_a_value_is_found_by_its_keys(keys: list[str], value: Any) -> None:
    assert yamlsplice.value_at({"a": {"b": [1]}}, keys) == value


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("plain-Word_1", "plain-Word_1"),
        ("1a", '"1a"'),
        ("Yes", '"Yes"'),
        ("off", '"off"'),
        ("null", '"null"'),
        ("两个 字", '"两个 字"'),
        ("a: b", '"a: b"'),
        ("", '""'),
        (1.5, "1.5"),
        (True, "true"),
        ([], "[]"),
        (["a", "on", 2], '[a, "on", 2]'),
    ],
)
def test_a_value_is_written_as_it_is_read(value: Any, shown: str) -> None:
    after = yamlsplice.set_value("", NAME, ["k"], value)
    assert after == f"k: {shown}\n"
    assert yamlio.parse(after, NAME) == {"k": value}
