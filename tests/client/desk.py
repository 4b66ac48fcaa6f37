"""A front desk that does what `skills/start/SKILL.md` and `skills/continue/SKILL.md` say, and no more.

It takes every command, agent, model, path and question from what `novel` printed. It knows the tables of the
two skills, so that a step they forget is a step that is not done here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from client.author import ASK
from client.desk_brief import ask_brief
from client.desk_calls import Said, ask, novel, question_of
from client.scenario import Call, bash, do, say, spawn, write
from novel_hooks import layout

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from client.request import Request
    from client.scenario import Answer, Reply

MENU = "现在做什么？"
LANDS = "可以定下来吗？"
TURNS = "可以翻过这一卷吗？"
EDITED, REPLAN = "改好了吗？", "要不要现在重排？"
COMMIT, LOOK = "定下来（推荐）", "我先看看"
NOTES, WORDS, NO_WORDS = "笔记在哪里？", "有没有话要交代？", "没有"
SURE, YES = "就这样做吗？", "是"
BOOK, MOVES = "书在哪里？", "就这样搬进来吗？"
LATER, STOPS = "改天再说", "我先停一下"
RETIRES = "不要了"
TELL = "先读它，照它做，只写它点名的文件。"
SAMPLE, NO_SAMPLE = "有你自己写过的文字吗？", "没有，照立意定"
TITLE, GENRE, UNDECIDED = "书名？", "题材？", "先不定"


def start(request: Request) -> Answer:
    """`/novel:start`."""
    told = [Said(outcome) for outcome in request.outcomes]
    if not told:
        return novel("status")
    gone = re.search(rf"^作者写的：`(\w+?){RETIRES}`$", request.task, flags=re.MULTILINE)
    if gone is not None and told[-1].name == "status":
        return novel("retire", f"'{gone.group(1)}'")
    return _after(told)


def _after(told: list[Said]) -> Answer:
    last = told[-1]
    if last.tool == ASK:
        return _answered(told)
    if last.tool == "Agent":
        return novel("validate", _step(told))
    if last.tool in ("Read", "Write"):
        return _pasted() if str(last.input["file_path"]).endswith(layout.PASTED) else ask_brief(told)
    code = _sure if last.unsure else _BY_NAME.get(last.name)
    if code is not None:
        return code(told)
    assert last.document.get("ok") or (last.name == "status" and last.data.get("menu")), last.text
    if last.name == "status":
        return ask(_opening(last.data), "现在", _options(last.data["menu"]))
    if last.name == "next":
        return _due(told)
    if last.name == "lock acquire":
        return _walk(told)
    if last.name == "review":
        return ask(TURNS, "回顾", {"可以（推荐）": "规划下一卷", "我先看看": "停在这里"})
    closed = last.name == "advance" and last.words[1].endswith(":review")
    if last.name in ("init", "commit", "import") or closed:
        return _sample_taken(told) if "--sample" in last.words else novel("status")
    if last.name == "changed":
        return _changed(last)
    if last.name == "lock release":
        return say("做到哪里都记着，再输入 /novel:start 接着来。")
    return novel("next")


def _sure(told: list[Said]) -> Answer:
    if told[-1].name == "adopt":
        return ask(MOVES, "搬书", {"是（推荐）": "一次入库", "不是": "", "不要章末的作者的话": ""})
    return ask(SURE, "确认", {YES: "", "不是": "什么也不动"})


def _retired(told: list[Said]) -> Answer:
    return say("\n".join(f"{one['message']}{one['fix']}" for one in told[-1].document["diagnostics"]))


def _opening(status: Mapping[str, Any]) -> str:
    """What the menu asks: what waits for the author, else what he wants to do."""
    due = status.get("next") or {}
    return str(due["reason"]) if due.get("stop") else MENU


def _changed(last: Said) -> Answer:
    """Section 5, behind the author's edit."""
    if "--note" not in last.words and last.data["changes"]:
        return novel("changed", "--note")
    if any(one["chapters"] for one in (*last.data["changes"], *last.data["pending"])):
        options = {"到时候再说（推荐）": "会提醒", "现在重排本卷没写的章": "已写的不动", "我都核对过了": ""}
        return ask(REPLAN, "重排", options)
    return novel("status")


def _options(menu: list[Mapping[str, Any]]) -> dict[str, str]:
    return {
        entry["label"] + ("（推荐）" if entry["recommended"] else ""): entry["why"]
        for entry in menu
        if entry["key"] != "own"
    }


def _due(told: list[Said]) -> Answer:
    due = told[-1].data
    step = str(due["step"] or "")
    held = _holds_lock(told)
    return novel("lock", "acquire") if step.startswith(("setup:", "volume:")) and not held else _walk(told)


def _holds_lock(told: list[Said]) -> bool:
    since = [one.name for one in told if one.name in ("lock acquire", "lock release", "commit")]
    return since[-1:] == ["lock acquire"]


def _last_due(told: list[Said]) -> Said:
    return next(one for one in reversed(told) if one.name == "next")


def _walk(told: list[Said]) -> Answer:
    """The table of section 2."""
    due = _last_due(told).data
    step = due["step"]
    if due["stop"] or step is None:
        return _put(due)
    if step.startswith(("chapter:", "sync:")):
        return say("请输入 /novel:continue。")
    if due["phase"] == "commit":
        return ask(LANDS, "入库", {COMMIT: "存进书里", LOOK: "停在这里"})
    if due["phase"] == "review":
        return novel("review")
    if due["recorded"]:
        return novel("advance", step)
    codes = [one["code"] for one in _last_due(told).document["diagnostics"]]
    if "SAMPLE_MISSING" in codes and not any(map(_is_sample, told)):
        return ask(SAMPLE, "样章", {NO_SAMPLE: "", "有，写在“Type something.”里": "文件的路径，或整段文字"})
    return novel("instructions", step, "--write-manifest")


def _pasted() -> Reply:
    return novel("import", layout.PASTED, "--sample", "--as", "'样章'")


def _sample_taken(told: list[Said]) -> Reply:
    return novel("instructions", str(_last_due(told).data["step"]), "--write-manifest")


def _is_sample(one: Said) -> bool:
    return one.tool == ASK and one.input["questions"][0]["question"] == SAMPLE


def _sampled(told: list[Said]) -> Answer:
    """A path, or a text that he pasted; without either the style is taken from the brief."""
    said = told[-1].answer
    if said == NO_SAMPLE:
        return _sample_taken(told)
    if said.endswith((".md", ".txt")):
        return novel("import", f"'{said}'", "--sample")
    return do(write(layout.PASTED, said))


def _put(due: Mapping[str, Any]) -> Answer:
    """Section 3: what the author has to decide."""
    options = {c["label"]: "" for c in due["choices"] if c["key"] != "own"}
    return ask(due["reason"], "等你定", options if len(options) > 1 else {**options, LATER: ""})


def _step(told: list[Said]) -> str:
    """Of the packet that is out."""
    found = next(one for one in reversed(told) if one.name == "instructions")
    return str(found.data["step"])


def _instructed(told: list[Said]) -> Answer:
    packet = told[-1].data
    assert packet, told[-1].text
    if packet["step"] == "setup:brief":
        return ask_brief(told)
    before = told[-2] if len(told) > 1 else told[-1]
    third = f"\n上次没有做成：{before.words[-2]}" if before.name == "fail" else ""
    prompt = f"任务包：{packet['manifest']}\n{TELL}{third}"
    return do(spawn(packet["subagent"], prompt, model=packet["model"]))


def _validated(told: list[Said]) -> Answer:
    last = told[-1]
    if last.document["ok"]:
        return novel("advance", last.words[1])
    why = last.document["diagnostics"][0]["message"].replace("'", "’")
    return novel("fail", last.words[1], "--reason", f"'{why}'")


def _failed(told: list[Said]) -> Answer:
    last = told[-1]
    assert last.document["ok"], last.text
    if last.data["answer"] == "retry":
        return novel("instructions", last.words[1], "--write-manifest")
    return novel("next")


def _answered(told: list[Said]) -> Answer:
    last = told[-1]
    question = last.input["questions"][0]["question"]
    if last.answers in ([STOPS], [LATER]):
        return novel("lock", "release")
    if last.input["questions"][0]["header"] == "现在":
        return _chosen(told)
    if question == TITLE:
        given = zip(("--title", "--genre"), last.answers)
        return novel("init", *(w for key, said in given if said != UNDECIDED for w in (key, f"'{said}'")))
    if last.input["questions"][0]["header"] == "立意":
        return ask_brief(told)
    if question == SAMPLE:
        return _sampled(told)
    if question in (LANDS, TURNS) and last.answer == LOOK:
        return novel("lock", "release")
    code = _BY_QUESTION.get(question)
    if code is not None:
        return code(told)
    due = next((one.data for one in reversed(told) if one.name == "next"), {})
    if question == LANDS:
        setup = str(due["step"]).startswith("setup:")
        return novel("commit", *(["--setup"] if setup else ["--volume", str(due["volume"])]))
    if question == TURNS:
        return novel("advance", due["step"])
    if question == REPLAN:
        return novel("status") if last.answer.endswith("（推荐）") else novel("replan", "--yes")
    return _decided(due["choices"], last.answer)


def _chosen(told: list[Said]) -> Answer:
    menu = next(one.data for one in reversed(told) if one.name == "status")["menu"]
    picked = told[-1].answer.replace("（推荐）", "")
    entry = next(entry for entry in menu if entry["label"] == picked)
    if entry["kind"] == "steps":
        return novel("next")
    if entry["kind"] == "skill":
        return say(f"请输入 {entry['do']}。")
    if entry["key"] == "create" or (entry["key"] == "adopt" and _no_book_yet(told)):
        titles, genres = {UNDECIDED: "以后再说", "第七索": ""}, {UNDECIDED: "", "悬疑": ""}
        both = [question_of(TITLE, "书名", titles), question_of(GENRE, "题材", genres)]
        return do(Call(ASK, {"questions": both}))
    if entry["key"] == "setting":
        return ask(EDITED, "改设定", {"改好了": "看牵动哪些章", "先不改": "回到菜单"})
    if entry["key"] == "adopt":
        return ask(BOOK, "搬书", {"手边的文件": "写在“Type something.”里", "还没有": "回到菜单"})
    if entry["key"] == "import":
        return ask(NOTES, "笔记", {"手边的文件夹": "写在“Type something.”里", "还没有": "回到菜单"})
    if entry["kind"] == "talk" and "你的意见" in entry["do"]:
        return ask(WORDS, "交代", {NO_WORDS: "照评审的意见改", "有": "写在“Type something.”里"})
    return do(bash(f"{entry['do']} --json"))


def _no_book_yet(told: list[Said]) -> bool:
    return "progress" not in next(one.data for one in reversed(told) if one.name == "status")


def _moved_in(told: list[Said]) -> Answer:
    if told[-1].answer == "不是":
        return novel("status")
    notes = " --drop-notes" if told[-1].answer.startswith("不要") else ""
    return do(bash(f"{told[-2].input['command']}{notes} --yes"))


def _agreed(told: list[Said]) -> Answer:
    if told[-1].answer != YES:
        return novel("lock", "release")
    return do(bash(f"{told[-2].input['command']} --yes"))


def _with_words(told: list[Said]) -> Answer:
    """The entry that was chosen before, with the author's words or without any."""
    menu = next(one.data for one in reversed(told) if one.name == "status")["menu"]
    picked = told[-2].answer.replace("（推荐）", "")
    command = next(entry["do"] for entry in menu if entry["label"] == picked)
    said = told[-1].answer
    note = " --note 你的意见"
    command = command.replace(note, "" if said == NO_WORDS else note.replace("你的意见", f"'{said}'"))
    return do(bash(f"{command} --json"))


def _decided(choices: list[Mapping[str, Any]], said: str) -> Answer:
    found = next((c["command"] for c in choices if c["label"] == said), None)
    if found is None:
        own = next(c["command"] for c in choices if c["key"] == "own")
        found = own.replace("你的意见", f"'{said}'")
    return do(bash(f"{found} --json"))


_BY_QUESTION: Mapping[str, Callable[[list[Said]], Answer]] = {
    SURE: _agreed,
    BOOK: lambda told: novel("adopt", f"'{told[-1].answer}'"),
    MOVES: _moved_in,
    NOTES: lambda told: novel("import", f"'{told[-1].answer}'"),
    WORDS: _with_words,
    EDITED: lambda _told: novel("changed"),
}
_BY_NAME: Mapping[str, Callable[[list[Said]], Answer]] = {
    "validate": _validated,
    "fail": _failed,
    "instructions": _instructed,
    "retire": _retired,
}
"""What is not settled by going on to the next command."""


def write_on(request: Request) -> Answer:
    """`/novel:continue`: section 3 of that skill, until one chapter has landed."""
    told = [Said(outcome) for outcome in request.outcomes]
    if not told:
        return novel("next")
    last = told[-1]
    if last.tool == "Agent":
        judge = next(one for one in reversed(told) if one.name == "instructions").data["phase"] == "judge"
        return novel("next") if judge else novel("validate", _step(told))
    assert last.document.get("ok"), last.text
    if last.name == "commit":
        return say(f"第 {last.data['chapter']} 章已生成。")
    if last.name == "validate":
        return novel("advance", last.words[1])
    if last.name == "instructions":
        return _instructed(told)
    if last.name != "next":
        return novel("next")
    due = last.data
    assert not due["stop"] and str(due["step"]).startswith("chapter:"), due
    if not _holds_lock(told):
        return novel("lock", "acquire")
    if due["phase"] == "commit":
        return novel("commit", "--chapter", str(due["chapter"]))
    if due["recorded"]:
        return novel("advance", due["step"])
    return novel("instructions", due["step"], "--write-manifest")
