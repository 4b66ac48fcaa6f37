"""A volume's foreshadowing plan as a whole, spoilt in one way at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from volumedraft import Draft, check_edge, check_fault, edges, faults, names, tell

if TYPE_CHECKING:
    from volumedraft import Rules, Spoil


def thread_twice(d: Draft) -> None:
    d.threads.append(dict(d.threads[0]))


def thread_badly_named(d: Draft) -> None:
    d.threads.append(d.thread("Ring", scope="long", planted_chapter=5, target_resolve_range=[20, 30]))
    d.threads[-1]["planted_storyline"] = "tower"
    tell(d, 5, ("bell", "advanced"), ("Ring", "planted"))


def thread_named_with_underscore(d: Draft) -> None:
    d.threads.append(d.thread("gold_ring", scope="long", planted_chapter=4, target_resolve_range=[20, 30]))
    tell(d, 4, ("bell", "planted"), ("gold_ring", "planted"))


def plan_of_another_volume(d: Draft) -> None:
    d.stated_volume = 3


def plan_of_no_volume(d: Draft) -> None:
    d.stated_volume = None


def thread_without_words(d: Draft) -> None:
    del d.threads[0]["description"]


def thread_without_scope(d: Draft) -> None:
    d.threads[1]["scope"] = None


def thread_without_place(d: Draft) -> None:
    del d.threads[1]["planted_chapter"]


def thread_ahead_of_itself(d: Draft) -> None:
    d.threads[1]["status"] = "resolved"


def planted_elsewhere(d: Draft) -> None:
    d.threads[1].update(planted_chapter=9)
    tell(d, 6, ("bell", "resolved"))


def planted_in_a_written_chapter(d: Draft) -> None:
    d.first, d.last, d.before = 4, 4, None
    d.threads[0]["target_resolve_range"] = [5, 6]


def planted_in_the_last_chapter(d: Draft) -> None:
    d.threads[1]["planted_chapter"] = 6


def range_missing(d: Draft) -> None:
    d.threads[1]["target_resolve_range"] = None


def range_backwards(d: Draft) -> None:
    d.threads[1]["target_resolve_range"] = [30, 20]


def range_before_the_planting(d: Draft) -> None:
    d.threads[1]["target_resolve_range"] = [4, 5]


def range_begins_before_the_planting(d: Draft) -> None:
    d.threads[1]["target_resolve_range"] = [5, 30]


def range_from_the_planting(d: Draft) -> None:
    d.threads[0].update(target_resolve_range=[4, 6])


def range_leaves_the_volume(d: Draft) -> None:
    d.threads[0]["target_resolve_range"] = [5, 9]


def range_is_over(d: Draft) -> None:
    d.threads.append(d.thread("rope", scope="medium", planted_chapter=1, target_resolve_range=[2, 3]))


def carried_without_range(d: Draft) -> None:
    d.threads.append({"id": "rope", "planted_chapter": 1, "scope": "medium", "target_resolve_range": None})


def carried_with_another_past(d: Draft) -> None:
    d.threads.append({"id": "rope", "planted_chapter": 2, "target_resolve_range": [9, 20]})


def carried_as_resolved(d: Draft) -> None:
    d.threads.append({"id": "rope", "status": "resolved", "target_resolve_range": [9, 20]})


def carried_as_it_was(d: Draft) -> None:
    d.threads.append({"id": "rope", "status": "planted", "target_resolve_range": [9, 20]})


def payoff_without_signal(d: Draft) -> None:
    d.threads[0]["payoff"] = "钟是他自己沉的"


def payoff_with_signal(d: Draft) -> None:
    d.threads[0].update(payoff="钟是他自己沉的", signal="门上只剩一个钩子")


def signal_without_payoff(d: Draft) -> None:
    d.threads[0]["signal"] = "门上只剩一个钩子"


# docs/volume-rules.md lists these
RULES: Rules = [
    (
        "VOLUME_FORESHADOWING",
        [
            (thread_twice, "写了两次"),
            (thread_badly_named, "伏笔「门上」（Ring）的编号写法不对"),
            (plan_of_another_volume, "应是 2"),
        ],
        [thread_named_with_underscore, plan_of_no_volume],
    ),
    (
        "VOLUME_FORESHADOWING",
        [
            (thread_without_words, "没有 description"),
            (thread_without_scope, "没有 scope"),
            (thread_without_place, "没有 planted_chapter"),
            (thread_ahead_of_itself, "status 却是 resolved"),
        ],
        [carried_without_range],
    ),
    (
        "VOLUME_FORESHADOWING",
        [(planted_elsewhere, "第 9 章埋"), (planted_in_a_written_chapter, "已经写完")],
        [planted_in_the_last_chapter],
    ),
    (
        "VOLUME_FORESHADOWING",
        [
            (range_missing, "回收范围"),
            (range_backwards, "回收范围"),
            (range_before_the_planting, "就要收完"),
            (range_begins_before_the_planting, "第 5 章就可以收"),
            (range_leaves_the_volume, "short"),
            (range_is_over, "书已写到第 3 章"),
        ],
        [range_from_the_planting, carried_without_range],
    ),
    (
        "VOLUME_FORESHADOWING",
        [(carried_with_another_past, "是第 1 章埋的"), (carried_as_resolved, "已有的记录是 advanced")],
        [carried_without_range, carried_as_it_was],
    ),
    (
        "VOLUME_FORESHADOWING",
        [(payoff_without_signal, "有 payoff，没有 signal")],
        [payoff_with_signal, signal_without_payoff],
    ),
]
FAULTS = faults(RULES)


@pytest.mark.parametrize(("spoil", "code", "said"), FAULTS, ids=names(FAULTS))
def test_a_fault_is_found_and_named_once(spoil: Spoil, code: str, said: str) -> None:
    check_fault(spoil, code, said)


@pytest.mark.parametrize("edge", edges(RULES), ids=lambda edge: edge.__name__)
def test_a_plan_that_a_rule_allows(edge: Spoil) -> None:
    check_edge(edge)
