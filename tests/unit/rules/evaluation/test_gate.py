"""The gate's table, its bands, and what it needs to decide."""

from __future__ import annotations

import pytest
from verdicts import breach, legal_verdict

from novel_hooks.errors import BandsInvalid, VerdictMissing
from novel_hooks.rules.evaluation import document as evaluation_document
from novel_hooks.rules.evaluation import gate
from novel_hooks.rules.evaluation.gate import Bands


def test_bands_survive_being_stored() -> None:
    bands = Bands(4.2, 3.6, 3.1, 1.5, 3)
    assert Bands.from_json(bands.to_json()) == bands
    assert bands.to_json() == {"pass": 4.2, "polish": 3.6, "revise": 3.1, "pause": 1.5, "max_revisions": 3}


def test_what_is_not_stored_is_the_default() -> None:
    assert Bands.from_json(None) == Bands.from_json({}) == Bands()
    assert Bands.from_json({"pass": 4.5, "note": "x"}) == Bands(pass_at=4.5)


@pytest.mark.parametrize(
    "stored",
    [
        [],
        "4.0",
        {"pass": "4.0"},
        {"pass": True},
        {"pass": float("nan")},
        {"pass": 5.1},
        {"pause": -0.1},
        {"polish": 4.1},
        {"revise": 3.6},
        {"pause": 3.2},
        {"max_revisions": -1},
        {"max_revisions": 2.0},
        {"max_revisions": None},
        {"max_revisions": True},
    ],
    ids=str,
)
def test_nonsense_is_refused(stored: object) -> None:
    with pytest.raises(BandsInvalid):
        Bands.from_json(stored)


def test_other_bands_decide_otherwise() -> None:
    bands = Bands(4.5, 4.0, 3.5, 2.5, 1)
    assert gate.decide(4.4, False, 0, bands).decision == gate.POLISH
    assert gate.decide(3.9, False, 0, bands).decision == gate.REVISE
    assert gate.decide(3.9, False, 1, bands) == (gate.PASS, True, gate.decide(3.9, False, 1, bands).reasons)
    assert gate.decide(4.9, True, 1, bands).decision == gate.PAUSE
    assert gate.decide(2.4, False, 0, bands).decision == gate.PAUSE_REWRITE


def test_no_revision_allowed_at_all() -> None:
    assert gate.decide(3.2, False, 0, Bands(max_revisions=0)).force_passed
    assert gate.decide(4.8, True, 0, Bands(max_revisions=0)).decision == gate.PAUSE


@pytest.mark.parametrize("revisions", [0, 1, 2, 3])
@pytest.mark.parametrize("violation", [False, True])
@pytest.mark.parametrize("overall", [4.0, 3.9999, 3.2, 2.5, 1.0, 0])
def test_every_decision_gives_its_reason_and_the_score_as_it_is(
    overall: float, violation: bool, revisions: int
) -> None:
    decided = gate.decide(overall, violation, revisions)
    assert decided.reasons
    if not violation:
        assert str(overall) in decided.reasons[0]
    if decided.force_passed:
        assert "放行" in decided.reasons[-1]


def test_the_outcome_names_both_judges_breaches_the_used_one_first() -> None:
    pair = {
        "primary": legal_verdict(4.5, breach("l1", rule_id="W-1")),
        "secondary": legal_verdict(4.2, breach("l2")),
    }
    outcome = gate.weigh_verdicts(pair, 0)
    assert [one["layer"] for one in outcome.violations] == ["l2", "l1"]
    assert outcome.fixes


@pytest.mark.parametrize(("key_chapter", "roles"), [(False, "主评审"), (True, "主评审、第二评审")])
def test_a_missing_verdict_decides_nothing(key_chapter: bool, roles: str) -> None:
    with pytest.raises(VerdictMissing) as refused:
        gate.gate_outcome({}, key_chapter, 0)
    assert refused.value.values["roles"] == roles


def test_a_second_verdict_counts_even_where_it_was_not_needed() -> None:
    given = {"primary": legal_verdict(4.5), "secondary": legal_verdict(3.2)}
    document = evaluation_document.compose(
        {role: evaluation_document.Verdict(None, found) for role, found in given.items()}, text_sha256=None
    )
    assert gate.gate_outcome(document, False, 0).decision == gate.REVISE
