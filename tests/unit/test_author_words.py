"""What an author types: his own words beside the English ones, and numbers however he writes them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks.cli import arguments
from novel_hooks.flows import decide
from novel_hooks.rules import breakpoints, settings, spending, wording

if TYPE_CHECKING:
    from pathlib import Path

TABLES = {
    name: getattr(wording, name)
    for name in ("DECISIONS", "STATUS", "SCOPE", "JUDGES", "STOPS", "SIDES", "SETTINGS")
}


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return book(tmp_path, 1)


@pytest.mark.parametrize("table", TABLES)
def test_every_word_and_every_key_stand_for_one_thing(table: str) -> None:
    words = TABLES[table]
    said = [word for known in words.values() for word in known]
    assert len(said) == len(set(said)) and not set(said) & set(words)
    for key, known in words.items():
        assert {wording.key(words, one) for one in (key, *known, f" {known[0]} ")} == {key}
        assert wording.shown(words, key) == known[0]
    assert wording.key(words, "别的") == "别的"


def test_the_tables_are_whole() -> None:
    assert tuple(wording.DECISIONS) == decide.ANSWERS
    assert tuple(wording.STOPS) == (*breakpoints.PHASES, breakpoints.EVERY, breakpoints.NONE)
    assert tuple(wording.SIDES) == spending.SIDES
    assert set(wording.SETTINGS) >= set(settings.KEYS)


@pytest.mark.parametrize(
    "key",
    [*(one.key for one in settings.known()), *settings.KEYS, "prices.gpt-4.1.input", "prices.x.cache_read"],
)
def test_a_setting_is_known_by_the_name_that_is_shown(key: str) -> None:
    shown = wording.setting_shown(key)
    assert not (set(shown) & set("_")) and shown != key
    assert wording.setting(shown) == wording.setting(key) == key


def test_a_setting_in_two_words_and_a_stranger() -> None:
    assert wording.setting("门控.通过线") == "gate.pass"
    assert wording.setting("模型.初稿") == "models.draft"
    assert wording.setting("gate.nonsense") == "gate.nonsense"


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


@pytest.mark.parametrize("table", [wording.STATUS, wording.SCOPE])
def test_threads_by_the_words_of_the_list(made: Book, table: dict[str, tuple[str, ...]]) -> None:
    option = "--status" if table is wording.STATUS else "--scope"
    for key, words in table.items():
        found = made.novel("foreshadow", "list", option, key)
        assert all(made.novel("foreshadow", "list", option, word) == found for word in words)
    assert (
        "没有「何时」，可以写 " in made.refused(2, "CLI_USAGE", "foreshadow", "list", option, "何时").message
    )


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
