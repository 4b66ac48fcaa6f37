"""A notice goes to its module when the session works in a novel; elsewhere it costs next to nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import CHECKOUT
from guarding import event_text, make_project, run_entry

from novel_hooks.hook.notice import agent_done, dispatch, session_start, turn_end

if TYPE_CHECKING:
    from collections.abc import Mapping

STANDARD = {"__future__", "_json", "os", "stat", "sys", "time"}
START = {"_collections", "_collections_abc", "_stat", "abc", "genericpath", "posixpath", "os.path"}
# Leaves as the hook does, at once, but tells on stderr what it has loaded.
TELL = """\
import os, sys
sys.path.insert(0, sys.argv.pop(1))
before = set(sys.modules)
leave = os._exit
os._exit = lambda code: (os.write(2, " ".join(set(sys.modules) - before).encode()), leave(code))
from novel_hooks.hook.notice.dispatch import entry
entry()
"""
Heard = list[tuple[Any, ...]]
hosts: list[str] = []


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return make_project(tmp_path / "book")


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Heard:
    """What the modules behind it were given; each answers with its name."""
    calls: Heard = []
    hosts.clear()

    def begins(
        event: Mapping[str, object], root: str, environ: Mapping[str, str], building: bool, host: str
    ) -> bytes:
        hosts.append(host)
        calls.append(("begins", event, root, dict(environ), building))
        return b"begins"

    def done(event: Mapping[str, object], root: str, environ: Mapping[str, str], host: str) -> bytes:
        hosts.append(host)
        calls.append(("done", event, root, dict(environ)))
        return b"done"

    def ends(event: Mapping[str, object], root: str, environ: Mapping[str, str], host: str) -> None:
        hosts.append(host)
        calls.append(("ends", event, root, dict(environ)))

    monkeypatch.setattr(turn_end, "respond", ends)
    monkeypatch.setattr(session_start, "respond", begins)
    monkeypatch.setattr(agent_done, "respond", done)
    return calls


def notice(name: str, cwd: Path | str | None) -> dict[str, Any]:
    return {"hook_event_name": name, **({} if cwd is None else {"cwd": str(cwd)})}


def respond(event: object, environ: dict[str, str] | None = None, **more: bool) -> bytes:
    return dispatch.respond(json.dumps(event).encode(), environ or {}, **more)


@pytest.mark.parametrize(
    ("name", "to"),
    [
        ("SessionStart", "begins"),
        ("SubagentStop", "done"),
        ("PostToolUse", "done"),
        ("Stop", "ends"),
        ("Interrupt", "ends"),
        ("SessionEnd", "ends"),
        ("PreToolUse", ""),
    ],
)
def test_each_notice_goes_to_its_module(book: Path, heard: Heard, name: str, to: str) -> None:
    event, environ = notice(name, book), {"HOME": "x"}
    assert respond(event, environ, building=True) == (b"" if to == "ends" else to.encode())
    more = (True,) if to == "begins" else ()
    assert heard == ([(to, event, os.path.realpath(book), environ, *more)] if to else [])


@pytest.mark.parametrize(
    ("record", "host"),
    [
        ("/h/.codex/sessions/2026/11/29/rollout-2026-s.jsonl", "codex"),
        ("/rollout-x/s.jsonl", "claude"),
        (5, "claude"),
    ],
)
def test_codex_is_known_by_its_record_where_no_host_is_told(
    book: Path, heard: Heard, record: object, host: str
) -> None:
    for name in ("SessionStart", "SubagentStop", "Stop"):
        respond({**notice(name, book), "transcript_path": record})
    assert hosts == [host] * 3


def test_nothing_is_being_built_unless_it_is_said(book: Path, heard: Heard) -> None:
    respond(notice("SessionStart", book))
    assert heard[0][-1] is False


@pytest.mark.parametrize("name", ["SessionStart", "SubagentStop", "PostToolUse"])
def test_outside_a_novel_nobody_hears_of_it(tmp_path: Path, heard: Heard, name: str) -> None:
    for event in (notice(name, tmp_path), notice(name, None), [name], None, 5):
        assert respond(event) == b""
    assert heard == []


@pytest.mark.parametrize("data", [b"", b"{", b"\0"])
def test_what_is_no_event_is_raised(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  (any of its kinds)
        dispatch.respond(data, {})


# the project ------------------------------------------------------------------------------------------


def test_the_project_is_the_one_above_the_sessions_folder(book: Path, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(book)
    (tmp_path / "desk").symlink_to(book / "chapters")
    real = os.path.realpath(book)
    for cwd in (book, book / "chapters", tmp_path / "alias", tmp_path / "desk"):
        assert dispatch.project({"cwd": str(cwd)}, {}) == real
    assert dispatch.project({"cwd": str(tmp_path)}, {}) is None


@pytest.mark.parametrize("cwd", [None, 5, "", "book", "/\0", "/nowhere"])
def test_the_clients_project_folder_stands_in(
    book: Path, cwd: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(book.parent)
    assert dispatch.project({"cwd": cwd}, {}) is None
    assert dispatch.project({"cwd": cwd}, {"CLAUDE_PROJECT_DIR": "book"}) is None
    assert dispatch.project({"cwd": cwd}, {"CLAUDE_PROJECT_DIR": str(book)}) == os.path.realpath(book)


def test_the_sessions_own_folder_goes_first(book: Path, tmp_path: Path) -> None:
    other = make_project(tmp_path / "other")
    found = dispatch.project({"cwd": str(other)}, {"CLAUDE_PROJECT_DIR": str(book)})
    assert found == os.path.realpath(other)


# the process ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "building"),
    [
        ([], False),
        (["building"], True),
        (["", "building"], False),
        (["x"], False),
        (["", "codex"], False),
        (["building", "codex", "more"], True),
        (["codex"], False),
    ],
)
def test_from_stdin_to_stdout(
    book: Path, heard: Heard, argv: list[str], building: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["-c", *argv])
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(book))
    data = json.dumps(notice("SessionStart", None)).encode()
    assert run_entry(dispatch.entry, data, monkeypatch) == (0, b"begins")
    assert heard[0][-1] is building and heard[0][3]["CLAUDE_PROJECT_DIR"] == str(book)
    assert hosts == ["codex" if argv[1:2] == ["codex"] else "claude"]


def test_an_answer_that_the_system_takes_in_pieces_is_whole(
    book: Path, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, data[:4]))
    data = json.dumps(notice("SubagentStop", book)).encode()
    assert run_entry(dispatch.entry, data, monkeypatch) == (0, b"done")


def test_whatever_breaks_ends_with_a_code_of_its_own_and_a_clean_stdout(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NOVEL_DEBUG", raising=False)
    assert run_entry(dispatch.entry, b"{", monkeypatch) == (70, b"")
    assert run_entry(dispatch.entry, b"{}", monkeypatch) == (0, b"")
    monkeypatch.setenv("NOVEL_DEBUG", "1")
    with pytest.raises(ValueError):  # noqa: PT011
        run_entry(dispatch.entry, b"{", monkeypatch)


def test_until_a_novel_is_found_next_to_nothing_is_loaded(tmp_path: Path) -> None:
    for name in ("SessionStart", "SubagentStop", "PostToolUse"):
        given = event_text({**notice(name, tmp_path), "agent_type": "novel:quality-judge"})
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-X", "utf8", "-c", TELL, CHECKOUT],
            input=given.encode("utf-8"),
            capture_output=True,
            check=True,
        )
        found = set(done.stderr.decode("ascii").split())
        assert done.stdout == b""
        ours = {name for name in found if name.startswith("novel_hooks")}
        assert ours == {
            f"novel_hooks{part}"
            for part in (
                "",
                ".annotations",
                ".hook",
                ".hook.client",
                ".hook.client.answer",
                ".hook.client.wire",
                ".hook.notice",
                ".hook.notice.dispatch",
                ".layout",
                ".root",
            )
        }
        assert found - ours <= STANDARD | START
