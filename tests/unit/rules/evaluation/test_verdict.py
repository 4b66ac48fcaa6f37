"""A verdict is legal or not; each reason names its place."""

from __future__ import annotations

from typing import Any

import pytest
from verdicts import breach, legal_verdict, scores

from novel_hooks.rules.evaluation import verdict as verdicts


def places(found: Any) -> list[str]:
    return [problem.values["where"] for problem in verdicts.problems(found, "e.json")]


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


def test_every_list_that_is_not_there_is_named() -> None:
    verification = {"l1_checks": None, "l2_checks": [], "l3_checks": {}, "ls_checks": [7]}
    found = legal_verdict(contract_verification=verification)
    assert places(found) == ["l1_checks", "l3_checks", "ls_checks[0]"]


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


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        ([], ("整份结果", "应是一个对象")),
        (legal_verdict(9), ("overall（总分）", "应是 0 到 5 之间的数")),
        (legal_verdict(contract_verification=[]), ("contract_verification", "缺少四组核对结果")),
        (legal_verdict(scores=[]), ("scores", "应是各项评分的对照表")),
        (legal_verdict(scores={"pacing": 6}), ("scores.pacing", "的分数应是 1 到 5 之间的数")),
    ],
)
def test_a_reason_names_the_file_the_place_and_the_fault(found: Any, reason: tuple[str, str]) -> None:
    (problem,) = verdicts.problems(found, "e.json")
    assert (problem.code, problem.exit) == ("JUDGE_VERDICT_INVALID", 1)
    assert (problem.values["where"], problem.values["detail"]) == reason
    assert problem.diagnostic().path == "e.json"


def test_a_check_is_counted_from_zero_and_its_words_are_listed() -> None:
    found = legal_verdict()
    found["contract_verification"]["l3_checks"] = [{"status": "pass", "confidence": "high"}, "x", {}]
    assert [(one.values["where"], one.values["detail"]) for one in verdicts.problems(found)] == [
        ("l3_checks[1]", "应是一个对象"),
        ("l3_checks[2].status", "应是 pass、violation、violation_suspected 之一"),
        ("l3_checks[2].confidence", "应是 high、medium、low 之一"),
    ]
    found["contract_verification"].pop("l1_checks")
    (first, *_) = verdicts.problems(found)
    assert first.values["detail"] == "应是一个列表（没有核对项就写空列表）"


@pytest.mark.parametrize("score", [1, 5, 1.0, 4.25])
def test_a_score_at_the_ends_of_the_scale_is_legal(score: float) -> None:
    assert places(legal_verdict(scores={"pacing": score, "character": {"score": score}})) == []


def test_an_entry_without_a_score_hides_no_fault_behind_it() -> None:
    assert places(legal_verdict(scores={"pacing": {"reason": "好"}, "character": {"score": 0.99}})) == [
        "scores.character"
    ]
    assert places(legal_verdict(scores={"pacing": {}})) == []


def test_checks_come_in_the_order_of_the_layers() -> None:
    found = legal_verdict()
    found["contract_verification"].update(
        ls_checks=[{"n": 4}], l3_checks=[{"n": 3}], l1_checks=[{"n": 1}, "无", None], l2_checks=[[], {"n": 2}]
    )
    assert list(verdicts.layer_checks(found)) == [
        ("l1", {"n": 1}),
        ("l2", {"n": 2}),
        ("l3", {"n": 3}),
        ("ls", {"n": 4}),
    ]


@pytest.mark.parametrize(
    "verification", [None, [], "x", {}, {"l1_checks": {"status": "pass"}, "l2_checks": "x"}]
)
def test_a_verification_of_a_wrong_shape_has_no_checks(verification: object) -> None:
    assert list(verdicts.layer_checks(legal_verdict(contract_verification=verification))) == []
    assert list(verdicts.layer_checks({})) == []


@pytest.mark.parametrize(
    ("check", "forces"),
    [
        (breach("l1"), True),
        (breach("l2", "HIGH"), True),
        (breach("l3", constraint_type="soft"), True),
        (breach("ls"), True),
        (breach("ls", constraint_type="Hard"), True),
        (breach("ls", constraint_type="soft"), False),
        (breach("ls", constraint_type=None), False),
        (breach("l1", "medium"), False),
        (breach("l1", status="VIOLATION"), True),
        (breach("l1", status="pass"), False),
        ({"layer": "l1", "status": "violation_suspected", "confidence": "high"}, False),
        ({"layer": "l1", "confidence": "high"}, False),
        ({"layer": "l1", "status": "violation"}, False),
    ],
)
def test_a_certain_violation_forces_a_revision(check: dict[str, Any], forces: bool) -> None:
    found = verdicts.high_violations(legal_verdict(4.8, check))
    assert found == ([check] if forces else [])
    assert verdicts.forces_revision(check["layer"], check) is forces


@pytest.mark.parametrize(
    ("value", "word"), [("High", "high"), ("pass", "pass"), ("", ""), (None, ""), (1, ""), (["high"], "")]
)
def test_a_word_of_a_check_is_in_lower_case(value: object, word: str) -> None:
    assert verdicts.check_word({"confidence": value}, "confidence") == word
    assert verdicts.check_word({"status": "pass"}, "confidence") == ""
