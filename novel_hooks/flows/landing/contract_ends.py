"""Ends of characters' contracts and secrets: a landing changes the cards, a rollback changes them back.

A change of a card by the landing is no change of the setting by the author, so the remembered setting follows
it. Source: protocol §4.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Any, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.record import Record
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast import contract_ends
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.planning import setting_changes
from novel_hooks.store.formats import jsonio
from novel_hooks.store.formats.text import decode
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change

if TYPE_CHECKING:
    from novel_hooks.rules.outline.contract import Contract
    from novel_hooks.rules.state.landed_record import LandedRecord


class Ended(Record):
    """Contracts and secrets that a landing ends: the changes, their notes for the landed record, warnings."""

    changes: tuple[Change, ...]
    noted: tuple[dict[str, Any], ...]
    warnings: tuple[Problem, ...]


class Cards:
    """The cards and the remembered setting after the change; `then` has the bytes of the changed files."""

    def __init__(self, book: Book, then: Mapping[str, bytes | None] | None = None) -> None:
        """Begin with the book, over it the bytes of `then` (None: no file)."""
        self.book = book
        self.then: dict[str, bytes | None] = dict(then or {})

    def read(self, path: str) -> bytes | None:
        """Return the bytes at the path."""
        return self.then[path] if path in self.then else self.book.read(path)

    def card(self, slug: str) -> tuple[str, Any] | None:
        """Return (text, document) of a card; None when it is absent or cannot be read."""
        path = layout.character_card(slug)
        try:
            data = self.read(path)
            found = None if data is None else jsonio.parse(data, path)
        except Problem:
            return None
        return (decode(data, path), found) if data is not None and isinstance(found, dict) else None

    def end(self, slug: str, name: str, chapter: int) -> dict[str, Any] | None:
        """End a contract with the chapter, and return the note for the record.

        None, and nothing changed, when it has ended before or does not exist.
        """
        found = self.card(slug)
        one = contract_ends.contract(found[1], name) if found else {}
        if not found or not one or contract_ends.is_over(one, chapter):
            return None
        self._put(slug, found[1], contract_ends.with_end(*found, name, chapter))
        return contract_ends.ended_note(slug, found[1], name)

    def disclose(self, slug: str, chapter: int) -> dict[str, Any] | None:
        """Note on the card that its secret comes out with the chapter, and return the note for the record.

        None, and nothing changed, when it has come out before or does not exist.
        """
        found = self.card(slug)
        person = casts.character(slug, found[1]) if found else None
        if not found or not person or not casts.secret(person) or casts.secret_out(person) is not None:
            return None
        self._put(slug, found[1], contract_ends.with_secret_out(found[0], chapter))
        return contract_ends.secret_note(slug, found[1])

    def end_again(self, ended: Mapping[str, Any], chapter: int) -> None:
        """Repeat the end that the chapter's landed record notes."""
        if "contract" in ended:
            self.end(ended["character"], ended["contract"], chapter)
        else:
            self.disclose(ended["character"], chapter)

    def reopen(self, ended: Mapping[str, Any], chapter: int) -> bool:
        """Take an end back; return False when the card is gone or has another end now."""
        found = self.card(ended["character"])
        text = contract_ends.without_end(*found, ended, chapter) if found else None
        if found and text is not None:
            self._put(ended["character"], found[1], text)
        return text is not None

    def _put(self, slug: str, before: Any, text: str) -> None:
        path, data = layout.character_card(slug), text.encode("utf-8")
        self.then[path] = data
        stored = self.read(layout.SETTING)
        parts = setting_changes.parse(_parsed(stored))
        old = setting_changes.parts_by_key([setting_changes.character_part(slug, before, path)])
        if parts is not None and all(parts.get(key) == part for key, part in old.items()):
            now = setting_changes.character_part(slug, jsonio.parse(data, path), path)  # type: ignore[arg-type]
            parts.update(setting_changes.parts_by_key([now]))
            self.then[layout.SETTING] = jsonio.dump(setting_changes.document(parts))


def _parsed(data: bytes | None) -> object:
    """Return the remembered setting; None when there is none, or it is broken: nothing to compare with."""
    try:
        return None if data is None else jsonio.parse(data, layout.SETTING)
    except Problem:
        return None


def plan_ends(book: Book, contract: Contract, chapter: int) -> Ended:
    """Plan the ends that the chapter's contract names; an unknown id ends nothing and is reported.

    A secret ends when `state_changes` have it.
    """
    disclosed = contracts.disclosures(contract)
    people, cards = book.cast() if disclosed or contracts.closes(contract) else [], Cards(book)
    noted: list[dict[str, Any]] = []
    warnings: list[Problem] = []
    for name in contracts.closes(contract):
        found = contract_ends.holders(people, name)
        if len(found) != 1:
            case = "shared" if found else "unknown"
            warnings.append(errors.ContractNotEnded(contract.path, case=case, name=name, chapter=chapter))
            continue
        told = cards.end(found[0].slug, name, chapter)
        noted += [told] if told else []
    out = (cards.disclose(slug, chapter) for slug in casts.given_secrets(people, disclosed))
    noted += [told for told in out if told]
    return Ended(tuple(puts(cards)), tuple(noted), tuple(warnings))


def puts(cards: Cards) -> list[Change]:
    """Return the changes that give the cards and the setting their new bytes."""
    return [journal.put(path, data) for path, data in sorted(cards.then.items()) if data is not None]


def reopened(book: Book, records: Sequence[LandedRecord]) -> tuple[dict[str, bytes | None], list[Problem]]:
    """Return (path → bytes without the ends of these chapters, warnings of ends that stay)."""
    cards, warnings = Cards(book), list[Problem]()
    for record in sorted(records, key=lambda one: -one.chapter):
        for ended in reversed(record.ended):
            if not cards.reopen(ended, record.chapter):
                path = layout.character_card(ended["character"])
                case = "contract" if "contract" in ended else "secret"
                warnings.append(errors.ContractEndKept(path, case=case, name=ended.get("contract")))
    return cards.then, warnings
