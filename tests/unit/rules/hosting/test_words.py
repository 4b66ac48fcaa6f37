"""Our sentences as they are true in Codex."""

from __future__ import annotations

from novel_hooks.rules.hosting import words
from novel_hooks.rules.steps import menu


def test_a_sentence() -> None:
    told = words.in_codex(f"怎么做：在 Claude Code 里输入 {menu.CONTINUE}；写完 {menu.START}")
    assert told == "怎么做：在 Codex 里输入 $novel-continue；写完 $novel-start"
    assert words.in_codex("他打开 Claude Code，/novel:别的") == "他打开 Claude Code，/novel:别的"


def test_every_text_of_a_document() -> None:
    found = {"/novel:start": ["/novel:start", 3, None, True, {"a": ("/novel:status",)}]}
    assert words.all_in_codex(found) == {
        "/novel:start": ["$novel-start", 3, None, True, {"a": ["$novel-status"]}]
    }
