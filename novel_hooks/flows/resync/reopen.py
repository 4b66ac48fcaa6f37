"""`novel sync`: hand edits listed, accepted, or recorded anew. Source: protocol §2.

A list only reads; the stat of the files is remembered when no other command is at work.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Iterator
from novel_hooks.errors import Problem, refuse
from novel_hooks.flows.book import landed_record, log_join, logs
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import collect_problems
from novel_hooks.flows.chapter import kept_attempts, landed_desk, staged, work_log
from novel_hooks.flows.chapter.desk import RECORDED, Desk
from novel_hooks.flows.inventory import hand_edits, lost_inputs
from novel_hooks.flows.inventory.hand_edits import Survey
from novel_hooks.flows.session import chapter_files, fence
from novel_hooks.flows.session.session import Session
from novel_hooks.record import Record
from novel_hooks.rules.state import changelog, changelog_edit, consistency
from novel_hooks.rules.steps import checkpoint as checkpoints
from novel_hooks.rules.steps import resync_steps
from novel_hooks.rules.steps.checkpoint import Checkpoint
from novel_hooks.rules.steps.resync_steps import OpenSync
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change

_NAMES_WAIT = (
    "有 {count} 章的文件名和设置（chapter_names）不一致；手头这一章入库以后，再运行 `novel sync` 就改。"
)
STAGED = ("hints", *RECORDED, "evaluation")


class Opening(Record):
    """A sync that was opened. `changed` is False when it was open already, on the same text."""

    chapter: int
    changed: bool


class Accepted(Record):
    """Hand edits accepted. `paths` count as landed from now on; `missing` have no file."""

    chapter: int
    paths: tuple[str, ...]
    missing: tuple[str, ...]


def survey(book: Book, now: float) -> Survey:
    """Find every landed file that has changed since its landing. Reads only."""
    return hand_edits.survey(book, book.checkpoint().last, now)


def is_unchanged(book: Book, chapter: int, now: float) -> bool:
    """Tell whether nothing asks to record the chapter anew; reads only, obstacles are found at the start."""
    return not collect_problems(lambda: log_join.problems(book), lambda: _reason_problems(book, chapter, now))


def _reason_problems(book: Book, chapter: int, now: float) -> Iterator[Problem]:
    """Yield the reasons as problems, so that one that is raised counts too."""
    point = idle_checkpoint(book, chapter)
    lines = logs.lines(book, layout.CHANGELOG)
    yield from consistency.log_problems(lines, point.last, book.adoption().last)
    changelog.replay(lines)
    if chapter in changelog.skipped_chapters(lines) or resync_steps.open_sync(point) is not None:
        yield errors.SyncOpen(open=chapter)
    if landed_record.read(book, chapter) is None:
        yield errors.SyncNoRecord(layout.landed_record(chapter), chapter=chapter)
    for edit in survey(book, now).edits:
        if edit.chapter == chapter:
            yield errors.LandedEdited(edit.path, chapter=chapter)


def follow_names(session: Session) -> int:
    """Give every landed chapter's file its wanted name; return the number of renamed files.

    0 and a note while a step is out. Raises `ChapterTwice`.
    """
    changes = chapter_files.renaming(session.project, Book(session.project).checkpoint().last)
    if changes and not chapter_files.may_move(session.project):
        session.notes.append(_NAMES_WAIT.format(count=len(changes)))
        return 0
    session.land(changes, label="正文的文件改名")
    return len(changes)


def remember(session: Session, found: Survey) -> None:
    """Store the survey's edits for `next` and `status`, and the stat of the files."""
    edited = hand_edits.dump_edits(found)
    new = ((layout.LANDED_MARKS, hand_edits.dump(found.marks)), (layout.HAND_EDITS, edited))
    changes = [journal.put(path, data) for path, data in new if session.project.read(path) != data]
    session.land(changes, label="记下查到的手改")


def begin(session: Session, chapter: int) -> Opening:
    """Open the chapter's sync, or start it again when its text has changed.

    Raises SyncNotLanded, SyncNotIdle, SyncOpen, and faults of text, contract or change log.
    """
    book = Book(session.project)
    point = idle_checkpoint(book, chapter)
    desk = landed_desk.desk(book, chapter)
    sha256 = landed_text_hash(desk)
    opened = resync_steps.open_sync(point)
    if opened is not None and opened.text_sha256 == sha256:
        return Opening(chapter, False)
    changelog_edit.line_index(desk.book.lines(), chapter)
    desk.book.state()  # a log that cannot be replayed is refused now, not when all is written
    fresh = resync_steps.OpenSync(chapter, "summarize", sha256)
    moved = point.moved(session.caller.stamp, drop=("failures",), sync=fresh.document())
    checkpoint = journal.put(layout.CHECKPOINT, jsonio.dump(moved.document))
    cleared = clear_changes(session, desk, "before-sync")
    session.land([*cleared, checkpoint], label=f"重新记录第 {chapter} 章")
    return Opening(chapter, True)


def idle_checkpoint(book: Book, chapter: int) -> Checkpoint:
    """Return the checkpoint without a chapter in work; one without any file is put off until later.

    Raises SyncNotLanded, SyncNotIdle, SyncOpen.
    """
    point = book.checkpoint()
    contradiction = checkpoints.contradiction(point)
    if contradiction is not None:
        raise contradiction
    if chapter > point.last:
        raise errors.SyncNotLanded(chapter=chapter, last=point.last)
    if point.state == "ERROR_RETRY":
        raise errors.SyncNotIdle(case="step failed", chapter=chapter)
    if point.active and staged.has_nothing(book, point):
        stage = "committed" if point.last else None
        now = str(point.document.get("last_checkpoint_time"))
        point = point.moved(now, pipeline_stage=stage, inflight_chapter=None)
    if point.active:
        broken = collect_problems(lambda: log_join.problems(book))  # then nothing can land before it is whole
        case = "log broken" if broken else "chapter begun"
        raise errors.SyncNotIdle(case=case, chapter=chapter, inflight=point.inflight, last=point.last)
    opened = resync_steps.open_sync(point)
    if opened is not None and opened.chapter != chapter:
        raise errors.SyncOpen(open=opened.chapter)
    return point


def landed_text_hash(desk: landed_desk.LandedDesk, bare: bool = False) -> str:
    """Return the hash of the landed text, checked for a recording; `bare`: it has no contract yet."""
    sha256 = desk.text_sha256()
    if sha256 is None:
        raise lost_inputs.missing_text_refusal(desk.book.project, [desk.number])
    refuse([p for p in desk.get("chapter").problems if p.severity == "error"])
    if not bare:
        desk.contract()
    return sha256


def clear_changes(session: Session, desk: Desk, label: str) -> list[Change]:
    """Set the chapter's staged files aside, and remove the hand-out."""
    kept = [*kept_attempts.move(desk, STAGED, label), *manifest_changes(desk)]
    return [*kept, *take_back_changes(session, desk.number)]


def take_back_changes(session: Session, chapter: int) -> list[Change]:
    """Remove the hand-out of the chapter's step.

    A change that the fence finds counts as the author's, because he gave this command; it goes into the audit
    log.
    """
    project = session.project
    own = (layout.HANDOUT, layout.work_log(chapter))
    logged = work_log.closing_changes(Book(project), session.caller.now, session.caller.stamp)
    return [
        *(change for change in logged if change.path not in own),  # the work log itself goes
        *fence.acceptance(project, session.caller)[1],
        *fence.disarm(project),
        *(journal.remove(path) for path in own if project.has(path)),
    ]


def manifest_changes(desk: Desk) -> list[Change]:
    """Remove the packets of the chapter's sync."""
    own = f"sync-{desk.number:03d}-"
    names = desk.book.project.names(layout.MANIFESTS)
    return [journal.remove(f"{layout.MANIFESTS}/{name}") for name in names if name.startswith(own)]


def cancel(session: Session) -> OpenSync | None:
    """Close the open sync and return it, None when none was open; its crew's outputs are kept aside."""
    book = Book(session.project)
    point = book.checkpoint()
    if resync_steps.KEY not in point.document:
        return None
    opened = resync_steps.open_sync(point)
    moved = point.moved(session.caller.stamp, drop=(resync_steps.KEY, "failures"))
    desk = landed_desk.desk(book, opened.chapter) if opened else None
    cleared = clear_changes(session, desk, "sync-cancelled") if desk else []
    checkpoint = journal.put(layout.CHECKPOINT, jsonio.dump(moved.document))
    session.land([*cleared, checkpoint], label=f"放弃{opened.what if opened else '记录'}")
    return opened


def accept(session: Session, chapter: int) -> Accepted:
    """Accept the chapter's present files as landed; nothing is recorded anew.

    Raises SyncNotLanded, SyncOpen, SyncNoRecord, and errors of reading the changed files.
    """
    book = Book(session.project)
    point = book.checkpoint()
    opened = resync_steps.open_sync(point)
    if chapter > point.last:
        raise errors.SyncNotLanded(chapter=chapter, last=point.last)
    if opened is not None and opened.chapter == chapter:
        raise errors.SyncOpen(open=chapter)
    landed = landed_record.read(book, chapter)
    if landed is None:
        raise errors.SyncNoRecord(layout.landed_record(chapter), chapter=chapter)
    edits = [e for e in survey(book, session.caller.now).edits if e.chapter == chapter]
    changed = [e.path for e in edits if e.what == "changed"]
    missing = tuple(e.path for e in edits if e.what == "missing")
    refuse([fault for path in changed for fault in _text_problems(book, path, chapter)])
    fresh = {path: hand_edits.digest(book.read(path), path) for path in changed}
    record = {**landed.document, "sha256": {**landed.sha256, **fresh}}
    changes = [landed_record.record_change(chapter, record)] if changed else []
    changes += hand_edits.forget_changes(book, chapter, missing)
    session.land(changes, label=f"接受第 {chapter} 章的手改")
    return Accepted(chapter, tuple(changed), missing)


def _text_problems(book: Book, path: str, chapter: int) -> list[Problem]:
    data = book.read(path) or b""
    if path.endswith(".json"):
        return collect_problems(lambda: jsonio.parse(data, path))
    fault = lost_inputs.text_problem(book.project, data, path, chapter)
    return [] if fault is None else [fault]
