"""YAML: read strictly, told in Chinese with the place."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks import errors
from novel_hooks.store.formats import yamlfault, yamlio
from novel_hooks.store.host import site

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
    assert (told["line"], told["column"], words in str(told["detail"])) == (line, column, True), told
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


@pytest.mark.parametrize("text", ["", "\n", "# 只有说明\n"])
def test_nothing_is_none(text: str) -> None:
    assert yamlio.parse(text, "novel.yaml") is None


@given(st.text("abc:[]{}-#&*!|>'\"%@` \n\t0.9书", max_size=40))
def test_any_text_gives_a_value_or_a_problem(text: str) -> None:
    with contextlib.suppress(errors.YamlBroken):
        yamlio.parse(text, "novel.yaml")


class TestSite:
    def test_packages_are_found_by_an_interpreter_started_without_them(self) -> None:
        code = (
            f"import sys; sys.path.insert(0, {CHECKOUT!r})\n"
            "from novel_hooks.store.host import site; from novel_hooks.store.formats import yamlio\n"
            "assert 'ruamel' not in sys.modules and 'jsonschema' not in sys.modules\n"
            "site.activate(); site.activate(); import jsonschema\n"
            "print(yamlio.parse('a: [1]', 'x'))"
        )
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False
        )
        assert (done.stdout, done.stderr) == ("{'a': [1]}\n", "")

    def test_a_missing_package_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(site, "_is_importable", lambda _name: False)
        with pytest.raises(errors.DependencyMissing, match="jsonschema") as caught:
            site.activate()
        assert caught.value.exit == errors.REFUSED
        monkeypatch.undo()
        monkeypatch.setitem(sys.modules, "ruamel.yaml", None)
        with pytest.raises(errors.DependencyMissing, match=r"ruamel\.yaml"):
            yamlio.parse("a: 1", "novel.yaml")


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
    assert said in str(found)


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
