"""Doctor on the author's and the planners' files: settings, characters, volumes. Reads only.

Source: protocol §1 (planning files), §7. Every document is judged by its schema; contracts of chapters that
have landed are history and only have to be readable.
"""

from __future__ import annotations

from functools import partial

from novel_hooks import errors, layout
from novel_hooks.annotations import Callable, Iterator, Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.book import settings as book_settings
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import as_warnings, collect_problems
from novel_hooks.flows.inventory import lost_chapters, lost_setting
from novel_hooks.flows.packet import preflight
from novel_hooks.flows.planning import questions, volume_material
from novel_hooks.pattern import Pattern
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast import planner_files
from novel_hooks.rules.cast.characters import Character
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.state import consistency
from novel_hooks.rules.steps.checkpoint import WRITING_STATES

_VOLUME = Pattern(r"vol-([0-9]{2,6})\Z")
_USED = (layout.BLACKLIST, layout.WORLD_RULES)


def settings_problems(book: Book) -> Iterator[Problem]:
    """Judge the author's own files, `novel.yaml` included."""
    yield from collect_problems(
        *(partial(book.document, path, schema) for path, schema in layout.SETTING_SCHEMAS.items()),
        lambda: book_settings.bands(book),
        lambda: casts.problems(book.cast()),
        lambda: _card_problems(book.cast(), lambda path: path),
        lambda: _retired_problems(book),
    )
    yield from questions.problems(book)
    if book.checkpoint().state in WRITING_STATES:
        yield from collect_problems(lambda: preflight.brief_problems(book))
        if book.project.kind(layout.STYLE_PROFILE) == "absent":
            yield errors.FileMissing(layout.STYLE_PROFILE, "setting", what="文风档案")
        absent = [path for path in _USED if book.project.kind(path) == "absent"]
        yield from as_warnings(  # not needed to go on, but every chapter is written without them
            errors.FileMissing(path, "restraint", what=lost_setting.kind(path).title) for path in absent
        )
    else:
        yield from collect_problems(lambda: book.text(layout.BRIEF))


def _retired_problems(book: Book) -> list[Problem]:
    """Judge the cards of those who left: `who` and `rename` read them too."""
    people = book.retired()
    slugs = {one.slug for one in (*book.cast(), *people)}
    cards = ((one, layout.retired(layout.character_card(one.slug))) for one in people)
    names = [casts.file_name_problems(one, path, slugs) for one, path in cards]
    return [*(one for several in names for one in several), *_card_problems(people, layout.retired)]


def _card_problems(people: Sequence[Character], place: Callable[[str], str]) -> list[Problem]:
    """Warn of the fields of a card that are of a shape that is not understood."""
    cards = [(place(layout.character_card(one.slug)), one.document) for one in people]
    shapes = (planner_files.card_shape_problems(path, card, "landed field") for path, card in cards)
    return [problem for several in shapes for problem in several]


_PAGES = (layout.WORLD, layout.CHARACTERS, layout.RETIRED, layout.RESEARCH, layout.STYLE_SAMPLES)
_PAGE_ENDINGS = (".md", ".txt")


def page_problems(book: Book) -> Iterator[Problem]:
    """Find pages of the author that cannot be read: not UTF-8, or two versions that git could not merge."""
    paths = [layout.memory(line) for line in book.project.names("storylines") if layout.SLUG.match(line)]
    for folder in _PAGES:
        names, problems = book.files(folder, _PAGE_ENDINGS)
        yield from problems
        paths += [f"{folder}/{name}" for name in names]
    yield from collect_problems(*(lambda path=path: book.text(path) for path in paths))


def plan_problems(book: Book) -> Iterator[Problem]:
    """Judge outlines, schedules, plans and contracts of every volume."""
    for name in book.project.names("volumes"):
        found = _VOLUME.match(name)
        if found:
            yield from volume_problems(book, int(found.group(1)))


def volume_problems(book: Book, number: int) -> list[Problem]:
    """Judge a landed volume's files, each by itself and against each other (these of severity info)."""
    return collect_problems(
        lambda: _outline_problems(book, number),
        lambda: book.schedule(number),
        lambda: book.document(layout.foreshadowing_plan(number), "foreshadowing-plan"),
        lambda: _contract_problems(book, number),
        lambda: _unfitting_problems(book, number),
    )


def _unfitting_problems(book: Book, number: int) -> list[Problem]:
    """Hold the parts of the current volume's plan against each other: one may have been edited by hand."""
    point = book.checkpoint()
    if number != point.volume or point.state not in WRITING_STATES:
        return []
    found = volume_material.landed_problems(book, number)
    for problem in found:
        problem.severity = "info"  # chapters can be written by it
    return found


def _outline_problems(book: Book, volume: int) -> list[Problem]:
    """Judge the outline of a volume that is written or being written; a finished one's moves nothing."""
    outline = book.outline(volume)
    point = book.checkpoint()
    if outline is None or volume < point.volume:
        return []
    bounds = outlines.bounds_problems(outline)
    found = bounds or [*outlines.near_miss_problems(outline), *outlines.numbering_problems(outline)]
    if volume == point.volume and not bounds:
        coming = [h.chapter for h in outline.headings if h.chapter > point.last]
        found += collect_problems(*(partial(outlines.key_problems, outline, chapter) for chapter in coming))
    return found


def _contract_problems(book: Book, volume: int) -> list[Problem]:
    folder = layout.contract(volume, 1).rpartition("/")[0]
    stems = [name[:-5] for name in book.project.names(folder) if name.endswith(".json")]
    numbers = [n for n in (layout.chapter_number(f"{stem}.md") for stem in stems) if n is not None]
    last = book.checkpoint().last
    found = collect_problems(*(partial(_one_contract, book, volume, n, last) for n in numbers))
    return [*found, *_uncontracted_problems(book, volume, {*numbers}, last)]


def _uncontracted_problems(book: Book, volume: int, there: set[int], last: int) -> Iterator[Problem]:
    """Find chapters without a contract: written ones, which had one, and the current volume's to come."""
    outline = book.outline(volume)
    planned = {h.chapter for h in outline.headings} if outline is not None else set()
    yield from lost_chapters.lost_contract_problems(book, volume)
    missing = sorted(n for n in planned - there if n > last and volume == book.checkpoint().volume)
    if missing:
        what = f"第 {consistency.ranges(missing)} 章的契约"
        yield errors.FileMissing(layout.contract(volume, missing[0]), "contract", what=what)


def _one_contract(book: Book, volume: int, chapter: int, last: int) -> object:
    """Judge a contract; one of a chapter that has landed must only be readable."""
    if chapter <= last:
        return book.project.json(layout.contract(volume, chapter))
    outline = book.outline(volume)
    found = book.need_contract(volume, chapter)
    if outline is None or all(h.chapter != chapter for h in outline.headings):
        return None
    line = outlines.key_lines(outlines.block(outline, chapter)).get("Storyline", "")
    return contracts.problems(found, chapter, line)
