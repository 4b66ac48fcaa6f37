"""The storylines of a volume: active ones, their chapters, their convergences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from volumedraft import OUTLINE, Draft, check_edge, check_fault, edges, event, faults, names, path

from novel_hooks import layout
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.text.json_values import FAULTY
from novel_hooks.rules.volume import storylines

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


SCHEDULE, PLAN = layout.staged(layout.schedule(2)), layout.staged(layout.foreshadowing_plan(2))


def told(problems: Any) -> list[tuple[str, str, str]]:
    """(file, detail, advice) of each problem."""
    found = list(problems)
    assert {p.code for p in found} <= {"VOLUME_STORYLINE"}
    return [(p.path, p.values["detail"], p.values["how"]) for p in found]


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


# target chapters ----------------------------------------------------------------------------------


def targets(draft: Draft, line: str, chapters: Any) -> list[tuple[str, str]]:
    draft.schedule["active_storylines"] = [{"storyline_id": line, "target_chapters": chapters}]
    found = told(storylines.target_chapter_problems(draft.plan()))
    assert {file for file, _, _ in found} <= {SCHEDULE}
    return [(detail, how) for _, detail, how in found]


EVEN = "请改好 target_chapters 或大纲的 Storyline，使两边一致。"


@pytest.mark.parametrize(
    ("line", "chapters", "wanted"),
    [
        ("river", [4, 6], []),
        ("river", "4、6", []),
        ("river", [4, 5, 6], []),  # in 5 they meet
        ("sea", [5], [("「sea」的 target_chapters 里有第 5 章，大纲写的是「tower」", EVEN)]),
        ("tower", [4, 5], [("「tower」的 target_chapters 里有第 4 章，大纲写的是「river」", EVEN)]),
        (
            "river",
            [3, 4, 6, 7, 8],
            [("「river」的 target_chapters 里第 3、7、8 章不在本卷里", "请改在第 4 章到第 6 章之间。")],
        ),
        ("river", [5], [("大纲里第 4、6 章是「river」的，target_chapters 里没有", EVEN)]),
        ("river", 3, []),
        ("river", 4, [("「river」要写 4 章，本卷只有 3 章", "请把 target_chapters 写成这条线的章号列表。")]),
        ("moon", [4, 9], []),  # it does not exist: another problem
        ("", 9, []),
        ("river", "约六章", []),
    ],
)
def test_target_chapters_and_the_outline(line: str, chapters: Any, wanted: list[tuple[str, str]]) -> None:
    assert targets(Draft(), line, chapters) == wanted


def test_target_chapters_of_what_is_not_certain() -> None:
    draft = Draft()
    del draft.contracts[6]  # missing: another problem
    assert targets(draft, "river", [4]) == []
    draft = Draft()
    draft.contracts[4]["storyline_id"] = "tower"  # contradicts the outline: another problem
    assert targets(draft, "tower", [4, 5]) == []
    draft.schedule["active_storylines"] = [{"storyline_id": "river", "target_chapters": [9]}]
    plan = draft.plan()._replace(outline=outlines.parse("", OUTLINE))
    assert told(storylines.target_chapter_problems(plan)) == []


def test_target_chapters_without_a_list_of_storylines() -> None:
    draft = Draft()
    draft.schedule["active_storylines"] = [{"storyline_id": "moon", "target_chapters": [9]}]
    found = told(storylines.target_chapter_problems(draft.plan()._replace(lines=None)))
    assert [detail for _, detail, _ in found] == ["「moon」的 target_chapters 里第 9 章不在本卷里"]


def test_where_storylines_converge_a_chapter_may_be_a_target_of_each_of_them() -> None:
    draft = Draft()
    assert targets(draft, "tower", [5, 6]) == []
    assert [d for d, _ in targets(draft, "tower", [4, 5])] != []
    event(draft)["chapter_range"] = [4, 4]
    assert targets(draft, "tower", [4, 5]) == []
    assert [d for d, _ in targets(draft, "sea", [4])] != []
    event(draft)["chapter_range"] = [4, 7]  # reaches out of the volume: another problem
    assert [d for d, _ in targets(draft, "tower", [4, 5])] != []
    event(draft)["chapter_range"] = [5, 4]
    assert [d for d, _ in targets(draft, "tower", [4, 5])] != []


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ([1, 3], [1, 3]),
        ([3, 1, 3], [3, 1]),
        ("2、4", [2, 4]),
        (" 2，4; 6 ", [2, 4, 6]),
        ("第 1-3 章、5", [1, 2, 3, 5]),
        ("第1章至第3章", None),
        ("1到3", [1, 2, 3]),
        ("1—3、2", [1, 2, 3]),
        ("3-1", None),
        (["1-2", 4], [1, 2, 4]),
        (["1-2", "四"], None),
        ([1, None], None),
        ("约六章", None),
        ("", None),
        (6, None),
        (None, None),
        ([], None),
        (FAULTY, None),
    ],
)
def test_chapters_in_a_list_or_in_words(value: object, wanted: list[int] | None) -> None:
    assert storylines.parse_chapters(value) == wanted


def test_a_misprinted_range_is_not_written_out() -> None:
    found = storylines.parse_chapters("5-999999")
    assert found is not None and (found[0], found[-1], len(found)) == (5, 10_005, 10_001)


# next storylines ----------------------------------------------------------------------------------


def next_line(change: Any = None, **plan: Any) -> list[tuple[str, str, str]]:
    draft = Draft()
    draft.contracts[4]["transition_hint"] = {"next_storyline": "sea"}
    if change is not None:
        change(draft)
    return told(storylines.next_storyline_problems(draft.plan()._replace(**plan)))


def test_the_next_storyline_is_the_next_chapters() -> None:
    wanted = [
        (
            path(4),
            "next_storyline 写的是「sea」，第 5 章是「tower」",
            "请把 transition_hint.next_storyline 改成 tower，或改第 5 章。",
        )
    ]
    assert next_line() == wanted
    assert next_line(lines=None) == wanted


@pytest.mark.parametrize(
    ("change", "plan"),
    [
        (None, {"last": 4}),
        (None, {"lines": ("river", "tower")}),
        (lambda d: d.contracts.pop(5), {}),
        (lambda d: d.contracts[5].update(storyline_id="river"), {}),
        (lambda d: d.contracts[4].update(chapter=6), {}),
        (lambda d: d.contracts[4].update(transition_hint={"next_storyline": "tower"}), {}),
        (lambda d: d.contracts[4].update(transition_hint={}), {}),
    ],
    ids=["written", "unknown", "no next", "not agreed", "another chapter's", "the same", "none"],
)
def test_where_any_storyline_may_come_next(change: Any, plan: dict[str, Any]) -> None:
    assert next_line(change, **plan) == []


# convergences -------------------------------------------------------------------------------------


def converging(draft: Draft, *events: Any, **plan: Any) -> list[tuple[int, str, str]]:
    """(number, detail, advice) of each problem."""
    draft.schedule["convergence_events"] = list(events)
    found = list(storylines.convergence_problems(draft.plan()._replace(**plan)))
    assert {(p.code, p.path) for p in found} <= {("VOLUME_CONVERGENCE", SCHEDULE)}
    return [(p.values["number"], p.values["detail"], p.values["how"]) for p in found]


def meeting(window: Any, *lines: Any) -> dict[str, Any]:
    return {"chapter_range": window, "involved_storylines": list(lines)}


RANGE = "请把 chapter_range 改在第 4 章到第 6 章之间，前小后大。"


@pytest.mark.parametrize(
    ("window", "detail"),
    [
        ([4, 6], None),
        ([5, 5], None),
        ([6, 5], "第 6 章到第 5 章前后颠倒了"),
        ([9, 7], "第 9 章到第 7 章前后颠倒了"),
        ([3, 5], "第 3 章到第 5 章，超出了本卷（第 4 章到第 6 章）"),
        ([5, 7], "第 5 章到第 7 章，超出了本卷（第 4 章到第 6 章）"),
        ([5], None),
        ([5, 6, 9], None),
        ([5, "9"], None),
        (["3", 5], None),
        (None, None),
    ],
)
def test_the_range_of_a_convergence(window: Any, detail: str | None) -> None:
    wanted = [] if detail is None else [(2, detail, RANGE)]
    good = meeting([4, 5], "river", "tower")
    assert converging(Draft(), good, meeting(window, "river", "tower")) == wanted


def test_without_an_outline_a_range_has_no_bounds() -> None:
    plan = {"outline": outlines.parse("", OUTLINE)}
    assert converging(Draft(), meeting([3, 9], "river", "tower"), **plan) == []
    found = converging(Draft(), meeting([9, 3], "river", "tower"), **plan)
    assert [detail for _, detail, _ in found] == ["第 9 章到第 3 章前后颠倒了"]


def test_the_storylines_of_a_convergence() -> None:
    few = "请在 involved_storylines 里写上交汇的各条线。"
    idle = "请把它写进 active_storylines，或从 involved_storylines 里去掉。"
    draft = Draft()
    draft.lines = ("river", "tower", "sea", "moon")
    assert converging(
        draft,
        "odd",
        meeting([5, 6], "river", "river"),
        meeting([5, 6]),
        meeting([5, 6], "river", "sea", "moon", "sea"),
        meeting([5, 6], "river", "nowhere"),
        meeting([5, 6], "river", FAULTY),
    ) == [
        (2, "只有 1 条故事线", few),
        (3, "只有 0 条故事线", few),
        (4, "要用的「sea」本卷休眠", idle),
        (4, "要用的「moon」本卷没有活跃", idle),
    ]


def test_a_converging_storyline_may_be_active_by_its_chapters_or_in_an_unreadable_list() -> None:
    met = meeting([5, 6], "river", "sea")
    assert [detail for _, detail, _ in converging(Draft(), met)] == ["要用的「sea」本卷休眠"]
    draft = Draft()
    draft.storylines[5] = draft.contracts[5]["storyline_id"] = "sea"
    assert converging(draft, met) == []  # that it is not active is another problem
    for key in ("active_storylines", "newly_activated"):
        draft = Draft()
        draft.schedule[key] = [*draft.schedule.get(key, []), FAULTY]
        assert converging(draft, met) == []
    assert len(converging(Draft(), met, lines=None)) == 1
    draft = Draft()
    draft.schedule["newly_activated"] = [{"storyline_id": "sea"}]
    assert converging(draft, met) == []


@pytest.mark.parametrize("events", [None, "5-6", {"chapter_range": [9, 9]}])
def test_convergences_that_are_no_list(events: Any) -> None:
    draft = Draft()
    draft.schedule["convergence_events"] = events
    assert list(storylines.convergence_problems(draft.plan())) == []


def test_narrators_of_active_storylines() -> None:
    draft = Draft()
    draft.book = {
        "river": {"pov_characters": ["林渡", "", 4, "老何"]},
        "tower": {"pov_characters": None},
        "sea": {"pov_characters": ["苏禾"]},
    }
    assert list(storylines.storyline_narrators(draft.plan())) == [("river", "林渡"), ("river", "老何")]
    draft.schedule["newly_activated"] = ["sea"]
    assert list(storylines.storyline_narrators(draft.plan()))[2:] == [("sea", "苏禾")]
    odd = draft.plan()._replace(storylines={"storylines": ["river", {"id": "tower"}]})
    assert list(storylines.storyline_narrators(odd)) == []
    assert list(storylines.storyline_narrators(draft.plan()._replace(storylines={}))) == []
    assert list(storylines.storyline_narrators(draft.plan()._replace(schedule=None))) == []
