"""The desk asks for the brief: heading by heading, each with all of its open places."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from client.author import ASK
from client.desk_calls import Said, novel, question_of, read_file
from client.scenario import Call, do, write
from novel_hooks.rules.outline.brief import OPEN_MARK

if TYPE_CHECKING:
    from client.scenario import Answer


YOURS = "你来定"
_MOST = 4
"""Questions that one AskUserQuestion takes."""


def ask_brief(told: list[Said]) -> Answer:
    """Section 4: heading by heading, each with all of its open places; the file is whole after each."""
    since = told[max(n for n, one in enumerate(told) if one.name == "instructions") :]
    packet = since[0].data
    reads = [one for one in since if one.tool == "Read"]
    if not reads:
        return read_file(packet["manifest"])
    if len(reads) == 1:
        inputs = json.loads(numberless(reads[0].text))["inputs"]
        paths = {one["key"]: one.get("path") for one in inputs}
        return read_file(paths.get("project_brief") or paths["brief_template"])
    brief = numberless(reads[1].text)
    for asked in (one for one in since if one.tool == ASK):
        brief = _filled(brief, asked.answers)
    if since[-1].tool == ASK:
        return do(write(packet["outputs"][0]["path"], brief))
    questions = brief_questions(brief)
    if not questions:
        return novel("validate", packet["step"])
    options = {"甲": "最贴近的", "乙": "另一种", YOURS: ""}
    return do(Call(ASK, {"questions": [question_of(one, "立意", options) for one in questions[0]]}))


def brief_questions(brief: str) -> list[list[str]]:
    """For each heading that has open places, at most four at a time, a question for each of them."""
    found = []
    for heading, *lines in (part.split("\n") for part in brief.split("\n## ")[1:]):
        places = [line.split(OPEN_MARK)[0].strip("-：. 0123456789") for line in lines if OPEN_MARK in line]
        several = [f"{heading}：{place or f'第 {n} 条'}？" for n, place in enumerate(places, 1)]
        asked = several if len(places) > 1 else [f"{heading}？"] * len(places)
        found += [asked[at : at + _MOST] for at in range(0, len(asked), _MOST)]
    return found


def _filled(brief: str, answers: list[str]) -> str:
    """The first open places below a heading, with what was answered instead of the template's hint."""
    preface, _, body = brief.partition("\n## ")
    for answer in answers:
        body = re.sub(rf"{OPEN_MARK}.*", lambda _, said=answer: said, body, count=1)
    return f"{preface}\n## {body}"


def numberless(text: str) -> str:
    """What Read gave, without its line numbers and reminders."""
    return re.sub(r"^ *\d+\t", "", text.split("\n\n<system-reminder>")[0], flags=re.MULTILINE)
