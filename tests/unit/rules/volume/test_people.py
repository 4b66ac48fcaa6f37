"""Characters of a volume's plan: cards, retirements, shared names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from volumedraft import (
    OUTLINE,
    Draft,
    check_edge,
    check_fault,
    edges,
    ends,
    faults,
    goal,
    names,
    path,
    states,
)

from novel_hooks import layout
from novel_hooks.rules.cast import names as naming
from novel_hooks.rules.volume import people

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


def stranger_is_aimed_at_twice(d: Draft) -> None:
    for chapter in (4, 6):
        goal(d, chapter).update(type="character", target="余妈")


def stranger_acts_once_and_things_are_aimed_at(d: Draft) -> None:
    goal(d, 4).update(type="character", target="余妈")
    for chapter in (5, 6):
        goal(d, chapter).update(type="plot", target="灯芯")


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
    (
        "VOLUME_CAST",
        [(stranger_is_aimed_at_twice, "第 4、6 章的目标都冲着「余妈」，没有他的档案")],
        [stranger_acts_once_and_things_are_aimed_at],
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


def told(draft: Draft, **plan: Any) -> list[tuple[str, str, dict[str, Any]]]:
    """(code, file, values of the message and the fix) of each problem."""
    found = list(people.character_problems(draft.plan()._replace(**plan)))
    return [
        (
            p.code,
            p.path or "",
            {k: v for k, v in p.values.items() if f"{{{k}}}" in p.message + p.fix and k != "path"},
        )
        for p in found
    ]


THINGS = "；不是人，就收进 state_changes 的 locations、items、factions 或 world_state 里"


def test_a_name_without_a_card_once_with_all_its_places() -> None:
    draft = Draft()
    draft.book["tower"] = {"pov_characters": ["生人"]}
    states(draft, 4)["生人"] = {}
    draft.keys[5]["POV"] = "林渡、生人（暗处）"
    ends(draft, 6)["state_changes"]["生人"] = {}
    assert told(draft) == [
        (
            "VOLUME_CHARACTER",
            layout.STORYLINES,
            {
                "name": "生人",
                "where": f"{layout.STORYLINES} 的「tower」的 pov_characters、{path(4)} 的 character_states、"
                f"{OUTLINE} 的第 5 章 POV、{path(6)} 的 state_changes",
                "near": "",
                "things": THINGS,
                "card": "staging/characters/active/代号.json",
            },
        )
    ]


def test_each_name_has_its_own_problem() -> None:
    draft = Draft()
    states(draft, 4)["林度"] = {}
    goal(draft, 6)["target"] = "sheng-ren、he-tie"
    assert [(file, v["name"], v["where"], v["near"], v["things"]) for _, file, v in told(draft)] == [
        (path(4), "林度", f"{path(4)} 的 character_states", "（是不是「林渡」？）", ""),
        (path(6), "sheng-ren", f"{path(6)} 的目标 O-6 的 target", "", ""),
        (path(6), "he-tie", f"{path(6)} 的目标 O-6 的 target", "", ""),
    ]


def test_a_character_who_has_left() -> None:
    draft = Draft()
    draft.retired["old"] = "船老大"
    states(draft, 5)["船老大"] = {}
    goal(draft, 5)["target"] = "船老大"
    where = f"{path(5)} 的 character_states、{path(5)} 的目标 O-5 的 target"
    wanted = [("VOLUME_RETIRED", path(5), {"name": "船老大", "where": where})]
    assert told(draft) == wanted
    assert told(draft, partial=frozenset({"people"})) == wanted


def test_where_a_card_may_exist_or_nothing_is_known() -> None:
    draft = Draft()
    states(draft, 5)["生人"] = {}
    assert len(told(draft)) == 1
    for part in ({"people": None}, {"partial": frozenset({"people"})}, {"last": 5}):
        assert told(draft, **part) == []


NOBODY = "第三人称 第一人称（林渡） 一人称 全知视角 限知 旁白 群像 多线 众人 无 没有 — / none Omniscient"


@pytest.mark.parametrize("pov", NOBODY.split())
def test_a_point_of_view_that_is_nobodys(pov: str) -> None:
    draft = Draft()
    draft.keys[5]["POV"] = pov
    assert told(draft) == []


@pytest.mark.parametrize(
    ("pov", "names"),
    [
        ("林渡的侧影", []),  # a known name is in it
        ("生人、第三人称、熟人", ["生人", "熟人"]),
        ("无名客", ["无名客"]),
        ("林渡与生人", ["生人"]),
    ],
)
def test_points_of_view(pov: str, names: list[str]) -> None:
    draft = Draft()
    draft.keys[5]["POV"] = pov
    assert [values["name"] for _, _, values in told(draft)] == names


@pytest.mark.parametrize(
    "word",
    ["boat", "渡船", "river", "W-001", "bell", "rope", "渡口", "渡", "林渡的船", "items.灯", "林渡之母"],
)
def test_a_change_of_what_is_no_character(word: str) -> None:
    draft = Draft()
    draft.keys[5]["Location"] = "渡口"
    ends(draft, 5)["state_changes"][word] = {}
    assert [values["name"] for _, _, values in told(draft)] == (["林渡的船"] if word == "林渡的船" else [])


def test_things_that_could_not_be_read_are_not_known() -> None:
    draft = Draft()
    for word in ("river", "W-001", "bell", "rope"):
        ends(draft, 5)["state_changes"][word] = {}
    plan = {"lines": None, "rules": None, "threads": None, "facts": None, "schedule": None}
    assert [values["name"] for _, _, values in told(draft, **plan)] == ["river", "W-001", "bell", "rope"]


@pytest.mark.parametrize(
    ("target", "names"),
    [
        ("灯与缆绳", []),
        ("sheng-ren", ["sheng-ren"]),
        ("sheng_ren", ["sheng_ren"]),
        ("sheng", []),  # an id of one part may be any word
        ("Sheng-Ren", []),
        ("he", []),
        ("gold-ring", []),
        (4, []),
    ],
)
def test_a_target_is_looked_at_where_it_is_an_id(target: Any, names: list[str]) -> None:
    draft = Draft()
    draft.facts.append({"id": "gold-ring"})
    goal(draft, 5)["target"] = target
    assert [values["name"] for _, _, values in told(draft)] == names


def test_contracts_outside_the_outline_are_looked_at_too() -> None:
    draft = Draft()
    draft.contracts[9] = {
        **draft.contracts[6],
        "chapter": 9,
        "preconditions": {"character_states": {"生人": {}}},
    }
    assert [(file, values["name"]) for _, file, values in told(draft)] == [(path(9), "生人")]
    del draft.contracts[5]
    draft.keys[5]["POV"] = "熟人"
    assert [values["name"] for _, _, values in told(draft)] == ["熟人", "生人"]


def test_words_that_several_characters_share() -> None:
    draft = Draft()
    draft.aliases.update(su=["老大"], lin=["老大"])
    states(draft, 5)["老大"] = {}
    ends(draft, 6)["state_changes"]["老大"] = {}
    detail, how = "「老大」是林渡、苏禾共用的，不知说的是谁", "请写显示名。"
    assert told(draft) == [
        ("VOLUME_CONTRACT", path(5), {"detail": detail, "how": how}),
        ("VOLUME_CONTRACT", path(6), {"detail": detail, "how": how}),
    ]
    assert [file for _, file, _ in told(draft, last=5)] == [path(6)]


def test_two_or_three_words_for_one_character() -> None:
    draft = Draft()
    states(draft, 6).update({"铁匠": {}, "何铁": {}, "he": {}})
    how = "请并成一条，写显示名「何铁」。"
    assert told(draft) == [
        (
            "VOLUME_CONTRACT",
            path(6),
            {"detail": f"character_states 里「铁匠」和「{word}」是同一个人", "how": how},
        )
        for word in ("何铁", "he")
    ]


def test_cards_in_staging_are_looked_at_by_their_own_step() -> None:
    draft = Draft()
    draft.people["old"] = "何铁"
    assert [(code, file) for code, file, _ in told(draft)] == [
        ("CHARACTER_DUPLICATE_NAME", layout.character_card("old"))
    ]
    draft = Draft()
    draft.people["Bad_Name"] = "新人"
    assert len(told(draft)) == 1
    assert told(draft, staged=frozenset({"Bad_Name"})) == []
