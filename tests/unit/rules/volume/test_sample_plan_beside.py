"""The sample's own volume: a fault of shape with another beside it, and what says the same in another way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from novel_hooks import layout
from unit.rules.volume.sample_changes import (
    CARD,
    CHAIN,
    HINT,
    LINE,
    MEET,
    OUTLINE,
    PLAN,
    SCHEDULE,
    SHAPE,
    THREAD,
    WHO,
    WORLD,
    Change,
    blank,
    check_told_once,
    deal,
    document,
    event,
    line,
    renamed,
    rules,
    states,
    text,
    thread,
    told,
    updates,
)
from unit.rules.volume.sample_changes import made as made
from unit.rules.volume.sample_changes import whole as whole
from unit.rules.volume.test_sample_plan import CHANGES

if TYPE_CHECKING:
    from collections.abc import Callable

    from builders import Book


def both(*makes: Callable[[Book], object]) -> Callable[[Book], None]:
    def make(made: Book) -> None:
        for one in makes:
            one(made)

    return make


STRANGER = document(deal(3), lambda d: states(d).update({"客人": {}}))


BESIDE = [
    Change(
        "a contract's chapter, its people and rules",
        both(document(deal(3), lambda d: (d.update(chapter="3"), rules(d).append("W-099"))), STRANGER),
        (SHAPE, "chapter 应为整数"),
        (WHO, "「客人」"),
        (WORLD, "「W-099」"),
    ),
    Change(
        "an objective, and a thread's end",
        document(deal(6), lambda d: (d["objectives"][0].pop("id"), updates(d).pop(1))),
        (SHAPE, "objectives[0].id"),
        (THREAD, "（four-ten）该在第 6 章到第 6 章收"),
    ),
    Change(
        "a contract that is no JSON, and the others",
        both(text(deal(5), "{", "["), STRANGER),
        (SHAPE, "chapter-005.json"),
        (WHO, "「客人」"),
    ),
    Change(
        "a role, and where the lines meet",
        both(line(0, volume_role="main"), event(chapter_range=[6, 7])),
        ("OUTPUT_MENDED", "volume_role"),
        (MEET, "超出了本卷"),
    ),
    Change(
        "a schedule that is no JSON, and the rest",
        both(text(SCHEDULE, "{", "["), STRANGER),
        (SHAPE, "storyline-schedule.json"),
        (WHO, "「客人」"),
    ),
    Change(
        "a scope, and another thread's storyline",
        both(thread("loose-tooth", scope="mid"), thread("cut-tail", planted_storyline="seventh-span")),
        (SHAPE, "foreshadowing[2].scope"),
        (THREAD, "第 2 章却是「rope-chaser」线"),
    ),
    Change(
        "a plan that is no JSON, and the rest",
        both(text(PLAN, "{", "["), STRANGER),
        (SHAPE, "foreshadowing.json"),
        (WHO, "「客人」"),
    ),
    Change(
        "a staged card, and a chain",
        both(
            lambda made: made.write(layout.staged(CARD), {"display_name": "鲁墩", "contracts": "无"}),
            document(deal(3), lambda d: states(d).pop("絮儿")),
        ),
        (SHAPE, "contracts 应为列表"),
        (CHAIN, "「絮儿」"),
    ),
    Change(
        "a staged card of nobody knows whom, and a rule",
        both(
            lambda made: made.write(layout.staged(CARD), "{"),
            document(deal(3), lambda d: rules(d).append("W-099")),
        ),
        (SHAPE, "lu-dun.json"),
        (WORLD, "「W-099」"),
    ),
    Change(
        "a landed card, and a staged one",
        both(
            document(CARD, lambda d: d.update(contracts="无")),
            lambda made: made.write(layout.staged(layout.character_card("ke-ren")), {"display_name": "客人"}),
            STRANGER,
            document(deal(3), lambda d: states(d).pop("絮儿")),
        ),
        ("SCHEMA_VIOLATION", "contracts 应为列表"),
        (CHAIN, "「絮儿」"),
    ),
    Change(
        "staged storylines, and the schedule",
        both(
            lambda made: made.write(
                layout.staged(layout.STORYLINES),
                {"storylines": [{"id": "seventh-span", "name": 7}, {"id": "rope-chaser"}]},
            ),
        ),
        (SHAPE, "storylines[0].name"),
        (LINE, "「vine-yard」没有定义"),
    ),
    Change(
        "the outline away, and the rest",
        both(lambda made: made.drop(OUTLINE), STRANGER, thread("loose-tooth", scope=None)),
        ("OUTPUT_MISSING", OUTLINE),
        (WHO, "「客人」"),
        (THREAD, "没有 scope"),
    ),
    Change(
        "an outline that is no text, and the rest",
        both(lambda made: made.write(OUTLINE, b"\xff\xfe"), STRANGER),
        (SHAPE, "outline.md"),
        (WHO, "「客人」"),
    ),
]
"""A fault of shape, and what is wrong beside it: both are told, and nothing else."""


SAME = [
    Change("no transition hint", blank("TransitionHint")),
    Change("POV by id", text(OUTLINE, "POV**: 鲁墩", "POV**: lu-dun")),
    Change("POV by alias", text(OUTLINE, "POV**: 鲁墩", "POV**: 墩子")),
    Change("a state by alias", document(deal(3), lambda d: renamed(states(d), "桑准", "桑姑娘"))),
    Change("a state by id", document(deal(3), lambda d: renamed(states(d), "桑准", "sang-zhun"))),
    Change("no world rules", document(deal(3), lambda d: d["preconditions"].pop("required_world_rules"))),
    Change("no hint", document(deal(3), lambda d: d.pop(HINT))),
    Change("threads in words", text(OUTLINE, "埋 wrapped-beam", "布裹的长东西 wrapped-beam")),
    Change("a longer range", thread("cut-tail", target_resolve_range=[4, 6])),
    Change("targets in words", line(0, target_chapters="1、3、5-6")),
    Change("they meet in one chapter", event(chapter_range=[6, 6])),
]
"""What says the same in another way, or nothing less that matters."""


@pytest.mark.parametrize("change", BESIDE, ids=[change.name for change in BESIDE])
def test_what_is_wrong_beside_a_fault_of_shape_is_told_too(made: Book, change: Change) -> None:
    check_told_once(made, change)


@pytest.mark.parametrize("change", SAME, ids=[change.name for change in SAME])
def test_what_says_the_same_passes(made: Book, change: Change) -> None:
    change.make(made)
    assert told(made) == []


def test_no_two_mutations_are_one() -> None:
    names = [change.name for change in (*CHANGES, *BESIDE, *SAME)]
    assert len(names) == len(set(names)) >= 100
