"""Names of files made of titles that may hold anything."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.publication.file_names import file_name, leaf_names


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("夜雨", "夜雨"),
        ("A/B:C?", "A／B：C？"),
        ("CON", "_CON"),
        ("con.txt", "_con.txt"),
        ("Console", "Console"),
        ("一个点.", "一个点"),
        (" .. ", "未命名"),
        ("灯🏮市", "灯🏮市"),
        ("两\n行", "两 行"),
        ("é", "é"),
    ],
)
def test_titles(title: str, name: str) -> None:
    assert file_name(title) == name


def test_a_long_title_is_cut_between_characters() -> None:
    assert file_name("长" * 80) == "长" * 40
    assert file_name("长" * 39 + " ..." + "长" * 5) == "长" * 39
    assert file_name("长" * 39 + "\ufe0f" + "长" * 5) == "长" * 39


def test_names_differ_whatever_the_titles_are() -> None:
    titles = [
        (1, "楔子"),
        (1, "é"),
        (2, "e\u0301"),
        (3, "Lamp"),
        (4, "lamp"),
        (5, None),
        (6, "CON"),
        (7, "..."),
    ]
    names = leaf_names(list(titles))
    assert names == ["001 楔子", "001-2 é", "002 é", "003 Lamp", "004 lamp", "005", "006 _CON", "007"]


def test_the_width_of_numbers_is_that_of_the_last() -> None:
    assert leaf_names([(9, "a"), (1200, "b")]) == ["0009 a", "1200 b"]


@given(st.text())
def test_every_title_makes_a_name_that_every_system_takes(title: str) -> None:
    name = file_name(title)
    assert name
    assert len(name.encode("utf-8", "surrogatepass")) <= 121
    assert not set(name) & set('/\\:*?"<>|')
    assert name.isprintable()
    assert name == name.strip(". ")
