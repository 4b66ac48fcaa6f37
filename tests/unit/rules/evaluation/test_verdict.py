"""A verdict is legal or not, and says what is odd about it."""

from __future__ import annotations

from typing import Any

import pytest
from verdicts import breach, legal_verdict, scores

from novel_hooks.rules.evaluation import document


def places(found: Any) -> list[str]:
    return [problem.values["where"] for problem in document.problems(found, "e.json")]


def told(found: dict[str, Any], rules: tuple[str, ...] = (), objectives: tuple[str, ...] = ()) -> list[str]:
    return document.warnings(found, hard_rules=rules, required_objectives=objectives)


@pytest.mark.parametrize("overall", [0, 5, 0.0, 4.05])
def test_a_legal_overall(overall: float) -> None:
    assert places(legal_verdict(overall)) == []


@pytest.mark.parametrize("overall", [5.0001, -0.1, float("nan"), float("inf"), False, {}, 10**400])
def test_an_illegal_overall(overall: object) -> None:
    assert places(legal_verdict(overall)) == ["overall（总分）"]


def test_a_missing_overall_is_illegal() -> None:
    found = legal_verdict()
    del found["overall"]
    assert places(found) == ["overall（总分）"]


@pytest.mark.parametrize("found", [None, [], "pass", 4.0])
def test_only_an_object_is_a_verdict(found: object) -> None:
    assert places(found) == ["整份结果"]


@pytest.mark.parametrize("layer", ["l1", "l2", "l3", "ls"])
@pytest.mark.parametrize("value", [None, {}, "[]"])
def test_each_list_of_checks_has_to_be_there(layer: str, value: object) -> None:
    found = legal_verdict()
    found["contract_verification"][f"{layer}_checks"] = value
    assert places(found) == [f"{layer}_checks"]


def test_without_any_verification() -> None:
    assert places(legal_verdict(contract_verification=None)) == ["contract_verification"]


@pytest.mark.parametrize(
    ("check", "place"),
    [
        ({"status": "fail", "confidence": "high"}, "l1_checks[0].status"),
        ({"status": None, "confidence": "high"}, "l1_checks[0].status"),
        ({"confidence": "high"}, "l1_checks[0].status"),
        ({"status": "pass"}, "l1_checks[0].confidence"),
        ({"status": "pass", "confidence": "高"}, "l1_checks[0].confidence"),
        ({"status": "pass", "confidence": 1}, "l1_checks[0].confidence"),
        ({"status": "pass", "confidence": "low", "constraint_type": "firm"}, "l1_checks[0].constraint_type"),
        ({"status": "pass", "confidence": "low", "constraint_type": None}, "l1_checks[0].constraint_type"),
        ("W-001 通过", "l1_checks[0]"),
    ],
)
def test_a_check_from_outside_the_sets(check: object, place: str) -> None:
    found = legal_verdict()
    found["contract_verification"]["l1_checks"] = [check]
    assert places(found) == [place]


def test_sets_are_compared_without_regard_to_case() -> None:
    check = {"layer": "ls", "status": "Violation_Suspected", "confidence": "HIGH", "constraint_type": "Soft"}
    assert places(legal_verdict(violation=check)) == []


@pytest.mark.parametrize("score", [0.5, 5.5, True, "4", None, float("nan")])
def test_a_score_out_of_range(score: object) -> None:
    entries = scores()
    entries["pacing"]["score"] = score
    assert places(legal_verdict(scores=entries)) == ["scores.pacing"]


def test_every_fault_is_found_in_one_look() -> None:
    found = legal_verdict(9, {"layer": "l2", "status": "?", "confidence": "?"}, scores={"pacing": 6})
    assert places(found) == [
        "overall（总分）",
        "l2_checks[0].status",
        "l2_checks[0].confidence",
        "scores.pacing",
    ]


def test_other_faults_of_shape_are_warnings_only() -> None:
    found = legal_verdict(4.0, scores={"pacing": 4, "plot_logic": {"reason": "好"}, "taste": {"score": 3}})
    assert places(found) == []
    said = told(found)
    assert "「节奏」只有分数，没有理由和引文。" in said
    assert "缺少「情节逻辑」的评分。" in said
    assert "多出不认识的评分项：taste。" in said


def test_no_scores_at_all() -> None:
    assert told(legal_verdict()) == ["没有分项评分。"]


def test_weights_add_up_and_the_mean_uses_them() -> None:
    assert sum(document.WEIGHTS.values()) == pytest.approx(1.0)
    assert document.weighted_mean(legal_verdict(scores=scores(3.0, plot_logic=5.0))) == pytest.approx(3.36)
    assert document.weighted_mean(legal_verdict(scores={"pacing": {"score": 4}})) is None


@pytest.mark.parametrize(
    ("overall", "odd"), [(4.0, False), (4.05, False), (3.95, False), (4.06, True), (3.9, True)]
)
def test_a_mean_that_differs_from_overall(overall: float, odd: bool) -> None:
    assert bool(told(legal_verdict(overall, scores=scores(4.0)))) is odd


def test_other_weights_than_agreed() -> None:
    entries = scores()
    entries["pacing"]["weight"] = 0.5
    assert told(legal_verdict(4.0, scores=entries)) == ["「节奏」的权重应是 0.08，评审写成了 0.5。"]


def test_doubts_are_told_and_certain_breaches_are_not() -> None:
    found = legal_verdict(4.0, breach("l2", "medium", contract_id="C-1", detail="像是"), scores=scores())
    found["contract_verification"]["l1_checks"] = [
        {"rule_id": "W-1", "status": "violation", "confidence": "high"},
        {"rule_id": "W-2", "status": "violation_suspected", "confidence": "high", "detail": "也许"},
        {"rule_id": "W-3", "status": "pass", "confidence": "low"},
    ]
    found["contract_verification"]["ls_checks"] = [
        {"rule_id": "LS-5", "status": "violation", "confidence": "high", "constraint_type": "soft"}
    ]
    said = told(found)
    assert [line.split("：")[0] for line in said] == ["世界规则 W-2", "角色契约 C-1", "故事线规则 LS-5"]


def test_hard_rules_and_required_objectives_that_nobody_checked() -> None:
    found = legal_verdict(4.0, scores=scores())
    found["contract_verification"]["l1_checks"] = [{"rule_id": "W-1", "status": "pass", "confidence": "high"}]
    found["contract_verification"]["l3_checks"] = [
        {"objective_id": "O-1", "status": "pass", "confidence": "high"}
    ]
    assert told(found, ("W-1", "W-2"), ("O-1", "O-2")) == [
        "评审没有核对硬规则 W-2。",
        "评审没有核对必须完成的目标 O-2。",
    ]


@pytest.mark.parametrize(
    ("check", "forces"),
    [
        (breach("l1"), True),
        (breach("l2", "HIGH"), True),
        (breach("l3", constraint_type="soft"), True),
        (breach("ls"), True),
        (breach("ls", constraint_type="Hard"), True),
        (breach("ls", constraint_type="soft"), False),
        (breach("l1", "medium"), False),
        ({"layer": "l1", "status": "violation_suspected", "confidence": "high"}, False),
    ],
)
def test_what_forces_a_revision(check: dict[str, Any], forces: bool) -> None:
    found = document.high_violations(legal_verdict(4.8, check))
    assert [one["layer"] for one in found] == ([check["layer"]] if forces else [])
