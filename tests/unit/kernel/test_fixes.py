"""No `fix` of any refusal leads to a living file that is overwritten or deleted."""

from __future__ import annotations

import string
from collections.abc import Iterator

import pytest

from tools.gen_errors import problem_classes

PLACES = ("path", "file", "place", "name", "original", "checkpoint", "first", "kept")
"""The values that name a file or a folder, in one refusal or another."""
CAREFUL = ("留底", "不会盖掉", "不要盖掉", "不要用它盖掉", "还没有人用", "现在没有这个文件", "外面")


def advice() -> Iterator[tuple[str, str]]:
    """Yield (code, a fix that its class may give)."""
    for found in problem_classes():
        yield found.code, found.fix
        yield from ((found.code, text.rpartition("\n")[2]) for text in found.cases.values() if "\n" in text)


EVERY = sorted(set(advice()))


def files(text: str) -> list[str]:
    """Return the placeholders of a template that name files, as they stand in it."""
    names = [name for _, name, _, _ in string.Formatter().parse(text) if name]
    return [f"{{{name}}}" for name in names if name in PLACES]


def test_there_is_much_to_look_at() -> None:
    assert len(EVERY) > 300 and sum(bool(files(text)) for _, text in EVERY) > 100


@pytest.mark.parametrize("word", ["删去", "删掉", "删除", "清空", "覆盖"])
def test_no_file_is_to_be_deleted(word: str) -> None:
    """Words and lines in a file may be; a file is moved out of the book, where it stays."""
    for code, text in EVERY:
        for place in files(text):
            assert f"{word} {place}" not in text and f"{word}{place}" not in text, (code, text)
        assert not any(f"{word}{what}" in text for what in ("它，", "它。", "这一份", "这份", "整个")), (
            code,
            text,
        )


def test_who_renames_or_moves_back_overwrites_nothing() -> None:
    for code, text in EVERY:
        for place in files(text):
            for word in ("改名为", "移回", "改成文件", "换成 "):
                if f"{word} {place}" in text or f"{word}{place}" in text:
                    assert any(hint in text for hint in CAREFUL), (code, text)


def test_what_is_moved_away_goes_out_of_the_book_or_out_of_staging() -> None:
    for code, text in EVERY:
        if "移到" in text and files(text):
            assert any(
                hint in text for hint in ("外面", "书外", ".novel/torn", "别处留作备份", "本机磁盘")
            ), (
                code,
                text,
            )


def test_a_damaged_file_is_kept_before_a_backup_replaces_it() -> None:
    """A file that is there, and that only `novel` writes, may be newer than the backup."""
    for code in (
        "OWN_FILE_BROKEN",
        "OWN_FILE_DAMAGED",
        "CHANGELOG_BROKEN",
        "CHECKPOINT_UNSURE",
        "SYNC_LOG_LINE",
    ):
        for told, text in EVERY:
            if told == code and "备份取回" in text:
                assert text.index("留底") < text.index("备份取回"), (code, text)
