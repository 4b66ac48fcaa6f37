"""Names in a chapter's records that the book does not know: warnings at `validate`.

They do not decide whether a file is *found*: this check reads every card, and `next` must not.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Collection, Iterable, Mapping
from novel_hooks.errors import Problem
from novel_hooks.flows.book import foreshadowing, unknown_names
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.chapter.desk import Desk, StagedFile
from novel_hooks.flows.chapter.landed_desk import BookBefore
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast import people as known_people
from novel_hooks.rules.cast.names import Names
from novel_hooks.rules.foreshadowing import facts, reader_view
from novel_hooks.rules.foreshadowing.item import ACTION_WORDS, title
from novel_hooks.rules.state import delta as deltas
from novel_hooks.rules.state import entry_names, operations, unknown_references
from novel_hooks.rules.state.unknown_references import KnownEntities
from novel_hooks.rules.text.json_values import objects


def problems(desk: Desk, phase: str) -> list[Problem]:
    """Return the warnings for a phase's readable files.

    A card that cannot be read is reported by the packets and by `doctor`, not here.
    """
    found: list[Problem] = []
    for look in (
        (_storyline_problems, _dropped_problems, _record_problems, _unrecorded_problems)
        if phase == "summarize"
        else (_storyline_problems,)
    ):
        try:
            found += look(desk)
        except Problem:
            continue
    return found


def _storyline_problems(desk: Desk) -> Iterable[Problem]:
    """Warn when the chapter's storyline or the next one is not in the volume's schedule, if any."""
    contract, plan = desk.contract(), desk.book.schedule(desk.volume)
    if not plan.active:
        return
    own, following = contract.storyline_id, contract.next_storyline
    told: dict[str, Any] = {"chapter": desk.number, "schedule": layout.schedule(desk.volume)}
    if own not in plan.active:
        case = "dormant" if own in plan.dormant else "absent"
        where = {"what": "故事线", "where": "storyline_id"}
        yield errors.StorylineUnscheduled(contract.path, case, **told, **where, storyline=own)
    if following and following not in (own, *plan.active, *plan.dormant):
        where = {"what": "下一条故事线", "where": "transition_hint.next_storyline"}
        yield errors.StorylineUnscheduled(contract.path, "absent", **told, **where, storyline=following)


def _dropped_problems(desk: Desk) -> Iterable[Problem]:
    """Warn of each op that the landing would drop, judged as it judges."""
    dropped = _dropped_ops(desk)
    people, state = (desk.book.cast(), desk.book.state()) if dropped else ([], {})
    called = known_people.all_names(people, state)
    shown = entry_names.shown_names(state, called.titles)
    shown.update(_thread_titles(desk) if dropped else {})
    for at, one in dropped.items():
        reason = one["reason"] + _bearer(one["op"], called)
        op = operations.author_line(one["op"], shown)
        told: dict[str, Any] = {"where": operations.place_words(at), "op": op, "reason": reason}
        yield errors.DeltaOpUseless(desk.get("delta").path, **told, chapter=desk.number)


def _thread_titles(desk: Desk) -> dict[str, str]:
    """Return id → what a reader sees of it, of the book's threads that can be read."""
    items, _ = attempt(lambda: foreshadowing.facts(desk.book))
    planned, _ = attempt(lambda: foreshadowing.planned_items(desk.book, desk.volume))
    every = map(reader_view.as_reader_sees, facts.all_threads(items or (), planned or ()))
    return {one["id"]: title(one) for one in every}


def _bearer(op: Any, called: Names) -> str:
    """Return, for `characters.船夫.…`, the ids of those who have that name, as a clause."""
    path = op.get("path") if isinstance(op, dict) else None
    group, _, rest = path.partition(".") if isinstance(path, str) else ("", "", "")
    name = rest.partition(".")[0]
    found = called.who(name) if group == "characters" and not layout.SLUG.match(name) else ()
    return f"；「{name}」的编号是 {'、'.join(found)}" if found else ""


def _dropped_ops(desk: Desk) -> dict[int, Any]:
    """Return index of the op → `{op, reason}` of every op that the landing would drop."""
    ops = _delta(desk).get("ops")
    if not isinstance(ops, list):
        return {}
    places = {id(op): at for at, op in enumerate(ops)}
    dropped = deltas.apply(desk.book.state(), {"chapter": desk.number, "ops": ops}).dropped
    return {places[id(one["op"])]: one for one in dropped}


def _delta(desk: Desk) -> Mapping[str, Any]:
    """Return the staged delta, also one of a faulty form; {} when there is nothing to look into."""
    value = _document(desk.get("delta"))
    return value if isinstance(value, dict) and not deltas.is_skipped(value) else {}


def _record_problems(desk: Desk) -> Iterable[Problem]:
    crossref, delta, chapter = desk.get("crossref"), desk.get("delta"), desk.get("chapter")
    if not isinstance(chapter.value, str):
        return []
    names = unknown_names.registered_names(desk.book)
    told = "\n".join([chapter.value, *_memories(desk, crossref)])
    found = [*unknown_references.crossref_problems(_document(crossref), names, told, crossref.path)]
    if _delta(desk):
        known = _known_names(desk, names, chapter.value)
        found += unknown_references.delta_problems(_delta(desk), known, delta.path, _dropped_ops(desk))
    return found


def _unrecorded_problems(desk: Desk) -> Iterable[Problem]:
    """Warn of each thread that contract or outline move in this chapter, and the delta does not."""
    delta = desk.get("delta")
    if not delta.ok or deltas.is_skipped(delta.value):
        return
    tasks = map(reader_view.as_reader_sees, foreshadowing.tasks(desk.book, desk.volume, desk.number))
    for thread in facts.unrecorded(tasks, delta.value.get("ops") or ()):
        yield errors.ForeshadowingUnrecorded(
            delta.path,
            name=thread["id"],
            signal=thread.get("signal") or title(thread),
            value=thread["todo"],
            action=ACTION_WORDS[thread["todo"]],
            chapter=desk.number,
        )


def _document(found: StagedFile) -> Any:
    """Return the document of a file, right or not: what its names say is told beside its shape."""
    return found.value if found.ok else found.raw


def _known_names(desk: Desk, names: Collection[str], told: str) -> KnownEntities:
    """Return what the book knows by name.

    For a landed chapter that is recorded anew, entries that it began count too: later chapters build on them.
    """
    books = [desk.book, desk.book.now] if isinstance(desk.book, BookBefore) else [desk.book]
    states = [book.state() for book in books]
    ids = {
        section: {one for state in states for one in state.get(section) or {}}
        for section in operations.SECTIONS
    }
    slugs = {person.slug for person in desk.book.cast()} | ids["characters"]
    titles = {**casts.names(desk.book.cast()).titles, **_thread_titles(desk)}
    threads, _ = attempt(lambda: foreshadowing.ids(books[-1]))
    return KnownEntities(slugs, ids, threads, names, told, _called(books[-1], states), titles)


def _called(book: Book, states: Collection[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the names of things by section of the state, and those of the log of unknown names."""
    found: dict[str, list[str]] = {}
    for section in operations.NAMED:
        entries = [entry for state in states for entry in (state.get(section) or {}).items()]
        found[section] = [name for key, entry in entries for _, name in entry_names.ranked_names(key, entry)]
    for line in unknown_names.lines(book):
        told = line.said or {}
        kind, mention = told.get("suggested_type"), told.get("mention")
        group = unknown_references.SECTION_OF_KIND.get(kind, "") if isinstance(kind, str) else ""
        found.get(group, []).extend([mention] if isinstance(mention, str) else [])
    return found


def _memories(desk: Desk, crossref: StagedFile) -> list[str]:
    """Return the memories of the storylines that the report names: where its references come from."""
    document = _document(crossref)
    entries = objects(document.get("cross_references")) if isinstance(document, dict) else []
    named = [entry.get("source_storyline") for entry in entries]
    lines = {line for line in named if isinstance(line, str) and layout.SLUG.match(line)}
    return [desk.book.memory(line)[1] for line in sorted(lines)]
