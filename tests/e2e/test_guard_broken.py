"""Whatever breaks, the guard blocks our agents' calls and is not noticed by anybody else."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from guarding import ask, audit_lines, copy_plugin, event, event_text, make_project
from launching import bare_path, fake_command


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "book")


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    return copy_plugin(tmp_path / "plugin")


def others(project: Path) -> list[bytes]:
    """Calls that are none of our affair, though the last four look a little like it."""
    formal = {"file_path": f"{project}/chapters/x.md", "content": "novel:chapter-writer"}
    calls = [
        event(project, agent_type=None, agent_id=None, tool_input=formal),
        event(project, agent_type="general-purpose", tool_input=formal),
        event(project, agent_type="other:chapter-writer", tool_input=formal),
        event(
            "/nowhere", agent_type="chapter-writer", tool_input={"file_path": "/nowhere/x", "content": "x"}
        ),
        event(project, agent_type="chapter-writer-2", tool_input=formal),
        event(project, agent_type=None, tool_input={**formal, "old_string": "agent_type"}),
    ]
    return [event_text(call).encode("utf-8") for call in calls]


def ours(project: Path) -> list[bytes]:
    return [
        event_text(event(project, agent_type=name)).encode("utf-8")
        for name in ("novel:chapter-writer", "NOVEL:Chapter-Writer", "style-analyzer")
    ]


def check_blocked(
    project: Path, plugin: Path | None = None, cwd: Path | None = None, **environ: str | None
) -> None:
    """Our agents are blocked with one sentence, all others do not notice."""
    place = {} if plugin is None else {"plugin": plugin}
    for given in ours(project):
        outcome = ask(given, cwd=cwd or project.parent, **place, **environ)
        assert outcome.decision == "blocked"
        assert "novel status" in outcome.stderr
    for given in others(project):
        assert ask(given, cwd=cwd or project.parent, **place, **environ) == (0, "", "")


# --- Python ----------------------------------------------------------------------------------------


def test_python_is_not_where_it_should_be(project: Path) -> None:
    check_blocked(project, NOVEL_PYTHON="/nowhere/python")


def test_no_python_at_all(plugin: Path, project: Path, tmp_path: Path) -> None:
    check_blocked(project, plugin, NOVEL_PYTHON=None, PATH=bare_path(tmp_path))


def test_nothing_at_all_on_path(plugin: Path, project: Path) -> None:
    """Not even `cat`: the shell alone reads the event."""
    check_blocked(project, plugin, NOVEL_PYTHON=None, PATH="/nowhere")


def test_python_too_old(project: Path, tmp_path: Path) -> None:
    lie = 'exec "$REAL" -I -S -c "import sys; sys.version_info = (3, 8); exec(sys.argv.pop(1))" "$6" "$7"'
    fake_command(tmp_path / "old", "python3", lie)
    old = {"NOVEL_PYTHON": str(tmp_path / "old" / "python3"), "REAL": sys.executable}
    check_blocked(project, **old)
    fake_command(tmp_path / "old", "python3", lie.replace("(3, 8)", "(3, 9)"))
    assert ask(event(project), **old).decision == "allow"


def test_python_that_crashes(project: Path, tmp_path: Path) -> None:
    fake_command(tmp_path / "bad", "python3", "echo '{\"half\":' >&2; kill -SEGV $$")
    check_blocked(project, NOVEL_PYTHON=str(tmp_path / "bad" / "python3"))


def test_without_an_environment_any_new_enough_python_will_do(
    plugin: Path, project: Path, tmp_path: Path
) -> None:
    fake_command(tmp_path / "bad", "python3", "exit 1")
    fake_command(tmp_path / "good", "python3.12", f'exec "{sys.executable}" "$@"')
    path = bare_path(tmp_path, tmp_path / "bad", tmp_path / "good")
    assert ask(event(project), plugin=plugin, NOVEL_PYTHON=None, PATH=path).decision == "allow"
    assert not (tmp_path / "plugin" / ".venv").exists(), "a hook builds nothing"


def test_without_a_home_too(plugin: Path, project: Path, tmp_path: Path) -> None:
    fake_command(tmp_path / "good", "python3", f'exec "{sys.executable}" "$@"')
    path = bare_path(tmp_path, tmp_path / "good")
    assert ask(event(project), plugin=plugin, NOVEL_PYTHON=None, HOME=None, PATH=path).decision == "allow"


# --- the package -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "part",
    [
        "novel_hooks/hook/guard/pre_tool_use.py",
        "novel_hooks/hook/guard/decision.py",
        "novel_hooks/roles.py",
        "scripts/find-python.sh",
    ],
)
def test_a_part_is_missing(part: str, plugin: Path, project: Path) -> None:
    (plugin / part).unlink()
    check_blocked(project, plugin)


def test_a_part_is_cut_off(plugin: Path, project: Path) -> None:
    part = plugin / "novel_hooks" / "hook" / "guard" / "target.py"
    part.write_bytes(part.read_bytes()[:700])
    check_blocked(project, plugin)


@pytest.mark.parametrize(
    "fault", ["raise RuntimeError", "print('{}'); 1 / 0", "print('{}'); raise SystemExit"]
)
def test_a_part_raises(fault: str, plugin: Path, project: Path) -> None:
    part = plugin / "novel_hooks" / "hook" / "guard" / "turn.py"
    source = part.read_text(encoding="utf-8")
    head, body = source.split("def other_holder", 1)
    signature, rest = body.split("\n", 1)
    part.write_text(f"{head}def other_holder{signature}\n    {fault}\n{rest}", encoding="utf-8")
    for given in ours(project):
        assert ask(given, plugin=plugin).decision == "blocked"


def test_the_decision_cannot_be_told(project: Path) -> None:
    """stdout is closed: nobody heard `allow`, so it was not said."""
    shell = ("sh", "-c", 'exec sh -c "$0" >&-')
    outcome = ask(event(project), shell=shell)
    assert outcome.exit == 2


# --- the event -------------------------------------------------------------------------------------


def test_an_event_that_is_cut_off(project: Path) -> None:
    whole = event_text(event(project)).encode("utf-8")
    named = whole.index(b"novel:chapter-writer") + len(b"novel:chapter-writer")
    for cut in {*range(0, len(whole), 11), named - 1, named, named + 1, len(whole) - 1}:
        outcome = ask(whole[:cut], cwd=project.parent)
        assert outcome.decision == ("blocked" if cut >= named else "silent"), whole[:cut]
    assert ask(whole).decision == "allow"


def test_the_main_sessions_event_that_is_cut_off(project: Path) -> None:
    whole = event_text(event(project, agent_type=None)).encode("utf-8")
    for cut in range(0, len(whole), 23):
        assert ask(whole[:cut], cwd=project.parent) == (0, "", "")


@pytest.mark.parametrize(
    "given",
    [
        '["agent_type","novel:chapter-writer"]',
        '{"agent_type":"novel:chapter-writer"}{}',
        '{"agent_type":"novel:chapter-writer","x":NaN}',
        '{"agent_type":"novel:chapter-writer","cwd":5}',
        '{"agent_type":"novel:chapter-writer","x":' + "[" * 99999,
        "{'agent_type':'x',\"agent_type\":\"novel:chapter-writer\"",
    ],
)
def test_an_event_that_is_no_event(given: str, project: Path) -> None:
    wanted = "silent" if given.startswith("[") else "blocked"
    assert ask(given, cwd=project).decision == wanted


@pytest.mark.parametrize(
    "given", [b"", b"\n", b"null", b"novel:chapter-writer", b"\xff\xfe\x00", b'{"agent_type":null}']
)
def test_nothing_to_decide(given: bytes) -> None:
    outcome = ask(given)
    assert (outcome.exit, outcome.stdout) == (0, "")


@pytest.mark.parametrize("odd", [b"\xff\xfe", b"\xed\xa0\x80", b"\\ud800", "\ufeff".encode(), b"\0"])
def test_odd_bytes_in_a_text_change_nothing(odd: bytes, project: Path) -> None:
    whole = event_text(event(project)).encode("utf-8").replace("河上".encode(), odd)
    assert ask(whole).decision == "allow"
    formal = whole.replace(b"/staging/", b"/")
    assert ask(formal).decision == "deny"


def test_a_byte_order_mark(project: Path) -> None:
    assert ask(b"\xef\xbb\xbf" + event_text(event(project)).encode("utf-8")).decision == "allow"


def test_a_very_long_text(project: Path) -> None:
    content = '他说："走。"\n' * 100_000
    write = {"file_path": f"{project}/staging/chapters/x.md", "content": content}
    assert ask(event(project, tool_input=write)).decision == "allow"
    assert ask(event(project, agent_type=None, tool_input=write)).decision == "silent"


# --- where a failed call comes from ----------------------------------------------------------------


def test_a_bare_name_counts_where_the_novel_is_found_by_any_sign(project: Path, tmp_path: Path) -> None:
    lost = {"NOVEL_PYTHON": "/nowhere/python"}
    bare = event(None, agent_type="summarizer", tool_input={"file_path": "x"})
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert ask(bare, cwd=elsewhere, **lost).decision == "silent"
    assert ask(bare, cwd=project / "chapters", **lost).decision == "blocked"
    assert ask(bare, cwd=elsewhere, CLAUDE_PROJECT_DIR=str(project), **lost).decision == "blocked"
    assert ask({**bare, "cwd": str(project / "staging")}, cwd=elsewhere, **lost).decision == "blocked"
    assert ask({**bare, "cwd": str(elsewhere)}, cwd=elsewhere, **lost).decision == "silent"


# --- the audit log ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", ["link", "dangling link", "hard link", "folder", "pipe", "logs link", "logs file"]
)
def test_what_cannot_be_recorded_is_not_allowed(kind: str, project: Path, tmp_path: Path) -> None:
    log, aside = project / "logs" / "audit.jsonl", tmp_path / "aside"
    if not kind.startswith("logs"):
        log.parent.mkdir()
    {
        "link": lambda: (aside.touch(), log.symlink_to(aside)),
        "dangling link": lambda: log.symlink_to(aside),
        "hard link": lambda: (aside.touch(), os.link(aside, log)),
        "folder": log.mkdir,
        "pipe": lambda: os.mkfifo(log),
        "logs link": lambda: (aside.mkdir(), log.parent.symlink_to(aside)),
        "logs file": lambda: log.parent.touch(),
    }[kind]()
    outcome = ask(event(project))
    assert outcome.decision == "deny"
    assert "audit.jsonl" in outcome.reason
    formal = ask(event(project, tool_input={"file_path": f"{project}/chapters/x.md"}))
    assert formal.decision == "deny"
    assert "audit.jsonl" not in formal.reason, "the call's own fault is what the agent must hear"
    assert not aside.exists() or (
        list(aside.iterdir()) == [] if aside.is_dir() else aside.read_bytes() == b""
    )


def test_a_torn_last_line_spoils_no_other(project: Path) -> None:
    (project / "logs").mkdir()
    (project / "logs" / "audit.jsonl").write_bytes(b'{"ts":"x"}\n{"ts":"2026-')
    assert ask(event(project)).decision == "allow"
    assert ask(event(project)).decision == "allow"
    lines = (project / "logs" / "audit.jsonl").read_bytes().split(b"\n")
    assert lines[:2] == [b'{"ts":"x"}', b'{"ts":"2026-']
    assert len(lines) == 5
    assert lines[4] == b""
    assert lines[2].startswith(b'{"agent_id":"a1"')


def test_the_logs_folder_is_made(project: Path) -> None:
    assert ask(event(project)).decision == "allow"
    assert [line["decision"] for line in audit_lines(project)] == ["allow"]
