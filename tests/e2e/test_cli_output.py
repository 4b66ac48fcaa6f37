"""Where the answer goes when it cannot be written, and projects reached through a link."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from builders import BIN, OWNER, book

ENV = {"NOVEL_OWNER": OWNER}


def run(command: str, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["bash", "-c", command], cwd=cwd, env={**os.environ, **ENV}, capture_output=True)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("words", ["next", "next --json", "status --json"])
def test_an_answer_that_cannot_be_written_is_one_line_and_no_finding(tmp_path: Path, words: str) -> None:
    made = book(tmp_path)
    done = run(f'"{BIN}" {words} >/dev/full', made.root)
    told = done.stderr.decode()
    assert done.returncode == 3 and "写不出去" in told and "Traceback" not in told


def test_a_reader_that_goes_away_stops_no_work(tmp_path: Path) -> None:
    done = run(f'"{BIN}" demo d | head -n 1; echo "${{PIPESTATUS[0]}}"', tmp_path)
    assert done.stdout.decode().splitlines()[-1] == "0" and b"Traceback" not in done.stderr
    assert (tmp_path / "d" / "chapters" / "chapter-001.md").is_file()


def test_closed_streams_are_no_bug(tmp_path: Path) -> None:
    made = book(tmp_path)
    assert run(f'"{BIN}" status >&- 2>&- <&-', made.root).returncode == 0


@pytest.mark.parametrize("words", ["init z", "demo", "next", "doctor --bundle b.json"])
def test_a_working_directory_that_is_gone(tmp_path: Path, words: str) -> None:
    (tmp_path / "gone").mkdir()
    done = run(f'cd gone && rmdir ../gone && "{BIN}" {words}', tmp_path)
    assert done.returncode == 2 and "当前文件夹" in done.stderr.decode()


def test_a_project_reached_through_a_link_is_the_project(tmp_path: Path) -> None:
    made = book(tmp_path)
    os.symlink(made.root, tmp_path / "link")
    for words in ("next", "lock acquire", f"instructions {made.step('draft')} --write-manifest", "status"):
        done = run(f'"{BIN}" {words} --project "{tmp_path / "link"}"', tmp_path)
        assert done.returncode == 0, done.stderr.decode()
