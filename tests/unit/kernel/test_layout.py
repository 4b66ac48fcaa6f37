"""Path strings and back, held against the patterns they stand for."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks import layout

SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")
CHAPTER = re.compile(r"chapter-([0-9]{3,})\.md\Z")


@given(st.text(st.sampled_from("az09AZ-_. \n\u00e9\u0661\u6cb3"), max_size=8) | st.text(max_size=8))
def test_slugs(text: str) -> None:
    assert bool(layout.SLUG.match(text)) == bool(SLUG.match(text))


@given(
    st.builds(
        "{}{}{}".format,
        st.sampled_from(["chapter-", "Chapter-", "chapter", " chapter-", ""]),
        st.text(st.sampled_from("0179-\u0661\u00b2 \n"), max_size=6),
        st.sampled_from([".md", ".MD", ".md\n", "", ".mdx"]),
    )
)
def test_chapter_names(name: str) -> None:
    found = CHAPTER.match(name)
    assert layout.chapter_number(name) == (int(found.group(1)) if found else None)


@pytest.mark.parametrize("number", [1, 7, 99, 999, 1000, 12345])
def test_there_and_back(number: int) -> None:
    assert layout.chapter_number(layout.chapter(number).rpartition("/")[2]) == number
