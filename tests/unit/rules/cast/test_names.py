"""The resolver of names: whole words, lists of names, running texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.cast.names import Names, normalize_name

PEOPLE = [
    ("miao-he", ["苗禾", "禾儿", "阿禾"]),
    ("xu-er", ["絮儿", "小絮", "阿絮"]),
    ("he-tie", ["何铁", "老何", "铁匠"]),
    ("he-guang", ["和光", "老何"]),
    ("ann", ["Ann Lee", "Ann"]),
    ("bo", ["A-Bo"]),
    ("lin", ["林", "林晚"]),
    ("wan", ["林晚", "晚儿"]),
    ("mute", ["", " "]),
]
NAMES = Names(PEOPLE)


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("沈渡", "沈渡"),
        (" 沈　渡\u200b ", "沈渡"),
        ("Ａ哥", "A哥"),
        ("Ann  Lee\t", "AnnLee"),
        ("a-B_1", "a-B_1"),
        ("", ""),
        (" \u3000", ""),
        ("\u200b", ""),
    ],
)
def test_width_spaces_and_unseen_marks_do_not_count(name: str, plain: str) -> None:
    assert normalize_name(name) == plain


@pytest.mark.parametrize(
    ("word", "ids"),
    [
        ("苗禾", ("miao-he",)),
        ("禾儿", ("miao-he",)),
        ("苗　禾", ("miao-he",)),
        ("AnnLee", ("ann",)),
        ("老何", ("he-tie", "he-guang")),
        ("林晚", ("wan",)),
        ("林", ("lin",)),
        ("苗", ()),
        ("苗禾儿", ()),
        ("miao-he", ()),
        ("", ()),
    ],
)
def test_whom_a_whole_word_means(word: str, ids: tuple[str, ...]) -> None:
    assert NAMES.who(word) == ids


def test_a_display_name_of_two_means_both_and_goes_before_an_alias() -> None:
    shared = Names([("a", ["双", "单"]), ("b", ["双"]), ("c", ["单"]), ("d", ["丁", "双", "双"])])
    assert shared.who("双") == ("a", "b")
    assert shared.who("单") == ("c",)
    assert shared.who("丁") == ("d",)


def test_an_alias_that_one_has_twice_means_him_once() -> None:
    assert Names([("a", ["甲", "小甲", "小 甲"])]).who("小甲") == ("a",)


def test_titles_are_the_display_names() -> None:
    assert NAMES.title("miao-he") == "苗禾"
    assert NAMES.title("mute") == "mute"
    assert NAMES.title("nobody") == "nobody"
    assert NAMES.shown()[:3] == ["苗禾", "絮儿", "何铁"]
    assert Names([("a", [" 甲 ", "乙"])]).shown() == ["甲"]
    assert Names([("a", ["", "乙"])]).title("a") == "乙"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("苗禾与絮儿（藏着）", [("苗禾", ["miao-he"]), ("絮儿", ["xu-er"])]),
        ("苗禾、絮儿，何铁", [("苗禾", ["miao-he"]), ("絮儿", ["xu-er"]), ("何铁", ["he-tie"])]),
        ("苗禾→絮儿&何铁", [("苗禾", ["miao-he"]), ("絮儿", ["xu-er"]), ("何铁", ["he-tie"])]),
        ("苗禾 / 絮儿\n何铁", [("苗禾", ["miao-he"]), ("絮儿", ["xu-er"]), ("何铁", ["he-tie"])]),
        ("和光", [("和光", ["he-guang"])]),
        ("苗禾和路人", [("苗禾", ["miao-he"]), ("路人", [])]),
        ("路人和过客", [("路人和过客", [])]),
        ("Ann Lee", [("Ann Lee", ["ann"])]),
        ("Ann 苗禾", [("Ann", ["ann"]), ("苗禾", ["miao-he"])]),
        ("路人 过客", [("路人 过客", [])]),
        ("苗禾 絮儿与何铁", [("苗禾", ["miao-he"]), ("絮儿", ["xu-er"]), ("何铁", ["he-tie"])]),
        ("苗禾(远处)【旁白】[注]", [("苗禾", ["miao-he"])]),
        ("（只有备注）", []),
        ("、，", []),
        ("", []),
        ("老何", [("老何", ["he-tie", "he-guang"])]),
    ],
)
def test_a_list_of_names_in_parts(text: str, parts: list[tuple[str, list[str]]]) -> None:
    assert [(piece, list(ids)) for piece, ids in NAMES.parts(text)] == parts


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("絮儿、苗禾、阿絮", ["xu-er", "miao-he"]),
        ("老何、何铁", ["he-tie"]),
        ("老何", []),
        ("路人、絮儿", ["xu-er"]),
        ("", []),
    ],
)
def test_the_ids_of_a_list_without_shared_names(text: str, ids: list[str]) -> None:
    assert NAMES.ids_in_list(text) == ids


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("苗禾推开门，絮儿在等。", ["miao-he"]),
        (" 　禾儿说", ["miao-he"]),
        ("门开了，苗禾", []),
        ("老何来了", []),
        ("林晚来了", ["wan"]),
        ("林来了", []),
        ("Ann Lee came", ["ann"]),
        ("Anna came", []),
        ("", []),
    ],
)
def test_the_id_at_the_start_of_a_running_text(text: str, ids: list[str]) -> None:
    assert NAMES.ids_at_start(text) == ids


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("絮儿看苗禾，禾儿不看絮儿。", ["xu-er", "miao-he"]),
        ("林晚与林", ["wan"]),
        ("老何打铁", []),
        ("铁匠打铁", ["he-tie"]),
        ("何铁何铁絮儿", ["he-tie", "xu-er"]),
        ("苗禾", ["miao-he"]),
        ("Ann走了", ["ann"]),
        ("走了Ann", ["ann"]),
        ("Anna与Ann-x与xAnn与_Ann", []),
        ("（Ann）", ["ann"]),
        ("Ann Lee, A-Bo.", ["ann", "bo"]),
        ("xA-Bo", []),
        ("1A-Bo A-Bo2", []),
        ("Ａ-Bo来", ["bo"]),
        ("无人", []),
        ("", []),
    ],
)
def test_the_ids_in_a_running_text(text: str, ids: list[str]) -> None:
    assert NAMES.ids_in_text(text) == ids


@pytest.mark.parametrize(
    ("text", "ids", "owned"),
    [
        ("何铁的灯", [], ["he-tie"]),
        ("何铁的灯照着何铁", ["he-tie"], ["he-tie"]),
        ("絮儿拿着何铁的灯", ["xu-er"], ["xu-er", "he-tie"]),
        ("何铁目的", ["he-tie"], ["he-tie"]),
        ("Ann的灯", [], ["ann"]),
    ],
)
def test_a_thing_that_somebody_owns_is_not_he(text: str, ids: list[str], owned: list[str]) -> None:
    assert NAMES.ids_in_text(text, owned=False) == ids
    assert NAMES.ids_in_text(text, owned=True) == owned


def test_the_longest_name_counts_at_each_place() -> None:
    names = Names([("a", ["阿禾"]), ("b", ["阿禾娘"]), ("c", ["禾娘"])])
    assert names.ids_in_text("阿禾娘来了") == ["b"]
    assert names.ids_in_text("阿禾禾娘") == ["a", "c"]
    assert names.ids_at_start("阿禾娘来了") == ["b"]


@given(st.text("苗禾絮儿何铁老和与的、 AnnLeB-（）", max_size=14))
def test_ids_are_never_named_twice_and_lists_agree_with_their_parts(text: str) -> None:
    found = NAMES.ids_in_text(text)
    assert len(found) == len(set(found))
    assert set(NAMES.ids_in_text(text, owned=False)) <= set(found)
    assert NAMES.ids_at_start(text) == [] or NAMES.ids_at_start(text)[0] in found
    sure = [ids[0] for _, ids in NAMES.parts(text) if len(ids) == 1]
    assert NAMES.ids_in_list(text) == list(dict.fromkeys(sure))
    assert all(piece and piece == piece.strip() for piece, _ in NAMES.parts(text))


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("A哥来了", ["a"]),
        ("是A哥吗", ["a"]),
        ("BA哥来了", []),
        ("A哥B", ["a"]),
        ("老K来了", ["k"]),
        ("B老K", ["k"]),
        ("老K2来了", []),
        ("A哥的灯", ["a"]),
    ],
)
def test_only_an_ascii_end_of_a_name_needs_a_word_of_its_own(text: str, ids: list[str]) -> None:
    assert Names([("a", ["A哥"]), ("k", ["老K"])]).ids_in_text(text) == ids
