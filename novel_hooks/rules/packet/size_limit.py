"""How much material an agent gets, and what it does without when that is too much.

Sizes are in 字 (`prose.chars`). What goes first is stated in `ORDER` and nothing else ever goes: hard rules,
the contract, the chapter's own outline, the fixes and the chapter itself stay, so do the brief, the volume's
own earlier plan and what the author wants carried out now, even when they alone are over the limit. Same
files in, same cut out. What was cut is told in the packet (`cap`), never left out in silence.
Source: protocol §7.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from novel_hooks.rules.packet.packet import Input
from novel_hooks.record import Record
from novel_hooks.rules.text import length

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
        "world_rules",
        "foreshadowing_tasks",
        "adjacent_storyline_memories",
        "recent_3_summaries",
    ),
    "summarizer": ("foreshadowing_tasks", "current_state", "entity_id_map", "foreshadowing_tasks"),
    "style-refiner": ("ai_blacklist",),
    "quality-judge": ("world_rules", "character_profiles", "ai_blacklist"),
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
"""A key that stands twice is cut in two turns: first down to what presses, then the rest."""


BY_LINE = ("research", "world_docs", "style_samples")
"""Texts that go from their end, line by line, a long line sentence by sentence."""


class Offer(Record):
    """What one input can do without, piece after piece.

    `sizes` are about the 字 of each piece, in the order in which they go; `without(n)` is the input without
    the first n of them, None when nothing of it is left. `of` counts all its pieces, with those that stay.
    """

    place: int
    of: int
    sizes: tuple[int, ...]
    without: Callable[[int], Input | None]


class Cut(Record):
    """`chars` were left out of an input that has `left` now; `pieces` of `of`."""

    key: str
    path: str | None
    chars: int
    left: int
    pieces: int
    of: int


class Fitted(Record):
    """`over` is what is still too much, 0 when it fits. `chars` is the sum of what is given."""

    inputs: tuple[Input, ...]
    limit: int
    chars: int
    over: int
    cuts: tuple[Cut, ...]

    def document(self) -> dict[str, Any]:
        """As the packet has it."""
        cuts = [{name: getattr(cut, name) for name in Cut._fields} for cut in self.cuts]
        return {"limit": self.limit, "chars": self.chars, "over": self.over, "cut": cuts}


def fit(inputs: Sequence[Input], limit: int, offers: Callable[[], Sequence[Offer]]) -> Fitted:
    """The inputs cut to `limit`; `offers` is asked only when they are over it, and followed in its order."""
    sizes = [size(one) for one in inputs]
    over = sum(sizes) - limit
    kept: list[Input | None] = list(inputs)
    taken: dict[int, tuple[int, int]] = {}  # index → pieces gone, of how many
    for offer in offers() if over > 0 else ():
        if over <= 0:
            break
        count, fresh = _pieces_to_drop(offer, sizes[offer.place], over)
        saved = sizes[offer.place] - size(fresh)
        if saved <= 0:
            continue
        kept[offer.place] = fresh
        sizes[offer.place] -= saved
        over -= saved
        taken[offer.place] = (taken.get(offer.place, (0, 0))[0] + count, offer.of)
    cuts = [_cut(inputs[index], kept[index], *taken[index]) for index in sorted(taken)]
    return Fitted(tuple(i for i in kept if i is not None), limit, sum(sizes), max(0, over), tuple(cuts))


def _pieces_to_drop(offer: Offer, before: int, over: int) -> tuple[int, Input | None]:
    """How many pieces must go, and the input without them."""
    count = told = 0
    while count < len(offer.sizes) and told < over:
        told += offer.sizes[count]
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
    """In 字; nothing has none."""
    return 0 if one is None else length.chars(one.body())
