"""What planners ask the author: stopped at until he answers, carried out, never asked twice."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book
from builders import fast_disk as fast_disk
from copying import copied, once
from planbook import staged_book

from novel_hooks import layout
from novel_hooks.rules.steps import questions as steps_questions
from novel_hooks.store.formats import jsonio
from novel_hooks.store.schema import schema

if TYPE_CHECKING:
    from pathlib import Path

WORLD = "setup:world"
OUTLINE = "volume:01:outline"
ASKED = layout.questions("setup-world")


def question(name: str = "bridge-toll", **changes: Any) -> dict[str, Any]:
    return {
        "id": name,
        "header": "过桥的价",
        "question": "过一回桥要付什么？",
        "why": "它定了主角多久过一回桥。",
        "choices": [
            {"label": "付一天寿数", "effect": "寿数照付，全书偏沉"},
            {"label": "付一件旧物", "effect": "改付旧物，全书偏轻"},
        ],
        **changes,
    }


def conflict(name: str = "ages", **changes: Any) -> dict[str, Any]:
    told = {"id": name, "files": ["brief.md", "research/绳桥.md"], "what": "藤索一处三年一换，一处五年"}
    return {**told, "why": "换索那天是卷末的场面。", **changes}


def ask(made: Book, *questions: dict[str, Any], step: str = WORLD, conflicts: Any = ()) -> None:
    path = layout.questions(step.replace(":", "-"))
    made.write(path, {"questions": list(questions), "conflicts": list(conflicts)})


@pytest.fixture
def asking(tmp_path: Path) -> Book:
    """Set up as far as the world, whose builder asks two things."""
    made = staged_book(tmp_path / "book")
    ask(made, question(), question("ghosts", header="鬼神"))
    return made


@once
def planned(place: Path) -> Book:
    """Set up, with a whole plan of the first volume in staging."""
    made = staged_book(place / "book", "volumes", layout.STORYLINES)
    made.ok("commit", "--setup")
    return made


def given(made: Book, step: str, key: str) -> Any:
    found = made.ok("instructions", step)
    return next((one["value"] for one in found["inputs"] if one["key"] == key), None)


def carried_out(made: Book, step: str = WORLD) -> None:
    made.ok("instructions", step)
    made.ok("validate", step)
    made.ok("advance", step)


# asked until answered ----------------------------------------------------------------------------------


def test_the_next_step_is_the_question_and_the_same_again(asking: Book) -> None:
    due = asking.next()
    assert schema.problems("next", due, "next") == []
    assert (due["step"], due["stop"], due["recorded"], due["agent"]) == (WORLD, True, True, None)
    assert "第 1 件，共 2 件" in due["reason"] and "过一回桥要付什么？" in due["reason"]
    assert [(one["key"], one["command"]) for one in due["choices"]] == [
        ("1", "novel answer setup:world bridge-toll 1"),
        ("2", "novel answer setup:world bridge-toll 2"),
        ("own", "novel answer setup:world bridge-toll --note 你的意见"),
    ]
    assert "推荐" in due["choices"][0]["why"] and "推荐" not in due["choices"][1]["why"]
    assert asking.next() == due
    assert asking.novel("next").text.startswith("下一步：建世界观（做好了，有事等你定）\n")
    asking.ok("advance", WORLD)
    assert asking.next()["reason"] == due["reason"], "taken or not, the question stands"
    assert asking.ok("advance", WORLD)["changed"] is False


def test_nothing_goes_on_before_the_answer(asking: Book) -> None:
    asking.refused(3, "STEP_NOT_NEXT", "advance", "setup:characters")
    found = asking.refused(3, "PLANNING_NOT_DUE", "commit", "--setup")
    assert "过一回桥" in found.message and "现在不能让初始设定入库" in found.message


def test_what_is_recommended_goes_on_at_once(asking: Book) -> None:
    first = asking.ok("answer", WORLD, "bridge-toll", "1")
    assert (first["changed"], first["left"], first["again"]) == (True, ["ghosts"], False)
    assert "第 2 件，共 2 件" in asking.next()["reason"]
    asking.ok("answer", WORLD, "ghosts", "付一天寿数")
    assert asking.next()["step"] == "setup:commit"
    again = asking.ok("answer", WORLD, "ghosts", "1")
    assert again["changed"] is False


@pytest.mark.parametrize(
    ("words", "choice", "note"),
    [
        (("2",), "2", None),
        (("1", "--note", "但", "收一回"), "1", "但 收一回"),
        (("--note", "不收"), None, "不收"),
    ],
)
def test_another_answer_is_carried_out_by_the_same_step(
    asking: Book, words: tuple[str, ...], choice: str | None, note: str | None
) -> None:
    asking.ok("answer", WORLD, "bridge-toll", *words)
    assert asking.next()["stop"], "the other question comes first"
    assert asking.ok("answer", WORLD, "ghosts", "1")["again"] is True
    due = asking.next()
    assert (due["step"], due["stop"], due["agent"]) == (WORLD, False, "world-builder")
    packet = asking.ok("instructions", WORLD)
    (told,) = [one["value"] for one in packet["inputs"] if one["key"] == "author_decisions"]
    label = {"1": "付一天寿数", "2": "付一件旧物", None: None}[choice]
    assert [(one["id"], one["chosen"], one["note"], one["todo"]) for one in told] == [
        ("bridge-toll", label, note, True),
        ("ghosts", "付一天寿数", None, False),
    ]
    assert any("todo" in rule for rule in packet["rules"])
    assert asking.next()["step"] == WORLD, "handed out is not done"
    asking.ok("advance", WORLD)
    assert asking.next()["step"] == "setup:commit", "answered and carried out: not asked again"


def test_an_answer_given_after_the_hand_out_is_not_taken_for_done(asking: Book) -> None:
    asking.ok("instructions", WORLD)
    asking.ok("answer", WORLD, "bridge-toll", "2")
    asking.ok("answer", WORLD, "ghosts", "1")
    asking.ok("advance", WORLD)
    assert asking.next()["step"] == WORLD
    carried_out(asking)
    assert asking.next()["step"] == "setup:commit"


def test_a_change_of_mind_is_carried_out_too(asking: Book) -> None:
    asking.ok("answer", WORLD, "bridge-toll", "2")
    asking.ok("answer", WORLD, "ghosts", "1")
    asking.ok("instructions", WORLD)
    assert asking.ok("answer", WORLD, "bridge-toll", "1")["again"] is True, "his work may be done by now"
    carried_out(asking)
    assert asking.ok("answer", WORLD, "bridge-toll", "2")["again"] is True
    assert asking.ok("answer", WORLD, "bridge-toll", "1")["again"] is False


def test_the_setting_of_a_book_that_moved_in_leads_to_the_volume_behind_it(tmp_path: Path) -> None:
    made = staged_book(tmp_path / "book")
    moved = copied(made, tmp_path / "moved")
    moved.point(current_volume=2)
    assert moved.novel("commit", "--setup").text.endswith("接下来规划第 2 卷。")
    assert made.novel("commit", "--setup").text.endswith("接下来规划第 1 卷。")


def test_later_steps_are_told_and_nothing_is_forgotten_at_the_landing(asking: Book) -> None:
    asking.ok("answer", WORLD, "bridge-toll", "2")
    asking.ok("answer", WORLD, "ghosts", "1")
    carried_out(asking)
    told = given(asking, "setup:characters", "author_decisions")
    assert [(one["id"], one["todo"]) for one in told] == [("bridge-toll", False), ("ghosts", False)]
    asking.ok("advance", "setup:characters")
    landed = asking.ok("commit", "--setup")
    assert not any("questions" in path for path in landed["paths"])
    assert not asking.at(ASKED).exists() and not asking.at("questions").exists()
    assert [one["id"] for one in given(asking, OUTLINE, "author_decisions")] == ["bridge-toll", "ghosts"]
    asking.refused(3, "PLANNING_NOT_DUE", "answer", WORLD, "bridge-toll", "1")
    assert layout.DECISIONS not in [d.path for d in asking.novel("doctor").diagnostics]


def test_the_order_is_by_step_and_the_bytes_the_same_elsewhere(asking: Book, tmp_path: Path) -> None:
    ask(asking, question("style-ear"), step="setup:style")
    asking.ok("answer", "setup:style", "style-ear", "1")
    asking.ok("answer", WORLD, "ghosts", "1")
    asking.ok("answer", WORLD, "bridge-toll", "2")
    told = given(asking, "setup:characters", "author_decisions")
    assert [one["id"] for one in told] == ["ghosts", "bridge-toll", "style-ear"]
    again = copied(asking, tmp_path / "别处")
    assert jsonio.dump(again.ok("instructions", WORLD)) == jsonio.dump(asking.ok("instructions", WORLD))


@pytest.mark.parametrize("step", [WORLD, "setup:characters", "setup:style"])
def test_every_planner_may_ask(tmp_path: Path, step: str) -> None:
    made = staged_book(tmp_path / "book")
    ask(made, question(), step=step)
    assert (made.next()["step"], made.next()["stop"]) == (step, True)
    found = made.ok("validate", step)
    assert layout.questions(step.replace(":", "-")) in [one["path"] for one in found["outputs"]]
    made.ok("answer", step, "bridge-toll", "1")
    made.ok("commit", "--setup")


# a volume's plan ---------------------------------------------------------------------------------------


def test_a_volume_waits_for_its_answers_before_it_is_validated(tmp_path: Path) -> None:
    made = planned(tmp_path)
    assert made.next()["phase"] == "validate"
    ask(made, question(), step=OUTLINE)
    due = made.next()
    assert (due["step"], due["stop"], due["volume"]) == (OUTLINE, True, 1)
    made.refused(3, "STEP_NOT_NEXT", "advance", "volume:01:validate")
    made.ok("answer", OUTLINE, "bridge-toll", "2")
    assert (made.next()["step"], made.next()["agent"]) == (OUTLINE, "plot-architect")
    carried_out(made, OUTLINE)
    made.ok("advance", "volume:01:validate")
    made.ok("commit", "--volume", "1")
    assert not made.at(layout.questions("volume-01-outline")).exists()
    assert made.next()["step"] == "chapter:001:draft"


# material that contradicts itself -----------------------------------------------------------------------


def test_a_contradiction_stops_and_names_its_files(asking: Book) -> None:
    ask(asking, question(), conflicts=[conflict()])
    due = asking.next()
    assert "第 1 件，共 2 件" in due["reason"]
    assert "（staging/brief.md、research/绳桥.md）" in due["reason"], "the staged brief is in force"
    assert [one["key"] for one in due["choices"]] == ["go-on", "again", "own"]
    asking.ok("answer", WORLD, "ages", "go-on")
    asking.ok("answer", WORLD, "bridge-toll", "1")
    assert asking.next()["step"] == "setup:commit"


def test_what_is_mended_is_done_again_and_asked_again_while_it_is_there(asking: Book) -> None:
    ask(asking, conflicts=[conflict()])
    for _ in range(2):
        assert asking.next()["stop"]
        assert asking.ok("answer", WORLD, "ages", "again")["again"] is True
        assert (asking.next()["step"], asking.next()["stop"]) == (WORLD, False)
        carried_out(asking)
    ask(asking)
    assert asking.next()["step"] == "setup:commit"


# what is refused ---------------------------------------------------------------------------------------


def test_what_is_not_asked_cannot_be_answered(asking: Book) -> None:
    found = asking.refused(2, "NAME_UNKNOWN", "answer", WORLD, "toll", "1")
    assert "bridge-toll（过桥的价）、ghosts（鬼神）" in found.fix
    for step in ("setup:brief", "chapter:001:draft"):
        unasked = asking.refused(2, "NAME_UNKNOWN", "answer", step, "toll", "1")
        assert "没有编号是「toll」的问题" in unasked.message
    found = asking.refused(2, "NAME_UNKNOWN", "answer", WORLD, "ghosts", "3")
    assert "没有「3」这个选法" in found.message
    assert "1（付一天寿数）、2（付一件旧物）" in found.fix
    asking.refused(2, "CLI_USAGE", "answer", WORLD, "ghosts")
    asking.refused(2, "CLI_USAGE", "answer", WORLD, "ghosts", "--note", " ")
    asking.refused(3, "PLANNING_NOT_DUE", "answer", OUTLINE, "ghosts", "1")


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({"questions": [question(header="")]}, "要有一到六个字"),
        ({"questions": [question(choices=question()["choices"][:1])]}, "questions[0].choices"),
        ({"questions": [question(choices=question()["choices"] * 3)]}, "questions[0].choices"),
        ({"questions": [question("Toll")]}, "小写英文字母"),
        ({"questions": [question("ages")], "conflicts": [conflict()]}, "「ages」"),
        ({"conflicts": [conflict(files=[])]}, "conflicts[0].files"),
        ({"questions": [{"question": "?"}]}, "缺少这一项"),
        ([], "应为对象"),
        ("{", ASKED),
    ],
)
def test_a_broken_file_is_a_finding_of_its_step(asking: Book, document: Any, words: str) -> None:
    asking.write(ASKED, document)
    found = asking.novel("validate", WORLD)
    assert found.exit == 1
    told = [d for d in found.diagnostics if d.path == ASKED]
    assert told and any(words in d.message for d in told), found.diagnostics
    due = asking.next()
    assert (due["step"], due["stop"]) == (WORLD, False)
    assert [one["path"] for one in given(asking, WORLD, "previous_problems")] == [d.path for d in told]


def test_an_answered_id_is_not_used_for_another_question(asking: Book) -> None:
    asking.ok("answer", WORLD, "bridge-toll", "1")
    ask(asking, question(question="谁先过桥？"))
    found = asking.novel("validate", WORLD)
    assert found.exit == 1 and "已经答过" in found.diagnostics[0].message
    ask(asking, question("first-across", question="谁先过桥？"))
    assert "谁先过桥" in asking.next()["reason"]


@pytest.mark.parametrize(
    "broken", ["{", "[]", '{"decisions": [1]}', '{"decisions": [{"step": "chapter:001:draft"}]}', b"\xff"]
)
def test_answers_that_cannot_be_read_are_damage(asking: Book, broken: str | bytes) -> None:
    asking.write(layout.DECISIONS, broken)
    code = "OWN_FILE_BROKEN" if broken == "{" else "OWN_FILE_DAMAGED"
    asking.refused(5, code, "next")
    found = asking.novel("doctor")
    assert found.exit == 5 and layout.DECISIONS in [d.path for d in found.diagnostics]


def test_a_report_of_faults_has_no_word_of_it(asking: Book, tmp_path: Path) -> None:
    asking.ok("answer", WORLD, "bridge-toll", "--note", "都不收")
    place = tmp_path / "report.json"
    asking.novel("doctor", "--bundle", str(place))
    text = place.read_text(encoding="utf-8")
    assert "decisions.json" in text and "都不收" not in text and "bridge-toll" not in text


def test_only_the_asked_about_is_written(asking: Book) -> None:
    before = asking.tree()
    asking.ok("answer", WORLD, "bridge-toll", "2")
    assert set(asking.changed(before)) <= {layout.DECISIONS, layout.VALIDITY, layout.SETTINGS}
    assert steps_questions.parse(asking.json(layout.DECISIONS)) is not None


# a correction round --------------------------------------------------------------------------------------


def test_a_plan_that_does_not_pass_is_corrected_and_accepted(tmp_path: Path) -> None:
    made = planned(tmp_path)
    assert given(made, OUTLINE, "previous_problems") is None
    outline, contract = layout.staged(layout.outline(1)), layout.staged(layout.contract(1, 3))
    right = made.at(outline).read_bytes(), made.json(contract)
    made.write(outline, right[0].replace("### 第 2 章".encode(), "### 第 5 章".encode(), 1))
    made.write(contract, {**right[1], "objectives": []})
    found = made.novel("validate", OUTLINE)
    assert found.exit == 1
    errors = [d for d in found.diagnostics if d.severity == "error"]
    assert {d.path for d in errors} >= {outline, contract}, "all at once"
    made.refused(1, errors[0].code, "advance", OUTLINE)
    assert made.ok("fail", OUTLINE, "--reason", "规划没有通过")["answer"] == "retry"
    packet = made.ok("instructions", OUTLINE)
    (told,) = [one["value"] for one in packet["inputs"] if one["key"] == "previous_problems"]
    ids = [re.sub("「[^」]*」（([a-z-]+)）", r"「\1」", d.message) for d in errors]  # its author reads names
    assert told == [{"path": d.path, "problem": m, "fix": d.fix} for d, m in zip(errors, ids)]
    assert any("previous_problems" in rule for rule in packet["rules"])
    made.write(outline, right[0])
    made.write(contract, right[1])
    assert given(made, OUTLINE, "previous_problems") is None
    made.ok("advance", OUTLINE)
    made.ok("advance", "volume:01:validate")
    made.ok("commit", "--volume", "1")
    assert os.path.isfile(made.at(layout.outline(1)))


@pytest.mark.parametrize("note", ["", " ", "\u200b", "\u200e\u2060", "\u3164", "\u2800 \u3000"])
def test_a_note_of_nothing_is_none(asking: Book, note: str) -> None:
    asking.refused(2, "CLI_USAGE", "answer", WORLD, "bridge-toll", "--note", note)


def test_labels_that_are_too_long_are_cut_and_told_once(asking: Book) -> None:
    long = "每过一回桥就付出三天的记忆"
    choices = [{"label": long, "effect": "照旧"}, {"label": "不付", "effect": "改三条规则"}]
    asking.write(ASKED, {"questions": [question(header="过桥到底要付什么", choices=choices)]})
    found = asking.novel("validate", WORLD)
    assert (found.exit, found.diagnostics) == (0, ())
    told = asking.novel("advance", WORLD)
    assert [d.code for d in told.diagnostics].count("OUTPUT_MENDED") == 2
    (kept,) = asking.json(ASKED)["questions"]
    assert kept["header"] == "过桥到底要付"
    assert kept["choices"][0] == {"label": "每过一回桥就付出三天的…", "effect": f"{long}。照旧"}
    assert kept["choices"][1] == choices[1]


def test_a_fence_around_the_questions_is_taken_off(asking: Book) -> None:
    document = {"questions": [question()]}
    asking.write(ASKED, f"好的：\n\n```json\n{json.dumps(document, ensure_ascii=False)}\n```\n")
    assert asking.novel("validate", WORLD).exit == 0
    assert [d.code for d in asking.novel("advance", WORLD).diagnostics].count("OUTPUT_MENDED") == 1
    assert asking.json(ASKED) == document
