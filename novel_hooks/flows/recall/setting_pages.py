"""The pages of the setting and the plan, searched for words: brief, world, cards, outlines. Reads only."""

from __future__ import annotations

from functools import partial

from novel_hooks import layout
from novel_hooks.annotations import TYPE_CHECKING, Iterator, Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.recall import subjects
from novel_hooks.record import Record
from novel_hooks.rules.recall import sentences
from novel_hooks.store.formats import jsonio

if TYPE_CHECKING:
    from collections.abc import Mapping

_PAGES = (".md", ".json")


class PageHit(Record):
    """One place: the author's name for the page, its path, the line (None in a card), the words there."""

    where: str
    path: str
    line: int | None
    text: str


def search(
    book: Book, words: Sequence[str], bearer: str | None = None
) -> tuple[list[PageHit], list[Problem]]:
    """Return (every place with a word, page by page; the pages that cannot be read).

    Card and profile of `bearer`, the id of a subject, are left out, because they are about him anyway.
    """
    found: list[PageHit] = []
    faults: list[Problem] = []
    for where, path in _pages(book):
        if bearer is not None and bearer == f"{subjects.PERSON}:{path.rpartition('/')[2].partition('.')[0]}":
            continue
        places, wrong = attempt(partial(_places, book, path, words))
        faults += wrong
        found += [PageHit(where, path, line, told) for line, told in places or ()]
    return found, faults


def _pages(book: Book) -> Iterator[tuple[str, str]]:
    """Yield (the author's name for a page, its path), the setting first."""
    yield "立意", layout.BRIEF
    for name in _names(book, layout.WORLD):
        path = f"{layout.WORLD}/{name}"
        yield "世界规则" if path == layout.WORLD_RULES else "世界设定", path
    for folder, where in ((layout.CHARACTERS, "角色档案"), (layout.RETIRED, "退场角色的档案")):
        for name in _names(book, folder):
            yield where, f"{folder}/{name}"
    for name in _names(book, "volumes", ("",)):
        number = name.rpartition("-")[2]
        if name.startswith("vol-") and number.isascii() and number.isdigit():
            yield f"第 {int(number)} 卷大纲", layout.outline(int(number))


def _names(book: Book, folder: str, endings: tuple[str, ...] = _PAGES) -> list[str]:
    return (attempt(lambda: book.files(folder, endings)[0])[0]) or []


def _places(book: Book, path: str, words: Sequence[str]) -> list[tuple[int | None, str]]:
    """Return (line, sentence) of a page; of a JSON file the texts in it, without its keys and lines."""
    text = book.text(path)
    if text is None or not sentences.has_any(text, words):
        return []
    if not path.endswith(".json"):
        return [(one.line, one.text) for one in sentences.sentences(text, words)]
    found = texts(jsonio.parse(text.encode("utf-8"), path))
    return [(None, one.text) for told in found for one in sentences.sentences(told, words)]


def texts(value: object, names: Mapping[str, str] = {}) -> Iterator[str]:
    """Yield the texts in a JSON value, without keys; an id of `names` as the name it stands for."""
    if isinstance(value, str):
        yield names.get(value, value)
    elif isinstance(value, (dict, list)):
        for inside in value.values() if isinstance(value, dict) else value:
            yield from texts(inside, names)
