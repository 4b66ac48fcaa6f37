"""`novel rename 旧名 新名`: a name replaced in the whole book, in one landing; `novel restore` undoes it.

Landed chapters keep the old name unless the author asks for them. A place that may be another word stays, and
is reported.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Mapping
from novel_hooks.errors import Problem, refuse
from novel_hooks.flows.book import unknown_names
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.chapter import staged as chapter_staged
from novel_hooks.flows.pipeline import rename_files
from novel_hooks.flows.pipeline.rename_files import Name
from novel_hooks.flows.planning import setting_changes as flow_settings
from novel_hooks.flows.rollback import archive, retire, rollback
from novel_hooks.flows.session.session import Session
from novel_hooks.record import Record
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast.characters import Character
from novel_hooks.rules.cast.names import normalize_name
from novel_hooks.rules.planning import setting_changes
from novel_hooks.rules.spelling.renaming import Left
from novel_hooks.rules.state import entry_names, operations
from novel_hooks.rules.text import typed_words
from novel_hooks.store.formats import jsonio

_SHORTEST, _LONGEST = 2, 20
_PLANNED = ("volumes", "characters", "world", "foreshadowing")
_SETTING = (layout.BRIEF, layout.WORLD, "volumes/", "storylines/", f"{layout.CHARACTERS}/")
_PLANS = (layout.BRIEF, layout.STORYLINES, layout.STORYLINE_SPEC, layout.STYLE_PROFILE)


class Preview(Record):
    """A rename before it is done. `files` are (path, places that get the new name).

    `left` are (path, place that keeps the old one), `texts` (path, places) of the landed chapters that are
    not touched. `alias`: the old name stays as an alias of the person. `things` are the state's sections with
    a thing of that name.
    """

    old: str
    new: str
    alias: bool
    things: tuple[str, ...]
    files: tuple[tuple[str, int], ...]
    left: tuple[tuple[str, Left], ...]
    texts: tuple[tuple[str, int], ...]


class Outcome(Record):
    """A rename. `archive` is the id of the replaced files' archive; `repeat`: it had been done before."""

    preview: Preview
    archive: str
    repeat: bool = False


class _Plan(Record):
    preview: Preview
    then: dict[str, bytes | None]


def preview(book: Book, old: str, new: str, texts: bool, alias: bool) -> Preview:
    """Work out a rename. Reads only.

    Raises RenameUnknown, RenameShared, RenameTaken, RenameOdd, BookAtWork, and what is wrong with a file.
    """
    return _plan(book, old, new, texts, alias).preview


def run(
    session: Session, old: str, new: str, texts: bool, alias: bool, shown: Preview | None = None
) -> Outcome:
    """Rename in one landing. `shown` is the preview that the author agreed to.

    Raises as `preview`, and ChangedWhileAsked when the book is not as in `shown`.
    """
    book = Book(session.project)
    before = _done_before(book, old, new)
    chapters = rename_files.chapter_paths(book) if before is not None and texts else []
    if before is not None and not _untouched(book, chapters, Name(old, new, set())):
        return Outcome(Preview(old, new, alias, (), (), (), ()), before, True)
    plan = _plan(book, old, new, texts, alias)
    if shown is not None and shown != plan.preview:
        raise errors.ChangedWhileAsked(layout.CHECKPOINT)
    now = {path: book.read(path) for path in plan.then}
    base = retire.archive_base(book, plan.then)
    renamed, stamp = archive.Renaming(old, new, texts, plan.preview.alias), session.caller.stamp
    kind = archive.RENAME
    name, kept = archive.create(session.project, kind, kind, base, now, plan.then, stamp, renamed)
    session.land([*kept, *rollback.path_changes(plan.then)], label=f"「{old}」改名「{new}」")
    session.renew_marks(list(plan.then))
    return Outcome(plan.preview, name)


def _done_before(book: Book, old: str, new: str) -> str | None:
    """Return the id of the newest archive when it is of this renaming, and what it did still stands."""
    newest = next(iter(reversed(archive.restorable(book.project)[0])), None)
    if newest is None or newest.kind != archive.RENAME:
        return None
    held = archive.contents(book.project, newest)
    pairs = [(data, book.read(path)) for path, data in held.items() if data is not None]
    swapped = ((data, data.replace(old.encode(), new.encode()), now) for data, now in pairs)
    return newest.id if any(now != data and now == then for data, then, now in swapped) else None


def _plan(book: Book, old: str, new: str, texts: bool, alias: bool) -> _Plan:
    refuse(_busy_problems(book))
    people = [*book.cast(), *book.retired()]
    known = _names(book, people)
    bearer = _bearer(book, people, old)
    name = Name(old, new, known)
    if not (texts and _done_before(book, old, new)):  # only the chapters are left
        _refuse_old(book, name, people)
        _refuse_new(name, bearer)
    then: dict[str, bytes] = {}
    files: list[tuple[str, int]] = []
    left: list[tuple[str, Left]] = []
    chapters = rename_files.chapter_paths(book)
    for path in [*rename_files.story_paths(book), *(chapters if texts else ())]:
        found = rename_files.renamed_file(book, path, name)
        if found is not None:
            left += [(path, one) for one in found[1].left]
            if found[1].times:
                then[path] = found[0]
                files.append((path, found[1].times))
    if bearer is not None:
        then.update(_card(bearer, then, name, alias))
    untouched = [] if texts else _untouched(book, chapters, name)
    things = () if bearer is None else _sections(book, old)
    kept = alias and bearer is not None
    shown = Preview(old, new, kept, things, tuple(files), tuple(left), tuple(untouched))
    then.update(rename_files.kept_texts(book, then, name))
    then.update(rename_files.landed_records(book, book.checkpoint().last, then, name))
    return _Plan(shown, {**then, **_settings(book, then)})


def _untouched(book: Book, chapters: list[str], name: Name) -> list[tuple[str, int]]:
    found = [(path, rename_files.renamed_file(book, path, name)) for path in chapters]
    return [(path, one[1].times) for path, one in found if one is not None and one[1].times]


def _card(
    bearer: tuple[str, Character], then: Mapping[str, bytes], name: Name, alias: bool
) -> dict[str, bytes]:
    """Return the card of the one who is renamed: no alias twice, the old name among them when it stays."""
    path, _ = bearer
    data = then.get(path)
    card: Any = {} if data is None else jsonio.parse(data, path)
    listed = card.get("aliases") if isinstance(card.get("aliases"), list) else []
    shown = card.get("display_name")
    wanted = [one for one in dict.fromkeys([*listed, *([name.old] if alias else [])]) if one != shown]
    unchanged = data is None or wanted == listed
    return {} if unchanged else {path: jsonio.dump({**card, "aliases": wanted})}


def _settings(book: Book, then: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the noted setting with the new name: a renaming is no change that plans have to follow.

    What was changed and not noted before it stays to be found.
    """
    stored = setting_changes.parse(book.own(layout.SETTING))
    if stored is None:
        return {}
    now, after = flow_settings.marks(book), flow_settings.marks(book, then)
    open_keys = {key for key in {*stored, *now} if stored.get(key) != now.get(key)}
    noted = {key: part for key, part in after.items() if key not in open_keys}
    noted.update({key: part for key, part in stored.items() if key in open_keys})
    data = jsonio.dump(setting_changes.document(dict(sorted(noted.items()))))
    return {} if book.read(layout.SETTING) == data else {layout.SETTING: data}


def _names(book: Book, people: list[Character]) -> set[str]:
    """Return every name that the author knows: no ids."""
    ids = {person.slug for person in people if person.slug != person.name}
    return {one for one in unknown_names.registered_names(book) - ids if not layout.SLUG.match(one)}


def _bearer(book: Book, people: list[Character], name: str) -> tuple[str, Character] | None:
    """Return (the card's path, the character) of the one who bears the name; None when it is no person's.

    Raises RenameShared when several bear it.
    """
    found = [(_card_path(book, one), one) for one in people if name in casts.names_of(one)[:-1]]
    if len(found) > 1:
        names, paths = "、".join(one.name for _, one in found), "、".join(path for path, _ in found)
        raise errors.RenameShared(found[0][0], name=name, people=names, paths=paths)
    return found[0] if found else None


def _card_path(book: Book, person: Character) -> str:
    path = layout.character_card(person.slug)
    return path if book.project.has(path) else layout.retired(path)


def _sections(book: Book, name: str) -> tuple[str, ...]:
    """Return the sections of the state that have a thing of this name."""
    state = book.state()
    return tuple(
        section
        for section in operations.NAMED
        for key, entry in (state.get(section) or {}).items()
        if name in (word for _, word in entry_names.ranked_names(key, entry))
    )


def _refuse_old(book: Book, name: Name, people: list[Character]) -> None:
    """Refuse a name that the book does not have: no record of it, no place in the setting and the plans."""
    may_be_name = not name.old.isascii() and _is_wellformed(name.old)  # no key of a file, no mark
    if name.old in name.known or (may_be_name and _stands_in_plans(book, name)):
        return
    by_id = {person.slug: person.name for person in people}
    near = by_id.get(name.old) or typed_words.nearest(name.old, name.known, 0.3)
    raise errors.RenameUnknown(name=name.old, guess=f"是不是「{near}」？" if near else "")


def _stands_in_plans(book: Book, name: Name) -> bool:
    paths = (path for path in rename_files.story_paths(book) if path.startswith(_SETTING))
    found = (rename_files.renamed_file(book, path, name) for path in paths)
    return any(one is not None and one[1].times for one in found)


def _is_wellformed(name: str) -> bool:
    return (
        _SHORTEST <= len(name) <= _LONGEST
        and not any(m in '."\\/<>{}[]*`#|，,、;；:：' or m.isspace() or not m.isprintable() for m in name)
        and name == normalize_name(name)
    )


def _refuse_new(name: Name, bearer: tuple[str, Character] | None) -> None:
    new, known = name.new, name.known
    if new == name.old or not _is_wellformed(new) or layout.SLUG.match(new):
        raise errors.RenameOdd(name=new, most=_LONGEST)
    own = casts.names_of(bearer[1]) if bearer is not None else []
    if new in {normalize_name(one) for one in known} and new not in own:
        raise errors.RenameTaken(name=new)


def _busy_problems(book: Book) -> list[Problem]:
    """Refuse while a chapter is in work, a step is out, or a plan waits in staging; [] when none is."""
    found = chapter_staged.work_problems(book, "改名")
    if found:
        return found
    if book.checkpoint().document.get("sync"):
        return [errors.BookAtWork(None, "recording", what="改名")]
    staged = [path for path in _PLANS if book.project.has(layout.staged(path))]
    if staged or any(_holds_file(book, layout.staged(folder)) for folder in _PLANNED):
        return [errors.BookAtWork(None, "plan staged", what="改名")]
    return []


def _holds_file(book: Book, folder: str) -> bool:
    return any(
        book.project.kind(f"{folder}/{name}") != "folder" or _holds_file(book, f"{folder}/{name}")
        for name in book.project.names(folder)
    )
