"""`novel retire ID`: a character is taken out of the book; `novel restore` brings him back.

His card and profile move to `characters/retired/`, which no packet is made of. They are archived as they
were.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Sequence
from novel_hooks.errors import Problem, refuse
from novel_hooks.flows.book import foreshadowing as book_foreshadowing
from novel_hooks.flows.book import planned_chapters
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.chapter import staged as chapter_staged
from novel_hooks.flows.rollback import archive, rollback
from novel_hooks.flows.rollback.earlier_book import Rewound
from novel_hooks.flows.session.session import Session
from novel_hooks.record import Record
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.foreshadowing import facts
from novel_hooks.rules.planning import retirement
from novel_hooks.rules.planning.retirement import Ties
from novel_hooks.rules.recall import near_names
from novel_hooks.rules.text import excerpt

if TYPE_CHECKING:
    from collections.abc import Mapping

    from novel_hooks.rules.cast.characters import Character
    from novel_hooks.store.journal.journal import Change

_SHOWN = 12


class Preview(Record):
    """A retirement, before it is done: `paths` are the files that move, as they lie; () when he has left."""

    slug: str
    name: str
    paths: tuple[str, ...]


class Retired(Record):
    """A retirement. `archive` is its id; None when he had left already."""

    preview: Preview
    archive: str | None


def preview(book: Book, typed: str) -> Preview:
    """Work out the files that move when a character retires, by id or display name. Reads only.

    Raises CharacterNotActive, BookAtWork, and every RetireNeeded at once, with the offer to settle them.
    """
    person, there = named_person(book, typed)
    if not there:
        return Preview(person.slug, person.name, ())
    refuse([*busy_problems(book), *_needs(book, person)])
    return leaving(book, person)


def named_person(book: Book, typed: str) -> tuple[Character, bool]:
    """Return (who has the name, alias or id; whether active). Raises CharacterNotActive, PersonUnclear."""
    for people, there in ((book.cast(), True), (book.retired(), False)):
        person = _bearer(people, typed)
        if person is not None:
            return person, there
    raise _stranger(book, typed)


def leaving(book: Book, person: Character) -> Preview:
    """Return the files that move when a character leaves."""
    places = (layout.character_card(person.slug), layout.character_profile(person.slug))
    return Preview(person.slug, person.name, tuple(p for p in places if book.read(p) is not None))


def _needs(book: Book, person: Character) -> list[Problem]:
    ties = read_ties(book, person)
    found = retirement.problems(ties)
    settled = retirement.settlement(ties, max(1, book.checkpoint().volume))
    offers = bool(found) and not settled.left
    words = "；".join(retirement.settled_parts(settled))
    return [*found, *([errors.RetireOffer(name=person.name, settled=words)] if offers else [])]


def _bearer(people: Sequence[Character], typed: str) -> Character | None:
    """Return who bears the name, an alias or the id; None when nobody does. Raises PersonUnclear."""
    known = casts.names(people)
    found = [one for one in people if one.slug in known.who(typed)]
    if len(found) > 1:
        listed = "、".join(f"{one.name}（{one.slug}）" for one in found)
        raise errors.PersonUnclear(name=typed, people=listed, first=found[0].slug, command="retire")
    return found[0] if found else None


def run(session: Session, typed: str, shown: Preview | None = None) -> Retired:
    """Move the character's files to `characters/retired/`, and archive them.

    `shown` is the preview that the author agreed to. Raises as `preview`, and ChangedWhileAsked when the book
    is not as in `shown`.
    """
    book = Book(session.project)
    found = preview(book, typed)
    if shown is not None and shown != found:
        raise errors.ChangedWhileAsked(layout.CHARACTERS)
    return Retired(found, leave(session, book, found) if found.paths else None)


def leave(
    session: Session,
    book: Book,
    found: Preview,
    settled: Mapping[str, bytes] = {},
    changes: Sequence[Change] = (),
) -> str:
    """Land a character's leaving; return the archive's id.

    `settled` are other files that change with him, archived too; `changes` are those of the step.
    """
    then: dict[str, bytes | None] = dict(settled)
    for path in found.paths:
        then[path] = None
        then[layout.retired(path)] = book.read(path)
    now = {path: book.read(path) for path in then}
    base, label, stamp = archive_base(book, then), f"retire-{found.slug}", session.caller.stamp
    name, kept = archive.create(session.project, archive.RETIRE, label, base, now, then, stamp)
    landing = [*kept, *rollback.path_changes(then), *changes]
    session.land(rollback.checkpoint_last(landing), label=f"「{found.name}」退场")
    return name


def archive_base(book: Book, then: dict[str, bytes | None]) -> Rewound:
    """Return the `Rewound` of an archive that affects no chapter: the book as it is."""
    point = book.checkpoint()
    return Rewound(point.last, point, then, (), 0, (), (), "", ())


def busy_problems(book: Book) -> list[Problem]:
    """Refuse to change the cast while a chapter is in work or a step is out; [] when none is."""
    return chapter_staged.work_problems(book, "增减角色")


def read_ties(book: Book, person: Character) -> Ties:
    """Gather everything unfinished that may need the character."""
    volume = max(1, book.checkpoint().volume)
    card = layout.staged(layout.character_card(person.slug))
    meetings = []
    for path, schedule in planned_chapters.schedules(book):
        document = book.document(path, "storyline-schedule") or {}
        meetings.append((path, schedule, tuple(document.get("convergence_events") or ())))
    known, planned = book_foreshadowing.facts(book), book_foreshadowing.planned_items(book, volume)
    return Ties(
        person=person,
        plan=layout.foreshadowing_plan(volume),
        last=book.checkpoint().last,
        threads=facts.all_threads(known, planned),
        storylines=book.document(layout.STORYLINES, "storylines") or {},
        meetings=meetings,
        chapters=planned_chapters.chapters(book),
        staged=card if book.project.has(card) else None,
    )


def _stranger(book: Book, told: str) -> errors.CharacterNotActive:
    near = near_names.nearest(told, (name for person in book.cast() for name in casts.names_of(person)))
    listed = [f"{person.name}（{person.slug}）" for person in book.cast()]
    case = "near" if near else "others" if listed else "nobody"
    people = excerpt.join_first(listed, _SHOWN, "人")
    return errors.CharacterNotActive(layout.CHARACTERS, case, name=told, near=near, people=people)
