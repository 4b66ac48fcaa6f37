"""One cause is told once, and what could not be read hides nothing beside it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from volumedraft import (
    OUTLINE,
    Draft,
    ends,
    event,
    goal,
    path,
    states,
)

from novel_hooks import layout
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.text.json_values import FAULTY
from novel_hooks.rules.volume import checks
from novel_hooks.rules.volume.plan import Plan
from novel_hooks.store.files import assets
from unit.rules.volume import test_people as people
from unit.rules.volume.contract_drafts import rule_unknown

if TYPE_CHECKING:
    from collections.abc import Callable


def test_one_cause_in_many_places_is_told_once() -> None:
    draft = Draft()
    for chapter in (4, 5, 6):
        states(draft, chapter)["生人"] = {}
        ends(draft, chapter)["state_changes"]["生人"] = {}
        draft.keys[chapter]["POV"] = "生人"
        draft.contracts[chapter]["preconditions"]["required_world_rules"] = ["W-404"]
    found = draft.found()
    assert [code for code, _ in found] == ["VOLUME_CHARACTER", "VOLUME_WORLD_RULE"]
    assert all(
        place in found[0][1] for place in (path(4), OUTLINE, "第 5 章 POV", "state_changes", "等 9 处")
    )
    assert "第 5、6 章的契约也是" in found[1][1]


def test_an_id_that_changes_in_the_plan_is_told_once() -> None:
    draft = Draft()
    draft.threads[0]["id"] = "belt"
    found = draft.found()
    assert [code for code, _ in found] == ["VOLUME_FORESHADOWING"]
    assert "是不是「belt」？" in found[0][1]


def test_a_slip_is_met_with_the_right_word() -> None:
    draft = Draft()
    states(draft, 5)["林度"] = states(draft, 5).pop("林渡")
    assert any("是不是「林渡」？" in message for _, message in draft.found())


def test_what_could_not_be_read_is_not_looked_at() -> None:
    plan = (
        Draft().plan()._replace(schedule=None, lines=None, threads=None, facts=None, people=None, rules=None)
    )
    assert checks.problems(plan) == []


def test_without_a_heading_one_thing_is_said() -> None:
    draft = Draft()
    draft.titles = {}
    assert [c for c, _ in draft.found()] == ["OUTLINE_EMPTY"]


def test_without_an_outline_the_rest_is_looked_at() -> None:
    draft = Draft()
    people.stranger(draft)
    plan = draft.plan()._replace(outline=outlines.parse("", OUTLINE), data=b"")
    assert [p.code for p in checks.problems(plan)] == ["VOLUME_CHARACTER"]


def test_without_a_schedule_a_storyline_is_still_one_of_the_books() -> None:
    draft = Draft()
    draft.storylines[5] = draft.contracts[5]["storyline_id"] = "towr"
    (found,) = checks.problems(draft.plan()._replace(schedule=None))
    assert "「towr」没有定义" in str(found) and "「tower」" in found.diagnostic().fix


FAULTY_PLACES: list[tuple[str, Callable[[Draft], object]]] = [
    ("storyline_id", lambda d: d.contracts[5].update(storyline_id="")),
    ("objectives", lambda d: d.contracts[5].update(objectives=FAULTY)),
    ("required", lambda d: goal(d, 5).update(required=FAULTY)),
    ("preconditions", lambda d: d.contracts[5].update(preconditions=FAULTY)),
    ("states", lambda d: d.contracts[5]["preconditions"].update(character_states=FAULTY)),
    ("state", lambda d: states(d, 5).update(林渡=FAULTY)),
    ("changes", lambda d: ends(d, 5).update(state_changes=FAULTY)),
    ("updates", lambda d: ends(d, 5).update(foreshadowing_updates=FAULTY)),
    ("postconditions", lambda d: d.contracts[4].update(postconditions=FAULTY)),
    ("active", lambda d: d.schedule.update(active_storylines=FAULTY)),
    ("one active", lambda d: d.schedule.update(active_storylines=["river", FAULTY])),
    ("range", lambda d: event(d).update(chapter_range=FAULTY)),
    ("end", lambda d: event(d).update(chapter_range=[5, FAULTY])),
    ("involved", lambda d: event(d).update(involved_storylines=["river", FAULTY])),
    ("dormant", lambda d: d.schedule.update(dormant_storylines=FAULTY)),
    ("event", lambda d: d.schedule.update(convergence_events=[FAULTY])),
    ("scope", lambda d: d.threads[0].update(scope=FAULTY)),
    ("planted", lambda d: d.threads[0].update(planted_chapter=FAULTY)),
    ("window", lambda d: d.threads[0].update(target_resolve_range=FAULTY)),
    ("description", lambda d: d.threads[0].update(description=FAULTY)),
]


@pytest.mark.parametrize(("where", "spoil"), FAULTY_PLACES, ids=[where for where, _ in FAULTY_PLACES])
def test_nothing_is_concluded_from_a_fault_of_shape(where: str, spoil: Callable[[Draft], object]) -> None:
    draft = Draft()
    spoil(draft)
    assert draft.found() == []


@pytest.mark.parametrize(("where", "spoil"), FAULTY_PLACES, ids=[where for where, _ in FAULTY_PLACES])
def test_and_it_hides_nothing_beside_it(where: str, spoil: Callable[[Draft], object]) -> None:
    draft = Draft()
    spoil(draft)
    nothing_required_in_6(draft)
    people.stranger(draft)
    rule_unknown(draft)
    draft.threads.append(dict(draft.threads[1]))
    codes = {code for code, _ in draft.found()}
    assert codes == {"VOLUME_CONTRACT", "VOLUME_CHARACTER", "VOLUME_WORLD_RULE", "VOLUME_FORESHADOWING"}


def nothing_required_in_6(d: Draft) -> None:
    goal(d, 6)["required"] = False


def test_the_samples_own_volume_passes() -> None:
    def document(rel: str) -> Any:
        return json.loads(assets.load(assets.package_path(f"sample/project/{rel}")))

    data = assets.load(assets.package_path(f"sample/project/{layout.outline(1)}"))
    outline = outlines.parse(data.decode(), OUTLINE)
    numbers = range(outline.start, outline.end + 1)
    cards = [
        "bo-sanxing",
        "deng-hua",
        "lin-po",
        "lu-dun",
        "miao-he",
        "min-shouzhong",
        "sang-dingxing",
        "sang-zhun",
        "tong-qizheng",
        "xu-er",
        "xun-jiusuo",
    ]
    plan = Plan(
        volume=1,
        first=1,
        last=0,
        outline=outline,
        data=data,
        files=tuple(numbers),
        contracts={
            n: contracts.parse(document(layout.contract(1, n)), layout.contract(1, n)) for n in numbers
        },
        before=None,
        schedule=document(layout.schedule(1)),
        lines=tuple(line["id"] for line in document(layout.STORYLINES)["storylines"]),
        threads=document(layout.foreshadowing_plan(1))["foreshadowing"],
        facts=[],
        people=[casts.character(slug, document(layout.character_card(slug))) for slug in cards],
        rules={rule["id"]: rule["introduced_chapter"] for rule in document(layout.WORLD_RULES)["rules"]},
    )
    assert checks.problems(plan) == []
