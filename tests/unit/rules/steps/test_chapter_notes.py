"""The author's notes among his answers: numbered, in their chapters' order, used once."""

from __future__ import annotations

from novel_hooks.rules.steps import chapter_notes, questions
from novel_hooks.rules.steps.chapter_notes import Note

NOW = "2026-01-01T00:00:00Z"


def three() -> list[dict[str, object]]:
    known, _ = chapter_notes.with_note([], 5, "五", NOW)
    known, _ = chapter_notes.with_note(known, 3, "三", NOW)
    known, last = chapter_notes.with_note(known, 5, "又五", NOW)
    assert last == Note(3, 5, "又五", False)
    return known


def test_notes_are_numbered_and_listed_by_chapter() -> None:
    known = three()
    assert [(one.number, one.chapter) for one in chapter_notes.read_all(known)] == [(2, 3), (1, 5), (3, 5)]
    assert [one.text for one in chapter_notes.of_chapter(known, 5)] == ["五", "又五"]
    assert [one.chapter for one in chapter_notes.of_coming(known, 3)] == [5, 5]
    assert questions.parse(questions.document(known)) == known


def test_a_number_is_not_given_twice_while_a_later_one_stands() -> None:
    left = chapter_notes.without(three(), [1])
    assert [one.number for one in chapter_notes.read_all(left)] == [2, 3]
    assert chapter_notes.with_note(left, 9, "九", NOW)[1].number == 4


def test_a_changed_note_keeps_its_number_and_place() -> None:
    known, note = chapter_notes.with_note(three(), 6, "六", NOW, 1)
    assert (note, [entry["id"] for entry in known]) == (Note(1, 6, "六", False), ["1", "2", "3"])


def test_a_landing_uses_the_notes_of_its_chapter_alone() -> None:
    used = [(one.number, one.used) for one in chapter_notes.read_all(chapter_notes.with_used(three(), 5))]
    assert used == [(2, False), (1, True), (3, True)]


def test_notes_are_no_decisions_and_no_answer_to_a_planner() -> None:
    known = three()
    assert questions.packet_answers(known, "volume:01:outline") == []
    assert questions.pending_answers(known, "volume:01:outline") == []
    wrong = [{**known[0], "id": "x"}, {**known[0], "step": "setup:world"}, {**known[0], "kind": "question"}]
    assert [questions.parse({"decisions": [entry]}) for entry in wrong] == [None, None, None]
