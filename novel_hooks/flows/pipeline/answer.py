"""`novel answer` and `novel note`: the author's answers and notes, stored. Source: seed 004."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Sequence
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.briefing import due_step
from novel_hooks.flows.chapter import desk, handout
from novel_hooks.flows.planning import open_steps, questions
from novel_hooks.flows.planning.desk import PlanDesk
from novel_hooks.flows.session.session import Session
from novel_hooks.record import Record
from novel_hooks.rules.steps import agents, chapter_notes
from novel_hooks.rules.steps import questions as steps_questions
from novel_hooks.rules.steps.chapter_notes import Note
from novel_hooks.rules.steps.questions import Question
from novel_hooks.rules.steps.step_name import Step
from novel_hooks.store.formats import jsonio
from novel_hooks.store.formats import text as formats_text
from novel_hooks.store.journal import journal


class Answered(Record):
    """An answer. `left` are the step's open questions, `again`: the step will be done again.

    `drafted`: the step was done before he answered. `first` is another step that must first change its own
    files.
    """

    step: Step
    asked: Question
    choice: str | None
    note: str | None
    changed: bool
    left: tuple[Question, ...]
    again: bool
    drafted: bool
    first: Step | None = None


def run(session: Session, step: Step, name: str, choice: str | None, note: str | None) -> Answered:
    """Store the author's answer to the question `name` of the step.

    Raises PlanningNotDue, NameUnknown, UsageError; then nothing has changed.
    """
    book = Book(session.project)
    view = due_step.view(book)
    known = questions.answers(book)
    looks_back = step.kind == "volume" and step.phase == "review" and name == steps_questions.REMARK
    if agents.planner_for(step) is None and not looks_back:
        raise errors.NameUnknown(case="question", step=step.label, name=name, known="没有")
    if looks_back and view.due.step != step:
        raise errors.StepNotNext(step=step.label, next=view.due.label)
    if not looks_back:
        open_steps.check_open(view, step)
    plans = PlanDesk(book, step.number or 1)
    staged = plans.questions(step)
    every = questions.asked(staged, step)
    one = next((a for a in every if a.id == name), None) or _unasked(known, step, name, note)
    if one is None:
        waiting = steps_questions.describe([a for a in every if steps_questions.is_open(a, known)])
        raise errors.NameUnknown(case="question", step=step.label, name=name, known=waiting or "没有")
    chosen = _choice_key(one, choice)
    if chosen is None and note is None:
        raise errors.UsageError(case="answer choice")
    changed = _is_other_answer(known, one, chosen, note)
    now = steps_questions.with_answer(known, one, chosen, note, session.caller.stamp) if changed else known
    first = questions.writing_step(plans.staged, step, staged, one) if chosen is None else None
    if changed and first is not None:
        words = steps_questions.remark(str(first), known)
        now = steps_questions.with_answer(now, words, None, f"{one.question}：{note}", session.caller.stamp)
    if changed:
        _land_answers(session, book, now, f"记下作者对 {step.label} 的决定")
    left = tuple(a for a in every if steps_questions.is_open(a, now))
    again = not looks_back and bool(steps_questions.pending_answers(now, str(step)))
    return Answered(step, one, chosen, note, changed, left, again, view.due.step != step, first)


def _unasked(known: steps_questions.Answers, step: Step, name: str, note: str | None) -> Question | None:
    """Return the question of what no planner asks: the wishes of a volume, a remark on a plan."""
    if name == steps_questions.WISHES and step.kind == "volume":
        return steps_questions.volume_wishes(str(step))
    if name != steps_questions.REMARK:
        return None
    said = steps_questions.pending_remark(known, str(step), note or "")
    one = steps_questions.remark(str(step), known)
    return one if said is None else one._replace(id=said["id"])


def _choice_key(one: Question, choice: str | None) -> str | None:
    """Return the choice's key, from the key or from its label. Raises NameUnknown."""
    if choice is None:
        return None
    for key, label, _ in one.choices:
        if choice.strip() in (key, label):
            return key
    known = "、".join(f"{key}（{label}）" for key, label, _ in one.choices) or "没有，用 --note 写你的话"
    raise errors.NameUnknown(case="choice", name=one.id, choice=choice, known=known)


def _is_other_answer(
    known: steps_questions.Answers, one: Question, choice: str | None, note: str | None
) -> bool:
    before = steps_questions.find_answer(known, one.step, one.id)
    same = before is not None and before["answer"] == {"choice": choice, "note": note}
    return steps_questions.is_open(one, known) or not same


def add_note(session: Session, chapter: int, text: str) -> tuple[Note, bool]:
    """Store a note for a chapter; return (the note, whether it is new). The same words are stored once."""
    book = Book(session.project)
    known = book.decisions()
    same = [one for one in chapter_notes.of_chapter(known, chapter) if one.text == text and not one.used]
    if same:
        return same[0], False
    now, note = chapter_notes.with_note(known, chapter, text, session.caller.stamp)
    _land_answers(session, book, now, f"记下给第 {chapter} 章的话")
    return note, True


def change_note(session: Session, number: int, chapter: int, text: str) -> tuple[Note, bool]:
    """Replace the words or the chapter of a note. Raises NameUnknown."""
    book = Book(session.project)
    known = book.decisions()
    (before,) = _known_notes(known, [number])
    if (before.chapter, before.text) == (chapter, text):
        return before, False
    now, note = chapter_notes.with_note(known, chapter, text, session.caller.stamp, number)
    _land_answers(session, book, now, f"改写给第 {chapter} 章的话")
    return note, True


def remove_notes(session: Session, numbers: Sequence[int]) -> list[Note]:
    """Remove the notes of these numbers; return them. Raises NameUnknown, and then all stay."""
    book = Book(session.project)
    known = book.decisions()
    gone = _known_notes(known, numbers)
    _land_answers(session, book, chapter_notes.without(known, numbers), "去掉给一章的话")
    return gone


def comments(book: Book, chapter: int | None) -> list[tuple[int, str]]:
    """Return (line, words) of the author's HTML comments in a chapter, landed or staged; [] without one."""
    if chapter is None:
        return []
    data = book.read(layout.chapter(chapter))
    if data is None and desk.is_taken(book, chapter):
        data = book.read(layout.staged(layout.chapter(chapter)))
    return [] if data is None else formats_text.comments(data.decode("utf-8", "replace"))


def _known_notes(known: steps_questions.Answers, numbers: Sequence[int]) -> list[Note]:
    notes = {one.number: one for one in chapter_notes.read_all(known)}
    for number in numbers:
        if number not in notes:
            there = "、".join(map(str, sorted(notes))) or "一条也没有"
            raise errors.NameUnknown(layout.DECISIONS, "note", name=number, known=there)
    return [notes[number] for number in dict.fromkeys(numbers)]


def _land_answers(session: Session, book: Book, now: Sequence[dict[str, Any]], label: str) -> None:
    put = journal.put(layout.DECISIONS, jsonio.dump(steps_questions.document(now)))
    session.land([put, *handout.learnt_changes(book)], label=label)
