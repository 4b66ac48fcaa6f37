"""`novel restore ARCHIVE`: an archive's files laid over the book again, byte for byte, in one landing.

The files written since are archived first, so that a restore can be undone like a rollback. Source: ADR 0011.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.errors import refuse
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.landing import contract_ends
from novel_hooks.flows.rollback import archive as archives
from novel_hooks.flows.rollback import earlier_book, earlier_names, retire, rollback
from novel_hooks.flows.rollback.archive import Archive
from novel_hooks.flows.rollback.earlier_book import Rewound
from novel_hooks.flows.session import fence
from novel_hooks.flows.session.session import Session
from novel_hooks.record import Record
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.state import landed_record
from novel_hooks.store.formats import jsonio


class Preview(Record):
    """A restore of `archive`, before it is done.

    `since`: paths written after it was made, to be archived first. `kind` is the archive's. `chapters` are
    the texts that are taken away, `chars` their length in 字.
    """

    archive: str
    kind: str
    to: int
    last: int
    chapters: tuple[int, ...]
    chars: int
    since: tuple[str, ...]
    changes: bool


class Restored(Record):
    """A restore. `kept` is the id of the archive with the files written since; None without any."""

    preview: Preview
    kept: str | None


class _Plan(Record):
    """A restore worked out. `kept_as` is the kind of the archive that what was written since goes into.

    `renamed` is what it does to a name: taking a renaming back is one too.
    """

    preview: Preview
    renamed: archives.Renaming | None
    kept_as: str
    rewound: Rewound
    now: dict[str, bytes | None]
    then: dict[str, bytes | None]


def preview(book: Book, name: str, stamp: str) -> Preview:
    """Work out a restore. Reads only.

    Raises ArchiveUnknown, ArchiveBroken, RestoreRenamed, RestoreBaseDiffers, BookAtWork.
    """
    return _plan(book, name, stamp).preview


def run(session: Session, name: str, shown: Preview | None = None) -> Restored:
    """Lay the archive over the book again. `shown` is the preview that the author agreed to.

    Raises as `preview`, and ChangedWhileAsked when the book is not as in `shown`.
    """
    stamp = session.caller.stamp
    plan = _plan(Book(session.project), name, stamp)
    if shown is not None and shown != plan.preview:
        raise errors.ChangedWhileAsked(layout.CHECKPOINT)
    if not plan.preview.changes:
        return Restored(plan.preview, None)
    kept, changes = None, rollback.path_changes(plan.then)
    if plan.preview.since or plan.renamed is not None:
        label = f"restore-of-{plan.preview.archive.partition('-')[0]}"
        label = archives.RENAME if plan.renamed is not None else label
        kept, files = archives.create(
            session.project, plan.kept_as, label, plan.rewound, plan.now, plan.then, stamp, plan.renamed
        )
        changes = [*files, *changes]
    if plan.preview.kind not in archives.IN_PLACE:  # a cast that changes is no reason to compare less
        changes += fence.disarm(session.project)
    changes.append(archives.mark_restored(session.project, plan.preview.archive, stamp))
    session.land(rollback.checkpoint_last(changes), label=f"取回存档 {plan.preview.archive}")
    return Restored(plan.preview, kept)


def _plan(book: Book, name: str, stamp: str) -> _Plan:
    """Take the book back to the chapter that the archive is of, and lay the archive over it."""
    archive = archives.find(book.project, _archive_name(book, name))
    held = archives.contents(book.project, archive)
    if archive.kind != archives.RENAME:
        earlier_names.refuse_mixed(book, archive, held)
    if archive.kind in archives.IN_PLACE:
        refuse(retire.busy_problems(book))
        rewound, then = retire.archive_base(book, {}), _unchanged_since(book, archive, held)
    else:
        rewound = _base_book(book, archive, stamp)
        then = _with_cards(book, archive, rewound.then, held)
    in_place = archive.kind in archives.IN_PLACE
    now = {path: book.read(path) for path in then}
    left = {entry.path: entry.after for entry in archive.entries}
    since = [path for path in then if path in rewound.then or archives.digest(now[path]) != left[path]]
    changes = any(now[path] != then[path] for path in then)
    shown = Preview(
        archive=archive.id,
        kind=archive.kind,
        to=rewound.to if in_place else archive.to,
        last=rewound.point.last if in_place else archive.last,
        chapters=rewound.chapters,
        chars=rewound.chars,
        since=tuple(sorted(since)) if changes else (),
        changes=changes,
    )
    if archive.kind == archives.RENAME and since and changes:
        raise errors.RestoreRenameLate(layout.archive_manifest(archive.id), count=len(since))
    kept_as = archive.kind if in_place else archives.RESTORE
    renamed = None if archive.renamed is None else archive.renamed.back()
    return _Plan(shown, renamed, kept_as, rewound, now, then)


def _archive_name(book: Book, name: str) -> str:
    """Return the id of the newest archive of the leaving of whoever bears the name; else the name itself."""
    people, _ = attempt(book.retired)
    gone = casts.names(people or []).who(name)
    found = [one for one in book.project.names(layout.ARCHIVE) if one.partition("-retire-")[2] in gone]
    return found[-1] if len(gone) == 1 and found else name


def _unchanged_since(book: Book, archive: Archive, held: dict[str, bytes | None]) -> dict[str, bytes | None]:
    """Return what is laid over the book: of what was settled with a leaving only the files left as they were.

    His card and profile come back in any case; a later edit of his is archived first.
    """
    if archive.kind != archives.RETIRE:
        return held
    left = {entry.path: entry.after for entry in archive.entries}
    cards = f"{layout.CHARACTERS.partition('/')[0]}/"
    return {
        path: data
        for path, data in held.items()
        if path.startswith(cards) or archives.digest(book.read(path)) == left[path]
    }


def _with_cards(
    book: Book, archive: Archive, base: dict[str, bytes | None], held: dict[str, bytes | None]
) -> dict[str, bytes | None]:
    """Lay the archive's files over `base`; of a card changed since only the ended contracts are touched.

    The remembered setting follows the cards, for it may have moved on too.
    """
    left = {entry.path: entry.after for entry in archive.entries}
    cards = contract_ends.Cards(book, base)
    own = {path for path in held if path == layout.SETTING or path.startswith(f"{layout.CHARACTERS}/")}
    if all(archives.digest(cards.read(path)) == left[path] for path in own):
        return {**base, **held}
    for chapter in range(archive.to + 1, archive.last + 1):
        place = layout.landed_record(chapter)
        data = held.get(place)
        record = None if data is None else landed_record.read(jsonio.parse(data, place, own=True), chapter)
        for one in record.ended if record else ():
            cards.end_again(one, chapter)
    return {**cards.then, **{path: data for path, data in held.items() if path not in own}}


def _base_book(book: Book, archive: Archive, stamp: str) -> Rewound:
    """Take the book back to the archive's chapter.

    Raises RestoreBaseDiffers when the archive was taken from a book that differs up to that chapter.
    """
    last = book.checkpoint().last
    if last < archive.to:
        raise _base_refusal(book, archive, "too short")
    rewound = earlier_book.after(book, archive.to, stamp)
    if rewound.base != archive.base:
        raise _base_refusal(book, archive, "changed")
    return rewound


def _base_refusal(book: Book, archive: Archive, case: str) -> errors.RestoreBaseDiffers:
    path, last = layout.archive_manifest(archive.id), book.checkpoint().last
    first = archives.leading_to(book.project, archive, last)
    how = "请"
    if first is not None:
        number = first.id.partition("-")[0]
        how = f"请先运行 `novel restore {number}`，取回第 {first.last} 章为止的内容，再取回这一个；或"
    return errors.RestoreBaseDiffers(path, case, name=archive.id, chapter=archive.to, last=last, first=how)
