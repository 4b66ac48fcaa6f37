"""Names and storylines that nobody knows: said at `validate`, noted at commit, listed by `entities`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.book import unknown_names
from tools import bookparts
from unit.flows.checks.noted_names import op, staged, validated

if TYPE_CHECKING:
    from pathlib import Path


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
