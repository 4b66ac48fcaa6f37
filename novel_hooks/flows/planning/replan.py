"""`novel replan`: plan the rest of the current volume anew; written chapters stay.

The book goes back to VOL_PLANNING in the same volume; `cancel` undoes that. No landed plan is touched here:
the new one replaces it when it lands. Source: seed 000 Step 4.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.flows.book import planned_chapters
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.chapter import handout, kept_attempts, work_log
from novel_hooks.flows.session.caller import Caller
from novel_hooks.flows.session.session import Session
from novel_hooks.record import Record
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.planning import planned_chapters as chapters_rules
from novel_hooks.rules.steps import checkpoint as checkpoints
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.checkpoint import Checkpoint
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change


class Replanned(Record):
    """A volume planned anew from chapter `first`; `kept` is the folder of a plan that was given up."""

    volume: int
    first: int
    changed: bool
    point: Checkpoint
    kept: str | None = None


class Preview(Record):
    """A volume before it is planned anew: its planned, unwritten chapters are `first` to `last`.

    `changes` is False when it is being planned anew already.
    """

    volume: int
    first: int
    last: int
    changes: bool


def is_open(book: Book, point: Checkpoint) -> bool:
    """Tell whether a volume that has a plan is being planned anew."""
    return point.state == "VOL_PLANNING" and _last_planned(book, point) > point.last


def preview(book: Book) -> Preview:
    """Return the chapters that would be planned anew. Reads only. Raises ReplanNotNow."""
    point = book.checkpoint()
    last, opened = _last_planned(book, point), is_open(book, point)
    if not opened:
        _refuse(book, point)
        if last <= point.last:
            raise errors.ReplanNotNow(case="nothing left", volume=point.volume)
    return Preview(point.volume, point.last + 1, last, not opened)


def run(session: Session, shown: Preview | None = None) -> Replanned:
    """Open the rest of the current volume for planning; a repetition changes nothing.

    `shown` is the preview that the author agreed to. Raises ReplanNotNow, and ChangedWhileAsked when the book
    is not as in `shown`; then nothing has changed.
    """
    book = Book(session.project)
    point, found = book.checkpoint(), preview(book)
    if shown is not None and shown != found:
        raise errors.ChangedWhileAsked(layout.CHECKPOINT)
    if not found.changes:
        return Replanned(found.volume, found.first, False, point)
    return _move(session, point, "VOL_PLANNING")


def cancel(session: Session) -> Replanned:
    """Return to writing by the landed plan. Raises ReplanNotNow.

    The staged parts of the new plan are set aside, so that they are not taken for the next one.
    """
    book = Book(session.project)
    point = book.checkpoint()
    if point.state in checkpoints.WRITING_STATES:
        return Replanned(point.volume, point.last + 1, False, point)
    if not is_open(book, point):
        raise errors.ReplanNotNow(case="not planning", volume=point.volume)
    _refuse_retired(book, point)
    return _move(session, point, "WRITING")


def open_changes(book: Book, caller: Caller) -> list[Change]:
    """Return the changes that open the volume's rest for planning, [] when it is. Raises ReplanNotNow."""
    return _moved(book, book.checkpoint(), caller, "VOL_PLANNING")[1] if preview(book).changes else []


def _move(session: Session, point: Checkpoint, state: str) -> Replanned:
    book = Book(session.project)
    kept, aside = _set_aside(book, point.volume) if state == "WRITING" else (None, [])
    moved, changes = _moved(book, point, session.caller, state)
    session.land([*aside, *changes], label="重排本卷" if state == "VOL_PLANNING" else "照原来的规划写")
    return Replanned(point.volume, point.last + 1, True, moved, kept)


def _moved(book: Book, point: Checkpoint, caller: Caller, state: str) -> tuple[Checkpoint, list[Change]]:
    idle = {"pipeline_stage": "committed" if point.last else None, "inflight_chapter": None}
    more = idle if point.active else {}
    moved = point.moved(caller.stamp, orchestrator_state=state, drop=("failures",), **more)
    out = work_log.closing_changes(book, caller.now, caller.stamp)
    out += [] if book.read(layout.HANDOUT) is None else [journal.remove(layout.HANDOUT)]
    return moved, [*out, journal.put(layout.CHECKPOINT, jsonio.dump(moved.document))]


def _refuse_retired(book: Book, point: Checkpoint) -> None:
    """Refuse to go back to a plan that needs somebody who has left the book since."""
    left = [one for one in book.retired() if one.slug not in {person.slug for person in book.cast()}]
    for chapter in planned_chapters.chapters(book) if left else ():
        own = chapter.contract.path == layout.contract(point.volume, chapter.chapter)
        for one in left if own else ():
            if chapters_rules.needs_person(chapter, casts.names_of(one)) is not None:
                raise errors.ReplanNotNow(case="retired", chapter=chapter.chapter, name=one.name)


def _set_aside(book: Book, volume: int) -> tuple[str | None, list[Change]]:
    """Move all that the architect has staged for the volume to `.novel/attempts/`."""
    from novel_hooks.flows.planning.desk import PlanDesk

    found = dict.fromkeys(f.path for f in PlanDesk(book, volume).volume_files())
    staged = [p for p in found if p.startswith(f"{layout.STAGING}/") and book.read(p) is not None]
    if not staged:
        return None, []
    place = kept_attempts.plan_attempt_folder(book, steps.volume_step(volume, "outline"))
    moved = {path: f"{place}/{path[len(layout.STAGING) + 1 :]}" for path in staged}
    puts = [journal.put(kept, book.read(path) or b"") for path, kept in moved.items()]
    return place, [*puts, *(journal.remove(path) for path in staged)]


def _last_planned(book: Book, point: Checkpoint) -> int:
    """Return the last chapter of the volume's landed plan; 0 without one."""
    outline = book.outline(point.volume) if point.volume else None
    return outline.end if outline is not None and outline.headings else 0


def _has_work(book: Book, point: Checkpoint) -> bool:
    """Is there anything of the chapter in flight? A session that takes the lock opens one without a word."""
    if not point.active or point.inflight is None:
        return False
    draft = layout.staged(layout.chapter(point.inflight))
    return point.stage != "drafting" or point.revisions > 0 or book.project.kind(draft) != "absent"


def _refuse(book: Book, point: Checkpoint) -> None:
    if point.state not in checkpoints.WRITING_STATES:
        raise errors.ReplanNotNow(case="not writing")
    if _has_work(book, point):
        raise errors.ReplanNotNow(case="chapter begun", chapter=point.inflight, before=point.last)
    if point.document.get("sync"):
        raise errors.ReplanNotNow(case="recording")
    draft = layout.staged(layout.chapter(point.last + 1))
    if book.project.has(draft):
        raise errors.ReplanNotNow(draft, case="draft staged", chapter=point.last + 1)
    out = handout.step_at_work(book)
    if out:
        raise errors.ReplanNotNow(case="step out", step=out, label=steps.label(out))
