"""Going back: the shared files as they were after an earlier chapter. Source: protocol §2, §5; seed 002 §3.

A landed record holds the contents that its chapter replaced. Records are undone newest first. Contents that
no record holds stay as they are, and are named.
"""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Any, Iterable, Mapping, Sequence
from novel_hooks.rules.foreshadowing import facts
from novel_hooks.rules.outline.outline import Outline
from novel_hooks.rules.state import changelog
from novel_hooks.rules.steps.checkpoint import UNFINISHED, Checkpoint
from novel_hooks.rules.text.json_values import deep_copy, integer, mapping, objects

if TYPE_CHECKING:
    from novel_hooks.rules.state.landed_record import LandedRecord


def count_lines(lines: Sequence[Mapping[str, Any]], chapter: int) -> int:
    """Count the lines of the change log up to `chapter`.

    Raises ChangelogBroken, its line counted from 1, when a line has no chapter, or when one of these lines
    follows a later chapter's.
    """
    kept = 0
    for number, line in enumerate(lines, start=1):
        found = integer(line.get("chapter"))
        if found is None:
            raise changelog.broken_line(number, "no chapter")
        if found <= chapter and kept < number - 1:
            raise changelog.broken_line(number, "misplaced", chapter=found)
        kept += found <= chapter
    return kept


def memories_before(records: Iterable[LandedRecord]) -> dict[str, str | None]:
    """Map each memory's path to its text before these chapters (None: there was none)."""
    found: dict[str, str | None] = {}
    for record in _newest_first(records):
        found.update(record.memories)
    return found


def threads_before(document: object, records: Iterable[LandedRecord]) -> dict[str, Any] | None:
    """Return the facts of foreshadowing as before these chapters; None when they changed no thread.

    Other items stay as they are, in their order. `document` is not changed. Raises ForeshadowingBroken.
    """
    undone: dict[str, Any] = {}
    for record in _newest_first(records):
        undone.update(record.threads)
    if not undone:
        return None
    items: list[Any] = []
    for item in facts.parse(document):
        before = undone.pop(item["id"], item)
        if before is not None:
            items.append(deep_copy(before))
    items += [deep_copy(before) for before in undone.values() if before is not None]
    extra = {key: part for key, part in mapping(document).items() if key != "items"}
    return {**extra, "foreshadowing": items}


def later_traces(items: Iterable[Mapping[str, Any]], chapter: int) -> list[str]:
    """Return the ids of the items whose history names a chapter after `chapter`."""
    histories = ((item["id"], objects(item.get("history"))) for item in items)
    return [name for name, told in histories if any((integer(e.get("chapter")) or 0) > chapter for e in told)]


def backlog(now: Sequence[int], records: Iterable[LandedRecord], chapter: int) -> list[int]:
    """Return the foreshadowing backlog up to `chapter` after these chapters are undone, sorted.

    It holds the backlog of `now`, and that before the earliest record which has one. A merge since then is
    undone with its chapter, and a second merge changes nothing.
    """
    earlier: list[int] = []
    for record in _newest_first(records):
        earlier = earlier if record.waiting is None else record.waiting
    return sorted(number for number in {*now, *earlier} if number <= chapter)


def volume_and_state(outlines: Iterable[tuple[int, Outline]], chapter: int, current: int) -> tuple[int, str]:
    """Return (volume, orchestrator state) of a book whose last chapter is `chapter`.

    The volume is that whose outline names the next chapter, else the one that names `chapter`; its state is
    then `VOL_REVIEW` when `chapter` is its last one. `outlines` go from the current volume down, and no more
    of them are taken than needed. When no outline names either, the volume is `current`.
    """
    for volume, outline in outlines:
        named = {h.chapter for h in outline.headings} | {c for n in outline.near for c in n.chapters}
        if chapter + 1 in named:
            return volume, "WRITING"
        if chapter in named:
            return volume, "VOL_REVIEW" if chapter >= max(named) else "WRITING"
    return (1 if chapter == 0 else max(current, 1)), "WRITING"


def checkpoint_after(
    now: Checkpoint, chapter: int, volume: int, state: str, skipped: int, stamp: str
) -> Checkpoint:
    """Return the checkpoint as it is after `chapter`: nothing in flight, no revisions, no error.

    Unknown keys stay. `skipped` is the number of skipped deltas up to `chapter`; `stamp` is ISO-8601 UTC.
    """
    changes: dict[str, Any] = {"skipped_deltas": skipped}
    drop = [*UNFINISHED]
    if chapter:
        changes["last_step"] = f"chapter:{chapter:03d}:commit"
    drop += ([] if skipped else ["skipped_deltas"]) + ([] if chapter else ["last_step"])
    return now.moved(
        stamp,
        last_completed_chapter=chapter,
        current_volume=volume,
        orchestrator_state=state,
        pipeline_stage="committed" if chapter else None,
        inflight_chapter=None,
        revision_count=0,
        drop=tuple(drop),
        **changes,
    )


def _newest_first(records: Iterable[LandedRecord]) -> list[LandedRecord]:
    return sorted(records, key=lambda record: record.chapter, reverse=True)
