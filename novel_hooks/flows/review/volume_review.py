"""A volume's review: `novel review`. Reads only. Source: protocol §2.

Every part is read by itself: a part that cannot be read is named in the review, and hides no other.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Callable, Mapping, T
from novel_hooks.errors import Problem
from novel_hooks.flows.book import foreshadowing, logs, unknown_names
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.review import recent_chapters, shown_names
from novel_hooks.record import Record
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline.contract import Contract
from novel_hooks.rules.review import continuity, markdown, volume_review
from novel_hooks.rules.review.material import Material
from novel_hooks.rules.state import changelog
from novel_hooks.rules.text import length
from novel_hooks.store.formats.text import without_comments


class Reviewed(Record):
    """A review: `document` is `volume-review`, `text` the same for the author; `unread`: what is left out."""

    volume: int
    document: dict[str, Any]
    text: str
    unread: tuple[Problem, ...]


def run(book: Book, volume: int | None = None) -> Reviewed:
    """Review the volume as it is, the current one by default; it need not be finished. Reads only.

    Raises ReviewNotYet for a volume that has not begun, and what is wrong with its outline.
    """
    point = book.checkpoint()
    number = volume or max(1, point.volume)
    if number > point.volume:
        case = "later" if point.volume else "none"
        raise errors.ReviewNotYet(None, case, volume=number, now=point.volume)
    material = _Gathered(book, number, point.last).material()
    document = volume_review.document(material)
    unread = ((path or None, detail.rstrip("。")) for path, detail in material.unread)
    told = tuple(errors.ReviewUnread(path, reason=reason) for path, reason in unread)
    return Reviewed(number, document, markdown.markdown(_in_words(book, document)), told)


def _in_words(book: Book, document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the review with names for the ids in its facts and bridges."""
    told = shown_names.in_words(book)
    parts = {"continuity": ("name", "detail"), "bridges": ("from", "to", "name")}
    shown = {
        part: [{**one, **{key: told(one[key]) for key in keys}} for one in document[part] or ()]
        for part, keys in parts.items()
        if document[part] is not None
    }
    return {**document, **shown}


class _Gathered:
    """Reads one part after the other and notes what cannot be read."""

    def __init__(self, book: Book, volume: int, last: int) -> None:
        self.book = book
        self.volume = volume
        self.outline = book.need_outline(volume)
        first, end = self.outline.start, self.outline.end
        self.written = tuple(range(first, min(last, end) + 1))
        self.unread: dict[tuple[str, str], None] = {}
        self.moved_in = self.attempt(lambda: self.book.adoption().last) or 0

    def material(self) -> Material:
        """Gather the review's material."""
        log = self.attempt(logs.lines, self.book, layout.CHANGELOG)
        own = None if log is None else [one for one in log if one.get("chapter") in self.written]
        facts = self.attempt(foreshadowing.facts, self.book)
        plan = self.attempt(foreshadowing.planned_items, self.book, self.volume)
        schedule = self._document(layout.schedule(self.volume), "storyline-schedule")
        storylines = self._document(layout.STORYLINES, "storylines")
        evaluations = self._each(recent_chapters.landed_evaluation)
        rows = [recent_chapters.score(n, evaluations.get(n) or {}, n <= self.moved_in) for n in self.written]
        strangers = self.attempt(unknown_names.run, self.book)
        contracts_found = self._contracts()
        self._miss()
        return Material(
            volume=self.volume,
            first=self.outline.start,
            last=self.outline.end,
            written=self.written,
            chars=sum(self._each(_chars).values()),
            rows=rows,
            low_below=recent_chapters.low_line(self.book),
            contracts=contracts_found,
            evaluations=evaluations,
            crossrefs=self._each(_crossref),
            log=own,
            places=None if log is None else self.attempt(self._places, log),
            plan=plan,
            facts=facts,
            schedule=schedule,
            storylines=storylines,
            people=self.attempt(_known_names, self.book),
            strangers=None if strangers is None else strangers.strangers,
            unread=tuple(self.unread),
        )

    def _miss(self) -> None:
        """Note files that should be there and are not: without them there is less to count.

        What moved in was neither planned nor judged.
        """
        planned = [heading.chapter for heading in self.outline.headings if heading.chapter > self.moved_in]
        paths = [layout.STORYLINES]
        if planned:
            paths += [layout.schedule(self.volume), layout.foreshadowing_plan(self.volume)]
        paths += [layout.contract(self.volume, chapter) for chapter in planned]
        paths += map(layout.chapter, self.written)
        written = [number for number in self.written if number > self.moved_in]
        paths += [part(number) for number in written for part in (layout.evaluation, layout.crossref)]
        paths += [layout.CHANGELOG] if written else []
        for path in paths:
            if self.book.project.kind(path) == "absent":
                self.unread[(path, f"{path} 不在了，靠它数的都没有算进来。")] = None

    def attempt(self, read: Callable[..., T], *given: object) -> T | None:
        """Read one part; its problems are noted and None is returned."""
        found, problems = attempt(lambda: read(*given))
        self.unread.update({(one.path or "", str(one)): None for one in problems})
        return found

    def _document(self, path: str, schema: str) -> Mapping[str, Any] | None:
        """{} when there is none."""
        found = self.attempt(lambda: self.book.document(path, schema) or {})
        return found if isinstance(found, dict) else None

    def _each(self, read: Callable[[Book, int], T]) -> dict[int, T]:
        found = {n: self.attempt(read, self.book, n) for n in self.written}
        return {n: value for n, value in found.items() if value is not None}

    def _contracts(self) -> dict[int, Contract]:
        found = {}
        for heading in self.outline.headings:
            if heading.chapter <= self.moved_in:
                continue  # a bare one: nobody planned what it should bring about
            path = layout.contract(self.volume, heading.chapter)
            document = self.attempt(self.book.document, path, "chapter-contract")
            if document is not None:
                found[heading.chapter] = contracts.parse(document, path)
        return found

    def _places(self, log: list[dict[str, Any]]) -> dict[int, dict[str, str]]:
        """Return who is where as each chapter of the volume begins, by the change log."""
        names = {person.slug: person.name for person in self.book.cast()}
        found = {}
        for state, one in zip(changelog.states(log), log):  # in this order: the last line is judged too
            if one["chapter"] in self.written:
                found[one["chapter"]] = continuity.places_by_name(state, names)
        return found


def _chars(book: Book, chapter: int) -> int:
    return length.chars(without_comments(book.text(layout.chapter(chapter)) or ""))


def _crossref(book: Book, chapter: int) -> dict[str, Any]:
    found = book.own(layout.crossref(chapter))
    return found if isinstance(found, dict) else {}


def _known_names(book: Book) -> frozenset[str]:
    """Return every name, alias and id with a card, and all that the state knows by name."""
    return frozenset(unknown_names.registered_names(book))
