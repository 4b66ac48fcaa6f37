"""A refiner who changes too much: the author is told, in `validate` and in `advance`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from copying import once

from novel_hooks import layout
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.chapter import handout
from novel_hooks.flows.chapter.desk import Desk
from novel_hooks.flows.chapter.handout import Handout
from novel_hooks.flows.checks import rewrite_checks
from novel_hooks.store.files.project import Project

PARTS = [f"他在第{n}块跳板上停了停，回头看水。" for n in range(40)]
TEXT = "# 第 2 章 夜渡\n\n" + "\n\n".join(PARTS) + "\n"


def with_changed(count: int) -> str:
    """The text with so many sentences written anew."""
    return TEXT.replace("\n\n".join(PARTS[:count]), "\n\n".join(["雾里有人咳嗽。"] * count), 1)


@once
def _for_a_polish(place: Path) -> Book:
    """Judged for a polish."""
    made = book(place)
    made.ok("lock", "acquire")
    made.draft(TEXT)
    made.advance("draft")
    made.records()
    made.advance("summarize")
    made.advance("refine")
    made.judge(3.7)
    assert made.advance("judge")["gate"]["decision"] == "polish"
    return made


@pytest.fixture
def made(tmp_path: Path) -> Book:
    made = _for_a_polish(tmp_path)
    made.ok("instructions", made.step("polish"))
    return made


def codes(made: Book, *argv: str) -> list[str]:
    found = made.novel(*argv)
    assert found.exit == 0
    return [d.code for d in found.diagnostics if d.code == "CHAPTER_RETOUCHED"]


@pytest.mark.parametrize(("count", "told"), [(0, 0), (2, 0), (12, 1), (40, 1)])
def test_a_polish_that_is_more_than_one_is_told(made: Book, count: int, told: int) -> None:
    made.draft(with_changed(count))
    assert len(codes(made, "validate", made.step("polish"))) == told
    assert codes(made, "advance", made.step("polish")) == [], "told already"
    assert made.next()["phase"] == "commit"


def unchanged(made: Book, *argv: str) -> list[str]:
    found = made.novel(*argv)
    assert found.exit == 0
    return [d.message for d in found.diagnostics if d.code == "CHAPTER_UNCHANGED"]


@pytest.mark.parametrize(("text", "told"), [(TEXT, 1), (TEXT + "\n", 0), (with_changed(2), 0)])
def test_a_polish_that_changed_nothing_is_told(made: Book, text: str, told: int) -> None:
    made.draft(text)
    step = made.step("polish")
    assert len(made.ok("validate", step)["again"]) == told
    assert len(unchanged(made, "validate", step)) == told
    assert unchanged(made, "advance", step) == [], "told already"
    assert made.next()["phase"] == "commit"
    assert unchanged(made, "validate", step) == []  # the verdict speaks of the polished text now


def test_a_revision_that_changed_nothing_is_told_and_asked_for_once_more(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("judged", overall=3.2)
    step = made.step("revise")
    made.ok("instructions", step)
    (told,) = made.ok("validate", step)["again"]
    assert "修订" in told and unchanged(made, "validate", step) == [told]
    assert made.ok("fail", step, "--reason", told)["answer"] == "retry"
    assert made.ok("validate", step)["again"] == []
    assert unchanged(made, "advance", step) == [], "told already"
    assert made.next()["phase"] == "summarize"


def test_a_refiner_may_find_nothing_to_change(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("drafted")
    assert unchanged(made, "validate", made.step("refine")) == []


@pytest.mark.parametrize(
    ("chars", "again", "word"),
    [(258, 1, "还差 2242 字"), (1300, 0, "还差 1200 字"), (4000, 0, "多了 200 字")],
)
def test_a_chapter_out_of_its_length(tmp_path: Path, chars: int, again: int, word: str) -> None:
    """Advice for the writer first; what is no chapter yet is asked for once more."""
    made = book(tmp_path)
    made.ok("lock", "acquire")
    made.draft("# 第 2 章 夜渡\n\n" + "水" * (chars - 1) + "。\n")
    found = made.novel("validate", made.step("draft"))
    (told,) = [d for d in found.diagnostics if d.code == "CHAPTER_LENGTH"]
    assert word in told.message and "请写手" in told.fix and "novel.yaml" in told.fix
    assert found.data["again"] == [told.message] * again
    made.advance("draft")
    made.records()

    def later() -> list[Any]:
        found = made.novel("validate", made.step("refine")).diagnostics
        return [one for one in found if one.code == "CHAPTER_LENGTH"]

    assert later() == [], "the same length is told once"
    made.draft("# 第 2 章 夜渡\n\n" + "水" * (chars - 2) + "。\n")
    assert ["写手" in one.fix for one in later()] == [False]


def test_the_text_before_can_be_looked_at(made: Book) -> None:
    made.draft(with_changed(40))
    told = next(d for d in made.novel("validate", made.step("polish")).diagnostics)
    place = next(word for word in told.fix.split() if word.startswith(layout.OWN))
    assert made.at(place).read_text("utf-8") == TEXT


def test_without_the_text_before_nothing_is_said(made: Book) -> None:
    for place in made.at(layout.attempts(2)).rglob("*.md"):
        place.unlink()
    made.draft(with_changed(40))
    assert codes(made, "validate", made.step("polish")) == []


def test_a_refiner_too_where_the_author_looks_after_him(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.ok("lock", "acquire", "--step", "refine")
    made.draft(TEXT)
    made.advance("draft")
    made.records()
    made.advance("summarize")
    made.ok("instructions", made.step("refine"))
    made.draft(with_changed(40))
    assert codes(made, "validate", made.step("refine")) == ["CHAPTER_RETOUCHED"]


def handed_out(made: Book, step: str, before: str | None) -> None:
    made.write(layout.HANDOUT, handout.dump(Handout(step=step, revisions=0, before=before)))


def retouched(made: Book, phase: str) -> list[str]:
    reading = Reading(Project(str(made.root)))
    found = list(rewrite_checks.problems(Desk(reading, 1, 2), phase))
    return [str(problem.values["before"]) for problem in found]


def test_another_steps_text_is_not_what_the_refiner_was_given(made: Book) -> None:
    kept = f"{layout.attempts(2)}/0009-x/chapter-002.md"
    made.write(kept, "完全另一篇。\n")
    handed_out(made, made.step("refine"), kept)
    assert retouched(made, "refine") == [kept]
    handed_out(made, made.step("draft"), kept)
    assert retouched(made, "refine") == []


def test_a_polish_without_its_hand_out_is_held_against_what_was_judged(made: Book) -> None:
    (judged,) = [path for path in made.attempts() if path.endswith("chapter-002.md")]
    made.drop(layout.HANDOUT)
    made.draft(with_changed(40))
    assert retouched(made, "polish") == [f"{layout.attempts(2)}/{judged}"]
    assert retouched(made, "refine") == []


def test_a_kept_text_that_is_lost_or_broken_says_nothing(made: Book) -> None:
    made.draft(with_changed(40))
    kept = f"{layout.attempts(2)}/0009-x/chapter-002.md"
    handed_out(made, made.step("refine"), kept)
    assert retouched(made, "refine") == []
    made.write(kept, b"\xff")
    assert retouched(made, "refine") == []
