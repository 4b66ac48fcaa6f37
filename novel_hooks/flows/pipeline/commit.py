"""`novel commit --chapter N`: all of a chapter lands, or none of it. Source: protocol §5.

Everything is read once under the lock and checked. Exactly the checked bytes land, through the journal, with
the checkpoint last.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Any, Iterable, Mapping
from novel_hooks.errors import Problem, Problems, refuse
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.briefing import due_step
from novel_hooks.flows.chapter import staged
from novel_hooks.flows.chapter.desk import RECORDED, Desk
from novel_hooks.flows.chapter.view import View
from novel_hooks.flows.landing import changes as landing_changes
from novel_hooks.flows.landing.changes import Landing, judged_lines
from novel_hooks.flows.session import fence
from novel_hooks.flows.session.session import Session
from novel_hooks.record import Record
from novel_hooks.rules.evaluation import gate_entry
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.checkpoint import WRITING_STATES
from novel_hooks.rules.text import length
from novel_hooks.store.formats.text import without_comments

if TYPE_CHECKING:
    from novel_hooks.flows.resync.land import Relanding
    from novel_hooks.store.journal.journal import Change


class Committed(Record):
    """A landing. `repeat`: it had landed before. `chars` is the chapter's length in 字.

    `synced`: it was recorded anew; `later` are chapters that this may affect. `judged` are the author's lines
    on the verdict: the good points, and the faults that remain.
    """

    chapter: int
    chars: int
    overall_final: float | None
    decision: str | None
    revisions: int
    force_passed: bool
    accepted: bool
    repeat: bool = False
    volume_end: bool = False
    paths: tuple[str, ...] = ()
    warnings: tuple[Problem, ...] = ()
    synced: bool = False
    later: tuple[int, ...] = ()
    judged: tuple[str, ...] = ()


def run(session: Session, chapter: int) -> Committed:
    """Land the chapter. Raises the obstacles; then nothing has changed."""
    book = Book(session.project)
    if book.checkpoint().document.get("sync"):
        again = _land_sync(session, chapter)
        if again is not None:
            return again
    done = _already_landed(book, chapter)
    if done is not None:
        if _is_last_landed(book, chapter):
            session.end()
        return done
    plan = prepare_landing(book, chapter, session.caller.stamp)
    fence.check(session.project, quick=True)
    session.land([*plan.changes, *fence.disarm(session.project)], label=f"第 {chapter} 章入库")
    session.end()
    told = [one.as_landed() if isinstance(one, errors.RecordsChanged) else one for one in plan.warnings]
    return _landing_result(plan._replace(warnings=tuple(told)))


def dry_run(book: Book, chapter: int, now: str) -> Committed:
    """Make the checks and the plan of `run`, and write nothing."""
    if book.checkpoint().document.get("sync"):
        from novel_hooks.flows.resync import land

        again = land.prepare(book, chapter, now)
        if again is not None:
            return _relanding_result(again)
    done = _already_landed(book, chapter)
    return done if done is not None else _landing_result(prepare_landing(book, chapter, now))


def _land_sync(session: Session, chapter: int) -> Committed | None:
    """Land the chapter's open sync; None when it has none."""
    from novel_hooks.flows.resync import land

    plan = land.run(session, chapter)
    if plan is None:
        return None
    session.end()
    return _relanding_result(plan)


def _relanding_result(plan: Relanding) -> Committed:
    """Return the result of a sync; gate and rounds are those of the chapter's first landing."""
    desk = plan.sync.desk
    return Committed(
        chapter=desk.number,
        chars=length.count(desk.get("chapter").value).chars,
        overall_final=plan.evaluation.get("overall_final"),
        **_gate_fields(gate_entry.gate_of(plan.evaluation)),
        paths=_paths(plan.changes),
        warnings=plan.warnings,
        synced=True,
        later=plan.later,
        judged=judged_lines(desk.book, desk.number, plan.evaluation),
    )


def _gate_fields(gate: Mapping[str, Any]) -> dict[str, Any]:
    flags = {key: bool(gate.get(key)) for key in ("force_passed", "accepted")}
    return {"decision": gate.get("decision"), "revisions": gate.get("revisions") or 0, **flags}


def _paths(changes: Iterable[Change]) -> tuple[str, ...]:
    """Return the author's files that a landing writes."""
    return tuple(c.path for c in changes if c.kind != "remove" and not c.path.startswith(layout.OWN))


def _is_last_landed(book: Book, chapter: int) -> bool:
    """Has nothing begun since it landed? Then its commit gives the lock back, however often repeated."""
    point = book.checkpoint()
    return chapter == point.last and point.inflight is None and not point.document.get("sync")


def _already_landed(book: Book, chapter: int) -> Committed | None:
    """Return the success of a chapter that has landed, which changes nothing; None for another chapter."""
    point = book.checkpoint()
    if chapter > point.last:
        return None
    text = book.text(layout.chapter(chapter))
    if text is None:
        raise errors.OwnFileDamaged(layout.chapter(chapter), case="text gone", chapter=chapter)
    document = book.document(layout.evaluation(chapter), "chapter-eval", own=True) or {}
    return Committed(
        chapter=chapter,
        chars=length.chars(without_comments(text)),
        overall_final=document.get("overall_final", document.get("overall")),
        **_gate_fields(gate_entry.gate_of(document)),
        repeat=True,
        judged=judged_lines(book, chapter, document),
    )


def prepare_landing(book: Book, chapter: int, now: str) -> Landing:
    """Check everything, then plan every change in landing order.

    Warnings on the staged files were shown when their steps advanced; only the landing's own warnings are
    returned.
    """
    view = due_step.view(book)
    desk = _desk_due(view, chapter)
    problems = [p for key in ("chapter", *RECORDED, "evaluation") for p in desk.get(key).problems]
    refuse([p for p in problems if p.severity == "error"])
    plan = landing_changes.plan_landing(desk, view.point, now)
    return plan._replace(warnings=(*plan.warnings, *staged.records_problems(desk, view.point)))


def _desk_due(view: View, chapter: int) -> Desk:
    point = view.point
    if point.state not in WRITING_STATES:
        raise errors.ChapterNotDue(chapter=chapter, detail=view.due.reason)
    if view.desk is None or chapter != point.inflight:
        case = "other chapter" if point.inflight else "no chapter"
        raise errors.ChapterNotDue(case=case, chapter=chapter, inflight=point.inflight)
    if view.due.step != steps.chapter_step(chapter, "commit"):
        due = view.due
        closed = errors.GateClosed(case="other step, why", chapter=chapter, due=due.label, reason=due.reason)
        raise Problems([closed, *_unusable(view.desk)])
    return view.desk


def _unusable(desk: Desk) -> list[Problem]:
    """Return the errors of staged files that are there and do not pass: why the chapter is not due."""
    keys = ("chapter", *RECORDED, "evaluation") if desk.get("chapter").ok else ("chapter",)
    return [p for key in keys for p in desk.present(key) if p.severity == "error"]


def _landing_result(plan: Landing) -> Committed:
    return Committed(
        chapter=plan.chapter,
        chars=plan.chars,
        overall_final=plan.overall_final,
        **{**_gate_fields(plan.gate), "revisions": plan.revisions},
        volume_end=plan.volume_end,
        paths=_paths(plan.changes),
        warnings=plan.warnings,
        judged=plan.judged,
    )
