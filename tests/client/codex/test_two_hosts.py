"""Chapters in turn by Claude Code and by Codex: what lands is what one host alone would have landed.

Codex has the plugin of Claude Code beside the files of the book, and runs its hooks: no harm is done.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book
from conftest import CHECKOUT
from copying import copied

from client.codex.harness import MODEL
from client.codex.test_continue import go
from client.conftest import claude as claude
from client.crew import Crew
from client.harness import Host
from client.plugins import plugin_copy

if TYPE_CHECKING:
    from client.codex.harness import CodexHost

pytestmark = [pytest.mark.client, pytest.mark.timeout(900)]

LANDED = ("chapters", "summaries", "evaluations", "logs", "state", "foreshadowing", "storylines")
UNEQUAL = {
    "model",
    "duration_ms",
    "started_at",
    "total_duration_ms",
    "ts",
    "session_id",
    "agent_id",
    "agent_type",
}
"""Keys of models, of times, and of who made a call."""
TOKENS = ("tokens", "cost")


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: plain(one)
            for key, one in value.items()
            if key not in UNEQUAL and not any(word in key for word in TOKENS)
        }
    return [plain(one) for one in value] if isinstance(value, list) else value


def landed(novel: Book) -> dict[str, Any]:
    """Every landed file but the guard's log, JSON without what a host is."""
    found: dict[str, Any] = {}
    for path in sorted(path for folder in LANDED for path in novel.at(folder).rglob("*") if path.is_file()):
        name, text = path.relative_to(novel.root).as_posix(), path.read_text(encoding="utf-8")
        if name == "logs/audit.jsonl":
            continue
        if name.endswith(".json"):
            found[name] = plain(json.loads(text))
        elif name.endswith(".jsonl"):
            found[name] = [plain(json.loads(line)) for line in text.splitlines()]
        else:
            found[name] = text
    return found


@pytest.mark.parametrize("ahead", ["refined", pytest.param(None, marks=pytest.mark.exhaustive)])
def test_chapters_in_turn(
    host: CodexHost, claude: Path, novel: Book, tmp_path: Path, ahead: str | None
) -> None:
    """The second one's chapter is made up to `ahead` before he begins."""
    other = Host(claude, tmp_path / "claude", Path(CHECKOUT))

    def by_claude(book: Book) -> None:
        done = other.run(book.root, "/novel:continue 1", Crew(book.root, hasty=True).scenario(), timeout=600)
        assert done.text.endswith("修订 0 次 ✓"), done.text

    novel.until("refined")
    novel.ok("lock", "release")
    by_claude(novel)
    if ahead:
        Book(novel.root, 3).until(ahead)
        novel.ok("lock", "release")
    alone = copied(novel, tmp_path / "alone")
    by_claude(alone)
    host.install(plugin_copy(tmp_path / "plugin"))
    host.connect(novel.root)
    done = go(host, novel, "", None, None, "--dangerously-bypass-hook-trust")
    assert done.text.endswith("修订 0 次 ✓"), done.text
    assert "novel:continue" in str(done.bodies[0]), "the plugin was there"
    verdict = novel.json("evaluations/chapter-003-eval.json")["metadata"]["judges"]["primary"]
    assert verdict["model"] == MODEL, "its hook does not take Codex for Claude Code"
    assert landed(novel) == landed(alone)
    assert novel.names("chapters") == [f"chapter-00{n}.md" for n in (1, 2, 3)]
