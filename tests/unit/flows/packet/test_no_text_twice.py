"""No text stands twice in a packet: no two inputs are the same, and none lies inside another."""

from __future__ import annotations

import json
from itertools import permutations
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from planbook import STEPS, ready_for, sample_book

from novel_hooks import layout
from novel_hooks.cli import recorded
from novel_hooks.cli.conduct import Conductor
from novel_hooks.rules.packet import data_block
from novel_hooks.rules.text.json_values import strings
from novel_hooks.store.files import assets
from unit.flows.packet.test_chapter_inputs import AGENTS, at_phase
from unit.flows.packet.test_previous_work import BROKEN
from unit.flows.resync import test_record_backlog

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FIXES = ("revise", "polish")
"""Their fixes may quote the chapter, as the lint's counts do."""
LEAST = 40
"""Marks of a text that must not come again."""


def body(one: dict[str, Any]) -> str:
    """The input's material without blanks, so that an indent hides nothing."""
    text = json.dumps(one["value"], ensure_ascii=False, sort_keys=True) if "value" in one else one["text"]
    return "".join((text if "value" in one else data_block.unwrap(text)).split())


def content(one: dict[str, Any]) -> Any:
    """The input's value, or its file's when that is JSON."""
    if "value" in one or one["type"] != "json":
        return one.get("value")
    return json.loads(data_block.unwrap(one["text"]))


def repeats(found: dict[str, Any]) -> list[tuple[str, str]]:
    """(key, key) of each input whose text is another's or lies in another's."""
    bodies = [(one["key"], one["sha256"], body(one)) for one in found["inputs"]]
    return [
        (key, other)
        for (key, sha256, text), (other, again, whole) in permutations(bodies, 2)
        if len(text) >= LEAST and (sha256 == again or text in whole)
    ]


def sentences_twice(found: dict[str, Any]) -> list[tuple[str, str, str]]:
    """(key, key, text) of every long text in one input's JSON that another input holds too."""
    whole = [(one["key"], body(one)) for one in found["inputs"]]
    return [
        (one["key"], key, text)
        for at, one in enumerate(found["inputs"])
        for text in strings(content(one))
        for place, (key, other) in enumerate(whole)
        if place != at and len(text) >= LEAST and "".join(text.split()) in other
    ]


def embedded(made: Book, step: str) -> dict[str, Any]:
    found: dict[str, Any] = made.ok("instructions", step, "--embed")
    return found


def enrich(made: Book, count: int) -> None:
    """People, rules, threads, pages and a state of a long book, each with a text of its own."""
    for n in range(count):
        slug, name = f"guest-{n:03d}", f"客{n:03d}"
        duty = {"id": f"C-{n}", "type": "belief", "rule": f"{name}从不在夜里过桥，{'忌' * 40}{n}"}
        card = {"id": slug, "display_name": name, "aliases": [f"第{n}位客"], "wants": f"要{n}{'要' * 40}"}
        made.write(layout.character_card(slug), {**card, "secret": f"密{n}{'密' * 40}", "contracts": [duty]})
        made.write(layout.character_profile(slug), f"# {name}\n\n{name}在第{n}座桥边长大，{'河' * 50}{n}\n")
    rule = {"category": "河", "exceptions": [], "introduced_chapter": 1}
    rules = [
        {
            **rule,
            "id": f"W-{n:03d}",
            "rule": f"第{n}条：{'灯' * 45}{n}",
            "constraint_type": ("hard", "soft")[n % 2],
        }
        for n in range(count)
    ]
    made.write(layout.WORLD_RULES, {"rules": rules})
    pages = "".join(f"## 第 {n} 个渡口\n\n第{n}个渡口的灯，{'油' * 45}{n}\n\n" for n in range(count))
    made.write(f"{layout.WORLD}/ferries.md", f"# 渡口\n\n{pages}")
    threads = [
        {"id": f"t-{n}", "description": f"伏笔{n}{'线' * 45}", "status": "planted"} for n in range(count)
    ]
    made.write(layout.FORESHADOWING, {"foreshadowing": threads})
    contract = made.json(layout.contract(1, made.chapter))
    contract["objectives"][0].update(target="客001", description=f"沈渡与第2位客收起一盏灯，{'水' * 50}")
    made.write(layout.contract(1, made.chapter), contract)


@pytest.mark.parametrize("count", [0, 30])
@pytest.mark.parametrize("phase", AGENTS)
def test_in_no_packet_of_the_chapters_crew(tmp_path: Path, phase: str, count: int) -> None:
    made = at_phase(tmp_path, phase)
    if count:
        enrich(made, count)
    found = embedded(made, made.step(phase))
    assert repeats(found) == []
    if phase not in FIXES:
        assert sentences_twice(found) == []


def test_in_no_packet_of_the_samples_chapters(tmp_path: Path) -> None:
    root = tmp_path / "book"
    recorded.unpack(str(root))
    crew, made, seen = (
        Conductor(str(root), {"NOVEL_OWNER": "session-under-test"}, lambda _: None),
        Book(root, 1),
        [],
    )
    while True:
        crew.command("lock", "acquire")
        due = crew.command("next")
        if due["agent"] is not None and not due["recorded"]:
            found = embedded(made, due["step"])
            assert (due["step"], repeats(found)) == (due["step"], [])
            assert due["phase"] in FIXES or sentences_twice(found) == []
            seen.append(due["step"])
        if due["step"] == "chapter:004:draft":
            break
        crew.step(due, crew.command("status")["progress"], len(recorded.chapters()))
    assert {step.rpartition(":")[2] for step in seen} == set(AGENTS)


def failed_draft(place: Path) -> tuple[Book, str]:
    made = at_phase(place, "draft")
    embedded(made, made.step("draft"))
    made.draft(BROKEN)
    made.ok("fail", made.step("draft"), "--reason", "正文里有说明")
    return made, made.step("draft")


def draft_again(place: Path) -> tuple[Book, str]:
    made = at_phase(place, "draft")
    made.ok("lock", "acquire", "--step")
    made.ok("instructions", made.step("draft"), "--write-manifest")
    made.draft()
    made.ok("decide", "5", "again", "--note", "留着第一句，别的都写得慢一点，写到他把灯放下为止，再收住。")
    return made, made.step("draft")


def rewritten(place: Path) -> tuple[Book, str]:
    made = book(place, chapters=4, volume_size=8)
    made.stage("judged", 2)
    made.draft()
    made.records()
    made.evaluation(2.5, gate={"decision": "pause_for_user"})
    made.ok("decide", "5", "rewrite")
    return made, made.step("draft")


def records_after_a_revise(place: Path) -> tuple[Book, str]:
    made = at_phase(place, "revise")
    made.ok("instructions", made.step("revise"), "--write-manifest")
    made.draft(version=2)
    made.advance("revise")
    return made, made.step("summarize")


def refined_again(place: Path) -> tuple[Book, str]:
    made = at_phase(place, "refine")
    made.draft(BROKEN)
    made.ok("fail", made.step("refine"), "--reason", "不合格")
    return made, made.step("refine")


def recorded_anew(place: Path) -> tuple[Book, str]:
    made = book(place, 3, 6)
    made.ok("sync", "2")
    return made, "sync:002:summarize"


def moved_in(place: Path) -> tuple[Book, str]:
    made = test_record_backlog._moved(place)
    made.ok("sync", "--backlog")
    return made, str(made.next()["step"])


def planned_anew(place: Path) -> tuple[Book, str]:
    made = book(place, 3, 6)
    made.ok("changed", "--note")
    rules = made.json(layout.WORLD_RULES)
    rules["rules"][0]["rule"] = "灯灭之后可以回头，回了头的人要在塔下守满三年，三年里谁也不许同他说话。"
    made.write(layout.WORLD_RULES, rules)
    made.ok("changed", "--note")
    made.ok("replan", "--yes")
    return made, "volume:01:outline"


REDONE = [
    *(failed_draft, draft_again, rewritten, records_after_a_revise, refined_again),
    *(recorded_anew, moved_in, planned_anew),
]


@pytest.mark.parametrize("begin", REDONE)
def test_in_no_packet_of_a_step_that_is_done_again(
    tmp_path: Path, begin: Callable[[Path], tuple[Book, str]]
) -> None:
    made, step = begin(tmp_path)
    found = embedded(made, step)
    assert repeats(found) == [] == sentences_twice(found)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("fresh", [False, True])
def test_in_no_packet_of_a_planner(tmp_path: Path, step: str, fresh: bool) -> None:
    made = ready_for(sample_book(tmp_path / "book"), step)
    if fresh and step == "setup:brief":
        made.write(layout.BRIEF, assets.load(assets.package_path("templates/brief.md")))
    elif fresh:
        made.chapter = 4
        enrich(made, 30)
    found = embedded(made, step)
    assert repeats(found) == [] == sentences_twice(found)
