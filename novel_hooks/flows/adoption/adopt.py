"""`novel adopt`: an unfinished book is adopted. All its chapters land, or none.

The landing holds the texts, an outline for each volume (its chapters' titles), notes and samples for the
planners, and the record of the sources. Summaries, state and memories are recorded later (`novel sync
--backlog`).
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Iterable, Sequence
from novel_hooks.flows.book.book import Book
from novel_hooks.record import Record
from novel_hooks.rules.manuscript import book as manuscripts
from novel_hooks.rules.manuscript import samples
from novel_hooks.rules.manuscript.adoption import Adoption
from novel_hooks.rules.manuscript.volume_headings import CHAPTER, VOLUME, Piece
from novel_hooks.store.formats import jsonio
from novel_hooks.store.formats.text import without_unseen
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change

if TYPE_CHECKING:
    from novel_hooks.flows.adoption.sources import Reading
    from novel_hooks.flows.session.session import Session
    from novel_hooks.rules.manuscript.book import Assembled, Chapter, Oddities


LABEL = "搬进一本书"


class Preview(Record):
    """An adoption before it is done: `fresh` are the chapters to land, `known` counts those landed before."""

    reading: Reading
    book: Assembled
    odd: Oddities
    fresh: tuple[Chapter, ...]
    known: int


def preview(book: Book, reading: Reading, drop_notes: bool) -> Preview:
    """Work out the chapters. Raises AdoptNotNow, AdoptNoChapters, AdoptConflict."""
    before = book.adoption()
    last = _check_open(book, before)
    hashes = {one["sha256"] for one in reading.files}
    if hashes <= {str(one["sha256"]) for one in before.sources}:
        empty = manuscripts.Assembled((), {}, "", 0)
        return Preview(reading, empty, manuscripts.Oddities((), (), (), ()), (), last)
    first, written, volume = _known_start(book, reading, drop_notes) or _start(reading, before)
    found = manuscripts.assemble(reading.sources, first, volume, drop_notes)
    if not found.chapters:
        raise errors.AdoptNoChapters(place=reading.files[0]["name"])
    differ = [one for one in found.chapters if one.number <= last and not _is_there(book, one)]
    if differ:
        case = "differs" if differ[0].written in (None, differ[0].number) else "differs renumbered"
        number, own = differ[0].number, differ[0].written or 0
        raise errors.AdoptConflict(case=case, number=number, written=own, last=last)
    fresh = tuple(one for one in found.chapters if one.number > last)
    _check_free(book, fresh)
    odd = manuscripts.oddities(found.chapters, written)
    return Preview(reading, found, odd, fresh, len(found.chapters) - len(fresh))


def _check_free(book: Book, fresh: Iterable[Chapter]) -> None:
    """Refuse to land over a text that nobody has landed: it may be the only one. Raises AdoptConflict."""
    for one in fresh:
        path = layout.chapter(one.number)
        if book.project.kind(path) != "absent" and not _is_there(book, one):
            raise errors.AdoptConflict(path, case="taken", number=one.number, file=path)


def _check_open(book: Book, before: Adoption) -> int:
    """Return the last landed chapter. Raises AdoptNotNow for a book with chapters of its own, or a plan."""
    point = book.checkpoint()
    if point.last > before.last:
        raise errors.AdoptNotNow(case="chapters", last=point.last)
    if not (point.setting_up or point.state == "VOL_PLANNING") or point.active or "sync" in point.document:
        raise errors.AdoptNotNow(case="writing", last=point.last)
    return point.last


def _known_start(book: Book, reading: Reading, drop_notes: bool) -> tuple[int, int, int] | None:
    """Return what `_start` does of a batch whose first chapter is there word for word; None for others.

    Where volumes begin at 1 again its number alone does not tell which chapter of the book it is: a file that
    has grown begins as the book does.
    """
    before = book.adoption()
    known = manuscripts.assemble(reading.sources, 1, 0, drop_notes).chapters[:1] if before.last else ()
    for one in known:
        written = one.written or 0
        for number in (written, *(start + written - 1 for _, start in before.volumes)):
            if 0 < number <= before.last and _is_there(book, one.renumbered(number)):
                return number, written, before.volume_of(number) - _begins_volume(reading)
    return None


def _begins_volume(reading: Reading) -> bool:
    heads = _heads(reading)
    return bool(heads) and (heads[0].kind == VOLUME or heads[0].of is not None)


def _heads(reading: Reading) -> list[Piece]:
    return [one for source in reading.sources for one in source.pieces if one.kind in (CHAPTER, VOLUME)]


def _start(reading: Reading, before: Adoption) -> tuple[int, int, int]:
    """Return `_first_number`, and the volume that the batch goes on with. Raises AdoptConflict."""
    first, written = _first_number(reading, before)
    if first < 1:
        raise errors.AdoptConflict(case="before", number=written)
    return first, written, _volume_before(before, first)


def _first_number(reading: Reading, before: Adoption) -> tuple[int, int]:
    """Return (number of the batch's first chapter in the book, the number expected there in the source).

    Raises AdoptConflict for a batch that leaves a gap behind the book.
    """
    heads = _heads(reading)
    first = next((one for one in heads if one.kind == CHAPTER), None)
    written = first.number if first is not None else None
    if not before.last or before.written is None or written is None:
        return before.last + 1, written if before.last and written else 1
    volume = heads[0] if heads[0].kind == VOLUME else None
    number = (volume.number if volume else None) or (first.of[0] if first and first.of else None)
    restarts = number is not None and number > len(before.volumes)
    if restarts or written == before.written + 1:
        return before.last + 1, written
    start = dict(before.volumes).get(number or 0, before.last)
    if before.written != before.last and start + written - 1 <= before.last:
        return start + written - 1, written
    if written > before.written:
        raise errors.AdoptConflict(case="gap", number=written, last=before.written)
    return written + before.last - before.written, written


def _volume_before(before: Adoption, first: int) -> int:
    """Return the volume that a batch from chapter `first` on goes on with; 0 for a new book."""
    return max((number for number, start in before.volumes if start < first), default=0)


def _is_there(book: Book, chapter: Chapter) -> bool:
    """Is that chapter in the book? One that moved in before unseen characters were left out is the same."""
    text = (book.project.read(layout.chapter(chapter.number)) or b"").decode("utf-8", "replace")
    return chapter.text == text or chapter.text == without_unseen(text)[0]


def run(session: Session, reading: Reading, drop_notes: bool) -> Preview:
    """Land the chapters. Raises as `preview`; then nothing has changed."""
    book = Book(session.project)
    found = preview(book, reading, drop_notes)
    if found.fresh:
        changes = [*_changes(book, found, session.caller.stamp)]
        session.land(changes, label=LABEL)
        session.renew_marks([one.path for one in changes if not one.path.startswith(".")])
    return found


def _changes(book: Book, found: Preview, now: str) -> Iterable[Change]:
    before = book.adoption()
    after = _adoption(before, found)
    volumes: dict[int, list[Chapter]] = {}
    for one in found.fresh:
        yield journal.put(layout.chapter(one.number), one.text.encode("utf-8"))
        volumes.setdefault(one.volume, []).append(one)
    for number, chapters in sorted(volumes.items()):
        yield journal.put(layout.outline(number), _outline(book, found, number, chapters).encode("utf-8"))
    if not before.last:
        overview = samples.overview(found.fresh, found.book.front)
        yield journal.put(layout.ADOPTED_OVERVIEW, overview.encode("utf-8"))
        for number, text in samples.prose(found.fresh):
            yield journal.put(f"{layout.STYLE_SAMPLES}/搬进来的书-{number:03d}.md", text.encode("utf-8"))
    elif found.book.front.strip():
        yield journal.put(front_place(found), f"{found.book.front}\n".encode())
    yield journal.put(layout.ADOPTION, jsonio.dump(after.document()))
    volume = max(number for number, _ in after.volumes) + 1
    moved = book.checkpoint().moved(now, last_completed_chapter=after.last, current_volume=volume)
    yield journal.put(layout.CHECKPOINT, jsonio.dump(moved.document))


def front_place(found: Preview) -> str:
    """Return the path of the note with the text before the first chapter; a later batch has its own note."""
    first = found.fresh[0].number
    return layout.ADOPTED_OVERVIEW if first == 1 else f"{layout.RESEARCH}/搬进来的书-{first:03d}-书前.md"


def _adoption(before: Adoption, found: Preview) -> Adoption:
    first, last = found.fresh[0].number, found.fresh[-1].number
    volumes = dict(before.volumes)
    for one in found.fresh:
        volumes.setdefault(one.volume, one.number)
    fresh = [
        {"name": file["name"], "sha256": file["sha256"], "first": first, "last": last}
        for file in found.reading.files
    ]
    written = next((one.written for one in reversed(found.fresh) if one.written is not None), before.written)
    return Adoption(last, written, [*before.sources, *fresh], list(volumes.items()))


def _outline(book: Book, found: Preview, volume: int, chapters: Sequence[Chapter]) -> str:
    """Return the outline of a volume that moved in: name and chapters, those of an earlier batch first."""
    lines = (book.text(layout.outline(volume)) or "").rstrip("\n")
    title = found.book.volumes.get(volume)
    head = lines or (f"# 第 {volume} 卷：{title}" if title else f"# 第 {volume} 卷")
    titles = (f"\n### 第 {one.number} 章" + (f": {one.title}" if one.title else "") for one in chapters)
    return "\n".join([head, *titles]) + "\n"
