"""Checks and scores of a verdict, read by layer and dimension."""

from __future__ import annotations

from typing import Any

import pytest
from verdicts import breach, legal_verdict, scores

from novel_hooks.rules.evaluation import verdict_fields as fields


def test_the_eight_weights_add_up_and_have_a_title_each() -> None:
    assert sum(fields.WEIGHTS.values()) == pytest.approx(1.0)
    assert list(fields.DIMENSIONS) == list(fields.WEIGHTS)


def test_checks_come_in_the_order_of_the_layers() -> None:
    found = legal_verdict()
    found["contract_verification"].update(
        ls_checks=[{"n": 4}], l3_checks=[{"n": 3}], l1_checks=[{"n": 1}, "无", None], l2_checks=[[], {"n": 2}]
    )
    assert list(fields.layer_checks(found)) == [
        ("l1", {"n": 1}),
        ("l2", {"n": 2}),
        ("l3", {"n": 3}),
        ("ls", {"n": 4}),
    ]


@pytest.mark.parametrize(
    "verification", [None, [], "x", {}, {"l1_checks": {"status": "pass"}, "l2_checks": "x"}]
)
def test_a_verification_of_a_wrong_shape_has_no_checks(verification: object) -> None:
    assert list(fields.layer_checks(legal_verdict(contract_verification=verification))) == []
    assert list(fields.layer_checks({})) == []


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
    found = fields.high_violations(legal_verdict(4.8, check))
    assert found == ([check] if forces else [])
    assert fields.forces_revision(check["layer"], check) is forces


@pytest.mark.parametrize(
    ("value", "word"), [("High", "high"), ("pass", "pass"), ("", ""), (None, ""), (1, ""), (["high"], "")]
)
def test_a_word_of_a_check_is_in_lower_case(value: object, word: str) -> None:
    assert fields.check_word({"confidence": value}, "confidence") == word
    assert fields.check_word({"status": "pass"}, "confidence") == ""


@pytest.mark.parametrize(
    ("entry", "score"),
    [(4, 4), (4.5, 4.5), ({"score": 3}, 3), ({"score": "3"}, None), ({}, None), (True, None), ("4", None)],
)
def test_a_score_is_bare_or_in_an_object(entry: object, score: float | None) -> None:
    assert fields.score_of({"scores": {"pacing": entry}}, "pacing") == score
    assert fields.score_of({"scores": {"pacing": entry}}, "character") is None


@pytest.mark.parametrize("listed", [None, [], "x", [{"pacing": 4}]])
def test_scores_of_a_wrong_shape_are_none(listed: object) -> None:
    assert fields.score_of({"scores": listed}, "pacing") is None
    assert fields.score_of({}, "pacing") is None
    assert fields.weighted_mean({"scores": listed}) is None


def test_the_mean_uses_the_weights_and_needs_all_eight() -> None:
    assert fields.weighted_mean(legal_verdict(scores=scores(3.0, plot_logic=5.0))) == pytest.approx(3.36)
    assert fields.weighted_mean(legal_verdict(scores=scores(3.0, pacing=5.0))) == pytest.approx(3.16)
    assert fields.weighted_mean(legal_verdict(scores={"pacing": {"score": 4}})) is None
    first = {name: entry for name, entry in scores().items() if name != "storyline_coherence"}
    assert fields.weighted_mean(legal_verdict(scores=first)) is None


@pytest.mark.parametrize(
    ("reported", "changed", "overall"),
    [
        (3.95, {"pacing": 2.5}, 3.88),
        (4.1, {}, 4.0),
        (4.0, {"plot_logic": 4.5, "pacing": 3.5}, 4.05),
        (1.0, {"immersion": 3.5, "foreshadowing": 4.5}, 3.98),
    ],
)
def test_the_sum_is_computed_and_the_judges_own_kept(
    reported: float, changed: dict[str, float], overall: float
) -> None:
    found = fields.with_computed_overall(legal_verdict(reported, scores=scores(4.0, **changed)))
    assert (found["overall"], found["overall_reported"]) == (overall, reported)


def test_where_a_score_is_missing_the_judges_number_counts() -> None:
    gap = {name: told for name, told in scores(4.0).items() if name != "pacing"}
    assert fields.with_computed_overall(legal_verdict(3.3, scores=gap)) == legal_verdict(3.3, scores=gap)
