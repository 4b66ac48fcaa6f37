"""Every row of the guard's cases, and what must hold around them, through the very command in hooks.json."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import CHECKOUT
from guarding import (
    Outcome,
    ask,
    audit_lines,
    copy_plugin,
    event,
    event_text,
    guarded_names,
    hook,
    make_project,
)

from novel_hooks import roles
from novel_hooks.hook.guard.decision import PATH_KEYS, READ_ONLY
from novel_hooks.hook.guard.reasons import REASONS
from novel_hooks.store.schema import schema

CASES = json.loads(Path(CHECKOUT, "tests", "cases", "guard.json").read_text(encoding="utf-8"))["cases"]
UNWRITABLE = "audit cannot be written: even a legal write is refused"
SHELLS = {
    "dash": ("dash",),
    "bash": ("bash", "--posix"),
    "busybox": ("busybox", "sh"),
    "ksh": ("ksh",),
    "zsh": ("zsh", "--emulate", "sh"),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "book")


def filled(value: Any, project: Path) -> Any:
    """`{P}` and `{Q}` put in."""
    if isinstance(value, str):
        return value.replace("{P}", str(project)).replace("{Q}", str(project.parent / "other"))
    if isinstance(value, dict):
        return {key: filled(inner, project) for key, inner in value.items()}
    return [filled(inner, project) for inner in value] if isinstance(value, list) else value


def run_case(case: dict[str, Any], project: Path) -> Outcome:
    for line in case.get("setup", ()):
        subprocess.run(["sh", "-c", filled(line, project)], check=True)
    if "raw" in case:
        return ask(filled(case["raw"], project), cwd=project.parent)
    changes = {key: filled(case[key], project) for key in ("agent_type", "tool_name", "tool_input", "cwd")}
    who = {"agent_id": "a1" if case["agent_type"] else None}
    return ask(event(project, hook_event_name=case["event"], **who, **changes), cwd=project.parent)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_case(case: dict[str, Any], project: Path) -> None:
    outcome = run_case(case, project)
    assert outcome.decision == case["expect"]
    assert outcome.stderr == ""
    lines = audit_lines(project)
    known = "no project anywhere" not in case["name"] and case["name"] != UNWRITABLE
    assert len(lines) == (1 if known and case["expect"] != "silent" else 0)
    for line in lines:
        assert line["decision"] == case["expect"]
        assert line["reason"] == outcome.reason
        assert schema.problems("audit-line", line, "logs/audit.jsonl") == []


def test_there_are_cases_of_every_kind() -> None:
    assert {case["expect"] for case in CASES} == {"silent", "allow", "deny"}
    assert len(CASES) > 50


# --- hooks.json ------------------------------------------------------------------------------------


def test_a_failure_of_the_hook_blocks() -> None:
    assert hook()["onFailure"] == "block"
    assert hook()["type"] == "command"
    assert 10 <= hook()["timeout"] <= 60


def test_the_command_is_one_quoted_word() -> None:
    """Unquoted it breaks in a folder with spaces; anything beside the quotes is an error in PowerShell."""
    assert hook()["command"] == '"${CLAUDE_PLUGIN_ROOT}/hooks/guard"'
    assert os.access(os.path.join(CHECKOUT, "hooks", "guard"), os.X_OK)


@pytest.mark.parametrize("tool", READ_ONLY)
def test_reading_is_not_even_asked_about(tool: str) -> None:
    assert re.match(hook()["matcher"], tool) is None


@pytest.mark.parametrize(
    "tool",
    [
        *PATH_KEYS,
        "Bash",
        "NotebookEdit",
        "Agent",
        "Reader",
        "ReadX",
        "mcp__Read__write",
        "Glob2",
        "TodoWrite",
    ],
)
def test_all_else_is(tool: str) -> None:
    assert re.match(hook()["matcher"], tool)


def test_what_the_matcher_spares_is_what_the_decision_spares() -> None:
    assert re.findall(r"\w+", hook()["matcher"]) == list(READ_ONLY)


# --- who is meant ----------------------------------------------------------------------------------


def test_the_shell_part_knows_the_same_agents_as_the_roles() -> None:
    assert guarded_names() == list(roles.ROLES)


@pytest.mark.parametrize("name", roles.ROLES)
@pytest.mark.parametrize("spelled", ["novel:{}", "{}"])
def test_every_agent_is_bounded(name: str, spelled: str, project: Path) -> None:
    write = {"file_path": f"{project}/chapters/chapter-001.md", "content": "x"}
    outcome = ask(event(project, agent_type=spelled.format(name), tool_input=write))
    assert outcome.decision == "deny"
    assert len(audit_lines(project)) == 1


@pytest.mark.parametrize(
    "name", ["novel:CHAPTER-WRITER", "Novel:Chapter-Writer", "NOVEL:chapter-writer", "Chapter-Writer"]
)
def test_the_case_of_a_name_does_not_matter(name: str, project: Path) -> None:
    assert (
        ask(event(project, agent_type=name, tool_name="Bash", tool_input={"command": "ls"})).decision
        == "deny"
    )


@pytest.mark.parametrize(
    "name",
    [
        "other:chapter-writer",
        "chapter-writer-2",
        "my-chapter-writer",
        "novel:other",
        "novel:",
        "",
        "novel:x:summarizer",
    ],
)
def test_other_names_are_not_ours(name: str, project: Path) -> None:
    outcome = ask(event(project, agent_type=name, tool_name="Bash", tool_input={"command": "ls"}))
    assert outcome == (0, "", "")


@pytest.mark.parametrize(
    "spacing",
    ['"agent_type":{}', '"agent_type": {}', '"agent_type" :\n\t {}', '"agent_type":\r\n {}'],
)
def test_spacing_and_order_do_not_matter(spacing: str, project: Path) -> None:
    rest = event_text(event(project, agent_type=None, tool_name="Bash", tool_input={"command": "ls"}))
    for given in (
        "{" + spacing.format('"novel:summarizer"') + "," + rest[1:],
        rest[:-1] + "," + spacing.format('"novel:summarizer"') + "}",
    ):
        assert ask(given).decision == "deny"


def test_a_key_below_the_top_makes_nobody_ours(project: Path) -> None:
    inner = {"agent_type": "novel:chapter-writer", "path": f"{project}/chapters/x.md"}
    assert (
        ask(event(project, agent_type=None, tool_name="mcp__x__spawn", tool_input=inner)).decision == "silent"
    )


def test_a_word_that_is_the_key_makes_nobody_ours(project: Path) -> None:
    edit = {"file_path": f"{project}/x.py", "old_string": "agent_type", "new_string": "summarizer"}
    assert ask(event(project, agent_type=None, tool_name="Edit", tool_input=edit)).decision == "silent"


# --- everywhere ------------------------------------------------------------------------------------


@pytest.mark.parametrize("shell", SHELLS)
def test_in_every_shell(shell: str, project: Path) -> None:
    if shutil.which(SHELLS[shell][0]) is None:
        pytest.skip(f"{shell} is not installed")
    guard = (
        *SHELLS[shell],
        "-c",
        f'exec {" ".join(SHELLS[shell])} "$0"',
        os.path.join(CHECKOUT, "hooks", "guard"),
    )
    formal = {"file_path": f"{project}/chapters/x.md", "content": "x"}
    assert ask(event(project), shell=guard).decision == "allow"
    assert ask(event(project, tool_input=formal), shell=guard).decision == "deny"
    assert ask(event(project, agent_type=None, tool_input=formal), shell=guard).decision == "silent"
    assert ask(event(project, agent_type="Explore", tool_input=formal), shell=guard).decision == "silent"
    lost = {"NOVEL_PYTHON": "/nowhere/python"}
    assert ask(event(project), shell=guard, **lost).decision == "blocked"
    assert ask(event(project, agent_type="CHAPTER-writer"), shell=guard, **lost).decision == "blocked"
    assert ask(event(project, agent_type="x:summarizer"), shell=guard, **lost).decision == "silent"


def test_in_a_plugin_folder_with_blanks_and_chinese(tmp_path: Path, project: Path) -> None:
    plugin = copy_plugin(tmp_path / "小说 插件 (新)")
    assert ask(event(project), plugin=plugin).decision == "allow"
    assert ask(event(project, tool_name="Bash"), plugin=plugin).decision == "deny"


def test_in_a_project_folder_with_blanks_quotes_and_chinese(tmp_path: Path) -> None:
    project = make_project(tmp_path / "我的 \"小说\" 'x' \\ $HOME")
    assert ask(event(project)).decision == "allow"
    assert audit_lines(project)[0]["path"] == "staging/chapters/chapter-001.md"


def test_in_a_locale_of_another_encoding(project: Path) -> None:
    write = {"file_path": f"{project}/staging/chapters/第一章.md", "content": "河"}
    assert ask(event(project, tool_input=write), LC_ALL="C", LANG="zh_CN.GBK").decision == "allow"
    assert audit_lines(project)[0]["path"] == "staging/chapters/第一章.md"


def test_every_refusal_is_one_sentence_and_no_code() -> None:
    for rule, reason in REASONS.items():
        assert reason.count("。") == 1, rule
        assert reason.endswith("。"), rule
        assert "请" in reason, rule
