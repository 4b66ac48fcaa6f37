"""`novel audit` reads the guard's log for a person, whatever stands in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from guarding import make_project

from novel_hooks.cli.call import call
from novel_hooks.cli.commands.pages import audit
from novel_hooks.flows.review import audit_report
from novel_hooks.store.files.project import Project


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return make_project(tmp_path / "book")


def entry(path: str | None, decision: str = "allow", **changes: Any) -> dict[str, Any]:
    return {
        "ts": "2026-03-01T08:30:00Z",
        "event": "PreToolUse",
        "tool_name": "Write",
        "path": path,
        "decision": decision,
        "rule": "staging",
        "reason": "请改写到暂存区。",
        "agent_type": "novel:chapter-writer",
        "agent_id": "a1",
        "session_id": "s",
        **changes,
    }


def log(book: Path, *lines: dict[str, Any] | bytes) -> None:
    (book / "logs").mkdir(exist_ok=True)
    data = (line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
    (book / "logs" / "audit.jsonl").write_bytes(b"".join(line + b"\n" for line in data))


def paths(book: Path, chapter: int | None = None, denied: bool = False) -> list[Any]:
    return [line["path"] for line in audit_report.run(Project(str(book)), chapter, denied).entries]


def test_no_log(book: Path) -> None:
    answer = call("audit", ["--project", str(book)], {})
    assert (answer.exit, answer.data, answer.text) == (0, {"entries": [], "total": 0}, "还没有写入记录。")


def test_by_chapter_and_by_decision(book: Path) -> None:
    log(
        book,
        entry("staging/chapters/chapter-007.md"),
        entry("chapters/chapter-007.md", "deny"),
        entry("staging/state/chapter-007-delta.json"),
        entry("staging/chapters/chapter-0071.md"),
        entry("staging/chapters/chapter-1007.md"),
        entry(None, "deny"),
    )
    assert len(paths(book)) == 6
    seventh = [
        "staging/chapters/chapter-007.md",
        "chapters/chapter-007.md",
        "staging/state/chapter-007-delta.json",
    ]
    assert paths(book, 7) == seventh
    assert paths(book, 7, denied=True) == ["chapters/chapter-007.md"]
    assert paths(book, 1007) == ["staging/chapters/chapter-1007.md"]
    assert paths(book, denied=True) == ["chapters/chapter-007.md", None]
    assert paths(book, 8) == []


def test_the_command_takes_both(book: Path) -> None:
    log(book, entry("chapters/chapter-007.md", "deny"), entry("staging/chapters/chapter-007.md"))
    answer = call("audit", ["--chapter", "7", "--denied", "--project", str(book)], {})
    assert [line["decision"] for line in answer.data["entries"]] == ["deny"]
    assert answer.data["total"] == 2
    assert "写手　Write　chapters/chapter-007.md　没有放行：请改写到暂存区。" in answer.text
    assert "没有符合的记录（共 2 条）" in call("audit", ["--chapter", "9", "--project", str(book)], {}).text


def test_lines_that_cannot_be_read_are_counted_and_passed_over(book: Path) -> None:
    log(book, entry("a"), b'{"ts":"2026', b"\xe6\xb2", b"[]", b"", b"\r", entry("b"))
    found = audit_report.run(Project(str(book)), None, False)
    assert [line["path"] for line in found.entries] == ["a", "b"]
    (warning,) = found.warnings
    assert "3 行" in str(warning)
    assert "第 2 行" in str(warning)
    assert call("audit", ["--project", str(book)], {}).exit == 0


def test_windows_line_ends_and_a_byte_order_mark(book: Path) -> None:
    log(
        book,
        b"\xef\xbb\xbf" + json.dumps(entry("a")).encode() + b"\r",
        json.dumps(entry("b")).encode() + b"\r",
    )
    assert paths(book) == ["a", "b"]


def test_a_link_in_its_place_is_refused(book: Path, tmp_path: Path) -> None:
    (book / "logs").mkdir()
    (book / "logs" / "audit.jsonl").symlink_to(tmp_path / "x")
    assert call("audit", ["--project", str(book)], {}).exit == 3


def test_only_the_last_are_shown_but_all_are_data(book: Path) -> None:
    log(book, *(entry(f"staging/{n}") for n in range(audit.SHOWN + 5)))
    answer = call("audit", ["--project", str(book)], {})
    assert len(answer.data["entries"]) == audit.SHOWN + 5
    assert "staging/4　" not in answer.text
    assert "staging/5　" in answer.text
    assert "--json" in answer.text


def test_what_an_agent_gave_cannot_touch_the_terminal(book: Path) -> None:
    log(book, entry("a\x1b[2Jb\n", "deny", agent_type="novel:x\x07", ts=5, reason=None, tool_name=["x"]))
    shown = call("audit", ["--project", str(book)], {}).text
    assert all(char.isprintable() or char in "\n　" for char in shown)
    assert "时间不明" in shown
