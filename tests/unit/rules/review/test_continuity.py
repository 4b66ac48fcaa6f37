"""Facts that disagree: places, a judge's doubts, leaks, operations that were dropped."""

from __future__ import annotations

from typing import Any

import pytest
from reviewing import contract, material

from novel_hooks.rules.review import continuity


def planned(chapter: int, **places: Any) -> Any:
    states = {
        name: place if isinstance(place, dict) else {"location": place} for name, place in places.items()
    }
    return contract(chapter, preconditions={"character_states": states})


def facts(**changes: Any) -> list[tuple[int, str, str, str]]:
    found = continuity.continuity(material(**changes))
    assert found is not None
    return [(one["chapter"], one["source"], one["name"], one["detail"]) for one in found]


def test_without_a_change_log_nothing_can_be_said() -> None:
    assert continuity.continuity(material(log=None)) is None
    assert continuity.continuity(material()) == []


def test_a_place_in_the_contract_and_another_in_the_state() -> None:
    contracts = {
        7: planned(7, 沈渡=" 塔顶 ", 乔九="渡口", 何铁="盐仓"),
        8: planned(8, 沈渡="渡口"),
        11: planned(11, 沈渡="塔顶"),
    }
    places = {7: {"沈渡": "渡口", "乔九": "渡口"}, 11: {"沈渡": "渡口"}}
    assert facts(contracts=contracts, places=places) == [
        (7, "place", "沈渡", "契约写在「塔顶」，状态里在「渡口」")
    ]
    assert facts(contracts=contracts, places=None) == []
    assert facts(contracts=None, places=places) == []


def test_a_chapter_without_a_contract_hides_none_behind_it() -> None:
    contracts = {9: planned(9, 沈渡="塔顶")}
    assert [one[0] for one in facts(contracts=contracts, places={9: {"沈渡": "渡口"}})] == [9]


@pytest.mark.parametrize("entry", [None, 7, "塔顶", {}, {"location": ""}, {"location": 5}])
def test_a_character_without_a_planned_place(entry: Any) -> None:
    one = contract(7, preconditions={"character_states": {"沈渡": entry, "乔九": {"location": "塔顶"}}})
    found = facts(contracts={7: one}, places={7: {"沈渡": "渡口", "乔九": "渡口"}})
    assert [name for _, _, name, _ in found] == ["乔九"]


@pytest.mark.parametrize("preconditions", [None, {}, {"character_states": None}])
def test_a_contract_without_places(preconditions: Any) -> None:
    one = contract(7, preconditions=preconditions)
    assert facts(contracts={7: one}, places={7: {"沈渡": "渡口"}}) == []


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("西台", "西台大绳房檐下", True),
        ("第 3 个渡口，船头", "第 3 个渡口", True),
        ("渡口；夜里", "渡口（下游）", True),
        ("渡口 船头", "渡口:船尾", True),
        ("（不明）渡口", "渡口", True),
        ("渡口", "去渡口的路", True),
        ("渡口，夜里", "北渡口，清晨", True),
        ("塔顶", "渡口", False),
        ("塔顶，渡口在望", "渡口", True),
        ("塔顶，渡口在望", "渡口，塔在望", False),
        ("渡口，船头", "塔顶，船头", False),
    ],
)
def test_one_place_in_two_ways(one: str, other: str, same: bool) -> None:
    for planned_at, stands_at in ((one, other), (other, one)):
        found = facts(contracts={7: planned(7, 沈渡=planned_at)}, places={7: {"沈渡": stands_at}})
        assert (found == []) is same


def test_places_by_display_name() -> None:
    state = {
        "characters": {
            "shen-du": {"location": " 渡口 ", "display_name": "旧名"},
            "qiao-jiu": {"location": "塔顶", "display_name": "乔九"},
            "he-tie": {"location": "盐仓"},
            "bai-sui": {"location": ""},
            "deng-hua": {"location": 5},
            "a-man": "不在了",
        }
    }
    assert continuity.places_by_name(state, {"shen-du": "沈渡", "bai-sui": "白穗"}) == {
        "沈渡": "渡口",
        "乔九": "塔顶",
        "he-tie": "盐仓",
    }
    assert continuity.places_by_name({}, {}) == continuity.places_by_name({"characters": None}, {}) == {}


def test_a_judges_violations_and_doubts() -> None:
    verification = {
        "l1_checks": [
            {"rule_id": "W-001", "status": "violation", "detail": "回了\n  头"},
            {"rule_id": "W-002", "status": "pass", "detail": "好"},
            "x",
        ],
        "l2_checks": [
            {"contract_id": "C-1", "rule_id": "no", "status": " Violation_Suspected ", "detail": None}
        ],
        "l3_checks": [{"objective_id": "OBJ-1", "status": "violation", "detail": "没写到"}],
        "ls_checks": [{"rule_id": None, "status": "VIOLATION", "detail": "串了"}, {"rule_id": "L"}],
    }
    evaluations = {8: {"contract_verification": verification}, 12: {"contract_verification": verification}}
    assert facts(evaluations=evaluations) == [
        (8, "judge", "W-001", "回了 头"),
        (8, "judge", "C-1", ""),
        (8, "judge", "", "串了"),
    ]


@pytest.mark.parametrize(
    "found", [{}, {"contract_verification": 7}, {"contract_verification": {"l1_checks": 7}}]
)
def test_an_evaluation_without_checks(found: Any) -> None:
    assert facts(evaluations={8: found}) == []


def test_leaks_of_written_chapters_low_and_high() -> None:
    def leak(risk: object) -> dict[str, object]:
        return {"storyline_id": "river-line", "leak_risk": risk, "leak_detail": "早知道了"}

    crossrefs = {10: leak("high"), 8: leak("low"), 9: leak("none"), 7: leak(None), 12: leak("high")}
    assert facts(crossrefs=crossrefs) == [
        (8, "leak", "river-line", "早知道了"),
        (10, "leak", "river-line", "早知道了"),
    ]


def test_a_delta_that_was_skipped_and_operations_that_were_dropped() -> None:
    log = [
        {"chapter": 7, "skipped": True, "reason": "读不出来"},
        {"chapter": 8, "skipped": True},
        {"chapter": 9, "skipped": "yes", "dropped": None},
        {
            "chapter": 10,
            "dropped": [
                {"op": {"op": "inc", "path": "items.x.y"}, "reason": "不是数字"},
                {"op": "inc", "reason": "看不懂"},
                {"op": {"op": "inc"}, "reason": None},
                "x",
            ],
        },
    ]
    assert facts(log=log) == [
        (7, "state", "", "状态增量跳过了：读不出来"),
        (8, "state", "", "状态增量跳过了："),
        (10, "state", "「x」的y加", "不是数字"),
        (10, "state", "", "看不懂"),
        (10, "state", "", ""),
        (10, "state", "", ""),
    ]


def test_by_chapter_then_place_judge_leak_state() -> None:
    check = {"l1_checks": [{"rule_id": "W-001", "status": "violation"}]}
    found = facts(
        contracts={n: planned(n, 沈渡="塔顶") for n in (7, 8)},
        places={n: {"沈渡": "渡口"} for n in (7, 8)},
        evaluations={n: {"contract_verification": check} for n in (7, 8)},
        crossrefs={n: {"leak_risk": "low"} for n in (7, 8)},
        log=[{"chapter": n, "skipped": True} for n in (8, 7)],
    )
    assert [(chapter, source) for chapter, source, _, _ in found] == [
        (chapter, source) for chapter in (7, 8) for source in ("place", "judge", "leak", "state")
    ]
