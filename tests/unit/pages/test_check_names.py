"""The check of names: what `make lint` refuses in names and docstrings, with examples on both sides."""

from __future__ import annotations

import ast

import pytest

from tools import check_names


@pytest.mark.parametrize(
    "name", ["told", "_told", "look", "found", "_one", "listed", "was_told", "shelf_of", "Standing"]
)
def test_a_name_that_says_nothing_is_refused(name: str) -> None:
    assert check_names.fault_of(name) is not None


@pytest.mark.parametrize(
    "name", ["label", "find", "found_paths", "one_line", "number_list", "next_step", "outlook"]
)
def test_a_plain_name_passes(name: str) -> None:
    assert check_names.fault_of(name) is None


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("What is due. It is told.", True),
        ("Return the tasks. Who is asked waits.", True),
        ("Return the tasks that are due, whatever they are.", False),
        ("List what is due.", False),
    ],
)
def test_a_docstring_begins_its_sentences_with_a_verb_or_a_noun(text: str, refused: bool) -> None:
    tree = ast.parse(f'def tasks():\n    """{text}"""\n')
    assert bool(list(check_names.docstring_faults(tree))) is refused


def test_private_functions_may_say_it_their_way() -> None:
    assert list(check_names.docstring_faults(ast.parse('def _tasks():\n    """What is due."""\n'))) == []


def test_fields_and_attributes_are_names_too() -> None:
    tree = ast.parse("class Step:\n    told: str\n    def __init__(self) -> None:\n        self.found = 1\n")
    assert {name for _, _, name in check_names.names(tree)} >= {"told", "found", "Step", "__init__"}
