"""`novel answer`: which question, which choice, and when the same answer is a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import OWNER, Book
from builders import fast_disk as fast_disk
from planbook import staged_book

from novel_hooks import layout
from novel_hooks.flows.pipeline import answer
from novel_hooks.flows.pipeline.answer import Answered
from novel_hooks.flows.session.caller import Caller
from novel_hooks.flows.session.session import writing
from novel_hooks.rules.steps import questions
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.store.files.project import Project
from novel_hooks.store.host.owner import owner

if TYPE_CHECKING:
    from pathlib import Path

WORLD = "setup:world"
ASKED = layout.questions("setup-world")


def question(name: str, **changes: Any) -> dict[str, Any]:
    return {
        "id": name,
        "header": "过桥的价",
        "question": "过一回桥要付什么？",
        "why": "它定了主角多久过一回桥。",
        "choices": [
            {"label": "付一天寿数", "effect": "全书偏沉"},
            {"label": "付一件旧物", "effect": "全书偏轻"},
        ],
        **changes,
    }


@pytest.fixture
def made(tmp_path: Path) -> Book:
    """The world's builder asks two things."""
    made = staged_book(tmp_path / "book")
    made.write(ASKED, {"questions": [question("toll"), question("ghosts")], "conflicts": []})
    return made


def run(made: Book, name: str, choice: str | None, note: str | None = None) -> Answered:
    with writing(Project(str(made.root)), Caller(owner({}, OWNER), 0.0)) as session:
        return answer.run(session, steps.parse(WORLD), name, choice, note)


def test_a_choice_by_key_or_by_its_words(made: Book) -> None:
    first = run(made, "toll", "1")
    assert (first.changed, [one.id for one in first.left], first.again) == (True, ["ghosts"], False)
    second = run(made, "ghosts", " 付一件旧物 ")
    assert (second.changed, second.choice, second.left, second.again) == (True, "2", (), True)


def test_a_contradiction_that_was_mended_and_is_still_there_is_answered_anew(made: Book) -> None:
    told = {"id": "ages", "files": ["brief.md", "research/绳桥.md"], "what": "一处三年一换，一处五年"}
    made.write(ASKED, {"questions": [], "conflicts": [{**told, "why": "换索那天是卷末的场面。"}]})
    assert run(made, "ages", questions.AGAIN).changed is True
    assert run(made, "ages", questions.AGAIN).changed is False
    known = made.json(layout.DECISIONS)
    listed = next(value for value in known.values() if isinstance(value, list))
    listed[0]["done"] = listed[0]["answer"]
    made.write(layout.DECISIONS, known)
    found = run(made, "ages", questions.AGAIN)
    assert (found.changed, found.again) == (True, True)


def test_the_same_answer_again_changes_nothing(made: Book) -> None:
    made.ok("answer", WORLD, "toll", "1")
    before = made.tree()
    assert made.ok("answer", WORLD, "toll", "1")["changed"] is False
    assert made.changed(before) == {}
    assert made.ok("answer", WORLD, "toll", "2")["changed"] is True


def test_a_note_alone_is_an_answer_and_nothing_is_none(made: Book) -> None:
    assert made.ok("answer", WORLD, "toll", "--note", "都不付")["changed"] is True
    made.refused(2, "CLI_USAGE", "answer", WORLD, "ghosts")


@pytest.mark.parametrize(
    ("argv", "code", "about"),
    [
        ((WORLD, "nothing", "1"), (2, "NAME_UNKNOWN"), "「nothing」的问题"),
        ((WORLD, "toll", "9"), (2, "NAME_UNKNOWN"), "「9」这个选法"),
        (("chapter:001:draft", "toll", "1"), (2, "NAME_UNKNOWN"), "「toll」的问题"),
        (("volume:01:outline", "toll", "1"), (3, "PLANNING_NOT_DUE"), ""),
    ],
)
def test_what_nobody_asked_is_not_answered(
    made: Book, argv: tuple[str, ...], code: tuple[int, str], about: str
) -> None:
    assert about in made.refused(*code, "answer", *argv).message


def test_a_step_that_is_over_asks_nothing_any_more(made: Book) -> None:
    """The file of its questions may still lie there."""
    made.point(orchestrator_state="VOL_PLANNING", current_volume=1)
    told = made.refused(3, "PLANNING_NOT_DUE", "answer", WORLD, "toll", "1")
    assert "已经定下" in told.message


CONFLICT = {"id": "price", "what": "绳价没有写", "why": "她欠的就是绳钱。"}


def asked_by_the_weaver(made: Book, *files: str) -> None:
    made.write(
        layout.questions("setup-characters"),
        {"questions": [], "conflicts": [{**CONFLICT, "files": list(files)}]},
    )
    made.write(ASKED, {"questions": [], "conflicts": []})


@pytest.mark.parametrize("path", ["world/rules.json", "staging/world/bridge.md"])
def test_what_another_planner_wrote_is_changed_by_him(tmp_path: Path, path: str) -> None:
    """The planner of the cast cannot write the world, and goes on when it says what the author wants."""
    made = staged_book(tmp_path / "book")
    asked_by_the_weaver(made, "brief.md", path)
    said = made.novel("answer", "setup:characters", "price", "--note", "写进规则：一根三文")
    assert "先照你的话重做「建世界观」" in (said.text or "")
    assert made.next()["step"] == WORLD
    (told,) = [i["value"] for i in made.ok("instructions", WORLD)["inputs"] if i["key"] == "author_decisions"]
    assert [(one["todo"], one["note"]) for one in told if one["step"] == WORLD] == [
        (True, f"绳价没有写（brief.md、{path}）：写进规则：一根三文")
    ]
    made.ok("instructions", WORLD, "--write-manifest")
    made.ok("advance", WORLD)
    assert made.next()["step"] == "setup:characters", "his own files follow"


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (["world/rules.json"], ["go-on"]),
        (["world/rules.json"], ["again"]),
        (["brief.md", "research/绳桥.md"], ["--note", "照立意"]),
        (["world/rules.json", "characters/active/xu-er.json"], ["--note", "照规则"]),
    ],
)
def test_nobody_else_is_called_where_he_need_not_be(
    tmp_path: Path, files: list[str], words: list[str]
) -> None:
    made = staged_book(tmp_path / "book")
    asked_by_the_weaver(made, *files)
    made.ok("answer", "setup:characters", "price", *words)
    assert made.next()["step"] != WORLD
    assert len(made.json(layout.DECISIONS)["decisions"]) == 1
