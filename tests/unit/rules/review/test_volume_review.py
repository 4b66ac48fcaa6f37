"""A volume's review: its frame, its scores, its objectives, its unknown names."""

from __future__ import annotations

from typing import Any

import pytest
from reviewing import contract, material

from novel_hooks.rules.cast.unknown_names import UnknownName
from novel_hooks.rules.review import volume_review


def test_the_document_has_every_part_and_the_same_material_gives_it_again() -> None:
    made = material(
        rows=[],
        contracts={},
        log=[{"chapter": 7, "storyline_id": "a", "skipped": True}],
        plan=[{"id": "lamp"}],
        schedule={"convergence_events": [{"chapter_range": [7, 8], "involved_storylines": ["b"]}]},
        storylines={"relationships": [{"from": "a", "to": "a"}]},
        strangers=[UnknownName("铜铃", (8,), "item", None)],
        unread=(("a.json", "坏了"),),
    )
    found = volume_review.document(made)
    assert found == volume_review.document(made)
    assert found["schema_version"] == 1
    assert (found["volume"], found["first_chapter"], found["last_chapter"]) == (2, 7, 12)
    assert (found["written"], found["chars"]) == (4, 12000)
    assert found["objectives"] == {"total": 0, "reached": 0, "open": []}
    assert found["threads"]["planned"] == 1
    assert [one["id"] for one in found["storylines"]] == ["a"]
    assert found["convergences"] == [{"chapter_range": [7, 8], "involved": ["b"], "missing": ["b"]}]
    assert [one["name"] for one in found["bridges"]] == ["a", "a"]
    assert found["unknown_entities"] == [{"mention": "铜铃", "suggested_type": "item", "chapters": [8]}]
    assert [one["source"] for one in found["continuity"]] == ["state"]
    assert found["unread"] == [{"path": "a.json", "detail": "坏了"}]
    assert list(found) == [
        "schema_version",
        "volume",
        "first_chapter",
        "last_chapter",
        "written",
        "chars",
        "scores",
        "objectives",
        "threads",
        "storylines",
        "convergences",
        "bridges",
        "unknown_entities",
        "continuity",
        "unread",
    ]


# scores ---------------------------------------------------------------------------------------------


def row(chapter: int, overall: float | None, forced: bool = False) -> dict[str, Any]:
    more = {"decision": "pass", "revisions": 1, "force_passed": forced, "path": "x"}
    return {"chapter": chapter, "overall": overall, **more}


def test_scores_with_the_lowest_the_low_and_the_weakest() -> None:
    evaluations = {8: {"scores": {"pacing": {"score": 3}}}, 7: {"scores": {"character": {"score": 4}}}}
    rows = [row(7, 4.0), row(8, 3.2), row(9, None, True), row(10, 3.2)]
    found = volume_review.document(material(rows=rows, evaluations=evaluations))["scores"]
    assert found == {
        "average": 3.47,
        "lowest": {"chapter": 8, "overall": 3.2},
        "low": [{"chapter": n, "overall": s} for n, s in ((8, 3.2), (9, None), (10, 3.2))],
        "weakest": {"dimension": "pacing", "title": "节奏", "average": 3.0},
        "forced": [9],
        "chapters": [
            {"chapter": n, "overall": s, "decision": "pass", "revisions": 1, "force_passed": n == 9}
            for n, s in ((7, 4.0), (8, 3.2), (9, None), (10, 3.2))
        ],
    }


def test_of_equal_scores_the_first_chapter_is_the_lowest() -> None:
    rows = [row(10, 3.2), row(9, 3.2), row(8, 4.0)]
    found = volume_review.document(material(rows=rows))["scores"]
    assert found["lowest"] == {"chapter": 9, "overall": 3.2}


def test_without_any_score() -> None:
    assert volume_review.document(material(rows=[row(7, None)]))["scores"] == {
        "average": None,
        "lowest": None,
        "low": [],
        "weakest": None,
        "forced": [],
        "chapters": [
            {"chapter": 7, "overall": None, "decision": "pass", "revisions": 1, "force_passed": False}
        ],
    }


# objectives -----------------------------------------------------------------------------------------


def objectives(chapter: int, *listed: object) -> Any:
    return contract(chapter, objectives=list(listed))


def checked(*statuses: object, name: str = "OBJ-1") -> dict[str, Any]:
    checks = [{"objective_id": name, "status": status} for status in statuses]
    return {"contract_verification": {"l3_checks": checks}}


@pytest.mark.parametrize(
    ("evaluation", "status"),
    [
        (checked("pass"), None),
        (checked(" PASS "), None),
        (checked("pass", "violation"), "missed"),
        (checked("Violation", "violation_suspected"), "missed"),
        (checked("violation_suspected", "pass"), "doubted"),
        (checked("partial"), "unchecked"),
        (checked("pass", name="OBJ-2"), "unchecked"),
        (checked(), "unchecked"),
        ({"contract_verification": {"l3_checks": ["x", {"objective_id": "OBJ-1", "status": "pass"}]}}, None),
        ({"contract_verification": {"l3_checks": 7}}, "unchecked"),
        ({"contract_verification": 7}, "unchecked"),
        ({}, "unchecked"),
        (None, "unchecked"),
    ],
)
def test_an_objective_by_its_worst_check(evaluation: Any, status: str | None) -> None:
    one = {"id": "OBJ-1", "description": "过河", "required": True}
    made = material(
        contracts={8: objectives(8, one)}, evaluations={8: evaluation} if evaluation is not None else {}
    )
    found = volume_review.objective_summary(made)
    entry = {"chapter": 8, "id": "OBJ-1", "description": "过河", "required": True, "status": status}
    assert found == {"total": 1, "reached": int(status is None), "open": [entry] if status else []}


def test_objectives_by_chapter_without_those_to_come() -> None:
    contracts = {
        13: objectives(13, {"id": "OBJ-5"}),
        11: objectives(11, {"id": "OBJ-4", "description": None, "required": "yes"}),
        7: objectives(7, {"id": "OBJ-1"}, "x", {"id": "OBJ-2", "description": "过河", "required": False}),
        9: contract(9),
        8: contract(8, objectives={"id": "OBJ-9"}),
    }
    found = volume_review.objective_summary(
        material(
            contracts=contracts,
            written=(7, 8, 9, 10, 12),
            evaluations={7: checked("pass"), 11: checked("pass", name="OBJ-4")},
        )
    )
    assert (found["total"], found["reached"]) == (3, 1)
    assert found["open"] == [
        {"chapter": 7, "id": "OBJ-2", "description": "过河", "required": False, "status": "unchecked"},
        {"chapter": 11, "id": "OBJ-4", "description": "", "required": False, "status": "unwritten"},
    ]


# names ----------------------------------------------------------------------------------------------


def test_unknown_names_of_this_volume_with_its_own_chapters() -> None:
    strangers = [
        UnknownName("铜铃", (3, 7, 12, 13), "item", "一只铜铃"),
        UnknownName("阿蛮", (6, 13), "character", None),
        UnknownName("老驿", (9,), None, None),
    ]
    assert volume_review.document(material(strangers=strangers))["unknown_entities"] == [
        {"mention": "铜铃", "suggested_type": "item", "chapters": [7, 12]},
        {"mention": "老驿", "suggested_type": None, "chapters": [9]},
    ]
