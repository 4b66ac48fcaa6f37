"""A volume's plan with anything in any place: the rules never break, and what is sound stays."""

from __future__ import annotations

import copy
import json
from typing import Any

from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from novel_hooks import layout
from novel_hooks.flows.planning import partial_document
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.outline import contract as contracts
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.text.json_values import FAULTY, has_faulty, integer, text
from novel_hooks.rules.volume import checks
from novel_hooks.rules.volume.plan import Plan
from novel_hooks.store.files import assets
from novel_hooks.store.schema import schema

NUMBERS = range(1, 7)
OUTLINE = layout.staged(layout.outline(1))
SCALARS = st.sampled_from([None, True, 0, -1, 3, 99, 1.5, "", " ", "桑准", "seventh-span", "埋 x", "W-001"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab桑"), inner, max_size=2),
    max_leaves=5,
)


def document(path: str) -> Any:
    return json.loads(assets.load(assets.package_path(f"sample/project/{path}")))


PARTS = {
    "schedule": ("storyline-schedule", document(layout.schedule(1))),
    "plan": ("foreshadowing-plan", document(layout.foreshadowing_plan(1))),
    "storylines": ("storylines", document(layout.STORYLINES)),
    **{str(n): ("chapter-contract", document(layout.contract(1, n))) for n in NUMBERS},
}
TEXT = assets.load(assets.package_path(f"sample/project/{layout.outline(1)}")).decode()
CARDS = ("lu-dun", "sang-zhun", "miao-he", "xu-er")
PEOPLE = [casts.character(slug, document(layout.character_card(slug))) for slug in CARDS]


def places(held: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place of a document, the document itself last."""
    inner = held.items() if isinstance(held, dict) else enumerate(held) if isinstance(held, list) else ()
    return [place for key, value in inner for place in places(value, (*here, key))] + [here]


@st.composite
def spoilt(draw: st.DrawFn) -> tuple[dict[str, Any], list[str]]:
    """The sample's documents with anything in one to three places, and which were changed."""
    made = {key: copy.deepcopy(held) for key, (_, held) in PARTS.items()}
    keys = draw(st.lists(st.sampled_from(sorted(PARTS)), min_size=1, max_size=3))
    for key in keys:
        place = draw(st.sampled_from(places(made[key])))
        value = draw(VALUES)
        if not place:
            made[key] = value
            continue
        held = made[key]
        for step in place[:-1]:
            held = held[step]
        held[place[-1]] = value
    return made, keys


def sound(key: str, held: Any) -> Any:
    read = partial_document.parse(json.dumps(held).encode(), f"{key}.json", PARTS[key][0])
    assert read is not None
    return read.document


def plan(made: dict[str, Any]) -> Plan:
    read = {key: sound(key, held) for key, held in made.items()}
    deals = {}
    for n in NUMBERS:
        held = read[str(n)]
        if held is not FAULTY:
            line = text(held.get("storyline_id")) or ""
            number = integer(held.get("chapter")) or n
            deals[n] = contracts.parse({**held, "chapter": number, "storyline_id": line}, f"{n}.json")
    threads = read["plan"].get("foreshadowing") if isinstance(read["plan"], dict) else read["plan"]
    lines = read["storylines"].get("storylines")
    return Plan(
        volume=1,
        first=1,
        last=0,
        outline=outlines.parse(TEXT, OUTLINE),
        data=TEXT.encode(),
        files=tuple(NUMBERS),
        contracts=deals,
        before=None,
        schedule=None if read["schedule"] is FAULTY else read["schedule"],
        lines=tuple(one["id"] for one in lines if isinstance(one, dict) and isinstance(one.get("id"), str))
        if isinstance(lines, list)
        else None,
        threads=[one for one in threads if isinstance(one, dict)] if isinstance(threads, list) else None,
        facts=[],
        people=PEOPLE,
        rules={"W-001": 1},
        partial=frozenset({"lines", "threads", "people", "rules"}),
        storylines=read["storylines"],
    )


@given(spoilt())
@settings(max_examples=examples(150), deadline=None)
def test_anything_in_any_place_is_survived(made: tuple[dict[str, Any], list[str]]) -> None:
    for problem in checks.problems(plan(made[0])):
        assert problem.diagnostic().message and problem.diagnostic().fix


@given(spoilt())
@settings(max_examples=examples(150), deadline=None)
def test_what_is_wrong_is_marked_and_the_rest_kept(made: tuple[dict[str, Any], list[str]]) -> None:
    for key in made[1]:
        name, held = PARTS[key][0], made[0][key]
        faults, read = schema.misfit_places(name, held), sound(key, held)
        assert has_faulty(read) or not any(keyword != "maxItems" for _, keyword in faults)
        if not faults:
            assert read == held
