"""The size limit of a packet: the most material for an agent, and the inputs that are cut above it.

Sizes are in 字 (`length.chars`). `ORDER` lists the inputs that may be cut, in their order. All others stay,
even when they alone are over the limit: hard rules, the contract, the chapter's outline, the fixes, the
chapter, the brief, the volume's earlier plan, decisions to be carried out now. The same files give the same
cuts. The packet names every cut (`cap`). Source: protocol §7.
"""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Any, Callable, Mapping, Sequence
from novel_hooks.record import Record
from novel_hooks.rules.text import length

if TYPE_CHECKING:
    from novel_hooks.rules.packet.packet import Input

LIMITS: Mapping[str, int] = {
    "chapter-writer": 40000,
    "summarizer": 24000,
    "style-refiner": 24000,
    "quality-judge": 32000,
    "world-builder": 40000,
    "character-weaver": 60000,
    "style-analyzer": 40000,
    "plot-architect": 60000,
}
_FEEDBACK = ("previous_problems", "author_decisions")
ORDER: Mapping[str, tuple[str, ...]] = {
    "chapter-writer": (
        "foreshadowing_tasks",
        "current_state",
        "current_volume_outline",
        "world_pages",
        "world_rules",
        "recall",
        "foreshadowing_tasks",
        "adjacent_storyline_memories",
        "line_text",
        "recent_3_summaries",
        "previous_text",
    ),
    "summarizer": ("foreshadowing_tasks", "current_state", "entity_id_map", "foreshadowing_tasks"),
    "style-refiner": ("ai_blacklist",),
    "quality-judge": (
        "current_state",
        "foreshadowing_tasks",
        "world_rules",
        "character_profiles",
        "ai_blacklist",
        "previous_text",
    ),
    "world-builder": (*_FEEDBACK, "research", "world_docs", *_FEEDBACK),
    "character-weaver": (
        *_FEEDBACK,
        "research",
        "world_docs",
        "world_rules",
        "character_profiles",
        "character_cards",
        *_FEEDBACK,
    ),
    "style-analyzer": (*_FEEDBACK, "style_samples", "ai_blacklist", *_FEEDBACK),
    "plot-architect": (
        *_FEEDBACK,
        "open_foreshadowing",
        "current_state",
        "previous_volume_outline",
        "touched_contracts",
        "research",
        "world_docs",
        "world_rules",
        "character_contracts",
        "character_profiles",
        "storyline_memories",
        "open_foreshadowing",
        "recent_3_summaries",
        *_FEEDBACK,
    ),
}
"""A key that comes twice is cut in two turns: first down to its most pressing pieces, then the rest."""


BY_LINE = ("research", "world_docs", "style_samples")
"""Texts that are cut from their end, line by line, a long line sentence by sentence."""
FROM_START = ("previous_text",)
"""Texts that are cut from their beginning in the same way: their end matters most."""


class Offer(Record):
    """The pieces of one input that may be cut, in their order. `place` is the input's index.

    `sizes` are the approximate 字 of each piece. `without(n)` returns the input without the first n of them,
    None when nothing of it is left. `of` counts all pieces, also those that stay.
    """

    place: int
    of: int
    sizes: tuple[int, ...]
    without: Callable[[int], Input | None]


class Cut(Record):
    """The cut of one input: `chars` are cut and `left` stay, both in 字; `pieces` of `of` are cut."""

    key: str
    path: str | None
    chars: int
    left: int
    pieces: int
    of: int


class Fitted(Record):
    """The inputs after the cuts: `chars` together; `over` of them are above the limit, 0 when they fit."""

    inputs: tuple[Input, ...]
    limit: int
    chars: int
    over: int
    cuts: tuple[Cut, ...]

    def document(self) -> dict[str, Any]:
        """Return the packet's `cap`: `{limit, chars, over, cut[{key, path, chars, left, pieces, of}]}`."""
        cuts = [{name: getattr(cut, name) for name in Cut._fields} for cut in self.cuts]
        return {"limit": self.limit, "chars": self.chars, "over": self.over, "cut": cuts}


def fit(inputs: Sequence[Input], limit: int, offers: Callable[[], Sequence[Offer]]) -> Fitted:
    """Return the inputs cut to `limit` 字, by the offers in their order; they are made only when needed."""
    sizes = [size(one) for one in inputs]
    over = sum(sizes) - limit
    rest: list[Input | None] = list(inputs)
    dropped: dict[int, tuple[int, int]] = {}  # index → pieces dropped, of how many
    for offer in offers() if over > 0 else ():
        if over <= 0:
            break
        count, fresh = _pieces_to_drop(offer, sizes[offer.place], over)
        saved = sizes[offer.place] - size(fresh)
        if saved <= 0:
            continue
        rest[offer.place] = fresh
        sizes[offer.place] -= saved
        over -= saved
        dropped[offer.place] = (dropped.get(offer.place, (0, 0))[0] + count, offer.of)
    cuts = [_cut(inputs[index], rest[index], *dropped[index]) for index in sorted(dropped)]
    return Fitted(tuple(i for i in rest if i is not None), limit, sum(sizes), max(0, over), tuple(cuts))


def _pieces_to_drop(offer: Offer, before: int, over: int) -> tuple[int, Input | None]:
    """Return (number of pieces that must go, the input without them)."""
    count = about = 0
    while count < len(offer.sizes) and about < over:
        about += offer.sizes[count]
        count += 1
    fresh = offer.without(count)
    while count < len(offer.sizes) and before - size(fresh) < over:
        count += 1
        fresh = offer.without(count)
    return count, fresh


def _cut(before: Input, after: Input | None, pieces: int, of: int) -> Cut:
    left = size(after)
    return Cut(before.key, before.path, size(before) - left, left, pieces, of)


def size(one: Input | None) -> int:
    """Return the input's size in 字, 0 for None."""
    return 0 if one is None else length.chars(one.body())
