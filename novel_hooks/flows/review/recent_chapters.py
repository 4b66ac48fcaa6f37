"""The last chapters' scores and logs, the storylines and threads. Reads only.

The cost does not grow with the book: chapters are read by name, at most `trend.WINDOW` of them.
"""

from __future__ import annotations

from functools import partial

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Iterable, Mapping
from novel_hooks.errors import Problem
from novel_hooks.flows.book import settings
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import as_warnings, attempt
from novel_hooks.flows.review import word_counts, work_report
from novel_hooks.rules.evaluation import gate_entry
from novel_hooks.rules.evaluation.gate_entry import Bands
from novel_hooks.rules.foreshadowing import facts
from novel_hooks.rules.foreshadowing.item import CLOSED, span
from novel_hooks.rules.outline.headings import Heading
from novel_hooks.rules.review import trend as review_trend
from novel_hooks.rules.text.json_values import integer, number, text
from novel_hooks.store.formats import jsonio

SHOWN_THREADS = 10


class RecentChapters:
    """The last chapters up to `last`, in `volume`; each file is read once, when it is first needed."""

    def __init__(self, book: Book, last: int, volume: int) -> None:
        self.book = book
        self.last = last
        self.volume = max(1, volume)
        self.problems: list[Problem] = []
        self._logs: list[dict[str, Any]] | None = None
        self._currency: str | None = None
        self._scores: dict[int, dict[str, Any]] = {}

    def chapters(self, count: int) -> range:
        """Return the numbers of the last `count` chapters."""
        return range(max(1, self.last - count + 1), self.last + 1)

    def scores(self, count: int) -> list[dict[str, Any]]:
        """Return `{chapter, overall, decision, revisions, force_passed, accepted, adopted}`, newest last."""
        moved_in, problems = attempt(lambda: self.book.adoption().last)
        self.problems += problems
        for chapter in self.chapters(count):
            if chapter not in self._scores:
                found = landed_evaluation(self.book, chapter)
                self._scores[chapter] = score(chapter, found, chapter <= (moved_in or 0))
        return [self._scores[chapter] for chapter in self.chapters(count)]

    def trend(self) -> dict[str, Any]:
        """Return the trend of the scores in the window."""
        return review_trend.score_trend(self.scores(review_trend.WINDOW), low_line(self.book))

    def logs(self) -> list[dict[str, Any]]:
        """Return the rows of `work_report` for the window; unreadable ones are in `problems`."""
        if self._logs is None:
            prices, self._currency, problems = work_report.money(self.book)
            window = self.chapters(review_trend.WINDOW)
            found = [work_report.row(self.book, chapter, prices, landed=True) for chapter in window]
            self._logs = [row for row, _ in found]
            self.problems += [*problems, *(flaw for _, flaws in found for flaw in flaws)]
        return self._logs

    def work(self) -> dict[str, Any]:
        """Return `{from_chapter, to_chapter, currency}` and the totals of `work_report` for the window."""
        rows = self.logs()
        stages = [stage for row in rows for stage in row["stages"]]
        ends = (rows[0]["chapter"], rows[-1]["chapter"]) if rows else (None, None)
        totals = work_report.totals(rows, stages)
        return {"from_chapter": ends[0], "to_chapter": ends[1], "currency": self._currency, **totals}

    def storylines(self) -> list[dict[str, Any]]:
        """Return `trend.storyline_presence`; the plan is read as far as it is JSON, without its schema."""
        told = {
            row["chapter"]: row["storyline_id"] or self._storyline_id(row["chapter"]) for row in self.logs()
        }
        seen = {line: chapter for chapter, line in told.items() if line}
        listed = _plain_document(self.book, layout.STORYLINES).get("storylines")
        schedule = _plain_document(self.book, layout.schedule(self.volume))
        return review_trend.storyline_presence(
            listed if isinstance(listed, list) else [],
            _ids(schedule.get("active_storylines")),
            _ids(schedule.get("dormant_storylines")),
            seen,
            self.last,
            gaps=not all(told.values()),
        )

    def _storyline_id(self, chapter: int) -> str | None:
        """Return the storyline in the chapter's crossref, where the log has none."""
        return text(self.book.plain_document(layout.crossref(chapter)).get("storyline_id"))

    def threads(self) -> dict[str, Any]:
        """Return `{open, overdue[ids], threads[]}`; of the open threads the most pressing `SHOWN_THREADS`."""
        items = self._items()
        late = [str(item.get("id")) for item in facts.overdue_items(items, self.last)]
        active = [_thread(item, late) for item in items if item.get("status") not in CLOSED]
        shown = sorted(active, key=_urgency)[:SHOWN_THREADS]
        return {"open": len(active), "overdue": late, "threads": shown}

    def overdue(self) -> list[dict[str, Any]]:
        """Return all overdue threads, as in `threads`."""
        found = facts.overdue_items(self._items(), self.last)
        return sorted((_thread(item, [str(item.get("id"))]) for item in found), key=_urgency)

    def _items(self) -> list[dict[str, Any]]:
        data = self.book.read(layout.FORESHADOWING)
        if data is not None and self.book.validity.knows("foreshadowing", data):
            document = jsonio.parse_trusted(data)
        else:
            document = None if data is None else jsonio.parse(data, layout.FORESHADOWING)
        return facts.with_dropped(facts.parse(document), self.book.dropped_threads())


def landed_evaluation(book: Book, chapter: int) -> dict[str, Any]:
    """Return a landed evaluation, {} when absent. Its schema is not asked: it passed when it landed."""
    path = layout.evaluation(chapter)
    found = book.own(path)
    if found is not None and not isinstance(found, dict):
        raise errors.OwnFileDamaged(path, case="no object")
    return found or {}


def score(chapter: int, document: Mapping[str, Any], moved_in: bool) -> dict[str, Any]:
    """Return the row of a chapter's evaluation, as in `RecentChapters.scores`.

    `adopted`: the chapter moved in, and nobody has judged it since.
    """
    gate = gate_entry.gate_of(document)
    return {
        "chapter": chapter,
        "overall": number(document.get("overall_final", document.get("overall"))),
        "decision": text(gate.get("decision")),
        "revisions": integer(gate.get("revisions")),
        "force_passed": gate.get("force_passed") is True,
        "accepted": gate_entry.is_accepted(document),
        "adopted": moved_in and not document,
    }


def chapter_rows(book: Book, headings: Iterable[Heading]) -> tuple[list[dict[str, Any]], list[Problem]]:
    """Return (`{chapter, title, line, written, chars, overall}` of each heading of an outline, warnings).

    `chars` and `overall` are None where there is none: a chapter without a verdict moved in.
    """
    listed, last = list(headings), book.checkpoint().last
    landed = sorted({heading.chapter for heading in listed if heading.chapter <= last})
    lengths = word_counts.chars_of(book, landed)
    scores, problems = {}, list[Problem]()
    for chapter in landed:
        found, unread = attempt(partial(landed_evaluation, book, chapter))
        scores[chapter] = score(chapter, found or {}, False)["overall"]
        problems += as_warnings(unread)
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


def low_line(book: Book) -> float:
    """Return the score below which a chapter counts as low: the author's polish line, else the default."""
    return (attempt(lambda: settings.bands(book))[0] or Bands()).polish_at


def _thread(item: Mapping[str, Any], late: list[str]) -> dict[str, Any]:
    window = span(item.get("target_resolve_range"))
    name = str(item.get("id"))
    return {
        "id": name,
        "description": text(item.get("description")) or name,
        "status": text(item.get("status")),
        "due": window[1] if window else None,
        "overdue": name in late,
        "last_chapter": integer(item.get("last_updated_chapter")),
    }


def _urgency(thread: Mapping[str, Any]) -> tuple[bool, bool, int, str]:
    return (not thread["overdue"], thread["due"] is None, thread["due"] or 0, thread["id"])


def _plain_document(book: Book, path: str) -> Mapping[str, Any]:
    data = book.read(path)
    found = None if data is None else jsonio.parse(data, path)
    return found if isinstance(found, dict) else {}


def _ids(listed: object) -> tuple[str, ...]:
    entries = listed if isinstance(listed, list) else []
    found = (entry.get("storyline_id") if isinstance(entry, dict) else entry for entry in entries)
    return tuple(entry for entry in found if isinstance(entry, str))
