"""What will stop the step that is due, told before anybody sets to work. Reads only.

The author's and the planners' files that the step's packet is made of, as far as a look at each one by
itself tells: there, readable, the chapter found in it. What only a schema tells is left to `instructions`.
Source: protocol §7 ("These stop a step when missing …").
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from novel_hooks.flows.look import View
    from novel_hooks.rules.step import Step
from contextlib import suppress

from novel_hooks import layout, roles
from novel_hooks.errors import BriefBlank, FileMissing, Problem
from novel_hooks.flows import gone, joined
from novel_hooks.flows.book import CONTRACT, SETTING, Book
from novel_hooks.flows.collecting import collected
from novel_hooks.flows.untouched import untouched
from novel_hooks.rules import outline as outlines
from novel_hooks.store import jsonio

_WRITERS = ("draft", "revise")
_DRAFT = (
    (layout.STORYLINES, "storylines"),
    (layout.BLACKLIST, "ai-blacklist"),
    (layout.WORLD_RULES, "world-rules"),
    (layout.FORESHADOWING, "foreshadowing"),
)
_REFINE = ((layout.BLACKLIST, "ai-blacklist"),)
_DOCUMENTS = {
    "draft": _DRAFT,
    "revise": _DRAFT,
    "summarize": ((layout.FORESHADOWING, "foreshadowing"),),
    "refine": _REFINE,
    "polish": _REFINE,
    "judge": (
        (layout.BLACKLIST, "ai-blacklist"),
        (layout.WORLD_RULES, "world-rules"),
        (layout.STORYLINE_SPEC, "storyline-spec"),
    ),
}
"""The JSON files that a phase's packet holds besides those of every phase."""


def problems(view: View) -> list[Problem]:
    """All as warnings: the step is still the next one. [] where nobody is due."""
    step = view.due.step
    if step is None or step.kind != "chapter" or step.number is None or view.due.stop or view.due.recorded:
        return []
    found = collected(lambda: joined.problems(view.book))
    if step.phase in roles.CHAPTER_AGENTS:
        new_draft = step.phase == "draft" and (not view.point.active or view.point.revisions == 0)
        found += _of_phase(view.book, step, step.number, view.point.volume, new_draft)
    for problem in found:
        problem.severity = "warning"
    return found


def _of_phase(book: Book, step: Step, chapter: int, volume: int, new_draft: bool) -> Iterator[Problem]:
    from novel_hooks.flows import config

    yield from collected(lambda: config.read(book))
    if step.phase in _WRITERS:
        yield from collected(lambda: brief(book))
    if step.phase != "summarize":
        broken = list(_readable(book, layout.STYLE_PROFILE, "style-profile"))
        yield from broken or collected(lambda: book.need_text(layout.STYLE_PROFILE, "文风档案", SETTING))
    yield from collected(lambda: _outline(book, volume, chapter, new_draft))
    yield from _contract(book, volume, chapter)
    yield from _readable(book, layout.schedule(volume), "storyline-schedule")
    for path, schema in _DOCUMENTS[step.phase]:
        yield from _readable(book, path, schema)
    if step.phase in (*_WRITERS, "summarize"):
        yield from _readable(book, layout.plan(volume), "foreshadowing-plan")
    if step.phase not in ("refine", "polish"):
        for name in book.project.names(layout.CHARACTERS):
            if name.endswith(".json"):
                yield from _readable(book, layout.character_card(name[:-5]), "character")
    yield from _gone(book, volume, chapter, step.phase)


def _gone(book: Book, volume: int, chapter: int, phase: str) -> list[Problem]:
    """A contract that cannot be read is told elsewhere: then no storyline is known."""
    document: Any = None
    with suppress(Problem):
        document = book.project.json(layout.contract(volume, chapter))
    storyline = document.get("storyline_id") if isinstance(document, dict) else None
    return gone.of_step(book, phase, chapter, storyline if isinstance(storyline, str) else None)


def brief(book: Book) -> list[Problem]:
    """The blank template is a warning. Raises FileMissing, FileBlank, and what is wrong with the text."""
    book.need_text(layout.BRIEF, "立意简报", SETTING)
    if not untouched(book, layout.BRIEF, layout.BRIEF):
        return []
    blank = BriefBlank(layout.BRIEF)
    blank.severity = "warning"  # a chapter can be written without it, only not well
    return [blank]


def _outline(book: Book, volume: int, chapter: int, new_draft: bool) -> list[Problem]:
    found = book.need_outline(volume)
    doubts = outlines.doubts(found, chapter) if new_draft else []
    return doubts or outlines.key_problems(found, chapter)


def _contract(book: Book, volume: int, chapter: int) -> Iterator[Problem]:
    path = layout.contract(volume, chapter)
    found = list(_readable(book, path, "chapter-contract"))
    yield from found
    if not found and book.read(path) is None:
        yield FileMissing(path, what=f"第 {chapter} 章的契约", how=CONTRACT)


def _readable(book: Book, path: str, schema: str) -> Iterator[Problem]:
    """What a parser says of a file that is there and not known."""

    def read() -> None:
        data = book.read(path)
        if data is not None and not book.validity.knows(schema, data):
            jsonio.parse(data, path)

    yield from collected(read)
