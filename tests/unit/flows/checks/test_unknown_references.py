"""Names and storylines that nobody knows: said at `validate`, noted at commit, listed by `entities`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.book import unknown_names
from novel_hooks.rules.cast import unknown_names as cast_unknown_names
from tools import bookparts

if TYPE_CHECKING:
    from pathlib import Path

LOG = layout.UNKNOWN_ENTITIES


def note(chapter: int, mention: str, **more: Any) -> dict[str, Any]:
    return {
        "ts": "2030-01-02T03:04:05Z",
        "chapter": chapter,
        "mention": mention,
        "context": f"{mention}在渡口",
        "suggested_type": "character",
        **more,
    }


def noted(made: Book, *lines: dict[str, Any]) -> None:
    made.write(LOG, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))


def mentions(made: Book) -> list[str]:
    return [one["mention"] for one in made.ok("entities", "--all")["entities"]]


# --- novel entities --------------------------------------------------------------------------


def test_the_most_frequent_come_first_with_their_chapters(tmp_path: Path) -> None:
    made = book(tmp_path)
    noted(
        made,
        note(1, "石婆"),
        note(2, "老周", suggested_type="item"),
        note(4, "铁匠铺", suggested_type="location"),
        note(3, "老周"),
        note(7, "老周", context="老周收了灯"),
    )
    before = made.tree()
    data = made.ok("entities", "--all")
    assert data["noted"] == 3 and made.changed(before) == {}
    assert [(one["mention"], one["chapters"]) for one in data["entities"]] == [
        ("老周", [2, 3, 7]),
        ("铁匠铺", [4]),
        ("石婆", [1]),
    ]
    assert data["entities"][0]["suggested_type"] == "character"
    assert data["entities"][0]["context"] == "老周在渡口"
    text = made.novel("entities").text
    assert "  老周　角色？　3 章：第 2-3、7 章　老周在渡口" in text.split("\n")


def test_a_passer_by_of_one_chapter_is_counted_and_not_listed(tmp_path: Path) -> None:
    made = book(tmp_path)
    smithy = note(2, "铁匠铺", suggested_type="location")
    noted(made, note(1, "石婆"), note(1, "老周"), note(2, "老周"), smithy)
    data = made.ok("entities")
    assert ([one["mention"] for one in data["entities"]], data["passing"]) == (["老周", "铁匠铺"], 1)
    text = made.novel("entities").text
    assert "石婆" not in text and "只在一章里露过面的人 1 个（加 --all 列出）" in text


def test_an_ignored_name_is_not_listed_until_it_is_listed_again(tmp_path: Path) -> None:
    made = book(tmp_path)
    noted(made, note(1, "老周"), note(2, "老周"), note(1, "石婆"))
    assert "不再列出：老周" in made.novel("entities", "--ignore", "老周").text
    data = made.ok("entities")
    assert (data["entities"], data["ignored"]) == ([], ["老周"])
    assert "早已不列" in made.novel("entities", "--ignore", "老周").text
    assert made.ok("entities", "--list-again", "老周")["ignored"] == []
    assert [one["mention"] for one in made.ok("entities")["entities"]] == ["老周"]


def test_a_name_that_nobody_noted_is_not_ignored(tmp_path: Path) -> None:
    made = book(tmp_path)
    noted(made, note(1, "老周头"), note(2, "老周头"))
    told = made.refused(2, "ENTITY_UNKNOWN", "entities", "--ignore", "老周头", "老周")
    assert "老周头" in told.fix
    assert "ENTITY_UNKNOWN" in made.novel("entities", "--list-again", "老周头").diagnostics[0].code


def test_an_ignored_name_warns_of_nothing_when_its_chapter_lands(tmp_path: Path) -> None:
    made = book(tmp_path)
    people = ("老周", "老李", "老王")
    noted(made, *(note(1, one) for one in people))
    made.ok("entities", "--ignore", *people)
    made.until("drafting")
    told = [{"mention": one, "context": "", "suggested_type": "character"} for one in people]
    made.records(unknown_entities=told)
    for phase in ("summarize", "refine"):
        made.advance(phase)
    made.judge(4.5)
    made.advance("judge")
    landed = made.novel("commit", "--chapter", "2")
    assert landed.exit == 0 and "ENTITIES_UNREGISTERED" not in {one.code for one in landed.diagnostics}


def test_those_registered_since_drop_out(tmp_path: Path) -> None:
    made = book(tmp_path)
    noted(
        made,
        note(1, "老周"),
        note(1, "shi-po"),
        note(1, "望川婆"),
        note(1, "望川塔"),
        note(1, "旧灯"),
        note(1, "无名客"),
    )
    card = made.json(layout.character_card("shen-du"))
    made.write(layout.character_card("lao-zhou"), {**card, "id": "lao-zhou", "display_name": "老周"})
    made.write(
        layout.character_card("shi-po"),
        {**card, "id": "shi-po", "display_name": "石婆", "aliases": ["望川婆"]},
    )
    state = made.json(layout.STATE)
    state["locations"] = {"tower": {"display_name": "望川塔"}}
    state["items"] = {"旧灯": {"owner": "shen-du"}}
    made.write(layout.STATE, state)
    assert mentions(made) == ["无名客"]
    assert made.ok("entities")["noted"] == 6


def test_when_everybody_has_a_record_or_nobody_was_noted(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.write(LOG, "")
    assert "还没有记下" in made.novel("entities").text
    noted(made, note(1, bookparts.CAST["shen-du"]))
    assert made.ok("entities") == {"entities": [], "passing": 0, "ignored": [], "noted": 1, "expected": []}
    assert "没有要建档的名字" in made.novel("entities").text


def test_a_torn_log_is_damage(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.write(LOG, '{"mention": "老')
    assert made.refused(5, "LOG_LINE_BROKEN", "entities").path == LOG


def test_what_a_commit_notes_is_listed(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.stage("refined")
    made.draft()
    made.records(unknown_entities=[{"mention": "水声", "context": "夜渡", "suggested_type": "location"}])
    made.judge(4.5)
    made.advance("judge")
    made.ok("commit", "--chapter", "2")
    assert mentions(made) == ["水声"]
    assert made.ok("entities")["entities"][0]["chapters"] == [2]


def test_the_order_of_equals_is_by_age_then_by_name() -> None:
    lines = [note(2, "乙"), note(2, "甲"), note(1, "丙"), {"mention": "丁"}]
    assert [one.mention for one in cast_unknown_names.unknown_names(lines, ())] == ["丙", "乙", "甲", "丁"]


# --- at validate -----------------------------------------------------------------------------


def validated(made: Book) -> Any:
    return made.novel("validate", made.step("summarize"))


def staged(place: Path, crossref: Any = None, **delta: Any) -> Book:
    made = book(place)
    made.stage("drafting")
    made.draft("# 第 2 章 夜渡\n\n沈渡把缆绳解开，石婆在岸上看着。\n")
    made.records(**delta)
    if crossref is not None:
        made.write(made.staged("crossref"), crossref)
    return made


def report(*references: tuple[str, str], **changes: Any) -> dict[str, Any]:
    return {
        "storyline_id": bookparts.storyline_id(2),
        "cross_references": [
            {"entity": entity, "source_storyline": line, "context": "提到"} for entity, line in references
        ],
        "leak_risk": "none",
        "leak_detail": "",
        **changes,
    }


def test_high_leak_risk_without_detail(tmp_path: Path) -> None:
    made = staged(tmp_path, report(leak_risk="high"))
    found = validated(made)
    (told,) = found.diagnostics
    assert found.exit == 1 and told.path == made.staged("crossref")
    assert "leak_detail" in told.message and made.staged("crossref") in told.fix


def test_each_op_that_the_landing_would_drop_is_told_before(tmp_path: Path) -> None:
    made = staged(tmp_path)
    path = made.staged("delta")
    delta = made.json(path)
    bad = [
        {"op": "set", "path": "characters.林风.location", "value": "渡口"},
        {"op": "explode", "path": "items.lamp.state", "value": 1},
        {"op": "remove", "path": "items.lamp.marks", "value": 1},
    ]
    made.write(path, {**delta, "ops": [*delta["ops"], *bad]})
    found = validated(made)
    told = [d for d in found.diagnostics if d.code == "DELTA_OP_USELESS"]
    first = len(delta["ops"])
    assert [f"第 {first + at + 1} 条变更" in d.fix for at, d in enumerate(told)] == [True] * 3
    assert not any("ops[" in d.message for d in told), "the author reads the message"
    assert found.exit == 0 and all(d.path == path and d.severity == "warning" for d in told)


def test_a_memory_over_five_hundred_characters(tmp_path: Path) -> None:
    made = staged(tmp_path)
    made.write(made.staged("memory"), "渡" * 501)
    found = validated(made)
    (told,) = found.diagnostics
    assert found.exit == 1 and "501" in told.message and "500" in told.message
    assert told.path == made.staged("memory") and told.path in told.fix
    made.write(made.staged("memory"), "渡" * 500)
    assert validated(made).exit == 0


def test_a_storyline_that_is_not_in_the_schedule(tmp_path: Path) -> None:
    made = staged(tmp_path, report(("沈渡", "third-line")))
    found = validated(made)
    (told,) = found.diagnostics
    assert (found.exit, told.code) == (0, "CROSSREF_STORYLINE_UNKNOWN")
    assert "third-line" in told.message and "cross_references[0]" in told.message and told.fix


@pytest.mark.parametrize("dormant", [True, False])
def test_a_chapter_whose_own_storyline_is_not_at_work(tmp_path: Path, dormant: bool) -> None:
    made = staged(tmp_path)
    line, other = bookparts.storyline_id(2), bookparts.storyline_id(1)
    plan = {"active_storylines": [other], "dormant_storylines": [line] if dormant else []}
    made.write(layout.schedule(1), plan)
    found = validated(made)
    told = next(d for d in found.diagnostics if d.code == "STORYLINE_UNSCHEDULED")
    assert found.exit == 0 and told.path == layout.contract(1, 2)
    assert line in told.message and ("休眠" in told.message) is dormant
    assert layout.schedule(1) in told.fix
    made.drop(layout.schedule(1))
    assert "STORYLINE_UNSCHEDULED" not in [d.code for d in validated(made).diagnostics]


def test_a_next_storyline_that_no_schedule_has(tmp_path: Path) -> None:
    made = staged(tmp_path)
    contract = made.json(layout.contract(1, 2))
    made.write(layout.contract(1, 2), {**contract, "transition_hint": {"next_storyline": "third-line"}})
    (told,) = [d for d in validated(made).diagnostics if d.code == "STORYLINE_UNSCHEDULED"]
    assert "third-line" in told.message and "transition_hint.next_storyline" in told.message
    made.write(
        layout.schedule(1),
        {"active_storylines": [bookparts.storyline_id(2)], "dormant_storylines": ["third-line"]},
    )
    assert "STORYLINE_UNSCHEDULED" not in [d.code for d in validated(made).diagnostics]


@pytest.mark.parametrize("bare", [True, False])
def test_schedules_of_bare_ids_and_of_objects_say_the_same(tmp_path: Path, bare: bool) -> None:
    made = staged(
        tmp_path, report(("沈渡", bookparts.storyline_id(1)), ("沈渡", "new-line"), ("沈渡", "third-line"))
    )
    plan = {
        "active_storylines": [bookparts.storyline_id(1), bookparts.storyline_id(2)],
        "newly_activated": ["new-line"],
    }
    if not bare:
        plan = {key: [{"storyline_id": one} for one in ids] for key, ids in plan.items()}  # type: ignore[misc]
    made.write(layout.schedule(1), plan)
    (told,) = validated(made).diagnostics
    assert told.code == "CROSSREF_STORYLINE_UNKNOWN" and "third-line" in told.message
    made.drop(layout.schedule(1))
    assert validated(made).diagnostics == ()


def test_an_entity_that_exists_nowhere(tmp_path: Path) -> None:
    other = bookparts.storyline_id(1)
    made = staged(
        tmp_path,
        report(("沈渡的旧船", other), ("石婆", other), ("龙宫", other)),
        ops=[
            {"op": "set", "path": "characters.nobody.location", "value": "渡口"},
            {"op": "set", "path": "characters.shen-du.location", "value": "渡口"},
        ],
        unknown_entities=[
            {"mention": "石婆", "context": "岸上", "suggested_type": "character"},
            {"mention": "蓬莱", "context": "海上", "suggested_type": "location"},
        ],
    )
    found = validated(made)
    assert found.exit == 0
    told = [d for d in found.diagnostics if d.code == "ENTITY_NOWHERE"]
    assert [(d.path, d.severity) for d in told] == [
        (made.staged("crossref"), "warning"),
        (made.staged("delta"), "warning"),
        (made.staged("delta"), "warning"),
    ]
    for one, (where, name) in zip(
        told,
        [
            ("串线第 3 条", "龙宫"),
            ("新名字第 2 条", "蓬莱"),
            ("第 1 条变更", "nobody"),
        ],
    ):
        assert where in one.fix and name in one.message and where not in one.message


def test_what_the_other_storylines_memory_tells_exists(tmp_path: Path) -> None:
    other = bookparts.storyline_id(1)
    made = staged(tmp_path, report(("龙宫", other)))
    made.write(layout.memory(other), "他去过龙宫。\n")
    assert validated(made).diagnostics == ()


def test_the_next_step_reads_no_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = staged(tmp_path)
    monkeypatch.setattr(unknown_names, "registered_names", lambda _book: pytest.fail("cards were read"))
    assert made.next()["step"] == made.step("refine")


# --- ids that are new: what the op does with them, and what is said -----------------------------------


def op(path: str, value: Any = "灯", kind: str = "set") -> dict[str, Any]:
    return {"op": kind, "path": path, "value": value}


def test_an_op_that_will_be_dropped_begins_nothing(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("drafting")
    made.records(ops=[{"op": "set", "path": "items.x.a"}, op("items.y.a")])
    told = [
        d for d in made.novel("validate", made.step("summarize")).diagnostics if d.code == "ENTITY_NOWHERE"
    ]
    assert [("略过" in d.message, "新建" in d.message) for d in told] == [(True, False), (False, True)]


def test_a_ghost_thread_is_told_and_yet_may_land(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("refined")
    made.write(
        layout.foreshadowing_plan(2), {"volume": 2, "foreshadowing": [{"id": "self-letter", "scope": "long"}]}
    )
    ops = [op("self-letters", "planted", "foreshadow")]
    made.records(ops=ops)
    found = made.novel("validate", made.step("summarize"))
    (told,) = found.diagnostics
    assert (found.exit, told.code, told.path) == (0, "FORESHADOW_NOWHERE", made.staged("delta"))
    assert "第 1 条变更" in told.fix and "代号「self-letter」？" in told.message
    made.judge(4.5)
    made.advance("judge")
    made.ok("commit", "--chapter", "2")
    assert "self-letters" in [one["id"] for one in made.json(layout.FORESHADOWING)["foreshadowing"]]


def test_a_name_in_a_path_is_told_with_its_id(tmp_path: Path) -> None:
    made = staged(tmp_path, ops=[op(f"characters.{bookparts.CAST['shen-du']}.location")])
    (told,) = validated(made).diagnostics
    assert told.code == "DELTA_OP_USELESS" and "编号是 shen-du" in told.message
    assert "novel sync 2" in told.fix
    card = layout.character_card("shen-du")
    made.write(card, {**made.json(card), "called_by": {"塔上": "沈船头"}})
    made.records(ops=[op("characters.沈船头.location")])
    assert "「沈船头」的编号是 shen-du" in validated(made).diagnostics[0].message


# --- the second chance -------------------------------------------------------------------------------

LOST = [
    op("characters.shen-du.location", kind="explode"),
    op("old-knot", "埋", "foreshadow"),
    op("characters.somebody.location"),
]


def test_what_would_be_lost_gives_its_agent_a_second_chance_and_no_third(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("drafting")
    step = made.step("summarize")
    made.ok("instructions", step)
    made.records(ops=[LOST[0], op("items.sword.owner")])
    data = made.ok("validate", step)
    assert data["ok"] and len(data["again"]) == 1 and "ops[" not in data["again"][0]
    assert made.ok("fail", step, "--reason", data["again"][0])["answer"] == "retry"
    made.ok("instructions", step)
    assert made.ok("validate", step)["again"] == []
    made.advance("summarize")
    assert made.next()["step"] == made.step("refine")


@pytest.mark.parametrize("bad", LOST)
def test_what_is_worth_a_second_chance(tmp_path: Path, bad: dict[str, Any]) -> None:
    made = staged(tmp_path, ops=[bad])
    data = made.ok("validate", made.step("summarize"))
    assert data["again"] and set(data["again"]) <= {d.message for d in validated(made).diagnostics}


def test_an_error_is_told_as_that(tmp_path: Path) -> None:
    made = staged(tmp_path, ops=LOST)
    made.write(made.staged("memory"), "渡" * 501)
    found = validated(made)
    assert found.exit == 1 and found.data["again"] == []


def test_at_validate_things_places_and_threads_are_told_too(tmp_path: Path) -> None:
    made = staged(
        tmp_path,
        ops=[
            op("items.sword.owner"),
            op("locations.tower.keeper"),
            op("factions.guild.chief"),
            op("never", "resolved", "foreshadow"),
            op("items.缆绳.owner", "shen-du"),
        ],
    )
    found = validated(made)
    told = [d for d in found.diagnostics if d.code in ("ENTITY_NOWHERE", "FORESHADOW_NOWHERE")]
    assert found.exit == 0 and len(told) == 4
    for at, name in enumerate(("sword", "tower", "guild", "never")):
        assert f"第 {at + 1} 条变更" in told[at].fix and name in told[at].message


# --- things by their names, odd kinds, and all faults at once -----------------------------------------


def test_a_thing_that_the_state_has_by_name_is_known(tmp_path: Path) -> None:
    made = staged(tmp_path, ops=[op("items.旧灯.owner"), op("items.夜明.owner", kind="remove")])
    state = made.json(layout.STATE)
    lamp = {"display_name": "船头灯", "aliases": ["旧灯", "夜明"]}
    made.write(layout.STATE, {**state, "items": {"lamp": lamp}})
    assert "ENTITY_NOWHERE" not in [d.code for d in validated(made).diagnostics]


def test_names_that_are_alike_are_asked_about_in_one_question_and_not_once_they_landed(
    tmp_path: Path,
) -> None:
    noted(book(tmp_path / "x"), note(1, "x"))
    made = staged(
        tmp_path,
        ops=[op("locations.沉船石埠.keeper"), op("items.缆绳.owner")],
        unknown_entities=[{"mention": "夜渡口", "context": "", "suggested_type": "location"}],
    )
    noted(made, note(1, "石埠", suggested_type="location"), note(1, "夜渡", suggested_type="location"))
    found = validated(made)
    (told,) = [d for d in found.diagnostics if d.code == "ENTITY_ALIKE"]
    assert (
        all(name in told.message for name in ("沉船石埠", "石埠", "夜渡口", "夜渡"))
        and "缆绳" not in told.message
    )
    assert told.message in found.data["again"]
    noted(made, *(note(1, name, suggested_type="location") for name in ("石埠", "夜渡口", "沉船石埠")))
    assert "ENTITY_ALIKE" not in [d.code for d in validated(made).diagnostics]


def test_names_that_only_begin_alike_are_told_and_cost_no_run(tmp_path: Path) -> None:
    made = staged(tmp_path, ops=[op("locations.渡口西街.keeper")])
    noted(made, note(1, "渡口东街", suggested_type="location"), note(1, "渡口", suggested_type=["location"]))
    found = validated(made)
    assert "ENTITY_ALIKE" in [d.code for d in found.diagnostics] and found.data["again"] == []


def test_an_odd_kind_refuses_nothing_and_hides_nothing(tmp_path: Path) -> None:
    made = staged(
        tmp_path,
        ops=LOST,
        unknown_entities=[{"mention": "缆绳", "context": "系船", "suggested_type": "place"}],
    )
    found = validated(made)
    codes = [d.code for d in found.diagnostics]
    assert found.exit == 0 and codes.count("ENTITY_KIND_UNKNOWN") == 1
    assert len(found.data["again"]) >= len(LOST), "the real faults are asked about in the first run"


def test_faults_of_form_and_of_content_are_told_together(tmp_path: Path) -> None:
    made = staged(tmp_path, ops=LOST, chapter="二")
    found = validated(made)
    codes = {d.code for d in found.diagnostics}
    assert found.exit == 1 and {"OUTPUT_BROKEN", "DELTA_OP_USELESS"} <= codes
    made = staged(tmp_path / "other", ops=LOST)
    made.write(made.staged("memory"), "渡" * 501)
    assert {"DELTA_OP_USELESS", "OUTPUT_BROKEN"} <= {d.code for d in validated(made).diagnostics}


# --- threads that the chapter's own plan moves -----------------------------------------------


def moves(made: Book, *updates: tuple[str, str]) -> None:
    """Threads of the plan, of a later range, that the contract of the chapter in work moves."""
    items = [
        {"id": name, "description": f"{name}的来历", "scope": "long", "planted_chapter": 1}
        for name, _ in updates
    ]
    made.write(layout.foreshadowing_plan(1), {"foreshadowing": items})
    contract = made.json(layout.contract(1, made.chapter))
    listed = [{"id": name, "action": action} for name, action in updates]
    contract["postconditions"]["foreshadowing_updates"] = listed
    made.write(layout.contract(1, made.chapter), contract)


def test_a_thread_that_the_delta_leaves_out_is_told_once_to_who_can_mend_it(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.stage("drafting")
    moves(made, ("lamp", "advanced"), ("rope", "planted"))
    made.draft()
    packet = made.ok("instructions", made.step("summarize"))
    (tasks,) = [one["value"] for one in packet["inputs"] if one["key"] == "foreshadowing_tasks"]
    doing = [(one["id"], one["todo"]) for one in tasks if "todo" in one]
    assert doing == [("lamp", "advanced"), ("rope", "planted")]
    op = {"op": "foreshadow", "path": "rope", "value": "planted"}
    made.records(ops=[op])
    found = made.novel("validate", made.step("summarize"))
    (told,) = [d for d in found.diagnostics if d.code == "FORESHADOWING_UNRECORDED"]
    assert found.exit == 0 and "lamp" in told.fix and told.message in found.data["again"]
    made.ok("fail", made.step("summarize"), "--reason", told.message)
    assert made.ok("validate", made.step("summarize"))["again"] == [], "once"
    made.records(ops=[op, {"op": "foreshadow", "path": "lamp", "value": "advanced"}])
    assert not made.novel("validate", made.step("summarize")).diagnostics


def test_it_is_not_told_again_at_the_landing(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.stage("judged")
    moves(made, ("lamp", "advanced"))
    made.draft()
    made.records()
    made.evaluation(gate={"decision": "pass"})
    found = made.novel("commit", "--chapter", str(made.chapter))
    assert found.exit == 0 and not [d for d in found.diagnostics if "lamp" in d.fix]


def test_a_lost_change_is_told_by_the_names_of_people_and_things(tmp_path: Path) -> None:
    made = book(tmp_path)
    made.until("drafting")
    state = made.json(layout.STATE)
    state["items"] = {"rope": {"display_name": "断头绳"}}
    made.write(layout.STATE, state)
    wrong = {"op": "set", "path": "characters.shen-du.owes", "value": "断头绳"}
    made.records(ops=[wrong, {"op": "inc", "path": "items.rope.owner", "value": "x"}])
    told = [d.message for d in validated(made).diagnostics if d.code == "DELTA_OP_USELESS"]
    assert ["「沈渡」的欠债改为「断头绳」" in told[0], "「断头绳」的归属加「x」" in told[1]] == [True, True]
    assert not any(name in "".join(told) for name in ("shen-du", "rope", "characters"))
