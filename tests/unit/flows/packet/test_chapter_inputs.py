"""`novel instructions`: what each agent gets, in order, and what stops a step (seed 000 Step 2)."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from builders import OTHER, Book
from builders import fast_disk as fast_disk
from copying import copied

from novel_hooks import layout, roles
from novel_hooks.cli.commands.steps import instructions
from novel_hooks.store.formats import jsonio, yamlio
from novel_hooks.store.schema import schema
from tools import bookparts
from unit.flows.packet.phase_packets import AGENTS, KEYS, at_phase

if TYPE_CHECKING:
    from pathlib import Path


def packet(made: Book, phase: str, *more: str) -> dict[str, Any]:
    found: dict[str, Any] = made.ok("instructions", made.step(phase), *more)
    return found


def value(found: dict[str, Any], key: str) -> Any:
    (one,) = [i for i in found["inputs"] if i["key"] == key]
    return one["value"]


@pytest.mark.parametrize("phase", AGENTS)
def test_what_each_agent_gets(tmp_path: Path, phase: str) -> None:
    made = at_phase(tmp_path, phase)
    assert made.next()["phase"] == phase
    found = packet(made, phase)
    assert schema.problems("packet", found, "packet") == []
    assert [i["key"] for i in found["inputs"]] == KEYS[phase]
    agent = roles.CHAPTER_AGENTS[phase]
    assert (found["agent"], found["chapter"], found["volume"]) == (agent, 5, 1)
    assert found["model"] == ("opus" if phase == "revise" else "sonnet")
    outputs = [o["path"] for o in found["outputs"]]
    line = bookparts.storyline_id(5)
    wanted = [o.pattern.format(C="chapter-005", S=line) for o in roles.CHAPTER_OUTPUTS[phase]]
    assert outputs == ([] if phase == "judge" else wanted)
    assert all(made.at(i["path"]).is_file() for i in found["inputs"] if "path" in i)


@pytest.mark.parametrize("phase", [*AGENTS, "commit", "review"])
@pytest.mark.parametrize("embed", [False, True])
def test_the_same_files_give_the_same_bytes_anywhere_at_any_time(
    tmp_path: Path, phase: str, embed: bool
) -> None:
    made = at_phase(tmp_path / "one", phase if phase in AGENTS else "judge")
    if phase in ("commit", "review"):
        made.evaluation(4.5 if phase == "commit" else 2.5)
        made.stage("judged")
    other = copied(made, tmp_path / "二 号")
    for name in sorted(os.listdir(other.at(layout.CHARACTERS)), reverse=True):  # another directory order
        place = other.at(f"{layout.CHARACTERS}/{name}")
        shutil.copy(place, tmp_path / "held")
        place.unlink()
        shutil.copy(tmp_path / "held", place)
    more = ("--embed",) if embed else ()
    first, second = packet(made, phase, *more), packet(other, phase, *more)
    assert schema.problems("packet", first, "packet") == []
    assert jsonio.dump(first) == jsonio.dump(second) == jsonio.dump(packet(made, phase, *more))


@pytest.mark.parametrize("phase", AGENTS)
def test_an_embedded_text_is_whole_and_wrapped(tmp_path: Path, phase: str) -> None:
    made = at_phase(tmp_path, phase)
    for one in packet(made, phase, "--embed")["inputs"]:
        if "path" not in one:
            continue
        first, _, rest = one["text"].partition("\n")
        assert first == f'<DATA type="{one["type"]}" source="{one["path"]}" readonly="true">'
        assert rest == made.at(one["path"]).read_text("utf-8") + "\n</DATA>"


def test_a_manifest_is_the_packet_and_named_by_the_step(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "refine")
    whole = packet(made, "refine")
    found = packet(made, "refine", "--write-manifest")
    assert found["manifest"] == "staging/manifests/chapter-005-refine.json"
    assert made.json("staging/manifests/chapter-005-refine.json") == whole


@pytest.mark.parametrize("phase", AGENTS)
def test_of_a_written_packet_a_host_is_told_what_it_needs_and_no_more(tmp_path: Path, phase: str) -> None:
    made = at_phase(tmp_path, phase)
    whole = packet(made, phase)
    found = packet(made, phase, "--write-manifest")
    assert set(found) == {*instructions.HOST, "warnings", "next_actions", "manifest"}
    assert {key: whole[key] for key in found if key != "manifest"} == {
        key: part for key, part in found.items() if key != "manifest"
    }
    assert len(jsonio.dump(found)) < 2000 < len(jsonio.dump(whole))
    assert whole["inputs"], "not written: nobody can read it elsewhere"


def test_only_the_step_that_is_due_is_noted_as_handed_out(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "refine")
    packet(made, "judge")
    assert not made.at(layout.HANDOUT).exists()
    packet(made, "refine")
    first = made.json(layout.HANDOUT)
    assert (first["step"], first["model"]) == (made.step("refine"), "sonnet")
    packet(made, "refine")
    assert made.json(layout.HANDOUT) == first


def test_another_session_may_look_but_not_write(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "refine")
    made.ok("lock", "acquire")
    before = made.tree()
    found = made.novel("instructions", made.step("refine"), owner=OTHER)
    assert found.exit == 0 and [d.code for d in found.diagnostics] == ["LOCK_BUSY"]
    assert found.diagnostics[0].severity == "warning"
    assert made.changed(before) == {}
    assert made.novel("instructions", made.step("refine"), "--write-manifest", owner=OTHER).exit == 4
    assert made.changed(before) == {}


def test_a_key_chapters_second_judge_gets_the_strong_model(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "judge")
    made.key_chapter()
    assert (packet(made, "judge")["role"], packet(made, "judge")["model"]) == ("primary", "sonnet")
    made.judge(4.5)
    second = packet(made, "judge")
    assert (second["role"], second["model"]) == ("secondary", "opus")
    assert second["next_actions"][0] == "novel next", "a verdict that a hook has taken is not told again"
    assert "--role secondary" in second["next_actions"][1]


# what goes in ------------------------------------------------------------------------------------------


def test_a_dormant_lines_memory_stays_out(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    plan = made.json(layout.schedule(1))
    plan.update(active_storylines=["river-line"], dormant_storylines=["tower-line"])
    made.write(layout.schedule(1), plan)
    found = packet(made, "draft")
    assert "adjacent_storyline_memories" not in [i["key"] for i in found["inputs"]]
    assert value(found, "concurrent_state") == {"tower-line": "塔上的人在数灯"}


def test_recent_summaries_come_newest_first_and_three_at_most(tmp_path: Path) -> None:
    found = packet(at_phase(tmp_path, "draft"), "draft")
    paths = [i["path"] for i in found["inputs"] if i["key"] == "recent_3_summaries"]
    assert paths == [layout.summary(number) for number in (4, 3, 2)]


def test_what_may_be_absent_is_left_out_or_empty(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    optional = (
        layout.WORLD_RULES,
        layout.schedule(1),
        layout.STORYLINE_SPEC,
        layout.memory("river-line"),
        layout.memory("tower-line"),
        layout.FORESHADOWING,
        layout.foreshadowing_plan(1),
        layout.BLACKLIST,
        layout.CONFIG,
        *(layout.summary(n) for n in (2, 3, 4)),
    )
    for path in optional:
        made.drop(path)
    made.write(layout.staged(layout.hints(5)), {})  # half done: what landed chapters left stops nothing now
    found = packet(made, "draft")
    assert value(found, "hard_rules_list") == [] == value(found, "ai_blacklist_top10")
    assert value(found, "foreshadowing_tasks") == []
    assert value(found, "chapter_length") == {"least": 2500, "most": 3800}


def test_the_authors_length_is_used(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    made.write(layout.CONFIG, "chapter_chars: [1500, 1800]\n")
    assert value(packet(made, "draft"), "chapter_length") == {"least": 1500, "most": 1800}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("chapter_chars: [1500, 1800]\n", (1500, 1800)),
        ("title: a\nchapter_chars: [1500, 1800]  # 短\n", (1500, 1800)),
        ("title: a\n", (2500, 3800)),
        ("chapter_chars:\n  - 1500\n  - 1800\n", (1500, 1800)),
        ('{"chapter_chars": [1500, 1800]}\n', (1500, 1800)),
        ('title: "\n\nchapter_chars: [1, 2]"\n', (2500, 3800)),
    ],
)
def test_a_length_is_remembered_however_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, wanted: tuple[int, int]
) -> None:
    made = at_phase(tmp_path, "draft")
    made.write(layout.CONFIG, text)
    first = value(packet(made, "draft"), "chapter_length")
    assert (first["least"], first["most"]) == wanted
    loads: list[str] = []
    real = yamlio.parse
    monkeypatch.setattr(yamlio, "parse", lambda text, path: (loads.append(path), real(text, path))[1])
    assert value(packet(made, "draft"), "chapter_length") == first
    assert loads == []
    made.write(layout.CONFIG, text + "chapter_chars: [3, 2]\n")
    assert made.novel("instructions", made.step("draft")).exit == 3


def test_an_unknown_name_in_the_contract_warns(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "draft")
    contract = made.json(layout.contract(1, 5))
    contract["preconditions"]["character_states"]["路人甲"] = {}
    made.write(layout.contract(1, 5), contract)
    found = packet(made, "draft")
    assert list(value(found, "character_contracts")) == ["qiao-jiu", "shen-du"]
    assert any("路人甲" in warning for warning in found["warnings"])


def test_revision_carries_both_judges_fixes_and_violations(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "revise")
    found = packet(made, "revise")
    assert value(found, "required_fixes")
    (violation,) = value(found, "high_confidence_violations")
    assert violation["layer"] == "l1"


def test_a_revision_gets_of_the_state_and_the_method_what_a_few_places_need(tmp_path: Path) -> None:
    made = at_phase(tmp_path, "revise")
    made.write(
        layout.character_card("bai-sui"), {"id": "bai-sui", "display_name": "白穗", "aliases": ["穗儿"]}
    )
    state = made.json(layout.STATE)
    seen, unseen = (
        {"bai-sui": {"location": "岸上"}, "nobody": {"location": "山里"}},
        {"铜铃": {"display_name": "铜铃"}},
    )
    made.write(layout.STATE, {**state, "characters": {**state["characters"], **seen}, "items": unseen})
    made.write(made.staged("chapter"), made.draft() + "\n穗儿在岸上。\n")
    found = value(packet(made, "revise"), "current_state")
    assert set(found["characters"]) == {"shen-du", "bai-sui"} and found["items"] == {}
    assert found["world_state"] == state["world_state"]
    (method,) = [one for one in packet(made, "revise")["inputs"] if one["key"] == "writing_methodology"]
    assert method["text"].count("## ") == 1 and method["chars"] < 200
    given = [one["chars"] for one in packet(made, "revise")["inputs"]]
    assert made.json(layout.STATE)["items"] == unseen and sum(given) == packet(made, "revise")["cap"]["chars"]
