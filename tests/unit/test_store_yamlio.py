"""YAML: read strictly, told in Chinese with the place; changed with every comment kept."""

from __future__ import annotations

import contextlib
import difflib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks import errors
from novel_hooks.store import site, yamlfault, yamlio

CHECKOUT = os.path.abspath(__file__).rpartition(os.sep + "tests" + os.sep)[0]
TEMPLATE = Path(CHECKOUT, "novel_hooks/templates/novel.yaml")

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
        yamlio.load(text, "novel.yaml")
    told = caught.value.values
    assert (told["line"], told["column"], words in str(told["detail"])) == (line, column, True), told
    assert capsys.readouterr() == ("", "")


def test_a_value_is_what_a_json_file_could_hold(capsys: pytest.CaptureFixture[str]) -> None:
    text = "a: 2024-01-01\nb: yes\nc: ~\nd: 1e5\ne: 0x10\nf: 1.2.3\ng: 12:30\nh: [true, 'x']\ni: 2024-99-99\n"
    assert yamlio.load(text, "novel.yaml") == {
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
    assert yamlio.load(text, "novel.yaml") is None


@given(st.text("abc:[]{}-#&*!|>'\"%@` \n\t0.9书", max_size=40))
def test_any_text_gives_a_value_or_a_problem(text: str) -> None:
    with contextlib.suppress(errors.YamlBroken):
        yamlio.load(text, "novel.yaml")


class TestEdit:
    def test_the_template_keeps_every_line_that_is_not_changed(self) -> None:
        text = TEMPLATE.read_text(encoding="utf-8")
        assert yamlio.edit(text, "novel.yaml", {}) == text
        edited = yamlio.edit(text, "novel.yaml", {"title": "长夜", "gate.pass": 4.25})
        changed = [line for line in difflib.ndiff(text.splitlines(), edited.splitlines()) if line[0] in "+-"]
        assert [line.split("#")[0].rstrip() for line in changed] == [
            '- title: ""',
            '+ title: "长夜"',
            "-   pass: 4.0",
            "+   pass: 4.25",
        ]
        assert yamlio.load(edited, "novel.yaml") == _with(yamlio.load(text, "novel.yaml"), 4.25)

    def test_lists_stay_on_their_line_and_indents_stay(self) -> None:
        text = "a:\n    - x  # 一\n    - y\n\nb: [1, 2]   # 二\n# 尾\n"
        edited = yamlio.edit(text, "novel.yaml", {"b": [3, 4]})
        assert edited == text.replace("[1, 2]", "[3, 4]")

    def test_new_keys_and_maps_are_added(self) -> None:
        edited = yamlio.edit("a: 1  # 一\n", "novel.yaml", {"new.deep": 1, "b": "是: 的"})
        assert edited.startswith("a: 1  # 一\n")
        assert yamlio.load(edited, "novel.yaml") == {"a": 1, "new": {"deep": 1}, "b": "是: 的"}

    @pytest.mark.parametrize("text", ["", "# 只有说明", "# 只有说明\n"])
    def test_a_file_of_comments_keeps_them(self, text: str) -> None:
        edited = yamlio.edit(text, "novel.yaml", {"a.b": 1})
        assert edited.startswith(text.rstrip("\n"))
        assert yamlio.load(edited, "novel.yaml") == {"a": {"b": 1}}
        assert yamlio.edit(text, "novel.yaml", {}).rstrip("\n") == text.rstrip("\n")

    def test_a_broken_file_is_not_changed(self) -> None:
        for text in ("a: [", "- a\n", "a: 1\na: 2\n"):
            with pytest.raises(errors.YamlBroken):
                yamlio.edit(text, "novel.yaml", {"a": 1})
        with pytest.raises(ValueError, match="not a map"):
            yamlio.edit("a: 1\n", "novel.yaml", {"a.b": 1})

    @given(
        st.dictionaries(
            st.sampled_from(["title", "genre", "gate.pass", "max_revisions", "chapter_chars", "new"]),
            st.none()
            | st.booleans()
            | st.integers(-99, 99)
            | st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
            | st.lists(st.integers(0, 9), max_size=3),
        )
    )
    def test_what_is_set_is_read_back_and_all_else_stays(self, changes: dict[str, object]) -> None:
        text = TEMPLATE.read_text(encoding="utf-8")
        wanted = yamlio.load(text, "novel.yaml")
        assert isinstance(wanted, dict)
        for key, value in changes.items():
            if key == "gate.pass":
                wanted["gate"]["pass"] = value
            else:
                wanted[key] = value
        edited = yamlio.edit(text, "novel.yaml", changes)
        assert yamlio.load(edited, "novel.yaml") == wanted
        assert [line for line in text.splitlines() if line.startswith("#")] == [
            line for line in edited.splitlines() if line.startswith("#")
        ]


def _with(value: object, limit: float) -> object:
    assert isinstance(value, dict)
    return {**value, "title": "长夜", "gate": {**value["gate"], "pass": limit}}


class TestSite:
    def test_packages_are_found_by_an_interpreter_started_without_them(self) -> None:
        code = (
            f"import sys; sys.path.insert(0, {CHECKOUT!r})\n"
            "from novel_hooks.store import site, yamlio\n"
            "assert 'ruamel' not in sys.modules and 'jsonschema' not in sys.modules\n"
            "site.activate(); site.activate(); import jsonschema\n"
            "print(yamlio.load('a: [1]', 'x'))"
        )
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False
        )
        assert (done.stdout, done.stderr) == ("{'a': [1]}\n", "")

    def test_a_missing_package_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(site, "_is_there", lambda _name: False)
        with pytest.raises(errors.DependencyMissing, match="jsonschema") as caught:
            site.activate()
        assert caught.value.exit == errors.REFUSED
        monkeypatch.undo()
        monkeypatch.setitem(sys.modules, "ruamel.yaml", None)
        with pytest.raises(errors.DependencyMissing, match=r"ruamel\.yaml"):
            yamlio.load("a: 1", "novel.yaml")


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
    found = yamlfault.colon("novel.yaml", text)
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
    assert yamlfault.colon("novel.yaml", text) is None
