"""The questions that planners ask the author, and his answers. Pure. Source: seed 004.

A planner stages its questions (`planning-questions`), each with choices of which the first is already carried
out, and the contradictions in its material. An answer is stored with its question, as
`{step, kind, id, header, question, why, choices, answer, told, done, at}`. `answer` is the author's newest
answer, `told` the one that the planner got with the last hand-out, `done` the one that the plan follows. All
three are `{choice, note}`; `told` may be null. A step is to be done again while `answer` and `done` differ.
"""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.annotations import Any, Callable, Iterable, Mapping, Sequence
from novel_hooks.record import Record
from novel_hooks.rules.steps import step_name as steps

Answers = Sequence[Mapping[str, Any]]

QUESTION, CONFLICT = "question", "conflict"
WISH, REMARK, NOTE = "wish", "remark", "note"
"""What the author says unasked by a planner: before a volume is planned, when he has seen a plan, and for a
chapter (`rules.steps.chapter_notes`)."""
WISHES = "wishes"
FIRST, AGAIN, GO_ON, OWN = "1", "again", "go-on", "own"
_MENDED = ((GO_ON, "就照暂定的", "不改，接着往下走"), (AGAIN, "照改过的重做", "我已经改好了那几份文件"))
_STYLE_WORDS = (
    *("文风", "文笔", "文字", "笔调", "行文", "腔调", "语气", "口吻", "口语", "白话", "文言", "方言", "语言"),
    *("人称", "视角", "叙述", "对话", "台词", "引号", "标点", "句子", "长句", "短句", "段落", "比喻", "成语"),
    *("用词", "用语", "口头禅", "样章", "黑名单", "白名单"),
)
"""Words by which an author's decision is known to be one about style."""
_ORDER = {"setup": 0, "volume": 1}


class Question(Record):
    """One question of a planner, or a contradiction that it found (`kind`).

    `choices` are (key, label, effect). `number` is its place, from 1, among the `total` that the step asks.
    """

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
    """Parse a valid `planning-questions` document to questions: contradictions first, in document order."""
    conflicts, questions = document.get("conflicts") or (), document.get("questions") or ()
    count = len(conflicts) + len(questions)
    found = [_conflict(entry, step, number, count) for number, entry in enumerate(conflicts, 1)]
    first = len(conflicts) + 1
    found += [_question(entry, step, number, count) for number, entry in enumerate(questions, first)]
    return tuple(found)


def volume_wishes(step: str) -> Question:
    """Return the question that comes before a volume is planned: what the author wishes of it."""
    text = "这一卷你想看到什么、不想看到什么？一个场面、一个人的结局、卷末停在哪儿，都可以说。"
    choices = ((FIRST, "没有，照立意排", "由情节架构师来排"),)
    return Question(step, WISH, WISHES, "这一卷", text, "架构师照着排，以后重排也记得。", choices, 1, 1)


def remark(step: str, answers: Answers) -> Question:
    """Return the place for the author's remark on the step's plan, beside his former ones."""
    count = sum((entry["step"], entry["kind"]) == (step, REMARK) for entry in answers)
    name = f"{REMARK}-{count + 1}"
    about = "作者看过这一卷，给下一卷的话。" if step.endswith(":review") else "作者看过这一稿，要改的。"
    return Question(step, REMARK, name, "你的话", about, "", (), 1, 1)


def wants_wishes(answers: Answers, step: str) -> bool:
    """Tell whether the author has not yet been asked about the step's volume."""
    return find_answer(answers, step, WISHES) is None


def pending_remark(answers: Answers, step: str, note: str) -> Mapping[str, Any] | None:
    """Return the remark of these words that the planner has still to carry out."""
    said = (e for e in pending_answers(answers, step) if e["kind"] == REMARK)
    return next((entry for entry in said if entry["answer"].get("note") == note), None)


def _question(entry: Mapping[str, Any], step: str, number: int, count: int) -> Question:
    choices = tuple((str(n), c["label"], c["effect"]) for n, c in enumerate(entry["choices"], 1))
    texts = (entry["id"], entry["header"], entry["question"], entry["why"])
    return Question(step, QUESTION, *texts, choices, number, count)


def _conflict(entry: Mapping[str, Any], step: str, number: int, count: int) -> Question:
    text = f"{entry['what']}（{'、'.join(entry['files'])}）"
    return Question(step, CONFLICT, entry["id"], "资料矛盾", text, entry["why"], _MENDED, number, count)


def parse(document: object) -> list[dict[str, Any]] | None:
    """Parse the document of stored answers; None when it is none that this version wrote."""
    found = document.get("decisions") if isinstance(document, dict) else None
    if not isinstance(found, list) or not all(isinstance(e, dict) and _is_answer(e) for e in found):
        return None
    return found


def _is_answer(entry: Mapping[str, Any]) -> bool:
    texts = all(isinstance(entry.get(key), str) for key in ("step", "kind", "id", "question"))
    answers = (entry.get("answer"), entry.get("done"), entry.get("told") or entry.get("answer"))
    choices = entry.get("choices")
    shaped = isinstance(choices, list) and all(isinstance(choice, dict) for choice in choices)
    if not (texts and shaped and all(isinstance(a, dict) for a in answers)):
        return False
    kind = _step_kind(entry["step"])
    return _is_note(entry) and kind == "chapter" if entry["kind"] == NOTE else kind in _ORDER


def _is_note(entry: Mapping[str, Any]) -> bool:
    number = entry["id"]
    return number.isascii() and number.isdigit() and isinstance(entry["answer"].get("note"), str)


def _step_kind(step: str) -> str | None:
    try:
        return steps.parse(step).kind
    except errors.UnknownStep:
        return None


def document(answers: Answers) -> dict[str, Any]:
    """Return the JSON object in which the answers are stored; `parse` reads it back."""
    return {"schema_version": 1, "decisions": [dict(entry) for entry in answers]}


def find_answer(answers: Answers, step: str, name: str) -> Mapping[str, Any] | None:
    """Find the stored answer to the question `name` of a step; None when the author has not answered."""
    return next((entry for entry in answers if (entry["step"], entry["id"]) == (step, name)), None)


def is_open(asked: Question, answers: Answers) -> bool:
    """Tell whether the author has still to answer the question.

    A contradiction that he said he had mended is open again when the step that was made anew finds it.
    """
    entry = find_answer(answers, asked.step, asked.id)
    if entry is None:
        return True
    return asked.kind == CONFLICT and entry["answer"].get("choice") == AGAIN and not awaits_planner(entry)


def awaits_planner(entry: Mapping[str, Any]) -> bool:
    """Tell whether the plan does not follow this stored answer yet."""
    return bool(entry["answer"] != entry["done"])


def pending_answers(answers: Answers, step: str) -> list[Mapping[str, Any]]:
    """Return the answers to a step's questions that its planner has still to carry out."""
    return [entry for entry in answers if entry["step"] == step and awaits_planner(entry)]


def with_answer(
    answers: Answers, asked: Question, choice: str | None, note: str | None, now: str
) -> list[dict[str, Any]]:
    """Return the stored answers with the author's answer to `asked`, added or in the place of the former.

    `choice` is the key of a choice, `note` his own words; either may be None. `now` is in ISO-8601 UTC.
    """
    before = find_answer(answers, asked.step, asked.id)
    unanswered = {"choice": GO_ON if asked.kind == CONFLICT else FIRST, "note": None}
    anew = before is None or asked.kind == CONFLICT
    entry = {
        "step": asked.step,
        "kind": asked.kind,
        "id": asked.id,
        "header": asked.header,
        "question": asked.question,
        "why": asked.why,
        "choices": [{"key": key, "label": label, "effect": effect} for key, label, effect in asked.choices],
        "answer": {"choice": choice, "note": note},
        "told": None,
        "done": unanswered if before is None or anew else before.get("told") or before["done"],
        "at": now,
    }
    if before is None:
        return [*map(dict, answers), entry]
    return [entry if stored is before else dict(stored) for stored in answers]


def mark_handed_out(answers: Answers, step: str) -> list[dict[str, Any]]:
    """Return the answers after the hand-out of the step's packet: `told` is the answer in that packet."""
    return [
        {**e, "told": e["answer"]} if e["step"] == step and awaits_planner(e) else dict(e) for e in answers
    ]


def mark_carried_out(answers: Answers, step: str) -> list[dict[str, Any]]:
    """Return the answers after the step has advanced: its planner has carried out `told`."""
    return [
        {**e, "told": None, "done": e["told"]} if e["step"] == step and e.get("told") else dict(e)
        for e in answers
    ]


def words_of(entry: Mapping[str, Any]) -> str:
    """Return the question and the author's decision as one text."""
    told = _packet_answer(entry, "")
    return "\n".join(str(told[key]) for key in ("question", "chosen", "effect", "note") if told[key])


def with_overturned(answers: Answers, reason_of: Callable[[str], str | None]) -> list[dict[str, Any]]:
    """Return the answers, those marked `overturned_by` for whose words `reason_of` gives a change's name."""
    found = [dict(entry) for entry in answers]
    for entry in found:
        reason = reason_of(words_of(entry))
        if reason is not None:
            entry["overturned_by"] = reason
    return found


def reused_ids(document: Mapping[str, Any], step: str, answers: Answers) -> list[str]:
    """Return the ids of answered questions under which the document asks something else now."""
    closed = [asked for asked in parse_questions(document, step) if not is_open(asked, answers)]
    entries = ((asked, find_answer(answers, step, asked.id)) for asked in closed)
    return [asked.id for asked, entry in entries if entry and entry["question"] != asked.question]


def packet_answers(answers: Answers, step: str) -> list[dict[str, Any]]:
    """Return the answers as the packet of `step` lists them: by step, in the order they were asked.

    Each is `{step, id, question, chosen, effect, note, todo, overturned_by?}`. `todo`: it is to be carried
    out in `step`. `overturned_by` says which later change of the setting took its ground. A volume's wishes
    are in `packet_wishes` of its own step; that there are none is no decision. Notes for a chapter are none.
    """
    decided = [e for e in answers if e["kind"] != NOTE]
    told = [e for e in decided if e["kind"] != WISH or (e["step"] != step and e["answer"].get("note"))]
    return [_packet_answer(entry, step) for entry in sorted(told, key=lambda e: _step_order(e["step"]))]


def packet_wishes(answers: Answers, step: str) -> list[dict[str, Any]]:
    """Return the author's wishes of the step's volume, `{wish, todo}` each; [] when he has none."""
    entry = find_answer(answers, step, WISHES)
    wish = entry["answer"].get("note") if entry is not None else None
    return [{"wish": wish, "todo": awaits_planner(entry)}] if entry is not None and wish else []


def is_about_style(answer: Mapping[str, Any]) -> bool:
    """Tell whether an answer of `packet_answers` is one of the style step, or speaks of style."""
    said = " ".join(str(answer[key]) for key in ("question", "chosen", "note") if answer[key])
    return steps.parse(answer["step"]).phase == "style" or any(word in said for word in _STYLE_WORDS)


def _step_order(step: str) -> tuple[int, int, int]:
    """Return the sort key of a planning step: setup before volumes, then by volume and phase."""
    found = steps.parse(step)
    phases = steps.SETUP_PHASES if found.kind == "setup" else steps.VOLUME_PHASES
    return _ORDER[found.kind], found.number or 0, phases.index(found.phase)


def _packet_answer(entry: Mapping[str, Any], step: str) -> dict[str, Any]:
    key = entry["answer"].get("choice")
    chosen: Mapping[str, Any] = next((c for c in entry["choices"] if c.get("key") == key), {})
    return {
        "step": entry["step"],
        "id": entry["id"],
        "question": entry["question"],
        "chosen": chosen.get("label"),
        "effect": chosen.get("effect") or None,
        "note": entry["answer"].get("note"),
        "todo": entry["step"] == step and awaits_planner(entry),
        **({"overturned_by": entry["overturned_by"]} if entry.get("overturned_by") else {}),
    }


def describe(asked: Iterable[Question]) -> str:
    """Return id and header of each question in the author's words: `bridge-toll（过桥的价）`."""
    return "、".join(f"{question.id}（{question.header}）" for question in asked)
