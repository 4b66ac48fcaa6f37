"""The author's samples: how much of them is measured, and which numbers are remembered of which texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.packet import style_measures
from novel_hooks.rules.text import style_measures as text_style_measures
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = ["他走到桥头，停了停。水声很大。\n", "灯灭了。没有人说话。\n"]


@pytest.fixture
def made(tmp_path: Path) -> Book:
    made = book(tmp_path)
    for number, text in enumerate(TEXTS):
        made.write(f"{layout.STYLE_SAMPLES}/{number}.md", text)
    return made


def reading(made: Book) -> Reading:
    return Reading(Project(str(made.root)))


def kept(made: Book, book: Reading) -> None:
    for path, data in book.learnt.items():
        made.write(path, data)


# how much --------------------------------------------------------------------------------------------


def chosen(monkeypatch: pytest.MonkeyPatch, limit: int, *texts: str | None) -> tuple[list[str], list[str]]:
    monkeypatch.setattr(style_measures, "LIMIT", limit)
    named = {f"{layout.STYLE_SAMPLES}/{n}.md": text for n, text in enumerate(texts)}
    found, left = style_measures.samples([f"{n}.md" for n in range(len(texts))], named.get)
    return [path.rpartition("/")[2] for path, _ in found], left


def test_the_text_that_passes_the_limit_is_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen(monkeypatch, 5, "一二三", "四五六", "七") == (["0.md", "1.md"], ["2.md"])


def test_at_the_limit_it_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen(monkeypatch, 6, "一二三", "四五六", "七") == (["0.md", "1.md"], ["2.md"])
    assert chosen(monkeypatch, 7, "一二三", "四五六", "七") == (["0.md", "1.md", "2.md"], [])


def test_an_empty_or_unreadable_one_takes_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen(monkeypatch, 2, None, " \n", "一二", "三") == (["2.md"], ["3.md"])


# what is remembered ------------------------------------------------------------------------------------


def test_numbers_are_counted_once(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    book = reading(made)
    first = style_measures.facts(book, TEXTS, ["仿佛"])
    kept(made, book)
    monkeypatch.setattr(text_style_measures, "style_facts", lambda *_: pytest.fail("counted again"))
    again = reading(made)
    assert style_measures.facts(again, TEXTS, ["仿佛"]) == first and again.learnt == {}


@pytest.mark.parametrize(("texts", "words"), [(TEXTS[:1], ["仿佛"]), (TEXTS, []), (TEXTS[::-1], ["仿佛"])])
def test_other_texts_or_words_have_other_numbers(made: Book, texts: list[str], words: list[str]) -> None:
    book = reading(made)
    style_measures.facts(book, TEXTS, ["仿佛"])
    kept(made, book)
    fresh = text_style_measures.style_facts(texts, words)
    again = reading(made)
    assert style_measures.facts(again, texts, words)["sentences"] == fresh["sentences"]
    assert layout.STYLE_FACTS in again.learnt


def test_a_letter_in_a_sample_is_left_out_as_it_is_in_a_chapter(made: Book) -> None:
    letter = "信上写着：\n\n父亲大人膝下：\n\n儿一切都好，只是冬衣薄了些。\n\n儿 阿武 敬上\n\n"
    told = "“走吧。”他说。\n\n天黑了。\n"
    found = style_measures.facts(reading(made), [f"{letter}{told}"], [])
    plain = text_style_measures.style_facts([f"信上写着：\n\n{told}"])
    assert found["dialogue_ratio"] == plain["dialogue_ratio"] and found["sentences"] == plain["sentences"]


@pytest.mark.parametrize("content", ["{", "[]", '{"key": "x", "facts": {"sentences": 99}}', '{"facts": {}}'])
def test_a_memory_of_something_else_is_none(made: Book, content: str) -> None:
    made.write(layout.STYLE_FACTS, content)
    assert style_measures.measured_samples(reading(made)) is None
    assert style_measures.facts(reading(made), TEXTS, [])["sentences"] == 4


def test_what_a_packet_has_told_is_known_of_these_very_samples(made: Book) -> None:
    assert style_measures.measured_samples(reading(made)) is None, "no packet told it yet"
    book = reading(made)
    words = style_measures.blacklisted(made.json(layout.BLACKLIST))
    facts: dict[str, Any] = style_measures.facts(book, TEXTS, words)
    kept(made, book)
    assert style_measures.measured_samples(reading(made)) == (TEXTS, facts)
    made.write(f"{layout.STYLE_SAMPLES}/2.md", "又一篇。\n")
    assert style_measures.measured_samples(reading(made)) is None


def test_without_a_sample_it_is_asked_for(made: Book) -> None:
    assert style_measures.sample_problems(reading(made)) == []
    for number in range(2):
        made.drop(f"{layout.STYLE_SAMPLES}/{number}.md")
    (problem,) = style_measures.sample_problems(reading(made))
    assert problem.path == layout.STYLE_SAMPLES
