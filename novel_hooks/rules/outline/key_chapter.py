"""Key chapters: those that a second judge reads too. Pure."""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING

if TYPE_CHECKING:
    from novel_hooks.rules.outline.schedule import Schedule


def is_key_chapter(chapter: int, start: int, end: int, plan: Schedule) -> bool:
    """Tell whether the chapter is the first or last of the volume, or in a convergence, ends included.

    Source: protocol §3.
    """
    return chapter in (start, end) or any(first <= chapter <= last for (first, last), _ in plan.convergences)
