"""The obstacles of the due step, reported before an agent is sent. Reads only.

The files of the step's packet (`flows.packet.phase_inputs`) must be there, readable, valid by their schema
and hold the chapter, and outline and contract must agree. A file that was judged before is known by its hash
and loads no jsonschema. Source: protocol §7 ("These stop a step when missing …").
"""

from __future__ import annotations

from functools import partial

from novel_hooks import defaults, errors, layout, roles
from novel_hooks.annotations import TYPE_CHECKING, Iterable, Iterator
from novel_hooks.errors import Problem
from novel_hooks.flows.book import log_join
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt, collect_problems
from novel_hooks.flows.book.templates import is_template
from novel_hooks.flows.inventory import lost_inputs
from novel_hooks.flows.packet import phase_inputs
from novel_hooks.rules.outline import outline as outlines

if TYPE_CHECKING:
    from novel_hooks.flows.chapter.view import View
    from novel_hooks.flows.packet.phase_inputs import Document, Part
    from novel_hooks.rules.cast.characters import Character
    from novel_hooks.rules.outline.contract import Contract
    from novel_hooks.rules.steps.step_name import Step

_CHOSEN = (phase_inputs.CONTRACTS, phase_inputs.PROFILES, phase_inputs.PEOPLE)
"""The parts for which the chapter's characters are chosen."""


def problems(view: View) -> list[Problem]:
    """Return all obstacles as warnings, since the step is still the next one; [] when no agent is due.

    Without jsonschema only parsers judge, and `instructions` reports that it is missing.
    """
    step = view.due.step
    if step is None or step.kind != "chapter" or step.number is None or view.due.stop or view.due.recorded:
        return []
    found = collect_problems(lambda: log_join.problems(view.book), view.book.state)
    if step.phase in roles.CHAPTER_AGENTS:
        new_draft = step.phase == "draft" and (not view.point.active or view.point.revisions == 0)
        found += _phase_problems(view.book, step, step.number, view.point.volume, new_draft)
    told = {str(problem): problem for problem in found if not isinstance(problem, errors.DependencyMissing)}
    for problem in told.values():
        problem.severity = "warning"
    return list(told.values())


def _phase_problems(book: Book, step: Step, chapter: int, volume: int, new_draft: bool) -> Iterator[Problem]:
    from novel_hooks.flows.book import settings

    yield from collect_problems(lambda: settings.read(book))
    parts = phase_inputs.phase_parts(step.phase)
    if any(part.keys == phase_inputs.BRIEF.keys for part in parts):
        yield from collect_problems(lambda: brief_problems(book))
    if phase_inputs.STYLE in parts:
        yield from _style(book, volume)
    faults = collect_problems(lambda: _outline_problems(book, volume, chapter, new_draft))
    yield from faults
    contract, found = attempt(lambda: book.need_contract(volume, chapter))
    yield from found
    if contract is not None and not faults:
        yield from _contract_problems(book, volume, contract, chapter)
    yield from _file_problems(book, phase_inputs.SCHEDULE_FILE, volume)
    for document in phase_inputs.documents(step.phase):
        if document not in (phase_inputs.STYLE_FILE, phase_inputs.SCHEDULE_FILE):
            yield from _file_problems(book, document, volume)
    people: list[Character] = []
    if any(part in parts for part in (*_CHOSEN, phase_inputs.ENTITY_IDS, phase_inputs.FIXES)):
        people, found = _cast(book)
        yield from found
    if contract is not None:
        yield from _text_problems(book, step.phase, volume, chapter, contract, people)
    storyline = contract.storyline_id if contract else None
    yield from phase_inputs.missing_problems(book, step.phase, chapter, storyline)


def _contract_problems(book: Book, volume: int, contract: Contract, chapter: int) -> list[Problem]:
    from novel_hooks.rules.outline import contract as contracts

    storyline = outlines.key_lines(outlines.block(book.need_outline(volume), chapter)).get("Storyline", "")
    return contracts.problems(contract, chapter, storyline)


def _cast(book: Book) -> tuple[list[Character], list[Problem]]:
    from novel_hooks.rules.cast import characters as casts

    people, found = attempt(book.cast)
    return people or [], found or casts.problems(people or [])


def _text_problems(
    book: Book, phase: str, volume: int, chapter: int, contract: Contract, people: list[Character]
) -> Iterator[Problem]:
    """Find landed summaries and memories, and profiles, that are no text.

    A contract that names nobody lets the last summaries choose: then these are read too.
    """
    from novel_hooks.rules.cast import chosen_people
    from novel_hooks.rules.outline import contract as contracts
    from novel_hooks.rules.outline.schedule import NO_SCHEDULE

    parts = phase_inputs.phase_parts(phase)
    chosen = any(part in parts for part in _CHOSEN)
    paths: list[str] = []
    if phase_inputs.MEMORY in parts:
        paths.append(layout.memory(contract.storyline_id))
    if phase_inputs.NEIGHBOURS in parts:
        schedule, _ = attempt(lambda: book.schedule(volume))
        paths += map(layout.memory, contracts.neighbour_storylines(contract, schedule or NO_SCHEDULE))
    unnamed = chosen and contract.cast is None
    count = chosen_people.RECENT_SUMMARIES if unnamed else phase_inputs.summary_count(phase)
    paths += [layout.summary(number) for number in range(max(1, chapter - count), chapter)]
    # As many as anybody reads, so that what is lost is told in the same words before every step.
    texts = phase_inputs.WRITERS_TEXTS if any(part.texts for part in parts) else 0
    yield from _earlier_text_problems(book, range(max(1, chapter - texts), chapter))
    line = phase_inputs.LINE in parts
    number = phase_inputs.line_chapter(book, contract.storyline_id, chapter, phase) if line else None
    paths += [layout.chapter(number)] if number is not None else []
    if phase_inputs.WORLD_PAGES in parts:
        pages, faults = phase_inputs.page_paths(book)
        paths += pages
        yield from faults
    if phase_inputs.PROFILES in parts:
        paths += [layout.character_profile(c.slug) for c in _chapter_cast(book, chapter, contract, people)]
    for path in paths:
        yield from attempt(partial(book.text, path))[1]


def _earlier_text_problems(book: Book, chapters: Iterable[int]) -> Iterator[Problem]:
    """Find the texts before the chapter that are lost, hold nothing, or cannot be read."""
    lost = []
    for number in chapters:
        path = layout.chapter(number)
        data, faults = attempt(partial(book.read, path))
        yield from faults
        if data is None:
            lost += [] if faults else [number]
        elif (unfit := lost_inputs.text_problem(book.project, data, path, number)) is not None:
            yield unfit
    if lost:
        yield lost_inputs.missing_text_refusal(book.project, lost)


def brief_problems(book: Book) -> list[Problem]:
    """Return a warning when the brief is a blank template.

    Raises FileMissing, FileBlank, and faults of the text.
    """
    _need(book, phase_inputs.BRIEF, 1)
    if not is_template(book, layout.BRIEF):
        return []
    blank = errors.BriefBlank(layout.BRIEF)
    blank.severity = "warning"  # a chapter can be written without it, only not well
    return [blank]


def _outline_problems(book: Book, volume: int, chapter: int, new_draft: bool) -> list[Problem]:
    found = book.need_outline(volume)
    doubts = outlines.draft_problems(found, chapter) if new_draft else []
    return doubts or outlines.key_problems(found, chapter)


def _chapter_cast(book: Book, chapter: int, contract: Contract, people: list[Character]) -> list[Character]:
    from novel_hooks.flows.book import settings
    from novel_hooks.rules.cast import chosen_people

    first = max(1, chapter - chosen_people.RECENT_SUMMARIES) if contract.cast is None else chapter
    texts = {n: attempt(partial(book.text, layout.summary(n)))[0] for n in range(first, chapter)}
    recent = [(number, text) for number, text in texts.items() if text is not None]
    most, _ = attempt(lambda: settings.max_characters(book))
    return chosen_people.select_characters(
        people, contract.cast, contract.path, recent, most or defaults.MAX_CHARACTERS
    )[0]


def _style(book: Book, volume: int) -> list[Problem]:
    broken = list(_file_problems(book, phase_inputs.STYLE_FILE, volume))
    return broken or collect_problems(lambda: _need(book, phase_inputs.STYLE, volume))


def _need(book: Book, part: Part, volume: int) -> None:
    """Require the part's text, in the words of the packet. Raises FileMissing, FileBlank, and its faults."""
    if part.text is not None:
        book.need_setting(part.text.path(volume), part.text.what)


def _file_problems(book: Book, document: Document, volume: int) -> Iterator[Problem]:
    """Find the faults that parser and schema see in a file that is there and not known."""
    path = document.path(volume)

    def judge() -> None:
        data = book.read(path)
        if data is not None and not book.validity.knows(document.schema, data):
            book.document(path, document.schema)

    yield from collect_problems(judge)
