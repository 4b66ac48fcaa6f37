"""The eight scores of a verdict, and the overall score that they make."""

from __future__ import annotations

import pytest
from verdicts import legal_verdict, scores

from novel_hooks.rules.evaluation import score as marks


def test_the_eight_weights_add_up_and_have_a_title_each() -> None:
    assert sum(marks.WEIGHTS.values()) == pytest.approx(1.0)
    assert list(marks.DIMENSIONS) == list(marks.WEIGHTS)


@pytest.mark.parametrize(
    ("entry", "score"),
    [(4, 4), (4.5, 4.5), ({"score": 3}, 3), ({"score": "3"}, None), ({}, None), (True, None), ("4", None)],
)
def test_a_score_is_bare_or_in_an_object(entry: object, score: float | None) -> None:
    assert marks.score_of({"scores": {"pacing": entry}}, "pacing") == score
    assert marks.score_of({"scores": {"pacing": entry}}, "character") is None


@pytest.mark.parametrize("listed", [None, [], "x", [{"pacing": 4}]])
def test_scores_of_a_wrong_shape_are_none(listed: object) -> None:
    assert marks.score_of({"scores": listed}, "pacing") is None
    assert marks.score_of({}, "pacing") is None
    assert marks.weighted_mean({"scores": listed}) is None


def test_the_mean_uses_the_weights_and_needs_all_eight() -> None:
    assert marks.weighted_mean(legal_verdict(scores=scores(3.0, plot_logic=5.0))) == pytest.approx(3.36)
    assert marks.weighted_mean(legal_verdict(scores=scores(3.0, pacing=5.0))) == pytest.approx(3.16)
    assert marks.weighted_mean(legal_verdict(scores={"pacing": {"score": 4}})) is None
    first = {name: entry for name, entry in scores().items() if name != "storyline_coherence"}
    assert marks.weighted_mean(legal_verdict(scores=first)) is None


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
    found = marks.with_computed_overall(legal_verdict(reported, scores=scores(4.0, **changed)))
    assert (found["overall"], found["overall_reported"]) == (overall, reported)


def test_where_a_score_is_missing_the_judges_number_counts() -> None:
    gap = {name: told for name, told in scores(4.0).items() if name != "pacing"}
    assert marks.with_computed_overall(legal_verdict(3.3, scores=gap)) == legal_verdict(3.3, scores=gap)
