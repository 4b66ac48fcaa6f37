"""The chain from chapter to chapter: characters whom one changes have a state in the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from volumedraft import (
    Draft,
    check_edge,
    check_fault,
    edges,
    ends,
    faults,
    goal,
    he_changes,
    names,
    path,
    states,
)

from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.text.json_values import FAULTY
from novel_hooks.rules.volume import chapter_chain

if TYPE_CHECKING:
    from volumedraft import Rules, Spoil

    from novel_hooks.rules.outline.contract import Contract


def linked_by_target(d: Draft) -> None:
    ends(d, 4)["state_changes"]["苏禾"] = {}
    del states(d, 5)["苏禾"]


def linked_by_point_of_view(d: Draft) -> None:
    he_changes(d)
    d.keys[5]["POV"] = "林渡、何铁"


def linked_by_change(d: Draft) -> None:
    states(d, 4)["何铁"] = {}
    ends(d, 4)["state_changes"] = [{"character": "何铁", "to": "醒了"}]
    ends(d, 5)["state_changes"] = ["何铁：醒→走"]


def linked_across_volumes(d: Draft) -> None:
    assert d.before is not None
    d.before["postconditions"]["state_changes"] = {"苏禾": {}}
    del states(d, 4)["苏禾"]


def linked_by_id(d: Draft) -> None:
    he_changes(d, "he")
    goal(d, 5)["target"] = "何铁"


def linked_by_path(d: Draft) -> None:
    states(d, 4)["何铁"] = {}
    ends(d, 4)["state_changes"] = [{"op": "set", "path": "characters.he.location", "value": "水里"}]
    ends(d, 5)["state_changes"] = {"characters.he.location": "岸上", "items.灯": "灭了"}


def linked_by_alias(d: Draft) -> None:
    he_changes(d)
    goal(d, 5)["target"] = "老何与苏禾"


def linked_by_actor(d: Draft) -> None:
    he_changes(d)
    goal(d, 5)["actor"] = "铁匠"


def told_of_in_a_description(d: Draft) -> None:
    he_changes(d)
    goal(d, 5)["description"] = "林渡翻出何铁三年前交的单子"


def told_of_in_an_action(d: Draft) -> None:
    he_changes(d)
    goal(d, 5)["action"] = "拦住铁匠"


def told_of_in_a_key_line(d: Draft) -> None:
    he_changes(d)
    d.keys[5]["Conflict"] = "何铁要船，苏禾不给"
    d.keys[5]["StateChanges"] = "何铁欠的账→还清"


def linked_in_groups(d: Draft) -> None:
    states(d, 4)["何铁"] = {}
    ends(d, 4)["state_changes"] = {"characters": {"何铁": {}}, "items": {"渡船": "破了"}}
    goal(d, 5)["target"] = "何铁"


def chain_is_held(d: Draft) -> None:
    he_changes(d)
    d.keys[5]["POV"] = "林渡、何铁"
    states(d, 5)["何铁"] = {"at": "塔下"}


def chain_is_held_by_id(d: Draft) -> None:
    he_changes(d)
    goal(d, 5)["description"] = "林渡把何铁从水里拖上岸"
    states(d, 5)["he"] = {"at": "塔下"}


def chain_is_held_by_alias(d: Draft) -> None:
    he_changes(d, "老何")
    goal(d, 5)["target"] = "何铁"
    states(d, 5)["铁匠"] = {"at": "塔下"}


def changed_and_gone_home(d: Draft) -> None:
    he_changes(d)
    goal(d, 5)["target"] = "何铁的灯"


def begins_without_its_teller(d: Draft) -> None:
    d.keys[6]["POV"] = "何铁"


def changes_one_who_was_not_there(d: Draft) -> None:
    ends(d, 6)["state_changes"]["何铁"] = {}


def begins_with_its_teller(d: Draft) -> None:
    d.keys[6]["POV"] = "老何"
    states(d, 6)["何铁"] = {}


# docs/volume-rules.md lists these
RULES: Rules = [
    (
        "VOLUME_CHAIN",
        [
            (linked_by_target, "目标 O-5 的 target"),
            (linked_by_point_of_view, "「何铁」"),
            (linked_by_change, "state_changes"),
            (linked_across_volumes, "第 3 章改变了他"),
            (linked_by_id, "「何铁」"),
            (linked_by_path, "「何铁」"),
            (linked_by_alias, "目标 O-5 的 target"),
            (linked_by_actor, "目标 O-5 的 actor"),
            (linked_in_groups, "目标 O-5 的 target"),
        ],
        [
            chain_is_held,
            chain_is_held_by_id,
            chain_is_held_by_alias,
            changed_and_gone_home,
            told_of_in_a_description,
            told_of_in_an_action,
            told_of_in_a_key_line,
        ],
    ),
    (
        "VOLUME_CAST",
        [(begins_without_its_teller, "大纲的 POV"), (changes_one_who_was_not_there, "state_changes")],
        [begins_with_its_teller],
    ),
]
FAULTS = faults(RULES)


@pytest.mark.parametrize(("spoil", "code", "said"), FAULTS, ids=names(FAULTS))
def test_a_fault_is_found_and_named_once(spoil: Spoil, code: str, said: str) -> None:
    check_fault(spoil, code, said)


@pytest.mark.parametrize("edge", edges(RULES), ids=lambda edge: edge.__name__)
def test_a_plan_that_a_rule_allows(edge: Spoil) -> None:
    check_edge(edge)


NAMES = Draft().plan().names


def contract(**changes: Any) -> Contract:
    made = {"chapter": 5, "storyline_id": "river", **changes}
    return contracts.parse(made, path(5))


def changing(state_changes: Any) -> Contract:
    return contract(postconditions={"state_changes": state_changes})


@pytest.mark.parametrize(
    ("changes", "heads"),
    [
        ({"何铁": {}, "塔": {}}, [("何铁", ("he",)), ("塔", ())]),
        ({"老何与苏禾": {}}, [("老何", ("he",)), ("苏禾", ("su",))]),
        ({"characters": {"he": {}, "生人": {}}}, [("he", ("he",)), ("生人", ())]),
        ({"characters": "都走了"}, [("characters", ())]),
        ({"items": {"何铁": {}}, "locations": {}, "factions": {}, "world_state": {}}, []),
        ({"items.灯.owner": 1, "world_state.天": 2}, []),
        ({"characters.he.location.x": 1, "characters.生人": 2}, [("he", ("he",)), ("生人", ())]),
        ({" characters.he ": 1}, [("he", ("he",))]),
        ({"何铁.location": 1}, [("何铁.location", ())]),
        (
            ["何铁：醒→走", "苏禾:走", "苏禾渡河", "天亮了", 4],
            [("何铁", ("he",)), ("苏禾", ("su",)), ("苏禾", ("su",))],
        ),
        (["老何与苏禾：走", "塔与何铁：倒"], [("老何", ("he",)), ("苏禾", ("su",)), ("何铁", ("he",))]),
        (["塔：何铁上去了", "老何渡河"], [("何铁", ("he",))]),
        (["items.何铁：新", "characters.he：走"], [("he", ("he",))]),
        *(
            ([{key: "何铁", "to": "苏禾"}], [("何铁", ("he",))])
            for key in ("character", "name", "display_name", "entity", "target", "who")
        ),
        ([{"op": "set", "path": "characters.he.location"}], [("he", ("he",))]),
        ([{"op": "set", "path": "items.he.location"}], []),
        ([{"character": "生人", "name": "何铁"}], [("生人", ()), ("何铁", ("he",))]),
        ([{"何铁": "醒", "塔": "倒", "苏禾": "走"}], [("何铁", ("he",)), ("苏禾", ("su",))]),
        ([{"character": "", "name": 4, "何铁": "醒"}], [("何铁", ("he",))]),
        ("何铁走了", []),
        (None, []),
    ],
    ids=str,
)
def test_the_names_at_the_head_of_state_changes(changes: Any, heads: list[tuple[str, Any]]) -> None:
    assert list(chapter_chain.state_change_names(changing(changes), NAMES)) == heads


def test_characters_whom_state_changes_change() -> None:
    draft = Draft()
    draft.aliases["su"] = ["老何"]
    known = draft.plan().names
    found = chapter_chain.changed_people(changing(["塔：倒", "铁匠：醒", "老何：走", "林渡：走"]), known)
    assert found == {"he": "铁匠", "lin": "林渡"}
    assert chapter_chain.changed_people(contract(), known) == {}


def test_where_each_character_of_a_chapter_is_named_first() -> None:
    chapter = contract(
        objectives=[
            {"id": "O-1", "target": "何铁的灯", "action": "苏禾拦船", "description": "何铁醒来"},
            {"id": "", "target": "铁匠"},
        ],
        postconditions={"state_changes": {"生人": {}, "新人": {}}},
    )
    draft = Draft()
    draft.people.update({"new": "新人", "arc": "长老", "old": "老翁", "one": "独眼"})
    known = draft.plan().names
    keys = {
        "POV": "林渡（第三人称）",
        "Conflict": "林渡要船，长老不给",
        "StateChanges": "老翁走了",
        "Arc": "独眼",
    }
    assert chapter_chain.first_mentions(chapter, keys, known) == {
        "lin": "大纲的 POV",
        "su": "目标 O-1 的 action",
        "he": "目标 O-1 的 description",
        "new": "state_changes",
        "arc": "大纲的 Conflict",
        "old": "大纲的 StateChanges",
    }
    unnamed = contract(objectives=[{"target": "铁匠"}, {"id": "O-2", "target": "何铁"}])
    assert chapter_chain.first_mentions(unnamed, {}, known) == {"he": "目标的 target"}
    assert chapter_chain.first_mentions(contract(), {}, known) == {}


def test_an_owner_counts_in_words_and_not_in_a_target() -> None:
    owned = contract(objectives=[{"target": "修何铁的灯", "action": "修苏禾的灯"}])
    assert chapter_chain.first_mentions(owned, {}, NAMES) == {"su": "目标的 action"}


@pytest.mark.parametrize(
    ("changes", "readable"),
    [
        ({"preconditions": {"character_states": {}}}, True),
        ({"preconditions": {}}, True),
        ({}, True),
        ({"preconditions": FAULTY}, False),
        ({"preconditions": {"character_states": FAULTY}}, False),
    ],
)
def test_preconditions_that_could_be_read(changes: dict[str, Any], readable: bool) -> None:
    assert chapter_chain.can_read_preconditions(contract(**changes)) is readable


def chain(draft: Draft) -> list[dict[str, Any]]:
    """The values of each problem of the chain."""
    found = list(chapter_chain.chain_problems(draft.plan()))
    assert {p.path for p in found} <= {path(n) for n in (4, 5, 6)}
    return [{k: v for k, v in p.values.items() if k != "path"} for p in found]


def test_the_chain_names_chapter_character_and_place() -> None:
    draft = Draft()
    he_changes(draft, "老何")
    ends(draft, 4)["state_changes"]["苏禾"] = {}
    del states(draft, 5)["苏禾"]
    goal(draft, 5)["actor"] = "铁匠"
    assert chain(draft) == [
        {"name": "何铁", "before": 4, "chapter": 5, "where": "目标 O-5 的 actor"},
        {"name": "苏禾", "before": 4, "chapter": 5, "where": "目标 O-5 的 target"},
    ]


def test_a_chapter_without_states_at_all_still_has_to_take_up_the_chain() -> None:
    draft = Draft()
    he_changes(draft)
    goal(draft, 5)["target"] = "何铁"
    del draft.contracts[5]["preconditions"]["character_states"]
    assert [one["name"] for one in chain(draft)] == ["何铁", "林渡"]
    assert list(chapter_chain.entrance_problems(draft.plan())) == []


@pytest.mark.parametrize(
    "allow",
    [
        lambda d: setattr(d, "last", 5),
        lambda d: d.contracts.pop(4),
        lambda d: d.contracts[5].update(chapter=6),
        lambda d: states(d, 5).update({"何鉄": {}}),
        lambda d: d.contracts[5].update(preconditions=FAULTY),
    ],
    ids=["written", "no chapter before", "another chapter's", "misspelt", "not readable"],
)
def test_where_nothing_follows_from_the_chain(allow: Any) -> None:
    draft = Draft()
    he_changes(draft)
    goal(draft, 5)["target"] = "何铁"
    allow(draft)
    assert [one for one in chain(draft) if one["name"] == "何铁"] == []


def test_key_lines_of_a_chapter_whose_contract_is_of_another_storyline_do_not_count() -> None:
    draft = Draft()
    he_changes(draft)
    draft.keys[5]["POV"] = "林渡、何铁"
    assert [one["where"] for one in chain(draft)] == ["大纲的 POV"]
    draft.contracts[5]["storyline_id"] = "sea"
    assert chain(draft) == []


def entrances(draft: Draft) -> list[tuple[str, int, str]]:
    found = list(chapter_chain.entrance_problems(draft.plan()))
    assert {(p.code, p.severity, p.path) for p in found} <= {("VOLUME_CAST", "warning", path(6))}
    return [(p.values["name"], p.values["chapter"], p.values["where"]) for p in found]


def test_narrators_and_changed_characters_need_a_state() -> None:
    draft = Draft()
    draft.keys[6]["POV"] = "苏禾、老何"
    ends(draft, 6)["state_changes"].update({"何铁": {}, "铁匠": {}})
    draft.people["new"] = "新人"
    ends(draft, 6)["state_changes"]["新人"] = {}
    assert entrances(draft) == [("何铁", 6, "大纲的 POV"), ("新人", 6, "state_changes")]


@pytest.mark.parametrize(
    "allow",
    [
        lambda d: setattr(d, "last", 6),
        lambda d: d.contracts[6].update(preconditions=FAULTY),
        lambda d: d.contracts[6]["preconditions"].update(character_states={}),
        lambda d: [held.update({"何铁": {}}) for held in (states(d, 5), ends(d, 5)["state_changes"])],
        lambda d: states(d, 6).update({"铁匠": {}}),
        lambda d: d.contracts[6].update(chapter=4),
    ],
    ids=["written", "not readable", "no states", "in the chain", "has one", "another chapter's"],
)
def test_where_no_state_is_missing(allow: Any) -> None:
    draft = Draft()
    draft.keys[6]["POV"] = "何铁"
    assert entrances(draft) == [("何铁", 6, "大纲的 POV")]
    allow(draft)
    assert entrances(draft) == []


def test_without_characters_there_is_no_chain() -> None:
    draft = Draft()
    he_changes(draft)
    goal(draft, 5)["target"] = "何铁"
    draft.keys[6]["POV"] = "何铁"
    plan = draft.plan()._replace(people=None)
    assert [*chapter_chain.chain_problems(plan), *chapter_chain.entrance_problems(plan)] == []
