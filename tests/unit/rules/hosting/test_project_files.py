"""Profile, rules and hooks: what they say, and what a shell makes of the guard's wrapper."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from novel_hooks import roles
from novel_hooks.rules.hosting import project_files

BASH = "/bin/bash"


def test_staging_alone_is_writable_and_verdicts_and_packets_are_not() -> None:
    lines = project_files.config("/插 件").splitlines()
    profile = f"[permissions.{roles.CODEX_PROFILE}"
    at = lines.index(f'{profile}.filesystem.":workspace_roots"]')
    assert lines[at + 1 : at + 5] == [
        '"." = "read"',
        '"staging" = "write"',
        *(f'"{folder}" = "read"' for folder in roles.OWN_STAGING),
    ]
    assert lines[lines.index(f"{profile}]") + 1] == 'extends = ":read-only"'
    assert f'default_permissions = "{roles.CODEX_PROFILE}"' in lines and "allow_login_shell = false" in lines
    assert lines[-1].startswith('set = { PATH = "/插 件/bin:/usr/local/bin:')


def test_a_rule_for_each_command_and_one_program() -> None:
    commands = [("lock", "acquire"), ("next",), ("next",), ("init",), ("demo",)]
    _, program, *rules = project_files.rules('/插"件', commands).splitlines()
    assert program == 'host_executable(name = "novel", paths = ["/插\\"件/bin/novel"])'
    assert rules == [
        'prefix_rule(pattern = ["novel", "lock", "acquire"], decision = "allow")',
        'prefix_rule(pattern = ["novel", "next"], decision = "allow")',
    ]


OURS = project_files.config("/p")
SERVER = '\n[mcp_servers.x] # mine\ncommand = "y"\n'


@pytest.mark.parametrize(
    ("theirs", "holds"),
    [
        (OURS, True),
        (f'model = "m"\n{OURS}{SERVER}', True),
        (OURS.replace("enabled = true", "enabled = true\nlimit = 3"), True),
        (OURS.replace("\n", "\n# mine\n\n"), True),
        ("", False),
        (SERVER, False),
        (OURS.replace("allow_login_shell = false\n", ""), False),
        (OURS.replace("[features.multi_agent_v2]\nenabled = true\n", ""), False),
        (f'"allow_login_shell" = true\n{OURS}', False),
        (OURS.replace("enabled = true", 'enabled = true\n"enabled" = false'), False),
        (OURS.replace('"." = "read"', '"." = "read"\n"chapters" = "write"'), False),
        (f"{OURS}\n[permissions.{roles.CODEX_PROFILE}.network]\nmode = 1\n", False),
        (f"{OURS}{SERVER}{SERVER}", False),
        (f'{OURS}\nnote = """\nx\n"""\n', False),
        (f"{OURS}\nnote = '''\nx\n'''\n", False),
    ],
)
def test_an_authors_config_holds_ours_or_not(theirs: str, holds: bool) -> None:
    assert project_files.holds_config(theirs, OURS) is holds


def test_a_comment_behind_a_tables_heading_is_no_line() -> None:
    assert project_files.tables("a = 1\n[x] # mine\nb = [2]\n# c = 3\n") == {
        "": ["a = 1"],
        "[x] # mine": ["b = [2]"],
    }


def test_every_call_is_asked_about_and_no_matcher_looks_ahead() -> None:
    hooks = project_files.hooks("/p")["hooks"]
    assert {event: entries[0].get("matcher") for event, entries in hooks.items()} == {
        **dict.fromkeys(("PreToolUse", "PermissionRequest"), "*"),
        **dict.fromkeys(("SubagentStop", "SessionStart", "Stop", "Interrupt", "SessionEnd")),
    }
    for event in ("Interrupt", "SessionEnd"):
        assert hooks[event][0]["hooks"][0]["timeout"] <= 3
    assert hooks["PreToolUse"][0]["hooks"][0]["timeout"] > project_files._SECONDS
    assert hooks["Stop"][0]["hooks"][0]["command"] == "/p/hooks/notice turn-end codex"


def wrapped(
    plugin: Path, seconds: str = "25", shell: str = BASH, **environ: str
) -> subprocess.CompletedProcess[bytes]:
    command = project_files.hooks(str(plugin))["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    assert f"-t {project_files._SECONDS} " in command
    command = command.replace(f"-t {project_files._SECONDS} ", f"-t {seconds} ")
    return subprocess.run(
        [shell, "-c", command],
        env={**os.environ, **environ},
        input=b"{}\n",
        capture_output=True,
        check=False,
        timeout=20,
    )


@pytest.mark.skipif(not Path(BASH).exists(), reason="Codex runs hooks by bash")
@pytest.mark.parametrize("shell", [BASH, "/bin/sh"])
@pytest.mark.parametrize(
    ("guard", "code"),
    [
        ("cat; exit 0", 0),
        ("exit 0", 0),
        ("echo no; exit 1", 2),
        ("exit 2", 2),
        ("kill -9 $$", 2),
        ("sleep 60", 2),
        (None, 2),
    ],
)
def test_a_guard_that_does_not_answer_is_a_refusal(
    tmp_path: Path, guard: str | None, code: int, shell: str
) -> None:
    plugin = tmp_path / "插 'p'"
    (plugin / "hooks").mkdir(parents=True)
    if guard is not None:
        (plugin / "hooks" / "guard").write_text(f"#!/bin/sh\n{guard}\n")
        (plugin / "hooks" / "guard").chmod(0o755)
    done = wrapped(plugin, "1" if guard and "sleep" in guard else "25", shell)
    assert done.returncode == code
    if code:
        assert (done.stdout, done.stderr.decode()) == (b"", f"{project_files.REFUSED}\n")
    else:
        assert done.stdout == (b"{}\n" if "cat" in (guard or "") else b"")


@pytest.mark.skipif(not Path("/bin/sh").exists(), reason="for a system with a shell")
def test_without_bash_it_is_a_refusal(tmp_path: Path) -> None:
    done = wrapped(tmp_path, shell="/bin/sh", PATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().endswith(f"{project_files.REFUSED}\n")
