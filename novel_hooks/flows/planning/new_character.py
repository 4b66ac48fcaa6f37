"""`novel character add 名字`: a card for a new character, made from the author's words.

It lands like any change of the setting: it is noted with the others, and planners get it.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Iterator, Mapping, Sequence
from novel_hooks.errors import Problem, refuse
from novel_hooks.flows.book import unknown_names
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.chapter import staged as chapter_staged
from novel_hooks.flows.planning import setting_changes, volume_material
from novel_hooks.flows.session.session import Session
from novel_hooks.record import Record
from novel_hooks.rules.cast import alike_names
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast import people as known_people
from novel_hooks.rules.text import typed_words
from novel_hooks.rules.volume import people as plan_people
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal


class Preview(Record):
    """A character before he is added. `alike` are known names that may mean him."""

    path: str
    card: Mapping[str, Any]
    alike: tuple[str, ...]


def preview(
    book: Book, name: str, aliases: Sequence[str], typed: Mapping[str, str], slug: str | None
) -> Preview:
    """Draft the card; `typed` are its plain fields by key. Reads only.

    Raises BookAtWork, and every CharacterTaken at once.
    """
    refuse(_busy_problems(book))
    words = list(dict.fromkeys(one.strip() for one in (name, *aliases)))
    refuse([*_name_problems(book, words), *_id_problems(book, slug)])
    named = slug or _free_id(book)
    card = {"id": named, "display_name": words[0]}
    fields = {key: said.strip() for key, said in typed.items() if not typed_words.is_blank(said)}
    listed = {"aliases": words[1:]} if words[1:] else {}
    known = [word for person in book.cast() for word in casts.names_of(person)[:-1]]
    found = (one for one in alike_names.alike(words, known) if one.known not in words)
    near = tuple(f"{one.name}和{one.known}" for one in found)
    return Preview(layout.character_card(named), {**card, **listed, **fields, "contracts": []}, near)


def run(session: Session, shown: Preview) -> bool:
    """Land the card; return whether the change of the setting is noted too.

    It is not when other changes are not noted yet: the author decides on those. Raises as `preview`.
    """
    book = Book(session.project)
    card = shown.card
    aliases = card.get("aliases") or ()
    typed = {key: said for key, said in card.items() if isinstance(said, str) and key not in _OWN}
    now = preview(book, str(card["display_name"]), aliases, typed, str(card["id"]))
    clean = setting_changes.find_changes(book)
    session.land([journal.put(now.path, jsonio.dump(now.card))], label=f"为「{card['display_name']}」建档")
    noted = clean.known and not clean.fresh
    if noted:
        setting_changes.note(session)
    return noted


_OWN = ("id", "display_name")


class Expected(Record):
    """A person without a card who is named in a card or in the plan before he is written.

    `chapters` to come aim at him, `known_to` are the people whose `relationships` name him.
    """

    name: str
    chapters: tuple[int, ...]
    known_to: tuple[str, ...]


def expected(book: Book) -> list[Expected]:
    """Return the people who need a card before the text has them, without ignored names.

    They are the people without a card at whom several planned chapters aim, or to whom a card's
    `relationships` lead. An unreadable plan names nobody. Raises the faults of the cards.
    """
    volume, settled = book.checkpoint().volume, unknown_names.settled_names(book)
    aimed = plan_people.uncarded_names(volume_material.landed_plan(book, volume)) if volume else {}
    known: dict[str, list[str]] = {}
    for person in book.cast():
        for name in casts.related(person):
            known.setdefault(name, []).append(person.name)
    names = [name for name in {**aimed, **known} if name not in settled]
    return [Expected(name, tuple(aimed.get(name, ())), tuple(known.get(name, ()))) for name in names]


def _busy_problems(book: Book) -> list[Problem]:
    if book.checkpoint().setting_up:
        return [errors.BookAtWork(None, "setup", what="增减角色")]
    return chapter_staged.work_problems(book, "增减角色")


def _name_problems(book: Book, words: Sequence[str]) -> Iterator[Problem]:
    """Yield a problem for every word that is somebody's or something's already."""
    active, retired, state = book.cast(), book.retired(), book.state()
    things = unknown_names.registered_names(book)
    for word in words:
        if typed_words.is_blank(word):
            yield errors.CharacterTaken(case="blank", name=word)
            continue
        for case, people in (("active", active), ("retired", retired)):
            bearers = [one for one in people if one.slug in known_people.all_names(people, state).who(word)]
            for one in bearers:
                path = layout.character_card(one.slug)
                yield errors.CharacterTaken(path, case=case, name=word, owner=one.name)
            if bearers:
                break
        else:
            if word in things:
                yield errors.CharacterTaken(case="thing", name=word)


def _id_problems(book: Book, slug: str | None) -> Iterator[Problem]:
    if slug is None:
        return
    if not layout.SLUG.match(slug):
        yield errors.CharacterTaken(case="not an id", name=slug)
    elif slug in _taken_ids(book):
        yield errors.CharacterTaken(case="id", name=slug)


def _taken_ids(book: Book) -> set[str]:
    """Return the ids of those who are and were there, of those in the state, and of staged cards."""
    people = {one.slug for one in (*book.cast(), *book.retired())}
    staged = {name.partition(".")[0] for name in book.project.names(layout.staged(layout.CHARACTERS))}
    return people | staged | set(book.state().get("characters") or {})


def _free_id(book: Book) -> str:
    taken = _taken_ids(book)
    return next(one for one in (f"person-{n}" for n in range(1, len(taken) + 2)) if one not in taken)
