"""Passages of a chapter that repeat an earlier one, whole or in a long part; and its title.

A repeated passage stops the step that wrote it: nobody writes two hundred characters again word for word. The
`whitelist` of `ai-blacklist.json` holds the wanted repeats. A repeated title is a warning.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Iterator, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.recall import passages as index
from novel_hooks.rules.lint import repeats
from novel_hooks.rules.lint.sheet import Sheet
from novel_hooks.rules.recall import passages
from novel_hooks.rules.text import chapter_heading

if TYPE_CHECKING:
    from novel_hooks.flows.chapter.desk import Desk
    from novel_hooks.rules.lint.repeats import Repeat

_PIECE = 30
_WHOLE = 0.6
"""A chapter of which so much stands in pieces of thirty characters and more in another is that one again."""
_NEAR = 3
"""Chapters before that are compared whether the index knows them or not."""
_MOST = 4
"""Chapters of the index that are compared: those that share most."""


def problems(desk: Desk, who: str, allowed: Sequence[str]) -> Iterator[Problem]:
    """Yield the staged chapter's repeats of earlier chapters, to be mended by `who`."""
    found = desk.get("chapter")
    if not found.ok:
        return
    text = str(found.value)
    han = passages.han_characters(chapter_heading.body(text))
    if len(han) < passages.LEAST:
        return
    rows = index.rows(desk.book)
    yield from _passage_problems(desk, text, who, allowed, _candidates(rows, han, desk.number))
    yield from _title_problems(desk, text, rows)


def _candidates(rows: Sequence[str], han: str, chapter: int) -> list[int]:
    near = range(chapter - 1, max(0, chapter - 1 - _NEAR), -1)
    return list(dict.fromkeys([*passages.find_sharing(rows, han, chapter)[:_MOST], *near]))


def _passage_problems(
    desk: Desk, text: str, who: str, allowed: Sequence[str], candidates: Sequence[int]
) -> Iterator[Problem]:
    line = repeats.han_text(text, chapter_heading.body_start(text), len(text), "")
    shared: dict[int, list[Repeat]] = {}
    for chapter in candidates:
        earlier = index.text_of(desk.book, chapter)
        if earlier is None:
            continue
        pieces = repeats.shared_pieces(line, chapter_heading.body(earlier).replace("\n", ""), _PIECE)
        pieces = repeats.without_allowed(pieces, [one.replace("\n", "") for one in allowed])
        if not pieces:
            continue
        if told := _describe(pieces, len(line.text)):
            yield _problem(desk, text, who, told, {chapter: pieces})
            return
        shared[chapter] = pieces
    if len(shared) > 1 and _share(line.places, shared) >= _WHOLE:
        yield _problem(desk, text, who, "几乎整章", shared)


def _share(places: Sequence[int], shared: Mapping[int, Sequence[Repeat]]) -> float:
    """Return how much of the chapter stands in one of the others, of all its Han characters (0 to 1)."""
    spans = [one.places[0] for pieces in shared.values() for one in pieces]
    return sum(any(start <= at < end for start, end in spans) for at in places) / len(places)


def _problem(desk: Desk, text: str, who: str, told: str, shared: Mapping[int, Sequence[Repeat]]) -> Problem:
    sheet = Sheet(text)
    longest = max((one for pieces in shared.values() for one in pieces), key=lambda one: one.chars)
    place = longest.places[0]
    return errors.ChapterRepeated(
        desk.get("chapter").path,
        chapter=desk.number,
        earlier="、".join(map(str, sorted(shared))),
        what=told,
        line=sheet.line(place[0]),
        quote=sheet.quote(*place, around=0, most=24),
        who=who,
        book="、".join(layout.chapter(chapter) for chapter in sorted(shared)),
    )


def _describe(pieces: Sequence[Repeat], chars: int) -> str | None:
    """Return what is repeated, in the author's words; None when it is too little to be told."""
    together, longest = sum(one.chars for one in pieces), max(one.chars for one in pieces)
    if together >= chars * _WHOLE:
        return "几乎整章"
    return f"有 {longest} 字" if longest >= passages.LEAST else None


def _title_problems(desk: Desk, text: str, rows: Sequence[str]) -> Iterator[Problem]:
    title = chapter_heading.heading(text)[1]
    if not title:
        return
    path = desk.get("chapter").path
    same = passages.with_title(rows, title, desk.number)
    if same:
        yield errors.ChapterTitle(path, case="twice", chapter=desk.number, title=title, earlier=same[0])
    outline, _ = attempt(lambda: desk.book.outline(desk.volume))
    headings = outline.headings if outline is not None else ()
    planned = next((one.title for one in headings if one.chapter == desk.number), None)
    if planned and passages.title_mark(planned) != passages.title_mark(title):
        yield errors.ChapterTitle(path, case="other", chapter=desk.number, title=title, planned=planned)
