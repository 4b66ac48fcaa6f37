"""Changes of the setting by the author: found by hash, noted as pending actions. Source: protocol §1.

`.novel/setting.json` holds the setting of the plans: as it landed, or as it was noted last. When a volume's
packet is handed out, `.novel/setting-given.json` holds the packet's setting, and the plan's landing takes
that over.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Iterable, Iterator, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.book import planned_chapters
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.planning import questions
from novel_hooks.flows.session.session import Session
from novel_hooks.record import Record
from novel_hooks.rules.cast.names import Names
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.planning import setting_changes
from novel_hooks.rules.planning.setting_changes import Part, SettingChange
from novel_hooks.rules.state import consistency
from novel_hooks.rules.steps.checkpoint import Checkpoint
from novel_hooks.rules.text import excerpt
from novel_hooks.store.fence import watched_files
from novel_hooks.store.formats import jsonio
from novel_hooks.store.formats.text import decode
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change as Write

_SHOWN = 3


class ChangedSettings(Record):
    """The changes found. `known`: there was a setting to compare with.

    `fresh` are actions not yet noted, `pending` the noted ones with their unwritten chapters.
    """

    known: bool
    fresh: tuple[dict[str, Any], ...]
    pending: tuple[Any, ...]


def find_changes(book: Book) -> ChangedSettings:
    """Find the changes since the last note, and the chapters that they touch. Reads only.

    Raises the faults of the files of the setting and of later plans.
    """
    known, changed = _changed_parts(book)
    return ChangedSettings(known, tuple(_actions(book, changed)), tuple(pending(book.checkpoint())))


def _changed_parts(book: Book) -> tuple[bool, list[SettingChange]]:
    """Return (was there something to compare with, what has changed since)."""
    before = _stored_parts(book)
    found = [] if before is None else setting_changes.setting_changes(before, _with_lost(book, marks(book)))
    return before is not None, _open_changes(book, found)


def _with_lost(book: Book, now: Mapping[str, Part]) -> dict[str, Part]:
    """Return the parts with those noted of files that are lost: nobody took them out of the book."""
    noted = _stored_parts(book) or {}
    paths = {part.path for part in noted.values()}.intersection(book.known_files())
    lost = {path for path in paths if watched_files.is_lost(book.project, path)}
    return dict(sorted({**now, **{key: part for key, part in noted.items() if part.path in lost}}.items()))


def note(session: Session) -> ChangedSettings:
    """Note the changes as pending actions; later changes are compared with the present setting."""
    book = Book(session.project)
    found, point = find_changes(book), book.checkpoint()
    _, changed = _changed_parts(book)
    changes: list[Write] = questions.overturned_changes(
        book, lambda words: setting_changes.overturned_by(changed, words)
    )
    data = baseline(book)
    if book.read(layout.SETTING) != data:
        changes.append(journal.put(layout.SETTING, data))
    listed = setting_changes.with_actions(found.pending, found.fresh)
    if found.fresh:
        moved = point.moved(session.caller.stamp, pending_actions=listed)
        changes.append(journal.put(layout.CHECKPOINT, jsonio.dump(moved.document)))
    session.land(changes, label="记下设定的改动")
    return found._replace(pending=tuple(listed))


def done(session: Session, names: Sequence[str]) -> tuple[ChangedSettings, int]:
    """Remove the actions that the author has dealt with, by number in the list or id (`all`: every one).

    Returns (the remaining actions, the number removed). Raises NameUnknown; then nothing changes. A broken
    file of the setting is no obstacle.
    """
    book = Book(session.project)
    point = book.checkpoint()
    listed = list(pending(point))
    known = {at: one for at, one in enumerate(listed, 1) if isinstance(one, dict)}
    told = {str(one.get("id")): str(one.get("what") or "") for one in known.values()}
    numbered = {str(at): str(one["id"]) for at, one in known.items() if one.get("id")}
    resolver = Names((name, [name, what]) for name, what in told.items())
    names = [name if resolver.who(name) else numbered.get(name, _named_by(name, told)) for name in names]
    for name in names:
        if name != "all" and not resolver.who(name):
            waiting = f"{len(listed)} 件" if listed else "没有"
            raise errors.NameUnknown(case="change", name=name, known=waiting)
    meant = {one for name in names for one in resolver.who(name)}
    kept = [] if "all" in names else listed
    left = [one for one in kept if not (isinstance(one, dict) and one.get("id") in meant)]
    if left != listed:
        moved = point.moved(session.caller.stamp, pending_actions=left)
        session.land([journal.put(layout.CHECKPOINT, jsonio.dump(moved.document))], label="设定的改动已处理")
    now, _ = attempt(lambda: find_changes(book))
    now = now or ChangedSettings(_stored_parts(book) is not None, (), ())
    return now._replace(pending=tuple(left)), len(listed) - len(left)


def _named_by(words: str, told: Mapping[str, str]) -> str:
    """Return the id of the only action whose clause holds the words; the words where none or several do."""
    found = [name for name, what in told.items() if words and words in what]
    return found[0] if len(found) == 1 else words


def pending(point: Checkpoint) -> list[Any]:
    """Return the pending actions without chapters that have been written since."""
    found: list[Any] = []
    for one in point.document.get("pending_actions") or ():
        if isinstance(one, dict) and isinstance(one.get("chapters"), list):
            left = [n for n in one["chapters"] if not isinstance(n, int) or n > point.last]
            numbers = {layout.chapter_id(n) for n in one["chapters"] if n not in left}
            held = [p for p in one.get("contracts") or () if _stem(p) not in numbers]
            one = {**one, "chapters": left, "contracts": held}
        found.append(one)
    return found


def _stem(path: object) -> str:
    return str(path).rpartition("/")[2].partition(".")[0]


def problems(book: Book, chapter: int) -> list[Problem]:
    """Warn, in one line, when the next chapter needs a part that was changed."""
    touched = setting_changes.actions_for(book.checkpoint().document.get("pending_actions") or (), chapter)
    if not touched:
        return []
    what = "；".join(str(one.get("what")) for one in touched)
    volume = max(1, book.checkpoint().volume)
    listed = [one.get("id") if isinstance(one, dict) else None for one in pending(book.checkpoint())]
    ids = " ".join(str(listed.index(one.get("id")) + 1) for one in touched)
    return [errors.PendingTouched(layout.contract(volume, chapter), chapter=chapter, what=what, ids=ids)]


def unnoted_problems(book: Book) -> list[Problem]:
    """Warn, in one line, of changes that are not noted yet and touch planned chapters."""
    touching = [one for one in find_changes(book).fresh if one.get("chapters")]
    if not touching:
        return []
    what = excerpt.join_first([str(one.get("what")) for one in touching], _SHOWN, "处", "；")
    chapters = consistency.ranges({n for one in touching for n in one["chapters"]})
    return [errors.SettingUnnoted(None, what=what, chapters=chapters)]


def is_as_noted(book: Book) -> bool:
    """Tell whether every part of the setting is as it was noted, with no file lost."""
    return book.read(layout.SETTING) == jsonio.dump(setting_changes.document(marks(book)))


def _open_changes(book: Book, changed: Iterable[SettingChange]) -> list[SettingChange]:
    """Drop the changes of written chapters' outlines: they touch nothing any more."""
    last = book.checkpoint().last
    return [one for one in changed if one.kind != setting_changes.OUTLINE or int(one.name) > last]


def _actions(book: Book, changed: Sequence[SettingChange]) -> list[dict[str, Any]]:
    if not changed:
        return []
    chapters = planned_chapters.chapters(book)
    touched = [setting_changes.touched_chapters(one, chapters) for one in changed]
    return [setting_changes.pending_action(one, found) for one, found in zip(changed, touched)]


def marks(book: Book, over: Mapping[str, bytes | None] | None = None) -> dict[str, Part]:
    """Return the setting as it is, or as it will be after `over` (path → bytes, None: removed) has landed."""
    return setting_changes.parts_by_key(_all_parts(_Files(book, over or {})))


def baseline(book: Book) -> bytes:
    """Dump the present setting for later comparisons, lost files as they were noted."""
    return jsonio.dump(setting_changes.document(_with_lost(book, marks(book))))


def packet_changes(book: Book) -> list[Write]:
    """Return the change that records a volume's packet: its setting, and the actions in it."""
    taken = [setting_changes.digest(one) for one in book.checkpoint().document.get("pending_actions") or ()]
    data = jsonio.dump({"setting": setting_changes.document(marks(book)), "taken": sorted(taken)})
    return [] if book.read(layout.SETTING_GIVEN) == data else [journal.put(layout.SETTING_GIVEN, data)]


def landed_changes(
    book: Book, over: Mapping[str, bytes | None], volume: bool
) -> tuple[list[Write], list[Any]]:
    """Return (the marks of a plan that lands, the actions that stay open).

    The plan covers the setting of its packet, and the parts that land with it. A setting that was changed
    after the packet will be found later. Without a packet every change that was not noted will be found.
    """
    actions = list(book.checkpoint().document.get("pending_actions") or ())
    now = marks(book, over)
    if not volume:
        return [journal.put(layout.SETTING, jsonio.dump(setting_changes.document(now)))], actions
    told = book.own(layout.SETTING_GIVEN)
    base, taken = _parse_packet(told)
    if base is None:
        base = _stored_parts(book)
    if base is not None:
        own = {key: part for key, part in now.items() if part.path in over}
        kept = {key: part for key, part in base.items() if part.path not in over}
        now = dict(sorted({**kept, **own}.items()))
    writes = [journal.put(layout.SETTING, jsonio.dump(setting_changes.document(now)))]
    if told is not None:
        writes.append(journal.remove(layout.SETTING_GIVEN))
    return writes, [one for one in actions if setting_changes.digest(one) not in taken]


def _parse_packet(found: object) -> tuple[dict[str, Part] | None, list[str]]:
    held = found if isinstance(found, dict) else {}
    taken = held.get("taken")
    return setting_changes.parse(held.get("setting")), list(taken) if isinstance(taken, list) else []


def _stored_parts(book: Book) -> dict[str, Part] | None:
    """Return the noted setting; None when none is remembered, or it is broken: nothing to compare with."""
    return attempt(lambda: setting_changes.parse(book.own(layout.SETTING)))[0]


class _Files:
    """The files of the setting, with what lands laid over them."""

    def __init__(self, book: Book, over: Mapping[str, bytes | None]) -> None:
        self.book = book
        self.over = over

    def names(self, folder: str, ending: str) -> list[str]:
        """Return the names in the folder that end so, those that land among them, hidden ones left out."""
        landing = {p.rpartition("/")[2] for p in self.over if p.rpartition("/")[0] == folder}
        known = {*self.book.files(folder, (ending,))[0], *landing}
        return sorted(n for n in known if n.endswith(ending) and not n.startswith("."))

    def text(self, path: str) -> str | None:
        """Return the text at `path`; None when absent, or removed by the landing."""
        if path not in self.over:
            return self.book.text(path)
        data = self.over[path]
        return None if data is None else decode(data, path)

    def document(self, path: str, schema: str) -> Any:
        """Return the document at `path`; None when absent, or removed by the landing."""
        if path not in self.over:
            return self.book.document(path, schema)
        data = self.over[path]
        return None if data is None else jsonio.parse(data, path)


def _all_parts(files: _Files) -> Iterator[Part]:
    text = files.text(layout.BRIEF)
    if text is not None:
        yield setting_changes.brief_part(text, layout.BRIEF)
    rules = files.document(layout.WORLD_RULES, "world-rules")
    yield from setting_changes.rule_parts(rules, layout.WORLD_RULES)
    yield from _people_parts(files)
    lines = files.document(layout.STORYLINES, "storylines")
    yield from setting_changes.storyline_parts(lines, layout.STORYLINES)
    for name in files.names(layout.WORLD, ".md"):
        path = f"{layout.WORLD}/{name}"
        yield from setting_changes.section_parts(files.text(path) or "", path)
    yield from _outline_parts(files)


def _people_parts(files: _Files) -> Iterator[Part]:
    people: dict[str, Part] = {}
    for name in files.names(layout.CHARACTERS, ".json"):
        slug, path = name[: -len(".json")], f"{layout.CHARACTERS}/{name}"
        document = files.document(path, "character")
        if document is not None:
            people[slug] = setting_changes.character_part(slug, document, path)
    yield from people.values()
    for name in files.names(layout.CHARACTERS, ".md"):
        slug, path = name[: -len(".md")], f"{layout.CHARACTERS}/{name}"
        text = files.text(path)
        if text is not None:
            yield setting_changes.profile_part(slug, people.get(slug), text, path)


def _outline_parts(files: _Files) -> Iterable[Part]:
    for volume in planned_chapters.volumes(files.book):
        path = layout.outline(volume)
        text = files.text(path)
        if text is not None:
            yield from setting_changes.outline_parts(outlines.parse(text, path))
