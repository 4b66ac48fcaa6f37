"""What an author types: his own words beside the English ones, and numbers however he writes them."""

from __future__ import annotations

import argparse
import io
import re
import sys
from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from planbook import sample_book

from novel_hooks import errors, layout
from novel_hooks.cli import answer, arguments
from novel_hooks.cli.call import COMMANDS, call
from novel_hooks.flows.pipeline import decide
from novel_hooks.rules.cast.unknown_names import KINDS
from novel_hooks.rules.settings import prices, settings
from novel_hooks.rules.steps import break_points, step_name
from novel_hooks.rules.text import typed_words

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return book(tmp_path, 1)


def test_the_tables_are_whole() -> None:
    assert tuple(typed_words.DECISIONS) == decide.ANSWERS
    assert tuple(typed_words.STOPS) == (*break_points.PHASES, break_points.EVERY, break_points.NONE)
    assert tuple(typed_words.SIDES) == prices.SIDES
    assert set(typed_words.SETTINGS) >= set(settings.KEYS)


def test_what_can_be_renamed_is_called_as_elsewhere() -> None:
    told = [COMMANDS["rename"][1], errors.RenameUnknown.fix, errors.RenameTaken.message]
    told.append(errors.CharacterTaken.cases["thing"])
    assert [kind for one in told for kind in ("location", "item") if KINDS[kind] not in one] == []


@pytest.mark.parametrize("said", ["9", "009", "９", "九", "第九章", "第 9 章", " 第９章", "9章", "玖"])
def test_a_chapter_however_it_is_written(said: str) -> None:
    assert arguments.chapter(said) == 9


@pytest.mark.parametrize(
    "said", ["", "零", "0", "-1", "一百五", "第章", "9.0", "九九乘", "第九卷", "1e3", "9" * 12]
)
def test_what_is_no_chapter(said: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="从 1 起的整数，请用半角数字，例如 9"):
        arguments.chapter(said)


def test_zero_is_a_place_to_go_back_to(made: Book) -> None:
    assert arguments.chapter_or_none("０") == arguments.chapter_or_none("零") == 0
    for said in ("-1", "x"):
        assert "应是从 0 起的整数" in made.refused(2, "CLI_USAGE", "rollback", said).message


def test_a_volume(made: Book) -> None:
    assert arguments.volume("第一卷") == arguments.volume("１") == 1
    assert made.ok("outline", "--volume", "第一卷") == made.ok("outline")


@pytest.mark.parametrize("table", [typed_words.STATUS, typed_words.SCOPE])
def test_threads_by_the_words_of_the_list(made: Book, table: dict[str, tuple[str, ...]]) -> None:
    option = "--status" if table is typed_words.STATUS else "--scope"
    for key, words in table.items():
        found = made.novel("foreshadow", "list", option, key)
        assert all(made.novel("foreshadow", "list", option, word) == found for word in words)
    assert (
        "没有「何时」，可以写 " in made.refused(2, "CLI_USAGE", "foreshadow", "list", option, "何时").message
    )


def test_a_word_that_is_its_own_name_is_told_once(made: Book) -> None:
    told = made.refused(2, "CLI_USAGE", "export", "pdf").message
    assert told.endswith("没有「pdf」，可以写 txt、markdown、epub、word（docx）")


def test_an_answer_in_chinese(made: Book) -> None:
    made.until("judged", overall=2.5)
    assert made.ok("decide", "第二章", "接受")["answer"] == "accept"


def test_settings_in_chinese(made: Book) -> None:
    assert made.ok("config", "做完停下", "初稿，评审")["changed"]
    assert made.ok("config", "stop_after")["settings"][0]["value"] == ["draft", "judge"]
    made.ok("config", "通过线", "４.２")
    made.ok("config", "一章字数", "２０００～３０００")
    found = {one["key"]: one["value"] for one in made.ok("config")["settings"]}
    assert (found["gate.pass"], found["chapter_chars"]) == (4.2, [2000, 3000])
    made.ok("config", "做完停下", "每一步")
    assert made.ok("config", "stop_after")["settings"][0]["value"] == "every"
    page = made.novel("config").text
    assert (
        "通过线（gate.pass） = 4.2（你定的" in page and "资料字数.写手（packet_chars.chapter-writer）" in page
    )
    assert made.ok("config", "--unset", "通过线")["changed"]


def test_break_points_in_chinese(made: Book) -> None:
    assert made.ok("lock", "acquire", "--step", "初稿，评审")["stop_after"] == ["draft", "judge"]
    assert "写初稿（draft）" in made.refused(2, "CLI_USAGE", "lock", "acquire", "--step", "何时").fix


def test_what_is_missing_is_named_as_the_usage_names_it(made: Book) -> None:
    assert made.refused(2, "CLI_USAGE", "judge").message.endswith("缺少 record、--role 评审")


def test_a_chapter_beyond_the_outline_is_said_to_be(made: Book) -> None:
    told = made.refused(3, "OUTLINE_BEYOND", "outline", "--chapter", "99").message
    assert "第 1-6 章" in told
    item = {"id": "rope", "description": "钟绳", "scope": "short", "status": "planted", "planted_chapter": 1}
    made.write(layout.FORESHADOWING, {"foreshadowing": [{**item, "target_resolve_range": [1, 5]}]})
    page = made.novel("foreshadow", "query", "99").text
    assert "本卷到第 6 章" in page and "钟绳" in page and "超期" not in page.split("\n", 1)[1]
    assert "超期 1 章" in made.novel("foreshadow", "query", "6").text


def test_a_thread_tells_the_name_of_its_storyline(made: Book) -> None:
    (line,) = made.json(layout.STORYLINES)["storylines"][:1]
    item = {"id": "rope", "description": "钟绳", "scope": "short", "status": "planted", "planted_chapter": 1}
    made.write(layout.FORESHADOWING, {"foreshadowing": [{**item, "planted_storyline": line["id"]}]})
    assert f"故事线：{line['name']}" in made.novel("foreshadow", "show", "rope").text


def test_a_refusal_names_steps_in_the_authors_words(made: Book) -> None:
    told = made.refused(3, "STEP_NOT_NEXT", "advance", "chapter:002:judge").message
    assert "「第 2 章 · 评审」" in told and "「第 2 章 · 写初稿」" in told
    for kind, phases in step_name._PHASES.items():
        for phase in phases:
            said = step_name.Step(kind, None if kind == "setup" else 1, phase).label
            assert not any("a" <= mark <= "z" for mark in said)


STATES = ("INIT", "VOL_PLANNING", "WRITING", "VOL_REVIEW", "ERROR_RETRY")


@pytest.mark.parametrize("state", STATES)
def test_no_refusal_shows_an_id_of_a_step_but_in_a_command(tmp_path: Path, state: str) -> None:
    made = sample_book(tmp_path / "book") if state in ("INIT", "ERROR_RETRY") else book(tmp_path, 1)
    error = {"step": "setup:world", "reason": "没有交稿", "from_state": "QUICK_START"}
    made.point(orchestrator_state=state, error=error if state == "ERROR_RETRY" else {})
    made.novel("instructions", "setup:world", "--write-manifest")
    asked = [
        [name] for name in ("next", "status", "commit --setup", "commit --volume 1", "replan", "retire 沈渡")
    ]
    for kind, phases in step_name._PHASES.items():
        for phase in phases:
            one = str(step_name.Step(kind, None if kind == "setup" else 2, phase))
            asked += [["validate", one], ["advance", one], ["instructions", one], ["answer", one, "x", "1"]]
            asked += [["fail", one, "--reason", "没有交稿"]] if state != "INIT" else []
    for argv in asked:
        found = made.novel(*(word for part in argv for word in part.split()))
        said = [line for d in found.diagnostics for line in (d.message, d.fix)]
        said += [] if argv[0] in ("next", "instructions") else [found.text]
        bare = re.sub("`[^`]*`", "", "\n".join(said))
        assert not re.search("(setup|volume|chapter|sync):[0-9a-z]", bare), (argv, said)


def test_a_book_that_failed_while_it_was_set_up_is_not_said_to_be_set_up(tmp_path: Path) -> None:
    made = sample_book(tmp_path / "book")
    error = {"step": "setup:world", "reason": "没有交稿", "from_state": "QUICK_START"}
    made.point(orchestrator_state="ERROR_RETRY", error=error)
    told = made.refused(3, "PLANNING_NOT_DUE", "instructions", "setup:world")
    assert "上一步失败了" in told.message and "定下" not in told.message + told.fix


def test_what_steers_a_terminal_is_shown_as_its_code(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "书\u202egnp\x1b[2J\x07.md"
    assert answer.visible(f"{name}\n\t好") == "书\\u202egnp\\x1b[2J\\x07.md\n\t好"
    told = io.BytesIO()
    for stream in ("stdout", "stderr"):
        monkeypatch.setattr(sys, stream, io.TextIOWrapper(told, encoding="utf-8"))
    answer.show("x", answer.build(None, name, [errors.FileMissing(name, what=name, how=name)]), False)
    answer.say(name)
    shown = told.getvalue().decode("utf-8")
    assert not set(shown) & {"\u202e", "\x1b", "\x07"} and shown.count("\\u202e") == 5


def test_what_was_cut_tells_the_author_what_to_do(made: Book) -> None:
    made.write(layout.CONFIG, "packet_chars: {chapter-writer: 300}\n")
    for argv in (("instructions", "chapter:002:draft"), ("context", "写手")):
        found = made.novel(*argv)
        assert "→ 不必停下；想多给，请运行 `novel config packet_chars.chapter-writer 450`" in found.text
        assert not any("novel config" in warning for warning in found.data["warnings"])


def test_init_in_a_folder_that_holds_something_asks_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "杂物"
    place.mkdir()
    monkeypatch.chdir(place)
    (place / "旧稿.txt").write_text("别动", encoding="utf-8")
    found = call("init", ["--title", "长 夜"], {})
    assert (found.exit, found.diagnostics[0].code) == (3, "CONFIRMATION_NEEDED")
    assert "旧稿.txt" in found.text and "brief.md" in found.text
    assert found.data["there"] == ["旧稿.txt"] and "brief.md" in found.data["files"]
    assert found.diagnostics[0].fix.endswith("`novel init --yes --title '长 夜'`。")
    assert [one.name for one in place.iterdir()] == ["旧稿.txt"]
    assert call("init", ["--yes"], {}).exit == 0
    assert (place / "旧稿.txt").read_text(encoding="utf-8") == "别动"


@pytest.mark.parametrize("argv", [["."], []])
def test_init_in_a_named_or_empty_folder_does_not_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argv: list[str]
) -> None:
    place = tmp_path / "书"
    place.mkdir()
    monkeypatch.chdir(place)
    if argv:
        (place / "旧稿.txt").write_text("别动", encoding="utf-8")
    assert call("init", argv, {}).exit == 0


def test_a_thread_is_shown_with_its_two_halves(tmp_path: Path) -> None:
    made = book(tmp_path)
    one = {
        "id": "rope",
        "description": "绳",
        "signal": "绳头是新的",
        "payoff": "绳是他换的",
        "status": "planted",
    }
    made.write(layout.FORESHADOWING, {"foreshadowing": [one]})
    text = str(made.novel("foreshadow", "show", "rope").text)
    assert "读者看得见的：绳头是新的" in text and "谜底：绳是他换的" in text
