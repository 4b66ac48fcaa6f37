"""Fixes of a revision: the judges' own, else made from violations, else from the weakest scores."""

from __future__ import annotations

from typing import Any

import pytest
from verdicts import breach, legal_verdict, scores

from novel_hooks.rules.evaluation import fixes as evaluation_fixes
from novel_hooks.rules.evaluation.fixes import LINE, WHOLE, fixes, main_faults


def violated(count: int, **more: Any) -> dict[str, Any]:
    """A verdict with so many certain violations of world rules, without fixes of its own."""
    found = legal_verdict(3.2, required_fixes=[], **more)
    found["contract_verification"]["l1_checks"] = [
        {"rule_id": f"W-{n}", "status": "violation", "confidence": "high", "detail": f"事{n}"}
        for n in range(count)
    ]
    return found


def made(n: int) -> dict[str, str]:
    """The fix of the violation number `n`."""
    return {"target": f"世界规则 W-{n}", "instruction": f"改掉违反之处，使正文符合这一条。评审指出：事{n}"}


def test_the_judges_own_fixes_come_first_and_from_both() -> None:
    one = legal_verdict(
        3.2, breach("l1"), required_fixes=[{"target": " 第3段 ", "instruction": "改成雨天"}, "删掉独白", {}]
    )
    two = legal_verdict(
        3.4, required_fixes=[{"target": "第3段", "instruction": "改成雨天"}, {"instruction": " 补一句 "}]
    )
    assert fixes([one, two]) == [
        {"target": "第3段", "instruction": "改成雨天"},
        {"target": WHOLE, "instruction": "删掉独白"},
        {"target": WHOLE, "instruction": "补一句"},
    ]


@pytest.mark.parametrize(
    "listed", [None, "删掉独白", {"instruction": "删掉独白"}, [None, 7, " ", {"target": "第3段"}]]
)
def test_a_list_of_a_wrong_shape_holds_no_fix(listed: object) -> None:
    assert fixes([{**violated(3), "required_fixes": listed}]) == [made(0), made(1), made(2)]


@pytest.mark.parametrize("count", [1, 2])
def test_few_violations_are_filled_up_to_three(count: int) -> None:
    found = fixes([violated(count)])
    assert found[:count] == [made(n) for n in range(count)]
    assert len(found) == 3
    assert [fix["target"] for fix in found[count:]] == [WHOLE] * (3 - count)
    assert found[1:] == fixes([violated(1)])[1:] or count == 2
    assert found[-1] not in found[:-1]


@pytest.mark.parametrize("count", [3, 4, 5])
def test_three_to_five_violations_are_one_fix_each(count: int) -> None:
    assert fixes([violated(count)]) == [made(n) for n in range(count)]


def test_more_violations_than_five_share_the_last_fix() -> None:
    found = fixes([violated(6)])
    assert found[:4] == [made(n) for n in range(4)]
    rest = "；".join(f"{fix['target']}：{fix['instruction']}" for fix in (made(4), made(5)))
    assert found[4:] == [{"target": WHOLE, "instruction": f"其余 2 处一并改正：{rest}"}]
    assert len(fixes([violated(8)])) == 5
    assert all(f"事{n}" in str(fixes([violated(8)])) for n in range(8)), "no violation may be lost"


def test_the_same_violation_in_both_verdicts_is_one_fix() -> None:
    assert fixes([violated(4), violated(4)]) == [made(n) for n in range(4)]


def test_a_violation_of_the_other_verdict_is_fixed_too() -> None:
    found = fixes([legal_verdict(3.2), legal_verdict(4.4, breach("l2", contract_id="C-9", detail="他怕水"))])
    assert found[0] == {
        "target": "角色契约 C-9",
        "instruction": "改掉违反之处，使正文符合这一条。评审指出：他怕水",
    }


def test_a_violation_without_id_and_detail_is_fixed_all_the_same() -> None:
    (found, *_) = fixes([legal_verdict(3.2, breach("ls", constraint_type="hard"))])
    assert found["target"] == "故事线规则"
    assert found["instruction"].endswith("评审指出：评审没有写明，请对照原条目找到冲突处")


def test_the_words_of_an_older_evaluation_are_the_refiners() -> None:
    """Its fixes have no kind."""
    found = legal_verdict(3.9, required_fixes=["删掉独白"])
    assert evaluation_fixes.refiner_fixes([found]) == [{"target": WHOLE, "instruction": "删掉独白"}]


def test_a_weak_score_of_the_words_is_mended_in_them() -> None:
    weak = legal_verdict(3.9, scores=scores(4.0, style_naturalness=3.0, pacing=3.5))
    assert [fix["kind"] for fix in fixes([weak])] == ["text", "story"]
    assert len(evaluation_fixes.refiner_fixes([weak])) == 1


def test_the_two_weakest_scores_of_both_verdicts_are_fixed() -> None:
    one = legal_verdict(3.2, scores=scores(4.0, pacing=2.5, immersion=3.0))
    two = legal_verdict(3.4, scores=scores(4.0, character=2.0, immersion=3.0))
    assert fixes([one, two]) == [
        {
            "target": "人物",
            "instruction": "这一项只有 2.0 分，提高它。评审的理由：character 的理由",
            "kind": "story",
        },
        {
            "target": "节奏",
            "instruction": "这一项只有 2.5 分，提高它。评审的理由：pacing 的理由",
            "kind": "story",
        },
    ]


def test_of_equal_scores_the_heavier_is_fixed_and_of_one_dimension_the_lower() -> None:
    one = legal_verdict(3.2, scores=scores(3.0))
    two = legal_verdict(3.4, scores=scores(3.5, pacing=1.0))
    assert [fix["target"] for fix in fixes([one])] == ["情节逻辑", "人物"]
    assert [fix["target"] for fix in fixes([two, one])] == ["节奏", "情节逻辑"]
    assert "只有 1.0 分" in fixes([one, two])[0]["instruction"]


def test_of_equal_scores_in_both_verdicts_the_used_ones_reason_is_given() -> None:
    one, two = ({"scores": {"pacing": {"score": 3, "reason": reason}}} for reason in ("慢", "快"))
    assert fixes([one, two]) == [
        {"target": "节奏", "instruction": "这一项只有 3 分，提高它。评审的理由：慢", "kind": "story"}
    ]


@pytest.mark.parametrize("entry", [2.5, {"score": 2.5}, {"score": 2.5, "reason": " "}])
def test_a_score_without_a_reason_asks_for_the_weakest_part(entry: object) -> None:
    (found,) = fixes([legal_verdict(3.2, scores={"pacing": entry})])
    assert found["target"] == "节奏"
    assert found["instruction"] == "这一项只有 2.5 分，提高它。评审没有写理由，请找出这一项最弱的一段重写"


def test_there_is_always_something_to_fix() -> None:
    (found,) = fixes([legal_verdict(3.2)])
    assert found["target"] == WHOLE
    assert found["instruction"].startswith("评审没有写明扣分处")


def test_faults_are_violations_then_what_is_required_then_the_weakest() -> None:
    found = legal_verdict(
        2.0, breach("l1", rule_id="W-1", detail="灯灭了\n又亮"), scores=scores(4.0, pacing=2.0)
    )
    one = {**found, "required_fixes": [{"target": "第3段", "instruction": "改成雨天"}]}
    assert main_faults([one]) == [
        "违反世界规则 W-1：灯灭了 又亮",
        "第3段：改成雨天",
        "节奏：这一项只有 2.0 分，提高它。评审的理由：pacing 的理由",
    ]
    assert main_faults([legal_verdict(2.0, breach("l2"))])[0] == "违反角色契约：评审没有写明"
    assert len(main_faults([legal_verdict(2.0)])) == 1


def test_good_scores_are_no_faults_what_the_judge_mentions_is() -> None:
    good = legal_verdict(4.2, scores=scores(4.0), issues=["第二场略满", 3, ""])
    assert main_faults([good]) == ["第二场略满"]
    assert main_faults([legal_verdict(4.2, scores=scores(4.0))])[0].startswith("情节逻辑")
    assert fixes([good], told=True) == [] != fixes([good])
    assert fixes([legal_verdict(3.2, scores=scores(4.0, pacing=3.0))], told=True)[0]["target"] == "节奏"


def test_at_most_three_faults_are_shown_none_twice() -> None:
    assert main_faults([violated(2), violated(5)]) == [f"违反世界规则 W-{n}：事{n}" for n in range(3)]
    assert main_faults([violated(1), violated(1)])[1].startswith("全章：评审没有写明扣分处")


@pytest.mark.parametrize(("length", "cut"), [(LINE - 3, False), (LINE - 2, True), (300, True)])
def test_a_long_fault_is_cut_to_one_line(length: int, cut: bool) -> None:
    (line, *_) = main_faults([legal_verdict(2.0, required_fixes=["长" * length])])
    assert line == ("全章：" + "长" * (LINE - 4) + "…" if cut else "全章：" + "长" * length)
    assert len(line) == LINE


def test_the_limits_of_the_lists() -> None:
    assert (evaluation_fixes.LEAST, evaluation_fixes.MOST, evaluation_fixes.SHOWN) == (3, 5, 3)
