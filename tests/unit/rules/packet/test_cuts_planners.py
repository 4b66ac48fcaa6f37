"""What the planning agents do without when their packet is too much: at chapter 10 as at 1,000."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from planbook import ready_for, sample_book

from novel_hooks import layout, roles
from novel_hooks.rules.packet import cuts, packet, size_limit
from novel_hooks.store.formats import jsonio
from novel_hooks.store.schema import schema
from unit.rules.packet.cut_inputs import cut_to, people, rules
from unit.rules.packet.test_size_limit import limit, thread, total

if TYPE_CHECKING:
    from pathlib import Path


PLANNERS = {
    "setup:world": "world-builder",
    "setup:characters": "character-weaver",
    "setup:style": "style-analyzer",
    "volume:01:outline": "plot-architect",
}


SHARE = [step if step == "setup:style" else pytest.param(step, marks=pytest.mark.slow) for step in PLANNERS]


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
    rules = [{"id": f"W-{n:03d}", "category": "河" * 40, "rule": 3} for n in range(520)]
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
    made.ok("replan", "--yes")
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
