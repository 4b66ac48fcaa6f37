"""What planners leave to the author, and what he decided. Pure. Source: seed 004.

A planner stages its questions (`planning-questions`), each with choices of which the first is already carried
out, and what contradicts itself in the material. An answer is remembered with the question it was about, as
`{step, kind, id, header, question, why, choices, answer, told, done, at}`. `answer` is what the author said,
`told` what the planner was given with the last hand-out, `done` what the plan follows now; all three are
`{choice, note}`, `told` may be null. A step is to be done again while `answer` and `done` differ.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    Answers = Sequence[Mapping[str, Any]]

from novel_hooks import errors
from novel_hooks.record import Record
from novel_hooks.rules.steps import step_name as steps

QUESTION, CONFLICT = "question", "conflict"
FIRST, AGAIN, GO_ON, OWN = "1", "again", "go-on", "own"
_MENDED = ((AGAIN, "我已经改好了，请照改过的重做这一步", ""), (GO_ON, "先不管，就这样往下走", ""))
_ORDER = {"setup": 0, "volume": 1}


class Question(Record):
    """One question. `choices` are (key, label, effect); it is `number` of the `total` that the step asks."""

    step: str
    kind: str
    id: str
    header: str
    question: str
    why: str
    choices: tuple[tuple[str, str, str], ...]
    number: int
    total: int


def parse_questions(document: Mapping[str, Any], step: str) -> tuple[Question, ...]:
    """What a `planning-questions` document asks: contradictions first, each in the order it was written."""
    conflicts, questions = document.get("conflicts") or (), document.get("questions") or ()
    count = len(conflicts) + len(questions)
    found = [_conflict(one, step, number, count) for number, one in enumerate(conflicts, 1)]
    found += [_question(one, step, number, count) for number, one in enumerate(questions, len(conflicts) + 1)]
    return tuple(found)


def _question(one: Mapping[str, Any], step: str, number: int, count: int) -> Question:
    choices = tuple((str(n), c["label"], c["effect"]) for n, c in enumerate(one["choices"], 1))
    return Question(
        step, QUESTION, one["id"], one["header"], one["question"], one["why"], choices, number, count
    )


def _conflict(one: Mapping[str, Any], step: str, number: int, count: int) -> Question:
    told = f"{one['what']}（{'、'.join(one['files'])}）"
    return Question(step, CONFLICT, one["id"], "资料矛盾", told, one["why"], _MENDED, number, count)


def parse(document: object) -> list[dict[str, Any]] | None:
    """The remembered answers; None when the document is not one that this version wrote."""
    found = document.get("decisions") if isinstance(document, dict) else None
    if not isinstance(found, list) or not all(isinstance(one, dict) and _is_answer(one) for one in found):
        return None
    return found


def _is_answer(one: Mapping[str, Any]) -> bool:
    texts = all(isinstance(one.get(key), str) for key in ("step", "kind", "id", "question"))
    said = (one.get("answer"), one.get("done"), one.get("told") or one.get("answer"))
    choices = one.get("choices")
    shaped = isinstance(choices, list) and all(isinstance(choice, dict) for choice in choices)
    return texts and shaped and _is_planning_step(one["step"]) and all(isinstance(s, dict) for s in said)


def _is_planning_step(step: str) -> bool:
    try:
        return steps.parse(step).kind in _ORDER
    except errors.UnknownStep:
        return False


def document(answers: Answers) -> dict[str, Any]:
    return {"schema_version": 1, "decisions": [dict(one) for one in answers]}


def find_answer(answers: Answers, step: str, name: str) -> Mapping[str, Any] | None:
    return next((one for one in answers if (one["step"], one["id"]) == (step, name)), None)


def is_open(asked: Question, answers: Answers) -> bool:
    """Has the author still to answer? A contradiction that is there after it was mended is asked anew."""
    one = find_answer(answers, asked.step, asked.id)
    if one is None:
        return True
    return asked.kind == CONFLICT and one["answer"].get("choice") == AGAIN and not awaits_planner(one)


def awaits_planner(one: Mapping[str, Any]) -> bool:
    """Does the plan not follow this answer yet?"""
    return bool(one["answer"] != one["done"])


def pending_answers(answers: Answers, step: str) -> list[Mapping[str, Any]]:
    return [one for one in answers if one["step"] == step and awaits_planner(one)]


def with_answer(
    answers: Answers, asked: Question, choice: str | None, note: str | None, now: str
) -> list[dict[str, Any]]:
    """The answers with this one more, or in place of the one given before."""
    before = find_answer(answers, asked.step, asked.id)
    bare = {"choice": GO_ON if asked.kind == CONFLICT else FIRST, "note": None}
    anew = before is None or asked.kind == CONFLICT
    one = {
        "step": asked.step,
        "kind": asked.kind,
        "id": asked.id,
        "header": asked.header,
        "question": asked.question,
        "why": asked.why,
        "choices": [{"key": key, "label": label, "effect": effect} for key, label, effect in asked.choices],
        "answer": {"choice": choice, "note": note},
        "told": None,
        "done": bare if before is None or anew else before.get("told") or before["done"],
        "at": now,
    }
    if before is None:
        return [*map(dict, answers), one]
    return [one if known is before else dict(known) for known in answers]


def mark_handed_out(answers: Answers, step: str) -> list[dict[str, Any]]:
    """The answers as they are when the step's packet has been handed out."""
    return [
        {**one, "told": one["answer"]} if one["step"] == step and awaits_planner(one) else dict(one)
        for one in answers
    ]


def mark_carried_out(answers: Answers, step: str) -> list[dict[str, Any]]:
    """The answers as they are when the step has advanced: what its planner was told has been done."""
    return [
        {**one, "told": None, "done": one["told"]} if one["step"] == step and one.get("told") else dict(one)
        for one in answers
    ]


def reused_ids(document: Mapping[str, Any], step: str, answers: Answers) -> list[str]:
    """Ids of answered questions under which something else is asked now."""
    return [
        asked.id
        for asked in parse_questions(document, step)
        for one in [find_answer(answers, step, asked.id)]
        if one is not None and not is_open(asked, answers) and one["question"] != asked.question
    ]


def packet_answers(answers: Answers, step: str) -> list[dict[str, Any]]:
    """As a packet tells them: by step, in the order they were asked; `todo`: to be carried out in `step`."""
    return [_packet_answer(one, step) for one in sorted(answers, key=lambda one: _step_order(one["step"]))]


def _step_order(step: str) -> tuple[int, int, int]:
    found = steps.parse(step)
    phases = steps.SETUP_PHASES if found.kind == "setup" else steps.VOLUME_PHASES
    return _ORDER[found.kind], found.number or 0, phases.index(found.phase)


def _packet_answer(one: Mapping[str, Any], step: str) -> dict[str, Any]:
    key = one["answer"].get("choice")
    chosen: Mapping[str, Any] = next((c for c in one["choices"] if c.get("key") == key), {})
    return {
        "step": one["step"],
        "id": one["id"],
        "question": one["question"],
        "chosen": chosen.get("label"),
        "effect": chosen.get("effect") or None,
        "note": one["answer"].get("note"),
        "todo": one["step"] == step and awaits_planner(one),
    }


def describe(asked: Iterable[Question]) -> str:
    """For the author: id and header of each."""
    return "、".join(f"{one.id}（{one.header}）" for one in asked)
