"""What a packet that is too much goes without, key by key, and in which order."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.rules.packet import cuts, packet, size_limit
from novel_hooks.store.formats import jsonio
from unit.flows.packet.test_chapter_inputs import at_phase, value
from unit.flows.packet.test_chapter_inputs import packet as packet_of
from unit.rules.packet.cut_inputs import cut_to, left, offered
from unit.rules.packet.test_size_limit import crowd, limit, thread

if TYPE_CHECKING:
    from pathlib import Path


OUTLINE = "# 卷\n\n卷首语。\n\n" + "".join(f"### 第 {n} 章: 名\n{'甲' * 50}\n" for n in range(1, 11))


def test_of_the_outline_the_farthest_chapter_goes_first_and_its_own_words_stay() -> None:
    one = packet.file_input("current_volume_outline", "summary", "o.md", OUTLINE)
    left = cut_to("chapter-writer", one, 3 * 50)
    assert left is not None and left.path is None
    assert [n for n in range(1, 11) if f"第 {n} 章" in left.body()] == [2, 3, 4, 5, 6, 7, 8]
    least = cut_to("chapter-writer", one, 10**6)
    assert least is not None and least.body() == "# 卷\n\n卷首语。\n\n### 第 5 章: 名\n" + "甲" * 50 + "\n"


def test_of_threads_what_presses_stays() -> None:
    threads = [
        thread("long-one", scope="long", target_resolve_range=None),
        thread("named"),
        thread("now", status="planned", planted_chapter=5),
        thread("overdue", target_resolve_range=[1, 4]),
        *(thread(f"far-{n:02d}", target_resolve_range=[1, 100 + n]) for n in range(50)),
    ]
    one = packet.value_input("foreshadowing_tasks", sorted(threads, key=lambda t: t["id"]), "list")
    kept = cut_to("chapter-writer", one, 10**6 // 2, plan="伏笔：named")
    assert kept is not None and kept.value == []
    few = cut_to("chapter-writer", one, size_limit.size(one) - 700, plan="伏笔：named")
    assert few is not None
    ids = [t["id"] for t in few.value]
    assert {"named", "now", "overdue"} <= set(ids) and "long-one" not in ids
    far = [i for i in ids if i.startswith("far")]
    assert far == [f"far-{n:02d}" for n in range(len(far))] and far


def test_of_the_state_only_what_the_chapter_is_not_about() -> None:
    people = {
        "shen-du": {},
        "bai-sui": {"display_name": "白穗"},
        "an": {"location": "x"},
        "mo": {"location": "y"},
    }
    state = {"state_version": 3, "characters": people, "items": {"oar": {}}, "world_state": {"time": "夜"}}
    one = packet.file_input("current_state", "json", layout.STATE, json.dumps(state))
    least = cut_to("chapter-writer", one, 10**6, plan="shen-du 与白穗在渡口")
    assert least is not None
    assert least.value == {**state, "characters": {"shen-du": {}, "bai-sui": people["bai-sui"]}, "items": {}}
    first = cut_to("chapter-writer", one, 1, plan="shen-du 与白穗在渡口")
    assert first is not None and first.value == {**state, "items": {}}


def test_what_the_state_tells_by_an_alias_or_an_assumed_name_stays_whole() -> None:
    told = {"goes_as": "阿四", "level": "第二层", "injuries": ["断指"], "owes": [{"what": "三十两"}]}
    lamp = {"display_name": "船灯", "aliases": ["旧灯"]}
    state = {"state_version": 3, "characters": {"cen-si": told, "b": {}}, "items": {"船灯": lamp, "桨": {}}}
    one = packet.file_input("current_state", "json", layout.STATE, json.dumps(state))
    least = cut_to("chapter-writer", one, 10**6, plan="阿四提着旧灯")
    assert least is not None
    assert least.value == {**state, "characters": {"cen-si": told}, "items": {"船灯": lamp}}


@pytest.mark.parametrize("phase", ["draft", "summarize"])
def test_a_person_is_known_by_the_name_on_the_card_where_the_state_has_none(
    tmp_path: Path, phase: str
) -> None:
    made = at_phase(tmp_path, phase)
    crowd(made, 300)
    state = made.json(layout.STATE)
    assert "display_name" not in state["characters"]["shen-du"]
    assert "沈渡" in made.json(layout.contract(1, made.chapter))["preconditions"]["character_states"]
    state["characters"]["bai-sui"] = {"location": "岸上"}
    made.write(layout.STATE, jsonio.dump(state))
    limit(made, 1000)
    found = packet_of(made, phase)
    assert "current_state" in {c["key"] for c in found["cap"]["cut"]}
    assert list(value(found, "current_state")["characters"]) == ["shen-du"]


def test_of_the_rules_the_last_go_first() -> None:
    rules = [{"id": f"W-{n}", "rule": "规则" * 9, "constraint_type": "soft"} for n in range(4)]
    one = packet.file_input(
        "world_rules", "json", layout.WORLD_RULES, json.dumps({"rules": rules}, ensure_ascii=False)
    )
    for chars, ids in ((1, "0 1 2"), (75, "0 1"), (150, "0")):
        left = cut_to("quality-judge", one, chars)
        assert left is not None and [r["id"] for r in left.value["rules"]] == [f"W-{n}" for n in ids.split()]
    assert cut_to("quality-judge", one, 10**6) is None


def test_of_profiles_the_longest_first_and_of_summaries_the_oldest() -> None:
    profiles = [
        packet.file_input("character_profiles", "character_profile", f"{n}.md", "字" * n) for n in (3, 9, 5)
    ]
    found = size_limit.fit(profiles, 5, lambda: offered("quality-judge", *profiles))
    assert [i.path for i in found.inputs] == ["3.md"] and [c.path for c in found.cuts] == ["9.md", "5.md"]
    recent = [packet.file_input("recent_3_summaries", "summary", f"{n}.md", "字" * 9) for n in (4, 3, 2)]
    left = size_limit.fit(recent, 1, lambda: offered("chapter-writer", *recent))
    assert [i.path for i in left.inputs] == ["4.md"] and left.over == 8


def test_of_names_those_the_text_does_not_speak_of() -> None:
    called = {"display_name": "莫岚", "aliases": ["船家"], "called_by": {"塔上": "撑船的"}}
    aside = {"display_name": "何铁", "aliases": ["铁匠"], "called_by": {"塔上": "打铁的"}}
    people = {"shen-du": {"display_name": "沈渡"}, "qiao-jiu": {"display_name": "乔九"}}
    one = packet.value_input("entity_id_map", {**people, "mo-lan": called, "he-tie": aside})
    for words in ("沈渡见船家。", "沈渡见撑船的。"):
        text = packet.file_input("chapter_content", "chapter_content", "c.md", words)
        found = size_limit.fit([text, one], 10, lambda text=text: offered("summarizer", text, one))  # type: ignore[misc]
        assert set(found.inputs[1].value) == {"shen-du", "mo-lan"}


def test_of_the_blacklist_the_words_stay() -> None:
    words = {"words": ["陈词"], "whitelist": [], "categories": {"a": ["陈词"]}, "update_log": [1, 2]}
    one = packet.file_input("ai_blacklist", "json", layout.BLACKLIST, json.dumps(words))
    least = cut_to("style-refiner", one, 10**6)
    assert least is not None and least.value == {"words": ["陈词"], "whitelist": []}


# the pieces of each key ---------------------------------------------------------------------------


def offer_of(agent: str, *inputs: packet.Input, turn: int = 0, **more: Any) -> size_limit.Offer:
    return offered(agent, *inputs, **more)[turn]


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


def test_what_the_chapter_names_by_slug_name_or_card_stays() -> None:
    state = {"characters": {"mo": {"display_name": "墨"}, "an": {}, "bo": "博", "li": {}, "xu": {}}}
    one = packet.value_input("current_state", {**state, "items": {"li": {}}})
    called = {"li": "李四", "an": "安"}
    (offer, *_) = cuts.offers("chapter-writer", 5, [one], "墨与 bo 见李四，an-other", called)
    assert left(offer, 9) == {
        "characters": {"mo": {"display_name": "墨"}, "bo": "博", "li": {}},
        "items": {},
    }


@pytest.mark.parametrize(
    "key", ["chapter_outline", "chapter_contract", "chapter_content", "recent_3_summaries"]
)
def test_inputs_that_tell_of_the_chapter_name_people(key: str) -> None:
    one = packet.value_input("entity_id_map", {"mo": "墨", "an": {"display_name": "安"}, "bo": "博"})
    (offer,) = offered("summarizer", packet.excerpt_input(key, "text", "墨见安。"), one)
    assert (offer.place, offer.of, left(offer, 9)) == (1, 3, {"mo": "墨", "an": {"display_name": "安"}})
    assert offer.sizes == (len('{"bo":"博"}') - 1,)
    (offer,) = offered("summarizer", packet.excerpt_input("hints", "text", "墨见安。"), one)
    assert (left(offer, 1), left(offer, 2)) == ({"bo": "博", "mo": "墨"}, {"mo": "墨"})


def test_names_of_the_chapter_are_whole_words_where_they_are_latin() -> None:
    matter = cuts.Matter(5, (), "an-other 墨 x_1", frozenset({"an-other", "x_1"}))
    assert matter.names("墨") and matter.names("an-other") and matter.names(None, "x_1")
    assert not any(map(matter.names, ("an", "x", "", None, 5, "安")))
    assert matter.called == {}


def test_a_blacklist_loses_its_log_and_then_its_groups() -> None:
    words = {"words": ["陈词"], "categories": {"a": 1}, "update_log": [1], "x": 2}
    offer = offer_of("style-refiner", packet.file_input("ai_blacklist", "list", "b.json", json.dumps(words)))
    assert (offer.of, offer.sizes) == (4, (len("[1]"), len('{"a":1}')))
    assert left(offer, 0) == words
    assert left(offer, 1) == {"words": ["陈词"], "categories": {"a": 1}, "x": 2}
    assert left(offer, 2) == {"words": ["陈词"], "x": 2}
    found = offer.without(1)
    assert found is not None and found[:3] == ("ai_blacklist", "list", None)
    few = packet.value_input("ai_blacklist", {"words": [], "update_log": [], "categories": {"a": 1}})
    assert offer_of("style-refiner", few).sizes == (len('{"a":1}'),)


WHOLE = [
    ("chapter-writer", "adjacent_storyline_memories", [2, 1, 0]),
    ("chapter-writer", "recent_3_summaries", [2, 1]),
    ("quality-judge", "character_profiles", [1, 0, 2]),
    ("character-weaver", "character_cards", [2, 1, 0]),
    ("plot-architect", "storyline_memories", [2, 1, 0]),
    ("plot-architect", "touched_contracts", [2, 1, 0]),
]


@pytest.mark.parametrize(("agent", "key", "places"), WHOLE)
def test_some_inputs_go_as_a_whole(agent: str, key: str, places: list[int]) -> None:
    inputs = [
        packet.file_input(key, "text", f"{n}.md", f"{'字' * chars}\n") for n, chars in enumerate((5, 9, 5))
    ]
    found = offered(agent, *inputs)
    assert [offer.place for offer in found] == places
    assert [(offer.of, offer.sizes) for offer in found] == [(1, ((5, 9, 5)[n],)) for n in places]
    assert [(offer.without(0), offer.without(1)) for offer in found] == [(inputs[n], None) for n in places]


@pytest.mark.parametrize(
    ("agent", "key"),
    [("world-builder", "research"), ("world-builder", "world_docs"), ("style-analyzer", "style_samples")],
)
def test_lines_of_a_text_go_from_its_end(agent: str, key: str) -> None:
    inputs = [packet.file_input(key, "text", f"{n}.md", "一行\n\n二\n三行字") for n in range(2)]
    last, first = offered(agent, *inputs)
    assert (last.place, first.place, last.of, last.sizes) == (1, 0, 3, (3, 1, 2))
    assert last.without(0) is inputs[1]
    assert [left(last, n) for n in (1, 2, 3)] == ["一行\n\n二\n", "一行\n\n", None]
    assert last.without(1) == (key, "text", None, None, "一行\n\n二\n")


@pytest.mark.parametrize(
    ("line", "pieces"),
    [
        ("走" * 999 + "\n", [1000]),
        ("走" * 1000 + "\n", [999, 2]),
        ("走" * 2500 + "\n", [999, 999, 503]),
        ("走。停！？" * 250 + "\n", [2, 3] * 249 + [2, 4]),
        ("。" * 1001 + "\n", [1002]),
        ("走" * 1000 + "。\n", [999, 3]),
    ],
)
def test_a_long_line_is_cut_into_sentences(line: str, pieces: list[int]) -> None:
    found = cuts._line_pieces(line)
    assert [len(piece) for piece in found] == pieces
    assert "".join(found) == line


def test_every_key_has_its_maker() -> None:
    keys = {key for order in size_limit.ORDER.values() for key in order}
    assert set(cuts._MAKERS) == keys
    assert (cuts.PRESSING, cuts.FIRST_PROBLEMS) == (40, 10)
