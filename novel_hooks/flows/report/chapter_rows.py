"""The rows of the landed chapters; each chapter's files are read once, and counted over the book."""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.annotations import Any, Callable, Iterable, Mapping
from novel_hooks.errors import Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.review import recent_chapters, work_report
from novel_hooks.rules.cast import characters
from novel_hooks.rules.cast.characters import Character
from novel_hooks.rules.report import row_columns, tally
from novel_hooks.rules.report.habit_rates import HabitWords
from novel_hooks.rules.report.people import Appearances
from novel_hooks.rules.report.phrases import Phrases, rate
from novel_hooks.rules.settings.prices import Price
from novel_hooks.rules.text import chapter_heading, length
from novel_hooks.rules.text.json_values import text
from novel_hooks.store.formats import jsonio
from novel_hooks.store.host import moment


class ChapterRows:
    """The rows being read. `unread` are the files that could not be read; each costs its own columns only."""

    def __init__(self, book: Book, cast: Iterable[Character], own_words: Iterable[str]) -> None:
        people = {one.slug: (one.name, characters.names_of(one)[:-1]) for one in cast}
        self.book = book
        self.appearances = Appearances(people)
        self.phrases = Phrases({word for _, words in people.values() for word in words})
        self.habits = HabitWords(own_words)
        self.unread: list[Problem] = []
        self._moved_in: int = self._attempt(lambda: book.adoption().last) or 0

    def read(
        self, last: int, lands: Iterable[Mapping[str, Any]], prices: Mapping[str, Price]
    ) -> list[dict[str, Any]]:
        """Return a row for each chapter up to `last`. `lands` are the lines of the change log."""
        by_chapter = {one.get("chapter"): one for one in lands}
        rows = [self._row(n, by_chapter.get(n, {}), prices) for n in range(1, last + 1)]
        again = self.phrases.repeated_counts()
        for row in rows:
            if row["habits"] is not None:
                row["habits"].append(rate(again.get(row["chapter"], 0), row["chars"]))
        return rows

    def _row(self, chapter: int, land: Mapping[str, Any], prices: Mapping[str, Price]) -> dict[str, Any]:
        work, flaws = work_report.row(self.book, chapter, prices, True)
        self.unread += flaws
        evaluation = self._attempt(lambda: self._evaluation(chapter))
        score = recent_chapters.score(chapter, evaluation or {}, chapter <= self._moved_in)
        landed = moment.epoch(tally.moment_of(land))
        return {
            "chapter": chapter,
            **self._text_columns(chapter, self._attempt(lambda: self.book.text(layout.chapter(chapter)))),
            "storyline": text(land.get("storyline_id")) or work["storyline_id"],
            "day": None if landed is None else moment.local_day(landed),
            **row_columns.score_columns(score, evaluation or {}),
            **row_columns.work_columns(work),
            "evaluated": evaluation is not None,
        }

    def _attempt(self, read: Callable[[], Any]) -> Any:
        found, problems = attempt(read)
        self.unread += problems
        return found

    def _evaluation(self, chapter: int) -> dict[str, Any] | None:
        """Return the landed evaluation, in less than half the time that `Book.own` takes."""
        path = layout.evaluation(chapter)
        data = self.book.read(path)
        if data is None:
            return None
        try:
            found = jsonio.parse_trusted(data)
        except (ValueError, RecursionError):
            found = jsonio.parse(data, path, own=True)  # to say where it is broken
        return found if isinstance(found, dict) else {}

    def _text_columns(self, chapter: int, whole: str | None) -> dict[str, Any]:
        """Return title, 字, kinds of the first and the last sentence, habits; None for all without a text."""
        if whole is None:
            return {**dict.fromkeys(("title", "chars", "opening", "ending", "habits")), "text": False}
        body = row_columns.without_heading(whole)
        chars = length.chars(whole)
        self.appearances.add(chapter, body)
        opening, ending = self.phrases.add(chapter, body)
        title, habits = chapter_heading.own_title(whole), self.habits.rates(body, chars)
        counted = {"title": title, "chars": chars, "opening": opening, "ending": ending, "habits": habits}
        return {**counted, "text": True}
