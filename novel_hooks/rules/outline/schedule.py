"""A volume's storyline schedule: which storylines are at work, and in which chapters they meet. Pure."""

from __future__ import annotations

from novel_hooks.annotations import Any, Mapping, Sequence
from novel_hooks.record import Record


class Schedule(Record):
    """The storylines of a volume by id; the newly activated are among `active`.

    `convergences` are ((first chapter, last chapter), ids of the storylines that meet).
    """

    active: tuple[str, ...]
    dormant: tuple[str, ...]
    convergences: tuple[tuple[tuple[int, int], tuple[str, ...]], ...]


NO_SCHEDULE = Schedule((), (), ())


def parse(document: Mapping[str, Any] | None) -> Schedule:
    """Parse a `storyline-schedule` document; without one the schedule is empty.

    A storyline may be written as its id or as an object with `storyline_id`.
    """
    if document is None:
        return NO_SCHEDULE
    events = []
    for event in document.get("convergence_events") or ():
        first, last = event["chapter_range"]
        events.append(((first, last), tuple(event.get("involved_storylines") or ())))
    at_work = [*(document.get("active_storylines") or ()), *(document.get("newly_activated") or ())]
    return Schedule(
        active=tuple(dict.fromkeys(_storyline_ids(at_work))),
        dormant=_storyline_ids(document.get("dormant_storylines") or ()),
        convergences=tuple(events),
    )


def _storyline_ids(entries: Sequence[Any]) -> tuple[str, ...]:
    ids = (entry.get("storyline_id") if isinstance(entry, dict) else entry for entry in entries)
    return tuple(entry for entry in ids if isinstance(entry, str))
