"""The evaluation document: composed flat, read back whole, also from files in the seed's format."""

from __future__ import annotations

from typing import Any

import pytest
from verdicts import breach, legal_verdict, scores

from novel_hooks.rules.evaluation import document as evaluation_document
from novel_hooks.rules.evaluation.document import Verdict
from novel_hooks.rules.evaluation.fixes import WHOLE

SHA = "a" * 64


def composed(primary: dict[str, Any] | None, secondary: dict[str, Any] | None = None) -> dict[str, Any]:
    given = {
        "primary": None if primary is None else Verdict("sonnet", primary),
        "secondary": None if secondary is None else Verdict("opus", secondary),
    }
    return evaluation_document.compose(given, text_sha256=SHA, gate={"decision": "pass"}, warnings=["甲"])


def test_one_verdict_lies_flat_with_ours_beside_it() -> None:
    found = legal_verdict(4.2, issues=["乙"])
    document = composed(found)
    assert {key: document[key] for key in found} == found
    assert document["overall_final"] == 4.2
    assert document["metadata"] == {
        "judges": {
            "primary": {"model": "sonnet", "overall": 4.2, "verdict": found},
            "used": "primary",
            "overall_final": 4.2,
        },
        "gate": {"decision": "pass"},
        "text_sha256": SHA,
        "warnings": ["甲"],
    }


@pytest.mark.parametrize(
    ("first", "second", "used"), [(4.5, 4.1, "secondary"), (4.1, 4.5, "primary"), (4.1, 4.1, "secondary")]
)
def test_the_lower_verdict_is_used(first: float, second: float, used: str) -> None:
    document = composed(legal_verdict(first, issues=["一"]), legal_verdict(second, issues=["二"]))
    assert document["metadata"]["judges"]["used"] == used
    assert document["issues"] == (["一"] if used == "primary" else ["二"])
    assert document["overall_final"] == min(first, second)


def test_both_verdicts_come_back_whole() -> None:
    one, two = legal_verdict(4.5, issues=["一"]), legal_verdict(4.1, issues=["二"], metadata={"own": 1})
    document = composed(one, two)
    assert evaluation_document.verdict_of(document, "primary") == one
    assert evaluation_document.verdict_of(document, "secondary") == two
    assert evaluation_document.missing_roles(document, True) == []


def test_the_second_may_be_recorded_first() -> None:
    document = composed(None, legal_verdict(4.0))
    assert evaluation_document.missing_roles(document, True) == ["primary"]
    assert evaluation_document.missing_roles(document, False) == ["primary"]


def test_the_chapter_number_is_ours_to_say() -> None:
    document = evaluation_document.compose(
        {"primary": Verdict(None, legal_verdict(4.0))}, text_sha256=None, chapter=12
    )
    assert document["chapter"] == 12
    assert "gate" not in document["metadata"]
    assert document["metadata"]["judges"]["primary"]["verdict"]["chapter"] == 7


def test_composing_leaves_the_verdict_alone() -> None:
    found = legal_verdict(4.0)
    composed(found)["contract_verification"]["l1_checks"].append("x")
    assert found == legal_verdict(4.0)


def test_a_file_of_the_seed_without_metadata_is_the_primary_verdict() -> None:
    found = legal_verdict(4.0)
    assert evaluation_document.verdict_of(found, "primary") == found
    assert evaluation_document.verdict_of(found, "secondary") is None
    assert evaluation_document.missing_roles(found, False) == []
    assert evaluation_document.missing_roles(found, True) == ["secondary"]


def test_a_file_of_the_seed_holds_only_the_used_verdict_whole() -> None:
    judges = {
        "primary": {"model": "sonnet", "overall": 4.4},
        "secondary": {"model": "opus", "overall": 4.0},
        "used": "secondary",
        "overall_final": 4.0,
    }
    document = legal_verdict(4.0, overall_final=4.0, metadata={"judges": judges})
    assert evaluation_document.verdict_of(document, "secondary") == legal_verdict(4.0)
    assert evaluation_document.verdict_of(document, "primary") is None
    assert evaluation_document.missing_roles(document, True) == ["primary"]


def test_an_illegal_verdict_counts_as_missing() -> None:
    document = composed(legal_verdict(4.0), legal_verdict(4.5))
    document["metadata"]["judges"]["secondary"]["verdict"]["overall"] = "4.5"
    assert evaluation_document.missing_roles(document, True) == ["secondary"]
    assert evaluation_document.missing_roles(document, False) == []
    assert list(evaluation_document.verdicts_of(document)) == ["primary"]


@pytest.mark.parametrize("document", [None, [], "x", {}, {"metadata": {"judges": {"primary": None}}}])
def test_what_is_no_evaluation_misses_everything(document: object) -> None:
    assert evaluation_document.missing_roles(document, True) == ["primary", "secondary"]


def test_the_judges_own_fixes_come_first_and_from_both() -> None:
    one = legal_verdict(
        3.2, breach("l1"), required_fixes=[{"target": "第3段", "instruction": "改成雨天"}, "删掉独白", {}]
    )
    two = legal_verdict(
        3.4, required_fixes=[{"target": "第3段", "instruction": "改成雨天"}, {"instruction": " 补一句 "}]
    )
    assert evaluation_document.fixes([one, two]) == [
        {"target": "第3段", "instruction": "改成雨天"},
        {"target": WHOLE, "instruction": "删掉独白"},
        {"target": WHOLE, "instruction": "补一句"},
    ]


@pytest.mark.parametrize(("breaches", "made"), [(1, 3), (2, 3), (3, 3), (4, 4), (5, 5), (8, 5)])
def test_three_to_five_fixes_from_the_breaches(breaches: int, made: int) -> None:
    found = legal_verdict(3.2, required_fixes=[])
    found["contract_verification"]["l1_checks"] = [
        {"rule_id": f"W-{n}", "status": "violation", "confidence": "high", "detail": f"事{n}"}
        for n in range(breaches)
    ]
    fixes = evaluation_document.fixes([found])
    assert len(fixes) == made
    assert all(f"事{n}" in str(fixes) for n in range(breaches)), "none of the breaches may be lost"


def test_fixes_from_a_breach_that_only_the_other_verdict_saw() -> None:
    fixes = evaluation_document.fixes(
        [legal_verdict(3.2), legal_verdict(4.4, breach("l2", contract_id="C-9", detail="他怕水"))]
    )
    assert fixes[0]["target"] == "角色契约 C-9"
    assert "他怕水" in fixes[0]["instruction"]


def test_fixes_from_the_two_weakest_scores() -> None:
    one = legal_verdict(3.2, scores=scores(4.0, pacing=2.5, immersion=3.0))
    two = legal_verdict(3.4, scores=scores(4.0, character=2.0, immersion=3.0))
    assert [fix["target"] for fix in evaluation_document.fixes([one, two])] == ["人物", "节奏"]
    assert "character 的理由" in evaluation_document.fixes([one, two])[0]["instruction"]


def test_there_is_always_something_to_do() -> None:
    assert len(evaluation_document.fixes([legal_verdict(3.2)])) == 1


def test_faults_are_violations_then_what_is_asked_then_the_weakest() -> None:
    found = legal_verdict(
        2.0, breach("l1", rule_id="W-1", detail="灯灭了\n又亮"), scores=scores(4.0, pacing=2.0)
    )
    asked = {**found, "required_fixes": ["长" * 300]}
    told = evaluation_document.main_faults([asked])
    assert told[0] == "违反世界规则 W-1：灯灭了 又亮"
    assert told[1].endswith("…")
    assert len(told[1]) == 160
    assert "2.0" in told[2]
    assert evaluation_document.main_faults([legal_verdict(2.0)])
