"""The desk: whose fault a staged file's fault is, and what counts as found; the same for a landed chapter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from rewriting import plant, write_chapter

from novel_hooks import errors, layout
from novel_hooks.errors import FINDINGS
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.chapter import landed_desk, staged
from novel_hooks.flows.chapter.desk import RECORDED, Desk, maker
from novel_hooks.flows.checks import evaluation
from novel_hooks.rules.steps.next_step import Staged, StagedVerdict
from novel_hooks.rules.text import length
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def made(tmp_path: Path) -> Book:
    made = book(tmp_path)
    made.stage("judged")
    made.draft()
    made.records()
    made.evaluation()
    return made


def reading(made: Book) -> Reading:
    return Reading(Project(str(made.root)))


def desk(made: Book) -> Desk:
    return Desk(reading(made), 1, 2)


# whose fault -----------------------------------------------------------------------------------------


def test_everything_is_found(made: Book) -> None:
    found = desk(made)
    assert all(found.get(key).ok for key in ("chapter", *RECORDED, "evaluation"))


@pytest.mark.parametrize("key", ["chapter", *RECORDED])
def test_an_agents_broken_file_is_a_finding_about_him(made: Book, key: str) -> None:
    made.write(made.staged(key), b"\xff")
    found = desk(made).get(key)
    assert not found.ok and found.data == b"\xff"
    (problem,) = found.problems
    assert (problem.code, problem.exit, problem.path) == ("OUTPUT_BROKEN", FINDINGS, made.staged(key))
    assert maker(key) in problem.diagnostic().fix


def test_a_broken_verdict_is_to_be_judged_again(made: Book) -> None:
    made.write(made.staged("evaluation"), "{")
    (problem,) = desk(made).get("evaluation").problems
    assert (problem.code, problem.path) == ("EVALUATION_UNUSABLE", made.staged("evaluation"))


def test_another_files_fault_is_no_finding_about_this_one(made: Book) -> None:
    """Without its contract nobody can say what the delta should be."""
    made.write(layout.contract(1, 2), "{")
    with pytest.raises(errors.Problem) as caught:
        desk(made).get("delta")
    assert {p.path for p in caught.value.problems} == {layout.contract(1, 2)}
    assert all(p.code != "OUTPUT_BROKEN" for p in caught.value.problems)


def test_a_warning_is_no_finding_and_hides_no_file(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    doubt = errors.PlanKept(made.staged("summary"), kept="x")
    monkeypatch.setattr(length, "summary_problems", lambda _text, _path: [doubt])
    found = desk(made).get("summary")
    assert doubt.severity == "warning" and found.problems == (doubt,) and found.ok


def test_a_missing_file_names_who_makes_it(made: Book) -> None:
    made.drop(made.staged("summary"))
    found = desk(made).get("summary")
    assert (found.data, found.ok) == (None, False)
    assert "记录员" in str(found.problems[0].diagnostic().fix) + str(found.problems[0])
    assert desk(made).present("summary") == ()


def test_an_optional_output_counts_only_when_it_is_there(made: Book) -> None:
    assert "hints" not in [f.key for f in desk(made).phase_files("draft")]
    made.write(made.staged("hints"), {"notes": []})
    assert "hints" in [f.key for f in desk(made).phase_files("draft")]


def test_a_file_is_inspected_once(made: Book) -> None:
    found = desk(made)
    first = found.get("chapter")
    made.draft("另一稿\n")
    assert found.get("chapter") is first


# what staging holds ----------------------------------------------------------------------------------


def verdict(made: Book) -> StagedVerdict | None:
    book = reading(made)
    return staged.verdict(Desk(book, 1, 2), book.checkpoint())


def test_a_whole_verdict_has_an_outcome(made: Book) -> None:
    found = verdict(made)
    assert found is not None
    assert (found.missing, found.fresh, found.outcome, found.stored) == ((), True, "pass", None)


def test_while_a_judge_is_missing_there_is_no_outcome(made: Book) -> None:
    made.key_chapter()
    found = verdict(made)
    assert found is not None and (found.missing, found.outcome) == (("secondary",), None)


def test_elsewhere_no_outcome_is_asked_for(made: Book) -> None:
    made.stage("refined")
    found = verdict(made)
    assert found is not None and found.outcome is None


def test_a_verdict_on_another_text_is_not_fresh(made: Book) -> None:
    made.draft(version=2)
    found = verdict(made)
    assert found is not None and found.fresh is False
    made.evaluation(text_sha256=None)
    again = verdict(made)
    assert again is not None and again.fresh is True, "without a hash it is taken at its word"


def test_what_the_gates_entry_says(made: Book) -> None:
    judged = evaluation.with_gate_decision(desk(made), made.json(made.staged("evaluation")), 0)
    accepted = {"by": "author", "at": "2027-01-15T08:00:00Z", "over": "revise"}
    own = {"decision": "revise", "accepted": accepted, "decided_by": "author"}
    made.write(made.staged("evaluation"), evaluation.with_gate(desk(made), judged, **own))
    found = verdict(made)
    assert found is not None
    assert (found.stored, found.accepted, found.polished, found.by_author) == ("revise", True, False, True)


def test_without_a_text_nothing_else_counts(made: Book) -> None:
    made.drop(made.staged("chapter"))
    book = reading(made)
    assert staged.staged(Desk(book, 1, 2), book.checkpoint()) == Staged(False, False, None)


# a landed chapter ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def landed(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """Chapters 2 to 4; 2 plants a thread, 3 advances it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", lambda _handle: None)
        made = book(tmp_path_factory.mktemp("landed"), 1)
        write_chapter(made, plant("oar"))
        write_chapter(made, plant("oar", "advanced"))
        write_chapter(made)
    return made


def threads(document: object) -> dict[str, str]:
    listed = document["foreshadowing"] if isinstance(document, dict) else []
    return {item["id"]: item["status"] for item in listed}


def test_foreshadowing_is_that_of_before_the_chapter(landed: Book) -> None:
    def before(chapter: int) -> dict[str, str]:
        book = landed_desk.BookBefore(reading(landed), chapter)
        return threads(book.document(layout.FORESHADOWING, "foreshadowing"))

    assert "oar" not in before(2)
    assert (before(3)["oar"], before(4)["oar"]) == ("planted", "advanced")


def test_state_and_memory_are_those_of_before_the_chapter(landed: Book) -> None:
    book = landed_desk.BookBefore(reading(landed), 3)
    assert (book.state()["state_version"], book.state_path()) == (2, None)
    now = reading(landed).memory("river-line")[1]
    path, text = book.memory("river-line")
    assert path is None and text != now and book.memory_warning("river-line") is None


def test_other_files_are_those_of_now(landed: Book) -> None:
    book = landed_desk.BookBefore(reading(landed), 3)
    assert book.document(layout.STORYLINES, "storylines") == landed.json(layout.STORYLINES)


def test_a_memory_without_a_record_is_that_of_now_and_said_to_be(tmp_path: Path) -> None:
    made = book(tmp_path, 3)
    before = landed_desk.BookBefore(reading(made), 2)
    line = "tower-line"
    assert before.memory(line)[0] == layout.memory(line)
    warning = before.memory_warning(line)
    assert warning is not None and warning.code == "MEMORY_OF_NOW"


def test_a_fault_of_a_landed_text_is_the_authors(tmp_path: Path) -> None:
    made = book(tmp_path, 2)
    made.write(layout.chapter(2), "夜渡".encode("gbk"))
    (problem,) = landed_desk.desk(reading(made), 2).get("chapter").problems
    assert (problem.code, problem.path) == ("FILE_NOT_UTF8", layout.chapter(2))
    made.write(layout.staged(layout.summary(2)), b"\xff")
    (finding,) = landed_desk.desk(reading(made), 2).get("summary").problems
    assert finding.code == "OUTPUT_BROKEN"


def test_its_crew_stages_anew_or_is_seen_as_it_landed(tmp_path: Path) -> None:
    made = book(tmp_path, 2)
    anew, old = (landed_desk.desk(reading(made), 2, staged=flag) for flag in (True, False))
    assert anew.get("chapter").path == old.get("chapter").path == layout.chapter(2)
    assert (anew.get("crossref").path, old.get("crossref").path) == (
        layout.staged(layout.crossref(2)),
        layout.crossref(2),
    )
