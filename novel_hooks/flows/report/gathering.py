"""The data of the report: every landed chapter, read once. Reads only.

A part that cannot be read is named and hides no other. Chapters are read without their schemas: they passed
when they landed, and 2,000 of them must be read in seconds.
"""

from __future__ import annotations

from functools import partial

from novel_hooks import defaults, layout
from novel_hooks.annotations import Any, Callable, T
from novel_hooks.errors import Problem
from novel_hooks.flows.book import foreshadowing, logs, settings
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import as_warnings, attempt, distinct
from novel_hooks.flows.briefing import due_step
from novel_hooks.flows.chapter import writing_run
from novel_hooks.flows.checks import budget
from novel_hooks.flows.inventory import backlog, hand_edits
from novel_hooks.flows.report.chapter_rows import ChapterRows
from novel_hooks.flows.review import work_report
from novel_hooks.record import Record
from novel_hooks.rules.evaluation.gate_entry import ACCEPTED, DECISIONS, FORCED, Bands
from novel_hooks.rules.evaluation.score import DIMENSIONS
from novel_hooks.rules.foreshadowing import facts
from novel_hooks.rules.foreshadowing.item import ACTION_WORDS
from novel_hooks.rules.report import attention, last_run, pace, storyline_rows, threads
from novel_hooks.rules.report.habit_rates import REPEATED
from novel_hooks.rules.report.phrases import ENDS, STARTS
from novel_hooks.rules.steps import menu
from novel_hooks.rules.text.json_values import objects, text
from novel_hooks.store.host import moment


class Report(Record):
    """The report's `data`, and what was left out of it as warnings."""

    data: dict[str, Any]
    problems: tuple[Problem, ...]


def run(book: Book, now: float) -> Report:
    """Read the book. `now` in seconds since the epoch; days are those of the local clock."""
    gathered = _Gathered(book, now)
    data = {"schema_version": 1, **gathered.settings(), **gathered.chapters(), **gathered.story()}
    unrecorded = gathered.attempt(lambda: backlog.problems(book)) or ()
    unread = as_warnings(distinct(gathered.unread))
    data["unread"] = [{"path": one.path, "detail": str(one)} for one in unread]
    return Report({**data, "attention": attention.first_lines(data, unrecorded)}, tuple(unread))


class _Gathered:
    """The parts of the report, in the order in which they are read."""

    def __init__(self, book: Book, now: float) -> None:
        self.book = book
        self.now = now
        self.point = book.checkpoint()
        self.unread: list[Problem] = []
        self.rows: list[dict[str, Any]] = []

    def attempt(self, read: Callable[[], T]) -> T | None:
        found, problems = attempt(read)
        self.unread += problems
        return found

    def settings(self) -> dict[str, Any]:
        """Return the author's settings that the charts need, and the volumes begun so far."""
        given = self.attempt(lambda: settings.read(self.book)) or {}
        chars = self.attempt(lambda: settings.chapter_chars(self.book)) or defaults.CHAPTER_CHARS
        return {
            "title": text(given.get("title")),
            "genre": text(given.get("genre")),
            "made_at": moment.iso(self.now),
            "chapter_chars": list(chars),
            "bands": (self.attempt(lambda: settings.bands(self.book)) or Bands()).to_json(),
            "volumes": [one for number in range(1, self.point.volume + 1) for one in self._volume(number)],
        }

    def _volume(self, number: int) -> list[dict[str, Any]]:
        outline = self.attempt(lambda: self.book.outline(number))
        if outline is None or not outline.headings:
            return []
        return [{"volume": number, "from": outline.start, "to": outline.end}]

    def chapters(self) -> dict[str, Any]:
        """Return the rows of the chapters, and what is counted over all of them."""
        cast = self.attempt(lambda: [*self.book.cast(), *self.book.retired()]) or []
        lands = self.attempt(lambda: logs.lines(self.book, layout.CHANGELOG)) or []
        prices, currency, flaws = work_report.money(self.book)
        reading = ChapterRows(self.book, cast, self.attempt(self._blacklist) or [])
        self.rows = reading.read(self.point.last, lands, prices)
        self.unread += [*flaws, *reading.unread]
        days = pace.day_rows(self.rows)
        return {
            "currency": currency,
            "chapters": self.rows,
            "days": days,
            "pace": pace.pace(days, moment.local_day(self.now), self._left()),
            "gate_kinds": [DECISIONS["pass"], DECISIONS["polish"], ACCEPTED, FORCED],
            "dimensions": list(DIMENSIONS.values()),
            "starts": list(STARTS),
            "ends": list(ENDS),
            "habit_kinds": [*reading.habits.kinds, REPEATED],
            "openings": reading.phrases.openings(sum(row["chars"] or 0 for row in self.rows)),
            "repeats": reading.phrases.repeats(),
            "people": reading.appearances.rows(),
        }

    def _left(self) -> int | None:
        """Return how many chapters of the current volume are still to be written."""
        outline, _ = attempt(lambda: self.book.outline(self.point.volume))
        return max(0, outline.end - self.point.last) if outline is not None and outline.headings else None

    def _blacklist(self) -> list[str]:
        document = self.book.document(layout.BLACKLIST, "ai-blacklist") or {}
        allowed = document.get("whitelist") or ()
        return [word for word in document.get("words") or () if word not in allowed]

    def story(self) -> dict[str, Any]:
        """Return storylines and threads, and what waits for the author."""
        last = self.point.last
        survey = self.attempt(lambda: hand_edits.survey(self.book, last, self.now))
        lines = objects(self._document(layout.STORYLINES, "storylines").get("storylines"))
        return {
            "storylines": storyline_rows.storyline_rows(self.rows, lines, self._asleep()),
            "thread_states": dict(threads.STATE_WORDS),
            "thread_actions": dict(ACTION_WORDS),
            "threads": threads.thread_rows(self._threads(), last),
            "waiting": self.attempt(self._waiting),
            "night": self.attempt(self._night),
            "failures": work_report.failures(self.point),
            "edited": sorted({edit.chapter for edit in survey.edits}) if survey else [],
        }

    def _document(self, path: str, schema: str) -> dict[str, Any]:
        found = self.attempt(lambda: self.book.document(path, schema))
        return found if isinstance(found, dict) else {}

    def _asleep(self) -> tuple[str, ...]:
        """Return the storylines that rest in the current volume."""
        path = layout.schedule(max(1, self.point.volume))
        entries = self._document(path, "storyline-schedule").get("dormant_storylines") or ()
        named = (one.get("storyline_id") if isinstance(one, dict) else one for one in entries)
        return tuple(one for one in named if isinstance(one, str))

    def _threads(self) -> list[dict[str, Any]]:
        planned: dict[str, dict[str, Any]] = {}
        for volume in range(1, self.point.volume + 1):
            items = self.attempt(partial(foreshadowing.planned_items, self.book, volume)) or []
            planned.update({str(one["id"]): one for one in items})
        known = self.attempt(lambda: foreshadowing.facts(self.book)) or []
        return facts.all_threads(known, list(planned.values()))

    def _night(self) -> dict[str, Any] | None:
        """Return the last run; None when none has begun."""
        run = writing_run.read(self.book)
        if run is None:
            return None
        stages, other = budget.run_stages(self.book, run, self.point), budget.other_work(self.book, run)
        limits = settings.budget(self.book)
        return last_run.last_run(run.started_at, run.chapter, run.wanted, self.rows, stages, other, limits)

    def _waiting(self) -> dict[str, Any]:
        """Return the next step as far as it concerns the author: `{step, reason, stop, skill, choices[]}`."""
        due = due_step.view(self.book).due
        crewed = due.step is not None and not due.step.of_plan
        return {
            "step": due.label,
            "reason": due.reason,
            "stop": due.stop,
            "skill": menu.CONTINUE if crewed else menu.START,
            "choices": [{"label": one.label, "why": one.why} for one in due.choices] if due.stop else [],
        }
