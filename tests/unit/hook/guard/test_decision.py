"""Who may call what, and in which project."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from guarding import decide, event, event_text, make_project, rule

from novel_hooks import roles
from novel_hooks.hook.guard.decision import PATH_KEYS, READ_ONLY, Verdict
from novel_hooks.hook.guard.reasons import ALLOWED, REASONS
from novel_hooks.store.files.project import Project
from novel_hooks.store.lock import lock
from novel_hooks.store.lock.lock import Owner


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return make_project(tmp_path / "book")


@pytest.mark.parametrize(
    ("tool", "wanted"),
    [
        *((tool, "silent") for tool in READ_ONLY),
        *((tool, "staging") for tool in PATH_KEYS),
        ("Bash", "tool-shell"),
        ("Agent", "tool-agent"),
        ("Task", "tool-agent"),
        ("NotebookEdit", "tool-notebook"),
        ("mcp__files__write_file", "tool"),
        ("WebFetch", "tool"),
        ("TodoWrite", "tool"),
        ("write", "tool"),
        ("Write ", "tool"),
        ("", "tool"),
        (None, "tool"),
    ],
)
def test_tools(book: Path, tool: str | None, wanted: str) -> None:
    assert rule(event(book, tool_name=tool)) == wanted


def test_a_tool_name_that_is_no_text(book: Path) -> None:
    assert rule({**event(book), "tool_name": ["Write"]}) == "tool"


@pytest.mark.parametrize("tool", PATH_KEYS)
def test_only_the_tools_own_key_names_the_file(book: Path, tool: str) -> None:
    other = {"path": f"{book}/staging/x", "notebook_path": f"{book}/staging/x"}
    assert rule(event(book, tool_name=tool, tool_input=other)) == "path-missing"
    both = {"file_path": f"{book}/chapters/x", "path": f"{book}/staging/x"}
    assert rule(event(book, tool_name=tool, tool_input=both)) == "outside-staging"


@pytest.mark.parametrize("given", [None, 5, "x", ["file_path"], {}])
def test_an_input_that_names_no_file(book: Path, given: object) -> None:
    assert rule({**event(book), "tool_input": given}) == "path-missing"


@pytest.mark.parametrize("agent", roles.ROLES)
def test_every_agent_by_the_table(book: Path, agent: str) -> None:
    found = rule(event(book, agent_type=f"novel:{agent}"))
    assert found == ("staging" if roles.ROLES[agent].writes else "read-only-role")


PLANS = [
    (agent, output.pattern.format(V="vol-01", C="chapter-001", ID="cen-si", STEP=f"setup-{phase}"))
    for agents, table in (
        (roles.SETUP_AGENTS, roles.SETUP_OUTPUTS),
        (roles.VOLUME_AGENTS, roles.VOLUME_OUTPUTS),
    )
    for phase, agent in agents.items()
    for output in table[phase]
]


@pytest.mark.parametrize(("agent", "path"), PLANS)
def test_a_planner_writes_its_plans_in_staging_and_nowhere_else(book: Path, agent: str, path: str) -> None:
    staged = event(book, agent_type=f"novel:{agent}", tool_input={"file_path": f"{book}/{path}"})
    assert rule(staged) == "staging"
    landed = path[len("staging/") :]
    given = event(book, agent_type=f"novel:{agent}", tool_input={"file_path": f"{book}/{landed}"})
    assert rule(given) == "outside-staging"
    assert rule(event(book, agent_type=f"novel:{agent}", tool_name="Bash")) == "tool-shell"


def test_the_judge_reads_on(book: Path) -> None:
    assert rule(event(book, agent_type="novel:quality-judge", tool_name="Read")) == "silent"
    assert rule(event(book, agent_type="novel:quality-judge", tool_name="Bash")) == "tool-shell"


# --- what the log is told ---------------------------------------------------------------------------


def test_the_path_told_is_the_projects_own(book: Path) -> None:
    for raw, told in {
        f"{book}/./staging//x.md": "staging/x.md",
        "staging/../chapters/x.md": "chapters/x.md",
        " staging/x.md": " staging/x.md",
        "/etc/x": "/etc/x",
    }.items():
        verdict = decide(event(book, tool_input={"file_path": raw}))
        assert verdict is not None
        assert verdict.path == told
    shell = decide(event(book, tool_name="Bash", tool_input={"command": "ls"}))
    assert shell is not None
    assert shell.path is None


def test_a_path_that_is_no_text_is_not_told(book: Path) -> None:
    verdict = decide(event(book, tool_input={"file_path": 5}))
    assert verdict is not None
    assert (verdict.rule, verdict.path) == ("path-missing", None)


def test_what_is_allowed_is_told_with_its_project_and_what_is_refused_with_its_sentence(book: Path) -> None:
    assert decide(event(book)) == Verdict(
        "allow", "staging", ALLOWED, str(book), "staging/chapters/chapter-001.md"
    )
    assert decide(event(book, tool_name="Bash")) == Verdict(
        "deny", "tool-shell", REASONS["tool-shell"], str(book), None
    )


def test_only_the_file_paths_own_key_is_read(book: Path) -> None:
    given = event(None, tool_name="Bash", tool_input={"": f"{book}/staging/x", "command": "ls"})
    verdict = decide(given)
    assert verdict is not None
    assert (verdict.rule, verdict.path) == ("no-project", None)


# --- the lock -----------------------------------------------------------------------------------------


def hold(book: Path, name: str) -> None:
    lock.acquire(Project(str(book)), Owner(name, None, None, "another-computer"), 1, time.time())


def test_while_another_session_holds_the_chapter_nothing_is_written(book: Path) -> None:
    hold(book, "session-far")
    verdict = decide(event(book))
    assert verdict is not None
    assert (verdict.decision, verdict.rule) == ("deny", "lock")
    assert verdict.reason.startswith("写作锁") and "None" not in verdict.reason
    assert "novel lock status" in verdict.reason
    assert rule(event(book), NOVEL_OWNER="session-far") == "staging"
    assert rule(event(book, session_id="session-far")) == "staging"
    assert rule(event(book, session_id=None)) == "lock"


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"tool_input": {"file_path": "{P}/x"}}, "outside-staging"),
        ({"tool_name": "Bash"}, "tool-shell"),
        ({"agent_type": "novel:quality-judge"}, "read-only-role"),
        ({"tool_input": {}}, "path-missing"),
    ],
)
def test_what_is_never_allowed_is_told_as_that_and_not_as_the_lock(
    book: Path, changes: dict[str, Any], wanted: str
) -> None:
    hold(book, "session-far")
    given = event_text(event(book, **changes)).replace("{P}", str(book))
    assert rule(json.loads(given)) == wanted
