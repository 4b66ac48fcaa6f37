"""The wanted landed chapters, as an edition. Reads only.

Only `chapters/` and the names of the volumes are read, so no outline, note or id gets into an export.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Callable, Collection, Sequence
from novel_hooks.errors import Problem, refuse
from novel_hooks.flows.book import logs, settings
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.inventory import lost_inputs
from novel_hooks.record import Record
from novel_hooks.rules.manuscript import chapter_text, volume_headings
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.publication.edition import Edition, Leaf, Volume
from novel_hooks.rules.publication.file_names import NAMELESS
from novel_hooks.store.formats.text import decode
from novel_hooks.store.host import moment

_UNDATED = "2000-01-01T00:00:00Z"


class Bounds(Record):
    """A volume by its outline: its chapters from `first` on, up to the next volume's first."""

    number: int
    title: str | None
    first: int


class Wanted(Record):
    """The wanted part: chapters and volumes as (first, last), both empty for the whole book."""

    chapters: tuple[tuple[int, int], ...] = ()
    volumes: tuple[tuple[int, int], ...] = ()


def bounds(book: Book) -> list[Bounds]:
    """Return the volumes that have an outline, in the order of their chapters."""
    known = []
    for number in range(1, book.checkpoint().volume + 1):
        text = book.text(layout.outline(number))
        outline = outlines.parse(text, layout.outline(number)) if text else None
        if text and outline is not None and outline.headings:
            first_line = next((line for line in text.split("\n") if line.strip()), "")
            title = (volume_headings.volume(first_line) or (number, None))[1]
            known.append(Bounds(number, title, outline.start))
    return sorted(known, key=lambda one: one.first)


def volume_of(known: Sequence[Bounds], chapter: int) -> Bounds:
    """Return the volume of a chapter; the first one for a chapter before all of them."""
    before = [one for one in known if one.first <= chapter]
    return before[-1] if before else Bounds(1, None, 1)


def select(book: Book, wanted: Wanted) -> list[int]:
    """Return the numbers of the wanted landed chapters. Raises ExportNothing."""
    last = book.checkpoint().last
    numbers = list(range(1, last + 1))
    if not last:
        raise errors.ExportNothing(case="none")
    known = bounds(book)
    _check_volumes(known, wanted, last)
    _check_chapters(book, known, wanted, last)
    if wanted.volumes:
        numbers = [n for n in numbers if _within(volume_of(known, n).number, wanted.volumes)]
    if wanted.chapters:
        numbers = [n for n in numbers if _within(n, wanted.chapters)]
    if not numbers:
        raise errors.ExportNothing(case="apart")
    return numbers


def _check_volumes(known: Sequence[Bounds], wanted: Wanted, last: int) -> None:
    """Refuse a volume that the book does not have, or has only planned."""
    numbers = [one.number for one in known] or [1]
    for _, high in wanted.volumes:
        if high not in numbers:
            raise errors.ExportNothing(case="no volume", number=high, last=numbers[-1])
        if any(one.number == high and one.first > last for one in known):
            raise errors.ExportNothing(case="unwritten volume", number=high, last=last)


def _check_chapters(book: Book, known: Sequence[Bounds], wanted: Wanted, last: int) -> None:
    """Refuse a chapter that is not planned, or not landed."""
    missing = [max(low, last + 1) for low, high in wanted.chapters if high > last]
    if not missing:
        return
    outline = book.outline(known[-1].number) if known else None
    planned = max(last, outline.end if outline is not None else 0)
    beyond = [high for _, high in wanted.chapters if high > planned]
    if beyond:
        raise errors.ExportNothing(case="no chapter", number=beyond[0], last=last, planned=planned)
    raise errors.ExportNothing(case="not landed", number=missing[0], last=last)


def _within(number: int, ranges: Collection[tuple[int, int]]) -> bool:
    return any(low <= number <= high for low, high in ranges)


def edition(
    book: Book, numbers: Sequence[int], author: str | None, progress: Callable[[int, int], None]
) -> Edition:
    """Return the edition of these chapters, or raise all faults; `progress` is called with (done, all)."""
    scene_break, known = settings.scene_break(book), bounds(book)
    found: dict[int, tuple[Bounds, list[Leaf]]] = {}
    problems: list[Problem] = []
    for done, number in enumerate(numbers, 1):
        text = _text(book, number, problems)
        volume = volume_of(known, number)
        leaves = found.setdefault(volume.number, (volume, []))[1]
        leaves += [Leaf(number, one) for one in chapter_text.parse(text, number, scene_break)]
        progress(done, len(numbers))
    refuse(problems)
    volumes = tuple(Volume(one.number, one.title, tuple(leaves)) for one, leaves in found.values())
    return Edition(title(book), author, volumes, _modified(book, numbers), scene_break)


def title(book: Book) -> str:
    """Return the book's title as `novel.yaml` has it."""
    written = settings.read(book).get("title")
    return written.strip() if isinstance(written, str) and written.strip() else NAMELESS


def _text(book: Book, number: int, problems: list[Problem]) -> str:
    """Return a landed text; "" when something is wrong with it, which is noted."""
    path = layout.chapter(number)
    data = book.project.read(path)
    if data is None:
        problems.append(lost_inputs.missing_text_refusal(book.project, [number]))
        return ""
    fault = lost_inputs.text_problem(book.project, data, path, number)
    if fault is not None:
        problems.append(fault)
        return ""
    return decode(data, path)


def _modified(book: Book, numbers: Collection[int]) -> str:
    """Return the time at which the newest of the chapters landed; the same for the same book."""
    wanted = set(numbers)
    stamps = [line.get("ts") for line in logs.lines(book, layout.CHANGELOG) if line.get("chapter") in wanted]
    moments = [found for found in map(moment.epoch, stamps) if found is not None]
    return moment.iso(max(moments)) if moments else _UNDATED
