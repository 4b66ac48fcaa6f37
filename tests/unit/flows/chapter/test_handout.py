"""The hand-out's file: read into fields and written again, it is the same byte for byte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from builders import Book as MadeBook
from builders import book as built
from builders import fast_disk as fast_disk
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks import layout
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.chapter import handout, work_log
from novel_hooks.flows.chapter.handout import NOTHING, Handout, Run
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal

DRAFT = "chapter:003:draft"
JUDGE = "chapter:003:judge"
OUT = {"step": DRAFT, "role": None, "model": "sonnet", "revisions": 0, "at": 12.5}
WHOLE = {
    **OUT,
    "text_sha256": "a",
    "handed": "b",
    "before": ".novel/attempts/x.md",
    "note": "短一些",
    "said": "again",
    "over": "c",
    **dict.fromkeys(("given", "done", "recorded", "failed"), True),
    "runs": [{"id": "a", "model": None, "duration_ms": 5}],
}
ODD = st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=3) | st.just([]) | st.just({})
RUNS = st.lists(st.dictionaries(st.sampled_from(["id", "model"]), st.text(max_size=2)), max_size=2)


def reading(made: MadeBook) -> Book:
    return Book(Project(str(made.root)))


def with_file(tmp_path: Path, document: Any) -> MadeBook:
    made = built(tmp_path)
    made.write(layout.HANDOUT, document)
    return made


def written(changes: list[Any]) -> Any:
    (change,) = [one for one in changes if one.path == layout.HANDOUT]
    return jsonio.parse(change.data, layout.HANDOUT)


@pytest.mark.parametrize("document", [OUT, WHOLE, {}, {"step": DRAFT, "revisions": 0}, {"mine": [1], **OUT}])
def test_what_is_read_is_written_as_it_was(document: dict[str, Any]) -> None:
    assert handout.dump(handout.parse(document)) == jsonio.dump(document)


@given(st.dictionaries(st.sampled_from([*WHOLE, "mine"]), ODD, max_size=6), RUNS)
def test_so_is_what_somebody_else_wrote_there(odd: dict[str, Any], runs: list[dict[str, Any]]) -> None:
    document = {"role": None, "model": None, **odd, "runs": runs}
    assert handout.dump(handout.parse(document)) == jsonio.dump(document)


def test_every_key_has_a_field() -> None:
    found = handout.parse(WHOLE)
    assert found.rest == {"role": None} and {*Handout._fields, *found.rest} == {*WHOLE, "rest"}
    assert found._replace(rest={})._asdict() == {**WHOLE, "runs": (WHOLE["runs"][0],), "rest": {}}


def test_a_new_hand_out_names_role_and_model_even_when_there_are_none() -> None:
    made = Handout(step=DRAFT, revisions=0, at=1.0)
    assert handout.dump(made) == jsonio.dump(
        {"step": DRAFT, "role": None, "model": None, "revisions": 0, "at": 1.0}
    )


@pytest.mark.parametrize("content", [None, b"{", b"[]", b"\xff", b"{}"])
def test_no_file_and_one_that_is_broken_are_nothing(tmp_path: Path, content: bytes | None) -> None:
    made = built(tmp_path)
    if content is not None:
        made.write(layout.HANDOUT, content)
    assert handout.read(reading(made)) == NOTHING and not NOTHING.exists


@pytest.mark.parametrize(
    ("more", "busy", "outcome"),
    [
        ({}, False, False),
        ({"given": True}, True, False),
        ({"done": True}, True, True),
        ({"recorded": True}, True, True),
        ({"said": "stop"}, True, True),
        ({"given": True, "failed": True}, False, True),
        ({"done": 1, "given": "yes"}, False, False),
    ],
)
def test_whose_work_it_is(tmp_path: Path, more: dict[str, Any], busy: bool, outcome: bool) -> None:
    book = reading(with_file(tmp_path, {**OUT, **more}))
    assert handout.step_at_work(book) == (DRAFT if busy else None)
    assert handout.read(book).has_outcome is outcome and handout.read(book).exists


def test_a_failure_takes_the_claims_back_and_leaves_the_rest(tmp_path: Path) -> None:
    made = with_file(tmp_path, {**WHOLE, "failed": False, "mine": 1})
    left = {key: value for key, value in WHOLE.items() if key not in ("done", "said", "over")}
    assert written(handout.undone_changes(reading(made), DRAFT)) == {**left, "failed": True, "mine": 1}
    assert handout.undone_changes(reading(made), JUDGE) == []


def test_an_answer_stands_beside_what_was_handed_out(tmp_path: Path) -> None:
    made = with_file(tmp_path, {**WHOLE, "mine": 1})
    change = handout.answer_change(reading(made), DRAFT, 0, "go-on", "d", None)
    kept = {key: value for key, value in WHOLE.items() if key != "failed"}
    assert written([change]) == {**kept, "said": "go-on", "over": "d", "mine": 1}
    other = handout.answer_change(reading(made), JUDGE, 0, "again", "d", "重看")
    assert written([other]) == {"step": JUDGE, "revisions": 0, "said": "again", "over": "d", "note": "重看"}


def test_a_run_is_noted_once_beside_what_the_file_holds(tmp_path: Path) -> None:
    made = with_file(tmp_path, {**OUT, "mine": 1, "done": False})
    noted = written(work_log.run_changes(reading(made), Run("a", "m", {"input_tokens": 3})))
    assert noted == {**OUT, "mine": 1, "done": True, "runs": [{"id": "a", "model": "m", "input_tokens": 3}]}
    made.write(layout.HANDOUT, noted)
    assert work_log.run_changes(reading(made), Run("a", "m", {})) == []


def test_a_failure_is_noted_once(tmp_path: Path) -> None:
    made = with_file(tmp_path, {**OUT, "failed": True})
    assert handout.undone_changes(reading(made), DRAFT) == []


def test_a_verdict_is_taken_of_the_judge_who_has_the_step(tmp_path: Path) -> None:
    made = with_file(tmp_path, {**OUT, "step": JUDGE, "role": "primary"})
    assert written(handout.recorded_changes(reading(made), JUDGE, "primary"))["recorded"] is True
    assert handout.recorded_changes(reading(made), JUDGE, "secondary") == []
    assert handout.recorded_changes(reading(made), DRAFT, "primary") == []


def test_a_step_is_out_in_its_round_of_revision_alone(tmp_path: Path) -> None:
    made = with_file(tmp_path, {**OUT, "revisions": 1})
    assert [handout.step_out(reading(made), rounds) for rounds in (0, 1, 2)] == [None, DRAFT, None]


@pytest.mark.parametrize(("note", "read"), [("短一些", "短一些"), (" ", None), ("", None), (None, None)])
def test_a_note_is_for_its_step(tmp_path: Path, note: str | None, read: str | None) -> None:
    made = with_file(tmp_path, {**OUT, "note": note})
    assert handout.author_note(reading(made), DRAFT) == read
    assert handout.author_note(reading(made), JUDGE) is None


def test_an_answer_of_another_round_begins_anew(tmp_path: Path) -> None:
    made = with_file(tmp_path, {**WHOLE, "revisions": 1})
    change = handout.answer_change(reading(made), DRAFT, 0, "go-on", "d", None)
    assert written([change]) == {"step": DRAFT, "revisions": 0, "said": "go-on", "over": "d"}


def test_with_the_hand_out_the_fence_goes_to_rest(tmp_path: Path) -> None:
    made = with_file(tmp_path, OUT)
    made.write(layout.FENCE_ARMED, f"{DRAFT}\n")
    found = [(one.kind, one.path) for one in handout.clear_changes(reading(made))]
    assert found == [("remove", layout.HANDOUT), ("remove", layout.FENCE_ARMED)]
    made.drop(layout.HANDOUT)
    assert [one.path for one in handout.clear_changes(reading(made))] == [layout.FENCE_ARMED]


def test_a_cache_is_left_out_where_no_file_can_be(tmp_path: Path) -> None:
    """A folder or a link in its place stops no step."""
    book = reading(built(tmp_path))
    free, folder, link = layout.RECALL, layout.PASSAGES, layout.LINT
    book.learnt = {free: b"1", folder: b"2", link: b"3"}
    place = book.project.absolute
    for path in (folder, layout.VALIDITY):
        Path(place(path)).mkdir(parents=True)
    Path(place(link)).symlink_to(tmp_path)
    book.validity.learn("foreshadowing", b"{}")
    assert handout.learnt_changes(book) == [journal.put(free, b"1")]
    Path(place(layout.VALIDITY)).rmdir()
    found = [one.path for one in handout.learnt_changes(book)]
    assert found == [free, layout.VALIDITY], "the caches by name, the verdicts last"
