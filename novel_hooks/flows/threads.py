"""Foreshadowing as it stands: facts and plan together. Reads only. Source: seed 002, protocol §7."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


from novel_hooks import layout
from novel_hooks.flows.book import Book
from novel_hooks.rules import foreshadowing


def facts(book: Book) -> list[dict[str, Any]]:
    """The items of `foreshadowing/global.json`; [] when absent. Raises when it is broken."""
    document = book.document(layout.FORESHADOWING, "foreshadowing")
    return foreshadowing.read(document, layout.FORESHADOWING)


def tasks(book: Book, volume: int, chapter: int) -> list[dict[str, Any]]:
    """What `chapter` has to do with, by id."""
    path = layout.plan(volume)
    plan = foreshadowing.read(book.document(path, "foreshadowing-plan"), path)
    return foreshadowing.tasks(facts(book), plan, chapter)


def due(book: Book, chapter: int) -> list[dict[str, Any]]:
    """The same for the book's current volume."""
    return tasks(book, max(1, book.checkpoint().volume), chapter)
