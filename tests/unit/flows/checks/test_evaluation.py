"""The staged evaluation on its way: what is kept of it when the gate's decision goes in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.chapter.desk import Desk
from novel_hooks.flows.checks import evaluation
from novel_hooks.rules.evaluation import gate_entry
from novel_hooks.rules.evaluation.gate_entry import Bands
from novel_hooks.store.files.project import Project
from novel_hooks.store.schema import schema

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from novel_hooks.errors import Problem

ACCEPTED = {"by": "author", "at": "t", "over": "revise"}


@pytest.fixture
def made(tmp_path: Path) -> Book:
    made = book(tmp_path)
    made.stage("judged")
    made.draft()
    return made


def desk(made: Book) -> Desk:
    return Desk(Reading(Project(str(made.root))), 1, 2)


def gated(made: Book, document: dict[str, Any], revisions: int = 0) -> dict[str, Any]:
    return dict(gate_entry.gate_of(evaluation.with_gate_decision(desk(made), document, revisions)))


def test_a_decision_that_is_there_stays(made: Book) -> None:
    """Made in an earlier round, by other limits, or by the author."""
    entry = {"decision": "revise", "decided_by": "author", "revisions": 0, "note": "短一些"}
    document = made.evaluation(4.5, gate=entry)
    assert gated(made, document, 2) == entry
    found = evaluation.with_gate_decision(
        desk(made), {k: v for k, v in document.items() if k != "overall_final"}, 2
    )
    assert found["overall_final"] == 4.5


def test_one_that_another_tool_left_out_is_made(made: Book) -> None:
    found = gated(made, made.evaluation(3.2), 1)
    assert (found["decision"], found["revisions"], found["force_passed"]) == ("revise", 1, False)
    assert (found["polished"], found["accepted"], found["bands"]) == (False, None, Bands().to_json())


@pytest.mark.parametrize(
    "mark", [{"accepted": ACCEPTED}, {"polished": True}, {"accepted": ACCEPTED, "polished": True}]
)
def test_the_marks_of_an_entry_without_a_decision_stay(made: Book, mark: dict[str, Any]) -> None:
    found = gated(made, made.evaluation(3.2, gate=mark))
    assert found["decision"] == "revise"
    assert {key: found[key] for key in mark} == mark


def test_with_the_decision_goes_the_hash_of_the_text_as_it_is(made: Book) -> None:
    document = made.evaluation(4.5, text_sha256="0" * 64, warnings=["引文对不上"], mine=1)
    metadata = evaluation.with_gate_decision(desk(made), document, 0)["metadata"]
    assert metadata["text_sha256"] == made.sha("chapter")
    assert (metadata["warnings"], metadata["mine"]) == (["引文对不上"], 1)


def test_a_change_of_the_entry_leaves_the_rest(made: Book) -> None:
    document = made.evaluation(4.5, gate={"decision": "polish", "revisions": 1})
    found = evaluation.with_gate(desk(made), document, polished=True)
    assert gate_entry.gate_of(found) == {"decision": "polish", "revisions": 1, "polished": True}
    assert found["metadata"]["judges"] == document["metadata"]["judges"]
    assert gate_entry.gate_of(document) == {"decision": "polish", "revisions": 1}


# fixes -----------------------------------------------------------------------------------------------


def test_the_authors_note_is_the_first_fix(made: Book) -> None:
    document = made.evaluation(3.2, gate={"note": "结尾收短。"})
    found = evaluation.fixes(document)
    assert found[0] == {"target": "作者的意见", "instruction": "结尾收短。"}
    plain = evaluation.fixes(made.evaluation(3.2))
    assert found[1:] == plain


@pytest.mark.parametrize("note", [None, "", 3])
def test_no_note_is_no_fix(made: Book, note: Any) -> None:
    found = evaluation.fixes(made.evaluation(3.2, gate={"note": note}))
    assert all(one["target"] != "作者的意见" for one in found)


def test_without_a_verdict_there_is_nothing_to_fix() -> None:
    assert evaluation.fixes({"metadata": {"gate": {"note": "短"}}}) == []


def test_models_stand_beside_their_verdicts(made: Book) -> None:
    made.key_chapter()
    document = made.evaluation(4.5, second=4.2)
    document["metadata"]["judges"]["secondary"]["model"] = 3
    found = evaluation.verdicts(document)
    assert {role: one.model for role, one in found.items()} == {"primary": "sonnet", "secondary": None}
    assert (found["primary"].document["overall"], found["secondary"].document["overall"]) == (4.5, 4.2)


def accepted(made: Book) -> None:
    made.until("judged", 2.6)
    made.ok("decide", "2", "accept")


def sent_back(made: Book) -> None:
    made.until("judged", 2.6)
    made.ok("decide", "2", "revise", "--note", "把桩数清楚")


def polished(made: Book) -> None:
    made.until("judged", 3.7)
    text = made.at(made.staged("chapter")).read_text(encoding="utf-8")
    made.write(made.staged("chapter"), text.replace("第2根桩", "第二根桩", 1))
    made.advance("polish")


def recorded(made: Book) -> None:
    made.until("refined")
    made.judge(4.5)


@pytest.mark.parametrize("way", [recorded, lambda made: made.until("judged"), accepted, sent_back, polished])
def test_no_command_behind_it_checks_its_shape_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: Callable[[Book], None]
) -> None:
    """A schema costs `next` and `status` three times what they cost without one."""
    made = book(tmp_path)
    way(made)
    checked: list[str] = []
    problems = schema.problems

    def noting(name: str, value: Any, path: str) -> list[Problem]:
        checked.append(name)
        return problems(name, value, path)

    monkeypatch.setattr(schema, "problems", noting)
    made.next()
    made.ok("status")
    assert "chapter-eval" not in checked
