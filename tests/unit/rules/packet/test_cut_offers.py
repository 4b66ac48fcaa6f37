"""The pieces that each input offers to be cut, and their order."""

from __future__ import annotations

import json
from typing import Any

import pytest
from builders import fast_disk as fast_disk

from novel_hooks.rules.packet import cuts, packet, size_limit
from unit.rules.packet.cut_inputs import left, offered
from unit.rules.packet.cut_outline import OUTLINE, offer_of
from unit.rules.packet.test_size_limit import thread


def test_no_input_no_offer() -> None:
    for agent, keys in size_limit.ORDER.items():
        pieces = sum(len(offer.sizes) for offer in offered(agent))
        assert pieces == 0, (agent, keys)
    assert cuts.offers("nobody", 1, [packet.excerpt_input("research", "research", "文")], "") == []


def test_offers_come_in_the_agents_order() -> None:
    keys = list(dict.fromkeys(size_limit.ORDER["plot-architect"]))
    values: dict[str, Any] = {
        "previous_problems": [{"problem": "毛病"}] * 11,
        "author_decisions": [{"todo": False}],
        "open_foreshadowing": [thread("a")],
        "current_state": {"items": {"oar": {}}},
        "world_rules": {"rules": [{"id": "W-1"}]},
        "character_contracts": {"an": "安"},
    }
    inputs = [
        packet.value_input(key, values[key]) if key in values else packet.excerpt_input(key, "text", "文")
        for key in keys
    ]
    inputs[keys.index("recent_3_summaries")] = packet.excerpt_input("recent_3_summaries", "text", "新")
    inputs.append(packet.excerpt_input("recent_3_summaries", "text", "旧"))
    found = [inputs[offer.place].key for offer in offered("plot-architect", *inputs)]
    assert found == list(size_limit.ORDER["plot-architect"])


def test_forty_threads_stay_in_the_first_turn() -> None:
    threads = [thread(f"t-{n:02d}", target_resolve_range=[1, 100 + n]) for n in range(42)]
    one = packet.value_input("foreshadowing_tasks", threads, "list")
    first, second = (offer_of("summarizer", one, turn=turn) for turn in (0, 1))
    sizes = tuple(len("".join(json.dumps(t, ensure_ascii=False).split())) + 1 for t in reversed(threads))
    assert (first.place, first.of, first.sizes) == (0, 42, sizes[:2])
    assert (second.place, second.of, second.sizes) == (0, 42, sizes[2:])
    assert left(first, 0) == threads and left(first, 2) == left(second, 0) == threads[:40]
    assert (left(second, 1), left(second, 40)) == (threads[:39], [])
    few = packet.value_input("foreshadowing_tasks", threads[:3], "list")
    assert [len(offer.sizes) for offer in offered("summarizer", few)] == [0, 3]


@pytest.mark.parametrize("later", range(1, 7))
def test_threads_go_in_this_order(later: int) -> None:
    order = [
        thread("no-window", target_resolve_range=None),
        thread("b-far", target_resolve_range=[1, 90]),
        thread("a-far", target_resolve_range=[1, 90]),
        thread("near", target_resolve_range=[1, 20]),
        thread("overdue", target_resolve_range=[1, 90], overdue=True),
        thread("now", status="planned", planted_chapter=5, target_resolve_range=[1, 99]),
        thread("named", target_resolve_range=[1, 99]),
    ]
    one = packet.value_input("foreshadowing_tasks", order[::-1], "list")
    second = offer_of("summarizer", one, turn=1, plan="伏笔 named")
    assert [item["id"] for item in left(second, later)] == [item["id"] for item in order[later:]][::-1]


def test_a_planned_thread_of_another_chapter_does_not_press() -> None:
    order = [
        thread("planned", status="planned", planted_chapter=6, target_resolve_range=[1, 90]),
        thread("planted", planted_chapter=5, target_resolve_range=[1, 80]),
        thread("told", target_resolve_range=[1, 4], overdue=False),
        thread("late", target_resolve_range=[1, 4]),
    ]
    one = packet.value_input("foreshadowing_tasks", order, "list")
    second = offer_of("summarizer", one, turn=1)
    assert [[item["id"] for item in left(second, n)] for n in (1, 2, 3)] == [
        ["planted", "told", "late"],
        ["told", "late"],
        ["late"],
    ]


def test_the_first_ten_problems_stay_and_the_last_go_first() -> None:
    problems = [{"problem": f"毛病{n}"} for n in range(52)]
    one = packet.value_input("previous_problems", problems, "list")
    first, second = (offer_of("world-builder", one, turn=turn) for turn in (0, 1))
    assert (len(first.sizes), len(second.sizes), first.of) == (2, 40, 52)
    assert left(first, 1) == problems[:51] and left(first, 2) == left(second, 0) == problems[:50]
    assert left(second, 40) == problems[:10]
    few = packet.value_input("previous_problems", problems[:10], "list")
    assert [offer.sizes for offer in offered("world-builder", few)] == [(), ()]


def test_the_earliest_decisions_go_first_and_those_to_do_stay() -> None:
    decisions = [{"id": n, "todo": n == 1} for n in range(44)]
    one = packet.value_input("author_decisions", decisions, "list")
    first, second = (offer_of("world-builder", one, turn=turn) for turn in (0, 1))
    assert (len(first.sizes), len(second.sizes), first.of) == (3, 40, 44)
    assert [item["id"] for item in left(first, 3)] == [1, *range(4, 44)]
    assert [item["id"] for item in left(second, 40)] == [1]


def test_of_earlier_sentences_the_oldest_go_first() -> None:
    said = [{"about": "灯", "chapter": n, "text": f"第{n}盏灯灭了。"} for n in range(60, 10, -1)]
    one = packet.value_input("recall", said, "list")
    offer = offer_of("chapter-writer", one)
    assert (len(offer.sizes), offer.of) == (50, 50)
    assert left(offer, 0) == said and left(offer, 3) == said[:-3] and left(offer, 50) == []


def test_chapters_of_an_outline_go_the_farthest_first_of_two_the_later() -> None:
    one = packet.file_input("current_volume_outline", "summary", "o.md", OUTLINE)
    offer = offer_of("chapter-writer", one)
    order = [10, 9, 1, 8, 2, 7, 3, 6, 4]
    size = len("###第1章:名") + 50
    assert (offer.place, offer.of, offer.sizes) == (0, 10, (size + 1, *[size] * 8))
    for count in range(10):
        text = left(offer, count)
        assert [n for n in range(1, 11) if f"### 第 {n} 章" in text] == sorted({*order[count:], 5})
        assert text.startswith("# 卷\n\n卷首语。\n\n### ")
    assert offer.without(0) == ("current_volume_outline", "summary", None, None, OUTLINE)


def test_an_outline_without_an_end_or_with_other_headings_stays_whole() -> None:
    text = "卷首\n### 备注\n甲\n### 第 3 章: 名\n乙\n### 第 9 章: 名\n丙"
    offer = offer_of("chapter-writer", packet.excerpt_input("current_volume_outline", "summary", text))
    assert (offer.of, left(offer, 0)) == (2, text)
    assert left(offer, 1) == "卷首\n### 备注\n甲\n### 第 3 章: 名\n乙\n"
    assert left(offer, 2) == "卷首\n### 备注\n甲\n"
    previous = packet.excerpt_input("previous_volume_outline", "summary", text)
    assert left(offer_of("plot-architect", previous), 2) == "卷首\n### 备注\n甲\n"


def test_rules_go_from_the_last() -> None:
    kinds = {"W-4": "soft", "W-1": "Soft", "W-3": None, "W-2": "soft", "W-5": "soft"}
    listed = [{"id": name, "constraint_type": kind} for name, kind in kinds.items()]
    document = {"schema_version": 1, "rules": listed}
    one = packet.file_input("world_rules", "world", "rules.json", json.dumps(document))
    offer = offer_of("quality-judge", one)
    order = ["W-5", "W-4", "W-3", "W-2", "W-1"]
    by_id = {rule["id"]: rule for rule in listed}
    assert offer.of == 5
    assert offer.sizes == tuple(len("".join(json.dumps(by_id[name]).split())) + 1 for name in order)
    assert left(offer, 0) == document
    assert left(offer, 2) == {"schema_version": 1, "rules": [by_id[n] for n in ("W-1", "W-3", "W-2")]}
    assert left(offer, 5) is None and offer.without(4) is not None
    found = offer.without(1)
    assert found is not None and found[:3] == ("world_rules", "world", None)
    for empty in ({"rules": []}, {"rules": None}, {}):
        assert offered("quality-judge", packet.value_input("world_rules", empty)) == []


def test_of_the_state_factions_go_first_and_people_last() -> None:
    state: dict[str, Any] = {
        "state_version": 3,
        "characters": {"mo": {"display_name": "墨"}, "an": {"location": "x"}, "bo": "博"},
        "items": {"oar": {"display_name": "桨"}, "cup": {}},
        "locations": {"pier": {}},
        "factions": {"gang": {}},
        "world_state": {"time": "夜"},
    }
    gone = [("factions", "gang"), ("locations", "pier"), ("items", "cup"), ("items", "oar")]
    gone += [("characters", name) for name in ("an", "bo", "mo")]
    for one in (
        packet.value_input("current_state", state, "state"),
        packet.file_input("current_state", "state", "s.json", json.dumps(state)),
    ):
        offer = offer_of("chapter-writer", one)
        assert (offer.place, offer.of) == (0, 7)
        assert offer.sizes == tuple(
            len("".join(json.dumps({name: state[part][name]}, ensure_ascii=False).split())) - 1
            for part, name in gone
        )
        for count in range(8):
            held = {
                key: {n: v for n, v in value.items() if (key, n) not in gone[:count]}
                if isinstance(value, dict)
                else value
                for key, value in state.items()
            }
            assert left(offer, count) == held
        found = offer.without(1)
        assert found is not None and found[:3] == ("current_state", "state", None)
