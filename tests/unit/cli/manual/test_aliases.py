"""Other names of the commands: those that only look are run, those that change the book are pointed at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import book
from builders import fast_disk as fast_disk

from novel_hooks.cli.call import COMMANDS, FOR_CLAUDE, call
from novel_hooks.cli.manual import aliases

if TYPE_CHECKING:
    from pathlib import Path

CHANGES = [name for name in COMMANDS if name not in aliases.RUNS]


def test_a_name_has_one_meaning_and_is_no_command() -> None:
    tables = (aliases.RUNS, aliases.POINTS, aliases.SKILLS)
    said = [word.lower() for table in tables for words in table.values() for word in words.split()]
    said += [*aliases.HELP.split(), *aliases.VERSION.split()]
    assert len(said) == len(set(said))
    assert not set(said) & set(COMMANDS)
    assert {*aliases.RUNS, *aliases.POINTS} <= set(COMMANDS) | {"backup"}
    assert {name for name in COMMANDS if name not in FOR_CLAUDE} <= {*aliases.RUNS, *aliases.POINTS}


@pytest.mark.parametrize(
    ("said", "command"),
    [
        (["状态"], "status"),
        (["进度"], "status"),
        (["Stats"], "report"),
        (["ＦＩＮＤ", "沈渡"], "find"),
        (["读", "1"], "read"),
        (["搜索", "沈渡"], "find"),
        (["/novel:status"], "status"),
        (["体检"], "doctor"),
        (["历史"], "log"),
        (["print", "1"], "read"),
    ],
    ids=str,
)
def test_a_name_of_a_command_that_looks_runs_it(tmp_path: Path, said: list[str], command: str) -> None:
    made = book(tmp_path)
    before = made.tree()
    told = call(said[0], [*said[1:], "--project", str(made.root)], {})
    same = call(command, [*said[1:], "--project", str(made.root)], {})
    assert (told.exit, told.text) == (same.exit, same.text)
    assert command == "report" or made.changed(before) == {}


@pytest.mark.parametrize(
    ("said", "key", "value"),
    [
        (["目标", "2000"], "daily_chars", 2000),
        (["goal", "2k"], "daily_chars", 2000),
        (["每日目标", "两千字"], "daily_chars", 2000),
        (["一趟词元", "500万"], "budget.run_tokens", 5_000_000),
        (["一章字数", "1800-3000"], "chapter_chars", [1800, 3000]),
        (["书名", "夜 渡"], "title", "夜 渡"),
    ],
    ids=str,
)
def test_the_name_of_a_setting_with_a_value_sets_it(
    tmp_path: Path, said: list[str], key: str, value: object
) -> None:
    made = book(tmp_path)
    told = call(said[0], [*said[1:], "--project", str(made.root)], {"NOVEL_OWNER": "x"})
    assert told.exit == 0, told
    assert [(one["key"], one["value"]) for one in told.data["settings"]] == [(key, value)]


def test_the_name_of_a_setting_alone_shows_it(tmp_path: Path) -> None:
    made = book(tmp_path)
    before = made.tree()
    for said in ("预算", "通过线"):
        same = call("config", [said, "--project", str(made.root)], {})
        assert call(said, ["--project", str(made.root)], {}).text == same.text
    assert call("目标", ["--project", str(made.root)], {}).text.startswith("状态：")
    assert made.changed(before) == {}


@pytest.mark.parametrize("said", [word for words in aliases.POINTS.values() for word in words.split()])
def test_a_name_of_a_command_that_changes_the_book_names_it_and_runs_nothing(said: str) -> None:
    command = next(name for name, words in aliases.POINTS.items() if said in words.split())
    found = call(said, ["--yes"], {})
    assert found.exit == 2 and f"`novel {command}`" in found.diagnostics[0].fix


@pytest.mark.parametrize("said", ["写", "续写", "continue", "开始"])
def test_what_the_host_does_is_said_so(said: str) -> None:
    assert "/novel:" in call(said, [], {}).diagnostics[0].fix


@pytest.mark.parametrize("name", CHANGES)
def test_a_guess_never_names_a_command_that_changes_the_book(name: str) -> None:
    slips = {name[:at] + name[at + 1 :] for at in range(len(name))} | {f"{name}s", f"x{name}"}
    for slip in slips - {*COMMANDS}:
        fix = call(slip, [], {}).diagnostics[0].fix
        assert "你是不是想" not in fix or not any(f"`novel {one}`" in fix for one in CHANGES), slip


def test_a_slip_of_a_command_that_looks_is_guessed() -> None:
    for slip, meant in (("statu", "status"), ("nxt", "next"), ("outlin", "outline"), ("serch", "find")):
        assert f"你是不是想用 `novel {meant}`？" in call(slip, [], {}).diagnostics[0].fix


@pytest.mark.parametrize(
    ("said", "whole"), [(["伏笔"], ["list"]), (["大纲", "1"], ["--chapter", "1"])], ids=str
)
def test_the_shortest_way_to_say_it_will_do(tmp_path: Path, said: list[str], whole: list[str]) -> None:
    place = ["--project", str(book(tmp_path).root)]
    short, full = call(said[0], [*said[1:], *place], {}), call(said[0], [*whole, *place], {})
    assert (short.exit, short.text) == (full.exit, full.text) == (0, full.text)


def test_help_of_a_command_is_found_by_any_of_its_names() -> None:
    for words in (("rollback", ["--help"]), ("help", ["rollback"]), ("帮助", ["撤销"]), ("?", ["undo"])):
        found = call(*words, {})
        assert found.exit == 0 and found.text.startswith("用法：novel rollback"), words
    assert call("help", ["没有这个"], {}).exit == 2
    assert call("版本", [], {}).data == call(None, ["--version"], {}).data
