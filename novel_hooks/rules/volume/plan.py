"""A volume's plan as its rules read it: outline, contracts, schedule, foreshadowing, people, world. Pure.

Where a file's shape is wrong, that has been told, and `json_values.FAULTY` stands there: nothing is concluded
from it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, TypeVar

    from novel_hooks.rules.cast.characters import Character
    from novel_hooks.rules.cast.names import Names
    from novel_hooks.rules.outline.contract import Contract
    from novel_hooks.rules.outline.outline import Outline

    T = TypeVar("T")

from novel_hooks import layout
from novel_hooks.record import Record
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.outline import outline as outlines


class Plan(Record):
    """A volume's plan as it is staged, with what of the book it leans on.

    `first` is the chapter that the volume must begin with, `last` the newest landed one. `outline` has no
    headings where there is none. `files` are the chapters that have a contract's file, `contracts` those
    whose file could be read, by that number; `storyline_id` is empty where its shape is wrong. `before` is
    the contract of the chapter before the volume. `schedule`, `lines` (ids of the storylines), `threads` (the
    foreshadowing plan's items), `facts` (the book's threads), `people` and `rules` (ids of the world's → the
    chapter that introduces each, None: from the start) are None when they could not be read: what leans on
    them is not looked at. `volume_told` is what the foreshadowing plan says that its volume is, `storylines`
    the document of the book's storylines.

    `gone` are those who have left the book, `things` names and ids of what is no person. `partial` are the
    fields whose list may lack something that could not be read: that something is not there is then no
    finding. `told` are the keys of the schedule in which a fault of shape is told. `staged` are the ids of
    those whose card lies in staging.
    """

    volume: int
    first: int
    last: int
    outline: Outline
    data: bytes
    files: tuple[int, ...]
    contracts: Mapping[int, Contract]
    before: Contract | None
    schedule: Mapping[str, Any] | None
    lines: tuple[str, ...] | None
    threads: Sequence[Mapping[str, Any]] | None
    facts: Sequence[Mapping[str, Any]] | None
    people: Sequence[Character] | None
    rules: Mapping[str, int | None] | None
    retired: Sequence[Character] = ()
    things: frozenset[str] = frozenset()
    partial: frozenset[str] = frozenset()
    faulty_keys: frozenset[str] = frozenset()
    stated_volume: object = None
    storylines: Mapping[str, Any] = {}
    storylines_path: str = layout.STORYLINES
    staged: frozenset[str] = frozenset()
    worked_out: dict[object, Any] | None = None

    def once(self, key: object, make: Callable[[], T]) -> T:
        """Worked out once while the rules are asked, for `problems` gives a place to keep it."""
        if self.worked_out is None:
            return make()
        if key not in self.worked_out:
            self.worked_out[key] = make()
        found: T = self.worked_out[key]
        return found

    @property
    def chapters(self) -> list[int]:
        """The outline's chapters, each once, in order; without an outline those that have a contract."""
        return self.once("chapters", self._chapters)

    def _chapters(self) -> list[int]:
        return sorted({heading.chapter for heading in self.outline.headings}) or list(self.files)

    @property
    def end(self) -> int:
        """The last chapter that has a block or a contract: one without the other is told by itself."""
        return max((*self.chapters, *self.files), default=self.first)

    @property
    def names(self) -> Names:
        return self.once("names", lambda: casts.names(self.people or ()))

    @property
    def left(self) -> Names:
        """The names of those who are gone."""
        return self.once("left", lambda: casts.names(self.retired))

    @property
    def range_text(self) -> str:
        return f"第 {self.first} 章到第 {self.end} 章"

    def at(self, chapter: int) -> Contract | None:
        """The contract of a chapter of the volume, or of the one before it."""
        return self.before if chapter == self.first - 1 else self.sound(chapter)

    def sound(self, chapter: int) -> Contract | None:
        """The contract of a chapter of the outline, unless it is another's that lies in the wrong file."""
        found = self.contracts.get(chapter)
        if found is None or chapter not in self.chapters:
            return None
        return None if found.chapter != chapter and found.chapter in self.files else found

    def contract_path(self, chapter: int) -> str:
        found = self.contracts.get(chapter)
        return found.path if found is not None else layout.staged(layout.contract(self.volume, chapter))

    def keys(self, chapter: int) -> Mapping[str, str]:
        """The chapter's key lines in the outline; {} where it has no block."""
        return self.once(("keys", chapter), lambda: self._keys(chapter))

    def _keys(self, chapter: int) -> Mapping[str, str]:
        if all(heading.chapter != chapter for heading in self.outline.headings):
            return {}
        return outlines.key_lines(outlines.block(self.outline, chapter))

    def storyline(self, chapter: int) -> str:
        """As the outline has it; empty when it has none."""
        return self.keys(chapter).get("Storyline", "")

    def agreed(self, chapter: int) -> str:
        """The chapter's storyline where outline and contract do not contradict each other; else empty.

        Empty too where the outline has no such chapter.
        """
        return self.once(("agreed", chapter), lambda: self._agreed(chapter))

    def _agreed(self, chapter: int) -> str:
        if chapter not in self.chapters:
            return ""
        told, contract = self.storyline(chapter), self.contracts.get(chapter)
        own = contract.storyline_id if contract is not None else ""
        return (told or own) if told == own or not told or not own else ""
