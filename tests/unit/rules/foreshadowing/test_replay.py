"""One chapter's ops replaced by others: items that go back, items that cannot."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.errors import ForeshadowingBroken
from novel_hooks.rules.foreshadowing import facts, replay


def op(name: Any, action: Any = "advanced", **more: Any) -> dict[str, Any]:
    return {"op": "foreshadow", "path": name, "value": action, **more}


def line(chapter: int, *ops: Any, storyline: str | None = "side") -> dict[str, Any]:
    return {"chapter": chapter, "storyline_id": storyline, "ops": list(ops)}


def landed(lines: list[Any], plans: Any = None) -> tuple[dict[str, Any], dict[int, dict[str, Any]]]:
    """The facts after the lines, and each chapter's items as they were before it (None: there was none)."""
    document: dict[str, Any] = {"foreshadowing": []}
    before: dict[int, dict[str, Any]] = {}
    for one in lines:
        now = {item["id"]: item for item in document["foreshadowing"]}
        before[one["chapter"]] = {name: now.get(name) for name in replay.line_thread_ids(one)}
        plan = (plans or {}).get(one["chapter"])
        document = facts.merge(document, plan, one["ops"], one["chapter"], one["storyline_id"]).document
    return document, before


def replaced(old: list[Any], new: list[Any], chapter: int, plans: Any = None) -> Any:
    document, before = landed(old, plans)
    return replay.replace_ops(document, old, new, chapter, before, plans or {})


def by_id(document: dict[str, Any]) -> dict[str, Any]:
    return {item["id"]: item for item in document["foreshadowing"]}


@pytest.mark.parametrize(
    ("ops", "ids"),
    [
        ([op("b"), op("a"), op("b", "resolved")], ["b", "a"]),
        ([{"op": "set", "path": "x"}, op(7), op(None), "x", None, op("a")], ["a"]),
        ([], []),
        (None, []),
        ({"op": "foreshadow", "path": "a"}, []),
    ],
)
def test_the_ids_in_a_lines_ops(ops: Any, ids: list[str]) -> None:
    assert replay.line_thread_ids({"chapter": 1, "ops": ops}) == ids
    assert replay.line_thread_ids({"chapter": 1}) == []


LINES = [line(1, op("a")), line(2, op("b")), line(3, op("a"), op("b")), line(4)]


@pytest.mark.parametrize(
    ("chapter", "ids", "chapters"),
    [
        (1, ["a"], [1, 3]),
        (2, ["a"], [3]),
        (3, ["a"], [3]),
        (4, ["a"], []),
        (1, ["a", "b"], [1, 2, 3]),
        (1, ["c"], []),
        (1, [], []),
    ],
)
def test_the_chapters_whose_ops_name_an_id(chapter: int, ids: list[str], chapters: list[int]) -> None:
    assert replay.chapters_touching(LINES, chapter, ids) == chapters


def test_other_ops_of_a_chapter_give_other_facts() -> None:
    old = [line(1, op("jade", "planted")), line(2, op("jade", detail="裂")), line(3, op("jade", "resolved"))]
    new = [old[0], line(2, op("jade", detail="碎"), op("well", "planted")), old[2]]
    found = replaced(old, new, 2)
    wanted, before = landed(new)
    assert by_id(found.document) == by_id(wanted)
    assert (found.kept, found.warnings) == ([], [])
    assert found.before == {2: {**before[2], "well": None}, 3: before[3]}
    assert found.before[2]["jade"]["status"] == "planted"
    assert found.before[3]["jade"]["history"][-1] == {"chapter": 2, "action": "advanced", "detail": "碎"}


def test_an_item_that_the_new_ops_do_not_name_is_as_before() -> None:
    old = [line(1, op("jade", "planted")), line(2, op("jade"), op("well", "planted"))]
    found = replaced(old, [old[0], line(2)], 2)
    assert found.document == landed(old[:1])[0]
    assert found.before == {}
    assert found.kept == []


def test_an_item_that_only_the_new_ops_name_is_added_at_the_end() -> None:
    old = [line(1, op("jade", "planted")), line(2), line(3, op("well", "planted"))]
    new = [old[0], line(2, op("oar", "planted")), old[2]]
    found = replaced(old, new, 2)
    assert list(by_id(found.document)) == ["jade", "well", "oar"]
    assert by_id(found.document)["oar"] == by_id(landed(new)[0])["oar"]
    assert found.before == {2: {"oar": None}}


def test_later_chapters_are_applied_again_in_their_storylines() -> None:
    old = [
        line(1, op("jade", "planted")),
        line(2, op("jade"), storyline=None),
        line(3, op("jade", "resolved")),
    ]
    new = [line(1), *old[1:]]
    found = replaced(old, new, 1)
    jade = by_id(found.document)["jade"]
    assert jade == by_id(landed(new)[0])["jade"]
    assert (jade["planted_chapter"], jade["planted_storyline"], jade["status"]) == (None, "side", "resolved")
    assert [entry["chapter"] for entry in jade["history"]] == [2, 3]


def test_items_that_no_op_of_the_chapter_names_stay() -> None:
    old = [line(1, op("jade", "planted"), op("well", "planted")), line(2, op("jade")), line(3, op("well"))]
    document, before = landed(old)
    document["note"] = "旁注"
    found = replay.replace_ops(document, old, [old[0], line(2), old[2]], 2, before, {})
    assert by_id(found.document)["well"] == by_id(document)["well"]
    assert list(found.document) == ["note", "foreshadowing"] or list(found.document) == [
        "foreshadowing",
        "note",
    ]
    assert found.document["note"] == "旁注"
    assert [item["id"] for item in found.document["foreshadowing"]] == ["jade", "well"]


def test_the_plan_of_each_chapter_fills_what_is_missing() -> None:
    plans = {
        1: [{"id": "jade", "description": "一"}],
        2: [{"id": "well", "description": "二", "scope": "long"}],
    }
    old = [line(1, op("jade", "planted")), line(2, op("jade"))]
    new = [old[0], line(2, op("jade"), op("well", "planted"))]
    found = by_id(replaced(old, new, 2, plans).document)
    assert (found["jade"]["description"], found["well"]["description"], found["well"]["scope"]) == (
        "一",
        "二",
        "long",
    )


def test_an_item_that_the_author_changed_stays_and_gets_the_new_ops() -> None:
    old = [line(1, op("jade", "planted")), line(2, op("jade"))]
    document, before = landed(old)
    document["foreshadowing"][0]["description"] = "作者的话"
    new = [old[0], line(2, op("jade", "resolved", detail="碎了"))]
    found = replay.replace_ops(document, old, new, 2, before, {})
    (jade,) = found.document["foreshadowing"]
    assert found.kept == ["jade"]
    assert (jade["description"], jade["status"]) == ("作者的话", "resolved")
    assert [entry["action"] for entry in jade["history"]] == ["planted", "advanced", "resolved"]
    assert jade["history"][-1] == {"chapter": 2, "action": "resolved", "detail": "碎了"}
    assert found.before == {}


def test_an_item_without_new_ops_that_cannot_go_back_stays_as_it_is() -> None:
    old = [line(1, op("jade", "planted")), line(2, op("jade"))]
    document, _ = landed(old)
    found = replay.replace_ops(document, old, [old[0], line(2)], 2, {}, {})
    assert (found.kept, found.document) == (["jade"], document)
    before_that = {2: {"well": None}}
    assert replay.replace_ops(document, old, [old[0], line(2)], 2, before_that, {}).kept == ["jade"]


def test_an_item_that_the_author_took_out_gets_the_new_ops() -> None:
    old = [line(1, op("jade", "planted")), line(2, op("jade"))]
    _, before = landed(old)
    found = replay.replace_ops({"foreshadowing": []}, old, [old[0], line(2, op("jade"))], 2, before, {})
    assert found.kept == ["jade"]
    assert by_id(found.document)["jade"]["history"] == [{"chapter": 2, "action": "advanced", "detail": ""}]


def test_a_dropped_op_of_the_chapter_is_a_warning_and_of_a_later_one_none() -> None:
    old = [line(1, op("jade", "planted")), line(2, op("jade")), line(3, op("jade", "done"))]
    new = [old[0], line(2, op("jade", "bad"), op("well", "worse")), old[2]]
    found = replaced(old, new, 2)
    assert [(one.code, one.values["name"], one.values["action"]) for one in found.warnings] == [
        ("FORESHADOWING_OP_DROPPED", "jade", "bad"),
        ("FORESHADOWING_OP_DROPPED", "well", "worse"),
    ]
    assert list(by_id(found.document)) == ["jade"]
    kept = replay.replace_ops({"foreshadowing": [{"id": "jade"}]}, old, new, 2, {}, {})
    assert [one.values["name"] for one in kept.warnings] == ["jade", "well"]
    assert kept.kept == ["jade"]


@pytest.mark.parametrize("shape", ["list", "items", "foreshadowing"])
def test_every_shape_comes_back_under_one_key_and_is_not_changed(shape: str) -> None:
    old = [line(1, op("jade", "planted")), line(2, op("jade"))]
    document, before = landed(old)
    items = document["foreshadowing"]
    shaped: Any = items if shape == "list" else {shape: items}
    was = json.dumps(shaped)
    found = replay.replace_ops(shaped, old, [old[0], line(2, op("jade", "resolved"))], 2, before, {})
    assert list(found.document) == ["foreshadowing"]
    found.document["foreshadowing"][0]["history"].clear()
    assert json.dumps(shaped) == was
    with pytest.raises(ForeshadowingBroken):
        replay.replace_ops({"x": 1}, old, old, 2, before, {})


def item(*entries: Any, **changes: Any) -> dict[str, Any]:
    history = [{"chapter": chapter, "action": action} for chapter, action in entries]
    return {"id": "jade", "status": "x", "planted_chapter": None, "history": history, **changes}


@pytest.mark.parametrize(
    ("now", "chapter", "status", "last"),
    [
        (item((3, "planted"), (5, "advanced"), (9, "resolved")), 9, "advanced", 5),
        (item((3, "planted"), (5, "advanced"), (9, "resolved")), 5, "planted", 3),
        (item((3, "planted"), (4, "resolved"), (5, "advanced"), (9, "advanced")), 9, "resolved", 5),
        (item((9, "advanced"), planted_chapter=3), 5, "planted", 3),
        (item((5, "advanced"), (3, "advanced"), (9, "x")), 6, "advanced", 5),
        (item((3, "x"), (9, "x")), 9, "planted", 3),
    ],
)
def test_an_item_as_it_was_before_a_chapter(
    now: dict[str, Any], chapter: int, status: str, last: int
) -> None:
    (found,) = replay.items_before([now], chapter)
    earlier = [entry for entry in now["history"] if entry["chapter"] < chapter]
    assert found == {**now, "history": earlier, "status": status, "last_updated_chapter": last}


@pytest.mark.parametrize(
    "now",
    [
        item((5, "planted")),
        item((5, "planted"), planted_chapter=5),
        item((6, "advanced"), planted_chapter=True),
        item((5, "planted"), planted_chapter=9),
    ],
)
def test_an_item_that_began_later_was_not_there(now: dict[str, Any]) -> None:
    assert replay.items_before([now], 5) == []


@pytest.mark.parametrize(
    "now",
    [
        item((3, "planted"), (4, "advanced")),
        item(),
        item(history=None),
        item(history="x"),
        item(history=["x", 7]),
        item(("4", "advanced")),
        item((None, "advanced")),
    ],
)
def test_an_item_without_later_entries_is_as_it_is(now: dict[str, Any]) -> None:
    (found,) = replay.items_before([now], 5)
    assert found == now
    assert found is not now


def test_an_entry_without_a_chapter_is_an_early_one() -> None:
    now = item(("4", "advanced"), (9, "resolved"), planted_chapter=2)
    (found,) = replay.items_before([now], 5)
    assert (found["history"], found["status"], found["last_updated_chapter"]) == (
        [{"chapter": "4", "action": "advanced"}],
        "advanced",
        0,
    )
    (first,) = replay.items_before([{**now, "planted_chapter": None}], 1)
    assert first["history"] == [{"chapter": "4", "action": "advanced"}]


def test_the_ops_of_a_chapter_by_the_histories() -> None:
    one = item((3, "planted"), (5, "advanced"))
    one["history"].append({"chapter": 5, "action": "resolved", "detail": "碎"})
    two = {**item(("5", "advanced")), "id": "well"}
    two["history"] += ["x", {"chapter": True, "action": "x"}, {"chapter": 5}, {"chapter": 5, "detail": None}]
    assert replay.recorded_ops([one, two, item(history=None)], 5) == [
        op("jade", "advanced"),
        op("jade", "resolved", detail="碎"),
        op("well", None),
        op("well", None, detail=None),
    ]
    assert replay.recorded_ops([one, two], 4) == []
    assert replay.recorded_ops([item((1, "x"), history="x")], 1) == []


NAMES = st.sampled_from(["jade", "oar", "well"])
OPS = st.lists(st.builds(op, NAMES, st.sampled_from(["planted", "advanced", "resolved", "bad"])), max_size=3)


@given(st.lists(OPS, min_size=1, max_size=5), OPS, st.data())
def test_replaced_ops_give_the_facts_that_would_have_been(
    chapters: list[list[dict[str, Any]]], ops: list[dict[str, Any]], data: st.DataObject
) -> None:
    old = [line(number, *each) for number, each in enumerate(chapters, start=1)]
    chapter = data.draw(st.integers(1, len(old)))
    new = [line(chapter, *ops) if one["chapter"] == chapter else one for one in old]
    found, (wanted, before) = replaced(old, new, chapter), landed(new)
    assert by_id(found.document) == by_id(wanted)
    assert found.kept == []
    for number, items in found.before.items():
        assert all(before[number][name] == value for name, value in items.items())
