"""Characters of a volume's plan: cards, retirements, shared names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from volumedraft import Draft, check_edge, check_fault, edges, ends, faults, goal, names, states

from novel_hooks.rules.cast import names as naming

if TYPE_CHECKING:
    from volumedraft import Rules, Spoil


def stranger(d: Draft) -> None:
    states(d, 6)["生人"] = {}


def stranger_tells(d: Draft) -> None:
    d.keys[5]["POV"] = "生人"


def stranger_changes(d: Draft) -> None:
    ends(d, 5)["state_changes"]["生人"] = {}


def stranger_is_aimed_at(d: Draft) -> None:
    goal(d, 5)["target"] = "sheng-ren"


def stranger_tells_a_line(d: Draft) -> None:
    d.book["tower"] = {"pov_characters": ["生人"]}


def stranger_tells_a_line_asleep(d: Draft) -> None:
    d.book["sea"] = {"pov_characters": ["生人"]}


def stranger_with_a_card(d: Draft) -> None:
    d.people["new"] = "生人"
    states(d, 6)["生人"] = {}
    ends(d, 6)["state_changes"]["生人"] = {}
    d.keys[6]["POV"] = "生人"
    goal(d, 6)["target"] = "new"


def called_by_alias(d: Draft) -> None:
    states(d, 6)["老何"] = {}
    d.keys[6]["POV"] = "林渡（第三人称）"


def told_by_nobody(d: Draft) -> None:
    d.keys[6]["POV"] = "全知"


def things_change(d: Draft) -> None:
    ends(d, 6)["state_changes"].update({"渡船": "沉了", "boat": {}, "items": {"灯": "灭了"}, "渡口": "封了"})


def target_is_a_thing(d: Draft) -> None:
    goal(d, 6)["target"] = "灯与缆绳"
    goal(d, 5)["target"] = "bell"


def one_of_two_words(d: Draft) -> None:
    states(d, 6).update({"何铁": {}, "铁匠": {}})


def alias_of_two(d: Draft) -> None:
    d.aliases["su"] = ["老何"]
    states(d, 6)["老何"] = {}


def alias_of_two_changes(d: Draft) -> None:
    d.aliases["su"] = ["老何"]
    ends(d, 6)["state_changes"]["老何"] = {}


def namesakes(d: Draft) -> None:
    d.people["he"] = "苏禾"


def retired(d: Draft) -> None:
    del d.people["su"]
    d.retired["su"] = "苏禾"


def retired_tells(d: Draft) -> None:
    d.retired["old"] = "船老大"
    d.keys[5]["POV"] = "船老大"


def retired_is_remembered(d: Draft) -> None:
    d.retired["old"] = "船老大"
    goal(d, 5)["description"] = "林渡在船老大的坟前说实话"


# docs/volume-rules.md lists these
RULES: Rules = [
    (
        "VOLUME_CHARACTER",
        [
            (stranger, "「生人」没有档案"),
            (stranger_tells, "第 5 章 POV"),
            (stranger_changes, "state_changes"),
            (stranger_is_aimed_at, "目标 O-5 的 target"),
            (stranger_tells_a_line, "「tower」的 pov_characters"),
        ],
        [
            stranger_with_a_card,
            stranger_tells_a_line_asleep,
            called_by_alias,
            told_by_nobody,
            things_change,
            target_is_a_thing,
        ],
    ),
    (
        "VOLUME_CONTRACT",
        [
            (one_of_two_words, "「何铁」和「铁匠」是同一个人"),
            (alias_of_two, "共用的"),
            (alias_of_two_changes, "共用的"),
        ],
        [called_by_alias],
    ),
    ("CHARACTER_DUPLICATE_NAME", [(namesakes, "苏禾")], [stranger_with_a_card]),
    (
        "VOLUME_RETIRED",
        [(retired, "「苏禾」已经退场"), (retired_tells, "第 5 章 POV")],
        [retired_is_remembered],
    ),
]
FAULTS = faults(RULES)


@pytest.mark.parametrize(("spoil", "code", "said"), FAULTS, ids=names(FAULTS))
def test_a_fault_is_found_and_named_once(spoil: Spoil, code: str, said: str) -> None:
    check_fault(spoil, code, said)


@pytest.mark.parametrize("edge", edges(RULES), ids=lambda edge: edge.__name__)
def test_a_plan_that_a_rule_allows(edge: Spoil) -> None:
    check_edge(edge)


def test_names() -> None:
    known = naming.Names(
        [("lin", ["林渡", "渡哥", "lin"]), ("lin-er", ["林渡儿", "老二", "lin-er"]), ("old", ["老二"])]
    )
    assert known.who("林 渡") == ("lin",) and known.who("lin") == ("lin",) and known.who("何铁") == ()
    assert known.who("老二") == ("old",)
    assert known.ids_in_list("林渡与渡哥、林渡儿（藏着）") == ["lin", "lin-er"]
    assert known.ids_in_text("林渡儿看见渡哥") == ["lin-er", "lin"]
    assert known.ids_in_text("lin-er 和 linus") == ["lin-er"]
    both = naming.Names(
        [("he", ["和光"]), ("john", ["John Smith", "约翰"]), ("a", ["甲", "老大"]), ("b", ["乙", "老大"])]
    )
    assert both.ids_in_list("约翰、和光") == ["john", "he"] and both.ids_in_list("John Smith 与 甲") == [
        "john",
        "a",
    ]
    assert both.ids_in_text("只有 John Smith 在") == ["john"] and both.title("john") == "John Smith"
    assert both.who("老大") == ("a", "b") and both.ids_in_text("老大来了") == both.ids_in_list("老大") == []
    assert [word for word, _ in both.parts("约翰与生人")] == ["约翰", "生人"]
    assert known.ids_in_text("林渡的船", owned=False) == [] and known.ids_in_text("林渡的船") == ["lin"]
