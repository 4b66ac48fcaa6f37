"""The report of the lint in packets, as it was counted and remembered."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from conftest import CHECKOUT

from novel_hooks import layout
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.chapter.desk import Desk
from novel_hooks.flows.checks import lint as checks_lint
from novel_hooks.rules.lint import report as lint_report
from novel_hooks.rules.lint.residue.residue import blocking_residue
from novel_hooks.store.files.project import Project
from unit.flows.checks.linted_phase import at_phase

if TYPE_CHECKING:
    from pathlib import Path

SAMPLE = os.path.join(CHECKOUT, "novel_hooks", "sample")


# --- the packets -----------------------------------------------------------------------------


@pytest.mark.parametrize("phase", ["refine", "polish", "judge"])
def test_refiner_and_judge_get_the_facts(tmp_path: Path, phase: str) -> None:
    made = at_phase(tmp_path, "refine" if phase == "judge" else phase)
    if phase == "judge":
        made.stage("refined")
    made.draft("# 第 2 章 夜渡\n\n夜色渐浓。他走了，陈词1。\n")
    inputs = made.ok("instructions", made.step(phase))["inputs"]
    (given,) = [i for i in inputs if i["key"] == "lint_report"]
    asked = made.ok("lint", "2")
    assert given["value"] == {
        k: v
        for k, v in lint_report.packet_report(asked).items()
        if k not in ("chapter", "path", "staged", "misspelt")
    }
    assert given["value"]["chars"] == asked["chars"]
    assert given["value"]["blacklist"]["words"] == [{"word": "陈词1", "count": 1, "lines": [3]}]


# --- the sample ------------------------------------------------------------------------------


def recorded() -> list[str]:
    found = []
    for here, _, files in os.walk(os.path.join(SAMPLE, "recorded")):
        found += [os.path.join(here, name) for name in files if name == "chapter.md"]
    return sorted(found)


@pytest.mark.parametrize("place", recorded(), ids=lambda place: os.path.relpath(place, SAMPLE))
def test_the_recorded_chapters_have_no_residue(place: str) -> None:
    with open(place, encoding="utf-8") as handle:
        assert blocking_residue(handle.read()) == []


@pytest.mark.parametrize(
    "touched",
    [
        *(
            layout.BLACKLIST,
            layout.STYLE_PROFILE,
            layout.outline(1),
            layout.contract(1, 2),
            layout.chapter(1),
        ),
        layout.staged(layout.chapter(2)),
    ],
)
def test_what_is_remembered_of_a_text_is_what_would_be_counted_anew(tmp_path: Path, touched: str) -> None:
    made = at_phase(tmp_path, "refine")
    made.draft("# 第 2 章 夜渡\n\n夜色渐浓。他没有回头。对岸的灯灭了一盏，陈词1。\n")
    first = made.novel("instructions", made.step("refine"), "--json")
    assert made.at(layout.LINT).is_file()
    assert made.novel("instructions", made.step("refine"), "--json") == first
    made.write(touched, made.at(touched).read_bytes().replace("陈词1".encode(), "他没".encode()) + b"\n")
    changed = report_of(made)
    made.drop(layout.LINT)
    assert report_of(made) == changed
    assert json.dumps(changed) == json.dumps(made.json(layout.LINT)["report"])


@pytest.mark.parametrize("broken", ["{", "[]", '{"key": 1}', '{"report": 1}', b"\xff"])
def test_a_memory_that_is_broken_is_made_anew(tmp_path: Path, broken: str | bytes) -> None:
    made = at_phase(tmp_path, "refine")
    first = report_of(made)
    made.write(layout.LINT, broken)
    assert report_of(made) == first
    assert made.json(layout.LINT)["report"] == first
    assert made.novel("doctor").exit == 0


def report_of(made: Book) -> Any:
    inputs = made.ok("instructions", made.step("refine"))["inputs"]
    return next(i["value"] for i in inputs if i["key"] == "lint_report")


def test_the_report_is_ready_once_the_text_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`advance` counts; the first packet of refiner and judge has only to read it, and says the same."""
    made = book(tmp_path, 1)
    made.until("drafting")
    made.records()
    made.advance("summarize")
    wanted = report_of(made)
    monkeypatch.setattr(checks_lint, "_fresh_report", lambda *_: pytest.fail("counted again"))
    assert report_of(made) == wanted
    monkeypatch.undo()
    made.draft("# 第 2 章 夜渡\n\n另一稿。他没有回头。\n")
    made.advance("refine")
    monkeypatch.setattr(checks_lint, "_fresh_report", lambda *_: pytest.fail("counted again"))
    found = made.ok("instructions", made.step("judge"))
    report = next(i["value"] for i in found["inputs"] if i["key"] == "lint_report")
    assert report == made.json(layout.LINT)["report"] != wanted
    monkeypatch.undo()
    made.drop(layout.LINT)
    again = made.ok("instructions", made.step("judge"))
    assert next(i["value"] for i in again["inputs"] if i["key"] == "lint_report") == report


def test_a_report_that_cannot_be_kept_does_not_stop_the_step(tmp_path: Path) -> None:
    made = book(tmp_path, 1)
    made.ok("lock", "acquire")
    made.draft()
    made.at(layout.LINT).mkdir()
    assert made.advance("draft")["changed"]


def test_a_report_that_is_remembered_is_not_learnt_again(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "refine")
    counted = Reading(Project(str(made.root)))
    checks_lint.prepare_report(Desk(counted, 1, 2))
    assert list(counted.learnt) == [layout.LINT]
    made.write(layout.LINT, counted.learnt[layout.LINT])
    known = Reading(Project(str(made.root)))
    checks_lint.prepare_report(Desk(known, 1, 2))
    assert layout.LINT not in known.learnt


def test_what_people_are_called_is_no_repeated_opening(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.draft("# 第 2 章 夜渡\n\n" + "老幺走了。" * 6 + "阿四来了。" * 6 + "那盏灯亮了。" * 6 + "\n")

    def openings() -> list[str]:
        beside = checks_lint.LintMaterial(Reading(Project(str(made.root)))).beside(1, 2)
        found = lint_report.report(made.at(made.staged("chapter")).read_text("utf-8"), beside)
        return sorted(one["text"] for one in found["repeats"]["openings"])

    assert openings() == ["老幺", "那盏", "阿四"]
    path = layout.character_card("he-tie")
    made.write(path, {**made.json(path), "aliases": ["阿四"], "called_by": {"同事": "老幺"}})
    assert openings() == ["那盏"]
