"""All rules of a volume's plan together; outline, contracts and world rules; the page that lists them."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import CHECKOUT, examples
from hypothesis import given, settings
from hypothesis import strategies as st
from volumedraft import (
    OUTLINE,
    THREADS,
    Draft,
    check_edge,
    check_fault,
    edges,
    ends,
    event,
    faults,
    goal,
    names,
    path,
    states,
)

from novel_hooks import layout
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.text.json_values import FAULTY
from novel_hooks.rules.volume import checks
from novel_hooks.rules.volume.plan import Plan
from novel_hooks.store.files import assets
from tools.gen_errors import problem_classes
from unit.rules.volume import test_chapter_chain as chain
from unit.rules.volume import test_contract_ends as contract_ends
from unit.rules.volume import test_foreshadowing as plan_items
from unit.rules.volume import test_foreshadowing_updates as updates
from unit.rules.volume import test_payoffs as payoffs
from unit.rules.volume import test_people as people
from unit.rules.volume import test_storylines as lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from volumedraft import Rules, Spoil


def starts_late(d: Draft) -> None:
    d.first = 3


def ends_before_the_book(d: Draft) -> None:
    d.last = 8


def begins_where_the_last_ended(d: Draft) -> None:
    d.first, d.last = 4, 3


def gap(d: Draft) -> None:
    d.titles = {4: d.titles[4], 5: d.titles[5], 7: "### 第 7 章: 跳号"}
    d.contracts[7] = {**d.contracts.pop(6), "chapter": 7}
    d.keys[7] = {"Foreshadowing": THREADS[6]}
    d.schedule.update(convergence_events=[], active_storylines=["river", "tower"])
    d.threads[0]["target_resolve_range"] = [5, 7]
    d.threads[1]["planted_chapter"] = 7


def heading_twice(d: Draft) -> None:
    d.titles[60] = "### 第 6 章: 又一遍"


def heading_out_of_order(d: Draft) -> None:
    d.titles = {n: d.titles[n] for n in (4, 6, 5)}


def heading_far_out_of_order(d: Draft) -> None:
    d.titles = {n: d.titles[n] for n in (6, 4, 5)}


def headings_without_titles(d: Draft) -> None:
    d.titles.update({5: "### 第 5 章", 6: "### 第 6 章：风里 第二夜"})


def heading_misspelt(d: Draft) -> None:
    d.titles[5] = "## 第五章 近似"


def key_line_missing(d: Draft) -> None:
    d.titles[4] = "### 第 4 章: 缺行\n\n### 附记"


def key_line_empty(d: Draft) -> None:
    d.keys[5]["Conflict"] = ""


def key_line_twice(d: Draft) -> None:
    d.keys[5]["Conflict"] = "甲\n- **POV**: 苏禾"


def nothing_of_threads_and_no_hint(d: Draft) -> None:
    d.keys[5].update(TransitionHint="", Foreshadowing="无")
    ends(d, 5)["foreshadowing_updates"] = []


def contract_missing(d: Draft) -> None:
    del d.contracts[5]


def contract_astray(d: Draft) -> None:
    d.contracts[9] = {**copy.deepcopy(d.contracts[6]), "chapter": 9}
    d.contracts[9]["postconditions"] = {}


def contract_of_another_chapter(d: Draft) -> None:
    d.contracts[5]["chapter"] = 50


def contracts_exchanged(d: Draft) -> None:
    d.contracts[4], d.contracts[6] = d.contracts[6], d.contracts[4]


def contract_of_another_line(d: Draft) -> None:
    d.contracts[5]["storyline_id"] = "river"


def nothing_required(d: Draft) -> None:
    goal(d, 5)["required"] = False


def one_required_is_enough(d: Draft) -> None:
    d.contracts[5]["objectives"].append({"id": "O-x", "required": False, "description": "听水"})


def objective_id_twice(d: Draft) -> None:
    d.contracts[5]["objectives"].append({"id": "O-5", "required": False, "description": "听水"})


def counted_wrong(d: Draft) -> None:
    d.contracts[6]["storyline_context"] = {"chapters_since_last": 5}


def counted_back(d: Draft) -> None:
    d.contracts[5]["storyline_context"] = {"chapters_since_last": 9}
    d.contracts[6]["storyline_context"] = {"chapters_since_last": 2}


def rule_unknown(d: Draft) -> None:
    d.contracts[6]["preconditions"]["required_world_rules"] = ["W-002", "W-404"]


def rule_not_yet(d: Draft) -> None:
    d.contracts[5]["preconditions"]["required_world_rules"] = ["W-002"]


def rule_in_time(d: Draft) -> None:
    d.contracts[6]["preconditions"]["required_world_rules"] = ["W-002"]


def no_rules_needed(d: Draft) -> None:
    d.contracts[6]["preconditions"]["required_world_rules"] = []


# docs/volume-rules.md lists these
RULES: Rules = [
    (
        "VOLUME_RANGE",
        [(starts_late, "应从第 3 章起"), (ends_before_the_book, "已写到第 8 章")],
        [begins_where_the_last_ended],
    ),
    (
        "OUTLINE_NUMBERING",
        [
            (gap, "缺少：6"),
            (heading_twice, "重复：6"),
            (heading_out_of_order, "6（第 13 行，应在第 5 章之后）"),
            (heading_far_out_of_order, "6（第 3 行，应在第 5 章之后）"),
        ],
        [headings_without_titles],
    ),
    ("OUTLINE_HEADING_NEAR", [(heading_misspelt, "### 第 5 章: 近似")], [headings_without_titles]),
    ("OUTLINE_KEY_MISSING", [(key_line_missing, "Storyline")], [nothing_of_threads_and_no_hint]),
    ("OUTLINE_KEY_TWICE", [(key_line_twice, "「POV」写了不止一次")], [nothing_of_threads_and_no_hint]),
    (
        "VOLUME_OUTLINE",
        [(key_line_empty, "Conflict 空着")],
        [nothing_of_threads_and_no_hint],
    ),
    (
        "VOLUME_CONTRACT",
        [(contract_missing, "第 5 章没有契约"), (contract_astray, "大纲里没有第 9 章")],
        [one_required_is_enough],
    ),
    (
        "VOLUME_CONTRACT",
        [
            (contract_of_another_chapter, "应是第 5 章"),
            (contracts_exchanged, "契约写的是第 6 章，应是第 4 章"),
            (contract_of_another_line, "大纲写的是「tower」"),
        ],
        [one_required_is_enough],
    ),
    (
        "VOLUME_CONTRACT",
        [(nothing_required, "必达目标"), (objective_id_twice, "「O-5」")],
        [one_required_is_enough],
    ),
    ("VOLUME_CONTRACT", [(counted_wrong, "这条线上一次是第 4 章")], [counted_back]),
]
WORLD_RULES: Rules = [
    (
        "VOLUME_WORLD_RULE",
        [(rule_unknown, "「W-404」"), (rule_not_yet, "要到第 6 章才引入")],
        [rule_in_time, no_rules_needed],
    ),
]
FAULTS = faults([*RULES, *WORLD_RULES])


@pytest.mark.parametrize(("spoil", "code", "said"), FAULTS, ids=names(FAULTS))
def test_a_fault_is_found_and_named_once(spoil: Spoil, code: str, said: str) -> None:
    check_fault(spoil, code, said)


@pytest.mark.parametrize("edge", edges([*RULES, *WORLD_RULES]), ids=lambda edge: edge.__name__)
def test_a_plan_that_a_rule_allows(edge: Spoil) -> None:
    check_edge(edge)


def test_the_draft_passes() -> None:
    assert Draft().found() == []


EVERY_RULE: Rules = [
    *RULES,
    *chain.RULES,
    *lines.RULES,
    *plan_items.RULES,
    *updates.RULES,
    *payoffs.RULES,
    *people.RULES,
    *WORLD_RULES,
    *contract_ends.RULES,
]


def test_every_rule_has_an_example_on_both_sides_and_is_on_the_page() -> None:
    page = (Path(CHECKOUT) / "docs" / "volume-rules.md").read_text("utf-8")
    rows = [line.strip("|").split("|") for line in page.splitlines() if line.startswith("| `")]
    listed = [[re.findall(r"`([^`]+)`", row[at]) for at in (0, 2, 3)] for row in rows]
    assert listed == [
        [[code], [spoil.__name__ for spoil, _ in fails], [edge.__name__ for edge in passes]]
        for code, fails, passes in EVERY_RULE
    ]
    assert all(fails and passes for _, fails, passes in EVERY_RULE)
    codes = {kind.code for kind in problem_classes()}
    assert {code for code, _, _ in EVERY_RULE} >= {code for code in codes if code.startswith("VOLUME_")}


APART = (
    starts_late,
    nothing_required,
    objective_id_twice,
    key_line_empty,
    rule_not_yet,
    people.stranger,
    plan_items.thread_without_scope,
    plan_items.plan_of_another_volume,
    lines.schedule_of_another_volume,
    lines.meets_outside,
    lines.targets_outside,
)


@given(st.sets(st.sampled_from(APART), min_size=2, max_size=6))
@settings(max_examples=examples(60), deadline=None)
def test_one_fault_hides_no_other(chosen: set[Callable[[Draft], None]]) -> None:
    """Faults in parts that do not touch each other are all told at once."""
    draft = Draft()
    wanted = [fault for fault in faults(EVERY_RULE) if fault[0] in chosen]
    for spoil, _, _ in wanted:
        spoil(draft)
    found = draft.found()
    for _, code, said in wanted:
        assert any(c == code and said in message for c, message in found)


def test_one_cause_in_many_places_is_told_once() -> None:
    draft = Draft()
    for chapter in (4, 5, 6):
        states(draft, chapter)["生人"] = {}
        ends(draft, chapter)["state_changes"]["生人"] = {}
        draft.keys[chapter]["POV"] = "生人"
        draft.contracts[chapter]["preconditions"]["required_world_rules"] = ["W-404"]
    found = draft.found()
    assert [code for code, _ in found] == ["VOLUME_CHARACTER", "VOLUME_WORLD_RULE"]
    assert all(
        place in found[0][1] for place in (path(4), OUTLINE, "第 5 章 POV", "state_changes", "等 9 处")
    )
    assert "第 5、6 章的契约也是" in found[1][1]


def test_an_id_that_changes_in_the_plan_is_told_once() -> None:
    draft = Draft()
    draft.threads[0]["id"] = "belt"
    found = draft.found()
    assert [code for code, _ in found] == ["VOLUME_FORESHADOWING"]
    assert "是不是「belt」？" in found[0][1]


def test_a_slip_is_met_with_the_right_word() -> None:
    draft = Draft()
    states(draft, 5)["林度"] = states(draft, 5).pop("林渡")
    assert any("是不是「林渡」？" in message for _, message in draft.found())


def test_what_could_not_be_read_is_not_looked_at() -> None:
    plan = (
        Draft().plan()._replace(schedule=None, lines=None, threads=None, facts=None, people=None, rules=None)
    )
    assert checks.problems(plan) == []


def test_without_a_heading_one_thing_is_said() -> None:
    draft = Draft()
    draft.titles = {}
    assert [c for c, _ in draft.found()] == ["OUTLINE_EMPTY"]


def test_without_an_outline_the_rest_is_looked_at() -> None:
    draft = Draft()
    people.stranger(draft)
    plan = draft.plan()._replace(outline=outlines.parse("", OUTLINE), data=b"")
    assert [p.code for p in checks.problems(plan)] == ["VOLUME_CHARACTER"]


def test_without_a_schedule_a_storyline_is_still_one_of_the_books() -> None:
    draft = Draft()
    draft.storylines[5] = draft.contracts[5]["storyline_id"] = "towr"
    (found,) = checks.problems(draft.plan()._replace(schedule=None))
    assert "「towr」没有定义" in str(found) and "「tower」" in found.diagnostic().fix


FAULTY_PLACES: list[tuple[str, Callable[[Draft], object]]] = [
    ("storyline_id", lambda d: d.contracts[5].update(storyline_id="")),
    ("objectives", lambda d: d.contracts[5].update(objectives=FAULTY)),
    ("required", lambda d: goal(d, 5).update(required=FAULTY)),
    ("preconditions", lambda d: d.contracts[5].update(preconditions=FAULTY)),
    ("states", lambda d: d.contracts[5]["preconditions"].update(character_states=FAULTY)),
    ("state", lambda d: states(d, 5).update(林渡=FAULTY)),
    ("changes", lambda d: ends(d, 5).update(state_changes=FAULTY)),
    ("updates", lambda d: ends(d, 5).update(foreshadowing_updates=FAULTY)),
    ("postconditions", lambda d: d.contracts[4].update(postconditions=FAULTY)),
    ("active", lambda d: d.schedule.update(active_storylines=FAULTY)),
    ("one active", lambda d: d.schedule.update(active_storylines=["river", FAULTY])),
    ("range", lambda d: event(d).update(chapter_range=FAULTY)),
    ("end", lambda d: event(d).update(chapter_range=[5, FAULTY])),
    ("involved", lambda d: event(d).update(involved_storylines=["river", FAULTY])),
    ("dormant", lambda d: d.schedule.update(dormant_storylines=FAULTY)),
    ("event", lambda d: d.schedule.update(convergence_events=[FAULTY])),
    ("scope", lambda d: d.threads[0].update(scope=FAULTY)),
    ("planted", lambda d: d.threads[0].update(planted_chapter=FAULTY)),
    ("window", lambda d: d.threads[0].update(target_resolve_range=FAULTY)),
    ("description", lambda d: d.threads[0].update(description=FAULTY)),
]


@pytest.mark.parametrize(("where", "spoil"), FAULTY_PLACES, ids=[where for where, _ in FAULTY_PLACES])
def test_nothing_is_concluded_from_a_fault_of_shape(where: str, spoil: Callable[[Draft], object]) -> None:
    draft = Draft()
    spoil(draft)
    assert draft.found() == []


@pytest.mark.parametrize(("where", "spoil"), FAULTY_PLACES, ids=[where for where, _ in FAULTY_PLACES])
def test_and_it_hides_nothing_beside_it(where: str, spoil: Callable[[Draft], object]) -> None:
    draft = Draft()
    spoil(draft)
    nothing_required_in_6(draft)
    people.stranger(draft)
    rule_unknown(draft)
    draft.threads.append(dict(draft.threads[1]))
    codes = {code for code, _ in draft.found()}
    assert codes == {"VOLUME_CONTRACT", "VOLUME_CHARACTER", "VOLUME_WORLD_RULE", "VOLUME_FORESHADOWING"}


def nothing_required_in_6(d: Draft) -> None:
    goal(d, 6)["required"] = False


def test_the_samples_own_volume_passes() -> None:
    def document(rel: str) -> Any:
        return json.loads(assets.load(assets.package_path(f"sample/project/{rel}")))

    data = assets.load(assets.package_path(f"sample/project/{layout.outline(1)}"))
    outline = outlines.parse(data.decode(), OUTLINE)
    numbers = range(outline.start, outline.end + 1)
    cards = [
        "bo-sanxing",
        "deng-hua",
        "lin-po",
        "lu-dun",
        "miao-he",
        "min-shouzhong",
        "sang-dingxing",
        "sang-zhun",
        "tong-qizheng",
        "xu-er",
        "xun-jiusuo",
    ]
    plan = Plan(
        volume=1,
        first=1,
        last=0,
        outline=outline,
        data=data,
        files=tuple(numbers),
        contracts={
            n: contracts.parse(document(layout.contract(1, n)), layout.contract(1, n)) for n in numbers
        },
        before=None,
        schedule=document(layout.schedule(1)),
        lines=tuple(line["id"] for line in document(layout.STORYLINES)["storylines"]),
        threads=document(layout.foreshadowing_plan(1))["foreshadowing"],
        facts=[],
        people=[casts.character(slug, document(layout.character_card(slug))) for slug in cards],
        rules={rule["id"]: rule["introduced_chapter"] for rule in document(layout.WORLD_RULES)["rules"]},
    )
    assert checks.problems(plan) == []


# outline, contracts and world rules ---------------------------------------------------------------


def told(problems: Any) -> list[tuple[str, str, dict[str, Any]]]:
    """(code, file, values of the message and the fix) of each problem."""
    return [
        (
            p.code,
            p.path,
            {k: v for k, v in p.values.items() if f"{{{k}}}" in p.message + p.fix and k != "path"},
        )
        for p in problems
    ]


@pytest.mark.parametrize(
    ("first", "last", "details"),
    [
        (4, 3, []),
        (4, 6, []),
        (3, 2, [("可第 2 卷应从第 3 章起", "请把大纲改成从第 3 章起连号。")]),
        (5, 4, [("可第 2 卷应从第 5 章起", "请把大纲改成从第 5 章起连号。")]),
        (4, 7, [("可书已写到第 7 章", "请把大纲补到第 7 章或更后。")]),
        (
            5,
            8,
            [
                ("可第 2 卷应从第 5 章起", "请把大纲改成从第 5 章起连号。"),
                ("可书已写到第 8 章", "请把大纲补到第 8 章或更后。"),
            ],
        ),
    ],
)
def test_the_range_of_the_outline(first: int, last: int, details: list[tuple[str, str]]) -> None:
    plan = Draft().plan()._replace(first=first, last=last)
    assert told(checks.volume_range_problems(plan)) == [
        ("VOLUME_RANGE", OUTLINE, {"start": 4, "end": 6, "detail": detail, "how": how})
        for detail, how in details
    ]
    assert list(checks.volume_range_problems(plan._replace(outline=outlines.parse("", OUTLINE)))) == []


def test_empty_key_lines_of_each_block() -> None:
    draft = Draft()
    draft.keys[5].update(Conflict="", Arc="", TransitionHint="", POV=" ")
    draft.keys[6].update(Location="", Foreshadowing="", StateChanges="")
    plan = draft.plan()
    wanted = [
        ("VOLUME_OUTLINE", OUTLINE, {"chapter": 5, "line": 13, "keys": "POV、Conflict、Arc", "key": "POV"}),
        (
            "VOLUME_OUTLINE",
            OUTLINE,
            {"chapter": 6, "line": 23, "keys": "Location、Foreshadowing、StateChanges", "key": "Location"},
        ),
    ]
    assert told(checks.empty_key_problems(plan)) == wanted
    assert told(checks.empty_key_problems(plan._replace(last=5))) == wanted[1:]
    assert told(checks.empty_key_problems(plan._replace(last=6))) == []


def contract_faults(draft: Draft, **plan: Any) -> list[tuple[str, str, str]]:
    """(file, detail, advice) of each problem."""
    found = told(checks.contract_problems(draft.plan()._replace(**plan)))
    assert {code for code, _, _ in found} <= {"VOLUME_CONTRACT"}
    return [(file, values["detail"], values["how"]) for _, file, values in found]


def test_contracts_and_chapters_belong_together() -> None:
    draft = Draft()
    del draft.contracts[5]
    draft.contracts[9] = {**draft.contracts[6], "chapter": 8, "objectives": []}
    draft.contracts[2] = {**draft.contracts[6]}
    assert contract_faults(draft) == [
        (path(5), "第 5 章没有契约", "请照大纲给第 5 章写一份契约。"),
        (path(2), "大纲里没有第 2 章", "请在大纲里补上第 2 章；不写这一章，就把这份契约移走。"),
        (path(9), "大纲里没有第 9 章", "请在大纲里补上第 9 章；不写这一章，就把这份契约移走。"),
    ]


def test_a_contract_in_a_gap_or_of_a_near_miss_has_its_chapter() -> None:
    draft = Draft()
    draft.titles[5] = "## 第五章 近似"
    assert contract_faults(draft) == []
    del draft.titles[5]
    assert contract_faults(draft) == []
    draft.titles[7] = draft.titles.pop(6).replace("6", "7", 1)
    del draft.contracts[6]
    assert [file for file, _, _ in contract_faults(draft)] == [path(7)]


def test_each_fault_of_a_contract() -> None:
    draft = Draft()
    draft.contracts[4].update(chapter=40, storyline_id="sea", objectives=[])
    draft.contracts[6]["objectives"] += [{"id": "O-6"}, {"id": "O-x"}, {"id": "O-6"}, {"id": 4}, {"id": 4}]
    assert contract_faults(draft) == [
        (
            path(4),
            "契约写的是第 40 章，应是第 4 章",
            "请把 chapter 改成 4；整份放错了，就换成它自己那一章、还没有人用的文件名。",
        ),
        (
            path(4),
            "契约的故事线是「sea」，大纲写的是「river」",
            f"请把契约的 storyline_id 或 {OUTLINE} 第 4 章的 Storyline 改成对的那一条。",
        ),
        (
            path(4),
            "契约里没有一条必达目标（required: true）",
            "请在第 4 章契约的 objectives 里至少写一条 required: true。",
        ),
        (path(6), "有两条目标都叫「O-6」", "请给其中一条另起 id。"),
    ]


@pytest.mark.parametrize(("line", "own"), [("", "sea"), ("river", "")])
def test_one_storyline_alone_is_no_contradiction(line: str, own: str) -> None:
    draft = Draft()
    draft.storylines[4], draft.contracts[4]["storyline_id"] = line, own
    assert contract_faults(draft) == []


def distance(chapter: int, count: Any, change: Any = None, **plan: Any) -> list[tuple[str, str, str]]:
    draft = Draft()
    draft.contracts[chapter]["storyline_context"] = {"chapters_since_last": count}
    if change is not None:
        change(draft)
    return contract_faults(draft, **plan)


@pytest.mark.parametrize(
    ("count", "wrong"), [(0, True), (1, False), (2, False), (3, True), ("3", False), (None, False)]
)
def test_chapters_since_the_storyline_was_last_there(count: Any, wrong: bool) -> None:
    detail = f"chapters_since_last 写的是 {count}，这条线上一次是第 4 章"
    assert distance(6, count) == ([(path(6), detail, "请改成 2。")] if wrong else [])


@pytest.mark.parametrize(
    ("chapter", "change", "plan"),
    [
        (5, None, {}),  # its first in the volume
        (6, None, {"last": 6}),
        (6, lambda d: d.contracts[6].update(storyline_context="三章"), {}),
        (6, lambda d: d.contracts[5].update(storyline_id="river"), {}),  # may be the storyline's too
    ],
    ids=["first", "written", "no context", "not agreed"],
)
def test_where_the_distance_is_not_certain(chapter: int, change: Any, plan: dict[str, Any]) -> None:
    faults_ = distance(chapter, 9, change, **plan)
    assert not any("chapters_since_last" in detail for _, detail, _ in faults_)


def test_the_distance_of_a_contract_in_the_wrong_file_is_not_counted() -> None:
    found = distance(6, 9, lambda d: d.contracts[6].update(chapter=4))
    assert [detail for _, detail, _ in found] == ["契约写的是第 4 章，应是第 6 章"]


def test_the_distance_is_counted_from_the_last_chapter_of_the_storyline() -> None:
    draft = Draft()
    draft.storylines[5] = draft.contracts[5]["storyline_id"] = "river"
    draft.contracts[6]["storyline_context"] = {"chapters_since_last": 2}
    assert [detail for _, detail, _ in contract_faults(draft)] == [
        "chapters_since_last 写的是 2，这条线上一次是第 5 章"
    ]


def test_world_rules_unknown_or_too_early() -> None:
    draft = Draft()
    needed = {4: ["W-002", "W-404", "W-101"], 5: ["W-002", "W-404"], 6: ["W-002", "W-404", "W-404"]}
    for chapter, rules in needed.items():
        draft.contracts[chapter]["preconditions"]["required_world_rules"] = rules
    draft.rules["W-102"] = 2
    plan = draft.plan()
    world = layout.WORLD_RULES
    early = (
        "VOLUME_WORLD_RULE",
        path(4),
        {
            "name": "W-002",
            "detail": "要到第 6 章才引入，第 4、5 章就用上了",
            "how": f"请从第 4、5 章的契约里去掉它，或把 {world} 里它的 introduced_chapter 提前。",
        },
    )
    assert told(checks.world_rule_problems(plan)) == [
        early,
        (
            "VOLUME_WORLD_RULE",
            path(4),
            {
                "name": "W-404",
                "detail": f"{world} 没有这一条（第 5、6 章的契约也是）",
                "how": f"请改成 {world} 里有的编号（是不是「W-102」？），或去掉它。",
            },
        ),
        (
            "VOLUME_WORLD_RULE",
            path(4),
            {
                "name": "W-101",
                "detail": f"{world} 没有这一条",
                "how": f"请改成 {world} 里有的编号（是不是「W-102」？），或去掉它。",
            },
        ),
    ]
    assert told(checks.world_rule_problems(plan._replace(partial=frozenset({"rules"})))) == [early]
    assert told(checks.world_rule_problems(plan._replace(rules=None))) == []
    assert [v["detail"] for _, _, v in told(checks.world_rule_problems(plan._replace(last=5)))] == [
        f"{world} 没有这一条"
    ]


def test_a_plan_without_an_outlines_bytes_has_no_problems_of_its_outline() -> None:
    draft = Draft()
    draft.titles[5] = "## 第五章 近似"
    codes = [p.code for p in checks.problems(draft.plan())]
    assert codes[0] == "OUTLINE_HEADING_NEAR"
    assert "OUTLINE_HEADING_NEAR" not in [p.code for p in checks.problems(draft.plan()._replace(data=b""))]


def test_rules_share_what_they_work_out_and_leave_the_plan_as_it_was() -> None:
    plan = Draft().plan()
    assert checks.problems(plan) == []
    assert plan.worked_out is None
