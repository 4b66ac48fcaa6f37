"""One table of what each phase is given: packets are made of it, and what it names is looked at before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import Book as MadeBook
from builders import fast_disk as fast_disk

from novel_hooks import layout, roles
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.briefing import due_step
from novel_hooks.flows.chapter.desk import Desk
from novel_hooks.flows.packet import chapter_inputs as chapters
from novel_hooks.flows.packet import phase_inputs, preflight
from novel_hooks.flows.planning import planner_inputs as plans
from novel_hooks.rules.packet import packet
from novel_hooks.store.files.project import Project
from unit.flows.packet.test_chapter_inputs import AGENTS, KEYS, at_phase

if TYPE_CHECKING:
    from pathlib import Path

OF_EVERY_PHASE = {(layout.contract(1, 5), "chapter-contract"), (layout.schedule(1), "storyline-schedule")}
BESIDE = (phase_inputs.REDO, phase_inputs.LINE, phase_inputs.NOTES)
"""Parts that a plain book has none of."""
OTHERS = ("character", "current-state", "hints", "chapter-crossref", "chapter-delta", "chapter-eval")
"""Schemas of files that no part names: cards by the folder, the state, and what the crew made."""


def judged(monkeypatch: pytest.MonkeyPatch) -> set[tuple[str, str]]:
    """(path, schema) of every document that is asked for from now on."""
    asked: set[tuple[str, str]] = set()
    document = Book.document

    def recorded(book: Book, path: str, schema: str, own: bool = False) -> Any:
        if schema not in OTHERS:
            asked.add((path, schema))
        return document(book, path, schema, own)

    monkeypatch.setattr(Book, "document", recorded)
    return asked


def reading(made: MadeBook) -> Book:
    return Book(Project(str(made.root)))


def test_the_phases_are_those_that_somebody_works_on() -> None:
    assert set(phase_inputs.CHAPTER) == set(roles.CHAPTER_AGENTS)
    assert set(phase_inputs.PLANS) == {*roles.SETUP_OUTPUTS, *roles.VOLUME_OUTPUTS}
    assert phase_inputs.phase_parts("commit") == ()


@pytest.mark.parametrize("phase", AGENTS)
def test_the_table_names_the_inputs_in_the_packets_order(phase: str) -> None:
    parts = phase_inputs.CHAPTER[phase]
    keys = [key for part in parts for key in part.keys if part not in BESIDE]
    assert keys == [key for key in dict.fromkeys(KEYS[phase]) if key not in phase_inputs.LINE.keys]
    assert parts[-1] == phase_inputs.REDO or phase == "judge"


@pytest.mark.parametrize(
    ("table", "makers"), [(phase_inputs.CHAPTER, chapters._PARTS), (phase_inputs.PLANS, plans._PARTS)]
)
def test_every_part_is_made_and_every_maker_has_a_part(table: Any, makers: Any) -> None:
    parts = [part for phase in table.values() for part in phase]
    assert {part.name for part in parts} == set(makers)
    assert {key for part in parts for key in part.keys} <= set(packet.TITLES)
    assert len(set(parts)) == len({part.name for part in parts}), "one name, one part"


@pytest.mark.parametrize("phase", AGENTS)
def test_a_packet_is_made_of_the_documents_that_the_table_names(
    tmp_path: Path, phase: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(reading(at_phase(tmp_path, phase)), 1, 5)
    asked = judged(monkeypatch)
    chapters.for_phase(desk, phase, 1)
    named = {(document.path(1), document.schema) for document in phase_inputs.documents(phase)}
    assert asked == named | OF_EVERY_PHASE


@pytest.mark.parametrize("phase", ["draft", "summarize", "refine", "judge", "revise"])
def test_each_of_them_is_judged_before(tmp_path: Path, phase: str, monkeypatch: pytest.MonkeyPatch) -> None:
    book = reading(at_phase(tmp_path, phase))
    asked = judged(monkeypatch)
    preflight.problems(due_step.view(book))
    named = {(document.path(1), document.schema) for document in phase_inputs.documents(phase)}
    assert named <= asked


def test_a_document_that_is_added_to_a_part_is_looked_at_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The look ahead knows no phase of its own."""
    made = at_phase(tmp_path, "summarize")
    made.write(layout.STORYLINE_SPEC, "[]")
    assert not any(p.path == layout.STORYLINE_SPEC for p in preflight.problems(due_step.view(reading(made))))
    (spec,) = next(p for p in phase_inputs.CHAPTER["judge"] if p.name == "storyline_spec").documents
    longer = (*phase_inputs.CHAPTER["summarize"], phase_inputs.Part("storyline_spec", (), (spec,)))
    monkeypatch.setattr(phase_inputs, "CHAPTER", {**phase_inputs.CHAPTER, "summarize": longer})
    assert any(p.path == layout.STORYLINE_SPEC for p in preflight.problems(due_step.view(reading(made))))


@pytest.mark.parametrize(("phase", "count"), [("draft", 3), ("revise", 3), ("judge", 1), ("refine", 0)])
def test_how_many_earlier_chapters_are_told_of(tmp_path: Path, phase: str, count: int) -> None:
    made = at_phase(tmp_path, phase)
    for number in range(1, 5):
        made.drop(layout.summary(number))
    lost = [p.path for p in phase_inputs.missing_problems(reading(made), phase, 5, None)]
    assert lost == [layout.summary(number) for number in range(5 - count, 5)]
