"""Questions of planners and the author's answers: parsed, stored, handed out, carried out, asked again."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.steps import questions
from novel_hooks.rules.steps.questions import Question

WORLD, OUTLINE = "setup:world", "volume:01:outline"
NOW, LATER = "2026-02-03T04:05:06Z", "2026-02-03T05:05:06Z"
TOLL: dict[str, Any] = {
    "id": "bridge-toll",
    "header": "过桥的价",
    "question": "过一回桥要付什么？",
    "why": "它定了主角多久过一回桥。",
    "choices": [
        {"label": "付一天寿数", "effect": "全书偏沉"},
        {"label": "付一件旧物", "effect": "全书偏轻"},
    ],
}
GHOSTS = {**TOLL, "id": "ghosts", "header": "鬼神", "question": "有没有鬼？"}
AGES = {"id": "ages", "files": ["brief.md", "notes.md"], "what": "一处三年，一处五年", "why": "卷末的场面。"}
DOCUMENT = {"questions": [TOLL, GHOSTS], "conflicts": [AGES]}


def asked(document: Any = DOCUMENT, step: str = WORLD) -> tuple[Question, ...]:
    return questions.parse_questions(document, step)


def answered(question: Question, choice: str | None = "2", note: str | None = None, answers: Any = ()) -> Any:
    return questions.with_answer(answers, question, choice, note, NOW)


def test_contradictions_come_first_and_all_are_counted_together() -> None:
    ages, toll, ghosts = asked()
    assert toll == Question(
        WORLD,
        "question",
        "bridge-toll",
        "过桥的价",
        "过一回桥要付什么？",
        "它定了主角多久过一回桥。",
        (("1", "付一天寿数", "全书偏沉"), ("2", "付一件旧物", "全书偏轻")),
        2,
        3,
    )
    assert (ghosts.id, ghosts.header, ghosts.number, ghosts.total) == ("ghosts", "鬼神", 3, 3)
    assert (ages.step, ages.kind, ages.id, ages.number, ages.total) == (WORLD, "conflict", "ages", 1, 3)
    assert ages.question == "一处三年，一处五年（brief.md、notes.md）" and ages.why == "卷末的场面。"
    assert [(key, effect) for key, _, effect in ages.choices] == [
        ("go-on", "不改，接着往下走"),
        ("again", "我已经改好了那几份文件"),
    ]


@pytest.mark.parametrize(
    ("document", "ids"),
    [
        ({}, []),
        ({"questions": None, "conflicts": None}, []),
        ({"questions": [TOLL]}, ["bridge-toll"]),
        ({"conflicts": [AGES, {**AGES, "id": "names"}]}, ["ages", "names"]),
    ],
)
def test_either_part_may_be_missing(document: Any, ids: list[str]) -> None:
    found = asked(document)
    assert [question.id for question in found] == ids
    assert [(question.number, question.total) for question in found] == [
        (number, len(ids)) for number in range(1, len(ids) + 1)
    ]


def test_an_answer_is_stored_with_its_question() -> None:
    _, toll, _ = asked()
    (entry,) = answered(toll, "2", "旧物要是信物")
    assert entry == {
        "step": WORLD,
        "kind": "question",
        "id": "bridge-toll",
        "header": "过桥的价",
        "question": "过一回桥要付什么？",
        "why": "它定了主角多久过一回桥。",
        "choices": [
            {"key": "1", "label": "付一天寿数", "effect": "全书偏沉"},
            {"key": "2", "label": "付一件旧物", "effect": "全书偏轻"},
        ],
        "answer": {"choice": "2", "note": "旧物要是信物"},
        "told": None,
        "done": {"choice": "1", "note": None},
        "at": NOW,
    }
    assert questions.parse(questions.document([entry])) == [entry]
    assert questions.document([entry])["schema_version"] == 1


def test_the_first_choice_of_a_question_is_carried_out_already() -> None:
    ages, toll, _ = asked()
    assert not questions.awaits_planner(answered(toll, "1")[0])
    assert questions.awaits_planner(answered(toll, "2")[0])
    assert questions.awaits_planner(answered(toll, "1", "但要轻一点")[0])
    assert questions.awaits_planner(answered(toll, None, "都不要")[0])
    assert answered(ages, "go-on")[0]["done"] == {"choice": "go-on", "note": None}
    assert not questions.awaits_planner(answered(ages, "go-on")[0])
    assert questions.awaits_planner(answered(ages, "again")[0])


def test_answers_are_found_by_step_and_id() -> None:
    _, toll, ghosts = asked()
    both = answered(ghosts, "1", answers=answered(toll))
    assert [entry["id"] for entry in both] == ["bridge-toll", "ghosts"]
    assert questions.find_answer(both, WORLD, "ghosts") == both[1]
    assert questions.find_answer(both, OUTLINE, "ghosts") is None
    assert questions.find_answer(both, WORLD, "else") is None
    assert questions.pending_answers(both, WORLD) == [both[0]]
    assert questions.pending_answers(both, OUTLINE) == []


def test_handed_out_then_carried_out() -> None:
    _, toll, ghosts = asked()
    entries = answered(ghosts, "1", answers=answered(toll))
    other = questions.parse_questions({"questions": [TOLL]}, OUTLINE)[0]
    entries = answered(other, "2", answers=entries)
    out = questions.mark_handed_out(entries, WORLD)
    assert [entry["told"] for entry in out] == [{"choice": "2", "note": None}, None, None]
    assert [entry["told"] for entry in entries] == [None] * 3, "the answers given are not changed"
    assert questions.pending_answers(out, WORLD) == [out[0]], "handed out is not done"
    done = questions.mark_carried_out(out, WORLD)
    assert [entry["done"]["choice"] for entry in done] == ["2", "1", "1"]
    assert [entry["told"] for entry in done] == [None] * 3
    assert questions.pending_answers(done, WORLD) == []
    assert questions.mark_carried_out(out, OUTLINE) == out
    assert questions.mark_carried_out(entries, WORLD) == entries, "what was not handed out is not done"


def test_a_new_answer_takes_the_place_of_the_former_and_starts_from_what_the_plan_follows() -> None:
    _, toll, ghosts = asked()
    entries = answered(ghosts, "1", answers=answered(toll, "2"))
    changed = questions.with_answer(entries, toll, "1", None, LATER)
    assert [entry["id"] for entry in changed] == ["bridge-toll", "ghosts"]
    assert (changed[0]["done"], changed[0]["at"]) == ({"choice": "1", "note": None}, LATER)
    assert not questions.awaits_planner(changed[0])
    assert changed[1] == entries[1] and changed[1] is not entries[1]
    out = questions.mark_handed_out(entries, WORLD)
    back = questions.with_answer(out, toll, "1", None, LATER)[0]
    assert back["done"] == {"choice": "2", "note": None}, "the planner may have done it by now"
    assert questions.awaits_planner(back) and back["told"] is None
    done = questions.mark_carried_out(out, WORLD)
    assert questions.with_answer(done, toll, None, "x", LATER)[0]["done"] == {"choice": "2", "note": None}


def test_a_contradiction_is_open_again_when_the_step_made_anew_finds_it() -> None:
    ages, toll, _ = asked()
    assert questions.is_open(ages, ()) and questions.is_open(toll, ())
    entries = answered(toll, "2", answers=answered(ages, "again"))
    assert not questions.is_open(ages, entries) and not questions.is_open(toll, entries)
    done = questions.mark_carried_out(questions.mark_handed_out(entries, WORLD), WORLD)
    assert questions.is_open(ages, done) and not questions.is_open(toll, done)
    left = answered(ages, "go-on", answers=done)
    assert not questions.is_open(ages, left)
    again = answered(ages, "again", answers=left)
    assert questions.awaits_planner(again[0]) and again[0]["done"]["choice"] == "go-on"


def test_ids_under_which_something_else_is_asked() -> None:
    entries = answered(asked()[2], answers=answered(asked()[1]))
    new = {"questions": [{**TOLL, "question": "谁收过桥的钱？"}, GHOSTS, {**TOLL, "id": "new"}]}
    assert questions.reused_ids(new, WORLD, entries) == ["bridge-toll"]
    assert questions.reused_ids(new, OUTLINE, entries) == []
    assert questions.reused_ids(DOCUMENT, WORLD, entries) == []
    mended = answered(asked()[0], "again")
    other = {"conflicts": [{**AGES, "what": "别的矛盾"}]}
    assert questions.reused_ids(other, WORLD, mended) == ["ages"]
    done = questions.mark_carried_out(questions.mark_handed_out(mended, WORLD), WORLD)
    assert questions.reused_ids(other, WORLD, done) == [], "it is open, so it is asked"


def test_a_packet_lists_answers_by_step_and_what_is_to_do_in_its_own() -> None:
    steps = ["volume:02:outline", "volume:01:outline", "setup:style", "setup:characters", "setup:world"]
    entries: list[dict[str, Any]] = []
    for step in steps:
        for name in ("b", "a"):
            (question,) = questions.parse_questions({"questions": [{**TOLL, "id": name}]}, step)
            entries = questions.with_answer(entries, question, "2", None, NOW)
    entries[1]["answer"] = {"choice": None, "note": "都不要"}
    found = questions.packet_answers(entries, "volume:02:outline")
    assert [(entry["step"], entry["id"]) for entry in found] == [
        (step, name) for step in reversed(steps) for name in ("b", "a")
    ]
    assert [entry["todo"] for entry in found] == [False] * 8 + [True] * 2
    assert found[-2] == {
        "step": "volume:02:outline",
        "id": "b",
        "question": "过一回桥要付什么？",
        "chosen": "付一件旧物",
        "effect": "全书偏轻",
        "note": None,
        "todo": True,
    }
    assert (found[-1]["chosen"], found[-1]["effect"], found[-1]["note"]) == (None, None, "都不要")
    done = questions.mark_carried_out(questions.mark_handed_out(entries, steps[0]), steps[0])
    assert not any(entry["todo"] for entry in questions.packet_answers(done, steps[0]))


@pytest.mark.parametrize(
    ("changes", "about"),
    [
        ({}, False),
        ({"step": "setup:style"}, True),
        ({"question": "对话占几成？"}, True),
        ({"chosen": "第一人称"}, True),
        ({"note": "旁白口语一些"}, True),
        ({"effect": "改口吻", "id": "文风"}, False),
        ({"note": None, "chosen": None}, False),
    ],
)
def test_which_answers_are_about_style(changes: dict[str, Any], about: bool) -> None:
    (entry,) = questions.packet_answers(answered(asked()[0], "go-on", "让他活到卷末"), WORLD)
    assert questions.is_about_style({**entry, **changes}) is about


def test_a_choice_without_an_effect_has_none() -> None:
    (entry,) = questions.packet_answers(answered(asked()[0], "go-on"), WORLD)
    assert (entry["chosen"], entry["effect"]) == ("就照暂定的", "不改，接着往下走")


STORED = answered(asked()[1])[0]


@pytest.mark.parametrize(
    "changes",
    [
        *({key: None} for key in ("step", "kind", "id", "question", "answer", "done", "choices")),
        *({"step": step} for step in ("chapter:001:draft", "sync:001:judge", "nonsense", "setup:draft", 7)),
        {"answer": "2"},
        {"done": []},
        {"told": "2"},
        {"choices": {}},
        {"choices": ["1"]},
        {"choices": [{"key": "1"}, None]},
        {"id": 7},
    ],
    ids=str,
)
def test_a_stored_answer_of_another_shape_makes_the_document_unreadable(changes: dict[str, Any]) -> None:
    for key in changes:
        without = {name: value for name, value in STORED.items() if name != key}
        if changes[key] is None:
            assert questions.parse({"decisions": [without]}) is None
    assert questions.parse({"decisions": [STORED, {**STORED, **changes}]}) is None


@pytest.mark.parametrize(
    "document", [None, [], "x", {}, {"decisions": None}, {"decisions": {}}, {"decisions": [7]}]
)
def test_a_document_that_is_none(document: Any) -> None:
    assert questions.parse(document) is None


def test_a_stored_answer_may_lack_what_later_versions_add() -> None:
    bare = {key: STORED[key] for key in ("step", "kind", "id", "question", "answer", "done", "choices")}
    assert questions.parse({"decisions": [bare, {**bare, "told": bare["answer"]}]}) is not None
    assert questions.parse({"decisions": [{**bare, "step": "volume:01:validate", "choices": []}]}) is not None
    assert questions.parse({"decisions": []}) == []


def test_questions_in_the_authors_words() -> None:
    assert questions.describe(asked()[1:]) == "bridge-toll（过桥的价）、ghosts（鬼神）"
    assert questions.describe([]) == ""


# wishes, remarks, what a change overturns -----------------------------------------------------------------


def test_the_wishes_of_a_volume_are_asked_for_first() -> None:
    wished = questions.volume_wishes(OUTLINE)
    assert (wished.step, wished.id, wished.number, wished.total) == (OUTLINE, questions.WISHES, 1, 1)
    assert [key for key, _, _ in wished.choices] == [questions.FIRST]
    none = answered(wished, questions.FIRST)
    told = answered(wished, None, "多写灯")
    assert questions.wants_wishes([], OUTLINE) and not questions.wants_wishes(none, OUTLINE)
    assert questions.packet_wishes([], OUTLINE) == questions.packet_wishes(none, OUTLINE) == []
    assert questions.packet_wishes(told, OUTLINE) == [{"wish": "多写灯", "todo": True}]
    assert questions.packet_wishes(told, "volume:02:outline") == []
    done = questions.mark_carried_out(questions.mark_handed_out(told, OUTLINE), OUTLINE)
    assert questions.packet_wishes(done, OUTLINE) == [{"wish": "多写灯", "todo": False}]


def test_each_remark_has_a_place_of_its_own() -> None:
    first = questions.remark(OUTLINE, [])
    assert (first.step, first.kind, first.id, first.choices) == (OUTLINE, "remark", "remark-1", ())
    assert (first.number, first.total) == (1, 1)
    answers = answered(first, None, "删掉第三章")
    second = questions.remark(OUTLINE, answers)
    assert (second.id, questions.remark(WORLD, answers).id) == ("remark-2", "remark-1")
    assert questions.remark("volume:01:review", []).question != first.question
    found = questions.pending_remark(answers, OUTLINE, "删掉第三章")
    assert found is not None and found["id"] == "remark-1"
    assert questions.pending_remark(answers, OUTLINE, "别的") is None
    done = questions.mark_carried_out(questions.mark_handed_out(answers, OUTLINE), OUTLINE)
    assert questions.pending_remark(done, OUTLINE, "删掉第三章") is None


def test_answers_whose_ground_is_gone_are_marked() -> None:
    _, toll, ghosts = asked()
    answers = answered(ghosts, "1", "少写", answered(toll))
    assert [questions.words_of(one) for one in answers] == [
        "过一回桥要付什么？\n付一件旧物\n全书偏轻",
        "有没有鬼？\n付一天寿数\n全书偏沉\n少写",
    ]
    found = questions.with_overturned(answers, lambda words: "改了桥" if "旧物" in words else None)
    assert [one.get("overturned_by") for one in found] == ["改了桥", None]
    assert "overturned_by" not in answers[0] and "overturned_by" not in found[1]
