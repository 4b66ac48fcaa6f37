"""A volume's plan as its rules read it: outline, contracts, schedule, foreshadowing, people, world. Pure.

A part with a fault of shape is replaced by `json_values.FAULTY`. The fault is a problem already, and no rule
concludes anything from that part.
"""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.annotations import TYPE_CHECKING, Any, Callable, Sequence, T
from novel_hooks.record import Record
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.outline import outline as outlines

if TYPE_CHECKING:
    from collections.abc import Mapping

    from novel_hooks.rules.cast.characters import Character
    from novel_hooks.rules.cast.names import Names
    from novel_hooks.rules.outline.contract import Contract
    from novel_hooks.rules.outline.outline import Outline


class Plan(Record):
    """A volume's plan as it is staged, with the parts of the book that its rules need.

    `first` is the chapter that the volume must begin with, `last` the last landed one. `outline` has no
    headings when there is none, `data` are its bytes. `files` are the chapters with a contract's file.
    `contracts` are the readable ones by the number of their file; a `storyline_id` of a wrong shape is empty.
    `before` is the contract of the chapter before the volume.

    The following are None when they could not be read; rules that need them are then left out: `schedule`;
    `lines`, the ids of the storylines; `threads`, the items of the foreshadowing plan; `facts`, the book's
    threads; `people`; `rules`, a map from a world rule's id to the chapter that introduces it (None: from the
    start).

    `retired` are the characters who have left the book, `things` names and ids of all that is no character.
    `partial` are the fields with unreadable entries, so that an entry may exist without being there.
    `faulty_keys` are the schedule's keys with a fault of shape. `stated_volume` is the foreshadowing plan's
    `volume`, `storylines` the document of the book's storylines at `storylines_path`. `staged` are the ids of
    the characters whose card is in staging. `earlier` and `earlier_contracts` are those of the volumes before
    that can be read. `landed`: the plan is in the book and not in staging. `worked_out` keeps the results of
    `once`.
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
    earlier: Sequence[Outline] = ()
    earlier_contracts: Mapping[int, Contract] = {}
    landed: bool = False
    worked_out: dict[object, Any] | None = None

    def path(self, place: str) -> str:
        """Return where the plan's file of this project path lies: in staging, until the plan has landed."""
        return place if self.landed else layout.staged(place)

    def once(self, key: object, make: Callable[[], T]) -> T:
        """Return the value of `make`, worked out once for each key while `checks.problems` runs."""
        if self.worked_out is None:
            return make()
        if key not in self.worked_out:
            self.worked_out[key] = make()
        found: T = self.worked_out[key]
        return found

    @property
    def chapters(self) -> list[int]:
        """The outline's chapters, each once, in order; without an outline those with a contract's file."""
        headings = self.outline.headings
        return self.once("chapters", lambda: sorted({one.chapter for one in headings}) or list(self.files))

    @property
    def end(self) -> int:
        """The last chapter with a block or a contract's file; one alone is a problem of its own."""
        return max((*self.chapters, *self.files), default=self.first)

    @property
    def names(self) -> Names:
        """The names of the active characters."""
        return self.once("names", lambda: casts.names(self.people or ()))

    @property
    def left(self) -> Names:
        """The names of the characters who have left the book."""
        return self.once("left", lambda: casts.names(self.retired))

    @property
    def range_text(self) -> str:
        """The volume's chapters for the author: `第 4 章到第 6 章`."""
        return f"第 {self.first} 章到第 {self.end} 章"

    def at(self, chapter: int) -> Contract | None:
        """Return the contract of a chapter of the volume, or of the one before it."""
        return self.before if chapter == self.first - 1 else self.sound(chapter)

    def sound(self, chapter: int) -> Contract | None:
        """Return the contract of an outline's chapter; None when the file is another chapter's."""
        found = self.contracts.get(chapter)
        if found is None or chapter not in self.chapters:
            return None
        return None if found.chapter != chapter and found.chapter in self.files else found

    def contract_path(self, chapter: int) -> str:
        """Return the path of a chapter's contract, where the plan would have it when there is none yet."""
        found = self.contracts.get(chapter)
        return found.path if found is not None else self.path(layout.contract(self.volume, chapter))

    def keys(self, chapter: int) -> Mapping[str, str]:
        """Return the chapter's key lines in the outline; {} without a block."""
        return self.once(("keys", chapter), lambda: self._keys(chapter))

    def _keys(self, chapter: int) -> Mapping[str, str]:
        if all(heading.chapter != chapter for heading in self.outline.headings):
            return {}
        return outlines.key_lines(outlines.block(self.outline, chapter))

    def storyline(self, chapter: int) -> str:
        """Return the chapter's storyline in the outline; empty without one."""
        return self.keys(chapter).get("Storyline", "")

    def agreed(self, chapter: int) -> str:
        """Return the chapter's storyline in outline or contract; empty when they contradict each other.

        It is empty for a chapter outside the outline too.
        """
        return self.once(("agreed", chapter), lambda: self._agreed(chapter))

    def _agreed(self, chapter: int) -> str:
        if chapter not in self.chapters:
            return ""
        line, contract = self.storyline(chapter), self.contracts.get(chapter)
        own = contract.storyline_id if contract is not None else ""
        return (line or own) if line == own or not line or not own else ""
