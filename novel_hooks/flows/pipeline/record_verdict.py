"""`novel judge record`: a judge's answer, read strictly and kept as it came.

Nothing in it is repaired or guessed. Source: protocol §1 (evaluation), §2 (`judge`).
"""

from __future__ import annotations

from novel_hooks import errors, layout, roles, sha2
from novel_hooks.annotations import Any, Iterable, Iterator
from novel_hooks.errors import Problem, refuse
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.briefing import due_step
from novel_hooks.flows.chapter import handout, reported, step_result, work_log
from novel_hooks.flows.chapter.desk import Desk
from novel_hooks.flows.chapter.view import View
from novel_hooks.flows.checks import evaluation
from novel_hooks.flows.review import shown_names
from novel_hooks.flows.session.session import Session
from novel_hooks.record import Record
from novel_hooks.rules.cast import world_rules
from novel_hooks.rules.evaluation import document as evaluations
from novel_hooks.rules.evaluation import (
    gate_entry,
    json_from_text,
    quotations,
    required_fixes,
    score,
    verdict_warnings,
)
from novel_hooks.rules.evaluation import verdict as verdicts
from novel_hooks.rules.outline import author_view
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.step_name import Step
from novel_hooks.store.formats.text import decode
from novel_hooks.store.journal import journal

_LEFT_OVER = "评审的回复末尾多写了右花括号，已经略去，别的一字未动。"


class Recorded(Record):
    """A recorded verdict: `missing` are the roles still awaited; `repeat`: the words were recorded before."""

    chapter: int
    role: str
    overall: float
    missing: tuple[str, ...]
    warnings: tuple[str, ...]
    repeat: bool


def record(
    session: Session, chapter: int, role: str, model: str | None, raw: bytes, source: str, shown: bool = False
) -> Recorded:
    """Record one judge's raw answer. An unreadable one is kept and refused, and the judge must judge again.

    `shown`: a person reads the result's warnings now, so `advance` leaves them out.
    """
    book = Book(session.project)
    view = due_step.view(book)
    if view.sync is not None:
        from novel_hooks.flows.resync import view as resync_view

        view = resync_view.as_work(view)
    desk = _desk_due(view, chapter)
    fresh = view.staged is not None and view.staged.verdict is not None and view.staged.verdict.fresh
    before = desk.get("evaluation").value if fresh and desk.get("evaluation").ok else None
    raw_path, kept = _raw_path(book, chapter, view.point.revisions, role, raw)
    try:
        document, left_over = _read_answer(raw, source, chapter)
    except Problem:
        if not kept:
            session.land([journal.put(raw_path, raw)], label="留存读不懂的评审原文")
        raise
    if before is not None and evaluations.verdict_of(before, role) == document:
        return _result(chapter, role, document, before, desk, repeat=True)
    _check_role(view, chapter, role)
    _check_text(book, desk)
    composed = _compose(desk, before, role, model, document)
    step = view.due.step or steps.chapter_step(chapter, "judge")
    entry = work_log.stage_entry(book, str(step), "judge", session.caller.now, model)
    changes = [
        journal.put(raw_path, raw),
        evaluation.staged_change(desk, composed),
        *work_log.step_changes(book, step, [entry], session.caller.stamp),
        *handout.recorded_changes(book, str(view.due.step), role),
        *handout.learnt_changes(book),
    ]
    done = _result(chapter, role, document, composed, desk, repeat=False)
    if shown:
        step = steps.chapter_step(chapter, "judge")
        changes += reported.report_changes(book, step, step_result.notes(chapter, done.warnings))
        done = done._replace(warnings=tuple(_unread(book, step, role, done.warnings)))
    session.land(changes, label=f"记下第 {chapter} 章的评审")
    return done._replace(warnings=(*done.warnings, _LEFT_OVER)) if left_over else done


def _read_answer(raw: bytes, source: str, chapter: int) -> tuple[dict[str, Any], bool]:
    """Return (the judge's words with their overall, whether something stood around them).

    Raises EvaluationUnusable, and what the words are refused with.
    """
    try:
        document, left_over = json_from_text.parse_reply(decode(raw, source))
    except errors.TextNotUtf8 as fault:
        raise errors.EvaluationUnusable(None, chapter=chapter, detail=str(fault)) from fault
    refuse(verdicts.problems(document, source))
    return score.with_computed_overall(document), left_over


def _unread(book: Book, step: Step, role: str, warnings: Iterable[str]) -> Iterator[str]:
    """Yield what was not told with the other judge's verdict, which then stood without his title."""
    others = [f"{title}：" for name, title in roles.JUDGES.items() if name != role]
    for one in warnings:
        alone = one.partition("：")[2] if one.startswith(tuple(others)) else one
        if reported.unreported(book, step, step_result.notes(step.number or 0, [alone])):
            yield one


def _desk_due(view: View, chapter: int) -> Desk:
    due = view.due.step
    if view.desk is None or view.point.inflight != chapter:
        raise errors.RoleNotDue(chapter=chapter, role="评审", case="not in work")
    if due is None or due.phase != "judge":
        _check_text(view.book, view.desk)
        raise errors.RoleNotDue(chapter=chapter, role="评审", case="other step", due=view.due.label)
    return view.desk


def _check_text(book: Book, desk: Desk) -> None:
    """Refuse when the text is not the one that the judge was handed: then his words are about another."""
    out = handout.read(book)
    if out.text_sha256 is None or not str(out.step).endswith(f":{desk.number:03d}:judge"):
        return
    if sha2.digest(desk.text_bytes("chapter")) != out.text_sha256:
        raise errors.JudgedTextChanged(desk.get("chapter").path, chapter=desk.number)


def _check_role(view: View, chapter: int, role: str) -> None:
    if view.due.recorded:
        raise errors.RoleNotDue(chapter=chapter, role=role, case="verdict recorded")
    wanted = view.due.role or "primary"
    if role == wanted:
        return
    verdict = view.staged.verdict if view.staged else None
    if verdict is not None and verdict.fresh and role in verdict.missing:
        return
    key_chapter = view.desk is not None and view.desk.book.key_chapter(view.desk.volume, chapter)
    if role == "secondary" and key_chapter and (verdict is None or not verdict.fresh):
        return
    raise errors.RoleNotDue(chapter=chapter, role=role, case="other judge", wanted=wanted)


def _compose(
    desk: Desk, before: dict[str, Any] | None, role: str, model: str | None, document: dict[str, Any]
) -> dict[str, Any]:
    verdicts = evaluation.verdicts(before) if before else {}
    verdicts[role] = evaluations.Verdict(model, document)
    return evaluations.compose(
        verdicts,
        chapter=desk.number,
        text_sha256=desk.text_sha256(),
        gate=None,
        warnings=_warnings(desk, verdicts),
        text=str(desk.get("chapter").value),
    )


def _warnings(desk: Desk, verdicts: dict[str, evaluations.Verdict]) -> list[str]:
    contract = desk.contract()
    rules = world_rules.hard_rules(desk.book.document(layout.WORLD_RULES, "world-rules"))
    names = shown_names.read(desk.book, desk.number)
    found: list[str] = []
    chapter = str(desk.get("chapter").value)
    for role in sorted(verdicts):
        document = verdicts[role].document
        odd = [
            *quotations.quotation_warnings(document, chapter),
            *required_fixes.warnings(document, chapter),
            *verdict_warnings.chapter_warnings(document, desk.number),
            *verdict_warnings.warnings(
                document,
                hard_rules=[str(r.get("id")) for r in rules],
                required_objectives=list(contracts.required_objective_ids(contract)),
            ),
        ]
        whose = f"{roles.JUDGES[role]}：" if len(verdicts) > 1 else ""
        found += [f"{whose}{author_view.named(one, names)}" for one in sorted(set(odd))]
    documents = [verdict.document for verdict in verdicts.values()]
    if len(documents) == 2 and documents[0] == documents[1]:
        found.append("两位评审的意见一字不差：请看一眼是不是把同一份记了两次。")
    return found


def _raw_path(book: Book, chapter: int, revisions: int, role: str, raw: bytes) -> tuple[str, bool]:
    """Return (path for the words, whether the last ones kept are these)."""
    sequence, before = 1, ""
    while book.project.has(path := layout.raw_verdict(chapter, revisions, role, sequence)):
        sequence, before = sequence + 1, path
    return path, bool(before) and book.project.read(before) == raw


def _result(
    chapter: int, role: str, verdict: dict[str, Any], document: dict[str, Any], desk: Desk, repeat: bool
) -> Recorded:
    key_chapter = desk.book.key_chapter(desk.volume, chapter)
    return Recorded(
        chapter=chapter,
        role=role,
        overall=float(verdict["overall"]),
        missing=tuple(evaluations.missing_roles(document, key_chapter)),
        warnings=tuple(gate_entry.metadata(document).get("warnings") or ()),
        repeat=repeat,
    )
