"""`novel foreshadow drop` and `revive`: the author gives a thread up, or takes it up again.

The chapters and their records stay. `.novel/dropped-threads.json` lists the threads that need no resolving
any more. Like a setting it belongs to no chapter, so a rollback leaves it.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Any, Iterable, Mapping
from novel_hooks.errors import Problem
from novel_hooks.flows.book import foreshadowing, planned_chapters
from novel_hooks.flows.book.book import Book
from novel_hooks.record import Record
from novel_hooks.rules.foreshadowing.item import title
from novel_hooks.rules.text import typed_words
from novel_hooks.rules.volume.foreshadowing_updates import contract_updates
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal

if TYPE_CHECKING:
    from novel_hooks.flows.session.session import Session


class Outcome(Record):
    """A thread given up or taken up again: its id, its description, whether that is new, its record."""

    name: str
    title: str
    changed: bool
    record: Mapping[str, Any] | None
    warnings: tuple[Problem, ...]


def give_up(session: Session, words: str, reason: str | None) -> Outcome:
    """Give the thread up. Raises ForeshadowingUnknown, ForeshadowingSeveral, ForeshadowingClosed."""
    book = Book(session.project)
    name, found = foreshadowing.find_thread(book, words)
    item = _item(found)
    if item.get("status") == "resolved":
        raise errors.ForeshadowingClosed(layout.FORESHADOWING, name=title(item))
    known = book.dropped_threads()
    warnings = (*found.warnings, *_used_problems(book, name, title(item)))
    if name in known:
        return Outcome(name, title(item), False, known[name], warnings)
    record = _record(session, book, reason or "")
    _land(session, {**known, name: record}, f"放下伏笔「{title(item)}」")
    return Outcome(name, title(item), True, record, warnings)


def revive(session: Session, words: str) -> Outcome:
    """Take the thread up again. Raises ForeshadowingUnknown, ForeshadowingSeveral."""
    book = Book(session.project)
    name, found = foreshadowing.find_thread(book, words)
    known = book.dropped_threads()
    if name not in known:
        return Outcome(name, title(_item(found)), False, None, found.warnings)
    left = {one: record for one, record in known.items() if one != name}
    _land(session, left, f"接回伏笔「{title(_item(found))}」")
    return Outcome(name, title(_item(found)), True, None, found.warnings)


def with_given_up(session: Session, book: Book, names: Iterable[str], reason: str) -> bytes:
    """Return the file of the threads that were given up, with those of these ids."""
    record = _record(session, book, reason)
    return _data({**dict.fromkeys(names, record), **book.dropped_threads()})


def _record(session: Session, book: Book, reason: str) -> dict[str, Any]:
    caller = session.caller
    return {"at": caller.stamp, "by": caller.owner.id, "chapter": book.checkpoint().last, "reason": reason}


def _land(session: Session, known: Mapping[str, Any], label: str) -> None:
    session.land([journal.put(layout.DROPPED_THREADS, _data(known))], label=label)


def _data(known: Mapping[str, Any]) -> bytes:
    return jsonio.dump(dict(sorted(known.items())))


def _item(found: foreshadowing.Thread) -> Mapping[str, Any]:
    return found.fact if found.fact is not None else found.planned[-1][1]


def _used_problems(book: Book, name: str, called: str) -> list[Problem]:
    """Warn of the unwritten chapters whose contracts move the thread; of none when a plan cannot be read."""
    try:
        planned = planned_chapters.chapters(book)
    except Problem as fault:
        return [errors.ForeshadowingPlanUnread(fault.path, reason=fault)]
    used = {one.chapter for one in planned if any(u.name == name for u in contract_updates(one.contract))}
    told = typed_words.number_list(used)
    return [errors.ForeshadowingStillUsed(name=called, chapters=told)] if used else []
