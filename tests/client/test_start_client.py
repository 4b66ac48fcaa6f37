"""`/novel:start` in the real client: from an empty folder to a landed chapter, and what can come between.

The permission mode is the default one. The author answers questions; whatever else he would be asked to
allow is refused, and shows in `refused`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from planbook import plan_volume, sample_book, staged_book

from client import desk, sample_crew
from client.author import Author, first
from client.harness import Host
from client.plugins import plugin_copy
from client.scenario import Kill, Reply
from novel_hooks import layout
from novel_hooks.store import assets

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from client.request import Request
    from client.result import Result
    from client.scenario import Answer, Scenario, Script

pytestmark = pytest.mark.client

START = "/novel:start"
PLANNED = (layout.WORLD_RULES, layout.STYLE_PROFILE, layout.STORYLINES, layout.plan(1), layout.outline(1))


def scenario(main: Script = desk.start, **planners: Script) -> Scenario:
    """The desk, and everybody who may be called; `planners` by name with `_` for `-`."""
    given = {name.replace("_", "-"): script for name, script in planners.items()}
    crews: dict[str, Script] = {
        f"novel:{n}": given.get(n, sample_crew.planner()) for n in sample_crew.PLANNERS
    }
    writers = dict.fromkeys(
        (f"novel:{name}" for name in (*sample_crew.WRITERS, "quality-judge")), sample_crew.writer
    )
    return {"main": main, **crews, **writers}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """An empty folder with an awkward name."""
    folder = tmp_path / "新 书"
    folder.mkdir()
    return folder


def asked(author: Author) -> list[str]:
    return [one["question"] for one in author.questions]


def started(done: Result) -> list[str]:
    """Who was called, in order."""
    return [one.input["subagent_type"][6:] for one in done.outcomes("main") if one.tool == "Agent"]


def as_in_the_sample(made: Book) -> bool:
    sample = "sample/project"
    return all(
        made.at(path).read_bytes() == assets.read(assets.package_path(f"{sample}/{path}"))
        for path in (layout.BRIEF, *PLANNED)
    )


def test_from_an_empty_folder_to_a_landed_chapter(claude: Path, tmp_path: Path, place: Path) -> None:
    """The plugin is installed, as a user has it: its own folder is nobody's to read."""
    host = Host(claude, tmp_path / "host")
    host.install(plugin_copy(tmp_path / "插件 plugin"))

    def pick(question: Mapping[str, Any]) -> str:
        return "第七索" if question["question"] == desk.TITLE else first(question)

    author = Author((f"{START} 想写一座年年要换索的桥",), pick)
    done = host.talk(place, author, scenario())
    made = Book(place, 1)
    assert (author.refused, done.denials) == ([], [])
    assert done.text == "请输入 /novel:continue。"
    menu, setup = desk.MENU, [desk.TITLE, desk.GENRE, *(f"{one}？" for one in desk.BRIEF)]
    assert asked(author) == [menu, *setup, desk.LANDS, menu, desk.LANDS, menu]
    assert started(done) == list(sample_crew.PLANNERS)
    assert as_in_the_sample(made) and 'title: "第七索"' in made.at(layout.CONFIG).read_text("utf-8")
    point = made.point()
    assert (point["orchestrator_state"], point["current_volume"]) == ("WRITING", 1)
    assert {line["decision"] for line in made.lines("logs/audit.jsonl")} == {"allow"}
    author = Author(("/novel:continue 1",), first)
    done = host.talk(place, author, scenario(desk.write_on))
    assert (author.refused, author.questions) == ([], [])
    assert (done.text, made.point()["last_completed_chapter"]) == ("第 1 章已生成。", 1)


def cut(script: Callable[[Request], Answer]) -> Script:
    """The session dies as soon as something has come of it: a file, a step, an answer, a landing."""
    moves = ("init", "advance", "commit", "answer", "fail")

    def main(request: Request) -> Answer:
        last = desk.Said(request.outcomes[-1]) if request.outcomes else None
        dies = last is not None and (last.tool in ("Agent", "Write") or last.name in moves)
        return Kill() if dies else script(request)

    return main


def halved(request: Request) -> Answer:
    """A planner who dies with half of his files written; the one after him is told what is missing."""
    whole = sample_crew.planner()(request)
    found = sample_crew.packet(request)
    told = [] if found is None else [one["key"] for one in found["inputs"]]
    if found is None or "previous_problems" in told or not isinstance(whole, Reply):
        return whole
    if request.turn > 1:
        return Kill()
    return Reply(calls=whole.calls[: (len(whole.calls) + 1) // 2])


def test_cut_off_after_every_step(host: Host, place: Path) -> None:
    """Each session dies after one step, or in the middle of one; the next one takes up where it was."""
    texts, questions = [], []
    planners = dict.fromkeys((name.replace("-", "_") for name in sample_crew.PLANNERS), halved)
    for _ in range(30):
        author = Author((START,), first)
        done = host.talk(place, author, scenario(cut(desk.start), **planners))
        assert author.refused == []
        questions += asked(author)
        texts.append(done.text)
        if done.text:
            break
    assert texts[-1] == "请输入 /novel:continue。" and 9 < len(texts) < 20
    assert as_in_the_sample(Book(place, 1))
    assert [one for one in questions if one != desk.MENU] == [
        *(desk.TITLE, desk.GENRE, *(f"{one}？" for one in desk.BRIEF)),
        *(desk.LANDS, desk.LANDS),
    ], "nothing is asked twice"


def test_a_volume_is_looked_back_on_and_the_next_one_planned(host: Host, tmp_path: Path) -> None:
    made = book(tmp_path, 6, 6)
    made.point(orchestrator_state="VOL_REVIEW", current_volume=1)
    model = Book(tmp_path / "model", 1)
    plan_volume(model, 2)

    def plan(_: Mapping[str, Any], files: dict[str, str]) -> None:
        files.clear()
        for path in sorted(model.root.rglob("*.*")):
            files[path.relative_to(model.root).as_posix()] = path.read_text("utf-8")

    author = Author((START,), first)
    done = host.talk(made.root, author, scenario(plot_architect=sample_crew.planner(plan)))
    assert author.refused == []
    assert asked(author) == [desk.MENU, desk.TURNS, desk.MENU, desk.LANDS, desk.MENU]
    assert started(done) == ["plot-architect"]
    assert made.at(layout.volume_review(1)).exists() and made.at(layout.outline(2)).exists()
    point = made.point()
    assert (point["orchestrator_state"], point["current_volume"]) == ("WRITING", 2)
    assert made.next()["step"] == "chapter:007:draft"


def test_a_setting_is_changed_and_the_rest_of_the_volume_planned_anew(host: Host, tmp_path: Path) -> None:
    made = book(tmp_path, 2, 6)
    made.ok("changed", "--note")
    model = Book(tmp_path / "model", 1)
    plan_volume(model, 1)
    profile = layout.character_profile("qiao-jiu")
    written = {layout.staged(layout.contract(1, number)) for number in (1, 2)}

    def plan(packet: Mapping[str, Any], files: dict[str, str]) -> None:
        (actions,) = [one["value"] for one in packet["inputs"] if one["key"] == "pending_actions"]
        assert len(actions) == 1
        files.clear()
        for path in sorted(model.root.rglob("*.*")):
            files[path.relative_to(model.root).as_posix()] = path.read_text("utf-8")
        for path in written:
            del files[path]

    def pick(question: Mapping[str, Any]) -> str:
        labels = [one["label"] for one in question["options"]]
        if question["question"] == desk.MENU and len(author.questions) == 1:
            return "改一处设定"
        if question["question"] == desk.EDITED:
            made.write(profile, "# 乔九\n\n塔上长大。\n")
        return labels[1] if question["question"] == desk.REPLAN else labels[0]

    author = Author((START,), pick)
    done = host.talk(made.root, author, scenario(plot_architect=sample_crew.planner(plan)))
    assert author.refused == [] and started(done) == ["plot-architect"]
    assert asked(author) == [desk.MENU, desk.EDITED, desk.REPLAN, desk.LANDS, desk.MENU]
    assert made.point()["orchestrator_state"] == "WRITING" and not made.point()["pending_actions"]
    assert made.next()["step"] == "chapter:003:draft"


def test_an_outline_that_does_not_pass_is_corrected(host: Host, tmp_path: Path) -> None:
    made = staged_book(tmp_path / "书")
    made.ok("commit", "--setup")
    told: list[dict[str, Any]] = []

    def plan(packet: Mapping[str, Any], files: dict[str, str]) -> None:
        problems = [one["value"] for one in packet["inputs"] if one["key"] == "previous_problems"]
        if problems:
            told[:] = problems[0]
            return
        contract = layout.staged(layout.contract(1, 3))
        files[contract] = json.dumps({**json.loads(files[contract]), "objectives": []}, ensure_ascii=False)
        outline = layout.staged(layout.outline(1))
        files[outline] = files[outline].replace("### 第 5 章", "### 第 6 章", 1)

    author = Author((START,), first)
    done = host.talk(made.root, author, scenario(plot_architect=sample_crew.planner(plan)))
    assert author.refused == [] and started(done) == ["plot-architect"] * 2
    said = [desk.Said(one) for one in done.outcomes("main") if one.tool == "Bash"]
    rejected, accepted = [one for one in said if one.name == "validate"]
    found = [one["message"] for one in rejected.document["diagnostics"]]
    assert len(found) > 1 and [one["problem"] for one in told] == found, "all at once, and all of it told"
    assert accepted.document["ok"] and as_in_the_sample(made)
    assert made.next()["step"] == "chapter:001:draft"


def test_a_planners_question_is_put_to_the_author(host: Host, tmp_path: Path) -> None:
    """It stays when the session dies, and his answer reaches the planner."""
    made = sample_book(tmp_path / "书")
    made.drop(layout.WORLD_RULES)
    toll = {
        "id": "who-pays",
        "header": "谁付桥税",
        "question": "过桥的税由谁来付？",
        "why": "它决定谁恨这座桥。",
        "choices": [{"label": "过桥的人", "effect": "人人都恨"}, {"label": "镇上", "effect": "只有镇长恨"}],
    }
    decided: list[dict[str, Any]] = []

    def world(packet: Mapping[str, Any], files: dict[str, str]) -> None:
        decisions = [one["value"] for one in packet["inputs"] if one["key"] == "author_decisions"]
        if decisions:
            decided[:] = decisions[0]
        else:
            (path,) = [one["path"] for one in packet["outputs"] if one["key"] == "questions"]
            files[path] = json.dumps({"questions": [toll]}, ensure_ascii=False)

    def dies(request: Request) -> Answer:
        found = desk.start(request)
        return Kill() if "谁付桥税" in str(found) else found

    people = scenario(world_builder=sample_crew.planner(world))
    author = Author((START,), first)
    host.talk(made.root, author, {**people, "main": dies})
    assert asked(author) == [desk.MENU]

    def pick(question: Mapping[str, Any]) -> str:
        if question["question"] == desk.LANDS:
            return desk.LOOK
        return question["options"]["谁付桥税" in question["question"]]["label"]

    author = Author((START,), pick)
    done = host.talk(made.root, author, people)
    assert author.refused == []
    assert started(done) == ["world-builder"]
    ((answer),) = decided
    assert (answer["id"], answer["chosen"], answer["todo"]) == ("who-pays", "镇上", True)
    assert made.next()["step"] == "setup:commit"
