"""The page that agents and hosts are given: its documents, held against real ones."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from novel_hooks import errors, layout, roles
from novel_hooks.cli.call import call
from novel_hooks.cli.commands.steps.next import document as next_data
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.briefing import due_step
from novel_hooks.flows.chapter.desk import Desk
from novel_hooks.flows.packet import chapter_inputs
from novel_hooks.flows.planning import planner_inputs
from novel_hooks.rules.steps import chapter_notes, step_name
from novel_hooks.store.files.project import Project
from tools import bookparts as parts
from tools.bookmaker import make_book
from unit.pages.pages import (
    CHAPTER,
    CONFLICT,
    CONTRACT,
    ENVIRON,
    codes,
    contract_commands,
    first_codes,
    listed,
    schema_document,
    section,
    tables,
)

# --- the contract: documents, held against real ones -----------------------------------------


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A book of four landed chapters, the fifth planned."""
    root = tmp_path / "书"
    make_book(str(root), CHAPTER - 1)
    return root


def put(root: Path, path: str, text: str) -> None:
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes((text).encode("utf-8"))


def stage_records(root: Path) -> None:
    line = parts.storyline_id(CHAPTER)
    delta = {"chapter": CHAPTER, "base_state_version": CHAPTER - 1, "storyline_id": line}
    delta["ops"] = parts.ops(CHAPTER)
    crossref: dict[str, Any] = {
        "storyline_id": line,
        "cross_references": [],
        "leak_risk": "none",
        "leak_detail": None,
    }
    put(root, layout.staged(layout.summary(CHAPTER)), parts.summary(CHAPTER))
    put(root, layout.staged(layout.delta(CHAPTER)), json.dumps(delta))
    put(root, layout.staged(layout.crossref(CHAPTER)), json.dumps(crossref))
    put(root, layout.staged(layout.memory(line)), parts.memory(line, CHAPTER))


class Host:
    """Calls commands and keeps the data of each, by the words it was called with."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.seen: dict[str, Any] = {}

    def __call__(self, name: str, *rest: str, exit: int = 0) -> Any:
        answer = call(name, [*rest, "--project", str(self.root)], ENVIRON)
        assert answer.exit == exit, (name, rest, answer.diagnostics)
        self.seen[" ".join([name, *rest[:1]])] = answer.data
        return answer.data


def conduct(root: Path, tmp_path: Path) -> dict[str, Any]:
    """One chapter and everything beside it, through every command but `demo`; their data by call."""
    host = Host(root)
    host("init", str(tmp_path / "new"))
    write_chapter(host, tmp_path / "words.txt")
    look_around(host)
    go_back(host)
    change_plans(host, tmp_path)
    host("rebuild", "state")
    host("doctor")
    host("status")
    return host.seen


def write_chapter(host: Host, words: Path) -> None:
    """From the lock to the landing, with a failure; the judge's `words` lie in a file."""
    root, line = host.root, f"chapter:{CHAPTER:03d}"
    host("lock", "acquire")
    host("lock", "status")
    host("fail", f"{line}:draft", "--reason", "没有交稿")
    host("fail", f"{line}:draft", "--reason", "没有交稿")
    host("retry")
    manifest = host("instructions", f"{line}:draft", "--write-manifest")["manifest"]
    host("instructions", "--replay", manifest)
    host("context", "chapter-writer", "--chapter", str(CHAPTER))
    put(root, layout.staged(layout.chapter(CHAPTER)), parts.prose(CHAPTER, 2000))
    host("validate", f"{line}:draft")
    host("advance", f"{line}:draft")
    stage_records(root)
    host("advance", f"{line}:summarize")
    host("advance", f"{line}:refine")
    words.write_text(json.dumps(parts.verdict(2.5), ensure_ascii=False), encoding="utf-8")
    host("judge", "record", "--role", "primary", "--file", str(words))
    host("advance", f"{line}:judge")
    host("gate", str(CHAPTER))
    host("next")
    host("decide", str(CHAPTER), "accept")
    host("commit", "--chapter", str(CHAPTER))
    host("commit", "--setup")
    host("commit", "--volume", "1")


def look_around(host: Host) -> None:
    host("config", "gate.pass", "4.1")
    host("config")
    host("outline")
    host("outline", "--chapter", str(CHAPTER))
    host("lint", str(CHAPTER))
    host("outline", "--check")
    host("outline", "--fix", "--yes")
    host("foreshadow", "query", str(CHAPTER + 1))
    host("foreshadow", "list")
    host("foreshadow", "show", parts.clue(CHAPTER))
    host("foreshadow", "overdue")
    host("foreshadow", "drop", parts.clue(CHAPTER))
    host("foreshadow", "revive", parts.clue(CHAPTER))
    host("review", "1")
    host("report")
    host("entities")
    host("note", "9", "下一场雨")
    host("find", "沈渡")
    host("who", "沈渡")
    host("read", "1")
    host("log", str(CHAPTER))
    host("log")
    host("guide", "method")
    host("guide")
    host("export", "--yes")
    host("accept-changes")
    host("audit")


def go_back(host: Host) -> None:
    put(host.root, layout.chapter(CHAPTER), parts.prose(CHAPTER, 2000) + "他笑了。\n")
    host("diff", str(CHAPTER), "--html", str(host.root.parent / "diff.html"))
    host("lock", "release")
    host("lock", "clear")
    host("sync", str(CHAPTER), "--accept")
    host("sync")
    host("sync", "--cancel")
    host("rollback", str(CHAPTER - 1), "--yes")
    host("rollback", "--list")
    host("restore", "1", "--yes")
    saved = str(host.root.parent / "backup.zip")
    host("backup", saved)
    answer = call("restore", [saved, str(host.root.parent / "restored")], ENVIRON)
    host.seen["restore FILE"] = answer.data


def change_plans(host: Host, tmp_path: Path) -> None:
    host("changed", "--note")
    host("changed")
    host("replan", "--yes")
    put(host.root, layout.questions("volume-01-outline"), json.dumps({"conflicts": [CONFLICT]}))
    host("answer", "volume:01:outline", "a", "go-on")
    put(tmp_path, "note.md", "桥有三根索。")
    host("import", str(tmp_path / "note.md"))
    put(tmp_path, "书.txt", "第一章 夜雨\n他来了。\n")
    host("init", str(tmp_path / "moved"))
    call("adopt", [str(tmp_path / "书.txt"), "--project", str(tmp_path / "moved"), "--yes"], ENVIRON)
    answer = call("adopt", [str(tmp_path / "书.txt"), "--project", str(tmp_path / "moved")], ENVIRON)
    host.seen["adopt"] = answer.data
    moved = json.loads((tmp_path / "moved" / layout.CHECKPOINT).read_text("utf-8"))
    put(tmp_path / "moved", layout.CHECKPOINT, json.dumps({**moved, "orchestrator_state": "VOL_PLANNING"}))
    put(tmp_path / "moved", layout.STORYLINES, json.dumps({"storylines": [{"id": "river"}]}))
    answer = call("sync", ["--backlog", "--project", str(tmp_path / "moved")], ENVIRON)
    host.seen["sync --backlog"] = answer.data
    host("replan", "--cancel")
    host("rename", "何铁", "何锡", "--yes")
    host("host", "codex")
    host("retire", "bai-sui", "--yes")
    host("character", "add", "唐婆", "--yes")


def data_seen(usage: str, seen: dict[str, Any]) -> Any:
    """What a run gave for a usage such as `lock status` or `gate C`."""
    if usage.startswith("outline ["):
        return seen["outline"]
    if usage.startswith("instructions STEP"):
        return seen[f"instructions chapter:{CHAPTER:03d}:draft"]
    words = usage.split()
    exact = seen.get(" ".join(words[:2]))
    return exact or next(data for call, data in seen.items() if call.split()[0] == words[0])


def test_the_data_of_every_command(book: Path, tmp_path: Path) -> None:
    seen = conduct(book, tmp_path)
    elsewhere = {"next": first_codes(tables(section(CONTRACT, "What comes next"))[0])}
    for usage, keys in contract_commands().items():
        name = usage.split()[0]
        if name != "demo":
            wanted = keys if "--replay" in usage else elsewhere.get(name, keys)
            assert set(data_seen(usage, seen)) == set(wanted), usage


def test_the_envelope() -> None:
    rows = tables(section(CONTRACT, "What it prints"))[0]
    shape = schema_document("envelope")
    assert first_codes(rows) == list(shape["properties"])
    (diagnostic,) = codes(rows[-1][2])
    assert re.findall(r"\w+", diagnostic) == list(errors.Diagnostic._fields)


def test_what_comes_next_has_these_keys(book: Path) -> None:
    rows = tables(section(CONTRACT, "What comes next"))[0]
    assert first_codes(rows) == list(next_data(due_step.view(Book(Project(str(book))))))
    assert set(first_codes(rows)) == set(schema_document("next")["required"])


def test_packet_keys_are_those_of_its_schema() -> None:
    rows = tables(section(CONTRACT, "The packet"))[0]
    assert set(first_codes(rows)) == set(schema_document("packet")["required"])


def put_world(root: Path) -> None:
    """A soft rule beside the hard one, and a page."""
    rules = json.loads((root / layout.WORLD_RULES).read_text(encoding="utf-8"))["rules"]
    custom = {**rules[0], "id": "W-002", "constraint_type": "soft"}
    put(root, layout.WORLD_RULES, json.dumps({"rules": [*rules, custom]}))
    put(root, f"{layout.WORLD}/a.md", "# 渡口\n\n他走了。")


def test_inputs_of_every_phase(book: Path) -> None:
    """With every file there that may be there, each phase gets what the page says, of that type."""
    put(book, layout.staged(layout.chapter(CHAPTER)), parts.prose(CHAPTER, 2000))
    put(book, layout.staged(layout.hints(CHAPTER)), '{"hints": ["灯少了一盏"]}')
    put_world(book)
    stage_records(book)
    put(book, layout.DECISIONS, json.dumps({"decisions": [noted()]}))
    lines = list(map(json.loads, (book / layout.CHANGELOG).read_text(encoding="utf-8").splitlines()))
    for one in lines:  # the line's own last chapter is older than the last three
        one["storyline_id"] = "away" if one["chapter"] > 1 else parts.storyline_id(CHAPTER)
    put(book, layout.CHANGELOG, "".join(f"{json.dumps(one)}\n" for one in lines))
    rows = tables(section(CONTRACT, "The packet"))[1]
    told = {(codes(row[0])[0], row[1], phase) for row in rows for phase in listed(row[2])}
    found = set()
    point = json.loads((book / layout.CHECKPOINT).read_text(encoding="utf-8"))
    for phase, redone in ((phase, redone) for phase in roles.CHAPTER_AGENTS for redone in (False, True)):
        put(book, layout.CHECKPOINT, json.dumps({**point, **done_again(book, phase, redone)}))
        desk = Desk(Book(Project(str(book))), 1, CHAPTER)
        for given in chapter_inputs.for_phase(desk, phase, 0).inputs:
            found.add((given.key, given.type, phase))
    assert told == found


def noted() -> dict[str, object]:
    """The author's note for the chapter in work."""
    return chapter_notes.with_note([], CHAPTER, "下一场雨", "2026-01-01T00:00:00Z")[0][0]


def done_again(book: Path, phase: str, aside: bool) -> dict[str, object]:
    """What the checkpoint has of a step that failed, or whose outputs the author had put aside."""
    step = {"step": f"chapter:{CHAPTER:03d}:{phase}", "revision_count": 0}
    if not aside:
        return {"failures": [{**step, "reason": "没有写完"}]}
    folder = f"{layout.attempts(CHAPTER)}/0001-r0-again-{phase}"
    desk = Desk(Book(Project(str(book))), 1, CHAPTER)
    for output in roles.CHAPTER_OUTPUTS.get(phase, ()):
        staged = book / desk.path(output)
        if staged.exists():
            put(book, f"{folder}/{staged.name}", staged.read_text(encoding="utf-8"))
    return {"former": {**step, "folder": folder}}


# --- the contract: planning ------------------------------------------------------------------


def planning_steps() -> dict[str, tuple[roles.Output, ...]]:
    found = {f"setup:{phase}": outputs for phase, outputs in roles.SETUP_OUTPUTS.items()}
    return {**found, **{f"volume:VV:{phase}": outputs for phase, outputs in roles.VOLUME_OUTPUTS.items()}}


def test_the_steps_of_planning() -> None:
    rows = tables(section(CONTRACT, "Planning"))[0]
    assert {codes(row[0])[0]: codes(row[3]) for row in rows} == {
        step: [output.key for output in outputs] for step, outputs in planning_steps().items()
    }
    agents = {**roles.SETUP_AGENTS, **roles.VOLUME_AGENTS}
    for row in rows:
        agent = agents.get(codes(row[0])[0].split(":")[-1])
        assert (row[1], row[2]) == (agent, roles.ROLES[agent].model) if agent else row[2] == ""


def test_the_outputs_of_planning() -> None:
    rows = tables(section(CONTRACT, "Planning"))[1]
    told = {codes(row[0])[0]: (codes(row[1])[0], codes(row[2])[0] if row[2] else None) for row in rows}
    every = {output.key: output for outputs in planning_steps().values() for output in outputs}
    assert told == {key: (output.pattern, output.schema) for key, output in every.items()}


def test_the_inputs_of_planning(book: Path) -> None:
    """With every file there that may be there."""
    put_world(book)
    for path in ("research/a.md", "research/samples/a.md", layout.volume_review(1)):
        put(book, path, "他走了。")
    put(book, layout.outline(2), "### 第 7 章\n")
    put(book, layout.schedule(2), '{"active_storylines": []}')
    put(book, layout.foreshadowing_plan(2), '{"foreshadowing": []}')
    point = json.loads((book / layout.CHECKPOINT).read_text(encoding="utf-8"))
    touched = [{"what": "灯塔改了名", "contracts": [layout.contract(1, CHAPTER)]}]
    put(book, layout.CHECKPOINT, json.dumps({**point, "pending_actions": touched}))
    answered = {"step": "setup:world", "kind": "question", "id": "a", "question": "口吻？", "choices": []}
    said = {"answer": {"choice": "1", "note": None}, "done": {"choice": "1", "note": None}}
    wish = {"step": "volume:02:outline", "kind": "wish", "id": "wishes", "answer": {"note": "少死人"}}
    decisions = [{**answered, **said}, {**answered, **said, **wish}, noted()]
    put(book, layout.DECISIONS, json.dumps({"decisions": decisions}))
    for name in ("setup-world", "setup-characters", "setup-style"):
        put(book, layout.questions(name), "{")
    put(book, layout.staged(layout.outline(2)), "### 第 7 章\n")
    put(book, layout.staged(layout.STORYLINES), (book / layout.STORYLINES).read_text(encoding="utf-8"))
    rows = tables(section(CONTRACT, "Planning"))[2]
    told = {(codes(row[0])[0], row[1], phase) for row in rows for phase in listed(row[2])}
    read_once = Book(Project(str(book)))
    found = set()
    for name in planning_steps():
        planned = step_name.parse(name.replace("VV", "02"))
        for given in planner_inputs.for_step(read_once, read_once.checkpoint(), planned, 2, 7).inputs:
            found.add((given.key, given.type, planned.phase))
    assert told == found
