"""The main session of `/novel:continue`, scripted: what SKILL.md says, and not a word more.

`desk` is the skill as a program that asks (a call, or a question to the author) and is told what came of it.
Every value it uses stands in what `novel` printed or in what the author said. `front_desk` replays it over
the conversation that a request carries, so that it stays a function of the request alone.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from client.request import Outcome, Request, text_of
from client.scenario import Call, bash, do, say
from novel_hooks.rules.text import numerals

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping

    from client.scenario import Answer

Wish = Union[Call, "Aloud", "Question"]
ASK = "AskUserQuestion"
ASKED = re.compile(r"作者要的章数：`(.*)`")
CODE = re.compile(r"Exit code (\d+)")
LOST = re.compile(r"评审的意见没有记下[^\n<]*")
SAID = re.compile(r"(?:再来|再写|续写)?(?:([1-9]\d*)|([一二两三四五六七八九十百]+))章?")
ADVICE = "一次写这么多，出了偏差不好回头，建议五章以内"
MANY = 5
ASIDE = re.compile(r"（[^（）]*）")
OWN = "是我自己改的"
LATER = "改天再说"
NIGHT = re.compile(r" ?--night")
STEP = re.compile(r" ?--step(?: [a-z,]+)?")
FOREIGN = "电脑上另有一个也叫 novel 的程序排在前面，请卸载或改名后再试。"
NOTE = "你的意见"
GATE = {"pass": "通过", "polish": "通过"}


class Response(NamedTuple):
    """What came back: of a call, `outcome`; else the author's words, or a hook's, in `text`."""

    outcome: Outcome | None
    text: str


class Said(NamedTuple):
    """What a command printed."""

    code: int
    data: Any
    diagnostics: list[dict[str, Any]]


class Aloud(NamedTuple):
    """A call, and what the author is told before it."""

    text: str
    call: Call


class Question(NamedTuple):
    """Something that the author decides: `novel next` said so."""

    due: Mapping[str, Any]


class Stop(Exception):
    """The run ends with these words to the author."""


def front_desk(request: Request) -> Answer:
    found = ASKED.search(request.task)
    assert found, f"the skill's text did not arrive: {request.task[-400:]}"
    running = desk(found.group(1))
    wish = next(running)
    try:
        for heard in conversation(request):
            wish = running.send(heard)
    except StopIteration as end:
        return say(end.value)
    if isinstance(wish, Call):
        return do(wish)
    if isinstance(wish, Aloud):
        return do(wish.call, text=wish.text)
    return do(_ask(wish)) if ASK in request.tools else say(_question_text(wish))


def _ask(question: Question) -> Call:
    labels = [one["label"] for one in question.due["choices"]]
    options = [{"label": one, "description": one} for one in (labels if labels[1:] else [*labels, LATER])]
    asked = {
        "question": _verdict_text(question),
        "header": "怎么办",
        "options": options,
        "multiSelect": False,
    }
    return Call(ASK, {"questions": [asked]})


def _question_text(question: Question) -> str:
    return "\n".join([_verdict_text(question), *(f"- {one['label']}" for one in question.due["choices"])])


def _verdict_text(question: Question) -> str:
    """What the author decides on: the reason, the verdict and the changes that `novel next` printed."""
    told, verdict = [str(question.due["reason"])], question.due.get("verdict")
    if verdict is not None:
        told += [f"得分 {verdict['overall']:.1f}", *verdict["faults"], f"稿子：{verdict['text']}"]
    return "\n".join([*told, *question.due.get("changes", ())])


def conversation(request: Request) -> Iterator[Response]:
    """What came back to the model, in order: each call's result with what stands beside it."""
    outcomes = iter(request.outcomes)
    waiting: list[Outcome] = []
    called = beside = ""
    for role, blocks in [*request.messages[1:], ("assistant", [])]:
        if role != "assistant":
            texts = [block for block in blocks if block.get("type") == "text"]
            beside = f"{beside}\n{text_of(texts)}"
            continue
        if waiting:
            yield Response(waiting.pop(), beside)
        elif called:
            yield Response(None, beside)
        calls = [block for block in blocks if block.get("type") == "tool_use"]
        waiting = [next(outcomes) for _ in calls]
        called, beside = ("" if calls else text_of(blocks)), ""


def run_novel(command: str, crewed: bool = False, aloud: str = "") -> Generator[Wish, Response, Said]:
    """One command; ends the run as the table of exit codes says. `crewed`: an agent did the step.

    `aloud`: what the author is told first.
    """
    heard = yield Aloud(aloud, bash(command)) if aloud else bash(command)
    assert heard.outcome is not None
    code = CODE.search(heard.outcome.text)
    start = heard.outcome.text.find("{")
    if start < 0:
        raise Stop(FOREIGN)
    document = json.JSONDecoder().raw_decode(heard.outcome.text[start:])[0]
    done = Said(int(code.group(1)) if code else 0, document["data"], document["diagnostics"])
    told = "\n".join(_warnings(done))
    if done.code == 4:
        raise Stop(told)
    if done.code in (2, 3, 5, 70) or (done.code == 1 and not crewed):
        if any(one["code"] == "WRITE_OUTSIDE_STAGING" for one in done.diagnostics):
            return (yield from _own(command, told, crewed))
        if any(one["code"].startswith(("BREAK_POINT", "BUDGET_REACHED")) for one in done.diagnostics):
            return done
        yield bash("novel lock release --json")
        raise Stop(told)
    return done


def _warnings(done: Said) -> list[str]:
    return [f"{one['message']} {one['fix']}" for one in done.diagnostics]


def _own(command: str, told: str, crewed: bool) -> Generator[Wish, Response, Said]:
    """Files of the book changed while a step was out: only the author knows whether that was he."""
    choices = [{"label": OWN}, {"label": "不是，我去恢复原样"}]
    heard = yield Question({"reason": f"{told}\n是你自己改的吗？", "choices": choices})
    assert heard.outcome is not None
    accepted = False
    if f'="{OWN}"' in heard.outcome.text:
        heard = yield bash("novel accept-changes --json")
        assert heard.outcome is not None
        accepted = '"accepted"' in heard.outcome.text  # else the client asked him, and he did not allow it
    if not accepted:
        yield bash("novel lock release --json")
        raise Stop(told)
    return (yield from run_novel(command, crewed))


def desk(arguments: str) -> Generator[Wish, Response, str]:
    """The whole skill. Returns the last words. At night nobody is asked, and the report is shown as it is."""
    if not NIGHT.search(arguments):
        return (yield from _run(arguments))
    running = _run(NIGHT.sub("", arguments), night=True)
    try:
        wish = next(running)
        while True:
            asks = isinstance(wish, Question)
            wish = running.throw(Stop(wish.due["reason"])) if asks else running.send((yield wish))
    except StopIteration as end:
        words = end.value
    heard = yield bash("novel report")
    assert heard.outcome is not None
    yield bash("novel lock release --json")
    return f"{words}\n{heard.outcome.text}"


def _run(arguments: str, night: bool = False) -> Generator[Wish, Response, str]:
    words = STEP.sub("", arguments).strip()
    asked = STEP.search(arguments)
    step = f" {asked.group(0).strip()}" if asked else ""
    number = _number(words)
    lines = [ADVICE] if number and number > MANY and not night else []
    landed = 0
    told: set[str] = set()
    begun = False
    try:
        yield from _opening() if number else _answered(words)
        while landed < (number or 1):
            first = "" if begun else f" --run {number or 1}"
            begun = True
            line, counts = yield from _chapter(f"{step}{first}", told)
            lines.append(line)
            landed += counts
            if "这一卷写完了" in line:
                break
    except Stop as stop:
        return "\n".join([*lines, str(stop)])
    return "\n".join([*lines, *(["续写完成"] if landed > 1 else [])])


def _number(words: str) -> int | None:
    """How many chapters the author wants: a number in figures or in Chinese; None for other words."""
    found = SAID.fullmatch(words or "1")
    if found is None:
        return None
    return int(found.group(1)) if found.group(1) else numerals.parse(found.group(2))


def _answered(words: str) -> Generator[Wish, Response, None]:
    """The author answers what was asked before, by a choice's label or key; his own words may follow."""
    due = (yield from run_novel("novel next --json")).data
    for choice in due["choices"]:
        for name in (choice["label"], ASIDE.sub("", choice["label"]), choice["key"]):
            if words == name or words.startswith((f"{name} ", f"{name}，")):
                yield from _decide(choice, words[len(name) + 1 :].strip())
                return
    raise Stop("写法：`/novel:continue 3`")


def _opening() -> Generator[Wish, Response, None]:
    due = (yield from run_novel("novel next --json")).data
    _ours(due)
    if due["stop"] or due["step"] is None:
        yield from _question()


def _ours(due: Mapping[str, Any]) -> None:
    """Setting up, planning and looking back are of another skill, its questions too."""
    if due["step"] is not None and due["step"].startswith(("setup:", "volume:")):
        raise Stop(f"{due['reason']}\n请输入 /novel:start。")


def _chapter(step: str, told: set[str]) -> Generator[Wish, Response, tuple[str, bool]]:
    """Until one chapter has landed: its line, and does it count? One that is only recorded anew does not.

    `told`: the warnings that the author has heard.
    """
    yield from run_novel(f"novel lock acquire{step} --json")
    while True:
        answer = yield from run_novel("novel next --json")
        due = answer.data
        _ours(due)
        if due["stop"] or due["step"] is None:
            yield from _question()
        elif due["phase"] == "commit":
            done = yield from run_novel(f"novel commit --chapter {due['chapter']} --json")
            if due["step"].startswith("sync:"):
                return f"第 {due['chapter']} 章重新记录好了", False
            return _chapter_line(done), True
        elif due["recorded"]:
            yield from run_novel(f"novel advance {due['step']} --json")
        else:
            notes = [f"你给这一章的话：{one['text']}" for one in due["notes"]]
            fresh = [one for one in (*_warnings(answer), *notes) if one not in told]
            told.update(fresh)
            yield from _step(due, "\n".join(fresh))


def _step(due: Mapping[str, Any], aloud: str) -> Generator[Wish, Response, None]:
    """One step that an agent does: once, and once more when `novel fail` answers retry."""
    again = ""
    while True:
        wrong = yield from _try(due, again, "" if again else aloud)
        if wrong is None:
            return
        reason = wrong.replace("'", "’").replace("\n", " ")
        answer = yield from run_novel(f"novel fail {due['step']} --reason '{reason}' --json")
        if answer.data["answer"] != "retry":
            yield from _question()
            return
        again = f"\n上次不合格：{wrong}"


def _try(due: Mapping[str, Any], again: str, aloud: str) -> Generator[Wish, Response, str | None]:
    """None, or what was wrong in one sentence."""
    step = due["step"]
    packet = (yield from run_novel(f"novel instructions {step} --write-manifest --json", aloud=aloud)).data
    task = f"任务包：{packet['manifest']}\n先读它，照它做，只写它点名的文件。{again}"
    heard = yield _agent(packet, task)
    assert heard.outcome is not None
    if heard.outcome.text.lstrip().startswith("细纲不可写"):
        yield bash("novel lock release --json")
        raise Stop(heard.outcome.text)
    if heard.outcome.failed:
        return "写作助手的成员出错了"
    if packet["phase"] == "judge":
        after = (yield from run_novel("novel next --json")).data
        if after["recorded"] or after["step"] != step or after["role"] != packet["role"]:
            return None
        lost = LOST.search(heard.text)
        return lost.group(0) if lost else "评审没有记下"
    if any(action.startswith("novel next") for action in packet["next_actions"]):
        after = (yield from run_novel("novel next --json")).data
        if after["stop"]:
            yield from _question()
            return None
    for command in ("validate", "advance"):
        done = yield from run_novel(f"novel {command} {step} --json", crewed=True)
        if done.code == 3:  # it is to be seen first
            yield from _question()
            return None
        if done.code:
            return "；".join(one["message"] for one in done.diagnostics)
        if done.data.get("again"):  # nobody can mend it once the chapter has landed
            return "；".join(done.data["again"])
    return None


def _agent(packet: Mapping[str, Any], task: str) -> Call:
    return Call(
        "Agent",
        {
            "description": "做一步",
            "subagent_type": packet["subagent"],
            "model": packet["model"],
            "prompt": task,
            "run_in_background": False,
        },
    )


def _question() -> Generator[Wish, Response, None]:
    """The author chooses: a label of the list, and behind it his own words."""
    due = (yield from run_novel("novel next --json")).data
    heard = yield Question(due)
    assert heard.outcome is not None
    if LATER in heard.outcome.text:
        raise Stop(LATER)
    (choice,) = [one for one in due["choices"] if one["label"] in heard.outcome.text]
    note = heard.outcome.text.split(choice["label"], 1)[1].split('"')[0].strip()
    yield from _decide(choice, note)


def _decide(choice: Mapping[str, str], note: str) -> Generator[Wish, Response, None]:
    command = choice["command"]
    command = command.replace(NOTE, f"'{note}'") if note else command.replace(f" --note {NOTE}", "")
    yield from run_novel(f"{command} --json")
    if choice["key"] == "stop":
        raise Stop("停在这里。")


def _chapter_line(done: Said) -> str:
    """A landed chapter's line, and what comes with it."""
    landed = done.data
    gate, sign = GATE.get(landed["gate_decision"], "作者接受"), "✓"
    if landed["accepted"]:
        gate, sign = "作者接受", "△"
    elif landed["force_passed"]:
        gate, sign = "勉强放行", "△"
    found = [
        f"第 {landed['chapter']} 章已生成（{landed['chars']} 字），评分 {landed['overall_final']:.1f}/5.0，"
        f"门控 {gate}，修订 {landed['revisions']} 次 {sign}"
    ]
    if landed["periodic"]:
        found.append(landed["periodic"]["text"])
    if landed["volume_end"]:
        found.append("这一卷写完了")
    return "\n".join(found)
