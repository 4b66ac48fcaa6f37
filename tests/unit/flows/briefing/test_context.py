"""`novel context`: what an agent would be given, now, earlier and later."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from builders import OTHER, Book, book
from builders import fast_disk as fast_disk
from planbook import STEPS, ready_for, sample_book

from novel_hooks import layout, roles
from novel_hooks.store.formats import jsonio
from unit.flows.packet.test_chapter_inputs import AGENTS, at_phase, packet

if TYPE_CHECKING:
    from pathlib import Path


# context -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", AGENTS)
def test_context_shows_what_the_packet_has(tmp_path: Path, phase: str) -> None:
    made = at_phase(tmp_path, phase)
    agent = roles.CHAPTER_AGENTS[phase]
    before = made.tree()
    found = made.novel("context", agent, "--chapter", "5")
    full = made.ok("context", roles.ROLES[agent].title, "--full")
    assert made.changed(before) == {} and found.exit == 0
    given = packet(made, phase, "--embed")
    assert found.data["step"] == made.step(phase) == full["step"]
    sizes = [one["chars"] for one in found.data["inputs"]]
    assert sizes == sorted(sizes, reverse=True) and sum(sizes) == found.data["chars"] == given["cap"]["chars"]
    assert all(set(one) == {"key", "path", "type", "chars"} for one in found.data["inputs"])
    assert sorted(map(json.dumps, _told(full))) == sorted(map(json.dumps, _told(given)))
    shown = found.text.splitlines()
    assert f"{sum(sizes)} 字" in shown[0] and len(shown) == 1 + len(sizes) + len(found.data["warnings"])


def _told(found: dict[str, Any]) -> list[list[Any]]:
    return [[i["key"], i.get("path"), i.get("value"), i.get("text")] for i in found["inputs"]]


def test_context_in_full_prints_the_texts(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "refine")
    found = made.novel("context", "style-refiner", "--full")
    assert made.at(made.staged("chapter")).read_text("utf-8") in found.text
    assert '<DATA type="json" source="style-profile.json" readonly="true">' in found.text


def test_context_before_the_chapter_is_begun(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    made.stage(None)
    assert made.ok("context", "写手", "--chapter", "5")["step"] == made.step("draft")


@pytest.mark.parametrize("chapter", ["6", "1000"])
def test_context_of_a_chapter_that_is_not_due_yet_is_refused(tmp_path: Path, chapter: str) -> None:
    made = at_phase(tmp_path, "refine")
    told = made.refused(3, "CHAPTER_NOT_DUE", "context", "summarizer", "--chapter", chapter)
    assert "novel next" in told.fix


@pytest.mark.parametrize("agent", ["summarizer", "style-refiner", "quality-judge"])
def test_context_before_the_draft_says_what_is_not_there_yet(tmp_path: Path, agent: str) -> None:
    made = at_phase(tmp_path, "draft")
    made.stage(None)
    before = made.tree()
    found = made.novel("context", agent)
    assert found.exit == 0 and made.changed(before) == {} and found.data["when"] == "now"
    missing = {one["key"]: one for one in found.data["missing"]}
    assert missing["chapter_content"]["path"] == made.staged("chapter")
    assert "写手" in missing["chapter_content"]["how"]
    wanted = {"summarizer": {"hints"}, "style-refiner": {"lint_report"}}
    assert set(missing) == {"chapter_content", *wanted.get(agent, {"lint_report", "cross_references"})}
    assert not set(missing) & {one["key"] for one in found.data["inputs"]}
    assert found.text.count("还没有　") == len(missing)
    phase = found.data["step"].rpartition(":")[2]
    later = {one["key"] for one in packet(at_phase(tmp_path / "later", phase), phase)["inputs"]}
    assert {one["key"] for one in found.data["inputs"]} | set(missing) >= later


def test_context_of_a_draft_that_is_broken_is_refused(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "refine")
    made.draft("  \n")
    made.refused(1, "OUTPUT_BROKEN", "context", "quality-judge")


def test_context_of_the_writer_without_a_plan_says_all_that_is_missing(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    made.stage(None)
    for path in (layout.BRIEF, layout.contract(1, 5), layout.STYLE_PROFILE):
        made.drop(path)
    data = made.ok("context", "写手")
    keys = {one["key"] for one in data["missing"]}
    assert keys == {"project_brief", "style_profile", "chapter_contract"}
    made.refused(3, "FILE_MISSING", "instructions", made.step("draft"))
    made.drop(layout.outline(1))  # chapters have landed, so it was there
    made.refused(3, "LOST_FILE", "context", "写手")


def landed_book(tmp_path: Path) -> Book:
    """Chapters 1 to 4, and 5 landed through the commands."""
    made = book(tmp_path, 4)
    made.until("judged")
    made.ok("commit", "--chapter", "5")
    return made


def test_context_of_a_landed_chapter_is_as_the_chapter_found_it(tmp_path: Path) -> None:
    made = landed_book(tmp_path)
    before = made.tree()
    found = made.novel("context", "summarizer", "--chapter", "5", "--full")
    assert found.exit == 0 and made.changed(before) == {}
    data = found.data
    assert [(one["key"], one["how"]) for one in data["missing"]] == [("hints", "入库以后不留")]
    assert (data["when"], data["step"], data["missing"][0]["key"]) == (
        "landed",
        "chapter:005:summarize",
        "hints",
    )
    assert "任务包没有留下" in found.text
    held = {one["key"]: one for one in data["inputs"]}
    assert held["base_state_version"]["value"] == 4
    assert held["current_state"]["value"]["characters"]["shen-du"]["location"] != "渡口5"
    assert held["chapter_content"]["path"] == layout.chapter(5)
    assert "夜渡" in held["chapter_content"]["text"]


@pytest.mark.parametrize("agent", ["chapter-writer", "style-refiner", "quality-judge"])
@pytest.mark.parametrize("chapter", [1, 3, 5])
def test_context_of_a_landed_chapter_for_every_agent(tmp_path: Path, agent: str, chapter: int) -> None:
    made = landed_book(tmp_path)
    data = made.ok("context", agent, "--chapter", str(chapter))
    assert (data["when"], data["chapter"], data["missing"]) == ("landed", chapter, [])
    assert data["chars"] == sum(one["chars"] for one in data["inputs"]) > 0
    summaries = [
        one["path"] for one in data["inputs"] if one["key"] in ("recent_3_summaries", "prev_summary")
    ]
    assert all(int(path[18:21]) < chapter for path in summaries)


def test_context_of_a_landed_writer_has_the_memory_from_before(tmp_path: Path) -> None:
    made = landed_book(tmp_path)
    line = made.json(layout.contract(1, 5))["storyline_id"]
    held = made.ok("context", "写手", "--chapter", "5", "--full")["inputs"]
    now = made.at(layout.memory(line)).read_text("utf-8")
    memory = [one for one in held if one["key"] == "storyline_memory"]
    assert all(now.strip() not in one["text"] for one in memory)


@pytest.mark.parametrize("agent", ["world-builder", "character-weaver", "style-analyzer", "plot-architect"])
def test_context_of_the_planners_while_a_chapter_is_in_work(tmp_path: Path, agent: str) -> None:
    made = at_phase(tmp_path, "draft")
    before = made.tree()
    found = made.novel("context", agent)
    assert found.exit == 0 and made.changed(before) == {}
    data = found.data
    assert data["chapter"] is None and data["agent"] == agent
    assert data["when"] == ("ahead" if agent == "plot-architect" else "done")
    assert data["step"] == ("volume:02:outline" if agent == "plot-architect" else data["step"])
    sizes = [one["chars"] for one in data["inputs"]]
    assert sizes == sorted(sizes, reverse=True) and sum(sizes) == data["chars"]
    assert ("还没有轮到" if agent == "plot-architect" else "已经做过") in found.text


@pytest.mark.parametrize("step", STEPS[1:])
def test_context_of_a_planner_that_is_due_is_its_packet(tmp_path: Path, step: str) -> None:
    made = ready_for(sample_book(tmp_path / "book"), step)
    found = made.ok("instructions", step, "--embed", "--write-manifest")
    written = made.json(found["manifest"])
    data = made.ok("context", found["agent"], "--full")
    assert (data["when"], data["step"], data["cap"]) == ("now", step, written["cap"])
    assert data["manifest"] == found["manifest"]
    assert _sorted(_told(data)) == _sorted(_told(written))


def _sorted(told: list[list[Any]]) -> list[str]:
    return sorted(json.dumps(one, sort_keys=True) for one in told)


def test_context_of_a_volume_that_is_written_or_too_far(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    data = made.ok("context", "情节架构师", "--volume", "1")
    assert (data["when"], data["step"], data["volume"]) == ("done", "volume:01:outline", 1)
    told = made.refused(3, "PLANNING_NOT_DUE", "context", "plot-architect", "--volume", "3")
    assert "第 2 卷还没有大纲" in told.message


def test_context_of_a_planner_without_a_brief_or_people_says_who_makes_them(tmp_path: Path) -> None:
    made = sample_book(tmp_path / "book")
    made.drop(layout.BRIEF)
    made.drop(layout.WORLD_RULES)
    for name in made.names(layout.CHARACTERS):
        made.drop(f"{layout.CHARACTERS}/{name}")
    data = made.ok("context", "plot-architect")
    missing = {one["key"]: one["how"] for one in data["missing"]}
    assert set(missing) == {"project_brief", "character_contracts", "world_rules"}
    assert "世界观设计师" in missing["world_rules"] and "/novel:start" in missing["character_contracts"]


def test_context_of_a_new_book_for_every_agent(tmp_path: Path) -> None:
    """Nothing is planned yet: nobody is refused, and everybody is told what is missing."""
    made = book(tmp_path, 1)
    made.ok("init", str(tmp_path / "new"))
    fresh = Book(tmp_path / "new", 1)
    for agent in roles.ROLES:
        data = fresh.ok("context", agent)
        assert data["missing"] and all(one["how"] for one in data["missing"]), agent


@pytest.mark.parametrize(
    ("name", "near"), [("chapter-writter", "chapter-writer"), ("评审员", "评审"), ("plot", "plot-architect")]
)
def test_context_of_nobody_names_the_nearest(tmp_path: Path, name: str, near: str) -> None:
    told = at_phase(tmp_path, "draft").refused(2, "NAME_UNKNOWN", "context", name)
    assert f"「{near}」" in told.fix
    assert all(f"{role.title}（{agent}）" in told.fix for agent, role in roles.ROLES.items())


def test_context_of_a_name_like_no_other_guesses_none(tmp_path: Path) -> None:
    told = at_phase(tmp_path, "draft").refused(2, "NAME_UNKNOWN", "context", "zzz")
    assert told.fix.startswith("可以写的有：")


@pytest.mark.parametrize(
    "argv",
    [
        ("world-builder", "--chapter", "1"),
        ("world-builder", "--volume", "1"),
        ("写手", "--volume", "1"),
        ("plot-architect", "--chapter", "1"),
    ],
)
def test_context_takes_what_the_agent_works_by(tmp_path: Path, argv: tuple[str, ...]) -> None:
    told = at_phase(tmp_path, "draft").refused(2, "CLI_USAGE", "context", *argv)
    assert "novel context" in told.fix


def test_context_waits_for_nobody(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    made.ok("lock", "acquire")
    assert made.novel("context", "写手", owner=OTHER).exit == 0


def test_context_of_a_sync_is_of_the_chapter_that_is_recorded_anew(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    made.stage(None)
    text = made.at(layout.chapter(3))
    text.write_text(text.read_text("utf-8") + "改过的一句。\n", "utf-8")
    os.utime(text)
    made.ok("sync", "3", "--yes")
    assert made.ok("context", "summarizer")["step"] == "sync:003:summarize"
    assert jsonio.dump(made.ok("context", "summarizer", "--chapter", "3"))


@pytest.mark.parametrize("agent", ["chapter-writer", "summarizer"])
def test_a_chapter_without_a_landed_record_is_told_where_its_memory_is_that_of_now(
    tmp_path: Path, agent: str
) -> None:
    made = book(tmp_path, 5)
    assert made.names(layout.LANDED) == []
    told = made.ok("context", agent, "--chapter", "3")["warnings"]
    assert any("storylines/river-line/memory.md" in one and "第 3 章" in one for one in told)
    made.drop(layout.memory("river-line"))
    told = made.ok("context", agent, "--chapter", "3")["warnings"]
    assert not any("memory.md" in one and "现在" in one for one in told)


@pytest.mark.parametrize("path", [layout.STATE, layout.CHECKPOINT])
def test_damage_of_the_project_is_told_and_no_difference(tmp_path: Path, path: str) -> None:
    made = book(tmp_path)
    made.ok("lock", "acquire")
    made.ok("instructions", made.step("draft"), "--write-manifest")
    packet = made.at(layout.manifest(made.step("draft").replace(":", "-")))
    made.write(path, "{")
    found = made.novel("instructions", "--replay", str(packet))
    assert found.exit == 5 and found.data is None
