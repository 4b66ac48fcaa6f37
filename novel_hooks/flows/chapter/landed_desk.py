"""The project as it was before a landed chapter: state, memory and foreshadowing. Reads only.

Source: protocol §2 (`sync`). Everything that neither the change log nor the landed records hold is as it is
now.
"""

from __future__ import annotations

from novel_hooks import errors, layout, roles, sha2
from novel_hooks.annotations import TYPE_CHECKING, Any, Mapping
from novel_hooks.errors import Problem
from novel_hooks.flows.book import landed_record, logs, planned_chapters
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.chapter.desk import Desk
from novel_hooks.rules.foreshadowing import facts, replay
from novel_hooks.rules.state import changelog_edit
from novel_hooks.store.formats import jsonio

if TYPE_CHECKING:
    from novel_hooks.store.schema.validity import Validity


class BookBefore(Book):
    """The book before `chapter`; a file that `now` has read is not read again."""

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
        """Return the remembered valid documents of `now`."""
        return self.now.validity

    def lines(self) -> list[Mapping[str, Any]]:
        """Return the change log as it is now; a stand-in takes the place of the chapter's lost line."""
        if self._lines is None:
            found = logs.lines(self, layout.CHANGELOG)
            storyline = (self.landed(self.chapter) or {}).get("storyline_id")
            self._lines = changelog_edit.with_stand_in(found, self.chapter, storyline, self._threads())
        return self._lines

    def _threads(self) -> list[dict[str, Any]]:
        """Return the chapter's ops on foreshadowing, by the facts themselves; [] when they are broken."""
        try:
            data = self.read(layout.FORESHADOWING)
            found = None if data is None else jsonio.parse(data, layout.FORESHADOWING)
            return replay.recorded_ops(facts.parse(found), self.chapter)
        except Problem:
            return []

    def state(self) -> Mapping[str, Any]:
        """Replay the state before the chapter from the log. Raises ChangelogBroken, SyncLogLine."""
        if self._state is None:
            self._state = changelog_edit.state_before(self.lines(), self.chapter)
        return self._state

    def landed(self, chapter: int) -> Mapping[str, Any] | None:
        """Return the chapter's landed record; None when it landed without one."""
        found = landed_record.read(self, chapter)
        return None if found is None else found.document

    def document(self, path: str, schema: str, own: bool = False) -> Any:
        """Return the present document; foreshadowing without the work of this chapter and later ones."""
        found = super().document(path, schema, own)
        if path != layout.FORESHADOWING or found is None:
            return found
        return {"foreshadowing": replay.items_before(facts.parse(found), self.chapter)}

    def own(self, path: str) -> Any:
        """Return the present document; of the given-up threads only those given up before the chapter."""
        found = super().own(path)
        if path != layout.DROPPED_THREADS or not isinstance(found, dict):
            return found
        given_up = {name: drop.get("chapter") for name, drop in found.items() if isinstance(drop, dict)}
        later = {name for name, at in given_up.items() if isinstance(at, int) and at >= self.chapter}
        return {name: drop for name, drop in found.items() if name not in later}

    def state_path(self) -> str | None:
        """Return None: no file holds the earlier state."""
        return None

    def memory(self, storyline: str) -> tuple[str | None, str]:
        """Return the memory before the chapter, from its landed record; without a record, the present one."""
        before, path = self._before(), layout.memory(storyline)
        return (None, str(before[path] or "")) if path in before else super().memory(storyline)

    def memory_warning(self, storyline: str) -> Problem | None:
        """Warn that the present memory is given, which includes later chapters; None when it is not."""
        path = layout.memory(storyline)
        known = path in self._before() or super().memory(storyline)[0] is None
        return None if known else errors.MemoryOfNow(path, chapter=self.chapter)

    def _before(self) -> Mapping[str, Any]:
        found = (self.landed(self.chapter) or {}).get("before")
        return found if isinstance(found, dict) else {}


class LandedDesk(Desk):
    """A landed chapter's text, with the files that its agents stage anew; not `staged`: as it landed."""

    book: BookBefore
    landed = True
    staged = True

    def path(self, output: roles.Output) -> str:
        """Return the landed path of the text and of an output that is not staged; else the staged one."""
        if output.key == "chapter":
            return layout.chapter(self.number)
        if output.key == "crossref" and not self.staged:
            return layout.crossref(self.number)
        return super().path(output)

    def _finding(self, key: str, problem: Problem) -> Problem:
        """Keep a fault of the landed text as it is, for it is the author's to mend."""
        return problem if key == "chapter" else super()._finding(key, problem)

    def text_sha256(self) -> str | None:
        """Return the sha256 of the text as UTF-8, LF, no BOM, as in every landed record."""
        text = self.book.text(layout.chapter(self.number))
        return None if text is None else sha2.digest(text.encode("utf-8"))


def desk(book: Book, chapter: int, staged: bool = True) -> LandedDesk:
    """Return the desk of a landed chapter."""
    found = LandedDesk(BookBefore(book, chapter), planned_chapters.chapter_volume(book, chapter), chapter)
    found.staged = staged
    return found
