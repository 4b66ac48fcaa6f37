"""Foreshadowing: facts and plan together. Reads only. Source: seed 002, protocol §7."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Iterable, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.record import Record
from novel_hooks.rules.foreshadowing import facts as foreshadowing_facts
from novel_hooks.rules.foreshadowing import reader_view
from novel_hooks.rules.foreshadowing.item import CLOSED, is_overdue, title
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.text import excerpt

_SHOWN = 6
_PLANNED = (
    *("id", "description", "signal", "payoff", "scope", "status", "planted_chapter", "planted_storyline"),
    *("target_resolve_range", "last_updated_chapter"),
)
"""What a planner is given of an open thread: all but its history."""


class Thread(Record):
    """One thread: its fact (None: only planned), its item in each volume's plan, its lateness.

    `chapter` is the last one that landed, from which `late` counts; `planned` are (volume, item).
    """

    fact: dict[str, Any] | None
    planned: tuple[tuple[int, dict[str, Any]], ...]
    chapter: int
    late: int
    warnings: tuple[Problem, ...]


def facts(book: Book) -> list[dict[str, Any]]:
    """Return the items of `foreshadowing/global.json`; [] when absent. Raises when it is broken.

    Those that the author gave up have the status `dropped`, here and in a plan.
    """
    document = book.document(layout.FORESHADOWING, "foreshadowing")
    items = foreshadowing_facts.parse(document, layout.FORESHADOWING)
    return foreshadowing_facts.with_dropped(items, book.dropped_threads())


def unresolved(book: Book, chapter: int) -> list[dict[str, Any]]:
    """Return the unresolved threads by id, without history; `overdue` stands in their status."""
    items = [item for item in facts(book) if item.get("status") not in CLOSED]
    return [
        {**{key: item[key] for key in _PLANNED if key in item}, "overdue": is_overdue(item, chapter)}
        for item in sorted(items, key=lambda item: str(item["id"]))
    ]


def planned_items(book: Book, volume: int) -> list[dict[str, Any]]:
    """Return the items of the volume's plan; [] when absent. Raises when it is broken."""
    path = layout.foreshadowing_plan(volume)
    items = foreshadowing_facts.parse(book.document(path, "foreshadowing-plan"), path)
    return foreshadowing_facts.with_dropped(items, book.dropped_threads())


def tasks(book: Book, volume: int, chapter: int) -> list[dict[str, Any]]:
    """Return the threads that concern `chapter`, by id. Raises what is wrong with plan, else with facts."""
    planned = planned_items(book, volume)
    known = facts(book)
    return foreshadowing_facts.tasks(known, planned, chapter, named(book, volume, chapter, known, planned))


def named(
    book: Book, volume: int, chapter: int, known: Iterable[Mapping[str, Any]], planned: Iterable[Any]
) -> dict[str, str | None]:
    """Return the threads that the chapter's contract and outline name → the action on each.

    None when not given. The contract's action counts before the outline's. Of several actions the last in a
    thread's course counts. In the outline each word counts that is a thread's id. A contract or outline that
    cannot be read names none: the step that needs it reports it.
    """
    outline, _ = attempt(lambda: _foreshadowing_line(book, volume, chapter))
    contract, _ = attempt(lambda: book.need_contract(volume, chapter))
    if not outline and contract is None:
        return {}
    from novel_hooks.rules.volume import foreshadowing_updates as updates

    ids = updates.thread_ids((*known, *planned))
    told = [one for one in updates.outline_updates(outline or "", ids) if one.name in ids]
    listed = updates.contract_updates(contract) if contract is not None else []
    return {**updates.last_actions(told), **updates.last_actions(listed)}


def _foreshadowing_line(book: Book, volume: int, chapter: int) -> str:
    found = book.outline(volume)
    heading = next((one for one in found.headings if one.chapter == chapter), None) if found else None
    if found is None or heading is None:
        return ""
    return outlines.key_lines(outlines.block_under(found, heading)).get("Foreshadowing", "")


def secret_payoffs(book: Book, volume: int, chapter: int) -> list[str]:
    """Return the payoffs that the chapter must not tell yet. Raises what is wrong with plan or facts."""
    known, planned = facts(book), planned_items(book, volume)
    doing = named(book, volume, chapter, known, planned)
    due = [name for name, action in doing.items() if action == "resolved"]
    return reader_view.payoffs(foreshadowing_facts.all_threads(known, planned), due)


def due_tasks(book: Book, chapter: int) -> list[dict[str, Any]]:
    """Return `tasks` of the book's current volume, without parsing resolved threads in `novel`'s own file."""
    from novel_hooks.rules.foreshadowing import fast_check

    volume = _current_volume(book)
    planned = planned_items(book, volume)
    data = book.read(layout.FORESHADOWING)
    if data is None or not book.validity.knows("foreshadowing", data, fast_check.CANONICAL):
        return tasks(book, volume, chapter)
    known = fast_check.unresolved(data, [item["id"] for item in planned])
    doing = named(book, volume, chapter, known, planned)
    known = foreshadowing_facts.with_dropped(known, book.dropped_threads())
    return foreshadowing_facts.tasks(known, planned, chapter, doing)


def all_threads(book: Book) -> list[dict[str, Any]]:
    """Return every thread of the facts and of the current volume's plan, by id."""
    return foreshadowing_facts.all_threads(facts(book), planned_items(book, _current_volume(book)))


def ids(book: Book) -> set[str]:
    """Return the ids of every thread in the facts or any volume's plan. Raises when one of them is broken."""
    plans = [planned_items(book, volume) for volume in book.volumes()]
    return {item["id"] for item in (*facts(book), *(item for listed in plans for item in listed))}


def overdue(book: Book) -> list[dict[str, Any]]:
    """Return the short threads whose range ended before the last landed chapter (seed 002 §4), by id."""
    known = foreshadowing_facts.all_threads(facts(book), ())
    found = foreshadowing_facts.overdue_items(known, book.checkpoint().last)
    return [item for item in found if item.get("status") not in CLOSED]


def doubled_problems(book: Book, name: str | None = None) -> list[Problem]:
    """Warn of each id that several facts have: only the first is read."""
    seen: set[str] = set()
    twice: dict[str, None] = {}
    for item in facts(book):
        if item["id"] in seen and name in (None, item["id"]):
            twice[item["id"]] = None
        seen.add(item["id"])
    return [errors.ForeshadowingTwice(layout.FORESHADOWING, name=one) for one in twice]


def last_planned_chapter(book: Book) -> int | None:
    """Return the current volume's last chapter; None when its outline cannot be read."""
    outline, _ = attempt(lambda: book.outline(_current_volume(book)))
    return None if outline is None else outline.end


def storyline_names(book: Book) -> dict[str, str]:
    """Return storyline id → the author's name for it; {} when unreadable. Nameless ones are left out."""
    document, _ = attempt(lambda: book.document(layout.STORYLINES, "storylines"))
    listed = document.get("storylines") if isinstance(document, dict) else None
    named = ((one.get("id"), one.get("name")) for one in listed or () if isinstance(one, dict))
    return {str(key): name for key, name in named if isinstance(name, str) and name}


def find_thread(book: Book, words: str) -> tuple[str, Thread]:
    """Find the thread of this id, else the one whose texts hold the words; return its id and itself.

    Raises ForeshadowingUnknown, ForeshadowingSeveral. A plan that cannot be read is a warning: it may be an
    old volume's.
    """
    known = facts(book)
    warnings: list[Problem] = []
    plans: list[tuple[int, dict[str, Any]]] = []
    for volume in book.volumes():
        try:
            plans += [(volume, item) for item in planned_items(book, volume)]
        except Problem as error:
            path = layout.foreshadowing_plan(volume)
            warnings.append(errors.ForeshadowingPlanUnread(path, reason=error))
    name = _id_of([*known, *(item for _, item in plans)], words)
    fact = next((item for item in known if item["id"] == name), None)
    planned = tuple((volume, item) for volume, item in plans if item["id"] == name)
    last = book.checkpoint().last
    late = foreshadowing_facts.lateness(fact, last) if fact else 0
    return name, Thread(fact, planned, last, late, tuple(warnings))


def _id_of(items: Sequence[dict[str, Any]], words: str) -> str:
    """Return the id that is meant."""
    found = foreshadowing_facts.matching(items, words)
    if any(item["id"] == words for item in items):
        return words
    if len(found) == 1:
        return found[0]
    titles = {item["id"]: f"{title(item)}（{item['id']}）" for item in reversed(items)}
    if found:
        shown = excerpt.join_first([titles[name] for name in found], _SHOWN, "条", "；")
        raise errors.ForeshadowingSeveral(name=words, count=len(found), listed=shown)
    raise errors.ForeshadowingUnknown(name=words, guess=_nearest(items, words))


def _current_volume(book: Book) -> int:
    return max(1, book.checkpoint().volume)


def _nearest(items: Sequence[dict[str, Any]], words: str) -> str:
    from novel_hooks.rules.text import typed_words

    near = typed_words.nearest(words, {item["id"] for item in items})
    near = near or foreshadowing_facts.likest(items, words)
    return f"是不是「{near}」？" if near else ""
