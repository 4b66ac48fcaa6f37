"""`/novel:start` in the real client: from an empty folder to a landed chapter, and what can come between.

The permission mode is the default one. The author answers questions; whatever else he would be asked to
allow is refused, and shows in `refused`.
"""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book
from planbook import SAMPLE, sample_book, staged_book

from client import desk, sample_crew
from client.author import Author, first
from client.desk_brief import brief_questions
from client.desk_calls import Said
from client.harness import Host
from client.plugins import plugin_copy
from client.scenario import Kill, Reply
from client.start_scenario import ASKED, BRIEF, START, as_in_the_sample, asked, is_written, scenario, started
from novel_hooks import layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from client.request import Request
    from client.scenario import Answer, Script

pytestmark = pytest.mark.client
EXHAUSTIVE = pytest.mark.exhaustive


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """An empty folder with an awkward name."""
    folder = tmp_path / "新 书"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=EXHAUSTIVE)])
def test_from_an_empty_folder_to_a_landed_chapter(
    claude: Path, tmp_path: Path, place: Path, whole: bool
) -> None:
    """The plugin is installed, as a user has it: its own folder is nobody's to read.

    Where it is not `whole`, the plan has landed at the end, and the chapter is left out.
    """
    host = Host(claude, tmp_path / "host")
    host.install(plugin_copy(tmp_path / "插件 plugin"))

    def pick(question: Mapping[str, Any]) -> str:
        return "第七索" if question["question"] == desk.TITLE else first(question)

    author = Author((f"{START} 想写一座年年要换索的桥",), pick)
    done = host.talk(place, author, scenario())
    made = Book(place, 1)
    assert (author.refused, done.denials) == ([], [])
    assert done.text == "请输入 /novel:continue。"
    menu, lands = desk.MENU, desk.LANDS
    begun = [menu, desk.TITLE, desk.GENRE, menu, *ASKED, desk.SAMPLE]
    assert asked(author) == [*begun, lands, menu, lands, menu]
    assert len(ASKED) == 18 and len(brief_questions(BRIEF)) == 10
    assert is_written(made.at(layout.BRIEF).read_text("utf-8"))
    assert started(done) == list(sample_crew.PLANNERS)
    assert as_in_the_sample(made) and 'title: "第七索"' in made.at(layout.CONFIG).read_text("utf-8")
    point = made.point()
    assert (point["orchestrator_state"], point["current_volume"]) == ("WRITING", 1)
    assert {line["decision"] for line in made.lines("logs/audit.jsonl")} == {"allow"}
    if not whole:
        return
    author = Author(("/novel:continue 1",), first)
    done = host.talk(place, author, scenario(desk.write_on))
    assert (author.refused, author.questions) == ([], [])
    assert (done.text, made.point()["last_completed_chapter"]) == ("第 1 章已生成。", 1)


def test_a_book_begins_beside_his_notes(host: Host, place: Path) -> None:
    """The folder holds something: he is asked first, and nothing of his is touched."""
    (place / "笔记.md").write_text("从盐仓到渡口，走三天。\n", "utf-8")

    def pick(question: Mapping[str, Any]) -> str:
        begun = question["question"] == desk.MENU and len(author.questions) > 1
        return desk.STOPS if begun else "第七索" if question["question"] == desk.TITLE else first(question)

    author = Author((START,), pick)
    host.talk(place, author, scenario())
    assert author.refused == []
    assert asked(author) == [desk.MENU, desk.TITLE, desk.GENRE, desk.SURE, desk.MENU]
    made = Book(place, 1)
    assert made.at("笔记.md").read_text("utf-8") == "从盐仓到渡口，走三天。\n"
    assert 'title: "第七索"' in made.at(layout.CONFIG).read_text("utf-8")


def cut(script: Callable[[Request], Answer], turns: Iterator[bool]) -> Script:
    """The session dies as soon as something has come of it: a file, a step, an answer, a landing.

    It dies where the next of `turns` says so.
    """
    moves = ("init", "advance", "commit", "answer", "fail")

    def main(request: Request) -> Answer:
        last = Said(request.outcomes[-1]) if request.outcomes else None
        dies = last is not None and (last.tool == "Agent" or last.name in moves or wrote(last))
        return Kill() if dies and next(turns) else script(request)

    def wrote(last: Said) -> bool:
        """The first heading of the brief, or all of them."""
        left = len(brief_questions(str(last.input.get("content"))))
        return last.tool == "Write" and left in (0, len(brief_questions(BRIEF)) - 1)

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


@pytest.mark.parametrize(
    ("every", "sessions"),
    [(3, 3), pytest.param(4, 30, marks=EXHAUSTIVE), pytest.param(1, 30, marks=EXHAUSTIVE)],
)
def test_cut_off_after_a_step(host: Host, place: Path, every: int, sessions: int) -> None:
    """Sessions die after a step (`every` how many), or in the middle of one; the next takes it up."""
    texts, questions = [], []
    turns = itertools.cycle([True] + [False] * (every - 1))
    halves = [name.replace("-", "_") for name in sample_crew.PLANNERS]
    planners = dict.fromkeys(halves[:: 2 if every > 1 else 1], halved)
    while len(texts) < sessions and not any(texts):
        author = Author((START,), first)
        done = host.talk(place, author, scenario(cut(desk.start, turns), **planners))
        assert author.refused == []
        questions += asked(author)
        texts.append(done.text)
    once = [desk.TITLE, desk.GENRE, *ASKED, desk.SAMPLE, desk.LANDS, desk.LANDS]
    known = [one for one in questions if one != desk.MENU]
    assert known == once[: len(known)], "nothing is asked twice"
    made = Book(place, 1)
    if sessions == 3:
        assert made.next()["step"] not in ("setup:brief", "setup:world")
        return
    assert texts[-1] == "请输入 /novel:continue。" and 36 // every > len(texts) > 9 // every
    assert known == once and as_in_the_sample(made) and is_written(made.at(layout.BRIEF).read_text("utf-8"))


@EXHAUSTIVE
def test_a_step_that_failed_twice_is_taken_up(host: Host, tmp_path: Path) -> None:
    """He looks first how it came to that, then has it tried once more."""
    made = staged_book(tmp_path / "书")
    made.ok("commit", "--setup")
    for _ in range(2):
        made.ok("fail", "volume:01:outline", "--reason", "代理没有交东西")
    assert made.point()["orchestrator_state"] == "ERROR_RETRY"

    def pick(question: Mapping[str, Any]) -> str:
        labels = [one["label"] for one in question["options"]]
        if question["question"] == desk.LANDS:
            return desk.LOOK
        return labels[1] if question["header"] == "现在" else labels[0]

    author = Author((START,), pick)
    done = host.talk(made.root, author, scenario())
    assert (author.refused, started(done)) == ([], ["plot-architect"])
    menu, again, lands = author.questions
    assert menu["question"] == again["question"] and "代理没有交东西" in menu["question"]
    assert [one["label"] for one in menu["options"]] == ["再试一次（推荐）", "看看走到这里的经过"]
    assert [one["label"] for one in again["options"]] == ["再试一次", desk.LATER]
    assert lands["question"] == desk.LANDS
    assert made.next()["step"] == "volume:01:commit"


@EXHAUSTIVE
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
    said = [Said(one) for one in done.outcomes("main") if one.tool == "Bash"]
    rejected, accepted = [one for one in said if one.name == "validate"]
    found = [one["message"] for one in rejected.document["diagnostics"]]
    assert len(found) > 1 and [one["problem"] for one in told] == found, "all at once, and all of it told"
    assert accepted.document["ok"] and as_in_the_sample(made)
    assert made.next()["step"] == "chapter:001:draft"


TOLL = {
    "id": "who-pays",
    "header": "谁付桥税",
    "question": "过桥的税由谁来付？",
    "why": "它决定谁恨这座桥。",
    "choices": [{"label": "过桥的人", "effect": "人人都恨"}, {"label": "镇上", "effect": "只有镇长恨"}],
}


def dies_at_the_toll(request: Request) -> Answer:
    found = desk.start(request)
    return Kill() if "谁付桥税" in str(found) else found


def folder_of_notes(place: Path) -> Path:
    place.mkdir()
    (place / "盐路.txt").write_bytes("从盐仓到渡口，走三天。\r\n".encode("utf-16"))
    return place


def test_notes_are_handed_in_and_a_planners_question_waits(host: Host, tmp_path: Path) -> None:
    """The notes reach the planner. His question stays when the session dies, and when the author stops at it;
    the answer reaches the planner."""
    made = sample_book(tmp_path / "书")
    made.drop(layout.WORLD_RULES)
    notes = folder_of_notes(tmp_path / "手边 的笔记")
    given: list[str] = []
    decided: list[dict[str, Any]] = []

    def world(packet: Mapping[str, Any], files: dict[str, str]) -> None:
        given[:] = [one["path"] for one in packet["inputs"] if one["key"] == "research"]
        decisions = [one["value"] for one in packet["inputs"] if one["key"] == "author_decisions"]
        if decisions:
            decided[:] = decisions[0]
        else:
            (path,) = [one["path"] for one in packet["outputs"] if one["key"] == "questions"]
            files[path] = json.dumps({"questions": [TOLL]}, ensure_ascii=False)

    def hands_in(question: Mapping[str, Any]) -> str:
        if question["question"] == desk.NOTES:
            return str(notes)
        return question["options"][len(author.questions) == 1]["label"]

    people = scenario(world_builder=sample_crew.planner(world))
    author = Author((START,), hands_in)
    host.talk(made.root, author, {**people, "main": dies_at_the_toll})
    assert (author.refused, asked(author)) == ([], [desk.MENU, desk.NOTES, desk.MENU])
    assert made.at("research/盐路.md").read_text("utf-8") == "从盐仓到渡口，走三天。\n"
    assert "research/盐路.md" in given

    stops = Author((START,), lambda _question: desk.STOPS)
    done = host.talk(made.root, stops, people)
    (question,) = stops.questions
    assert "谁付桥税" in question["question"] and "接着来" in done.text

    def pick(question: Mapping[str, Any]) -> str:
        if question["question"] == desk.LANDS:
            return desk.LOOK
        return question["options"]["谁付桥税" in question["question"]]["label"]

    author = Author((START,), pick)
    done = host.talk(made.root, author, people)
    assert author.refused == []
    assert author.questions[0] == question, "the same question, with the same answers to it"
    assert started(done) == ["world-builder"]
    ((answer),) = decided
    assert (answer["id"], answer["chosen"], answer["todo"]) == ("who-pays", "镇上", True)
    assert made.next()["step"] == "setup:commit"


@pytest.mark.parametrize("pasted", [False, pytest.param(True, marks=EXHAUSTIVE)])
def test_his_own_prose_is_asked_for_before_the_style_is_made(
    host: Host, tmp_path: Path, pasted: bool
) -> None:
    made = sample_book(tmp_path / "书")
    made.drop(SAMPLE)
    made.drop(layout.STYLE_PROFILE)
    text = "他走了。\n“走好。”她说。\n"
    path = tmp_path / "手边 的旧文.txt"
    path.write_text(text, "utf-8")
    given: list[str] = []

    def style(packet: Mapping[str, Any], files: dict[str, str]) -> None:
        files[layout.staged(layout.STYLE_PROFILE)] = '{"voice": "像守桥的老人"}'
        given[:] = [one["path"] for one in packet["inputs"] if one["key"] == "style_samples"]

    def pick(question: Mapping[str, Any]) -> str:
        own = text if pasted else str(path)
        answers = {desk.SAMPLE: own, desk.LANDS: desk.LOOK}
        return answers.get(question["question"]) or first(question)

    author = Author((START,), pick)
    done = host.talk(made.root, author, scenario(style_analyzer=sample_crew.planner(style)))
    assert (author.refused, asked(author)) == ([], [desk.MENU, desk.SAMPLE, desk.LANDS])
    assert started(done) == ["style-analyzer"]
    (taken,) = given
    assert taken.startswith(f"{layout.STYLE_SAMPLES}/")
    assert made.at(taken).read_text("utf-8").strip() == text.strip()
    assert not made.at(layout.PASTED).exists() and made.next()["step"] == "setup:commit"
