"""What a packet that is too much goes without, key by key, and in which order."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.rules.packet import cuts, packet, size_limit
from novel_hooks.store.formats import jsonio
from unit.flows.packet.test_chapter_inputs import at_phase, value
from unit.flows.packet.test_chapter_inputs import packet as packet_of
from unit.rules.packet.cut_inputs import cut_to, left, offered
from unit.rules.packet.cut_outline import OUTLINE, offer_of
from unit.rules.packet.test_size_limit import crowd, limit, thread

if TYPE_CHECKING:
    from pathlib import Path


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
