"""What planners ask the author, and `novel answer`: staged questions against remembered answers.

Questions lie in staging beside the plan and go when it lands; answers stay in `.novel/decisions.json`.
An author who stops finds the same question again. Source: seed 004 (questions stay with the host).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from novel_hooks.flows.plandesk import PlanDesk
    from novel_hooks.flows.session import Session
    from novel_hooks.rules.step import Step

from novel_hooks import errors, layout
from novel_hooks.errors import Problem, Problems
from novel_hooks.flows.book import Book
from novel_hooks.record import Record
from novel_hooks.rules import crew, decisions
from novel_hooks.rules.decisions import Asked
from novel_hooks.store import journal, jsonio
from novel_hooks.store.journal import Change

OUTPUT = "questions"
"""The key of the output that holds them; it never lands."""


class Answered(Record):
    """`left` are the questions of the step still open, `again` whether the step is to be done again."""

    step: Step
    asked: Asked
    choice: str | None
    note: str | None
    changed: bool
    left: tuple[Asked, ...]
    again: bool


def answers(book: Book) -> list[dict[str, Any]]:
    """Every remembered answer. Raises OwnFileDamaged."""
    document = book.own(layout.DECISIONS)
    found = [] if document is None else decisions.read(document)
    if found is None:
        raise errors.OwnFileDamaged(layout.DECISIONS, detail="不是本工具写的样子")
    return found


def asked(desk: PlanDesk, step: Step) -> tuple[Asked, ...]:
    """All that the step's staged file asks. Raises what is wrong with the file."""
    found = desk.questions(step)
    if found is None:
        return ()
    wrong = [p for p in found.problems if p.severity == "error"]
    if wrong:
        raise Problems(wrong)
    return decisions.listed(found.value, str(step))


def standing(desk: PlanDesk, step: Step) -> tuple[Asked | None, bool]:
    """(the first question that is open, does the plan still wait for an answer to be carried out)."""
    if crew.planner_for(step) is None:
        return None, False
    known = answers(desk.book)
    found = next((one for one in asked(desk, step) if decisions.is_open(one, known)), None)
    return found, bool(decisions.undone(known, str(step)))


def told(book: Book, step: Step) -> list[Change]:
    """What a hand-out of the step remembers."""
    return _kept(book, decisions.told(answers(book), str(step)))


def carried(book: Book, step: Step) -> list[Change]:
    """What an advance of the step remembers."""
    return _kept(book, decisions.carried(answers(book), str(step)))


def _kept(book: Book, now: Sequence[Mapping[str, Any]]) -> list[Change]:
    if list(now) == answers(book):
        return []
    return [journal.put(layout.DECISIONS, jsonio.dump(decisions.document(now)))]


def reused(book: Book, step: Step, document: Mapping[str, Any]) -> list[str]:
    """Ids that were answered and ask something else now."""
    return decisions.reused(document, str(step), answers(book))


def answer(session: Session, step: Step, name: str, choice: str | None, note: str | None) -> Answered:
    """Remember it.

    Raises PlanningNotDue, QuestionUnknown, AnswerUnknown, UsageError; then nothing has changed.
    """
    from novel_hooks.flows import look, planning
    from novel_hooks.flows.advance import remembered
    from novel_hooks.flows.plandesk import PlanDesk

    book = Book(session.project)
    view = look.at(book)
    known = answers(book)
    if crew.planner_for(step) is None:
        raise errors.QuestionUnknown(step=step.told, name=name, open="没有")
    planning.may(view, step)
    every = asked(PlanDesk(book, step.number or 1), step)
    one = next((a for a in every if a.id == name), None)
    if one is None:
        waiting = [a for a in every if decisions.is_open(a, known)]
        raise errors.QuestionUnknown(step=step.told, name=name, open=decisions.names(waiting) or "没有")
    chosen = _chosen(one, choice)
    if chosen is None and note is None:
        raise errors.UsageError(
            detail="没有写选哪一个", how="在编号后面写上选法，或用 --note 写你自己的意见。"
        )
    changed = _differs(known, one, chosen, note)
    now = decisions.answered(known, one, chosen, note, session.caller.stamp) if changed else known
    if changed:
        put = journal.put(layout.DECISIONS, jsonio.dump(decisions.document(now)))
        session.land([put, *remembered(book)], label=f"记下作者对 {step.told} 的决定")
    left = tuple(a for a in every if decisions.is_open(a, now))
    return Answered(step, one, chosen, note, changed, left, bool(decisions.undone(now, str(step))))


def _chosen(one: Asked, choice: str | None) -> str | None:
    """The choice's key, from the key or from its label. Raises AnswerUnknown."""
    if choice is None:
        return None
    for key, label, _ in one.choices:
        if choice.strip() in (key, label):
            return key
    known = "、".join(f"{key}（{label}）" for key, label, _ in one.choices)
    raise errors.AnswerUnknown(name=one.id, choice=choice, known=known)


def _differs(known: decisions.Answers, one: Asked, choice: str | None, note: str | None) -> bool:
    before = decisions.find(known, one.step, one.id)
    same = before is not None and before["answer"] == {"choice": choice, "note": note}
    return decisions.is_open(one, known) or not same


def broken(book: Book) -> list[Problem]:
    """For doctor: the remembered answers cannot be read."""
    try:
        answers(book)
    except Problem as wrong:
        return list(wrong.problems)
    return []
