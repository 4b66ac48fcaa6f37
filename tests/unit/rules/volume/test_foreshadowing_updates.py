"""Threads in contracts and outline, against the plan and the facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from volumedraft import OUTLINE, Draft, check_edge, check_fault, edges, ends, faults, names, path, tell

from novel_hooks.rules.text.json_values import FAULTY
from novel_hooks.rules.volume import foreshadowing_updates
from unit.rules.volume.thread_updates import PLAN, A, P, R, told

if TYPE_CHECKING:
    from volumedraft import Rules, Spoil


def storyline_of_another_chapter(d: Draft) -> None:
    d.threads[0]["planted_storyline"] = "tower"


def storyline_left_open(d: Draft) -> None:
    d.threads[0]["planted_storyline"] = None


def update_unknown(d: Draft) -> None:
    tell(d, 5, ("bell", "advanced"))
    ends(d, 5)["foreshadowing_updates"].append("ghost")


def update_unknown_in_a_map(d: Draft) -> None:
    ends(d, 5)["foreshadowing_updates"] = {"ghost": "planted", "bell": "advanced"}


def key_line_unknown(d: Draft) -> None:
    d.keys[5]["Foreshadowing"] = "推 bell（门上 iron-nail）；埋 iron-ring"


def update_without_id(d: Draft) -> None:
    ends(d, 5)["foreshadowing_updates"] = [{"action": "advanced"}]


def update_twice(d: Draft) -> None:
    ends(d, 5)["foreshadowing_updates"] *= 2


def update_does_what(d: Draft) -> None:
    ends(d, 5)["foreshadowing_updates"] = [{"id": "bell", "action": "moved"}]


def update_without_action(d: Draft) -> None:
    ends(d, 5)["foreshadowing_updates"] = [{"id": "bell"}]


def speaks_of_a_fact(d: Draft) -> None:
    tell(d, 5, ("bell", "advanced"), ("rope", "advanced"))
    ends(d, 5)["foreshadowing_updates"] = {"rope": "advanced", "bell": {"action": "advanced"}}


def planted_twice(d: Draft) -> None:
    tell(d, 5, ("bell", "planted"))


def planted_again(d: Draft) -> None:
    tell(d, 5, ("bell", "advanced"), ("rope", "planted"))


def planted_in_another_chapter(d: Draft) -> None:
    tell(d, 5, ("bell", "advanced"), ("coin", "planted"))
    tell(d, 6, ("bell", "resolved"))


def planted_by_no_contract(d: Draft) -> None:
    tell(d, 6, ("bell", "resolved"))


def moved_before_the_planting(d: Draft) -> None:
    tell(d, 5, ("bell", "advanced"), ("coin", "advanced"))


def moved_after_the_end(d: Draft) -> None:
    tell(d, 5, ("bell", "resolved"))
    tell(d, 6, ("bell", "advanced"), ("coin", "planted"))


def moved_though_resolved(d: Draft) -> None:
    d.facts[0]["status"] = "resolved"
    tell(d, 5, ("bell", "advanced"), ("rope", "advanced"))


def moved_though_given_up(d: Draft) -> None:
    d.facts[0]["status"] = "dropped"
    tell(d, 5, ("bell", "advanced"), ("rope", "advanced"))


def given_up_and_left(d: Draft) -> None:
    window = {"scope": "short", "target_resolve_range": [5, 6]}
    d.facts.append({"id": "tin", "status": "dropped", "planted_chapter": 1, **window})


def resolved_outside_its_range(d: Draft) -> None:
    d.threads[0]["target_resolve_range"] = [5, 5]


def resolved_by_no_contract(d: Draft) -> None:
    tell(d, 6, ("coin", "planted"))


def resolved_early_in_its_range(d: Draft) -> None:
    tell(d, 5, ("bell", "resolved"))
    tell(d, 6, ("coin", "planted"))


def outline_alone(d: Draft) -> None:
    d.keys[5]["Foreshadowing"] = "推 bell、rope"


def contract_alone(d: Draft) -> None:
    d.keys[6]["Foreshadowing"] = "收 bell"


def outline_says_nothing(d: Draft) -> None:
    d.keys[5]["Foreshadowing"] = "无"


def outline_does_another_thing(d: Draft) -> None:
    d.keys[5]["Foreshadowing"] = "收 bell"


def outline_in_words(d: Draft) -> None:
    d.keys[5]["Foreshadowing"] = "门上的铃又响一回"
    d.keys[6]["Foreshadowing"] = "进城收摊时响起 bell；埋下 coin"


def contracts_say_nothing(d: Draft) -> None:
    del ends(d, 6)["foreshadowing_updates"]
    d.keys[6]["Foreshadowing"] = "收 bell"
    d.threads.pop()


# docs/volume-rules.md lists these
RULES: Rules = [
    (
        "VOLUME_FORESHADOWING",
        [(storyline_of_another_chapter, "第 4 章却是「river」线")],
        [storyline_left_open],
    ),
    (
        "VOLUME_FORESHADOWING",
        [
            (update_unknown, "「ghost」没有人立过"),
            (update_unknown_in_a_map, "「ghost」没有人立过"),
            (key_line_unknown, "「iron-ring」没有人立过"),
            (update_without_id, "第 1 条没有 id"),
            (update_without_action, "没有写 action"),
            (update_twice, "写了两次"),
            (update_does_what, "「moved」不认识"),
        ],
        [speaks_of_a_fact],
    ),
    (
        "VOLUME_FORESHADOWING",
        [
            (planted_twice, "第 4、5 章各埋了一次"),
            (planted_again, "第 1 章已经埋过"),
            (planted_in_another_chapter, "契约却在第 5 章埋"),
            (planted_by_no_contract, "那一章的契约没有写"),
            (moved_before_the_planting, "第 5 章就推"),
        ],
        [speaks_of_a_fact],
    ),
    (
        "VOLUME_FORESHADOWING",
        [
            (moved_after_the_end, "第 6 章还要动它"),
            (moved_though_resolved, "已经收了"),
            (moved_though_given_up, "作者已经放下"),
            (resolved_outside_its_range, "第 6 章收"),
            (resolved_by_no_contract, "没有一份契约收它"),
        ],
        [resolved_early_in_its_range, given_up_and_left],
    ),
    (
        "VOLUME_FORESHADOWING",
        [
            (outline_alone, "契约的 foreshadowing_updates 里没有"),
            (contract_alone, "伏笔「门上」（coin）第 6 章的契约里有"),
            (outline_says_nothing, "伏笔「门上」（bell）第 5 章的契约里有"),
            (outline_does_another_thing, "大纲写的是收，契约写的是推"),
        ],
        [outline_in_words, contracts_say_nothing],
    ),
]


FAULTS = faults(RULES)


@pytest.mark.parametrize(("spoil", "code", "said"), FAULTS, ids=names(FAULTS))
def test_a_fault_is_found_and_named_once(spoil: Spoil, code: str, said: str) -> None:
    check_fault(spoil, code, said)


@pytest.mark.parametrize("edge", edges(RULES), ids=lambda edge: edge.__name__)
def test_a_plan_that_a_rule_allows(edge: Spoil) -> None:
    check_edge(edge)


# updates as they are written ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key_line", "found"),
    [
        ("埋 bell（门上）；推 rope、coin", {"bell": P, "rope": A, "coin": A}),
        ("埋下bell；埋设：coin；埋入「ring」", {"bell": P, "coin": P, "ring": P}),
        ("推进 bell；推动 coin", {"bell": A, "coin": A}),
        ("收 a1；回收 b1；收回 c1；收束 d1", dict.fromkeys(("a1", "b1", "c1", "d1"), R)),
        ("推进 lame_mule；double-seal", {"lame_mule": A, "double-seal": None}),
        ("埋 double-seal（盐引 two-marks（旧 old-ink））、coin", {"double-seal": P, "coin": P}),
        ("埋 a-b【旧 c-d】[e-f]，g-h", {"a-b": P, "g-h": P}),
        ("planted ring", {"ring": P}),
        ("Plant ring, coin; advance: bell; RESOLVED rope", {"ring": P, "coin": P, "bell": A, "rope": R}),
        ("advanced bell。resolve coin\nplant ring", {"bell": A, "coin": R, "ring": P}),
        ("埋 bell 推 coin", {"bell": P, "coin": A}),
        ("埋 bell；coin", {"bell": P}),  # a word by itself is none
        ("埋 bell 与 coin 和 ring 及 oar/cup", dict.fromkeys(("bell", "coin", "ring", "oar", "cup"), P)),
        ("埋 bell，响在 coin 上", {"bell": P}),
        ("门上的 rope 又响", {"rope": None}),  # known
        ("埋 bell，第 3 章再说", {"bell": P}),
        ("埋 3、bell", {"bell": P}),
        ("门铃响了，推 bell", {"bell": A, "门铃": None}),
        ("无，第 3 章再说", {}),
        ("", {}),
    ],
)
def test_a_key_line_of_the_outline(key_line: str, found: dict[str, str | None]) -> None:
    updates = foreshadowing_updates.outline_updates(key_line, ["rope", "门铃", "船票"])
    assert [(one.name, one.action) for one in updates] == list(found.items())


def test_known_ids_that_are_no_latin_words_come_last_in_order() -> None:
    updates = foreshadowing_updates.outline_updates("乙、甲、丙又响，推 bell", iter(["乙", "甲", "丁"]))
    assert [one.name for one in updates] == ["bell", "乙", "甲"]


@pytest.mark.parametrize(
    ("listed", "updates"),
    [
        (
            {"bell": "planted", "coin": {"action": "resolved"}, "oar": "moved"},
            {"bell": P, "coin": R, "oar": None},
        ),
        ({"bell": {}, "coin": None}, {"bell": None, "coin": None}),
        (
            ["bell", {"id": "coin", "action": "advanced"}, {"id": "oar"}],
            {"bell": None, "coin": A, "oar": None},
        ),
        ([{"action": "planted"}, "", 4, {"id": 4}, FAULTY], {}),
        ("bell", {}),
        (None, {}),
    ],
    ids=str,
)
def test_the_updates_of_a_contract(listed: Any, updates: dict[str, str | None]) -> None:
    draft = Draft()
    ends(draft, 5)["foreshadowing_updates"] = listed
    found = foreshadowing_updates.contract_updates(draft.plan().contracts[5])
    assert [(one.name, one.action) for one in found] == list(updates.items())


def test_the_ids_of_items() -> None:
    items: list[dict[str, Any]] = [{"id": "a"}, {"id": ""}, {"id": 4}, {}, {"id": "b"}, {"id": "a"}]
    assert foreshadowing_updates.thread_ids(items) == {"a", "b"}


# unknown threads and illegal actions --------------------------------------------------------------


def unknown(draft: Draft, **plan: Any) -> list[tuple[str, str, str]]:
    return told(foreshadowing_updates.unknown_thread_problems(draft.plan()._replace(**plan)))


def test_an_unknown_thread_once_with_all_its_places() -> None:
    draft = Draft()
    ends(draft, 4)["foreshadowing_updates"].append("ghost")
    ends(draft, 5)["foreshadowing_updates"] = {"ghost": "advanced", "belt": "advanced"}
    draft.keys[5]["Foreshadowing"] = "推 iron-ring、bell、rope"
    key = "foreshadowing_updates"
    assert unknown(draft) == [
        (
            path(4),
            f"伏笔「ghost」没有人立过（{path(4)} 的 {key}、{path(5)} 的 {key}）",
            f"请改好编号，或在 {PLAN} 里立这一条。",
        ),
        (
            path(5),
            f"伏笔「belt」没有人立过（{path(5)} 的 {key}）",
            f"请改好编号（是不是「bell」？），或在 {PLAN} 里立这一条。",
        ),
        (
            OUTLINE,
            f"伏笔「iron-ring」没有人立过（{OUTLINE} 的第 5 章 Foreshadowing）",
            f"请改好编号，或在 {PLAN} 里立这一条。",
        ),
    ]
    assert len(unknown(draft, last=4)) == 3
    assert unknown(draft, last=5) == []
    for part in ({"threads": None}, {"facts": None}, {"partial": frozenset({"threads"})}):
        assert unknown(draft, **part) == []


def test_an_update_of_a_contract_that_is_not_as_it_must_be() -> None:
    draft = Draft()
    listed = [
        {"id": "bell", "action": "advanced"},
        {"action": "advanced"},
        {"id": "coin", "action": "moved"},
        {"id": "coin"},
        {"id": "bell", "action": "advanced"},
        {"id": "bell", "action": "planted"},
        "coin",
        "coin",
        "",
    ]
    ends(draft, 5)["foreshadowing_updates"] = listed
    legal = "action 请写成 planted、advanced、resolved 之一。"
    wanted = [
        (path(5), "foreshadowing_updates 里「bell」的 advanced 写了两次", "请只留一条。"),
        (path(5), "foreshadowing_updates 第 2 条没有 id", "请写上伏笔的编号。"),
        (path(5), "伏笔「coin」的 action「moved」不认识", legal),
        (path(5), "伏笔「coin」没有写 action", legal),
        (path(5), "foreshadowing_updates 第 9 条没有 id", "请写上伏笔的编号。"),
    ]
    assert unknown(draft) == wanted
    assert unknown(draft, threads=None) == wanted
    assert unknown(draft, last=5) == []
