"""Who may call what, and in which project."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from guarding import event, event_text, make_project

from novel_hooks import roles, root
from novel_hooks.hook.client import event as events
from novel_hooks.hook.guard import decision
from novel_hooks.hook.guard.decision import PATH_KEYS, READ_ONLY, Verdict
from novel_hooks.hook.guard.reasons import ALLOWED, REASONS
from novel_hooks.store.files.project import Project
from novel_hooks.store.lock import lock
from novel_hooks.store.lock.lock import Owner


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return make_project(tmp_path / "book")


def decide(given: dict[str, Any], **environ: str) -> Verdict | None:
    parsed = events.parse(event_text(given).encode("utf-8"))
    assert parsed is not None
    found: Verdict | None = decision.decide(parsed, environ)
    return found


def rule(given: dict[str, Any], **environ: str) -> str:
    """The rule that decides, `silent` when none does."""
    verdict = decide(given, **environ)
    return "silent" if verdict is None else verdict.rule


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


# --- which project ---------------------------------------------------------------------------------


def test_the_folder_may_be_missing_above_or_below(book: Path) -> None:
    for cwd in (None, "", "/", str(book.parent), f"{book}/..", str(book), f"{book}/staging/chapters"):
        assert rule(event(book, cwd=cwd)) == "staging", cwd


def test_a_folder_that_has_nothing_to_do_with_it(book: Path, tmp_path: Path) -> None:
    for name in ("elsewhere", "boo", "book2"):
        (tmp_path / name).mkdir()
        assert rule(event(book, cwd=str(tmp_path / name))) == "other-project"


def test_another_novel(book: Path, tmp_path: Path) -> None:
    other = make_project(tmp_path / "other")
    verdict = decide(event(other, cwd=str(book)))
    assert verdict is not None
    assert (verdict.rule, verdict.project, verdict.path) == (
        "other-project",
        str(book),
        f"{other}/staging/chapters/chapter-001.md",
    )


def test_one_project_by_two_names(book: Path, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(book)
    (tmp_path / "desk").symlink_to(book / "staging")
    assert rule(event(book, cwd=str(tmp_path / "alias"))) == "staging"
    assert rule(event(tmp_path / "alias", cwd=str(book))) == "staging"
    assert rule(event(book, cwd=str(tmp_path / "desk"))) == "staging"


def test_no_novel_at_all(tmp_path: Path) -> None:
    given = event(tmp_path)
    verdict = decide(given)
    assert verdict is not None
    assert (verdict.rule, verdict.project) == ("no-project", None)
    assert rule({**given, "agent_type": "chapter-writer"}) == "silent"
    assert rule({**given, "agent_type": "chapter-writer", "tool_name": "Bash"}) == "silent"


def test_another_programs_checkpoint_makes_no_novel_of_its_folder(tmp_path: Path) -> None:
    """Its agent may be called as ours: with a bare name it is nobody's affair. Ours are still judged."""
    place = tmp_path / "trainer"
    place.mkdir()
    (place / ".checkpoint.json").write_text('{"step": 5}', encoding="ascii")
    bare = event(place, agent_type="summarizer", tool_input={"file_path": f"{place}/out.md"})
    for call in (bare, {**bare, "tool_name": "Bash", "tool_input": {"command": "ls"}}):
        assert rule(call) == "silent"
        assert rule({**call, "agent_type": "novel:summarizer"}) != "silent"
    assert [entry.name for entry in place.iterdir()] == [".checkpoint.json"]


@pytest.mark.parametrize(
    "said",
    [
        "{}",
        "",
        "{",
        '{"step": 5',
        "[]",
        "7",
        '{"orchestrator_state": null}',
        '{"step": 5, "current_volume": 1}',
    ],
)
def test_a_checkpoint_that_may_be_ours_is_ours(tmp_path: Path, said: str) -> None:
    place = tmp_path / "book"
    place.mkdir()
    (place / ".checkpoint.json").write_text(said, encoding="ascii")
    bare = event(place, agent_type="summarizer", tool_input={"file_path": f"{place}/out.md"})
    assert rule(bare) == "outside-staging"


@pytest.mark.parametrize("sign", [".novel", "staging", "chapters"])
def test_a_folder_with_a_sign_of_a_novel_is_one(tmp_path: Path, sign: str) -> None:
    (tmp_path / sign).mkdir()
    (tmp_path / ".checkpoint.json").write_text('{"step": 5}', encoding="ascii")
    bare = event(tmp_path, agent_type="summarizer", tool_input={"file_path": f"{tmp_path}/out.md"})
    assert rule(bare) == "outside-staging"


def test_another_programs_folder_inside_a_novel_or_beside_it(book: Path, tmp_path: Path) -> None:
    """No way round the guard."""
    inner, beside = book / "tools", tmp_path / "beside"
    for folder in (inner, beside):
        folder.mkdir()
        (folder / ".checkpoint.json").write_text('{"step": 5}', encoding="ascii")
    bare = event(book, agent_type="summarizer")
    for cwd in (inner, book):
        assert (
            rule({**bare, "cwd": str(cwd), "tool_input": {"file_path": f"{inner}/x.md"}}) == "outside-staging"
        )
    assert rule({**bare, "cwd": str(beside)}) == "other-project"
    assert rule({**bare, "tool_input": {"file_path": f"{beside}/x.md"}}) == "outside-project"
    assert not (beside / "logs").exists() and not (inner / "logs").exists()


def test_a_bare_name_is_ours_by_the_target_or_by_the_folder(book: Path, tmp_path: Path) -> None:
    bare = event(book, agent_type="chapter-writer", tool_input={"file_path": f"{book}/x"})
    assert rule({**bare, "cwd": str(tmp_path)}) == "outside-staging"
    shell = event(book, agent_type="chapter-writer", tool_name="Bash")
    assert rule(shell) == "tool-shell"
    assert rule({**shell, "cwd": str(tmp_path)}) == "silent"


def test_the_clients_project_folder_stands_in_for_a_missing_one(book: Path) -> None:
    shell = event(None, agent_type="chapter-writer", tool_name="Bash")
    assert rule(shell) == "silent"
    assert rule(shell, CLAUDE_PROJECT_DIR=str(book)) == "tool-shell"


def test_outside_every_project(book: Path) -> None:
    verdict = decide(event(book, tool_input={"file_path": "/etc/x"}))
    assert verdict is not None
    assert (verdict.rule, verdict.project, verdict.path) == ("outside-project", str(book), "/etc/x")


def test_a_checkpoint_in_staging_makes_no_project(book: Path) -> None:
    """Else an agent could make one there and call its own folder the root."""
    fake = book / "staging" / "fake"
    (fake / "staging").mkdir(parents=True)
    (fake / ".checkpoint.json").write_text("{}", encoding="ascii")
    assert root.find_root(str(fake)) == str(book)
    verdict = decide(event(book, cwd=str(fake), tool_input={"file_path": f"{fake}/staging/x"}))
    assert verdict is not None
    assert (verdict.rule, verdict.path) == ("staging", "staging/fake/staging/x")
    (book / "Staging").mkdir()
    (book / "Staging" / ".checkpoint.json").write_text("{}", encoding="ascii")
    assert root.find_root(str(book / "Staging")) == str(book)


def test_a_project_may_lie_in_a_folder_called_staging(tmp_path: Path) -> None:
    book = make_project(tmp_path / "staging" / "book")
    assert rule(event(book)) == "staging"
    assert rule(event(book, tool_input={"file_path": f"{tmp_path}/staging/x"})) == "outside-project"


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


# --- a folder that is none ---------------------------------------------------------------------------


@pytest.mark.parametrize("cwd", ["book", "./book", "/a\0b"])
def test_a_folder_that_is_no_whole_path_leads_to_no_project(
    book: Path, cwd: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(book.parent)
    shell = event(None, cwd=cwd, tool_name="Bash", agent_type="chapter-writer")
    assert rule(shell) == "silent"
    assert rule({**shell, "agent_type": "novel:chapter-writer"}) == "no-project"


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
