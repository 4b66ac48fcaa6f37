"""The agents of a chapter, scripted: each reads its packet and what that names, and hands in its outputs.

What a judge thinks follows from the draft's number in the text, which every revision raises.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Callable, NamedTuple

from builders import Book, make_verdict

from client.request import MAIN, Request
from client.scenario import Call, Refuse, do, say, write

from client.front_desk import front_desk  # isort: skip

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from client.scenario import Answer, Scenario

PACKET = re.compile(r"任务包：(\S+)")
NUMBERED = re.compile(r"(?m)^ *\d+[\t→]")
VERSION = re.compile(r"第(\d+)稿")
MARKS = "。，；"
JUDGE = "novel:quality-judge"
WRITERS = ("novel:chapter-writer", "novel:summarizer", "novel:style-refiner")


class Job(NamedTuple):
    """What an agent knows: its packet, the texts it has read (path → text), its task, its model."""

    packet: Mapping[str, Any]
    texts: Mapping[str, str]
    task: str
    model: str
    outcomes: int

    @property
    def again(self) -> bool:
        return "上次不合格" in self.task

    @property
    def secondary(self) -> bool:
        return bool(self.packet["role"] == "secondary")

    @property
    def phase(self) -> str:
        return str(self.packet["phase"])

    @property
    def version(self) -> int:
        """The number of the draft that it has before it."""
        (place,) = [one["path"] for one in self.packet["inputs"] if one["key"] == "chapter_content"]
        found = VERSION.search(self.texts[place])
        assert found, self.texts
        return int(found.group(1))


Judge = Callable[[Job], Any]
# What an agent does instead, before it hands in: None lets it go on.
Twist = Callable[[Job, Request], "Answer | None"]


def scores(*overall: float) -> Judge:
    """The first draft gets the first, the second the second; the last one stays."""
    return lambda job: make_verdict(overall[min(job.version, len(overall)) - 1])


class Crew:
    """The scenario of a run. `judge`: what a judge says of a job; `twist` may step in first.

    `hasty`: only the chapter's text is read of what the packet names.
    """

    def __init__(
        self, root: Path, judge: Judge | None = None, twist: Twist | None = None, hasty: bool = False
    ) -> None:
        self.root = root
        self.hasty = hasty
        self.judge = judge or scores(4.5)
        self.twist = twist

    def scenario(self) -> Scenario:
        return {MAIN: front_desk, **dict.fromkeys((*WRITERS, JUDGE), self.work)}

    def work(self, request: Request) -> Answer:
        path = PACKET.search(request.task)
        assert path, request.task
        if not request.outcomes:
            return do(Call("Read", {"file_path": path.group(1)}))
        packet = without_line_numbers(request.outcomes[0].text)
        named = [one for one in json.loads(packet)["inputs"] if "path" in one]
        wanted = [one["path"] for one in named if not self.hasty or one["key"] == "chapter_content"]
        if len(request.outcomes) == 1 and wanted:
            return do(*(Call("Read", {"file_path": place}) for place in wanted))
        got = request.outcomes[1 : 1 + len(wanted)]
        for place, one in zip(wanted, got):
            assert not one.failed, (place, one.text)
        texts = {place: without_line_numbers(one.text) for place, one in zip(wanted, got)}
        count = len(request.outcomes) - 1 - len(wanted)
        return self.act(Job(json.loads(packet), texts, request.task, request.model, count), request)

    def act(self, job: Job, request: Request) -> Answer:
        stepped_in = self.twist(job, request) if self.twist else None
        if stepped_in is not None:
            return stepped_in
        if job.phase == "judge":
            said = self.judge(job)
            return say(said if isinstance(said, str) else json.dumps(said, ensure_ascii=False))
        return say("交了") if job.outcomes else do(*self.outputs(job))

    def outputs(self, job: Job) -> list[Call]:
        """The calls that hand in what the packet asks for."""
        book = Book(self.root, job.packet["chapter"])
        places = {one["key"]: one["path"] for one in job.packet["outputs"]}
        if job.phase == "summarize":
            return [write(places[key], _text(book.record(key))) for key in places]
        if job.phase == "draft":
            return [write(places["chapter"], draft(job.packet["chapter"]))]
        if job.phase == "revise":
            before, after = f"第{job.version}稿", f"第{job.version + 1}稿"
        else:
            mark = next(m for m in MARKS if f"第{job.version}稿{m}" in "".join(job.texts.values()))
            before = f"第{job.version}稿{mark}"
            after = before[:-1] + MARKS[(MARKS.index(mark) + 1) % len(MARKS)]
        return [Call("Edit", {"file_path": places["chapter"], "old_string": before, "new_string": after})]


def draft(chapter: int) -> str:
    """A chapter of the usual length, no sentence of which stands in another chapter."""
    own = "零一二三四五六七八九"[chapter % 10]
    line = f"\n第{own}夜他数到第{{n}}根桩，第{own}根缆绳湿的，水从{own}号船第{{n}}块板底下漫上来。\n"
    body = "".join(line.format(n=n) for n in range(2, 90))
    return f"# 第 {chapter} 章 夜渡\n\n第1稿。\n{body}"


def without_line_numbers(text: str) -> str:
    """What the tool Read showed, without its line numbers."""
    return NUMBERED.sub("", text.split("<system-reminder>")[0])


def _text(record: Any) -> str:
    return record if isinstance(record, str) else json.dumps(record, ensure_ascii=False)


def broken(job: Job) -> str:
    """A verdict that was cut off."""
    return json.dumps(make_verdict(4.5), ensure_ascii=False)[:-30]


def refused(*phases: str, always: bool = False) -> Twist:
    """In these phases the service refuses the agent, the first time or always."""

    def twist(job: Job, _request: Request) -> Answer | None:
        return Refuse(400, "out of ink") if job.phase in phases and (always or not job.again) else None

    return twist
