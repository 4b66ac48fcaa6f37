"""What an agent does without when its packet is too much: stated order, told in full, never what binds."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from conftest import CHECKOUT

from novel_hooks import layout
from novel_hooks.rules.packet import cuts, size_limit
from novel_hooks.rules.packet import packet as packets
from novel_hooks.rules.text import length
from novel_hooks.store.formats import jsonio
from novel_hooks.store.schema import schema
from unit.flows.packet.test_chapter_inputs import at_phase, packet, value

NEVER = {"hard_rules_list", "chapter_contract", "chapter_outline", "required_fixes", "chapter_content"}
OUTLINE = "# 卷\n\n卷首语。\n\n" + "".join(f"### 第 {n} 章: 名\n{'甲' * 50}\n" for n in range(1, 11))


def thread(name: str, **more: Any) -> dict[str, Any]:
    plain = {"id": name, "description": f"{name} 的来历", "scope": "short", "status": "planted"}
    return {**plain, "planted_chapter": 1, "target_resolve_range": [1, 2000], "history": [], **more}


def crowd(made: Book, threads: int) -> None:
    """`threads` open threads, and a state full of people whom nobody names."""
    facts = made.json(layout.FORESHADOWING)["foreshadowing"]
    more = [thread(f"thread-{n:03d}", description="一根绳子" * 20) for n in range(threads)]
    made.write(layout.FORESHADOWING, {"foreshadowing": [*facts, *more]})
    state = made.json(layout.STATE)
    extra = {f"guest-{n:03d}": {"display_name": f"客{n:03d}", "location": "远处" * 10} for n in range(300)}
    state["characters"].update(extra)
    made.write(layout.STATE, jsonio.dump(state))


def limit(made: Book, chars: int) -> None:
    agents = ", ".join(f"{agent}: {chars}" for agent in size_limit.LIMITS)
    made.write(layout.CONFIG, f"packet_chars: {{{agents}}}\n")


def total(found: dict[str, Any]) -> int:
    return sum(i["chars"] for i in found["inputs"])


@pytest.mark.parametrize("chapters", [10, pytest.param(1000, marks=pytest.mark.slow)])
def test_the_same_bound_at_chapter_10_and_1000_with_300_open_threads(tmp_path: Path, chapters: int) -> None:
    made = book(tmp_path, chapters, volume_size=60)
    crowd(made, 300)
    found = packet(made, "draft")
    assert schema.problems("packet", found, "packet") == []
    assert (
        total(found) == found["cap"]["chars"] <= found["cap"]["limit"] == size_limit.LIMITS["chapter-writer"]
    )
    assert found["cap"]["over"] == 0
    assert {c["key"] for c in found["cap"]["cut"]} == {"current_state", "foreshadowing_tasks"}
    (cut,) = [c for c in found["cap"]["cut"] if c["key"] == "foreshadowing_tasks"]
    assert cut["path"] is None
    tasks = value(found, "foreshadowing_tasks")
    assert len(tasks) == cut["of"] - cut["pieces"] >= cuts.PRESSING
    assert [t["id"] for t in tasks] == sorted(t["id"] for t in tasks)
    (told,) = [w for w in found["warnings"] if "没有给全" in w]
    assert f"{cut['chars']} 字" in told and "伏笔任务" in told
    assert any("cap.cut" in rule for rule in found["rules"])


def test_what_fits_is_not_touched(tmp_path: Path) -> None:
    found = packet(at_phase(tmp_path, "draft"), "draft")
    assert found["cap"]["cut"] == [] and found["cap"]["over"] == 0
    assert not any("cap.cut" in rule for rule in found["rules"])


@pytest.mark.parametrize("phase", ["draft", "revise", "summarize", "refine", "judge", "polish"])
def test_what_binds_is_never_cut_and_the_rest_is_told(tmp_path: Path, phase: str) -> None:
    made = at_phase(tmp_path, phase)
    crowd(made, 60)
    blacklist = made.json(layout.BLACKLIST)
    made.write(layout.BLACKLIST, {**blacklist, "update_log": [{"at": 1, "why": "x" * 50}]})
    limit(made, 10**6)
    whole = packet(made, phase)
    limit(made, 1)
    found = packet(made, phase)
    assert schema.problems("packet", found, "packet") == []
    keys = {i["key"] for i in whole["inputs"]}
    assert {c["key"] for c in found["cap"]["cut"]} <= set(size_limit.ORDER[found["agent"]])
    assert {i["key"] for i in found["inputs"]} >= keys - set(size_limit.ORDER[found["agent"]])
    before = {i["sha256"] for i in whole["inputs"] if i["key"] in NEVER}
    assert before <= {i["sha256"] for i in found["inputs"]}
    assert found["cap"]["over"] == total(found) - 1 > 0
    assert total(whole) - total(found) == sum(c["chars"] for c in found["cap"]["cut"]) > 0
    assert any("仍比 1 字多出" in w for w in found["warnings"])
    assert jsonio.dump(found) == jsonio.dump(packet(made, phase))


@pytest.mark.parametrize(
    "step", [pytest.param(3600, marks=pytest.mark.part), pytest.param(900, marks=pytest.mark.slow)]
)
def test_the_order_is_kept(tmp_path: Path, step: int) -> None:
    """The lower the limit, the more keys are cut, one after the other."""
    made = at_phase(tmp_path, "draft")
    crowd(made, 60)
    seen: list[set[str]] = []
    limit(made, 10**6)
    for chars in range(total(packet(made, "draft")), 0, -step):
        limit(made, chars)
        keys = {c["key"] for c in packet(made, "draft")["cap"]["cut"]}
        if not seen or keys != seen[-1]:
            seen.append(keys)
    assert all(less < more for less, more in zip(seen, seen[1:]))
    order = list(dict.fromkeys(size_limit.ORDER["chapter-writer"]))
    met = [key for less, more in zip([set(), *seen], seen) for key in order if key in more - less]
    assert met == [key for key in order if key in seen[-1]] and len(met) >= (5 if step == 900 else 3)


@pytest.mark.parametrize(
    "text",
    [
        "packet_chars: 7\n",
        "packet_chars: {chapter-writer: 0}\n",
        "packet_chars: {chapter-writer: true}\n",
        "packet_chars: {writer: 5}\n",
    ],
)
def test_a_limit_that_says_nothing_is_refused(tmp_path: Path, text: str) -> None:
    made = at_phase(tmp_path, "refine")
    made.write(layout.CONFIG, text)
    code = "CONFIG_KEY_UNKNOWN" if "{writer" in text else "CONFIG_VALUE"
    assert made.novel("instructions", made.step("refine")).diagnostics[0].code == code


# each key's own order -----------------------------------------------------------------------------


def offered(agent: str, *inputs: packets.Input, chapter: int = 5, plan: str = "") -> list[size_limit.Offer]:
    return cuts.offers(agent, chapter, inputs, plan)


def cut_to(agent: str, one: packets.Input, chars: int, **more: Any) -> packets.Input | None:
    found = size_limit.fit([one], size_limit.size(one) - chars, lambda: offered(agent, one, **more))
    return found.inputs[0] if found.inputs else None


def test_of_the_outline_the_farthest_chapter_goes_first_and_its_own_words_stay() -> None:
    one = packets.file_input("current_volume_outline", "summary", "o.md", OUTLINE)
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
    one = packets.value_input("foreshadowing_tasks", sorted(threads, key=lambda t: t["id"]), "list")
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
    one = packets.file_input("current_state", "json", layout.STATE, json.dumps(state))
    least = cut_to("chapter-writer", one, 10**6, plan="shen-du 与白穗在渡口")
    assert least is not None
    assert least.value == {**state, "characters": {"shen-du": {}, "bai-sui": people["bai-sui"]}, "items": {}}
    first = cut_to("chapter-writer", one, 1, plan="shen-du 与白穗在渡口")
    assert first is not None and first.value == {**state, "items": {}}


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
    found = packet(made, phase)
    assert "current_state" in {c["key"] for c in found["cap"]["cut"]}
    assert list(value(found, "current_state")["characters"]) == ["shen-du"]


def test_of_the_rules_the_hard_ones_first_for_they_stand_in_the_list() -> None:
    rules = [
        {"id": f"W-{n}", "rule": "规则" * 9, "constraint_type": "hard" if n % 2 else "soft"} for n in range(4)
    ]
    one = packets.file_input(
        "world_rules", "json", layout.WORLD_RULES, json.dumps({"rules": rules}, ensure_ascii=False)
    )
    for chars, ids in ((1, "0 2 3"), (75, "0 2"), (150, "0")):
        left = cut_to("quality-judge", one, chars)
        assert left is not None and [r["id"] for r in left.value["rules"]] == [f"W-{n}" for n in ids.split()]
    assert cut_to("quality-judge", one, 10**6) is None


def test_of_profiles_the_longest_first_and_of_summaries_the_oldest() -> None:
    profiles = [
        packets.file_input("character_profiles", "character_profile", f"{n}.md", "字" * n) for n in (3, 9, 5)
    ]
    found = size_limit.fit(profiles, 5, lambda: offered("quality-judge", *profiles))
    assert [i.path for i in found.inputs] == ["3.md"] and [c.path for c in found.cuts] == ["9.md", "5.md"]
    recent = [packets.file_input("recent_3_summaries", "summary", f"{n}.md", "字" * 9) for n in (4, 3, 2)]
    left = size_limit.fit(recent, 1, lambda: offered("chapter-writer", *recent))
    assert [i.path for i in left.inputs] == ["4.md"] and left.over == 8


def test_of_names_those_the_text_does_not_speak_of() -> None:
    text = packets.file_input("chapter_content", "chapter_content", "c.md", "沈渡撑船。")
    one = packets.value_input("entity_id_map", {"shen-du": "沈渡", "qiao-jiu": "乔九"})
    found = size_limit.fit([text, one], 10, lambda: offered("summarizer", text, one))
    assert found.inputs[1].value == {"shen-du": "沈渡"}


def test_of_the_blacklist_the_words_stay() -> None:
    words = {"words": ["陈词"], "whitelist": [], "categories": {"a": ["陈词"]}, "update_log": [1, 2]}
    one = packets.file_input("ai_blacklist", "json", layout.BLACKLIST, json.dumps(words))
    least = cut_to("style-refiner", one, 10**6)
    assert least is not None and least.value == {"words": ["陈词"], "whitelist": []}


def test_one_size_for_all_of_it() -> None:
    one = packets.file_input("brief", "world_doc", "b.md", "# 标题\n\n正文，两句。\n")
    assert size_limit.size(one) == length.count(one.body()).chars == one.document(False)["chars"] == 6


def test_limits_and_order_are_those_of_the_page() -> None:
    page = (Path(CHECKOUT) / "docs/agent-contract.md").read_text("utf-8").split("### What is cut")[1]
    rows = re.findall(r"^\| `([a-z-]+)` \| (\d+) \| (.*) \|$", page, re.M)
    assert {agent: int(most) for agent, most, _ in rows} == dict(size_limit.LIMITS)
    assert {agent: tuple(re.findall(r"`(\w+)`", keys)) for agent, _, keys in rows} == dict(size_limit.ORDER)
    told = set(re.findall(r"^\| `(\w+)` \|", page.split("| key |")[1], re.M))
    assert told == {key for keys in size_limit.ORDER.values() for key in keys} == set(cuts._MAKERS)
