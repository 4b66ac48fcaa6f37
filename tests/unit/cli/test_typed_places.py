"""A path that somebody types counts from where he stands, and a refusal says so."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.cli.call import call

if TYPE_CHECKING:
    from pathlib import Path

    from novel_hooks.cli.answer import Answer

ENVIRON = {"NOVEL_OWNER": "typed"}


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Book:
    """A book in a folder of its own; whoever types stands beside it."""
    monkeypatch.chdir(tmp_path)
    return book(tmp_path, 1)


def refusal(answer: Answer, code: str) -> tuple[str, str]:
    (told,) = answer.diagnostics
    assert told.code == code
    return told.message, told.fix


def test_lint_tells_the_way_to_the_books_own_file(made: Book) -> None:
    rest = ["--file", layout.chapter(1), "--project", str(made.root)]
    message, fix = refusal(call("lint", rest, ENVIRON), "FILE_MISSING")
    assert os.path.abspath(layout.chapter(1)) in message and "从你敲命令的这个文件夹算起" in fix
    way = os.path.relpath(made.root / layout.chapter(1))
    assert f"--file {way}。" in fix
    assert call("lint", ["--file", way, "--project", str(made.root)], ENVIRON).exit in (0, 1)


def test_lint_knows_no_way_to_what_is_nowhere(made: Book) -> None:
    rest = ["--file", "没有.md", "--project", str(made.root)]
    _, fix = refusal(call("lint", rest, ENVIRON), "FILE_MISSING")
    assert fix == "请检查 --file 后面的路径，它从你敲命令的这个文件夹算起。"


def test_a_report_is_written_where_he_stands_and_told_so(made: Book, tmp_path: Path) -> None:
    done = call("doctor", ["--bundle", "报告.json", "--project", str(made.root)], ENVIRON)
    place = tmp_path / "报告.json"
    assert place.is_file() and str(place) in done.after
    assert "从当前文件夹算起" in call("doctor", ["--help"], ENVIRON).text


def test_two_folders_for_one_demo_are_refused(tmp_path: Path) -> None:
    rest = [str(tmp_path / "甲"), "--project", str(tmp_path / "乙")]
    message, _ = refusal(call("demo", rest, ENVIRON), "CLI_USAGE")
    assert "甲" in message and "乙" in message
    assert list(tmp_path.iterdir()) == []


def test_the_demo_goes_where_project_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from novel_hooks.cli import recorded

    put: list[str] = []

    def unpack(root: str) -> None:
        put.append(root)
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(recorded, "unpack", unpack)
    for rest in (["--project", "书"], ["书"], ["书", "--project", "./书/"], []):
        assert call("demo", rest, ENVIRON).exit == 130
    assert put == [str(tmp_path / "书")] * 3 + [str(tmp_path / "demo-novel")]
