"""`novel find 词`: the sentences of the book with a word. Reads only.

Landed chapters are read from the last to the first, so a hand edit counts at once. A name is searched with
all other names of its bearer, unless the author wants the word alone.
"""

from __future__ import annotations

from functools import partial

from novel_hooks import layout
from novel_hooks.annotations import Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.book import foreshadowing
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import as_warnings, attempt
from novel_hooks.flows.inventory import lost_inputs
from novel_hooks.flows.recall import setting_pages, subjects
from novel_hooks.flows.recall.setting_pages import PageHit
from novel_hooks.record import Record
from novel_hooks.rules.recall import near_names, sentences
from novel_hooks.rules.text.json_values import text as text_of

_NAMES = ("display_name", "name", "aliases", "id")
SHOWN = 30
"""So many sentences are shown unless the author wants all."""


class Hit(Record):
    """One sentence of a chapter: `line` in the chapter's file, the storyline's name or None."""

    chapter: int
    line: int
    storyline: str | None
    text: str


class Fact(Record):
    """One fact of a person: his name, the fact's key in the state (`knows`, `inventory`), its words."""

    person: str
    key: str
    text: str


class Occurrences(Record):
    """The answer. `words` were searched; `name` is their bearer's, None for a plain word.

    `hits` are the newest sentences, newest first. `chapters` are all chapters with a word, in order; `more`
    counts the sentences in the chapters of `hits` that are not shown. `pages` are places in the setting and
    the outlines; the bearer's card only when there is no other. `facts` are the people's knowledge and
    possessions by the state. When there is no place at all, `recorded` names the only source of the name.
    `near` is a known name that the word may mean; `shared` are those who have the name.
    """

    words: tuple[str, ...]
    name: str | None
    hits: tuple[Hit, ...]
    chapters: tuple[int, ...]
    more: int
    pages: tuple[PageHit, ...]
    facts: tuple[Fact, ...]
    recorded: str | None
    near: str | None
    shared: tuple[str, ...]
    problems: tuple[Problem, ...]


def run(book: Book, word: str, exact: bool = False, every: bool = False) -> Occurrences:
    """Find the word. `exact`: not its bearer's other names; `every`: all sentences, not the newest."""
    last = book.checkpoint().last
    known, problems = attempt(lambda: subjects.read(book, last + 1))
    bearers = known.who(word) if known is not None else []
    one = bearers[0] if len(bearers) == 1 else None
    words = (word,) if one is None or exact else tuple(dict.fromkeys([word, *one.words]))
    chapters, hits, more, faults = _chapter_hits(book, words, last, None if every else SHOWN)
    lines = {n: _storyline(book, n) for n in dict.fromkeys(hit.chapter for hit in hits)}
    pages, unread = setting_pages.search(book, words, None if one is None else one.id)
    facts, untold = attempt(lambda: _facts_with(book, words))
    if one is not None and not (hits or pages or facts):
        pages, unread = setting_pages.search(book, words)
    nowhere = not (hits or pages or facts)
    near = None
    if known is not None and nowhere:
        near = near_names.nearest(word, (name for subject in known.by_id.values() for name in subject.words))
    several = as_warnings([*problems, *faults, *unread, *untold])  # what can be read is found all the same
    wrong = {str(problem): problem for problem in several}.values()
    noted = one is not None and one.id.startswith(f"{subjects.NOTED}:")  # a person's name stands in his card
    recorded = "没有档案的名字" if noted else "故事状态"
    return Occurrences(
        words=words,
        name=one.name if one is not None else None,
        hits=tuple(hit._replace(storyline=lines[hit.chapter]) for hit in hits),
        chapters=tuple(chapters),
        more=more,
        pages=tuple(pages),
        facts=tuple(facts or ()),
        recorded=recorded if one is not None and nowhere else None,
        near=near,
        shared=tuple(bearer.name for bearer in bearers) if len(bearers) > 1 else (),
        problems=tuple(wrong),
    )


def _chapter_hits(
    book: Book, words: Sequence[str], last: int, most: int | None
) -> tuple[list[int], list[Hit], int, list[Problem]]:
    """Return (all chapters that hold a word, the newest sentences, those left out, faults)."""
    chapters: list[int] = []
    hits: list[Hit] = []
    faults: list[Problem] = []
    lost: list[int] = []
    more = 0
    for chapter in range(last, 0, -1):
        text, wrong = attempt(partial(book.project.text, layout.chapter(chapter)))
        faults += wrong
        lost += [chapter] if text is None and not wrong else []
        if text is None or not sentences.has_any(text, words):
            continue
        chapters.append(chapter)
        if most is not None and len(hits) >= most:
            continue
        found = [Hit(chapter, one.line, None, one.text) for one in sentences.sentences(text, words)]
        room = len(found) if most is None else most - len(hits)
        hits += found[:room]
        more += len(found[room:])
    faults += [lost_inputs.missing_text_refusal(book.project, lost[::-1])] if lost else []
    return chapters[::-1], hits, more, faults


def _facts_with(book: Book, words: Sequence[str]) -> list[Fact]:
    """Return every fact that holds a word, person by person. Raises the state's faults."""
    state, names = book.state(), book.state_names()
    return [
        Fact(names.get(slug, slug), key, told)
        for slug, entry in (state.get("characters") or {}).items()
        for key, value in (entry.items() if isinstance(entry, dict) else ())
        if key not in _NAMES
        for one in (value if isinstance(value, list) else [value])
        if sentences.has_any(told := "，".join(setting_pages.texts(one, names)), words)
    ]


def _storyline(book: Book, chapter: int) -> str | None:
    """Return the author's name for the chapter's storyline; None when it is not known."""
    name = text_of(book.plain_document(layout.crossref(chapter)).get("storyline_id"))
    return None if name is None else foreshadowing.storyline_names(book).get(name, name)
