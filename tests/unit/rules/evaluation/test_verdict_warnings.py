"""Warnings on a legal verdict: suspicions, checks that are missing, scores and their mean."""

from __future__ import annotations

from typing import Any

import pytest
from verdicts import breach, legal_verdict, scores

from novel_hooks.rules.evaluation import verdict_warnings


def warned(
    verdict: dict[str, Any], rules: tuple[str, ...] = (), objectives: tuple[str, ...] = ()
) -> list[str]:
    return verdict_warnings.warnings(verdict, hard_rules=rules, required_objectives=objectives)


def test_a_verdict_that_is_whole_has_no_warning() -> None:
    assert warned(legal_verdict(4.0, scores=scores())) == []


def test_other_faults_of_shape_are_warnings_only() -> None:
    found = legal_verdict(
        4.0, scores={"pacing": 4, "plot_logic": {"reason": "好"}, "taste": {"score": 3}, "smell": 1}
    )
    assert warned(found) == [
        "缺少「情节逻辑」的评分。",
        "缺少「人物」的评分。",
        "缺少「沉浸感」的评分。",
        "缺少「伏笔」的评分。",
        "「节奏」只有分数，没有理由和引文。",
        "缺少「文风自然」的评分。",
        "缺少「情绪感染」的评分。",
        "缺少「故事线连贯」的评分。",
        "多出不认识的评分项：taste、smell。",
    ]


@pytest.mark.parametrize("changes", [{}, {"scores": None}, {"scores": [4]}])
def test_no_scores_at_all_are_one_warning(changes: dict[str, Any]) -> None:
    assert warned(legal_verdict(**changes)) == ["没有分项评分。"]


@pytest.mark.parametrize(
    ("overall", "odd"),
    [(4.0, False), (4.05, False), (3.95, False), (4.051, True), (3.949, True), (4.06, True), (3.9, True)],
)
def test_an_overall_far_from_the_mean_is_a_warning(overall: float, odd: bool) -> None:
    line = f"评审自己报的总分是 {overall}，按八项分数算是 4.00，以算出来的为准。"
    assert warned(legal_verdict(overall, scores=scores(4.0))) == ([line] if odd else [])


@pytest.mark.parametrize(("overall", "shown"), [("4.0", "4.0"), (None, "空"), (True, "真"), ([], "一组内容")])
def test_an_overall_that_is_no_number_is_shown_as_it_is(overall: object, shown: str) -> None:
    assert warned(legal_verdict(overall, scores=scores(4.0))) == [
        f"评审自己报的总分是 {shown}，按八项分数算是 4.00，以算出来的为准。"
    ]


@pytest.mark.parametrize(
    ("weight", "shown"), [(0.5, "0.5"), (0.081, "0.081"), ("0.08", "0.08"), (None, "空")]
)
def test_another_weight_than_agreed_is_a_warning(weight: object, shown: str) -> None:
    entries = scores()
    entries["pacing"]["weight"] = weight
    assert warned(legal_verdict(4.0, scores=entries)) == [f"「节奏」的权重应是 0.08，评审写成了 {shown}。"]


@pytest.mark.parametrize("weight", [0.08, 0.0800005, 0.0799995])
def test_a_weight_that_is_nearly_right_is_none(weight: float) -> None:
    entries = scores()
    entries["pacing"]["weight"] = weight
    del entries["character"]["weight"]
    assert warned(legal_verdict(4.0, scores=entries)) == []


def test_suspicions_are_warnings_and_certain_violations_are_not() -> None:
    found = legal_verdict(4.0, breach("l2", "medium", contract_id="C-1", detail="像是"), scores=scores())
    found["contract_verification"]["l1_checks"] = [
        {"rule_id": "W-1", "status": "violation", "confidence": "high"},
        {"rule_id": "W-2", "status": "violation_suspected", "confidence": "high", "detail": "也许"},
        {"rule_id": "W-3", "status": "pass", "confidence": "low"},
        {"status": "violation", "confidence": "LOW"},
    ]
    found["contract_verification"]["ls_checks"] = [
        {"rule_id": "LS-5", "status": "violation", "confidence": "high", "constraint_type": "soft"},
        {"rule_id": "LS-6", "status": "violation", "confidence": "无"},
    ]
    assert warned(found) == [
        "世界规则 W-2：评审觉得可能不符（有把握）：也许",
        "世界规则 （没有编号）：评审觉得可能不符（把握很小）：没有写明原因",
        "角色契约 C-1：评审觉得可能不符（不太确定）：像是",
        "故事线规则 LS-5：评审觉得可能不符（有把握）：没有写明原因",
        "故事线规则 LS-6：评审觉得可能不符（）：没有写明原因",
    ]


def test_hard_rules_and_required_objectives_without_a_check_are_warnings() -> None:
    found = legal_verdict(4.0, scores=scores())
    found["contract_verification"]["l1_checks"] = [{"rule_id": "W-1", "status": "pass", "confidence": "high"}]
    found["contract_verification"]["l3_checks"] = [
        {"objective_id": "O-1", "status": "pass", "confidence": "high"},
        {"objective_id": ["O-2"], "status": "pass", "confidence": "high"},
    ]
    assert warned(found, ("W-1", "W-2", "O-1"), ("O-1", "O-2")) == [
        "评审没有核对硬规则 W-2、O-1。",
        "评审没有核对必须完成的目标 O-2。",
    ]


@pytest.mark.parametrize(("written", "shown"), [(8, "8"), ("7", "7"), (None, "空"), (True, "真")])
def test_another_chapters_number_is_a_warning(written: object, shown: str) -> None:
    (line,) = verdict_warnings.chapter_warnings({"chapter": written}, 7)
    assert line == f"评审写的章号是「{shown}」，而这是第 7 章：请看一眼它评的是不是这一章。"


def test_the_right_number_or_none_is_no_warning() -> None:
    assert list(verdict_warnings.chapter_warnings({"chapter": 7}, 7)) == []
    assert list(verdict_warnings.chapter_warnings({}, 7)) == []
    assert len(list(verdict_warnings.chapter_warnings({"chapter": True}, 1))) == 1


def test_a_note_has_the_words_of_rules_for_their_ids() -> None:
    words = {"W-1": "闸一开要一刻钟才合得上。", "W-12": "长" * 30, "O-1": ""}
    said = verdict_warnings.in_words("评审没有核对硬规则 W-12、W-1、O-1。", words)
    assert said == f"评审没有核对硬规则「{'长' * 23}…」、「闸一开要一刻钟才合得上」、O-1。"
    assert verdict_warnings.in_words("硬规则 W-123", words) == "硬规则 W-123"


@pytest.mark.parametrize(
    ("note", "told"),
    [
        ("违反了W-1和「W-1」", "违反了「闸」和「闸」"),
        ("「W-1 里写的」", "「「闸」里写的」"),
        ("角色契约 c-1：x", "角色契约「说到 W-1」：x"),
        (
            "characters/c-1.json，`novel who c-1`，c-1.2，c-1-b",
            "characters/c-1.json，`novel who c-1`，「说到 W-1」.2，c-1-b",
        ),
    ],
)
def test_an_id_is_replaced_once_and_only_where_it_stands_alone(note: str, told: str) -> None:
    assert verdict_warnings.in_words(note, {"W-1": "闸。", "c-1": "说到 W-1", "d": ""}) == told
