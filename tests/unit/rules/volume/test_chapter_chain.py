"""The chain from chapter to chapter: characters whom one changes have a state in the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from novel_hooks.rules.volume import chapter_chain

if TYPE_CHECKING:
    from volumedraft import Rules, Spoil


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


def linked_by_description(d: Draft) -> None:
    he_changes(d)
    goal(d, 5)["description"] = "林渡把何铁从水里拖上岸"


def linked_by_action(d: Draft) -> None:
    he_changes(d)
    goal(d, 5)["action"] = "拦住铁匠"


def linked_by_key_line(d: Draft) -> None:
    he_changes(d)
    d.keys[5]["StateChanges"] = "何铁昏着→醒了"


def linked_in_groups(d: Draft) -> None:
    states(d, 4)["何铁"] = {}
    ends(d, 4)["state_changes"] = {"characters": {"何铁": {}}, "items": {"渡船": "破了"}}
    d.keys[5]["Conflict"] = "何铁要船，苏禾不给"


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
            (linked_by_description, "目标 O-5 的 description"),
            (linked_by_action, "目标 O-5 的 action"),
            (linked_by_key_line, "大纲的 StateChanges"),
            (linked_in_groups, "大纲的 Conflict"),
        ],
        [chain_is_held, chain_is_held_by_id, chain_is_held_by_alias, changed_and_gone_home],
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


def test_a_place_that_changes_is_nobody() -> None:
    contract = contracts.parse(
        Draft().contracts[4] | {"postconditions": {"state_changes": {"塔": {}}}}, path(4)
    )
    assert chapter_chain.changed_people(contract, Draft().plan().names) == {}
