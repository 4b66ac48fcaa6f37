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


def test_the_front_page_and_a_restored_book() -> None:
    from novel_hooks.cli import call
    from novel_hooks.cli.manual import front_page

    page = words.in_codex(front_page.daily(call.COMMANDS, 80))
    assert "写章节在 Codex 里：$novel-continue" in page and "Claude Code" not in page
    assert words.in_codex("在 Claude Code 里打开这个文件夹，输入 /novel:continue") == (
        "在 Codex 里打开这个文件夹，输入 $novel-continue"
    )
