"""`novel status`: the book's progress and next step. Reads only; one unreadable block hides no other.

The cost does not grow with the book: the last chapters are read by name, and no folder is walked.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Callable
from novel_hooks.errors import Problem
from novel_hooks.flows.backup import reminder
from novel_hooks.flows.book import settings
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt, collect_problems, distinct
from novel_hooks.flows.briefing import due_step, edits_before_draft
from novel_hooks.flows.chapter.view import View
from novel_hooks.flows.inventory import hand_edits, lost_chapters, lost_setting, strays
from novel_hooks.flows.packet import preflight
from novel_hooks.flows.review import word_counts
from novel_hooks.flows.review.recent_chapters import RecentChapters
from novel_hooks.flows.session import pending_landing, word_tally
from novel_hooks.flows.session.caller import Caller
from novel_hooks.record import Record
from novel_hooks.rules.steps import menu
from novel_hooks.rules.steps.checkpoint import Checkpoint
from novel_hooks.store.lock import lockstate

RECENT = 5
_SKIPS_BEFORE_ADVICE = 3


class Overview(Record):
    """A status. `data` is printed by `--json`; a block that could not be read is None and has a problem."""

    data: dict[str, Any]
    problems: tuple[Problem, ...]


def run(book: Book, caller: Caller) -> Overview:
    """Read every block of the status."""
    lately = RecentChapters(book, *_last_and_volume(book))
    written = word_tally.read(book.project, lately.last)
    stops: list[Problem] = []
    problems: list[Problem] = []
    views: list[View] = []

    def view() -> View:
        if not views:
            views.append(due_step.view(book))
            # Before any block judges a file: what was edited is known by its hash.
            problems.extend(collect_problems(lambda: edits_before_draft.problems(views[0])))
        return views[0]

    blocks: dict[str, Callable[[], Any]] = {
        "progress": lambda: _progress_block(book, problems),
        "next": lambda: _next_block(view(), stops),
        "words": lambda: word_counts.summary(book, written, lately.volume, caller.now),
        "recent": lambda: [{**row, "chars": written[row["chapter"]][0]} for row in lately.scores(RECENT)],
        "trend": lately.trend,
        "foreshadowing": lately.threads,
        "storylines": lately.storylines,
        "work": lately.work,
        "lock": lambda: _lock_block(book, caller),
        "menu": lambda: _menu_entries(view()),
    }
    data: dict[str, Any] = {}
    for name, read in blocks.items():
        try:
            data[name] = read()
        except Problem as error:
            data[name] = None
            problems += error.problems
    problems += collect_problems(
        lambda: pending_landing.problems(book.project),
        lambda: lost_chapters.missed_problems(book),
        lambda: hand_edits.problems(book),
        lambda: _skipped_problems(book),
        lambda: lost_setting.near_problems(book),
        lambda: reminder.problems(book),
        lambda: strays.near_problems(book.project, _last_and_volume(book)[1] or 1),
        lambda: due_step.changed_problems(views[0]) if views else (),
        lambda: due_step.page_problems(views[0]) if views else (),
    )
    lost_setting.tell_places(book.project, [*problems, *stops])
    return Overview(data, tuple(distinct([*problems, *lately.problems, *stops])))


def _last_and_volume(book: Book) -> tuple[int, int]:
    """Return (last landed chapter, volume); by the files where the checkpoint cannot be read."""
    try:
        point = book.checkpoint()
    except Problem:
        from novel_hooks.flows.doctor import inferred_checkpoint

        return inferred_checkpoint.reached(book)
    return point.last, point.volume


def _skipped_problems(book: Book) -> list[Problem]:
    skipped = book.checkpoint().document.get("skipped_deltas")
    if isinstance(skipped, int) and skipped >= _SKIPS_BEFORE_ADVICE:
        return [errors.RebuildAdvised(layout.CHANGELOG, count=skipped)]
    return []


def _progress_block(book: Book, problems: list[Problem]) -> dict[str, Any]:
    """Return the progress, without the volume's ends where the outline is broken: `problems` gets why."""
    point = book.checkpoint()
    outline, unread = attempt(lambda: book.outline(point.volume) if point.volume else None)
    problems += unread
    known = outline is not None and bool(outline.headings)
    return {
        "state": point.state,
        "volume": point.volume,
        "volume_start": outline.start if outline and known else None,
        "volume_end": outline.end if outline and known else None,
        "last_completed_chapter": point.last,
        "inflight_chapter": point.inflight,
        "pipeline_stage": point.stage,
        "revision_count": point.revisions,
    }


def _menu_entries(view: View) -> list[dict[str, Any]]:
    codes = {one.code for one in hand_edits.problems(view.book)}
    backlog = "BACKLOG_WAITS" in codes and not view.point.active
    edited = bool(codes - {"BACKLOG_WAITS"})
    anew = False
    if view.point.state == "VOL_PLANNING":
        from novel_hooks.flows.planning import replan

        anew = replan.is_open(view.book, view.point)
    touched = not view.point.active and _is_touched(view.point)
    more = {"recording": view.sync.opened.what} if view.sync else {}
    shown = menu.entries(view.due, edited, anew, touched, backlog, view.point.last > 0, **more)
    return [entry._asdict() for entry in shown]


def _is_touched(point: Checkpoint) -> bool:
    """Does a change of the setting wait that touches later chapters?"""
    if not point.document.get("pending_actions"):
        return False
    from novel_hooks.flows.planning import setting_changes

    return any(isinstance(one, dict) and one.get("chapters") for one in setting_changes.pending(point))


def _next_block(view: View, stops: list[Problem]) -> dict[str, Any]:
    """Return the next step; `stops` gets what has to be mended before it. Raises what `next` refuses with."""
    due = view.due
    settings.read(view.book)
    stops += preflight.problems(view)
    return {
        "step": str(due.step) if due.step else None,
        "reason": due.reason,
        "recorded": due.recorded,
        "stop": due.stop,
        "stopped": bool(stops),
        "choices": [choice._asdict() for choice in due.choices],
        "verdict": due_step.verdict(view),
        "notes": due_step.notes(view),
        "changes": due_step.changes(view),
    }


def _lock_block(book: Book, caller: Caller) -> dict[str, Any]:
    state = lockstate.lock_state(book.project, caller.owner, caller.now)
    return {"kind": state.kind, "reason": state.reason}
