"""The chapters of the volumes, and the planned chapters that are not written yet. Reads only.

Source: protocol §1.
"""

from __future__ import annotations

from functools import partial

from novel_hooks import layout
from novel_hooks.annotations import TYPE_CHECKING, Iterator
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.outline import schedule as volume_schedule

if TYPE_CHECKING:
    from novel_hooks.rules.outline.contract import Contract
    from novel_hooks.rules.outline.outline import Outline
    from novel_hooks.rules.outline.schedule import Schedule
    from novel_hooks.rules.planning.planned_chapters import PlannedChapter


def volumes(book: Book) -> list[int]:
    """Return the current volume and the later ones that have a folder, landed or staged."""
    current = max(1, book.checkpoint().volume)
    found = {*book.volumes(), *book.volumes(layout.staged("volumes"))}
    return sorted(number for number in found if number >= current)


def first_chapter(book: Book, volume: int, last: int) -> int:
    """Return the volume's first chapter: 1 in the first volume, else the one after the volume before."""
    if volume == 1:
        return 1
    before = book.outline(volume - 1)
    return before.end + 1 if before is not None and before.headings else last + 1


def chapter_volume(book: Book, chapter: int) -> int:
    """Return the volume that holds the chapter's contract, searched from the newest; else the current one."""
    current = max(1, book.checkpoint().volume)
    held = (v for v in range(current, 0, -1) if book.project.has(layout.contract(v, chapter)))
    return next(held, current)


def outlined_volume(book: Book, chapter: int) -> int:
    """Return the volume whose landed outline has the chapter, the newest first; else the current one."""
    current = max(1, book.checkpoint().volume)
    for volume in range(current, 0, -1):
        found = attempt(partial(book.outline, volume))[0]
        if found is not None and found.headings and found.start <= chapter <= found.end:
            return volume
    return current


def chapters(book: Book) -> list[PlannedChapter]:
    """Return every contract of a chapter after the last landed one, in order, landed and staged.

    Raises the faults of contracts and outlines.
    """
    last = book.checkpoint().last
    found: list[PlannedChapter] = []
    for volume in volumes(book):
        for place in ("", f"{layout.STAGING}/"):
            found += _plan_chapters(book, volume, place, last)
    return sorted(found, key=lambda one: (one.chapter, one.contract.path))


def schedules(book: Book) -> Iterator[tuple[str, Schedule]]:
    """Yield (path, schedule) of the current volume and the later ones, landed and staged."""
    for volume in volumes(book):
        for path in (layout.schedule(volume), layout.staged(layout.schedule(volume))):
            document = book.document(path, "storyline-schedule")
            if document is not None:
                yield path, volume_schedule.parse(document)


def _plan_chapters(book: Book, volume: int, place: str, last: int) -> Iterator[PlannedChapter]:
    from novel_hooks.rules.planning.planned_chapters import PlannedChapter

    text = book.text(place + layout.outline(volume))
    outline = None if text is None else outlines.parse(text, place + layout.outline(volume))
    folder = place + layout.contract(volume, 1).rpartition("/")[0]
    for name in book.project.names(folder):
        number = layout.chapter_number(f"{name[: -len('.json')]}.md") if name.endswith(".json") else None
        if number is not None and number > last:
            path = f"{folder}/{name}"
            document = book.document(path, "chapter-contract")
            yield PlannedChapter(volume, number, contracts.parse(document, path), _key_lines(outline, number))


def _key_lines(outline: Outline | None, chapter: int) -> dict[str, str]:
    if outline is None or all(heading.chapter != chapter for heading in outline.headings):
        return {}
    return dict(outlines.key_lines(outlines.block(outline, chapter)))


def earlier_outlines(book: Book, volume: int) -> list[Outline]:
    """Return the outlines of the volumes before this one that can be read."""
    found = (attempt(partial(book.outline, number))[0] for number in range(1, volume))
    return [one for one in found if one is not None]


def earlier_contracts(book: Book, volume: int) -> dict[int, Contract]:
    """Return the readable contracts of the volumes before this one; history, so no schema judges them."""
    found = {}
    for number in range(1, volume):
        folder = layout.contract(number, 1).rpartition("/")[0]
        names, _ = attempt(partial(book.project.names, folder))
        for name in names or ():
            chapter = layout.chapter_number(f"{name[:-5]}.md") if name.endswith(".json") else None
            if chapter is not None:
                document, _ = attempt(partial(book.project.json, f"{folder}/{name}"))
                if isinstance(document, dict):
                    whole = {**document, "chapter": chapter, "storyline_id": ""}
                    found[chapter] = contracts.parse(whole, f"{folder}/{name}")
    return found
