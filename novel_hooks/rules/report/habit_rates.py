"""Words that make prose read as made by a machine, counted over a whole book. Pure.

The words are those of the lint's table that are counted per 1,000 字, and the author's own list. A chapter
takes one pass, speech included: `novel lint` is exact and takes a hundred times as long.
"""

from __future__ import annotations

import re

from novel_hooks.annotations import Iterable, Mapping
from novel_hooks.rules.lint import habit_table
from novel_hooks.rules.report.phrases import rate

OWN = "忌用词"
REPEATED = "重复句"


class HabitWords:
    """The words with their kinds, in one pattern: of two words at one place the longer counts."""

    def __init__(self, own: Iterable[str] = ()) -> None:
        kinds = {word: row.kind for row in habit_table.ROWS if row.per == "k" for word in row.words}
        kinds.update({word: OWN for word in own if word.strip()})
        apart = {word: "" for row in habit_table.ROWS for word in row.but if word not in kinds}
        self._kinds: Mapping[str, str] = {**kinds, **apart}
        self.kinds = tuple(dict.fromkeys([*kinds.values(), OWN]))
        words = sorted(self._kinds, key=lambda word: (-len(word), word))
        self._pattern = re.compile("|".join(map(re.escape, words)))

    def rates(self, text: str, chars: int) -> list[float]:
        """Return how often each of `kinds` comes in 1,000 of the text's `chars`."""
        counts = dict.fromkeys((*self.kinds, ""), 0)
        for word in self._pattern.findall(text):
            counts[self._kinds[word]] += 1
        return [rate(counts[kind], chars) for kind in self.kinds]
