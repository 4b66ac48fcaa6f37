"""Words for the book's ids, so that an author never meets one in what a judge wrote. Reads only."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

from novel_hooks import layout
from novel_hooks.flows.book import foreshadowing, planned_chapters
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.rules.cast.characters import Character
from novel_hooks.rules.evaluation import verdict_warnings
from novel_hooks.rules.foreshadowing import item
from novel_hooks.rules.state import consistency, entry_names
from novel_hooks.rules.text.json_values import objects


def words(book: Book, chapter: int | None = None) -> dict[str, str]:
    """Return id → words: of rules, people and their contracts, storylines, threads, the chapter's objectives.

    A file that cannot be read leaves its ids out; whoever needs it tells of it.
    """
    return {name: told for name, told in _all(book, chapter) if name and told not in ("", name)}


def in_words(book: Book, chapter: int | None, lines: Iterable[str]) -> list[str]:
    """Return lines about a chapter with words in the place of ids."""
    known = words(book, chapter)
    return [verdict_warnings.in_words(line, known) for line in lines]


def state_places(book: Book, places: Sequence[str]) -> str:
    """Return places of the state in the author's words, the first five of them."""
    people = {one.slug: one.name for cards in (book.retired, book.cast) for one in attempt(cards)[0] or []}
    state, _ = attempt(book.state)
    return consistency.paths_text(places, entry_names.shown_names(state or {}, people))


def _all(book: Book, chapter: int | None) -> Iterator[tuple[str, str]]:
    people: list[Character] = []
    for cards in (book.retired, book.cast):
        people += attempt(cards)[0] or []
    for person in people:
        yield person.slug, person.name
        yield from _entries(person.document.get("contracts"), "rule")
    yield from _entries(_document(book, layout.WORLD_RULES, "world-rules").get("rules"), "rule")
    yield from (attempt(lambda: foreshadowing.storyline_names(book))[0] or {}).items()
    threads = attempt(lambda: foreshadowing.all_threads(book))[0] or []
    yield from ((str(one.get("id") or ""), item.title(one)) for one in threads)
    if chapter is not None:
        contract = layout.contract(planned_chapters.chapter_volume(book, chapter), chapter)
        yield from _entries(_document(book, contract, "chapter-contract").get("objectives"), "description")


def _document(book: Book, path: str, schema: str) -> dict[str, Any]:
    found, _ = attempt(lambda: book.document(path, schema))
    return found if isinstance(found, dict) else {}


def _entries(listed: object, key: str) -> Iterator[tuple[str, str]]:
    return ((str(one.get("id") or ""), str(one.get(key) or "")) for one in objects(listed))
