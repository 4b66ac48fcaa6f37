"""People by the chapters that name them, and the people who appear with them. Pure."""

from __future__ import annotations

import re

from novel_hooks.annotations import Any, Mapping, Sequence

SHOWN_MET = 8


class Appearances:
    """The chapters that name each person.

    `people` maps ids to (display name, all names); a shared name is nobody's.
    """

    def __init__(self, people: Mapping[str, tuple[str, Sequence[str]]]) -> None:
        self.names = {slug: name for slug, (name, _) in people.items()}
        owners: dict[str, set[str]] = {}
        for slug, (_, words) in people.items():
            for word in words:
                if len(word) > 1:
                    owners.setdefault(word, set()).add(slug)
        self._slugs = {word: next(iter(slugs)) for word, slugs in owners.items() if len(slugs) == 1}
        words = sorted(owners, key=lambda word: (-len(word), word))
        self._pattern = re.compile("|".join(map(re.escape, words)) or r"(?!)")
        self._chapters: dict[str, list[int]] = {}
        self._met: dict[str, dict[str, int]] = {}

    def add(self, chapter: int, text: str) -> None:
        """Count a chapter's text; chapters come in order."""
        named = set(self._pattern.findall(text))
        here = sorted({self._slugs[word] for word in named if word in self._slugs})
        for slug in here:
            self._chapters.setdefault(slug, []).append(chapter)
            met = self._met.setdefault(slug, {})
            for other in here:
                if other != slug:
                    met[other] = met.get(other, 0) + 1

    def rows(self) -> list[dict[str, Any]]:
        """Return `{id, name, chapters[], met[]}` of every person named anywhere, the most frequent first.

        `met` are `{id, name, chapters}`: the number of chapters that name both, the most first, at most
        `SHOWN_MET`.
        """
        return [
            {
                "id": slug,
                "name": self.names[slug],
                "chapters": self._chapters[slug],
                "met": self._met_rows(slug),
            }
            for slug in sorted(self._chapters, key=lambda slug: (-len(self._chapters[slug]), slug))
        ]

    def _met_rows(self, slug: str) -> list[dict[str, Any]]:
        met = sorted(self._met[slug].items(), key=lambda one: (-one[1], one[0]))
        return [
            {"id": other, "name": self.names[other], "chapters": count} for other, count in met[:SHOWN_MET]
        ]
