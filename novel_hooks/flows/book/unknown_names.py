"""`novel entities`: the names of the text that have no record yet. Source: protocol §1.

People of one chapter only and names that the author ignores are not listed.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Any, Collection, Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.book import logs
from novel_hooks.flows.book.book import Book
from novel_hooks.record import Record
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast import people as known_people
from novel_hooks.rules.cast import unknown_names
from novel_hooks.rules.cast.unknown_names import UnknownName
from novel_hooks.rules.state import entry_names, operations
from novel_hooks.rules.text import typed_words
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal

if TYPE_CHECKING:
    from novel_hooks.flows.session.session import Session


class Unregistered(Record):
    """Names without a record. `noted` counts the distinct names of the log, with those registered since.

    `passing` are people of one chapter, `ignored` the names that the author wants no record of.
    """

    strangers: tuple[UnknownName, ...]
    noted: int
    passing: tuple[UnknownName, ...] = ()
    ignored: tuple[str, ...] = ()


class Line(Record):
    """One line of the unknown-entities log: its bytes with LF, its object; None when it cannot be read."""

    raw: bytes
    said: dict[str, Any] | None


def lines(book: Book, naming: Collection[str] | None = None) -> list[Line]:
    """Return the unknown-entities log line by line, without empty lines. Raises when it is no regular file.

    With `naming` the lines that have none of these words are left out where all can be read.
    The log only advises, so a line that cannot be read stops no landing.
    """
    data = book.read(layout.UNKNOWN_ENTITIES) or b""
    raws = [raw for raw in data.split(b"\n") if raw and not raw.isspace()]
    if naming is not None and _is_readable(raws):
        words = [word.encode("utf-8") for word in naming]
        raws = [raw for raw in raws if _may_name(raw, words)]
    said: Sequence[dict[str, Any] | None] | None = logs.parse_whole(raws, layout.UNKNOWN_ENTITIES)
    if said is None:
        said = [_parse_line(raw) for raw in raws]
    return [Line(raw + b"\n", each) for raw, each in zip(raws, said)]


def _is_readable(raws: Sequence[bytes]) -> bool:
    """Tell whether every line is JSON, at a fraction of the cost of parsing them strictly."""
    try:
        jsonio.parse_trusted(b"[" + b",".join(raws) + b"]")
    except (ValueError, RecursionError):
        return False
    return True


def _may_name(raw: bytes, words: Sequence[bytes]) -> bool:
    """Tell whether a line holds one of the words, has an escape, so that it may, or is no whole object."""
    whole = raw.startswith(b"{") and raw.endswith(b"}") and b"\\" not in raw
    return not whole or any(word in raw for word in words)


def _parse_line(raw: bytes) -> dict[str, Any] | None:
    try:
        found = jsonio.parse(raw, layout.UNKNOWN_ENTITIES)
    except Problem:
        return None
    return found if isinstance(found, dict) else None


def registered_names(book: Book) -> set[str]:
    """Return every name that has a record.

    These are the names, aliases and forms of address of all characters, retired ones too, the names that they
    use now, and the names and aliases of the state's things, places and factions.
    """
    people, state = [*book.cast(), *book.retired()], book.state()
    names = {word for person in people for word in casts.names_of(person)}
    names.update(word for words in known_people.other_names(people, state).values() for word in words)
    for group in operations.NAMED:
        for key, entry in (state.get(group) or {}).items():
            names.update(word for _, word in entry_names.ranked_names(key, entry))
    for entry in (state.get("characters") or {}).values():
        assumed = entry.get("goes_as") if isinstance(entry, dict) else None
        names.update([assumed] if isinstance(assumed, str) and assumed.strip() else [])
    return names


def ignored(book: Book) -> list[str]:
    """Return the names that the author wants no record of, in his order. Raises OwnFileDamaged."""
    found = book.own(layout.IGNORED_NAMES)
    names = found.get("names") if isinstance(found, dict) else [] if found is None else None
    if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
        raise errors.OwnFileDamaged(layout.IGNORED_NAMES, case="unlike")
    return names


def settled_names(book: Book) -> set[str]:
    """Return every name that needs no record: registered and ignored ones."""
    return registered_names(book) | set(ignored(book))


def run(book: Book) -> Unregistered:
    """Return the names of the text without a record. Raises the faults of the log, the cards or the state."""
    noted = logs.lines(book, layout.UNKNOWN_ENTITIES)
    known = settled_names(book) if noted else set()
    found = unknown_names.unknown_names(noted, known)
    passing = tuple(one for one in found if unknown_names.is_passer_by(one))
    strangers = tuple(one for one in found if one not in passing)
    every = unknown_names.unregistered_names(noted, ())
    return Unregistered(strangers, len(every), passing, tuple(ignored(book)))


def ignore(session: Session, typed: Sequence[str], planned: Sequence[str] = ()) -> list[str]:
    """Ignore names that the author wants no record of; return the newly ignored ones.

    Raises NameUnknown for a name that is not among the unregistered names of the text or of `planned`; then
    none is ignored.
    """
    book = Book(session.project)
    before = ignored(book)
    noted = logs.lines(book, layout.UNKNOWN_ENTITIES)
    _check_known(typed, [*before, *planned, *unknown_names.unregistered_names(noted, registered_names(book))])
    fresh = [one for one in dict.fromkeys(typed) if one not in before]
    _keep(session, before, [*before, *fresh], "不用建档的名字")
    return fresh


def list_again(session: Session, typed: Sequence[str]) -> list[str]:
    """Stop ignoring the names; return them. Raises NameUnknown for one that is not ignored."""
    book = Book(session.project)
    before = ignored(book)
    _check_known(typed, before)
    run(book)  # the answer lists the names: where it could not, nothing is kept
    _keep(session, before, [one for one in before if one not in typed], "重新列出名字")
    return list(dict.fromkeys(typed))


def _check_known(typed: Sequence[str], known: Sequence[str]) -> None:
    for name in typed:
        if name not in known:
            near = typed_words.nearest(name, known)
            raise errors.NameUnknown(case="stranger", name=name, guess=f"是不是「{near}」？" if near else "")


def _keep(session: Session, before: Sequence[str], now: Sequence[str], label: str) -> None:
    if list(before) != list(now):
        document = {"schema_version": 1, "names": list(now)}
        session.land([journal.put(layout.IGNORED_NAMES, jsonio.dump(document))], label=label)
