"""Going back: what the shared files were after an earlier chapter. Source: protocol §2, §5; seed 002 §3.

A landed record tells what its chapter replaced. Records are undone newest first; what no record tells of
stays as it is, and is named.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

from novel_hooks import errors, layout
from novel_hooks.record import Record
from novel_hooks.rules import changelog, foreshadowing
from novel_hooks.rules.checkpoint import Checkpoint
from novel_hooks.rules.json_values import copied, integer
from novel_hooks.rules.outline import Outline


class Landed(Record):
    """One chapter's landed record. `sha256`: path → hash of what landed, over UTF-8, LF, no BOM.

    `memories`: path → text before (None: there was none). `threads`: id → item before (None: there was
    none). `waiting`: the foreshadowing backlog before, None when an older version did not note it. `document`
    is all of it, as written.
    """

    chapter: int
    sha256: Mapping[str, str]
    memories: Mapping[str, str | None]
    threads: Mapping[str, Any]
    created: tuple[str, ...]
    waiting: list[int] | None
    document: Mapping[str, Any]


def landed(document: object, chapter: int) -> Landed:
    """Read a record; raises LandedBroken with the first field that is not as `novel` writes it."""
    fault = next(_faults(document, chapter), None)
    if fault is not None or not isinstance(document, dict):
        raise errors.LandedBroken(layout.landed_record(chapter), chapter=chapter, detail=fault)
    before = document["before"]
    return Landed(
        chapter=chapter,
        sha256=document["sha256"],
        memories={path: text for path, text in before.items() if path != layout.FORESHADOWING},
        threads=before.get(layout.FORESHADOWING, {}),
        created=tuple(document.get("created", ())),
        waiting=document.get("waiting"),
        document=document,
    )


def is_memory(path: str) -> bool:
    """Is it the place of a storyline's memory?"""
    parts = path.split("/")
    return len(parts) == 3 and layout.SLUG.match(parts[1]) and path == layout.memory(parts[1])


def _faults(document: object, chapter: int) -> Iterator[str]:
    """What is wrong with a record, in Chinese, the place first."""
    if not isinstance(document, dict):
        yield "整份内容应是一个对象"
        return
    if integer(document.get("chapter")) != chapter:
        yield f"chapter 应是 {chapter}"
    line = document.get("storyline_id")
    if not isinstance(line, str) or not layout.SLUG.match(line):
        yield "storyline_id 应是故事线的编号"
        return
    yield from _hash_faults(document.get("sha256"), chapter)
    yield from _before_faults(document.get("before"), layout.memory(line))
    created, waiting = document.get("created", []), document.get("waiting", [])
    if not isinstance(created, list) or any(path != layout.FORESHADOWING for path in created):
        yield f"created 里只能有 {layout.FORESHADOWING}"
    if not isinstance(waiting, list) or any((integer(n) or 0) < 1 for n in waiting):
        yield "waiting 应是章号的列表"


def _hash_faults(hashes: object, chapter: int) -> Iterator[str]:
    if not isinstance(hashes, dict):
        yield "sha256 应是一个对象"
        return
    own = [place(chapter) for place in (layout.chapter, layout.summary, layout.evaluation, layout.crossref)]
    missing = [path for path in own if path not in hashes]
    if missing:
        yield f"sha256 里缺了 {missing[0]}"
    for path, sha256 in hashes.items():
        if path not in own and not is_memory(path):
            yield f"sha256 里的 {path} 不是这一章的文件"
        if not _is_sha256(sha256):
            yield f"sha256 里 {path} 的值不是校验值"


def _is_sha256(value: object) -> bool:
    return isinstance(value, str) and len(value) == 64 and set(value) <= set("0123456789abcdef")


def _before_faults(before: object, memory: str) -> Iterator[str]:
    if not isinstance(before, dict):
        yield "before 应是一个对象"
        return
    if memory not in before:
        yield f"before 里缺了 {memory}"
    for path, old in before.items():
        if path == layout.FORESHADOWING:
            yield from _thread_faults(old)
        elif not is_memory(path):
            yield f"before 里的 {path} 不是故事线记忆"
        elif not isinstance(old, (str, type(None))):
            yield f"before 里 {path} 应是文字"


def _thread_faults(threads: object) -> Iterator[str]:
    if not isinstance(threads, dict):
        yield f"before 里 {layout.FORESHADOWING} 应是一个对象"
        return
    for name, item in threads.items():
        if item is not None and (not isinstance(item, dict) or item.get("id") != name):
            yield f"before 里的伏笔「{name}」应是这一条伏笔，或 null"


def split(lines: Sequence[Mapping[str, Any]], chapter: int) -> int:
    """How many of these lines of the change log belong to `chapter` and earlier.

    Raises ChangelogBroken (line counted from 1) when a line has no chapter or an earlier one follows.
    """
    kept = 0
    for number, line in enumerate(lines, start=1):
        found = integer(line.get("chapter"))
        if found is None:
            raise changelog.broken(number, "没有写是哪一章")
        if found <= chapter and kept < number - 1:
            raise changelog.broken(number, f"第 {found} 章排在了更晚的章后面")
        kept += found <= chapter
    return kept


def memories(records: Iterable[Landed]) -> dict[str, str | None]:
    """path → the text before the earliest of these chapters that replaced it (None: there was none)."""
    found: dict[str, str | None] = {}
    for record in _newest_first(records):
        found.update(record.memories)
    return found


def threads(document: object, records: Iterable[Landed]) -> dict[str, Any] | None:
    """The facts of foreshadowing before these chapters; None when they touched nothing.

    Items that the chapters did not touch stay as they are, in their order. The document given is not
    changed. Raises ForeshadowingBroken.
    """
    undone: dict[str, Any] = {}
    for record in _newest_first(records):
        undone.update(record.threads)
    if not undone:
        return None
    items: list[Any] = []
    for item in foreshadowing.read(document):
        before = undone.pop(item["id"], item)
        if before is not None:
            items.append(copied(before))
    items += [copied(before) for before in undone.values() if before is not None]
    extra = {k: v for k, v in document.items() if k != "items"} if isinstance(document, dict) else {}
    return {**extra, "foreshadowing": items}


def traces(items: Iterable[Mapping[str, Any]], chapter: int) -> list[str]:
    """Ids whose history tells of a later chapter than `chapter`."""
    return [item["id"] for item in items if any(n > chapter for n in _told(item.get("history")))]


def _told(history: object) -> list[int]:
    listed = history if isinstance(history, list) else []
    numbers = [integer(entry.get("chapter")) for entry in listed if isinstance(entry, dict)]
    return [number for number in numbers if number is not None]


def backlog(now: Sequence[int], records: Iterable[Landed], chapter: int) -> list[int]:
    """The chapters up to `chapter` whose foreshadowing is to be merged once these chapters are undone.

    Those that wait now, and those that waited then: what was merged since is undone with its chapter, and
    merging it once more changes nothing.
    """
    then: list[int] = []
    for record in _newest_first(records):
        then = then if record.waiting is None else record.waiting
    return sorted(number for number in {*now, *then} if number <= chapter)


def stands(outlines: Iterable[tuple[int, Outline]], chapter: int, current: int) -> tuple[int, str]:
    """(volume, state) of a book whose last chapter is `chapter`: the volume that names the next one.

    `outlines` come from the current volume downwards, and no more of them are read than needed. A chapter
    that no outline names leaves the volume at `current`.
    """
    for volume, outline in outlines:
        named = {h.chapter for h in outline.headings} | {c for n in outline.near for c in n.chapters}
        if chapter + 1 in named:
            return volume, "WRITING"
        if chapter in named:
            return volume, "VOL_REVIEW" if chapter >= max(named) else "WRITING"
    return (1 if chapter == 0 else max(current, 1)), "WRITING"


def point(now: Checkpoint, chapter: int, volume: int, state: str, skipped: int, stamp: str) -> Checkpoint:
    """The checkpoint after `chapter`: nothing in flight, no rounds, no error; unknown keys stay.

    `skipped` is how many deltas were skipped up to then; `stamp` is ISO-8601 UTC.
    """
    changes: dict[str, Any] = {"skipped_deltas": skipped} if skipped else {}
    drop = ["error", "failures", "sync"]
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


def _newest_first(records: Iterable[Landed]) -> list[Landed]:
    return sorted(records, key=lambda record: record.chapter, reverse=True)
