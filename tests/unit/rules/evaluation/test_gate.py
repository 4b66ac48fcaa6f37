"""The gate's table, its bands, and what it needs to decide."""

from __future__ import annotations

import pytest
from verdicts import breach, legal_verdict

from novel_hooks.errors import VerdictMissing
from novel_hooks.rules.evaluation import document as evaluation_document
from novel_hooks.rules.evaluation import gate
from novel_hooks.rules.evaluation.gate_entry import Bands


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


@pytest.mark.parametrize(
    "stored",
    [
        {"pass": 5, "pause": 0},
        {"pass": 4, "polish": 4, "revise": 4, "pause": 4},
        {"max_revisions": 0},
    ],
)
def test_limits_may_be_equal_and_at_the_ends_of_the_scale(stored: dict[str, float]) -> None:
    assert {**Bands().to_json(), **stored} == Bands.from_json(stored).to_json()


@pytest.mark.parametrize(
    ("overall", "decision"),
    [
        (5, gate.PASS),
        (4.0, gate.PASS),
        (3.99, gate.POLISH),
        (3.5, gate.POLISH),
        (3.49, gate.REVISE),
        (3.0, gate.REVISE),
        (2.99, gate.PAUSE),
        (2.0, gate.PAUSE),
        (1.99, gate.PAUSE_REWRITE),
        (0, gate.PAUSE_REWRITE),
    ],
)
def test_the_lower_end_of_a_band_belongs_to_it(overall: float, decision: str) -> None:
    found = gate.decide(overall, False, 0)
    assert (found.decision, found.force_passed) == (decision, False)
    low = gate.decide(overall, False, 2)
    assert low.decision == (gate.PASS if decision == gate.REVISE else decision)
    assert low.force_passed is (decision == gate.REVISE)


@pytest.mark.parametrize(
    ("overall", "violation", "revisions", "reasons"),
    [
        (4.2, False, 0, ["评分 4.2，达到通过线 4.0"]),
        (3.6, False, 2, ["评分 3.6，差一点到通过线 4.0，再润色一遍即可"]),
        (3.2, False, 1, ["评分 3.2，低于润色线 3.5，需要修订"]),
        (3.2, False, 2, ["评分 3.2，低于润色线 3.5，需要修订", "已修订 2 次，不再自动修订，按约定放行"]),
        (2.5, False, 0, ["评分 2.5，低于修订线 3.0，请作者决定"]),
        (1, False, 0, ["评分 1，低于 2.0，建议重写，请作者决定"]),
        (4.8, True, 1, ["评审确定本章违反了必须遵守的条目"]),
        (4.8, True, 3, ["评审确定本章违反了必须遵守的条目", "已修订 3 次，不再自动修订"]),
    ],
)
def test_the_author_reads_score_limit_and_revisions(
    overall: float, violation: bool, revisions: int, reasons: list[str]
) -> None:
    assert gate.decide(overall, violation, revisions).reasons == reasons


def test_an_outcome_is_made_of_both_verdicts_the_lower_one_first() -> None:
    pair = {
        "primary": legal_verdict(3.2, required_fixes=["删掉独白"]),
        "secondary": legal_verdict(
            4.4, breach("l1", rule_id="W-1", detail="灯灭了又亮"), required_fixes=["补一句"]
        ),
    }
    outcome = gate.weigh_verdicts(pair, 2, Bands())
    assert outcome == gate.Outcome(
        decision=gate.PAUSE,
        force_passed=False,
        overall_final=3.2,
        used="primary",
        violations=[
            {
                "layer": "l1",
                "status": "violation",
                "confidence": "high",
                "rule_id": "W-1",
                "detail": "灯灭了又亮",
            }
        ],
        reasons=["评审确定本章违反了必须遵守的条目", "已修订 2 次，不再自动修订"],
        fixes=[
            {"target": "全章", "instruction": "删掉独白"},
            {"target": "全章", "instruction": "补一句"},
        ],
        faults=["违反世界规则 W-1：灯灭了又亮", "全章：删掉独白", "全章：补一句"],
    )


def test_revisions_and_bands_reach_the_decision() -> None:
    document = evaluation_document.compose(
        {"primary": evaluation_document.Verdict(None, legal_verdict(3.2))}, text_sha256=None
    )
    assert gate.gate_outcome(document, False, 1).decision == gate.REVISE
    passed = gate.gate_outcome(document, False, 2)
    assert (passed.decision, passed.force_passed, passed.used) == (gate.PASS, True, "primary")
    assert gate.gate_outcome(document, False, 0, Bands(3.1, 3.0, 2.0, 1.0, 2)).decision == gate.PASS


FACT = {"target": "数账", "instruction": "改对", "kind": "fact", "quote": "十二加九是二十二", "found": True}
STORY = {"target": "结尾", "instruction": "补一个选择", "kind": "story", "found": False}
WORDS = {"target": "开头", "instruction": "删一句", "kind": "text", "found": False}


def weighed(
    overall: float, listed: list[dict] | None, revisions: int = 0, breach_of: str = ""
) -> gate.Outcome:
    found = legal_verdict(overall, breach(breach_of) if breach_of else None)
    return gate.weigh_verdicts({"primary": found}, revisions, None, listed)


@pytest.mark.parametrize(
    ("overall", "listed", "revisions", "decision"),
    [
        (4.04, [FACT], 0, gate.REVISE),
        (3.9, [FACT], 1, gate.REVISE),
        (4.04, [FACT], 2, gate.PASS),
        (3.9, [FACT], 2, gate.POLISH),
        (4.04, [{**FACT, "found": False}], 0, gate.PASS),
        (3.9, [{**FACT, "found": False}], 0, gate.POLISH),
        (3.9, [STORY], 0, gate.REVISE),
        (3.9, [STORY], 2, gate.POLISH),
        (4.04, [STORY], 0, gate.PASS),
        (3.9, [WORDS], 0, gate.POLISH),
        (2.5, [FACT, STORY], 0, gate.PAUSE),
        (1.0, [FACT], 0, gate.PAUSE_REWRITE),
        (3.9, None, 0, gate.POLISH),
    ],
)
def test_a_fact_or_the_story_is_revised_while_revisions_are_left(
    overall: float, listed: list[dict] | None, revisions: int, decision: str
) -> None:
    found = weighed(overall, listed, revisions)
    assert (found.decision, found.force_passed) == (decision, False)


def test_the_refiner_gets_the_words_alone() -> None:
    found = weighed(3.9, [FACT, STORY, WORDS], 2)
    assert [fix["target"] for fix in found.fixes] == ["开头"]
    assert [fix["target"] for fix in weighed(3.2, [FACT, STORY, WORDS]).fixes] == ["数账", "结尾", "开头"]
    assert weighed(3.9, [FACT], 2).fixes == []
    assert weighed(3.2, [FACT, STORY]).faults[:2] == ["数账：改对", "结尾：补一个选择"]


def test_the_reason_is_what_decided() -> None:
    assert weighed(4.04, [FACT, STORY]).reasons == [
        "评分 4.04，但评审指出正文写错了事实：「十二加九是二十二」，先修订"
    ]
    assert weighed(3.9, [STORY]).reasons == [
        "评分 3.9，没到通过线 4.0，评审指出的毛病要动情节才能改：「结尾」，先修订"
    ]
    assert weighed(4.8, [FACT], breach_of="l1").reasons == ["评审确定本章违反了必须遵守的条目"]
    exact = [{**STORY, "target": "长" * 24}, {**STORY, "target": "长" * 25}]
    assert weighed(3.9, exact).reasons[0].endswith(f"：「{'长' * 24}」、「{'长' * 23}…」，先修订")
    many = [{**STORY, "target": f"第 {n} 场{'长' * 30}"} for n in range(4)]
    assert weighed(3.9, many).reasons[0].endswith("…」等 4 处，先修订")


def test_more_revisions_than_agreed_are_no_matter_of_two() -> None:
    found = {"primary": legal_verdict(4.04)}
    assert gate.weigh_verdicts(found, 2, Bands(max_revisions=3), [FACT]).decision == gate.REVISE
    assert gate.weigh_verdicts(found, 0, Bands(max_revisions=0), [FACT]).decision == gate.PASS
