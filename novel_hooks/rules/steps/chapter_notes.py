"""The author's notes for a chapter: his wishes, for its writer and its planner. Pure.

A note is stored among the author's answers (`rules.steps.questions`), as one of the kind `NOTE` without a
question. `done` equals `answer` once the chapter has landed with it. When the chapter is written anew, the
note is given again.
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Sequence
from novel_hooks.record import Record
from novel_hooks.rules.steps import questions
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.questions import Answers


class Note(Record):
    """One note. `number` is its name for the author; `used`: the chapter has landed with it."""

    number: int
    chapter: int
    text: str
    used: bool


def read_all(answers: Answers) -> list[Note]:
    """Return every note, by chapter, the older first."""
    notes = [_note(entry) for entry in answers if entry["kind"] == questions.NOTE]
    return sorted(notes, key=lambda one: (one.chapter, one.number))


def of_chapter(answers: Answers, chapter: int) -> list[Note]:
    """Return the notes of a chapter, the older first."""
    return [one for one in read_all(answers) if one.chapter == chapter]


def of_coming(answers: Answers, last: int) -> list[Note]:
    """Return the notes of the chapters behind `last`."""
    return [one for one in read_all(answers) if one.chapter > last]


def with_note(
    answers: Answers, chapter: int, text: str, now: str, number: int | None = None
) -> tuple[list[dict[str, Any]], Note]:
    """Return (the answers with a new note, or with the note `number` in other words, the note)."""
    named = max((one.number for one in read_all(answers)), default=0) + 1 if number is None else number
    step = str(steps.chapter_step(chapter, "draft"))
    asked = questions.Question(step, questions.NOTE, str(named), "你的话", _ABOUT, "", (), 1, 1)
    entry = questions.with_answer([], asked, None, text, now)[0]
    kept = [dict(one) for one in answers]
    places = [n for n, one in enumerate(kept) if _is_note(one, named)]
    kept[places[0] if places else len(kept) : (places[0] + 1) if places else len(kept)] = [entry]
    return kept, _note(entry)


def without(answers: Answers, numbers: Sequence[int]) -> list[dict[str, Any]]:
    """Return the answers without the notes of these numbers."""
    return [dict(one) for one in answers if not any(_is_note(one, number) for number in numbers)]


def with_used(answers: Answers, chapter: int) -> list[dict[str, Any]]:
    """Return the answers as they are once the chapter has landed: its notes are used."""
    mine = {str(one.number) for one in of_chapter(answers, chapter)}
    return [
        {**one, "done": one["answer"]} if one["kind"] == questions.NOTE and one["id"] in mine else dict(one)
        for one in answers
    ]


_ABOUT = "作者给这一章的话。"


def _is_note(entry: Any, number: int) -> bool:
    return bool(entry["kind"] == questions.NOTE and entry["id"] == str(number))


def _note(entry: Any) -> Note:
    used = entry["answer"] == entry["done"]
    return Note(int(entry["id"]), steps.parse(entry["step"]).number or 0, entry["answer"]["note"], used)
