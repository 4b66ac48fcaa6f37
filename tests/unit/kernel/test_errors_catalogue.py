"""Every refusal keeps the form that authors and tools rely on."""

from __future__ import annotations

import ast
import functools
import re
import string
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import CHECKOUT

from novel_hooks import errors
from tools.gen_errors import page, problem_classes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import TypeGuard

KINDS = problem_classes()
WITH_CASES = [kind for kind in KINDS if kind.cases and "{detail}" in kind.message]
EXITS = (errors.FINDINGS, errors.USAGE, errors.REFUSED, errors.BUSY, errors.DAMAGED, errors.BUG)
SEVERITIES = ("error", "warning", "info")
HAN = re.compile(r"[\u4e00-\u9fff]")


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


class Filled(dict):
    """Each name of a template, with the value that the tests give it."""

    def __missing__(self, name: str) -> str:
        return "某物"


def test_codes_are_unique() -> None:
    codes = [kind.code for kind in KINDS]
    assert len(KINDS) > 20
    assert len(codes) == len(set(codes))


def test_every_area_is_searched_and_only_as_far_as_needed() -> None:
    held = {kind.__module__.rpartition(".")[2] for kind in KINDS}
    assert held - {"base"} == set(errors._AREAS)
    assert all(getattr(errors, kind.__name__) is kind for kind in KINDS)
    with pytest.raises(AttributeError, match="NoSuchRefusal"):
        errors.NoSuchRefusal  # noqa: B018
    asked = "import sys; from novel_hooks import errors; errors.BackupDue"
    code = f"{asked}; sys.exit('novel_hooks.errors.disk' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=CHECKOUT)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.code)
def test_form_and_templates_that_take_simple_names_and_fill_in(kind: type[errors.Problem]) -> None:
    assert re.fullmatch(r"[A-Z]+(?:_[A-Z0-9]+)+", kind.code)
    assert kind.severity in SEVERITIES
    assert kind.exit in EXITS or (kind.exit == errors.DONE and kind.severity != "error")
    assert (kind.__doc__ or "").strip().endswith(".")
    assert HAN.search(kind.message) or fields(kind.message)
    assert HAN.search(kind.fix) or fields(kind.fix)
    names = fields(kind.message) | fields(kind.fix)
    assert all(name.isidentifier() for name in names)
    values = dict.fromkeys(names - {"path"}, "某物")
    told = kind("某处.json", **values).diagnostic()
    assert not re.search(r"\{\w*\}", told.message + told.fix)


def case_texts(kind: type[errors.Problem], case: str) -> tuple[str, ...]:
    return tuple(kind.cases[case].split("\n"))


@pytest.mark.parametrize("kind", WITH_CASES, ids=lambda kind: kind.code)
def test_each_case_fills_in_all_that_its_kind_leaves_open(kind: type[errors.Problem]) -> None:
    open_slots = (fields(kind.message) | fields(kind.fix)) & {"detail", "how"}
    for case in kind.cases:
        texts = case_texts(kind, case)
        assert len(texts) == len(open_slots)
        names = fields(kind.message).union(fields(kind.fix), *map(fields, texts)) - open_slots
        told = kind("某处.json", case=case, **dict.fromkeys(names - {"path"}, "某物")).diagnostic()
        assert not re.search(r"\{\w*\}", told.message + told.fix)
        for text in texts:
            assert text.format_map(Filled(path="某处.json")) in told.message + told.fix


def test_a_case_stands_in_the_message_with_its_values() -> None:
    told = errors.ReplanNotNow(case="chapter begun", chapter=7, before=6).diagnostic()
    assert told.message == "现在不能重排本卷：第 7 章正写到一半。"
    assert told.fix.startswith("请先写完这一章；不要这一稿了，运行 `novel rollback 6` 退回去")


def test_an_unknown_case_is_a_bug() -> None:
    with pytest.raises(KeyError):
        errors.ReplanNotNow(case="no such case")


@functools.cache
def sources() -> list[tuple[Path, ast.Module, list[ast.AST]]]:
    """Return (file, its syntax tree, all nodes of it) of each module of the package."""
    found = []
    for path in sorted(Path(CHECKOUT, "novel_hooks").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found.append((path, tree, list(ast.walk(tree))))
    return found


def calls_with_case() -> Iterator[tuple[str, type[errors.Problem], ast.Call]]:
    """Yield (place, kind, call) of each refusal that is made with a case."""
    for path, _, nodes in sources():
        for node in nodes:
            if is_refusal(node) and case_of(node) is not None:
                yield f"{path.name}:{node.lineno}", getattr(errors, node.func.attr), node


def is_refusal(node: ast.AST) -> TypeGuard[ast.Call]:
    """Whether it is `errors.SomeClass(…)`."""
    called = node.func if isinstance(node, ast.Call) else None
    held = called.value if isinstance(called, ast.Attribute) else None
    return isinstance(held, ast.Name) and held.id == "errors" and hasattr(errors, called.attr)


def case_of(call: ast.Call) -> ast.expr | None:
    named = [word.value for word in call.keywords if word.arg == "case"]
    return (named or call.args[1:2] or [None])[0]


def test_what_is_raised_with_a_case_has_it_and_its_values() -> None:
    """The type checker sees neither a case's name nor the names in its template."""
    calls = list(calls_with_case())
    assert len(calls) > 50
    for place, kind, call in calls:
        given = {word.arg for word in call.keywords}
        for name in case_names(case_of(call)):
            assert name in kind.cases, place
            needs = set().union(*map(fields, case_texts(kind, name))) - {"path"}
            assert None in given or needs <= given, place


def case_names(case: ast.expr) -> list[str]:
    """Return the cases that an expression in a case's place may be; [] for a variable."""
    if isinstance(case, ast.IfExp):
        return [*case_names(case.body), *case_names(case.orelse)]
    return [case.value] if isinstance(case, ast.Constant) else []


def test_whole_sentences_stand_in_the_classes() -> None:
    """What is raised names its case and gives values: texts have one place."""
    for path, tree, nodes in sources():
        texts = {
            one.id: node.value
            for node in tree.body
            if isinstance(node, ast.Assign)
            for one in node.targets
            if isinstance(one, ast.Name)
        }
        for call in filter(is_refusal, nodes):
            for word in call.keywords:
                value = texts.get(getattr(word.value, "id", ""), word.value)
                told = "".join(n.value for n in ast.walk(value) if isinstance(getattr(n, "value", 0), str))
                assert "。" not in told or not HAN.search(told), f"{path.name}:{call.lineno} {told}"


def test_every_case_is_in_use() -> None:
    """A case that nothing raises would be a text that no author meets."""
    words = set()
    for path, _, nodes in sources():
        if path.parent.name != "errors":
            words |= {node.value for node in nodes if isinstance(node, ast.Constant)}
    assert {case for kind in KINDS for case in kind.cases} <= words


def test_page_tells_each_one_with_its_cases() -> None:
    text = page()
    assert all(f"## `{kind.code}`" in text for kind in KINDS)
    assert all(line in text for kind in KINDS for one in kind.cases.values() for line in one.split("\n"))


def test_every_area_is_loaded() -> None:
    """What is asked for by name is found, whatever module of the folder holds it."""
    names = {p.stem for p in Path(errors.__file__).parent.glob("*.py")} - {"__init__", "base"}
    for name in names:
        module = import_module(f"{errors.__name__}.{name}")
        own = [
            key for key, kind in vars(module).items() if getattr(kind, "__module__", "") == module.__name__
        ]
        assert own
        assert all(getattr(errors, key) is getattr(module, key) for key in own)


def test_importing_a_command_loads_no_area() -> None:
    """An area costs every call; one that refuses nothing needs none."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from novel_hooks.cli.commands.steps import commit, instructions, next\n"
        "from novel_hooks.cli.commands.pages import status\n"
        "print(*(name for name in sys.modules if name.startswith('novel_hooks.errors.')))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, CHECKOUT], capture_output=True, check=True, text=True
    )
    assert done.stdout.split() == ["novel_hooks.errors.base"]


def test_several_problems_that_are_told_as_one_are_told_all_the_same() -> None:
    told = errors.Problems(
        [errors.FileMissing(f"{name}.md", what=name) for name in ("甲", "乙")]
    ).diagnostic()
    assert "甲" in told.message and "乙" in told.message and told.fix == ""
