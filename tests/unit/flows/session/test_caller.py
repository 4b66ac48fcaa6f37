"""In Codex a command is refused that a sub-agent gives, and a run without the boundary."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders import Book, book

from novel_hooks.cli.call import call

ROOT = {"CODEX_SESSION_ID": "s", "CODEX_THREAD_ID": "s", "CODEX_PERMISSION_PROFILE": "novel-staging"}
CHILD = {**ROOT, "CODEX_THREAD_ID": "t"}
OPEN = {**ROOT, "CODEX_PERMISSION_PROFILE": ""}
STEP = "chapter:002:draft"


@pytest.fixture
def novel(tmp_path: Path) -> Book:
    return book(tmp_path)


def said(novel: Book, environ: dict[str, str], *words: str) -> tuple[int, list[str]]:
    found = call(words[0], [*words[1:], "--project", str(novel.root)], environ)
    return found.exit, [one.code for one in found.diagnostics if one.severity == "error"]


@pytest.mark.parametrize(
    "words",
    [
        ("lock", "acquire"),
        ("lock", "release"),
        ("lock", "clear", "--force"),
        ("instructions", STEP),
        ("advance", STEP),
        ("commit", "--chapter", "2"),
        ("accept-changes",),
        ("config", "gate.pass", "1"),
        ("host", "codex"),
        ("export", "txt", "--yes"),
        ("report",),
        ("backup",),
    ],
)
def test_a_sub_agents_command_changes_nothing(novel: Book, words: tuple[str, ...]) -> None:
    before = novel.tree()
    assert said(novel, {**CHILD, "NOVEL_OWNER": "me"}, *words) == (3, ["HOST_SUB_AGENT"])
    assert novel.changed(before) == {}


def test_a_sub_agent_may_look(novel: Book) -> None:
    assert said(novel, CHILD, "next") == (0, [])


@pytest.mark.parametrize(
    "words", [("lock", "acquire"), ("instructions", STEP), ("instructions", STEP, "--write-manifest")]
)
def test_without_the_profile_no_run_begins(novel: Book, words: tuple[str, ...]) -> None:
    before = novel.tree()
    for profile in ("", ":workspace"):
        assert said(novel, {**ROOT, "CODEX_PERMISSION_PROFILE": profile}, *words) == (
            3,
            ["HOST_BOUNDARY_OFF"],
        )
    assert novel.changed(before) == {}
    assert said(novel, ROOT, *words) == (0, [])


def test_what_needs_no_agent_is_not_refused_without_it(novel: Book) -> None:
    manifest = novel.ok("instructions", STEP, "--write-manifest")["manifest"]
    assert said(novel, OPEN, "instructions", "--replay", manifest) == (0, [])
    assert said(novel, OPEN, "config", "gate.pass", "4.1") == (0, [])
