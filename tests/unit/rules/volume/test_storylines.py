"""The storylines of a volume: active ones, their chapters, their convergences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from volumedraft import OUTLINE, Draft, check_edge, check_fault, edges, event, faults, names, path

from novel_hooks import layout
from novel_hooks.rules.text.json_values import FAULTY
from novel_hooks.rules.volume import storylines
from unit.rules.volume.told_storylines import PLAN, SCHEDULE, told

if TYPE_CHECKING:
    from volumedraft import Rules, Spoil


def five_lines(d: Draft) -> None:
    d.lines = ("river", "tower", "sea", "a", "b", "c")
    d.schedule["active_storylines"] = ["river", "tower", "a", "b", "c"]


def fifth_line_newly_activated(d: Draft) -> None:
    d.lines = ("river", "tower", "sea", "a", "b", "c")
    d.schedule.update(active_storylines=["river", "tower", "a", "b"], newly_activated=["c"])


def four_lines(d: Draft) -> None:
    d.lines = ("river", "tower", "sea", "a", "b")
    d.schedule["active_storylines"] = ["river", "tower", "a", "b"]


def line_undefined(d: Draft) -> None:
    d.lines = ("river", "tower")


def line_twice(d: Draft) -> None:
    d.schedule["active_storylines"].append("tower")


def line_awake_and_asleep(d: Draft) -> None:
    d.schedule["dormant_storylines"].append("tower")


def line_wakes_up(d: Draft) -> None:
    d.schedule.update(active_storylines=["river"], newly_activated=["tower"])


def chapter_on_an_idle_line(d: Draft) -> None:
    d.schedule.update(active_storylines=["river"], convergence_events=[])


def schedule_of_another_volume(d: Draft) -> None:
    d.schedule["volume"] = 1


def schedule_of_no_volume(d: Draft) -> None:
    del d.schedule["volume"]


def targets_outside(d: Draft) -> None:
    d.schedule["active_storylines"][0]["target_chapters"] = [4, 6, 7]


def targets_more_than_there_are(d: Draft) -> None:
    d.schedule["active_storylines"][1] = {"storyline_id": "tower", "target_chapters": 12}


def targets_of_another_line(d: Draft) -> None:
    d.schedule["active_storylines"][1] = {"storyline_id": "tower", "target_chapters": "4-5"}


def targets_lack_a_chapter(d: Draft) -> None:
    d.schedule["active_storylines"][0]["target_chapters"] = [4]


def targets_where_lines_meet(d: Draft) -> None:
    d.schedule["active_storylines"][1] = {"storyline_id": "tower", "target_chapters": "第 5、6 章"}


def targets_in_words(d: Draft) -> None:
    d.schedule["active_storylines"][1] = {"storyline_id": "tower", "target_chapters": "中段"}


def hands_over_to_nobody(d: Draft) -> None:
    d.contracts[6]["transition_hint"] = {"next_storyline": "moon"}


def hands_over_to_another(d: Draft) -> None:
    d.contracts[4]["transition_hint"] = {"next_storyline": "sea"}


def meanwhile_on_no_line(d: Draft) -> None:
    d.contracts[4]["concurrent_state"] = {"moon": "升起来了"}


def leads_nowhere(d: Draft) -> None:
    d.relations["relationships"][0]["to"] = "moon"


def hands_over(d: Draft) -> None:
    d.contracts[4]["transition_hint"] = {"next_storyline": "tower"}
    d.contracts[6]["transition_hint"] = {"next_storyline": "sea"}
    d.contracts[6]["concurrent_state"] = "塔上没有人"


def meets_outside(d: Draft) -> None:
    event(d)["chapter_range"] = [6, 7]


def meets_backwards(d: Draft) -> None:
    event(d)["chapter_range"] = [6, 5]


def meets_a_dormant_line(d: Draft) -> None:
    event(d)["involved_storylines"].append("sea")


def meets_an_idle_line(d: Draft) -> None:
    d.lines = (*d.lines, "moon")
    event(d)["involved_storylines"].append("moon")


def meets_itself(d: Draft) -> None:
    event(d)["involved_storylines"] = ["river", "river"]


def meets_all_along(d: Draft) -> None:
    event(d)["chapter_range"] = [4, 6]


def meets_in_one_chapter(d: Draft) -> None:
    event(d)["chapter_range"] = [5, 5]


def storyline_unknown(d: Draft) -> None:
    d.threads[0]["planted_storyline"] = "moon"


# docs/volume-rules.md lists these
RULES: Rules = [
    (
        "VOLUME_STORYLINE",
        [(five_lines, "有 5 条"), (fifth_line_newly_activated, "有 5 条")],
        [four_lines],
    ),
    (
        "VOLUME_STORYLINE",
        [
            (line_twice, "「tower」写了两次"),
            (line_awake_and_asleep, "又活跃又休眠"),
        ],
        [line_wakes_up],
    ),
    ("VOLUME_STORYLINE", [(chapter_on_an_idle_line, "第 5 章的故事线「tower」")], [line_wakes_up]),
    ("VOLUME_STORYLINE", [(schedule_of_another_volume, "应是 2")], [schedule_of_no_volume]),
    (
        "VOLUME_STORYLINE",
        [
            (targets_outside, "第 7 章不在本卷里"),
            (targets_more_than_there_are, "要写 12 章，本卷只有 3 章"),
            (targets_of_another_line, "有第 4 章，大纲写的是「river」"),
            (targets_lack_a_chapter, "第 6 章是「river」的"),
        ],
        [targets_where_lines_meet, targets_in_words],
    ),
    (
        "VOLUME_STORYLINE",
        [
            (line_undefined, "「sea」没有定义"),
            (hands_over_to_nobody, "chapter-006.json 的 transition_hint.next_storyline"),
            (storyline_unknown, "「bell」的 planted_storyline"),
            (leads_nowhere, "的 relationships"),
            (meanwhile_on_no_line, "chapter-004.json 的 concurrent_state"),
        ],
        [hands_over],
    ),
    ("VOLUME_STORYLINE", [(hands_over_to_another, "第 5 章是「tower」")], [hands_over]),
    (
        "VOLUME_CONVERGENCE",
        [(meets_outside, "超出了本卷"), (meets_backwards, "颠倒")],
        [meets_all_along, meets_in_one_chapter],
    ),
    (
        "VOLUME_CONVERGENCE",
        [
            (meets_a_dormant_line, "「sea」本卷休眠"),
            (meets_an_idle_line, "「moon」本卷没有活跃"),
            (meets_itself, "只有 1 条"),
        ],
        [meets_all_along],
    ),
]


FAULTS = faults(RULES)


@pytest.mark.parametrize(("spoil", "code", "said"), FAULTS, ids=names(FAULTS))
def test_a_fault_is_found_and_named_once(spoil: Spoil, code: str, said: str) -> None:
    check_fault(spoil, code, said)


@pytest.mark.parametrize("edge", edges(RULES), ids=lambda edge: edge.__name__)
def test_a_plan_that_a_rule_allows(edge: Spoil) -> None:
    check_edge(edge)


# where storylines are named -----------------------------------------------------------------------


def test_each_unknown_storyline_once_with_all_its_places() -> None:
    draft = Draft()
    draft.lines = ("river", "tower")
    draft.schedule.update(
        active_storylines=["a", {"storyline_id": "b"}, {"storyline_id": ""}, 4],
        newly_activated=["c", "a"],
        dormant_storylines=["d"],
        convergence_events=[{"involved_storylines": ["e", 4, "river"]}, "f", {"involved_storylines": "g"}],
    )
    draft.contracts[4].update(
        transition_hint={"next_storyline": "h"}, concurrent_state={"h": "静", "i": "静"}
    )
    draft.contracts[5]["concurrent_state"] = "塔上没有人"
    draft.relations["relationships"] = [{"from": "j", "to": "river"}, {"from": 4}, "k", {"to": "l"}]
    draft.threads[0]["planted_storyline"] = "m"
    draft.threads[1]["planted_storyline"] = 4
    found = told(storylines.unknown_storyline_problems(draft.plan()))
    assert [(path_, detail) for path_, detail, _ in found] == [
        (SCHEDULE, f"故事线「a」没有定义（{SCHEDULE} 的 active_storylines、{SCHEDULE} 的 newly_activated）"),
        (SCHEDULE, f"故事线「b」没有定义（{SCHEDULE} 的 active_storylines）"),
        (SCHEDULE, f"故事线「c」没有定义（{SCHEDULE} 的 newly_activated）"),
        (SCHEDULE, f"故事线「d」没有定义（{SCHEDULE} 的 dormant_storylines）"),
        (SCHEDULE, f"故事线「e」没有定义（{SCHEDULE} 的 convergence_events）"),
        (
            path(4),
            f"故事线「h」没有定义（{path(4)} 的 transition_hint.next_storyline、"
            f"{path(4)} 的 concurrent_state）",
        ),
        (path(4), f"故事线「i」没有定义（{path(4)} 的 concurrent_state）"),
        (layout.STORYLINES, f"故事线「j」没有定义（{layout.STORYLINES} 的 relationships）"),
        (layout.STORYLINES, f"故事线「l」没有定义（{layout.STORYLINES} 的 relationships）"),
        (
            PLAN,
            f"故事线「m」没有定义（{PLAN} 的伏笔「bell」的 planted_storyline）",
        ),
    ]
    assert found[0][2] == "请改好这个代号，或在 staging/storylines/storylines.json 里定义它。"


def test_a_misspelt_storyline_comes_with_the_right_one() -> None:
    draft = Draft()
    draft.contracts[6]["transition_hint"] = {"next_storyline": "rivr"}
    ((_, _, how),) = told(storylines.unknown_storyline_problems(draft.plan()))
    assert how == "请改好这个代号（是不是「river」？），或在 staging/storylines/storylines.json 里定义它。"


def test_without_a_schedule_the_outlines_storylines_are_looked_at() -> None:
    draft = Draft()
    draft.storylines.update({4: "towr", 6: "towr"})
    draft.contracts[4]["storyline_id"] = draft.contracts[6]["storyline_id"] = "towr"
    assert told(storylines.unknown_storyline_problems(draft.plan())) == []
    ((file, detail, _),) = told(storylines.unknown_storyline_problems(draft.plan()._replace(schedule=None)))
    assert (file, detail) == (OUTLINE, f"故事线「towr」没有定义（{OUTLINE} 的第 4、6 章 Storyline）")


@pytest.mark.parametrize("change", [{"lines": None}, {"partial": frozenset({"lines"})}, {"last": 6}])
def test_where_a_storyline_may_exist_all_the_same(change: dict[str, Any]) -> None:
    draft = Draft()
    draft.contracts[6]["transition_hint"] = {"next_storyline": "moon"}
    assert len(told(storylines.unknown_storyline_problems(draft.plan()))) == 1
    assert told(storylines.unknown_storyline_problems(draft.plan()._replace(**change))) == []


# active storylines --------------------------------------------------------------------------------


def test_the_faults_of_a_schedules_lists() -> None:
    draft = Draft()
    draft.schedule.update(
        volume=1,
        active_storylines=["river", "tower", "a", "a"],
        newly_activated=["b", "c", "c"],
        dormant_storylines=["sea", "a", "sea", "c"],
    )
    assert told(storylines.active_storyline_problems(draft.plan())) == [
        (SCHEDULE, "volume 写的是 1，应是 2", "请把 volume 改成 2。"),
        (SCHEDULE, "活跃故事线有 5 条，一卷至多 4 条", "请把次要的几条移到 dormant_storylines。"),
        (SCHEDULE, "active_storylines 里「a」写了两次", "请只留一条。"),
        (SCHEDULE, "newly_activated 里「c」写了两次", "请只留一条。"),
        (SCHEDULE, "dormant_storylines 里「sea」写了两次", "请只留一条。"),
        (SCHEDULE, "故事线「a」又活跃又休眠", "请从 dormant_storylines 里去掉它，或让它这一卷休眠。"),
        (SCHEDULE, "故事线「c」又活跃又休眠", "请从 dormant_storylines 里去掉它，或让它这一卷休眠。"),
    ]


def test_too_many_active_ones_may_be_a_fault_of_shape_already() -> None:
    draft = Draft()
    five_lines(draft)
    plan = draft.plan()._replace(faulty_keys=frozenset({"active_storylines"}))
    assert told(storylines.active_storyline_problems(plan)) == []
    assert len(told(storylines.active_storyline_problems(plan._replace(faulty_keys=frozenset({"x"}))))) == 1
    fifth_line_newly_activated(draft)  # four and one: no list of its own is too long
    plan = draft.plan()._replace(faulty_keys=frozenset({"active_storylines"}))
    assert len(told(storylines.active_storyline_problems(plan))) == 1


def test_chapters_on_a_storyline_that_is_not_active() -> None:
    draft = Draft()
    draft.lines = ("river", "tower", "sea", "rivers")
    draft.schedule.update(active_storylines=["rivers", "tower"], convergence_events=[])
    assert told(storylines.active_storyline_problems(draft.plan())) == [
        (
            OUTLINE,
            "第 4、6 章的故事线「river」不在本卷的活跃故事线里",
            f"请在 {SCHEDULE} 的 active_storylines 里加上它，"
            "或改第 4、6 章的 Storyline（是不是「rivers」？）。",
        )
    ]
    assert told(storylines.active_storyline_problems(draft.plan()._replace(last=6))) == []
    for key in ("active_storylines", "newly_activated"):
        draft.schedule["newly_activated"] = []
        held = draft.schedule[key]
        draft.schedule[key] = [*held, FAULTY]
        assert told(storylines.active_storyline_problems(draft.plan())) == []
        draft.schedule[key] = held


def test_a_chapter_of_two_storylines_neither_of_them_active() -> None:
    draft = Draft()
    draft.storylines[5], draft.contracts[5]["storyline_id"] = "sea", "moon"
    assert told(storylines.active_storyline_problems(draft.plan())) == [
        (
            OUTLINE,
            "第 5 章的故事线「sea」和契约里的「moon」都不在本卷的活跃故事线里",
            f"请写成 {SCHEDULE} 的 active_storylines 里的一条。",
        )
    ]
    assert told(storylines.active_storyline_problems(draft.plan()._replace(last=5))) == []
    for line, own in (("sea", "tower"), ("tower", "sea"), ("sea", ""), ("", "sea")):
        draft.storylines[5], draft.contracts[5]["storyline_id"] = line, own
        found = [detail for _, detail, _ in told(storylines.active_storyline_problems(draft.plan()))]
        assert not any("和契约里的" in detail for detail in found)


def test_storylines_without_a_schedule() -> None:
    plan = Draft().plan()._replace(schedule=None)
    for rule in (
        storylines.active_storyline_problems,
        storylines.target_chapter_problems,
        storylines.convergence_problems,
    ):
        assert list(rule(plan)) == []
