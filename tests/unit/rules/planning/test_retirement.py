"""A character may leave the book when nothing unfinished needs him; else every reason comes at once."""

from __future__ import annotations

import re
from typing import Any

import pytest

from novel_hooks import errors, layout
from novel_hooks.rules.cast import characters
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline import schedule as schedules
from novel_hooks.rules.planning import retirement
from novel_hooks.rules.planning.planned_chapters import PlannedChapter
from novel_hooks.rules.planning.retirement import Ties

PERSON = characters.character("shen-du", {"display_name": "沈渡", "aliases": ["渡哥"]})
PLAN = layout.foreshadowing_plan(2)
SCHEDULE = layout.schedule(2)
CONTRACT = layout.contract(2, 9)
STAGED = "staging/characters/shen-du.json"


def ties(**changes: Any) -> Ties:
    nothing: dict[str, Any] = {
        "threads": [],
        "storylines": {},
        "meetings": [],
        "chapters": [],
        "staged": None,
    }
    return Ties(person=PERSON, plan=PLAN, last=8, **{**nothing, **changes})


def reasons(**changes: Any) -> list[tuple[str | None, object]]:
    """(path, detail) of every problem; each names the character, and a next action as its fix."""
    found = retirement.problems(ties(**changes))
    for problem in found:
        assert isinstance(problem, errors.RetireNeeded)
        assert problem.values["name"] == "沈渡" and str(problem).startswith("「沈渡」还不能退场")
        assert problem.diagnostic().fix.endswith("。")
    return [(problem.path, problem.values["detail"]) for problem in found]


def test_nothing_needs_him() -> None:
    assert reasons() == []


# threads --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        {"description": "沈渡的灯"},
        {"description": "渡哥欠的债"},
        {"description": "谁偷了灯", "history": [{"detail": "沈渡看见了"}]},
        {"description": "谁偷了灯", "history": [7, {"chapter": 2}, {"detail": "shen-du 看见了"}]},
        {"description": "谁偷了灯", "characters": ["乔九", "沈渡"]},
        {"description": "谁偷了灯", "involved_characters": ["shen-du"]},
    ],
)
def test_an_open_thread_that_names_him(words: dict[str, Any]) -> None:
    thread = {"id": "lamp", "status": "planted", **words}
    said = f"伏笔「{words['description']}」还没收，说的是他"
    assert reasons(threads=[thread]) == [(layout.FORESHADOWING, said)]
    assert reasons(threads=[{**thread, "status": "resolved"}]) == []


def test_a_planned_thread_is_in_the_plans_file() -> None:
    thread = {"id": "lamp", "status": "planned", "description": "沈渡的灯"}
    (problem,) = retirement.problems(ties(threads=[thread]))
    assert problem.path == PLAN and f"打开 {PLAN}，" in problem.diagnostic().fix


@pytest.mark.parametrize(
    "words",
    [
        {"description": "谁偷了灯", "history": "沈渡", "characters": ["乔九"]},
        {"description": None, "history": [{"detail": None}]},
        {"description": "谁偷了灯", "characters": ["乔九"], "involved_characters": ["沈渡"]},
        {},
    ],
)
def test_a_thread_of_others_is_no_reason_and_its_id_is_no_word(words: dict[str, Any]) -> None:
    assert reasons(threads=[{"id": "shen-du", "status": "planted", **words}]) == []


def test_what_is_not_written_names_nobody() -> None:
    thread = {"id": "lamp", "description": "沈", "characters": ["渡"]}
    person = characters.character("a", {"display_name": "沈X渡", "aliases": ["XX"]})
    assert retirement.problems(ties(threads=[thread])._replace(person=person)) == []
    event = meeting(9, 9, trigger=None, aftermath=None)
    assert retirement.problems(ties(meetings=[event])._replace(person=person)) == []


def test_a_name_is_not_put_together_from_two_texts() -> None:
    thread = {"id": "lamp", "description": "沈", "history": [{"detail": "渡"}], "characters": ["渡", "哥"]}
    assert reasons(threads=[thread]) == []


# storylines -----------------------------------------------------------------------------------------


def lines(*listed: object, relationships: object = ()) -> dict[str, Any]:
    return {"storylines": list(listed), "relationships": relationships and [relationships]}


@pytest.mark.parametrize("word", ["沈渡", "渡哥", "shen-du"])
def test_a_storyline_with_his_point_of_view(word: str) -> None:
    line = {"id": "river-line", "name": "河上", "pov_characters": ["乔九", word]}
    assert reasons(storylines=lines(line, "x", {"id": "b"})) == [
        (layout.STORYLINES, "故事线「河上」由他来讲，还没有完结")
    ]


@pytest.mark.parametrize("status", ["resolved", " Completed ", "CLOSED", "ended", "完结", "已完结", "已收束"])
def test_a_finished_storyline_needs_nobody(status: str) -> None:
    line = {"id": "river-line", "status": status, "pov_characters": ["沈渡"]}
    assert reasons(storylines=lines(line)) == []


@pytest.mark.parametrize("status", [None, "", "active", "dormant", "休眠", 7])
def test_a_storyline_that_goes_on_needs_him(status: object) -> None:
    line = {"id": "river-line", "status": status, "pov_characters": ["沈渡"]}
    assert len(reasons(storylines=lines(line))) == 1


@pytest.mark.parametrize("document", [{}, {"storylines": None}, {"storylines": {"a": 1}, "relationships": 7}])
def test_a_document_without_storylines(document: dict[str, Any]) -> None:
    assert reasons(storylines=document) == []


BRIDGE = {"from": "river-line", "to": "tower-line", "bridges": {"shared_characters": ["乔九", "渡哥"]}}


def test_two_open_storylines_that_he_joins() -> None:
    both = ({"id": "river-line"}, {"id": "tower-line", "pov_characters": None})
    assert reasons(storylines=lines(*both, relationships=BRIDGE)) == [
        (layout.STORYLINES, "故事线「river-line」与「tower-line」靠他连着")
    ]


@pytest.mark.parametrize(
    ("listed", "bridge"),
    [
        ([{"id": "river-line"}], BRIDGE),
        ([{"id": "tower-line"}], BRIDGE),
        ([{"id": "river-line"}, {"id": "tower-line", "status": "ended"}], BRIDGE),
        (
            [{"id": "river-line"}, {"id": "tower-line"}],
            {**BRIDGE, "bridges": {"shared_characters": ["乔九"]}},
        ),
        ([{"id": "river-line"}, {"id": "tower-line"}], {**BRIDGE, "bridges": None}),
        (
            [{"id": "river-line"}, {"id": "tower-line"}],
            {**BRIDGE, "bridges": {"shared_foreshadowing": ["沈渡"]}},
        ),
    ],
)
def test_a_bridge_that_does_not_need_him(listed: list[Any], bridge: dict[str, Any]) -> None:
    assert reasons(storylines=lines(*listed, relationships=bridge)) == []


# convergences and chapters --------------------------------------------------------------------------


def meeting(first: int, last: int, **event: Any) -> tuple[str, schedules.Schedule, list[dict[str, Any]]]:
    events = [{"chapter_range": [first, last], **event}]
    return SCHEDULE, schedules.parse({"convergence_events": events}), events


@pytest.mark.parametrize("key", ["trigger", "aftermath"])
def test_a_convergence_to_come_that_names_him(key: str) -> None:
    assert reasons(meetings=[meeting(7, 9, **{key: "渡哥碰上乔九"})]) == [
        (SCHEDULE, "第 7 章到第 9 章的交汇要用他")
    ]


def test_a_convergence_that_is_over_or_of_others() -> None:
    assert (
        reasons(meetings=[meeting(7, 8, trigger="沈渡"), meeting(9, 9, trigger="沈", aftermath="渡")]) == []
    )
    assert (
        reasons(meetings=[meeting(9, 12), meeting(9, 12, trigger=None, involved_storylines=["沈渡"])]) == []
    )


def planned(keys: dict[str, str] | None = None, **fields: Any) -> PlannedChapter:
    document = {"chapter": 9, "storyline_id": "river-line", **fields}
    return PlannedChapter(2, 9, contracts.parse(document, CONTRACT), keys or {})


@pytest.mark.parametrize(
    ("chapter", "place"),
    [
        (
            planned(preconditions={"character_states": {"渡哥": {}}}),
            "契约里开章时人物的样子，character_states",
        ),
        (planned(postconditions={"state_changes": {"沈渡": "走了"}}), "契约里的状态变化，state_changes"),
        (planned({"POV": "沈渡"}), "大纲的视角，POV"),
        (
            planned(objectives=[{"id": "OBJ-1", "target": "沈渡"}]),
            "目标 OBJ-1 的对象，target",
        ),
    ],
)
def test_a_planned_chapter_with_him(chapter: PlannedChapter, place: str) -> None:
    assert reasons(chapters=[planned(), chapter]) == [(CONTRACT, f"第 9 章还要他出场（{place}）")]


def test_a_key_of_a_file_stands_behind_the_authors_word() -> None:
    for text in errors.RetireNeeded.cases.values():
        assert not re.search(r"[a-z]+_[a-z]+|status|trigger", re.sub(r"（\w+）|\{\w+\}", "", text)), text


def test_all_reasons_come_at_once_in_the_order_of_the_book() -> None:
    found = reasons(
        staged=STAGED,
        chapters=[planned({"POV": "沈渡"})],
        meetings=[meeting(9, 9, trigger="沈渡")],
        storylines=lines({"id": "river-line", "pov_characters": ["沈渡"]}),
        threads=[{"id": "lamp", "description": "沈渡"}],
    )
    assert [path for path, _ in found] == [
        layout.FORESHADOWING,
        layout.STORYLINES,
        SCHEDULE,
        CONTRACT,
        STAGED,
    ]


def test_a_card_in_staging_would_bring_him_back() -> None:
    assert reasons(staged=STAGED) == [(STAGED, "暂存区里还有他的档案，入库时他又会出场")]


# what settles it ------------------------------------------------------------------------------------


def test_what_settles_everything_that_needs_him() -> None:
    both = (
        {"id": "river-line", "name": "河上", "pov_characters": ["沈渡"]},
        {"id": "tower-line", "name": "塔"},
    )
    elsewhere = (layout.schedule(3), *meeting(40, 41, trigger="沈渡")[1:])
    found = retirement.settlement(
        ties(
            staged=STAGED,
            chapters=[planned({"POV": "沈渡"})],
            meetings=[meeting(7, 11, trigger="沈渡"), elsewhere],
            storylines=lines(*both, relationships=BRIDGE),
            threads=[{"id": "lamp", "description": "沈渡的灯"}, {"id": "debt", "description": "渡哥欠的债"}],
        ),
        2,
    )
    assert found.threads == {"lamp": "沈渡的灯", "debt": "渡哥欠的债"}
    assert list(found.lines) == ["河上", "塔"]
    assert list(found.chapters) == [9, 10, 11], "those that are landed are not planned anew"
    assert [(one.path, one.values["name"]) for one in found.left] == [
        (layout.schedule(3), "沈渡"),
        (STAGED, "沈渡"),
    ]
    assert retirement.settled_parts(found) == [
        "伏笔「沈渡的灯」、「渡哥欠的债」放下不收",
        "故事线「河上」、「塔」不再由他讲、不再靠他连着",
        "要他出场的第 9、10、11 章跟着本卷没写的章一起重排",
    ]


def test_nothing_that_needs_him_settles_nothing() -> None:
    found = retirement.settlement(ties(), 2)
    assert found == ({}, (), (), ())
    assert retirement.settled_parts(found) == []
    (one,) = retirement.settlement(ties(chapters=[planned({"POV": "沈渡"})]), 2).chapters
    assert one == 9


def test_storylines_do_without_him() -> None:
    finished = {"id": "old", "status": "ended", "pov_characters": ["沈渡"]}
    told = {"id": "river-line", "pov_characters": ["乔九", "沈渡", "渡哥"]}
    odd = {"id": "tower-line", "pov_characters": "沈渡"}
    bridges = [BRIDGE, {**BRIDGE, "bridges": None}, {**BRIDGE, "bridges": {"places": ["塔"]}}, "x"]
    document = {"note": 1, "storylines": [finished, told, odd, {"id": "bare"}, "y"], "relationships": bridges}
    assert retirement.storylines_without(document, PERSON) == {
        "note": 1,
        "storylines": [finished, {**told, "pov_characters": ["乔九"]}, odd, {"id": "bare"}, "y"],
        "relationships": [{**BRIDGE, "bridges": {"shared_characters": ["乔九"]}}, *bridges[1:]],
    }
    assert retirement.storylines_without({}, PERSON) == {"storylines": []}
