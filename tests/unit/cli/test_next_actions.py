"""What is due is told with how to do it; what was decided, with how it goes on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from builders import book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.cli.call import call
from novel_hooks.cli.commands.decisions import decide
from novel_hooks.rules.text import typed_words

if TYPE_CHECKING:
    from pathlib import Path

ENVIRON = {"NOVEL_OWNER": "told"}


def test_a_new_book_says_how_to_begin(tmp_path: Path) -> None:
    place = ["--project", str(tmp_path / "书")]
    assert call("init", [str(tmp_path / "书")], ENVIRON).exit == 0
    assert "怎么做：在 Claude Code 里输入 /novel:start" in call("next", place, ENVIRON).text.splitlines()
    status = call("status", place, ENVIRON).text.splitlines()[-1]
    assert status.startswith("现在可以：接着做初始设定（/novel:start）")


def test_what_he_can_do_stands_below_an_error(tmp_path: Path) -> None:
    nowhere = call("status", ["--project", str(tmp_path)], ENVIRON)
    assert (nowhere.text, nowhere.diagnostics[0].code) == ("", "PROJECT_NOT_FOUND")
    assert nowhere.after.startswith("现在可以：在这里建一本新书")
    made = book(tmp_path / "book")
    assert "现在可以：" in made.novel("status").text and made.novel("status").after == ""
    made.write(layout.FORESHADOWING, "{")
    broken = made.novel("status")
    assert "现在可以" not in broken.text and broken.after.startswith("现在可以：接着写")


def test_a_chapter_says_how_to_go_on_and_a_pause_has_its_commands(tmp_path: Path) -> None:
    made = book(tmp_path)
    assert made.novel("next").text.endswith("怎么做：在 Claude Code 里输入 /novel:continue")
    made.until("judged", 2.5)
    told = made.novel("next").text
    assert "怎么做" not in told and "novel decide 2 accept" in told
    assert "/novel:continue" in made.novel("decide", "2", "接受").text


@pytest.mark.parametrize("answer", typed_words.DECISIONS)
def test_every_decision_says_how_it_goes_on(answer: str) -> None:
    assert "/novel:continue" in decide._DONE[answer].format(chapter=2)


def test_names_without_a_record_say_where_one_goes(tmp_path: Path) -> None:
    made = book(tmp_path)
    lines = [
        {"ts": "2030-01-02T03:04:05Z", "chapter": n, "mention": "老周", "suggested_type": "character"}
        for n in (1, 2)
    ]
    made.write(layout.UNKNOWN_ENTITIES, "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines))
    assert "novel character add" in made.novel("entities").text
