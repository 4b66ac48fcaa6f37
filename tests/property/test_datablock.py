"""DATA blocks: no text ends or fakes one, and every text comes back exactly (seed 003)."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.packet import data_block

UNSEEN = ["", " ", "\t", "\n", "\u3000", "\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u061c", "\u180e"]
UNSEEN += [
    "\u202e",
    "\u2066",
    "\u0000",
    "\u0007",
    "\u0301",
    "\ufe0f",
    "\u115f",
    "\u3164",
    "\U000e0041",
    "\u034f",
]
SIGNS = ["<", "＜", "﹤", "≮"]
SLASHES = ["/", "／", "∕", "⁄", "\\"]
LETTERS = {
    "D": ["D", "d", "Ｄ", "ｄ", "𝐃", "Ⓓ", "Ď", "ᴅ"],
    "A": ["A", "a", "Ａ", "𝖺", "Á", "\u0410", "\u03b1"],
    "T": ["T", "t", "Ｔ", "𝘁", "\u0422", "\u03c4"],
}
gap = st.lists(st.sampled_from(UNSEEN), max_size=2).map("".join)


@st.composite
def tags(draw: st.DrawFn, closing: bool) -> str:
    pieces = [draw(st.sampled_from(SIGNS)), draw(gap)]
    if closing:
        pieces += [draw(st.sampled_from(SLASHES)), draw(gap)]
    for letter in "DATA":
        pieces += [draw(st.sampled_from(LETTERS[letter])), draw(gap)]
    return "".join(pieces) + draw(st.sampled_from([">", " >", ' type="x" source="y">', "＞", "", "\n"]))


written = st.one_of(
    st.text(max_size=30),
    st.text(alphabet="<>&/;#ampltdDATA \u200b", max_size=30),
    tags(closing=True),
    tags(closing=False),
    st.sampled_from(["&lt;/DATA>", "&amp;lt;/DATA>", "&#65308;／ＤＡＴＡ", "&lt;data>", "《data》", "a<b"]),
)
texts = st.lists(written, max_size=6).map("".join)


def seen(text: str) -> str:
    """What is left for the eye: compatibility forms plain, blanks, controls and marks gone."""
    plain = unicodedata.normalize("NFKD", text)
    kept = "".join(
        c for c in plain if unicodedata.category(c)[0] not in "CZM" and c not in "\u1160\u115f\u2800"
    )
    return kept.casefold().translate(str.maketrans("\u0430\u03b1\u0442\u03c4\u1d05∕⁄\\", "aattd///"))


@given(texts)
def test_every_text_comes_back_exactly(text: str) -> None:
    assert data_block.unwrap(data_block.wrap("summary", "a.md", text)) == text


@given(texts)
def test_nothing_inside_ends_a_block(text: str) -> None:
    inner = data_block.neutralize(text)
    assert "</data" not in seen(inner)
    assert data_block.wrap("summary", "a.md", text).count("</DATA>") == 1


@given(st.text(max_size=10), tags(closing=False), st.text(max_size=10))
def test_nothing_inside_fakes_the_beginning_of_one(before: str, tag: str, after: str) -> None:
    sign = next(c for c in tag if c in SIGNS)
    inner = data_block.neutralize(before + tag + " " + after)
    assert sign + tag[1:] not in inner
    assert data_block.unwrap(data_block.wrap("summary", "a.md", before + tag)) == before + tag


@given(st.text().filter(lambda text: not set(text) & set("<＜﹤≮&")))
def test_a_text_without_a_tag_is_not_changed(text: str) -> None:
    assert data_block.neutralize(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "5 < 6，<database>，<b>数据</b>，data",
        "<数据>",
        "a<datas",
        "if (a<b) && c</b>",
        "&lt;b&gt;",
        "〈data〉",
        "<dat a1>",
    ],
)
def test_what_is_no_tag_stays(text: str) -> None:
    assert data_block.neutralize(text) == text


@given(st.text(max_size=40), st.text(max_size=40))
def test_the_first_line_is_one_tag_whatever_the_names(kind: str, source: str) -> None:
    head, _, rest = data_block.wrap(kind, source, "文").partition("\n")
    assert rest == "文\n</DATA>"
    assert head.count('"') == 6 and head.count("<") == head.count(">") == 1
    assert all(unicodedata.category(c)[0] not in ("C", "Z") or c == " " for c in head)


@given(
    st.recursive(
        st.none() | st.integers() | texts,
        lambda held: st.lists(held, max_size=4) | st.dictionaries(texts, held, max_size=4),
        max_leaves=12,
    )
)
def test_a_value_keeps_its_shape(value: object) -> None:
    found = data_block.neutralize_value(value)
    assert type(found) is type(value)
    assert "</data" not in seen(repr(found)).replace("\\\\", "\\")


def test_thousands_of_signs_take_no_time() -> None:
    text = "<" * 50_000 + ("< " * 50_000) + "</DAT" * 20_000
    assert data_block.neutralize(text) == text
