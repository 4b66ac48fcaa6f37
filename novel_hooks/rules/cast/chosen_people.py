"""The characters whose cards and contracts go into a chapter's packet. Pure. Source: seed 000 Step 2.4."""

from __future__ import annotations

from novel_hooks import defaults, errors
from novel_hooks.annotations import Sequence
from novel_hooks.errors import Problem
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast.characters import Character

RECENT_SUMMARIES = 10
"""So many summaries are searched for those mentioned last."""


def select_characters(
    cast: Sequence[Character],
    wanted: tuple[str, ...] | None,
    contract_path: str,
    recent: Sequence[tuple[int, str]],
    most: int = defaults.MAX_CHARACTERS,
) -> tuple[list[Character], list[Problem]]:
    """Return the characters whose contracts go into a packet, and warnings on unknown names.

    They are those that the chapter's contract names (`wanted`, by display name, alias or id), by slug; when
    it names none (None), the `most` that were mentioned last. `recent` are (chapter, summary text) of the
    last RECENT_SUMMARIES chapters.
    """
    if wanted is None:
        return _by_last_mention(cast, recent)[:most], []
    known, by_slug = casts.names(cast), {c.slug: c for c in cast}
    warnings: list[Problem] = [
        errors.CharacterUnknown(contract_path, name=n) for n in wanted if not known.who(n)
    ]
    return [by_slug[slug] for slug in sorted({slug for n in wanted for slug in known.who(n)})], warnings


def _by_last_mention(cast: Sequence[Character], recent: Sequence[tuple[int, str]]) -> list[Character]:
    newest_first = sorted(recent, reverse=True)

    def last_mention(person: Character) -> int:
        return next((number for number, summary in newest_first if person.name in summary), 0)

    return sorted(cast, key=lambda c: (-last_mention(c), c.slug))
