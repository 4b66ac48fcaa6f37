"""The author's settings as commands read them: the cache, and the limits that a verdict was judged by."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import defaults, layout
from novel_hooks.flows.book import settings
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.rules.evaluation.gate_entry import Bands
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from pathlib import Path

YAML = "title: 夜渡\ngate:\n  pass: 4.2\nmax_revisions: 1\nstop_after: draft\n"


@pytest.fixture
def made(tmp_path: Path) -> Book:
    made = book(tmp_path)
    made.write(layout.CONFIG, YAML)
    return made


def reading(made: Book) -> Reading:
    return Reading(Project(str(made.root)))


def cached(made: Book, content: Any) -> Reading:
    made.write(layout.SETTINGS, content)
    return reading(made)


def cache(made: Book, **changes: Any) -> dict[str, Any]:
    """The cache of another title for the very file, with these keys changed."""
    change = settings.cache_change(made.at(layout.CONFIG).read_bytes(), {"title": "旧的"})
    document: dict[str, Any] = json.loads(change.data)
    return {**document, **changes}


def test_without_a_file_there_are_none(made: Book) -> None:
    made.drop(layout.CONFIG)
    assert settings.read(reading(made)) == {}


def test_what_was_read_is_learnt_for_the_next_command(made: Book) -> None:
    book = reading(made)
    assert settings.read(book)["title"] == "夜渡"
    again = cached(made, book.learnt[layout.SETTINGS])
    assert settings.read(again) == settings.read(book) and again.learnt == {}


def test_the_cache_of_this_very_file_is_used(made: Book) -> None:
    assert settings.read(cached(made, cache(made))) == {"title": "旧的"}


@pytest.mark.parametrize(
    "changes", [{"sha256": "0" * 64}, {"schema_version": 1}, {"settings": []}, {"schema_version": None}]
)
def test_a_cache_of_anything_else_is_not(made: Book, changes: dict[str, Any]) -> None:
    found = cached(made, cache(made, **changes))
    assert settings.read(found)["title"] == "夜渡"
    assert layout.SETTINGS in found.learnt


@pytest.mark.parametrize("content", ["{", "[]", "\xff", "null", "[" * 100_000])
def test_a_broken_cache_is_as_good_as_none(made: Book, content: str) -> None:
    assert settings.read(cached(made, content))["title"] == "夜渡"


def test_the_limits_of_the_gate_are_the_authors(made: Book) -> None:
    found = settings.bands(reading(made))
    assert (found.pass_at, found.max_revisions) == (4.2, 1)
    made.drop(layout.CONFIG)
    assert settings.bands(reading(made)) == Bands()


def test_a_verdict_keeps_the_limits_that_it_was_judged_by(made: Book) -> None:
    stored = Bands().to_json()
    assert settings.recorded_bands(reading(made), {"bands": stored}) == Bands()
    assert settings.recorded_bands(reading(made), {}) == settings.bands(reading(made)) != Bands()


def test_single_settings_and_what_counts_without_them(made: Book) -> None:
    book = reading(made)
    assert settings.stop_after(book) == ("draft",)
    assert settings.chapter_chars(book) == defaults.CHAPTER_CHARS
    assert settings.currency(book) is None and settings.models(book) == {} and settings.prices(book) == {}
    made.write(layout.CONFIG, "chapter_chars: [10, 20]\ncurrency: ' 元 '\nmodels:\n  draft: opus\n")
    book = reading(made)
    assert settings.stop_after(book) == () and settings.chapter_chars(book) == (10, 20)
    assert settings.currency(book) == "元" and settings.models(book) == {"draft": "opus"}


def test_only_an_agent_with_a_limit_can_have_another(made: Book) -> None:
    book = reading(made)
    standard = settings.packet_chars(book, "chapter-writer")
    assert isinstance(standard, int) and settings.packet_chars(book, "nobody") is None
    made.write(layout.CONFIG, f"packet_chars:\n  chapter-writer: {standard + 1000}\n")
    assert settings.packet_chars(reading(made), "chapter-writer") == standard + 1000
    assert settings.packet_chars(reading(made), "quality-judge") != standard + 1000
