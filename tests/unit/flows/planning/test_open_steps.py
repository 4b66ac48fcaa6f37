"""Whatever is wrong with what a planner staged, its step can be handed out again, and the packet tells it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from copying import copied
from planbook import ready_for, staged_book

from novel_hooks import layout
from novel_hooks.rules.manuscript import adoption
from novel_hooks.rules.volume import checks

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from novel_hooks.errors import Problem
    from novel_hooks.rules.volume.plan import Plan

VOLUME = "volume:01:outline"
FILES = {
    "setup:world": (layout.WORLD_RULES, f"{layout.WORLD}/suozhou.md", "questions/setup-world.json"),
    "setup:characters": (
        layout.character_card("xu-er"),
        layout.character_profile("xu-er"),
        "questions/setup-characters.json",
    ),
    "setup:style": (layout.STYLE_PROFILE, "questions/setup-style.json"),
    VOLUME: (
        layout.outline(1),
        layout.schedule(1),
        layout.contract(1, 3),
        layout.foreshadowing_plan(1),
        layout.STORYLINES,
        layout.character_card("xin-ren"),
        layout.character_profile("xin-ren"),
        "questions/volume-01-outline.json",
    ),
}
"""By step what its planner may stage, each as it lands; questions do not land."""

RULE = {"id": "W-001", "category": "水", "rule": "水不过桥。", "constraint_type": "hard"}


def bytes_of(data: bytes) -> Callable[[Book, str], None]:
    return lambda made, path: made.write(path, data)


def named(name: bytes) -> Callable[[Book, str], None]:
    """The file under another name, its ending kept."""

    def move(made: Book, path: str) -> None:
        folder, _, old = path.rpartition("/")
        at = os.fsencode(str(made.at(folder)))
        os.rename(made.at(path), at + b"/" + name + os.path.splitext(os.fsencode(old))[1])

    return move


def linked(made: Book, path: str) -> None:
    made.at(path).rename(made.at("elsewhere"))
    made.at(path).symlink_to(made.at("elsewhere"))


def foldered(made: Book, path: str) -> None:
    made.drop(path)
    made.at(path).mkdir()


FAULTS: dict[str, Callable[[Book, str], None]] = {
    "broken": bytes_of(b'{"a": 1,\n "b": }'),
    "a list": bytes_of(b"[]"),
    "other keys": bytes_of(b'{"x": 1}'),
    "empty": bytes_of(b""),
    "blank": bytes_of(b" \n"),
    "not UTF-8": bytes_of("他走了。".encode("gb18030")),
    "another name": named("灯 塔".encode()),
    "capitals": named(b"Lamp_Tower"),
    "a name that is no text": named(b"\xff"),
    "a link": linked,
    "a folder": foldered,
    "gone": lambda made, path: made.drop(path),
}


def staged(made: Book, step: str) -> Book:
    """Everything of the step in staging, right, questions too."""
    ready_for(made, step)
    if step == VOLUME:
        for path in (layout.BRIEF, layout.STYLE_PROFILE, layout.WORLD, "characters"):
            os.renames(made.at(layout.staged(path)), made.at(path))
        made.write(layout.staged(layout.character_card("xin-ren")), {"id": "xin-ren", "display_name": "新人"})
        made.write(layout.staged(layout.character_profile("xin-ren")), "新来的人。\n")
    name = f"staging/questions/{step.replace(':', '-')}.json"
    choices = [{"label": "修", "effect": "桥还在"}, {"label": "不修", "effect": "桥断了"}]
    asked = {"id": "bridge", "header": "桥", "question": "桥修不修？", "why": "第 3 章要过桥。"}
    made.write(name, {"questions": [{**asked, "choices": choices}]})
    return made


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Book]:
    place = tmp_path_factory.mktemp("whole")
    names = {step: step.replace(":", "-") for step in FILES}
    more = {step: (("volumes", layout.STORYLINES) if step == VOLUME else ()) for step in FILES}
    return {step: staged(staged_book(place / names[step], *more[step]), step) for step in FILES}


def handed_out_with_all_of_it(made: Book, step: str) -> list[str]:
    """What the packet tells of the earlier draft: no less than `validate` does, and of staged files alone."""
    told = made.novel("validate", step)
    assert told.exit in (0, 1), told.diagnostics
    errors = [d for d in told.diagnostics if d.severity == "error"]
    assert bool(errors) is (told.exit == 1)
    assert all((d.path or "").startswith("staging/") for d in errors), errors
    assert not any(f" {root}/" in f" {d.message}" for d in errors for root in ("world", "characters"))
    if errors:
        assert made.next()["step"] == step
        reason = errors[0].message.replace("\udcff", "?")
        assert made.ok("fail", step, "--reason", reason)["answer"] == "retry"
    found: dict[str, Any] = made.json(made.ok("instructions", step, "--write-manifest")["manifest"])
    problems = next((one["value"] for one in found["inputs"] if one["key"] == "previous_problems"), [])
    assert [one["problem"] for one in problems] == [d.message for d in errors]
    return [one["problem"] for one in problems]


def test_all_is_right_to_begin_with(whole: dict[str, Book], tmp_path: Path) -> None:
    for step in FILES:
        made = copied(whole[step], tmp_path / step.replace(":", "-"))
        assert handed_out_with_all_of_it(made, step) == []


def _pairs() -> list[Any]:
    """Every fault in every file; a plain run has each fourth pair, every fault and every file among them."""
    places = [(step, path) for step in FILES for path in FILES[step]]
    return [
        pytest.param(*place, fault, marks=() if (row + column) % 4 == 0 else pytest.mark.exhaustive)
        for row, place in enumerate(places)
        for column, fault in enumerate(FAULTS)
    ]


@pytest.mark.parametrize(("step", "path", "fault"), _pairs())
def test_a_staged_fault_never_stops_its_own_step(
    whole: dict[str, Book], tmp_path: Path, step: str, path: str, fault: str
) -> None:
    made = copied(whole[step], tmp_path / "book")
    FAULTS[fault](made, layout.staged(path))
    handed_out_with_all_of_it(made, step)


def test_a_reading_judges_a_plan_once(
    whole: dict[str, Book], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is due and what is told of the earlier draft both ask for it."""
    judged: list[int] = []
    plan_problems = checks.problems

    def counted(plan: Plan) -> list[Problem]:
        judged.append(plan.volume)
        return plan_problems(plan)

    monkeypatch.setattr(checks, "problems", counted)
    made = copied(whole[VOLUME], tmp_path / "book")
    FAULTS["other keys"](made, layout.staged(layout.schedule(1)))
    made.ok("instructions", VOLUME)
    assert judged == [1]


def card(slug: str, **more: object) -> Callable[[Book], None]:
    def add(made: Book) -> None:
        document = {"id": slug, "display_name": "外人", **more}
        made.write(layout.staged(layout.character_card(slug)), document)
        made.write(layout.staged(layout.character_profile(slug)), "外人。\n")

    return add


def rules(*listed: dict[str, Any]) -> Callable[[Book], None]:
    return lambda made: made.write(layout.staged(layout.WORLD_RULES), {"rules": list(listed)})


BETWEEN: dict[str, tuple[str, Callable[[Book], None], tuple[str, ...]]] = {
    "an id that is not the file's": (
        "setup:characters",
        card("wai-ren", id="wairen"),
        ("wai-ren.json", "wairen"),
    ),
    "one name twice": ("setup:characters", card("wai-ren", display_name="絮儿"), ("絮儿",)),
    "a name but for spaces": ("setup:characters", card("wai-ren", display_name="絮　儿"), ("絮",)),
    "another's name as an alias": ("setup:characters", card("wai-ren", aliases=["絮儿"]), ("絮儿",)),
    "an id twice": ("setup:world", rules(RULE, RULE), ("W-001",)),
    "an id twice, and a rule without words": (
        "setup:world",
        rules(RULE, RULE, {**RULE, "id": "W-002", "rule": ""}),
        ("W-001", "rules[2]"),
    ),
    "a contract's id twice, and a wrong shape": (
        "setup:characters",
        card("wai-ren", display_name=3, contracts=[{"id": "C-WR-1", "rule": "不回头。"}] * 2),
        ("C-WR-1", "display_name"),
    ),
    "another's contract's id": (
        "setup:characters",
        card("wai-ren", contracts=[{"id": "C-XE-1", "rule": "不回头。"}]),
        ("C-XE-1", "外人"),
    ),
    "one name twice, and a wrong shape": (
        "setup:characters",
        card("wai-ren", display_name="絮儿", contracts=[{"id": "C-WR-1"}]),
        ("絮儿", "contracts[0]"),
    ),
    "a new person's id": (VOLUME, card("wai-ren", id="wairen"), ("wai-ren.json", "wairen")),
    "a new person's name": (VOLUME, card("wai-ren", display_name="絮儿"), ("絮儿",)),
    "a new person's alias": (VOLUME, card("wai-ren", aliases=["絮儿"]), ("絮儿",)),
}


@pytest.mark.parametrize("fault", BETWEEN)
def test_nor_does_one_between_its_files(whole: dict[str, Book], tmp_path: Path, fault: str) -> None:
    step, spoil, words = BETWEEN[fault]
    made = copied(whole[step], tmp_path / "book")
    spoil(made)
    told = "".join(handed_out_with_all_of_it(made, step))
    assert all(word in told for word in words), told


def oddities(made: Book, step: str) -> list[tuple[str, str | None]]:
    found = made.novel("validate", step)
    assert found.exit == 0, found.diagnostics
    return [(d.code, d.path) for d in found.diagnostics]


def test_what_departs_from_the_packet_and_can_be_used_is_told(whole: dict[str, Book], tmp_path: Path) -> None:
    made = copied(whole["setup:world"], tmp_path / "world")
    assert oddities(made, "setup:world") == []
    rules({**RULE, "id": "W-1"}, {**RULE, "id": "灯塔"}, RULE)(made)
    FAULTS["another name"](made, layout.staged(f"{layout.WORLD}/suozhou.md"))
    found = [layout.WORLD_RULES, f"{layout.WORLD}/灯 塔.md"]
    assert oddities(made, "setup:world") == [("PLAN_ODD", layout.staged(path)) for path in found]
    made = copied(whole["setup:characters"], tmp_path / "characters")
    assert oddities(made, "setup:characters") == []
    for count in (1, 2, 5, 6):
        contracts = [{"id": f"C-WR-{n}", "rule": "不回头。"} for n in range(count)]
        card("wai-ren", contracts=contracts)(made)
        odd = [("PLAN_ODD", layout.staged(layout.character_card("wai-ren")))]
        assert oddities(made, "setup:characters") == ([] if count in (2, 5) else odd)


# when a step is open -----------------------------------------------------------------------------------


@pytest.mark.parametrize("state", ["INIT", "QUICK_START"])
def test_a_setup_that_stopped_is_decided_first(tmp_path: Path, state: str) -> None:
    made = staged_book(tmp_path / "book")
    made.point(orchestrator_state="ERROR_RETRY", error={"step": "setup:world", "from_state": state})
    told = made.refused(3, "PLANNING_NOT_DUE", "instructions", "setup:world")
    assert "上一步失败了" in told.message


def test_what_was_set_up_is_changed_in_its_files(tmp_path: Path) -> None:
    made = book(tmp_path)
    told = made.refused(3, "PLANNING_NOT_DUE", "instructions", "setup:world")
    assert "已经定下" in told.message and "直接编辑" in told.fix


def test_a_volume_that_is_to_be_looked_back_on_is_not_planned(tmp_path: Path) -> None:
    made = book(tmp_path, 6)
    made.point(orchestrator_state="VOL_REVIEW", current_volume=1)
    told = made.refused(3, "PLANNING_NOT_DUE", "instructions", "volume:01:outline")
    assert "还没有做卷末回顾" in told.message


def test_another_volume_than_the_one_that_is_planned(tmp_path: Path) -> None:
    made = book(tmp_path, 6)
    made.point(orchestrator_state="VOL_PLANNING", current_volume=2)
    told = made.refused(3, "PLANNING_NOT_DUE", "instructions", "volume:03:outline")
    assert "现在规划的是第 2 卷" in told.message and "规划第 2 卷" in told.fix
    assert made.ok("instructions", "volume:02:outline")["step"] == "volume:02:outline"


def test_the_storylines_of_a_book_that_moved_in_come_with_its_people(tmp_path: Path) -> None:
    made = staged_book(tmp_path / "book")
    lines = made.json(layout.STORYLINES)
    made.at(layout.STORYLINES).unlink()

    def outputs() -> dict[str, bool]:
        packet = made.ok("instructions", "setup:characters")
        assert any("storylines" in rule for rule in packet["rules"]) is (
            "storylines" in str(packet["outputs"])
        )
        return {one["key"]: one["required"] for one in packet["outputs"]}

    assert "storylines" not in outputs()
    made.write(layout.ADOPTION, adoption.Adoption(4, 4, [], [(1, 1)]).document())
    assert outputs()["storylines"] is True
    for document, code in ((None, "OUTPUT_MISSING"), ({"storylines": []}, "PLAN_BROKEN")):
        if document is not None:
            made.write(layout.staged(layout.STORYLINES), document)
        found = made.novel("validate", "setup:characters")
        path = layout.staged(layout.STORYLINES)
        assert (found.exit, [(one.code, one.path) for one in found.diagnostics]) == (1, [(code, path)])
        assert made.next()["step"] == "setup:characters"
    made.write(layout.staged(layout.STORYLINES), lines)
    made.ok("validate", "setup:characters")
    given = {one["key"] for one in made.ok("instructions", "setup:characters")["inputs"]}
    assert "storylines" in given, "his draft, when he is sent again"
    made.ok("commit", "--setup")
    assert made.json(layout.STORYLINES) == lines
    assert not made.at(layout.staged(layout.STORYLINES)).exists()
    wanted = {one["key"]: one["required"] for one in made.ok("instructions", VOLUME)["outputs"]}
    assert wanted["storylines"] is False
