"""What the author reads is true in the host where he reads it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from builders import Book, book

from novel_hooks.cli import main

CODEX = {"CODEX_SESSION_ID": "s", "CODEX_THREAD_ID": "s"}
CLAUDE = {"CLAUDE_CODE_SESSION_ID": "c"}


@pytest.fixture
def novel(tmp_path: Path) -> Book:
    return book(tmp_path)


def told(novel: Book, environ: dict[str, str], capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    main.run([*argv, "--project", str(novel.root)], environ)
    return capsys.readouterr().out


def test_the_next_step_in_each_host(novel: Book, capsys: pytest.CaptureFixture[str]) -> None:
    assert "在 Claude Code 里输入 /novel:continue" in told(novel, CLAUDE, capsys, "next")
    assert "在 Claude Code 里输入 /novel:continue" in told(novel, {}, capsys, "next")
    assert "在 Codex 里输入 $novel-continue" in told(novel, CODEX, capsys, "next")


def test_the_menu_of_a_front_desk(novel: Book, capsys: pytest.CaptureFixture[str]) -> None:
    document: Any = json.loads(told(novel, CODEX, capsys, "status", "--json"))
    done = [entry["do"] for entry in document["data"]["menu"]]
    assert "$novel-continue" in done and "/novel:" not in json.dumps(document)


def test_a_refusal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = book(tmp_path, chapters=6)
    for path in made.at("volumes").rglob("outline.md"):
        path.unlink()
    main.run(["outline", "--project", str(made.root)], CODEX)
    text = "".join(capsys.readouterr())
    assert "$novel-start" in text and "/novel:" not in text


def test_in_a_terminal_the_book_decides(
    novel: Book, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(novel.root)
    novel.ok("host", "codex")
    assert "$novel-continue" in told(novel, {}, capsys, "next")
    assert "/novel:continue" in told(novel, CLAUDE, capsys, "next")


def test_setting_up_says_what_comes_next_and_what_it_takes_away(novel: Book) -> None:
    told = novel.novel("host", "codex").text
    assert "在这本书里，Codex 只能写 staging/，你自己用它改别的文件也一样" in told
    assert told.index("选信任") < told.index("输入 /hooks") < told.index("$novel-start")
