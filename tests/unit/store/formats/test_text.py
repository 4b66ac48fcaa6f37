"""Texts of files: UTF-8 without mark, one kind of line end; else the first byte that is none."""

from __future__ import annotations

import pytest

from novel_hooks import errors
from novel_hooks.store.formats.text import decode


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        ("文\n".encode(), "文\n"),
        (b"a\r\nb\rc\n\r\n", "a\nb\nc\n\n"),
        (b"\r\r\n\n\r", "\n\n\n\n"),
        ("\ufeff文".encode(), "文"),
        ("a\ufeff文".encode(), "a\ufeff文"),
        (b"\xef\xbb\xbf", ""),
    ],
)
def test_a_text_is_plain(data: bytes, text: str) -> None:
    assert decode(data, "a") == text


def test_decode_strips_one_bom_and_tells_the_byte() -> None:
    assert decode("\ufeff\ufeff文".encode(), "a") == "\ufeff文"
    with pytest.raises(errors.TextNotUtf8) as caught:
        decode("文".encode("utf-16"), "brief.md")
    assert caught.value.values["offset"] == 0
    with pytest.raises(errors.TextNotUtf8) as caught:
        decode("文".encode() + "文".encode("gbk"), "brief.md")
    assert caught.value.values["offset"] == 3


def test_what_it_may_be_is_said() -> None:
    for data, likely in (
        (
            "# 第一章 桥头\n".encode("gb18030"),
            "，可能是 gb18030（读作「# 第一章 桥头」）或 big5（读作「# 菴珨梒 Э芛」）",
        ),
        ("文".encode("utf-16"), "，开头的记号说它是 utf-16"),
        (b"\xff\xff\xff", ""),
    ):
        with pytest.raises(errors.TextNotUtf8) as caught:
            decode(data, "brief.md")
        assert (caught.value.path, caught.value.values["likely"]) == ("brief.md", likely)
