"""A volume's outline for its author, with the chapters that are written. Reads only."""

from __future__ import annotations

from functools import partial

from novel_hooks.annotations import Any, Iterable
from novel_hooks.errors import Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.review import recent_chapters, word_counts
from novel_hooks.rules.outline.headings import Heading


def chapter_rows(book: Book, headings: Iterable[Heading]) -> tuple[list[dict[str, Any]], list[Problem]]:
    """Return (`{chapter, title, line, written, chars, overall}` of each heading, warnings).

    `chars` and `overall` are None where there is none: a chapter without a verdict moved in.
    """
    listed, last = list(headings), book.checkpoint().last
    landed = sorted({heading.chapter for heading in listed if heading.chapter <= last})
    lengths = word_counts.chars_of(book, landed)
    scores, problems = {}, list[Problem]()
    for chapter in landed:
        found, unread = attempt(partial(recent_chapters.landed_evaluation, book, chapter))
        scores[chapter] = recent_chapters.score(chapter, found or {}, False)["overall"]
        problems += unread
    for problem in problems:
        problem.severity = "warning"
    told = [
        {
            "chapter": one.chapter,
            "title": one.title,
            "line": one.line,
            "written": one.chapter in lengths,
            "chars": lengths.get(one.chapter),
            "overall": scores.get(one.chapter),
        }
        for one in listed
    ]
    return told, problems
