"""The sample's own volume, one thing changed: what contradicts is told once, with file, place and fix.

Each mutation is one change of one file, as a planner's or an author's slip would make it. A slip that reaches
one rule in one way stands with the rule, in `test_rules_volume`.
"""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from planbook import sample_book

from novel_hooks import layout
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.planning.desk import PlanDesk
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from builders import Book

    from novel_hooks.errors import Diagnostic, Problem

OUTLINE, SCHEDULE, PLAN = (
    layout.staged(f(1)) for f in (layout.outline, layout.schedule, layout.foreshadowing_plan)
)
CARD = layout.character_card("lu-dun")


def deal(chapter: int) -> str:
    return layout.staged(layout.contract(1, chapter))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """The sample, set up, its volume in staging."""
    made = sample_book(tmp_path_factory.mktemp("sample") / "book")
    there = made.at(layout.staged("volumes"))
    there.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(str(made.at("volumes")), str(there))
    made.point(orchestrator_state="VOL_PLANNING", current_volume=1)
    reading = Reading(Project(str(made.at("."))))
    problems(reading)
    made.write(layout.VALIDITY, reading.validity.changes() or b"")  # or each test would judge all shapes anew
    return made


@pytest.fixture
def made(whole: Book) -> Iterator[Book]:
    """The same, put back behind the test."""
    files = {p: p.read_bytes() for p in whole.at(".").rglob("*") if p.is_file()}
    yield whole
    for path in [p for p in whole.at(".").rglob("*") if p.is_file() and p not in files]:
        path.unlink()
    for path, data in files.items():
        if not path.exists() or path.read_bytes() != data:
            path.write_bytes(data)


def problems(reading: Reading) -> tuple[Problem, ...]:
    return PlanDesk(reading, 1).step_files(steps.parse("volume:01:outline"))[1]


def told(made: Book) -> list[Diagnostic]:
    return [p.diagnostic() for p in problems(Reading(Project(str(made.at(".")))))]


def test_the_sample_passes(made: Book) -> None:
    assert told(made) == []


class Change:
    """One change of the book: `said` (code, what its message holds) for each finding that it must bring."""

    def __init__(self, name: str, make: Callable[[Book], object], *said: tuple[str, str]) -> None:
        self.name, self.make, self.said = name, make, said


def text(path: str, old: str, new: str) -> Callable[[Book], None]:
    def make(made: Book) -> None:
        before = made.at(path).read_text("utf-8")
        assert old in before
        made.at(path).write_text(before.replace(old, new, 1), "utf-8")

    return make


def document(path: str, change: Callable[[Any], object]) -> Callable[[Book], None]:
    def make(made: Book) -> None:
        held = json.loads(made.at(path).read_text("utf-8"))
        change(held)
        made.at(path).write_text(json.dumps(held, ensure_ascii=False), "utf-8")

    return make


def blocks(*order: int) -> Callable[[Book], None]:
    """The outline's blocks, by their place from 1, in another order."""

    def make(made: Book) -> None:
        head, *parts = re.split(r"(?m)^(?=### )", made.at(OUTLINE).read_text("utf-8"))
        made.at(OUTLINE).write_text(head + "".join(parts[n - 1] for n in order), "utf-8")

    return make


def blank(key: str, mark: str = "**") -> Callable[[Book], None]:
    """Chapter 1's key line without its value, or, with another mark, misspelt."""

    def make(made: Book) -> None:
        value = r"\2" if mark != "**" else ""
        before = made.at(OUTLINE).read_text("utf-8")
        after = re.sub(rf"- (\*\*){key}\*\*:(.*)", rf"- {mark}{key}{mark}:{value}", before, count=1)
        made.at(OUTLINE).write_text(after, "utf-8")

    return make


def move(old: str, new: str) -> Callable[[Book], None]:
    return lambda made: made.at(old).rename(made.at(new))


def exchange(one: int, other: int) -> Callable[[Book], None]:
    def make(made: Book) -> None:
        held = made.at(deal(one)).read_bytes()
        made.at(deal(one)).write_bytes(made.at(deal(other)).read_bytes())
        made.at(deal(other)).write_bytes(held)

    return make


def states(d: Any) -> Any:
    return d["preconditions"]["character_states"]


def rules(d: Any) -> Any:
    return d["preconditions"]["required_world_rules"]


def updates(d: Any) -> Any:
    return d["postconditions"]["foreshadowing_updates"]


def renamed(held: Any, old: str, new: str) -> None:
    held[new] = held.pop(old)


def line(number: int, **change: Any) -> Callable[[Book], None]:
    return document(SCHEDULE, lambda d: d["active_storylines"][number].update(change))


def event(**change: Any) -> Callable[[Book], None]:
    return document(SCHEDULE, lambda d: d["convergence_events"][0].update(change))


def thread(name: str, **change: Any) -> Callable[[Book], None]:
    """A value of None takes the key away."""

    def make(d: Any) -> None:
        item = next(one for one in d["foreshadowing"] if one["id"] == name)
        item.update(change)
        for key in [key for key, value in change.items() if value is None]:
            del item[key]

    return document(PLAN, make)


def added(path: str, *keys: str | int, value: Any) -> Callable[[Book], None]:
    def make(d: Any) -> None:
        for key in keys:
            d = d[key]
        d.append(value)

    return document(path, make)


KEYS = ("POV", "Location", "Conflict", "Arc", "Foreshadowing", "StateChanges")
EVERY_KEY = ("Storyline", *KEYS, "TransitionHint")
CONTRACT, CHAIN, CAST, WHO = "VOLUME_CONTRACT", "VOLUME_CHAIN", "VOLUME_CAST", "VOLUME_CHARACTER"
LINE, MEET, THREAD, WORLD = (
    "VOLUME_STORYLINE",
    "VOLUME_CONVERGENCE",
    "VOLUME_FORESHADOWING",
    "VOLUME_WORLD_RULE",
)
SHAPE = "PLAN_BROKEN"
HINT = "transition_hint"

CHANGES = [
    # the outline
    Change("blocks 5 and 6 exchanged", blocks(1, 2, 3, 4, 6, 5), (SHAPE, "6（第 55 行，应在第 5 章之后）")),
    Change("blocks 1 and 2 exchanged", blocks(2, 1, 3, 4, 5, 6), (SHAPE, "2（第 15 行，应在第 1 章之后）")),
    Change("block 6 in front", blocks(6, 1, 2, 3, 4, 5), (SHAPE, "6（第 15 行，应在第 5 章之后）")),
    Change(
        "block 1 away", blocks(2, 3, 4, 5, 6), ("VOLUME_RANGE", "应从第 1 章起"), (CONTRACT, "没有第 1 章")
    ),
    Change("block 6 away", blocks(1, 2, 3, 4, 5), (CONTRACT, "大纲里没有第 6 章")),
    Change(
        "6 becomes 7",
        text(OUTLINE, "### 第 6 章", "### 第 7 章"),
        (SHAPE, "缺少：6"),
        (CONTRACT, "第 7 章没有契约"),
    ),
    Change(
        "3 becomes 2", text(OUTLINE, "### 第 3 章", "### 第 2 章"), (SHAPE, "重复：2"), (SHAPE, "缺少：3")
    ),
    Change("heading of another level", text(OUTLINE, "### 第 3 章", "## 第 3 章"), (SHAPE, "写法不对")),
    Change("heading in Chinese", text(OUTLINE, "### 第 3 章", "### 第三章"), (SHAPE, "写法不对")),
    *(Change(f"{key} misspelt", blank(key, "*"), (SHAPE, f"没有「{key}」这一行")) for key in EVERY_KEY),
    *(Change(f"{key} blank", blank(key), ("VOLUME_OUTLINE", f"{key} 空着")) for key in KEYS),
    Change("Storyline blank", blank("Storyline"), (SHAPE, "空着「Storyline」")),
    Change(
        "a storyline misspelt",
        text(OUTLINE, "**: rope-chaser", "**: rope-chser"),
        (CONTRACT, "大纲写的是「rope-chser」"),
    ),
    Change("another POV", text(OUTLINE, "POV**: 鲁墩", "POV**: 蔺婆"), (CAST, "「蔺婆」")),
    Change(
        "an id away",
        text(OUTLINE, "埋 loose-tooth（灯花显摆松动的门牙）；", ""),
        (THREAD, "大纲的 Foreshadowing 里没有"),
    ),
    Change(
        "another act",
        text(OUTLINE, "埋 loose-tooth", "收 loose-tooth"),
        (THREAD, "大纲写的是收，契约写的是埋"),
    ),
    Change(
        "one id more",
        text(OUTLINE, "埋 loose-tooth", "推 four-ten；埋 loose-tooth"),
        (THREAD, "（four-ten）第 2 章的大纲里有"),
    ),
    # contracts
    *(
        Change(f"contract {n} away", lambda made, n=n: made.drop(deal(n)), (CONTRACT, f"第 {n} 章没有契约"))
        for n in (1, 3, 6)
    ),
    Change(
        "contract 6 as 7",
        move(deal(6), deal(7)),
        (CONTRACT, "第 6 章没有契约"),
        (CONTRACT, "大纲里没有第 7 章"),
    ),
    Change("contract 6 misnamed", move(deal(6), deal(6).replace("006", "6")), (CONTRACT, "文件名不是章号")),
    Change(
        "contract 6 beside a misnamed one",
        lambda made: made.write(deal(6).replace("006", "6"), made.at(deal(6)).read_bytes()),
        (CONTRACT, "chapter-006.json 也已经有了"),
    ),
    Change(
        "contract 6 misnamed after a name of another's",
        lambda made: made.write(deal(6).replace("006", "六"), made.json(deal(5))),
        (CONTRACT, "chapter-005.json 也已经有了"),
    ),
    Change(
        "contracts 5 and 6 exchanged",
        exchange(5, 6),
        (CONTRACT, "契约写的是第 6 章，应是第 5 章"),
        (CONTRACT, "契约写的是第 5 章，应是第 6 章"),
        (WORLD, "「W-012」"),
    ),
    Change(
        "chapter in words", document(deal(3), lambda d: d.update(chapter="3")), (SHAPE, "chapter 应为整数")
    ),
    Change(
        "storyline misspelt",
        document(deal(3), lambda d: d.update(storyline_id="seventh-spn")),
        (CONTRACT, "seventh-spn"),
    ),
    Change(
        "storyline no slug",
        document(deal(3), lambda d: d.update(storyline_id="Seventh")),
        (SHAPE, "storyline_id"),
    ),
    Change(
        "storyline away", document(deal(3), lambda d: d.pop("storyline_id")), (SHAPE, "storyline_id 缺少")
    ),
    Change("no objective", document(deal(3), lambda d: d.update(objectives=[])), (CONTRACT, "必达目标")),
    Change("objectives away", document(deal(3), lambda d: d.pop("objectives")), (SHAPE, "objectives 缺少")),
    Change(
        "required in words",
        document(deal(3), lambda d: d["objectives"][0].update(required="yes")),
        (SHAPE, "objectives[0].required"),
    ),
    Change(
        "an objective's id away",
        document(deal(3), lambda d: d["objectives"][1].pop("id")),
        (SHAPE, "objectives[1].id"),
    ),
    Change(
        "絮儿 not held",
        document(deal(3), lambda d: states(d).pop("絮儿")),
        (CHAIN, "「絮儿」：第 2 章改变了他"),
    ),
    Change(
        "苗禾 not held",
        document(deal(3), lambda d: states(d).pop("苗禾")),
        (CHAIN, "「苗禾」：第 2 章改变了他"),
    ),
    Change("桑准 not held", document(deal(3), lambda d: states(d).pop("桑准")), (CAST, "「桑准」")),
    Change("闵守中 not held", document(deal(1), lambda d: states(d).pop("闵守中")), (CAST, "「闵守中」")),
    Change(
        "nobody held",
        document(deal(3), lambda d: d["preconditions"].pop("character_states")),
        (CHAIN, "「苗禾」"),
        (CHAIN, "「絮儿」"),
    ),
    Change(
        "states as a list",
        document(deal(3), lambda d: d["preconditions"].update(character_states=["桑准"])),
        (SHAPE, "character_states 应为对象"),
    ),
    Change(
        "a name misspelt", document(deal(3), lambda d: renamed(states(d), "苗禾", "苗和")), (WHO, "「苗和」")
    ),
    Change(
        "a change misspelt",
        document(deal(3), lambda d: renamed(d["postconditions"]["state_changes"], "苗禾", "苗和")),
        (WHO, "「苗和」"),
    ),
    Change(
        "one who was elsewhere changes, by id",
        document(deal(3), lambda d: d["postconditions"]["state_changes"].update({"lu-dun": {}})),
        (CHAIN, "「鲁墩」"),
    ),
    Change(
        "one who was elsewhere acts in an objective",
        document(deal(4), lambda d: d["objectives"][0].update(actor="苗禾")),
        (CHAIN, "目标 OBJ-4-1 的 actor"),
    ),
    Change(
        "one who was elsewhere is a target, by alias",
        document(deal(4), lambda d: d["objectives"][0].update(target="絮哥儿")),
        (CHAIN, "「絮儿」"),
    ),
    Change(
        "a rule that is none",
        added(deal(3), "preconditions", "required_world_rules", value="W-099"),
        (WORLD, "「W-099」"),
    ),
    Change(
        "a rule misspelt", document(deal(3), lambda d: rules(d).__setitem__(0, "W-02")), (WORLD, "「W-02」")
    ),
    Change(
        "a rule as a number",
        added(deal(3), "preconditions", "required_world_rules", value=12),
        (SHAPE, "required_world_rules[6]"),
    ),
    Change(
        "next storyline misspelt",
        document(deal(3), lambda d: d[HINT].update(next_storyline="rope-chasr")),
        (LINE, "「rope-chasr」没有定义"),
    ),
    Change(
        "meanwhile misspelt",
        document(
            deal(3), lambda d: renamed(d["storyline_context"]["concurrent_state"], "vine-yard", "vineyard")
        ),
        (LINE, "concurrent_state"),
    ),
    Change("a planting away", document(deal(3), lambda d: updates(d).pop(0)), (THREAD, "那一章的契约没有写")),
    Change(
        "a step away",
        document(deal(3), lambda d: updates(d).pop(2)),
        (THREAD, "契约的 foreshadowing_updates 里没有"),
    ),
    Change(
        "no updates",
        document(deal(3), lambda d: d["postconditions"].pop("foreshadowing_updates")),
        (THREAD, "（wrapped-beam）计划在第 3 章埋"),
        (THREAD, "（silent-span）计划在第 3 章埋"),
    ),
    Change(
        "another action",
        document(deal(3), lambda d: updates(d)[0].update(action="advanced")),
        (THREAD, "那一章的契约没有写"),
    ),
    Change(
        "ended early",
        added(
            deal(4),
            "postconditions",
            "foreshadowing_updates",
            value={"id": "wrapped-beam", "action": "resolved"},
        ),
        (THREAD, "第 4 章收了"),
    ),
    # the schedule
    Change(
        "a line away",
        document(SCHEDULE, lambda d: d["active_storylines"].pop()),
        (LINE, "第 2、4 章的故事线「rope-chaser」"),
    ),
    Change(
        "a line misspelt",
        line(1, storyline_id="rope-chasr"),
        (LINE, "「rope-chasr」没有定义"),
        (LINE, "第 2、4 章的故事线「rope-chaser」"),
    ),
    Change("asleep and awake", added(SCHEDULE, "newly_activated", value="vine-yard"), (LINE, "又活跃又休眠")),
    Change(
        "five lines",
        document(SCHEDULE, lambda d: d["active_storylines"].extend([{"storyline_id": "vine-yard"}] * 3)),
        (SHAPE, "最多 4 项"),
        (LINE, "写了两次"),
        (LINE, "又活跃又休眠"),
    ),
    Change("a role that is none", line(0, volume_role="main"), ("OUTPUT_MENDED", "volume_role")),
    Change("they meet backwards", event(chapter_range=[6, 5]), (SHAPE, "chapter_range")),
    Change("a range of three", event(chapter_range=[4, 5, 6]), (SHAPE, "chapter_range")),
    Change(
        "one misspelt",
        event(involved_storylines=["seventh-span", "rope-chase"]),
        (LINE, "「rope-chase」没有定义"),
    ),
    # the foreshadowing plan
    Change(
        "a thread away",
        document(PLAN, lambda d: d["foreshadowing"].pop(0)),
        (THREAD, "「under-the-chair」没有人立过"),
    ),
    Change("a thread misspelt", thread("cut-tail", id="cut-tale"), (THREAD, "「cut-tail」没有人立过")),
    Change(
        "a thread badly named",
        thread("cut-tail", id="Cut Tail"),
        (THREAD, "编号写法不对"),
        (THREAD, "「cut-tail」没有人立过"),
    ),
    Change(
        "a thread without id",
        document(PLAN, lambda d: d["foreshadowing"][0].pop("id")),
        (SHAPE, "foreshadowing[0].id"),
    ),
    Change("planted nowhere", thread("cut-tail", planted_chapter=None), (THREAD, "没有 planted_chapter")),
    Change(
        "range backwards", thread("loose-tooth", target_resolve_range=[6, 4]), (SHAPE, "target_resolve_range")
    ),
    Change("a scope that is none", thread("loose-tooth", scope="mid"), (SHAPE, "scope")),
    # what the plan leans on
    Change("a card away", lambda made: made.drop(CARD), (WHO, "「鲁墩」没有档案")),
    Change(
        "a card of another name",
        document(CARD, lambda d: d.update(display_name="鲁大")),
        (WHO, "「鲁墩」没有档案"),
    ),
    Change(
        "a card without a name", document(CARD, lambda d: d.pop("display_name")), ("SCHEMA_VIOLATION", CARD)
    ),
    Change("a card that is no JSON", text(CARD, "{", "["), ("JSON_BROKEN", CARD)),
    Change(
        "a rule away",
        document(layout.WORLD_RULES, lambda d: d["rules"].pop(1)),
        (WORLD, "第 2、3、4、5、6 章的契约也是"),
    ),
    Change(
        "a rule introduced later",
        document(layout.WORLD_RULES, lambda d: d["rules"][1].update(introduced_chapter=4)),
        (WORLD, "第 1、2、3 章就用上了"),
    ),
    Change(
        "a rule of no shape",
        document(layout.WORLD_RULES, lambda d: d["rules"][1].pop("rule")),
        ("SCHEMA_VIOLATION", "rules[1].rule"),
    ),
    Change(
        "a storyline away",
        document(layout.STORYLINES, lambda d: d["storylines"].pop(1)),
        (LINE, "「rope-chaser」没有定义"),
    ),
    Change(
        "a storyline renamed",
        document(layout.STORYLINES, lambda d: d["storylines"][1].update(id="rope-chase")),
        (LINE, "「rope-chase」"),
    ),
]


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


TOLD = [*CHANGES, *BESIDE]


@pytest.mark.parametrize("change", TOLD, ids=[change.name for change in TOLD])
def test_what_contradicts_is_told_once_with_file_place_and_fix(made: Book, change: Change) -> None:
    change.make(made)
    found = told(made)
    assert len(found) == len(change.said), found
    for code, said in change.said:
        assert any(one.code == code and said in one.message + one.fix for one in found), found
    for one in found:
        assert one.path and one.path in one.message + one.fix and one.fix, one


@pytest.mark.parametrize("change", SAME, ids=[change.name for change in SAME])
def test_what_says_the_same_passes(made: Book, change: Change) -> None:
    change.make(made)
    assert told(made) == []


def test_no_two_mutations_are_one() -> None:
    names = [change.name for change in (*TOLD, *SAME)]
    assert len(names) == len(set(names)) >= 100
