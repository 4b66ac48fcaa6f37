"""Ends of texts and sections of pages, for any text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.packet import world_pages
from novel_hooks.rules.text import excerpt, length

MARKS = "河灯。！？”“\n 　#a1"
TEXTS = st.text(alphabet=MARKS, max_size=200)


@given(TEXTS, st.integers(1, 60))
def test_an_end_is_the_texts_own_and_never_too_long(text: str, most: int) -> None:
    found = excerpt.ending(text, most)
    if length.chars(text) <= most:
        assert found == text
        return
    assert 0 < length.chars(found) <= most or not length.chars(found.partition("\n\n")[2])
    body = found.partition("\n\n")[2] if found.count("\n\n") and found.lstrip()[:1] == "#" else found
    assert "".join(text.split()).endswith("".join(body.split()))


@given(st.lists(TEXTS, max_size=3), st.lists(st.text(alphabet="河灯a", max_size=3), max_size=3), TEXTS)
def test_sections_are_the_pages_own_each_once_within_the_limit(
    pages: list[str], names: list[str], plan: str
) -> None:
    known = [section for page in pages for section in world_pages.sections(page)]
    found = world_pages.choose(pages, names, [plan], plan)
    assert set(found) <= set(known) and len(set(found)) == len(found)
    assert sum(map(length.length, found)) <= world_pages.LIMIT


@given(TEXTS)
def test_no_text_of_a_page_is_lost_between_its_sections(page: str) -> None:
    whole = "".join("".join(world_pages.sections(page)).split())
    lines = [line for line in page.split("\n") if not world_pages._HEADING.match(line)]
    assert all("".join(line.split()) in whole for line in lines if "```" not in page)
