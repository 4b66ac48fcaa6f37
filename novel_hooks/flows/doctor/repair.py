"""`novel doctor --fix`: the repairs with one right answer, one after the other, through the journal.

Source: protocol §5. Starting the session (`session.writing`) already finishes a pending journal, takes and
releases a dead session's lock, and sweeps leftovers. Nothing is deleted: bytes that are cut off or replaced
are kept under `.novel/`.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Callable, Iterator
from novel_hooks.errors import Problem
from novel_hooks.flows.book import landed_record
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.chapter import kept_attempts
from novel_hooks.flows.doctor import inferred_checkpoint, story
from novel_hooks.flows.inventory import lost_inputs
from novel_hooks.flows.landing import foreshadowing_merge
from novel_hooks.flows.review import shown_names
from novel_hooks.flows.rollback import rebuild_state
from novel_hooks.flows.session.caller import Caller
from novel_hooks.flows.session.session import Session, writing
from novel_hooks.record import Record
from novel_hooks.rules.state import consistency
from novel_hooks.store.files import atomic
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio, logtail
from novel_hooks.store.formats.text import refuse_conflict
from novel_hooks.store.journal import journal
from novel_hooks.store.schema import schema


class Repaired(Record):
    """The repairs made. `done` are Chinese sentences; `stuck` are the reasons why a repair failed."""

    done: tuple[str, ...]
    stuck: tuple[Problem, ...]


def run(project: Project, caller: Caller, problems: tuple[Problem, ...]) -> Repaired:
    """Repair the findings of a checkup. Raises LockBusy or CommandBusy when another command writes."""
    swept = [f"已清理 {p.path}。" for p in problems if p.code == "LITTER_LEFT"]
    left = any(p.code == "LOCK_LEFT_BEHIND" for p in problems)
    try:
        with writing(project, caller, clearing=True) as session:
            done, stuck = _all(session)
            notes = [f"已清除没人用的写作锁（{note}）" if left else note for note in session.notes[:1]]
            notes += session.notes[1:]
    except (
        errors.JournalBroken,
        errors.JournalConflict,
        errors.JournalTargetShort,
        errors.LockPathOdd,
        errors.NotAFolder,
    ) as fault:
        return Repaired((), (fault,))
    return Repaired((*notes, *swept, *done), tuple(stuck))


def _all(session: Session) -> tuple[list[str], list[Problem]]:
    """Make all repairs, in this order: a log must be whole before the state is built from it."""
    repairs: tuple[Callable[[Session], Iterator[str]], ...] = (
        _repair_folders,
        _repair_tails,
        _repair_lines,
        _repair_checkpoint,
        _repair_records,
        _repair_state,
        _repair_backlog,
    )
    done: list[str] = []
    stuck: list[Problem] = []
    for repair in repairs:
        try:
            done += repair(session)
        except Problem as fault:
            stuck += fault.problems
    return done, stuck


def _repair_folders(session: Session) -> Iterator[str]:
    for folder in layout.PROJECT_DIRS:
        if session.project.kind(folder) == "absent":
            atomic.make_folders(session.project, folder)
            yield f"已补上文件夹 {folder}。"


def _repair_tails(session: Session) -> Iterator[str]:
    """Give a whole last line its LF; move half a line out, byte for byte."""
    for path in story.LOGS:
        tail = logtail.log_tail(session.project.read(path) or b"", path)
        if tail.kind == logtail.OPEN:
            session.land([journal.put(path, tail.head + tail.rest + b"\n")], label=f"补上 {path} 的末行")
            session.renew_marks([path])
            yield f"{path} 的最后一行已补上换行。"
        elif tail.kind == logtail.CUT:
            kept = _torn_path(session.project, path)
            changes = [journal.put(kept, tail.rest), journal.put(path, tail.head)]
            session.land(changes, label=f"移走 {path} 残缺的末行")
            session.renew_marks([path])
            yield f"{path} 残缺的最后一行已移到 {kept}。"


def _repair_lines(session: Session) -> Iterator[str]:
    """Move a line that nobody can read out, byte for byte; its chapter can then be recorded anew."""
    for path in story.LOGS:
        text = session.project.read(path) or b""
        refuse_conflict(text.decode("utf-8", "replace"), path, own=True)  # no line would be the right one
        lines = [line + b"\n" for line in text.removesuffix(b"\n").split(b"\n")]
        broken = [at for at, line in enumerate(lines) if line.strip() and not _is_readable(line, path)]
        if not broken:
            continue
        kept = _torn_path(session.project, path)
        gone = b"".join(lines[at] for at in broken)
        rest = b"".join(line for at, line in enumerate(lines) if at not in broken)
        session.land([journal.put(kept, gone), journal.put(path, rest)], label=f"移走 {path} 读不懂的行")
        session.renew_marks([path])
        numbers = consistency.ranges(at + 1 for at in broken)
        yield f"{path} 第 {numbers} 行读不懂或格式不对，已移到 {kept}。"


def _is_readable(line: bytes, path: str) -> bool:
    """Is the line an object, and in the log that only advises, one of the right shape?"""
    found, faults = attempt(lambda: jsonio.parse(line, path))
    if path == layout.UNKNOWN_ENTITIES and not faults:
        return not schema.problems("unknown-entity-line", found, path)
    return isinstance(found, dict)


def _torn_path(project: Project, path: str) -> str:
    number = kept_attempts.next_number(project, layout.TORN)
    return f"{layout.TORN}/{number:04d}-{path.rpartition('/')[2]}"


def _repair_records(session: Session) -> Iterator[str]:
    """Move a record that is not as it was written out; its chapter counts as one without a record."""
    for chapter in range(1, Book(session.project).checkpoint().last + 1):
        path = layout.landed_record(chapter)
        try:
            landed_record.read(session.project, chapter)
        except errors.LandedBroken:
            kept = _torn_path(session.project, path)
            moved = journal.put(kept, session.project.read(path) or b"")
            session.land([moved, journal.remove(path)], label=f"移走第 {chapter} 章的入库记录")
            yield f"第 {chapter} 章被改坏的入库记录已移到 {kept}，这一章从此当作没有入库记录。"
        except (errors.LandedOdd, errors.FileUnreadable):  # a checkup reports what the author has to do
            continue


def _repair_checkpoint(session: Session) -> Iterator[str]:
    """Make a broken checkpoint anew, when the book's files leave no doubt; the old bytes are kept."""
    book = Book(session.project)
    if session.project.kind(layout.CHECKPOINT) != "file":
        return
    try:
        book.checkpoint()
    except Problem:
        found = inferred_checkpoint.infer(book, session.caller.stamp)
        if found.doubts:
            raise found.unsure() from None
        kept = _torn_path(session.project, layout.CHECKPOINT)
        changes = [
            journal.put(kept, book.read(layout.CHECKPOINT) or b""),
            journal.put(layout.CHECKPOINT, jsonio.dump(found.document)),
        ]
        session.land(changes, label="重建进度文件")
        last = found.document["last_completed_chapter"]
        yield f"进度文件已照书里的文件重建（已完成到第 {last} 章），原来的那份在 {kept}。"


def _repair_state(session: Session) -> Iterator[str]:
    """Rebuild the state, only from a sound and complete log, and only when they really differ."""
    book = Book(session.project)
    last = book.checkpoint().last
    told = story.replayed_state(book, last)
    if told is None or not any(p.code == "STATE_DIFFERS" for p in story.state_problems(book, last)):
        return
    found = rebuild_state.run(session)
    kept = f"，原来的那份留存在 {layout.ARCHIVE}/{found.archive}/" if found.archive else ""
    unlike = f"（不同的有：{shown_names.state_places(book, found.differences)}）" if found.archive else ""
    yield f"故事状态已按变更记录重建{unlike}{kept}。"


def _repair_backlog(session: Session) -> Iterator[str]:
    """Merge waiting foreshadowing, as the next commit would do it (protocol §5)."""
    book = Book(session.project)
    waiting = foreshadowing_merge.waiting_chapters(book) or lost_inputs.foreshadowing_chapters(book)
    if not waiting:
        return
    volume = max(1, book.checkpoint().volume)
    merged = foreshadowing_merge.merge(book, volume, 0, {"chapter": 0, "ops": []})
    for warning in merged.warnings:
        if isinstance(warning, errors.ForeshadowingSkipped):
            raise warning
    session.land(merged.changes, label="补记伏笔")
    session.renew_marks([layout.FORESHADOWING])
    yield f"第 {consistency.ranges(waiting)} 章的伏笔已补记进 {layout.FORESHADOWING}。"
