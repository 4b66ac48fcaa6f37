"""`novel entities`: the names of the text that have no record yet. Reads only. Source: protocol §1."""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.flows import ledger, merging
from novel_hooks.flows.book import Book
from novel_hooks.record import Record
from novel_hooks.rules import entities
from novel_hooks.rules.entities import Stranger


class Unregistered(Record):
    """`noted`: distinct names of the log, those registered since among them."""

    strangers: tuple[Stranger, ...]
    noted: int


def run(book: Book) -> Unregistered:
    """Raises what is wrong with the log, the characters' cards or the state."""
    lines = merging.ledger_lines(book, layout.UNKNOWN_ENTITIES)
    known = ledger.registered(book) if lines else set()
    found = entities.strangers(lines, known)
    return Unregistered(tuple(found), len(entities.unregistered(lines, ())))
