"""What the planning agents do without when their packet is too much: at chapter 10 as at 1,000."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from planbook import ready_for, sample_book

from novel_hooks import layout, roles
from novel_hooks.rules.packet import cuts, packet, size_limit
from novel_hooks.store.formats import jsonio
from novel_hooks.store.schema import schema
from unit.flows.packet.test_chapter_inputs import at_phase, value
from unit.flows.packet.test_chapter_inputs import packet as packet_of
from unit.rules.packet.test_size_limit import crowd, limit, thread, total

if TYPE_CHECKING:
    from pathlib import Path

PLANNERS = {
    "setup:world": "world-builder",
    "setup:characters": "character-weaver",
    "setup:style": "style-analyzer",
    "volume:01:outline": "plot-architect",
}
SHARE = [step if step == "setup:style" else pytest.param(step, marks=pytest.mark.slow) for step in PLANNERS]
OUTLINE = "# 卷\n\n卷首语。\n\n" + "".join(f"### 第 {n} 章: 名\n{'甲' * 50}\n" for n in range(1, 11))
BINDS = {
    "project_brief",
    "hard_rules_list",
    "storylines",
    "storyline_spec",
    "outline",
    "schedule",
    "foreshadowing_plan",
    "entity_id_map",
    "style_profile",
    "style_facts",
    "chapter_length",
}


def people(made: Book, count: int) -> None:
    duty = {"id": "C-1", "type": "belief", "rule": "他不在夜里过桥" * 12, "valid_from_chapter": 1}
    for number in range(count):
        slug = f"guest-{number:03d}"
        card = {"id": slug, "display_name": f"客{number:03d}", "contracts": [{**duty, "id": f"C-{slug}-1"}]}
        made.write(layout.character_card(slug), card)
        made.write(layout.character_profile(slug), f"# 客{number:03d}\n\n{'在河边长大。' * 50}\n")


def rules(made: Book, count: int) -> None:
    found = made.json(layout.WORLD_RULES)
    plain = {"category": "river", "exceptions": [], "introduced_chapter": 1}
    more = [
        {
            **plain,
            "id": f"W-{n:03d}",
            "rule": "灯灭之后不得回头" * 2,
            "constraint_type": ("hard", "soft")[n % 2],
        }
        for n in range(100, 100 + count)
    ]
    made.write(layout.WORLD_RULES, {**found, "rules": [*found["rules"], *more]})


def giant(made: Book) -> Book:
    """300 people, 500 rules, 1,000 open threads, a full state, long notes and samples."""
    people(made, 300)
    rules(made, 500)
    open_ones = [thread(f"thread-{n:04d}", description="一根绳子" * 10) for n in range(1000)]
    made.write(layout.FORESHADOWING, {"foreshadowing": open_ones})
    if made.at(layout.STATE).is_file():
        state = made.json(layout.STATE)
        extra = {
            f"guest-{n:03d}": {"display_name": f"客{n:03d}", "location": "远处" * 50} for n in range(300)
        }
        state["characters"].update(extra)
        made.write(layout.STATE, jsonio.dump(state))
    for number in range(3):
        made.write(f"{layout.RESEARCH}/{number}.md", "藤索每三年换一回。\n" * 4000)
        made.write(f"{layout.WORLD}/doc-{number}.md", "# 河\n\n" + "河水向北。\n" * 4000)
        made.write(f"{layout.STYLE_SAMPLES}/{number}.md", "他走了，没有回头。\n" * 4000)
    return made


def asked(made: Book, step: str) -> dict[str, Any]:
    found: dict[str, Any] = made.ok("instructions", step)
    assert schema.problems("packet", found, "packet") == []
    return found


def told_of(found: dict[str, Any]) -> str:
    (one,) = [w for w in found["warnings"] if "没有给全" in w]
    return str(one)


@pytest.mark.parametrize("step", SHARE)
def test_a_giant_book_keeps_to_the_limit_and_says_what_is_cut(tmp_path: Path, step: str) -> None:
    made = giant(ready_for(sample_book(tmp_path / "book"), step))
    found = asked(made, step)
    agent = PLANNERS[step]
    assert found["agent"] == agent
    assert found["cap"]["limit"] == size_limit.LIMITS[agent]
    assert total(found) == found["cap"]["chars"] <= found["cap"]["limit"] + found["cap"]["over"]
    assert found["cap"]["cut"]
    assert {c["key"] for c in found["cap"]["cut"]} <= set(size_limit.ORDER[agent])
    for cut in found["cap"]["cut"]:
        assert packet.TITLES[cut["key"]] in told_of(found)
    assert len(told_of(found)) < 400
    assert any("cap.cut" in rule for rule in found["rules"])
    assert jsonio.dump(found) == jsonio.dump(asked(made, step))


@pytest.mark.parametrize("step", SHARE)
def test_what_binds_a_planner_is_never_cut(tmp_path: Path, step: str) -> None:
    made = giant(ready_for(sample_book(tmp_path / "book"), step))
    limit(made, 10**9)
    whole = asked(made, step)
    assert whole["cap"]["cut"] == [] and not any("cap.cut" in rule for rule in whole["rules"])
    limit(made, 1)
    found = asked(made, step)
    before = [(i["key"], i["sha256"]) for i in whole["inputs"] if i["key"] in BINDS]
    assert before and before == [(i["key"], i["sha256"]) for i in found["inputs"] if i["key"] in BINDS]
    assert {i["key"] for i in whole["inputs"]} - {i["key"] for i in found["inputs"]} <= set(
        size_limit.ORDER[found["agent"]]
    )
    assert total(whole) - total(found) == sum(c["chars"] for c in found["cap"]["cut"]) > 0
    assert found["cap"]["over"] == total(found) - 1
    assert any("仍比 1 字多出" in w for w in found["warnings"])


@pytest.mark.parametrize("chapters", [10, pytest.param(1000, marks=pytest.mark.slow)])
def test_the_outlines_bound_is_the_same_at_chapter_10_and_1000(tmp_path: Path, chapters: int) -> None:
    made = book(tmp_path, chapters, volume_size=60)
    volume = chapters // 60 + 2
    made.point(orchestrator_state="VOL_PLANNING", current_volume=volume)
    giant(made)
    found = asked(made, f"volume:{volume:02d}:outline")
    most = size_limit.LIMITS["plot-architect"]
    assert found["cap"]["over"] == 0 and most * 0.9 < total(found) == found["cap"]["chars"] <= most
    threads = next(i["value"] for i in found["inputs"] if i["key"] == "open_foreshadowing")
    (cut,) = [c for c in found["cap"]["cut"] if c["key"] == "open_foreshadowing"]
    assert len(threads) == cut["of"] - cut["pieces"] == cuts.PRESSING and cut["of"] == 1000
    assert [t["id"] for t in threads] == sorted(t["id"] for t in threads)


def decided(made: Book, count: int, step: str) -> None:
    """So many answers from the setting up, and two for the step, one of which is still to be carried out."""

    def one(number: int, of: str, todo: bool) -> dict[str, Any]:
        choices = [{"key": key, "label": f"{key}号", "effect": "河水倒流"} for key in ("1", "2")]
        asked = {
            "step": of,
            "kind": "question",
            "id": f"q-{number:04d}",
            "header": "河",
            "question": "讲河用什么口吻？",
        }
        said = {"choice": "2", "note": "作者的话" * 20}
        done = {"choice": "1", "note": None} if todo else said
        return {
            **asked,
            "why": "要紧",
            "choices": choices,
            "answer": said,
            "told": None,
            "done": done,
            "at": "",
        }

    last = [one(9998, step, todo=False), one(9999, step, todo=True)]
    answers = [*(one(n, "setup:brief", todo=False) for n in range(count)), *last]
    made.write(layout.DECISIONS, {"schema_version": 1, "decisions": answers})


@pytest.mark.parametrize("step", SHARE)
def test_what_the_author_decided_keeps_to_the_limit_too(tmp_path: Path, step: str) -> None:
    made = ready_for(sample_book(tmp_path / "book"), step)
    decided(made, 1000, step)
    found = asked(made, step)
    assert found["cap"]["over"] == 0 and total(found) <= found["cap"]["limit"]
    (given,) = [i["value"] for i in found["inputs"] if i["key"] == "author_decisions"]
    (cut,) = [c for c in found["cap"]["cut"] if c["key"] == "author_decisions"]
    ids = [one["id"] for one in given]
    assert (len(given), cut["of"]) == (cut["of"] - cut["pieces"], 1002)
    assert ids == [f"q-{n:04d}" for n in (*range(1002 - len(ids), 1000), 9998, 9999)]
    assert len(ids) >= cuts.PRESSING and "作者定过的事" in told_of(found)
    limit(made, 1)
    (least,) = [i["value"] for i in asked(made, step)["inputs"] if i["key"] == "author_decisions"]
    assert [one["id"] for one in least] == ["q-9999"] and least[0]["todo"] is True


def test_the_problems_of_an_earlier_draft_keep_to_the_limit_too(tmp_path: Path) -> None:
    made = ready_for(sample_book(tmp_path / "book"), "setup:world")
    rules = [{"id": f"W-{n:03d}", "category": "河" * 40, "rule": 3} for n in range(2000)]
    made.write(layout.staged(layout.WORLD_RULES), {"rules": rules})
    limit(made, 10**9)
    (whole,) = [i["value"] for i in asked(made, "setup:world")["inputs"] if i["key"] == "previous_problems"]
    limit(made, 1)
    found = asked(made, "setup:world")
    (least,) = [i["value"] for i in found["inputs"] if i["key"] == "previous_problems"]
    assert least == whole[: cuts.FIRST_PROBLEMS] and len(whole) > 1000
    (cut,) = [c for c in found["cap"]["cut"] if c["key"] == "previous_problems"]
    assert (cut["pieces"], cut["of"]) == (len(whole) - len(least), len(whole))
    assert "上一稿的毛病" in told_of(found)


def test_of_touched_contracts_the_farthest_chapter_goes_first(tmp_path: Path) -> None:
    made = book(tmp_path, 2, 30)
    made.ok("changed", "--note")
    made.write(layout.character_profile("qiao-jiu"), "# 乔九\n\n塔上长大。\n")
    made.ok("changed", "--note")
    made.ok("replan")
    limit(made, 10**9)
    whole = asked(made, "volume:01:outline")
    touched = [i["path"] for i in whole["inputs"] if i["key"] == "touched_contracts"]
    assert len(touched) == 28
    limit(made, 1)
    found = asked(made, "volume:01:outline")
    cut = [c["path"] for c in found["cap"]["cut"] if c["key"] == "touched_contracts"]
    assert sorted(cut) == touched
    three = [packet.file_input("touched_contracts", "json", f"{n}.json", "字" * 9) for n in (3, 4, 5)]
    few = size_limit.fit(three, 20, lambda: cuts.offers("plot-architect", 3, three, ""))
    assert [one.path for one in few.inputs] == ["3.json", "4.json"] and few.over == 0


def test_many_problems_go_before_any_material() -> None:
    problems = [{"path": f"{n}.json", "problem": "毛病" * 20, "fix": "改" * 20} for n in range(100)]
    one = packet.value_input("previous_problems", problems, "list")
    notes = packet.file_input("research", "research", "a.md", "一行字\n" * 100)
    most = size_limit.size(notes) + size_limit.size(one) * 6 // 10
    found = size_limit.fit([notes, one], most, lambda: cuts.offers("world-builder", 1, [notes, one], ""))
    assert [cut.key for cut in found.cuts] == ["previous_problems"] and found.over == 0
    assert found.inputs[1].value == problems[: len(found.inputs[1].value)]


def test_a_giant_brief_is_given_whole_and_told_to_be_too_much(tmp_path: Path) -> None:
    made = ready_for(sample_book(tmp_path / "book"), "setup:world")
    made.write(layout.BRIEF, "# 立意\n\n" + "一个摆渡人收灯。\n" * 10000)
    found = asked(made, "setup:world")
    (brief,) = [i for i in found["inputs"] if i["key"] == "project_brief"]
    assert brief["path"] == layout.BRIEF and brief["chars"] == 80000
    assert found["cap"]["over"] == total(found) - size_limit.LIMITS["world-builder"] > 0
    assert any("多出" in w for w in found["warnings"])


def test_who_is_spoken_of_keeps_his_contract() -> None:
    held = {f"guest-{n}": {"display_name": f"客{n}", "contracts": ["约" * 50]} for n in range(9)}
    one = packet.value_input("character_contracts", held)
    least = cut_to("plot-architect", one, 10**6, plan="客3 与 guest-7 过河")
    assert least is not None and sorted(least.value) == ["guest-3", "guest-7"]


def test_of_open_threads_what_presses_stays() -> None:
    threads = [
        {**thread(f"far-{n:02d}", target_resolve_range=[1, 100 + n]), "overdue": False} for n in range(60)
    ]
    late = {**thread("zz-late", target_resolve_range=[1, 900]), "overdue": True}
    one = packet.value_input("open_foreshadowing", [*threads, late], "list")
    kept = cut_to("plot-architect", one, 100)
    assert kept is not None
    ids = [t["id"] for t in kept.value]
    assert "zz-late" in ids and "far-59" not in ids and "far-00" in ids


def test_a_text_goes_from_its_end_line_by_line_and_the_last_one_first() -> None:
    texts = [
        packet.file_input("research", "research", f"{n}.md", f"开头{n}\n\n" + "一行字\n" * 10)
        for n in range(2)
    ]
    found = size_limit.fit(texts, 33 + 12, lambda: cuts.offers("world-builder", 1, texts, ""))
    assert found.inputs[0] == texts[0]
    assert found.inputs[1].path is None and found.inputs[1].body() == "开头1\n\n一行字\n一行字\n一行字\n"
    (cut,) = found.cuts
    assert (cut.path, cut.pieces, cut.of, cut.left, cut.chars) == ("1.md", 7, 11, 12, 21)
    assert found.over == 0


@pytest.mark.parametrize(("line", "left"), [("他走了。", 1000), ("甲", 999), ("他走" * 300 + "。", 601)])
def test_a_long_line_goes_sentence_by_sentence(line: str, left: int) -> None:
    """Notes may be one line of fifty thousand characters; they are not given up as a whole."""
    one = packet.file_input("style_samples", "style_sample", "a.txt", line * 10_000)
    found = size_limit.fit([one], 1000, lambda: cuts.offers("style-analyzer", 1, [one], ""))
    (kept,) = found.inputs
    assert (line * 10_000).startswith(kept.body()) and size_limit.size(kept) == left == found.chars
    assert found.over == 0 and found.cuts[0].chars == len(line) * 10_000 - left


def test_every_planner_has_a_limit_and_an_order_and_every_key_a_title() -> None:
    assert set(size_limit.LIMITS) == set(size_limit.ORDER) == set(roles.ROLES)
    assert set(size_limit.BY_LINE) <= {key for keys in size_limit.ORDER.values() for key in keys}
    assert set(cuts._MAKERS) <= set(packet.TITLES)


def test_the_author_sets_a_planners_limit(tmp_path: Path) -> None:
    made = giant(ready_for(sample_book(tmp_path / "book"), "setup:world"))
    made.ok("config", "packet_chars.world-builder", "9000")
    found = asked(made, "setup:world")
    assert found["cap"]["limit"] == 9000 and total(found) <= 9000 + found["cap"]["over"]


def offered(agent: str, *inputs: packet.Input, chapter: int = 5, plan: str = "") -> list[size_limit.Offer]:
    return cuts.offers(agent, chapter, inputs, plan)


def cut_to(agent: str, one: packet.Input, chars: int, **more: Any) -> packet.Input | None:
    found = size_limit.fit([one], size_limit.size(one) - chars, lambda: offered(agent, one, **more))
    return found.inputs[0] if found.inputs else None


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


def left(offer: size_limit.Offer, count: int) -> Any:
    found = offer.without(count)
    return None if found is None else found.value if found.text is None else found.text


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
