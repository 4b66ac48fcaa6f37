"""What becomes of a verdict's sum and its fixes, from the record to the landing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, make_verdict
from builders import fast_disk as fast_disk

from novel_hooks.store.schema import schema
from unit.flows.pipeline.recorded_verdict import record, refined

if TYPE_CHECKING:
    from pathlib import Path

COUNTED = "# 第 2 章 夜渡\n\n沈渡数了三天。“十二加九是二十二。”他说。水声从船底漫上来。\n"


SUM = {"target": "数账那句", "instruction": "改对", "kind": "fact", "quote": "十二加九是二十二"}


PLOT = {"target": "结尾", "instruction": "补一个选择", "kind": "story"}


WORDS = {"target": "末句", "instruction": "短些", "kind": "text"}


def with_text(tmp_path: Path, revisions: int = 0, key_chapter: bool = False) -> Book:
    made = refined(tmp_path, revisions, key_chapter)
    made.draft(COUNTED)
    made.records()
    return made


def test_a_sum_that_was_wrong_is_computed_and_told(tmp_path: Path) -> None:
    made = refined(tmp_path)
    said = {**make_verdict(3.9), "overall": 4.1}
    found = record(made, said)
    assert found.data["overall"] == 3.9
    assert any("4.1" in d.message and "3.90" in d.message for d in found.diagnostics)
    document = made.json(made.staged("evaluation"))
    assert (document["overall"], document["overall_reported"], document["overall_final"]) == (3.9, 4.1, 3.9)
    assert schema.problems("chapter-eval", document, "e") == []
    assert record(made, said).data["repeat"] is True
    assert made.advance("judge")["gate"]["decision"] == "polish"


@pytest.mark.parametrize(
    ("overall", "revisions", "fixes", "decision", "due"),
    [
        (4.04, 0, [SUM], "revise", "revise"),
        (3.9, 1, [SUM, WORDS], "revise", "revise"),
        (3.9, 0, [PLOT], "revise", "revise"),
        (3.9, 0, [{**PLOT, "kind": None}], "revise", "revise"),
        (3.9, 0, [WORDS], "polish", "polish"),
        (4.04, 0, [PLOT], "pass", "commit"),
        (4.04, 0, [{**SUM, "quote": "十二加九是三十"}], "pass", "commit"),
        (3.9, 2, [SUM, PLOT, WORDS], "polish", "polish"),
        (4.04, 2, [SUM], "pass", "commit"),
    ],
)
def test_a_fact_never_goes_to_the_refiner(
    tmp_path: Path, overall: float, revisions: int, fixes: list[Any], decision: str, due: str
) -> None:
    made = with_text(tmp_path, revisions)
    record(made, make_verdict(overall, required_fixes=fixes))
    assert made.advance("judge")["gate"]["decision"] == decision
    found = made.next()
    assert found["step"] == made.step(due)
    assert "评审建议" not in found["reason"]
    if due == "polish":
        given = {i["key"]: i for i in made.ok("instructions", made.step("polish"))["inputs"]}
        assert [fix["target"] for fix in given["required_fixes"]["value"]] == ["末句"]
    if due == "revise":
        given = {i["key"]: i for i in made.ok("instructions", made.step("revise"))["inputs"]}
        assert {fix["target"] for fix in given["required_fixes"]["value"]} == {f["target"] for f in fixes}


def test_the_reason_that_is_read_is_what_decided(tmp_path: Path) -> None:
    made = with_text(tmp_path)
    record(made, make_verdict(4.04, required_fixes=[SUM], recommendation="pass"))
    made.advance("judge")
    assert made.next()["reason"] == "评分 4.04，但评审指出正文写错了事实：「十二加九是二十二」，先修订"


def test_an_evaluation_of_before_decides_as_it_did(tmp_path: Path) -> None:
    made = with_text(tmp_path)
    made.stage("judged")
    document = made.evaluation(3.9, gate={"decision": "polish"})
    document["metadata"]["judges"]["primary"]["verdict"]["required_fixes"] = [SUM, PLOT]
    made.write(made.staged("evaluation"), document)
    assert made.next()["step"] == made.step("polish")
    assert made.ok("gate", "2")["decision"] == "polish"


def test_two_judges_fixes_are_one_list(tmp_path: Path) -> None:
    made = with_text(tmp_path, key_chapter=True)
    record(made, make_verdict(3.8, required_fixes=[SUM, PLOT]))
    other = {**SUM, "target": "第一段", "instruction": "十二加九应是二十一。", "kind": "text"}
    record(made, make_verdict(3.9, required_fixes=[other, WORDS]), role="secondary")
    fixes = made.advance("judge")["gate"]["required_fixes"]
    assert [(f["target"], f["kind"]) for f in fixes] == [
        ("第一段", "fact"),
        ("结尾", "story"),
        ("末句", "text"),
    ]


def test_what_is_good_and_what_is_left_is_told_with_the_landing(tmp_path: Path) -> None:
    made = with_text(tmp_path, 2)
    record(made, make_verdict(4.04, required_fixes=[PLOT, SUM], strengths=["水声好", "数账好"]))
    made.advance("judge")
    found = made.novel("commit", "--chapter", "2")
    lines = ["写得好：水声好；数账好。", "还可以改：（写错的事实）数账那句：改对；结尾：补一个选择。"]
    assert found.data["judged"] == lines
    assert found.text.splitlines()[1:3] == lines
    told = made.novel("log", "2")
    verdict = told.data["verdict"]
    assert verdict["strengths"] == ["水声好", "数账好"]
    assert {fix["kind"] for fix in verdict["fixes"]} == {"fact", "story"}
    assert len(verdict["scores"]) == 8 and verdict["reasons"] == ["评分 4.04，达到通过线 4.0"]
    assert "事实写错了　数账那句：改对" in told.text and "水声好" in told.text


def test_after_a_polish_the_words_are_mended(tmp_path: Path) -> None:
    made = with_text(tmp_path, 2)
    record(made, make_verdict(3.9, required_fixes=[WORDS, PLOT]))
    made.advance("judge")
    made.ok("instructions", made.step("polish"), "--write-manifest")
    made.draft(COUNTED.replace("漫上来", "漫着"))
    made.advance("polish")
    assert made.ok("commit", "--chapter", "2")["judged"][1] == "还可以改：结尾：补一个选择。"


def test_a_brace_behind_the_verdict_is_left_out_and_told(tmp_path: Path) -> None:
    made = refined(tmp_path)
    found = record(made, f"```json\n{json.dumps(make_verdict(4.5))}\n}}\n```")
    assert found.exit == 0 and "右花括号" in found.diagnostics[-1].message
    assert made.json(made.staged("evaluation"))["overall"] == 4.5
