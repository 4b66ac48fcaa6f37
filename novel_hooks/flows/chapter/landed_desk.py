"""The project as a landed chapter found it: state, memory and foreshadowing before it. Reads only.

Source: protocol §2 (`sync`). What the change log and the landed records do not tell is as it is now.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from novel_hooks.store.schema.validity import Validity
import hashlib

from novel_hooks import errors, layout, roles
from novel_hooks.errors import Problem
from novel_hooks.flows.book import landed_record, logs, planned_chapters
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.chapter.desk import Desk
from novel_hooks.rules.foreshadowing import facts, replay
from novel_hooks.rules.state import changelog_edit
from novel_hooks.store.formats import jsonio


class BookBefore(Book):
    """The book before `chapter`; what `now` has read is not read again."""

    replayed = True

    def __init__(self, now: Book, chapter: int) -> None:
        super().__init__(now.project)
        self.now = now
        self.chapter = chapter
        self._bytes, self._documents, self.learnt = now._bytes, now._documents, now.learnt
        self._lines: list[Mapping[str, Any]] | None = None
        self._state: Mapping[str, Any] | None = None

    @property
    def validity(self) -> Validity:
        return self.now.validity

    def lines(self) -> list[Mapping[str, Any]]:
        """The change log as it is now; where the chapter's line is lost, another stands in for it."""
        if self._lines is None:
            found = logs.lines(self, layout.CHANGELOG)
            storyline = (self.landed(self.chapter) or {}).get("storyline_id")
            self._lines = changelog_edit.with_stand_in(found, self.chapter, storyline, self._threads())
        return self._lines

    def _threads(self) -> list[dict[str, Any]]:
        """What the chapter did to foreshadowing, by the facts themselves; [] when they do not tell."""
        try:
            data = self.read(layout.FORESHADOWING)
            found = None if data is None else jsonio.parse(data, layout.FORESHADOWING)
            return replay.recorded_ops(facts.parse(found), self.chapter)
        except Problem:
            return []

    def state(self) -> Mapping[str, Any]:
        """Replayed from the log. Raises ChangelogBroken, SyncLogLine."""
        if self._state is None:
            self._state = changelog_edit.state_before(self.lines(), self.chapter)
        return self._state

    def landed(self, chapter: int) -> Mapping[str, Any] | None:
        """The chapter's landed record; None when it landed without one."""
        found = landed_record.read(self, chapter)
        return None if found is None else found.document

    def document(self, path: str, schema: str, own: bool = False) -> Any:
        """As it is now, but for foreshadowing: without what this and later chapters did to it."""
        found = super().document(path, schema, own)
        if path != layout.FORESHADOWING or found is None:
            return found
        return {"foreshadowing": replay.items_before(facts.parse(found), self.chapter)}

    def state_path(self) -> str | None:
        """No file holds the earlier state."""
        return None

    def memory(self, storyline: str) -> tuple[str | None, str]:
        """The memory before the chapter, from its landed record; without one, as it is now."""
        before, path = self._before(), layout.memory(storyline)
        return (None, str(before[path] or "")) if path in before else super().memory(storyline)

    def memory_warning(self, storyline: str) -> Problem | None:
        """Without a landed record the memory of now is given, which knows of later chapters."""
        path = layout.memory(storyline)
        known = path in self._before() or super().memory(storyline)[0] is None
        return None if known else errors.MemoryOfNow(path, chapter=self.chapter)

    def _before(self) -> Mapping[str, Any]:
        found = (self.landed(self.chapter) or {}).get("before")
        return found if isinstance(found, dict) else {}


class LandedDesk(Desk):
    """A landed chapter's text, and beside it what its crew stages anew; not `staged`: as it landed."""

    book: BookBefore
    staged = True

    def path(self, output: roles.Output) -> str:
        if output.key == "chapter":
            return layout.chapter(self.number)
        if output.key == "crossref" and not self.staged:
            return layout.crossref(self.number)
        return super().path(output)

    def _finding(self, key: str, problem: Problem) -> Problem:
        """What is wrong with the landed text is the author's to mend, so it is told as it is."""
        return problem if key == "chapter" else super()._finding(key, problem)

    def text_sha256(self) -> str | None:
        """Of the text as UTF-8, LF, no BOM, like every hash of what landed."""
        text = self.book.text(layout.chapter(self.number))
        return None if text is None else hashlib.sha256(text.encode("utf-8")).hexdigest()


def desk(book: Book, chapter: int, staged: bool = True) -> LandedDesk:
    """The desk of a landed chapter."""
    found = LandedDesk(BookBefore(book, chapter), planned_chapters.chapter_volume(book, chapter), chapter)
    found.staged = staged
    return found
