"""The storylines of a volume: active ones, their chapters, their convergences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from volumedraft import Draft, check_edge, check_fault, edges, event, faults, names

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


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        ([1, 3], [1, 3]),
        ("2、4", [2, 4]),
        ("第 1-3 章、5", [1, 2, 3, 5]),
        (["1-2", 4], [1, 2, 4]),
        ("约六章", None),
        (6, None),
        (None, None),
        ([], None),
        (FAULTY, None),
    ],
)
def test_target_chapters(told: object, wanted: list[int] | None) -> None:
    assert storylines.parse_chapters(told) == wanted
