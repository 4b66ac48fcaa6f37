"""Names in a chapter's records that no record, no state and no text knows; slips of known ids."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.foreshadowing import facts
from novel_hooks.rules.state import delta as deltas
from novel_hooks.rules.state import unknown_references
from novel_hooks.rules.state.unknown_references import KnownEntities

GROUPS = ("characters", "items", "locations", "factions")
LABELS = {"items": "物品", "locations": "地点", "factions": "势力"}
NO_RECORD = "没有档案，故事状态里没有，正文里也没有。"
NO_CARD = "没有这个角色的档案，故事状态里也没有"
NO_THREAD = "伏笔记录和各卷的伏笔计划里都没有这条伏笔"


def op(path: Any, value: Any = "灯", kind: str = "set") -> dict[str, Any]:
    return {"op": kind, "path": path, "value": value}


def said(*ops: Any, dropped: tuple[int, ...] = (), **known: Any) -> list[tuple[str, str]]:
    """(place, id) of each warning on the ops."""
    found = unknown_references.delta_problems(
        {"ops": list(ops)}, KnownEntities(**{"text": "他把旧灯放进青石塔。", **known}), "d.json", dropped
    )
    assert all((p.severity, p.path) == ("warning", "d.json") for p in found)
    assert all("novel sync" in p.diagnostic().fix for p in found)
    return [(p.values["where"], p.values["name"]) for p in found]


def detail(change: dict[str, Any], *others: Any, **known: Any) -> str:
    found = unknown_references.delta_problems({"ops": [change, *others]}, KnownEntities(**known), "d.json")
    return str(found[0]).partition("可是")[2]


# names in words -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("絮儿", True),
        ("絮儿的腰扣", True),
        (" 腰扣 ", True),
        ("絮儿娘", True),
        ("旧腰扣", True),
        ("扣", True),
        ("扣子", False),
        ("婆婆", False),
        ("婆", False),
        ("jade", False),
        ("沈渡的旧船", True),
        ("沈", False),
    ],
)
def test_a_name_in_the_prose_or_with_a_registered_one_in_it(name: str, known: bool) -> None:
    document = {"cross_references": [{"entity": name}]}
    found = unknown_references.crossref_problems(document, ("", "沈渡"), "絮儿夜里解下了腰扣。", "x.json")
    told = [(p.code, p.path, p.values["where"], p.values["name"], str(p).partition("可是")[2]) for p in found]
    assert told == ([] if known else [("ENTITY_NOWHERE", "x.json", "串线第 1 条", name.strip(), NO_RECORD)])


def test_each_mention_has_its_place() -> None:
    listed = [{"entity": "龙宫"}, {"entity": "絮儿"}, 4, {"entity": " "}, {}, {"entity": "蓬莱"}]
    found = unknown_references.crossref_problems({"cross_references": listed}, (), "絮儿", "x")
    assert [p.values["where"] for p in found] == ["串线第 1 条", "串线第 6 条"]
    mentions = {"unknown_entities": [{"mention": "石婆"}, {"entity": "蓬莱"}, {"mention": "蓬莱"}]}
    known = KnownEntities(names=("石婆",), text="夜渡")
    (one,) = unknown_references.delta_problems(mentions, known, "d.json")
    assert (one.values["where"], one.values["name"], one.path) == (
        "新名字第 3 条",
        "蓬莱",
        "d.json",
    )
    assert not one.for_its_agent()


@pytest.mark.parametrize(
    "document", [None, [], {}, {"cross_references": 3, "ops": 3, "unknown_entities": [1]}, {"ops": [3]}]
)
def test_odd_documents_are_left_to_their_schema(document: Any) -> None:
    assert unknown_references.crossref_problems(document, (), "", "x") == []
    assert unknown_references.delta_problems(document, KnownEntities(), "x") == []


def test_the_known_ids_of_a_section() -> None:
    known = KnownEntities(slugs=("a",), ids={"items": ("b",), "characters": ("c",)}, threads=("d",))
    assert known.of("characters") == ("a",)
    assert known.of("items") == ("b",)
    assert known.of("factions") == ()
    assert known.of("foreshadow") == ("d",)
    assert KnownEntities().of("foreshadow") == ()


# ids: what an op does with a new one --------------------------------------------------------------

CREATES = [
    ("set", {"name": "灯"}, True),
    ("set", "旧", True),
    ("add", "灯", True),
    ("inc", 3, True),
    ("remove", "灯", False),
]


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize(("kind", "value", "creates"), CREATES)
def test_which_ops_begin_an_entry(group: str, kind: str, value: Any, creates: bool) -> None:
    """Protocol §4: a missing path is made by set, add and inc; a remove finds nothing and is dropped."""
    path = f"{group}.x" if isinstance(value, dict) else f"{group}.x.field"
    change = {"op": kind, "path": path, "value": value}
    done = deltas.apply(None, {"chapter": 1, "ops": [change]})
    assert ("x" in done.state[group]) is creates
    assert [one["op"] for one in done.dropped] == ([] if creates else [change])


@pytest.mark.parametrize("action", ["planted", "advanced", "resolved"])
def test_a_foreshadow_op_begins_a_thread_whatever_it_does(action: str) -> None:
    """Seed 002 §3: an item that is not there is created."""
    merged = facts.merge(None, None, [op("x", action, "foreshadow")], 3, "main")
    (item,) = merged.document["foreshadowing"]
    assert (item["id"], item["status"], merged.warnings) == ("x", action, [])


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("kind", ["set", "inc", "add", "remove"])
def test_an_unknown_id_is_named_once_at_its_first_op(group: str, kind: str) -> None:
    ops = [op("world_state.x"), op(f"{group}.x.a", 1, kind), op(f"{group}.x.b", 1, kind)]
    assert said(*ops) == [("第 2 条变更", "x")]
    assert said(*ops, slugs=("x",), ids={group: {"x"}}) == []
    if group != "characters":
        assert said(*ops, slugs=("x",), ids={"world_state": {"x"}}) == [("第 2 条变更", "x")]


def test_one_id_in_two_sections_is_named_twice() -> None:
    assert said(op("items.x.a"), op("locations.x.a")) == [("第 1 条变更", "x"), ("第 2 条变更", "x")]


def test_the_places_of_ops_count_all_of_them() -> None:
    assert said(4, {"op": "set"}, op(7), op("items.x.a")) == [("第 4 条变更", "x")]


@pytest.mark.parametrize("group", GROUPS[1:])
def test_a_thing_of_which_the_text_speaks_may_be_new(group: str) -> None:
    assert said(op(f"{group}.旧灯.owner")) == []
    assert said(op(f"{group}.lamp", {"display_name": "旧灯"}), op(f"{group}.lamp.owner")) == []
    assert said(op(f"{group}.旧灯", {"name": "铜镜"})) == []
    assert said(op(f"{group}.lamp", {"name": " 旧灯 "})) == []
    assert said(op(f"{group}.lamp.owner"), op(f"{group}.lamp.name", "旧灯")) == []
    assert said(op(f"{group}.lamp.owner"), op(f"{group}.lamp.display_name", "旧灯")) == []
    assert said(op(f"{group}.lamp.name", "铜镜")) == [("第 1 条变更", "lamp")]
    assert said(op(f"{group}.lamp.name", "铜镜"), names=("铜镜",)) == []


def test_names_of_other_entries_and_other_fields_do_not_count() -> None:
    wanted = [("第 1 条变更", "lamp")]
    assert said(op("items.lamp.owner", "旧灯")) == wanted
    assert said(op("items.lamp.a"), op("locations.lamp.name", "旧灯")) == [*wanted]
    assert said(op("items.lamp.a"), op("items.lamps", {"name": "旧灯"}), ids={"items": ("lamps",)}) == wanted
    assert said(op("items.lamp", {"owner": "旧灯"})) == wanted
    assert said(op("items.lamp", "旧灯")) == wanted
    assert said(op("items.lamp", {"name": 4})) == wanted


def test_a_character_needs_a_card_whatever_the_text_says() -> None:
    assert said(op("characters.jiu-deng.name", "旧灯")) == [("第 1 条变更", "jiu-deng")]


def test_somebody_unknown_in_a_relationship() -> None:
    ops = [op("characters.a.relationships.b", 1, "inc"), op("characters.a.relationships.c", 1, "inc")]
    assert said(*ops, slugs=("a", "b")) == [("第 2 条变更", "c")]
    assert said(op("characters.x.relationships.y"), slugs=("a",)) == [
        ("第 1 条变更", "x"),
        ("第 1 条变更", "y"),
    ]
    assert said(op("characters.a.clothes.c"), op("characters.a.relationships"), slugs=("a",)) == []


def test_the_world_has_no_entities_and_bad_paths_are_no_references() -> None:
    ops = [op("world_state.x"), op("items"), op("items..a"), op("ghosts.x"), op("characters.老周.a")]
    assert said(*ops) == []


# what is said -------------------------------------------------------------------------------------


@pytest.mark.parametrize("group", GROUPS[1:])
def test_what_becomes_of_an_op_on_an_unknown_thing(group: str) -> None:
    said_of_it = f"故事状态里没有这个{LABELS[group]}，正文里也找不到"
    assert detail(op(f"{group}.x.a")) == f"{said_of_it}，这一条会新建它。"
    assert detail(op(f"{group}.x.a", 1, "remove")) == f"{said_of_it}，这一条会被略过。"
    dropped = unknown_references.delta_problems(
        {"ops": [op(f"{group}.y.a"), op(f"{group}.x.a")]}, KnownEntities(), "d.json", {1}
    )
    assert [str(p).partition("可是")[2] for p in dropped] == [
        f"{said_of_it}，这一条会新建它。",
        f"{said_of_it}，这一条会被略过。",
    ]


def test_what_is_said_of_a_character() -> None:
    assert detail(op("characters.x.a")) == f"{NO_CARD}。"


def thread(name: str, action: Any) -> dict[str, Any]:
    return op(name, action, "foreshadow")


@pytest.mark.parametrize(
    ("ops", "ending"),
    [
        ([thread("x", "planted")], "，这一条会新建它。"),
        ([thread("x", "advanced"), thread("x", "planted")], "，这一条会新建它。"),
        ([thread("x", "advanced")], "，它还没有埋下，这一条会新建它。"),
        ([thread("x", "resolved"), thread("y", "planted")], "，它还没有埋下，这一条会新建它。"),
        ([thread("x", "advanced"), op("x", "planted")], "，它还没有埋下，这一条会新建它。"),
        ([thread("x", "埋")], "，这一条会被略过。"),
        ([thread("x", None), thread("x", "resolved")], "，它还没有埋下，这一条会新建它。"),
    ],
)
def test_what_becomes_of_an_op_on_an_unknown_thread(ops: list[Any], ending: str) -> None:
    assert detail(*ops, threads=()) == NO_THREAD + ending


def test_unknown_threads() -> None:
    ops = [thread("x", "advanced"), thread("z", "resolved"), thread("y", "planted"), thread("y", "advanced")]
    assert said(*ops, threads={"z"}) == [("第 1 条变更", "x"), ("第 3 条变更", "y")]
    assert said(*ops, threads=None) == []
    (found,) = unknown_references.delta_problems({"ops": ops[:1]}, KnownEntities(threads=()), "d.json")
    assert found.code == "FORESHADOW_NOWHERE" and not found.for_its_agent()


KNOWN = KnownEntities(
    slugs=("qin-a-yun", "zhou-huai"),
    ids={"items": {"lamp", "glass"}, "locations": {"tower"}, "factions": {"guild"}},
    threads={"self-letter", "red-shoe"},
)
SLIPS = [
    (thread("self-letters", "planted"), "self-letter"),
    (thread("Self-Letter", "planted"), "self-letter"),
    (op("characters.qin-yun.location"), "qin-a-yun"),
    (op("characters.qin-a-yun.relationships.zhou-hua", 1, "inc"), "zhou-huai"),
    (op("items.lmap.owner"), "lamp"),
    (op("items.LAMP.owner"), "lamp"),
    (op("locations.towre.keeper"), "tower"),
    (op("factions.gulid.chief", "x"), "guild"),
]


@pytest.mark.parametrize(("wrong", "meant"), SLIPS)
def test_a_slip_comes_with_the_id_that_was_meant(wrong: dict[str, Any], meant: str) -> None:
    (found,) = unknown_references.delta_problems({"ops": [wrong]}, KNOWN, "d.json")
    assert str(found).endswith(f"；是不是代号「{meant}」？") and found.for_its_agent()


def test_an_id_far_from_all_known_ones_is_no_slip() -> None:
    ops = [thread("drum", "planted"), op("items.drum.owner"), op("characters.drum.location")]
    found = unknown_references.delta_problems({"ops": ops}, KNOWN, "d.json")
    assert not any("是不是" in str(p) for p in found)
    assert [p.for_its_agent() for p in found] == [False, False, True]  # a person is never made up


def test_how_like_a_slip_is() -> None:
    assert unknown_references.nearest_id("abcx", ["abcd"]) == "abcd"
    assert unknown_references.nearest_id("abxy", ["abcd"]) is None
    assert unknown_references.nearest_id("ABCD", ["abcd", "abce"]) == "abcd"
