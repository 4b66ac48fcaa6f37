"""The material of a volume's review: everything of the volume that could be read. Pure."""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Any, Mapping, Sequence
from novel_hooks.record import Record

if TYPE_CHECKING:
    from novel_hooks.rules.cast.unknown_names import UnknownName
    from novel_hooks.rules.outline.contract import Contract


class Material(Record):
    """One volume. `first` and `last` are its chapters by the outline, `written` those that have landed.

    `chars` is the volume's length in 字. `rows` are its chapters' scores (`recent_chapters.scores`),
    `low_below` is the score below which a chapter is low. `contracts`, `evaluations` and `crossrefs` are by
    chapter, as far as they could be read. `log` are the change log's lines of the volume, `places` maps its
    chapters to `{display name: place}` by the state as the chapter begins. `plan` are the items of the
    volume's foreshadowing plan, `facts` those of the book. `people` are names, aliases and ids of everybody
    with a card, `strangers` the names without one. `unread` are (path, reason). None: could not be read.
    """

    volume: int
    first: int
    last: int
    written: tuple[int, ...]
    chars: int | None
    rows: Sequence[Mapping[str, Any]] | None
    low_below: float
    contracts: Mapping[int, Contract] | None
    evaluations: Mapping[int, Mapping[str, Any]]
    crossrefs: Mapping[int, Mapping[str, Any]]
    log: Sequence[Mapping[str, Any]] | None
    places: Mapping[int, Mapping[str, str]] | None
    plan: Sequence[Mapping[str, Any]] | None
    facts: Sequence[Mapping[str, Any]] | None
    schedule: Mapping[str, Any] | None
    storylines: Mapping[str, Any] | None
    people: frozenset[str] | None
    strangers: Sequence[UnknownName] | None
    unread: tuple[tuple[str, str], ...]
