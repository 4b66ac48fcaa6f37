"""The checkpoint inferred from the book's files when it cannot be read. Reads only.

A doubtful one is reported and never written. Source: protocol §1 (`.checkpoint.json`).
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Iterator, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.doctor import chapters, story
from novel_hooks.flows.inventory import lost_chapters
from novel_hooks.record import Record
from novel_hooks.rules.state import changelog, rollback
from novel_hooks.rules.state.consistency import ranges
from novel_hooks.rules.steps import checkpoint as checkpoints
from novel_hooks.rules.steps.checkpoint import Checkpoint
from novel_hooks.store.formats import jsonio


class InferredCheckpoint(Record):
    """An inferred checkpoint: `document`; `doubts` are Chinese sentences, none when it is certain."""

    document: dict[str, Any]
    doubts: tuple[str, ...]

    def unsure(self) -> Problem:
        """Return the doubts as a problem, with the exact text that the author may put into the file."""
        bare = {key: value for key, value in self.document.items() if key != "last_checkpoint_time"}
        content = jsonio.dump_line(bare).decode("utf-8").strip()
        return errors.CheckpointUnsure(layout.CHECKPOINT, doubts="；".join(self.doubts), content=content)


def infer(book: Book, stamp: str) -> InferredCheckpoint:
    """Infer the checkpoint: chapters 1 to the last whole one have landed; outlines give the volume."""
    lines = story.log_lines(book)
    last, doubts = _last_chapter(book, lines)
    volume, state, unclear = _last_volume(book, last)
    found, _ = attempt(lambda: book.own(layout.CHECKPOINT))
    old, start = found if isinstance(found, dict) else {}, checkpoints.initial()
    inferred = {*checkpoints.PLACE, *checkpoints.UNFINISHED, "pending_actions"}
    kept = {key: value for key, value in old.items() if key not in inferred}
    start = start._replace(document={**start.document, **kept})
    skipped = len(changelog.skipped_chapters(lines))
    point = rollback.checkpoint_after(start, last, volume, state, skipped, stamp)
    if _is_begun(book, last):
        point = point.moved(stamp, pipeline_stage="drafting", inflight_chapter=last + 1)
    told = checkpoints.parse(point.document)
    doubts += [*unclear, *_unknown_facts(book, last), *_contradictions(old, told)]
    return InferredCheckpoint(dict(told.document), tuple(doubts))


def reached(book: Book) -> tuple[int, int]:
    """Return (last landed chapter, volume) as the files suggest, for display only."""
    told, _ = attempt(lambda: _last_chapter(book, story.log_lines(book)))
    last = told[0] if told else 0
    place, _ = attempt(lambda: _last_volume(book, last))
    return last, place[0] if place else 1


def _last_chapter(book: Book, lines: Sequence[Mapping[str, Any]]) -> tuple[int, list[str]]:
    numbers = sorted(filter(None, map(layout.chapter_number, book.project.names("chapters"))))
    last = next((n - 1 for n, found in enumerate(numbers, 1) if found != n), len(numbers))
    doubts = [f"缺第 {last + 1} 章，却有第 {ranges(numbers[last:])} 章"] if last < len(numbers) else []
    doubts += [str(p) for p in lost_chapters.missing_part_problems(book.project, last, book.adoption().last)]
    if not doubts:
        doubts = [str(p) for p in chapters.beyond_problems(book.project, last, lines, None)]
    if not lines and book.read(layout.CHANGELOG):
        doubts.append("变更记录读不出来")
    logged = [line.get("chapter") for line in lines]
    if last and last == book.adoption().last:
        doubts.append("这本书是搬进来的，不知道设定和规划做到哪一步")
    if logged and logged[-1] != last:
        doubts.append(f"正文到第 {last} 章，变更记录却到第 {logged[-1]} 章")
    return last, doubts


def _last_volume(book: Book, last: int) -> tuple[int, str, list[str]]:
    outlines = list(book.outlines(max(book.volumes(), default=0)))
    volume, state = rollback.volume_and_state(iter(outlines), last, 1)
    named = {heading.chapter for _, outline in outlines for heading in outline.headings}
    if not named & {last, last + 1}:
        nothing = (0, "INIT", ["一章也没有写，卷大纲也没有"])
        return (volume, state, ["没有一卷大纲写到这里"]) if last else nothing
    planned = book.project.names(layout.staged("volumes"))
    if state == "VOL_REVIEW" and (planned or book.project.has(layout.volume_review(volume))):
        return volume, "VOL_PLANNING", [f"第 {volume} 卷已经回顾过，不知道下一卷规划到哪一步"]
    return volume, state, []


def _is_begun(book: Book, last: int) -> bool:
    """Is something of the next chapter there? Then it was in flight."""
    staged = layout.staged(layout.chapter(last + 1))
    return any(book.project.has(path) for path in (staged, layout.work_log(last + 1), layout.HANDOUT))


def _unknown_facts(book: Book, last: int) -> Iterator[str]:
    """Yield doubts over facts that only the checkpoint holds: the revisions of a chapter, an open sync."""
    if book.project.kind(layout.attempts(last + 1)) == "folder":
        yield f"第 {last + 1} 章改过稿，不知道改到第几轮"
    elif book.project.has(layout.staged(layout.evaluation(last + 1))):
        yield f"第 {last + 1} 章已经评过审，不知道走到哪一步"
    if any(name.startswith("sync-") for name in book.project.names(layout.MANIFESTS)):
        yield "有一章正在记录"


def _contradictions(old: Mapping[str, Any], told: Checkpoint) -> Iterator[str]:
    """Yield the fields in which the broken file and the book's files differ."""
    illegal = checkpoints.illegal_fields(old)
    for key in checkpoints.PLACE:
        value, found = old.get(key), told.document.get(key)
        idle = key == "pipeline_stage" and value in checkpoints.IDLE_STAGES and not told.active
        if key in old and key not in illegal and value != found and not idle:
            yield f"它写着 {key}={value}，照书里的文件应是 {found}"
    for key in checkpoints.UNFINISHED:
        if old.get(key):
            yield f"它还记着没做完的 {key}"
