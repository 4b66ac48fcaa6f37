"""What the pages say exists in the code, and what the code offers is on the pages."""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from conftest import CHECKOUT

from novel_hooks import __version__, errors, layout, roles
from novel_hooks.cli.blocks import DECISIONS
from novel_hooks.cli.call import COMMANDS, FOR_CLAUDE, call
from novel_hooks.cli.commands import script
from novel_hooks.cli.commands.steps.next import document as next_data
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.briefing import next_step
from novel_hooks.flows.chapter.desk import Desk
from novel_hooks.flows.packet import chapter_inputs
from novel_hooks.flows.planning import planner_inputs
from novel_hooks.hook.guard import decision
from novel_hooks.hook.guard.reasons import REASONS
from novel_hooks.rules.evaluation import gate
from novel_hooks.rules.steps import chapter_notes, step_name
from novel_hooks.store.files.project import Project
from novel_hooks.store.lock import lockstate
from novel_hooks.store.schema import schema
from tools import bookparts as parts
from tools.bookmaker import make_book
from tools.gen_errors import problem_classes

ROOT = Path(CHECKOUT)
CONTRACT = "docs/agent-contract.md"
GLOSSARY = "docs/glossary.md"
ADRS = sorted(f"docs/adr/{path.name}" for path in (ROOT / "docs" / "adr").glob("*.md"))
THREATS = "docs/threat-model.md"
PROTOCOL = "docs/commit-protocol.md"
PAGES = [
    "README.md",
    "README.en.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    CONTRACT,
    GLOSSARY,
    THREATS,
    PROTOCOL,
]
PAGES += ["docs/adapters.md", "docs/architecture.md", "docs/volume-rules.md"]
USER = sorted(f"docs/user/{path.name}" for path in (ROOT / "docs" / "user").glob("*.md"))
WRITTEN = [*PAGES, *ADRS, *USER]
ENVIRON = {"NOVEL_OWNER": "docs"}
ERROR_CODES = {kind.code for kind in problem_classes()}
CHAPTER = 5
CONFLICT = {"id": "a", "files": ["brief.md"], "what": "灯塔有两座", "why": "立意里只有一座"}


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def section(path: str, heading: str) -> str:
    """What stands below `## heading`, up to the next heading of that level."""
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", read(path), re.M | re.S)
    assert found, f"{path} has no section {heading}"
    return found.group(1)


def tables(text: str) -> list[list[list[str]]]:
    """Every table: its rows without the head, cells stripped."""
    found: list[list[list[str]]] = []
    for block in re.findall(r"(?:^\|.*\|\n)+", text, re.M):
        cells = [re.split(r"(?<!\\)\|", line.strip()[1:-1]) for line in block.splitlines()]
        found.append([[cell.strip() for cell in row] for row in cells[2:]])
    return found


def codes(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def listed(cell: str) -> list[str]:
    return [part.strip() for part in cell.split(",")]


def first_codes(rows: list[list[str]]) -> list[str]:
    """The first code mark of each row's first cell; no row twice."""
    found = [codes(row[0])[0] for row in rows]
    assert len(found) == len(set(found))
    return found


# --- the contract: commands, exits, steps ----------------------------------------------------


def contract_commands() -> dict[str, list[str]]:
    """`lock acquire` → the keys of its data as the page has them."""
    (rows,) = tables(section(CONTRACT, "Commands"))
    return {codes(row[0])[0]: codes(row[2]) for row in rows}


def test_every_command_is_on_the_page_and_no_other() -> None:
    assert {call.split()[0] for call in contract_commands()} == set(COMMANDS)


def test_exit_codes() -> None:
    rows = tables(section(CONTRACT, "What it prints"))[1]
    told = {int(row[0]) for row in rows}
    names = ("DONE", "FINDINGS", "USAGE", "REFUSED", "BUSY", "DAMAGED", "BUG")
    assert told == {getattr(errors, name) for name in names}


def test_steps_and_their_phases() -> None:
    rows = tables(section(CONTRACT, "What comes next"))[1]
    assert {codes(row[0])[0]: tuple(listed(row[1])) for row in rows} == {
        "chapter": step_name.CHAPTER_PHASES,
        "setup": step_name.SETUP_PHASES,
        "volume": step_name.VOLUME_PHASES,
        "sync": step_name.SYNC_PHASES,
    }


def test_phases_of_a_chapter() -> None:
    rows = tables(section(CONTRACT, "Phases of a chapter"))[0]
    assert first_codes(rows) == list(step_name.CHAPTER_PHASES)
    for row in rows:
        phase = codes(row[0])[0]
        if phase in roles.CHAPTER_AGENTS:
            assert row[1] == roles.CHAPTER_AGENTS[phase]
            models = {roles.STRONG_MODEL} if phase == "revise" else {roles.ROLES[row[1]].model}
            assert {word for word in ("sonnet", "opus", "haiku") if word in row[2]} == (
                models | ({roles.STRONG_MODEL} if phase == "judge" else set())
            )
        if phase in roles.CHAPTER_OUTPUTS and phase != "judge":
            assert codes(row[3]) == [output.key for output in roles.CHAPTER_OUTPUTS[phase]]


def test_outputs() -> None:
    rows = tables(section(CONTRACT, "Phases of a chapter"))[1]
    told = {codes(row[0])[0]: (codes(row[1])[0], codes(row[2])[0] if row[2] else None) for row in rows}
    every = {output.key: output for outputs in roles.CHAPTER_OUTPUTS.values() for output in outputs}
    assert told == {key: (output.pattern, output.schema) for key, output in every.items()}


def test_judges_roles_and_decisions() -> None:
    text = section(CONTRACT, "Judges")
    assert set(DECISIONS) <= set(codes(text))
    assert {gate.PASS, gate.POLISH, gate.REVISE, gate.PAUSE, gate.PAUSE_REWRITE} == set(DECISIONS)


def test_lock_kinds() -> None:
    text = section(CONTRACT, "Locks and owners")
    (kinds,) = re.findall(r"^`kind` of `lock status` is (.*)\. A lock", text, re.M)
    assert set(codes(kinds)) == {lockstate.FREE, lockstate.OWN, lockstate.OTHER, lockstate.STALE}


def test_scripts() -> None:
    (rows,) = tables(section(CONTRACT, "Scripts"))
    names = {codes(row[0])[0].split()[0] for row in rows}
    assert names == {f"{name}.sh" for name in script._SCRIPTS}
    assert all((ROOT / "scripts" / name).is_file() for name in names)


def test_environment() -> None:
    (rows,) = tables(section(CONTRACT, "Environment"))
    places = [*(ROOT / "novel_hooks").rglob("*.py"), *(ROOT / "scripts").glob("*.sh"), ROOT / "bin" / "novel"]
    code = "\n".join(path.read_text(encoding="utf-8") for path in places)
    told = set(first_codes(rows))
    used = {name for name in re.findall(r"\bNOVEL_[A-Z_]+\b", code) if name not in ERROR_CODES}
    assert told == used | {"PIP_INDEX_URL"}


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


def schema_document(name: str) -> dict[str, Any]:
    assert name in schema.NAMES
    found: dict[str, Any] = json.loads(read(f"novel_hooks/schemas/{name}.schema.json"))
    return found


def test_what_comes_next_has_these_keys(book: Path) -> None:
    rows = tables(section(CONTRACT, "What comes next"))[0]
    assert first_codes(rows) == list(next_data(next_step.view(Book(Project(str(book))))))
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
    rows = tables(section(CONTRACT, "Planning"))[2]
    told = {(codes(row[0])[0], row[1], phase) for row in rows for phase in listed(row[2])}
    read_once = Book(Project(str(book)))
    found = set()
    for name in planning_steps():
        planned = step_name.parse(name.replace("VV", "02"))
        for given in planner_inputs.for_step(read_once, read_once.checkpoint(), planned, 2, 7).inputs:
            found.add((given.key, given.type, planned.phase))
    assert told == found


# --- the write boundary ----------------------------------------------------------------------


def test_an_audit_line_has_these_keys() -> None:
    rows = tables(section(CONTRACT, "The write boundary"))[0]
    assert first_codes(rows) == schema_document("audit-line")["required"]


def test_the_rules_of_an_audit_line() -> None:
    """All that the guard knows, but for the two refusals that no log can have."""
    rows = tables(section(CONTRACT, "The write boundary"))[1]
    told = [rule for row in rows for rule in codes(row[0])]
    assert len(told) == len(set(told))
    assert set(told) == set(REASONS) - {"no-project", "audit"} | {"staging", "author-accepts"}


def test_what_the_second_fence_watches_is_what_is_said_to_be_protected() -> None:
    (rows,) = tables(section(THREATS, "What is protected"))
    told = {code.rstrip("/") for row in rows for code in codes(row[1])}
    assert told == {*layout.FENCED_FILES, *layout.FENCED_FOLDERS, layout.CHECKPOINT}


def test_who_may_write_what() -> None:
    (rows,) = tables(section(THREATS, "Who may write what"))
    told = {row[0]: tuple(codes(row[1])) for row in rows if row[0] in roles.ROLES}
    assert told == {role.agent: role.writes for role in roles.ROLES.values()}
    own = {code.rstrip("/") for code in codes(section(THREATS, "Who may write what").split("|")[0])}
    assert {*roles.OWN_STAGING, layout.CHECKPOINT} <= own


def test_which_tools_the_guard_knows() -> None:
    text = section(THREATS, "What the guard decides")
    (spared,) = re.findall(r"every tool but (.*), which change nothing", text)
    assert set(codes(spared)) == set(decision.READ_ONLY)
    (rows,) = tables(text)
    (writing,) = [row[0] for row in rows if row[1].startswith("allow")]
    assert set(codes(writing)) - {"staging/"} == set(decision.PATH_KEYS)


# --- the glossary ----------------------------------------------------------------------------


def test_every_term_has_both_names_and_one_line() -> None:
    (terms,) = tables(read(GLOSSARY).split("\n## ")[0])
    names = [row[0] for row in terms]
    assert names == sorted(names, key=str.lower) and len(names) == len(set(names)) > 40
    for row in terms:
        assert re.search(r"[\u4e00-\u9fff]", row[1]) and row[2], row
    house = {
        *("chapter", "volume", "storyline", "foreshadowing", "contract", "gate", "evaluation", "checkpoint"),
        *("staging", "delta", "crossref", "memory", "packet", "role", "journal", "character"),
    }
    assert house <= set(names)


def test_roles_phases_and_decisions_are_named_as_in_the_code() -> None:
    (jobs,) = tables(section(GLOSSARY, "分工 Roles"))
    assert {row[0]: row[1] for row in jobs} == {role.agent: role.title for role in roles.ROLES.values()}
    every = {**roles.CHAPTER_AGENTS, **roles.SETUP_AGENTS, **roles.VOLUME_AGENTS}
    assert {row[0]: tuple(listed(row[2])) for row in jobs} == {
        agent: tuple(phase for phase, who in every.items() if who == agent) for agent in roles.ROLES
    }
    (phases,) = tables(section(GLOSSARY, "步骤 Phases"))
    assert {row[0]: row[1] for row in phases} == dict(roles.PHASE_TITLES)
    (decisions,) = tables(section(GLOSSARY, "门控的裁定 The gate's decisions"))
    assert {row[0]: row[1] for row in decisions} == DECISIONS


# --- every page ------------------------------------------------------------------------------


@pytest.mark.parametrize("path", WRITTEN)
def test_links_lead_somewhere(path: str) -> None:
    for target in re.findall(r"\]\(([^)#][^)]*)\)", read(path)):
        place = (ROOT / path).parent / target.split("#")[0]
        assert place.exists(), target


@pytest.mark.parametrize("path", WRITTEN)
def test_every_command_shown_exists(path: str) -> None:
    text = re.sub(r"```json.*?```", "", read(path), flags=re.S)
    shown = re.findall(r"`novel ([a-z][a-z-]*)", text) + re.findall(r"^\$ novel ([a-z-]+)", text, re.M)
    assert [name for name in shown if name not in {*COMMANDS, "help"}] == []


@pytest.mark.parametrize("path", WRITTEN)
def test_every_target_shown_exists(path: str) -> None:
    makefile = read("Makefile")
    for target in re.findall(r"`make ([a-z-]+)", read(path)):
        assert re.search(rf"^{target}:", makefile, re.M), target


@pytest.mark.parametrize("path", WRITTEN)
def test_every_file_of_ours_shown_exists(path: str) -> None:
    folders = "agents|bin|docs|hooks|novel_hooks|requirements|scripts|skills|tests|tools"
    for name in re.findall(rf"`((?:{folders})/[\w./-]*)`", read(path)):
        assert (ROOT / name).exists(), name


@pytest.mark.parametrize("path", [path for path in WRITTEN if path != "README.md"])
def test_lines_of_english_pages_are_short(path: str) -> None:
    text = re.sub(r"^```console$.*?^```$", "", read(path), flags=re.M | re.S)
    text = re.sub(r"^(\||!\[).*$", "", text, flags=re.M)
    assert [line for line in text.splitlines() if len(line) > 120] == []


def test_every_module_named_exists_and_no_room_is_left_out() -> None:
    text = read("docs/architecture.md")
    assert text.count("\n") <= 120
    package = r"(?:rules|store|flows|hook|cli)(?:\.[a-z_]+)+"
    named = set(re.findall(rf"`({package})(?:\([a-z]+\))?`", text))
    unknown = [name for name in named if not exists(name)]
    assert unknown == []
    rooms = {path.parent for path in (ROOT / "novel_hooks").glob("*/*/__init__.py")}
    for room in rooms:
        assert f"`{room.parent.name}.{room.name}`" in text, room
        assert (room / "__init__.py").read_text("utf-8").startswith('"""'), "a room says what lives there"


def exists(name: str) -> bool:
    """Is there a module, or a function of a module, of that dotted name in the package?"""
    place = ROOT / "novel_hooks" / name.replace(".", "/")
    if place.is_dir() or place.with_suffix(".py").is_file():
        return True
    module = place.parent.with_suffix(".py")
    return module.is_file() and f"def {place.name}(" in module.read_text("utf-8")


def test_layers_are_those_that_are_checked() -> None:
    checked = re.findall(r"^layers = (\[.*\])$", read("pyproject.toml"), re.M)
    text = read("docs/architecture.md")
    folders = {path.parent.name for path in (ROOT / "novel_hooks").rglob("__init__.py")}
    kernel = {path.stem for path in (ROOT / "novel_hooks").glob("*.py")}
    for layers in checked:
        for name in (folders | kernel).intersection(re.findall(r"\w+", layers)):
            assert re.search(rf"\b{name}\b", text), name


def test_a_room_holds_three_to_twelve_modules() -> None:
    """Or, at the top of `cli`, `store` and the others, folders alone."""
    for folder in (ROOT / "novel_hooks").rglob("__init__.py"):
        modules = [path for path in folder.parent.glob("*.py") if path.name != "__init__.py"]
        rooms = list(folder.parent.glob("*/__init__.py"))
        assert len(modules) <= 12 and (len(modules) >= 3 or rooms), folder.parent


@pytest.mark.parametrize("layer", ["rules", "store", "hook"])
def test_every_module_has_tests_by_its_name(layer: str) -> None:
    modules = [path for path in (ROOT / "novel_hooks" / layer).rglob("*.py") if path.name != "__init__.py"]
    places = [path.relative_to(ROOT / "novel_hooks") for path in modules]
    tests = [ROOT / "tests" / "unit" / place.with_name(f"test_{place.name}") for place in places]
    assert [str(path.relative_to(ROOT)) for path in tests if not path.is_file()] == []


@pytest.mark.parametrize("path", ADRS)
def test_a_decision_is_one_page_of_one_form(path: str) -> None:
    text = read(path)
    number = os.path.basename(path)[:4]
    assert text.startswith(f"# {number}. ")
    assert re.findall(r"^## (.+)$", text, re.M) == ["Context", "Decision", "Consequences"]
    assert 15 <= text.count("\n") <= 60
    assert f"(adr/{os.path.basename(path)})" in read("docs/architecture.md")


def test_decisions_are_numbered_without_a_gap() -> None:
    assert [int(os.path.basename(path)[:4]) for path in ADRS] == list(range(1, len(ADRS) + 1))


def test_the_dependencies_page_names_what_is_installed() -> None:
    text = read("docs/adr/0004-dependencies.md")
    for name in ("runtime", "dev"):
        pins = [
            re.split(r"[>=<]", line)[0].strip()
            for line in read(f"requirements/{name}.in").splitlines()
            if line and line[0] not in "#-"
        ]
        assert pins
        assert [pin for pin in pins if pin not in text] == []
    closure = set(re.findall(r"^([a-z][\w-]*)==", read("requirements/runtime.txt"), re.M))
    assert [name for name in closure if name.replace("ruamel-yaml", "ruamel.yaml") not in text] == []


def test_the_changelog_has_this_version() -> None:
    assert re.search(rf"^## \[{re.escape(__version__)}\]", read("CHANGELOG.md"), re.M)


# --- the author's pages -----------------------------------------------------------------------


COMMANDS_PAGE = "docs/user/commands.md"
TROUBLE = "docs/user/trouble.md"
FILES = "docs/user/files.md"


ANYTHING = "\0"


def globbed(text: str, fields: str) -> str:
    """The text with each of its fields as ANYTHING, code marks left out."""
    return re.sub(fields, ANYTHING, text.replace("`", ""))


@functools.cache
def templates() -> list[str]:
    """Every Chinese text that the package and the launcher can show, its fields as ANYTHING."""
    found: list[str] = []
    for path in (ROOT / "novel_hooks").rglob("*.py"):
        found += re.findall(r'"([^"\n]*[\u4e00-\u9fff][^"\n]*)"', path.read_text(encoding="utf-8"))
    for path in (ROOT / "scripts").glob("*.sh"):
        found += re.findall(r'"([^"\n]*[\u4e00-\u9fff][^"\n]*)"', path.read_text(encoding="utf-8"))
    found += re.findall(r"'([^'\n]*[\u4e00-\u9fff][^'\n]*)'", read("hooks/guard") + read("hooks/notice"))
    shapes = {globbed(text, r"\{[^{}]*\}|\$\([^()]*\)|\$\w+") for text in found}
    return [shape for shape in shapes if len(shape.replace(ANYTHING, "")) >= 6]


def meet(one: str, other: str) -> bool:
    """Is there a text that both patterns fit? ANYTHING in either stands for any text."""

    @functools.cache
    def fits(i: int, j: int) -> bool:
        a, b = one[i : i + 1], other[j : j + 1]
        if ANYTHING in (a, b):
            return (a == ANYTHING and (fits(i + 1, j) or (bool(b) and fits(i, j + 1)))) or (
                b == ANYTHING and (fits(i, j + 1) or (bool(a) and fits(i + 1, j)))
            )
        return a == b and (not a or fits(i + 1, j + 1))

    return fits(0, 0)


def troubles() -> list[str]:
    (rows,) = tables(section(TROUBLE, "写作助手说的"))
    return [code for row in rows for code in codes(row[0]) if len(code) > 6]


def test_patterns_meet() -> None:
    assert meet(f"第 {ANYTHING} 章", "第 12 章")
    assert meet(f"第 2 章（从{ANYTHING}开始）", f"第 {ANYTHING} 章（从{ANYTHING}）")
    assert not meet(f"第 {ANYTHING} 章", "第 12 回")
    assert not meet("读不懂", "读不懂。")


@pytest.mark.parametrize("shown", troubles())
def test_what_an_author_is_told_to_look_for_can_appear(shown: str) -> None:
    assert any(meet(globbed(shown, "…"), shape) for shape in templates()), shown


# What a page calls missing, and what would be there if it were not.
NOT_YET = {
    "`recover`": lambda: "recover" in COMMANDS,
    "`doctor`": lambda: "doctor" in COMMANDS,
}


@pytest.mark.parametrize("name", NOT_YET)
def test_what_is_called_missing_is_missing(name: str) -> None:
    assert (name in section(TROUBLE, "这一版还没有的")) != NOT_YET[name]()


def test_the_folders_told_are_the_projects() -> None:
    told = {code.rstrip("/") for rows in tables(read(FILES)) for row in rows for code in codes(row[0])}
    known = {
        *(layout.BRIEF, layout.STYLE_PROFILE, layout.BLACKLIST, layout.CONFIG, layout.CHECKPOINT),
        *(layout.OWN, layout.LOCK_DIR, layout.FORESHADOWING, layout.volume_dir(1), *layout.PROJECT_DIRS),
        *(layout.STORYLINES, layout.STORYLINE_SPEC, layout.volume_review(1), layout.volume_review_data(1)),
        *(layout.RESEARCH, layout.STYLE_SAMPLES, layout.SENSITIVE_WORDS, layout.EXPORTS, layout.RETIRED),
    }
    assert told - {"staging", "memory.md"} <= known, told - known
    tops = {place.split("/")[0] for place in layout.PROJECT_DIRS}
    assert tops <= {place.split("/")[0] for place in told}


def test_the_marketplace_is_the_one_to_install_from() -> None:
    market = json.loads(read(".claude-plugin/marketplace.json"))
    install = f"claude plugin install {market['plugins'][0]['name']}@{market['name']}"
    assert [read(page).count(install) for page in ("README.md", "README.en.md", TROUBLE)] == [1, 1, 1]


def test_the_readme_is_chinese_short_and_leads_to_every_page() -> None:
    text = read("README.md")
    assert re.search(r"[\u4e00-\u9fff]", text.splitlines()[0])
    assert len(text.encode("utf-8")) <= 10_000
    assert [page for page in [*USER, "README.en.md"] if f"({page})" not in text] == []
    assert "`make test`" in text, "what .ci/run calls"


def headings(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub and most viewers make them."""
    found = re.findall(r"^#+ (.+)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


@pytest.mark.parametrize("path", WRITTEN)
def test_every_link_leads_somewhere(path: str) -> None:
    for target in re.findall(
        r"\]\((?!https?:)([^)\s]+)\)", re.sub(r"```.*?```|`[^`\n]*`", "", read(path), flags=re.S)
    ):
        name, _, anchor = target.partition("#")
        place = (ROOT / path).parent / name if name else ROOT / path
        assert place.exists(), target
        assert not anchor or anchor in headings(place.read_text("utf-8")), target


def test_what_the_readme_shows_of_a_chapter_is_the_samples() -> None:
    shown = [line[2:] for line in re.findall(r"^> .+$", read("README.md"), re.M)]
    sample = "\n".join(path.read_text("utf-8") for path in (ROOT / "novel_hooks/sample").rglob("*.md"))
    assert len(shown) >= 5 and [line for line in shown if line not in sample] == []


def test_the_pages_say_nothing_of_machines() -> None:
    for path in WRITTEN:
        assert not re.search(r"(?<![\w.`:/])/(?:home|root|tmp|usr|work)/", read(path)), path


def test_the_copy_of_a_page_would_be_noticed(tmp_path: Path) -> None:
    """The table reader reads: a row taken away is missed."""
    place = tmp_path / "page.md"
    shutil.copyfile(ROOT / CONTRACT, place)
    text = place.read_text(encoding="utf-8").replace("| 4 | busy", "| 44 | busy")
    assert [row[0] for row in tables(text)[2]].count("44") == 1


def test_the_two_groups_of_commands() -> None:
    """The page and `novel --help` list every command once, the author's apart from those that Claude runs."""
    rows = dict(re.findall(r"^\| (你|Claude 替你用) \| (.*) \|$", read(COMMANDS_PAGE), re.M))
    told = {who: re.findall(r"`([a-z-]+)(?: 文件夹)?`", row) for who, row in rows.items()}
    assert [name for name in told["Claude 替你用"] if name in COMMANDS] == list(FOR_CLAUDE)
    assert told["你"] == [name for name in COMMANDS if name not in FOR_CLAUDE]
    mine, theirs = call("help", ["--all"], {}).text.split("Claude 替你用")
    for name in COMMANDS:
        assert (f"\n  {name} " in mine, f"\n  {name} " in theirs) == (
            name not in FOR_CLAUDE,
            name in FOR_CLAUDE,
        )
