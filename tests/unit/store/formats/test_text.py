"""Texts of files: UTF-8 without mark, one kind of line end; else the first byte that is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import CHECKOUT

from novel_hooks import errors
from novel_hooks.store.formats import text as formats_text
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


def test_a_row_of_zero_bytes_is_no_text() -> None:
    with pytest.raises(errors.TextHollow) as caught:
        decode("钟".encode() + b"\0" * 9, "brief.md")
    assert caught.value.values["offset"] == 4 and "备份" in caught.value.diagnostic().fix


CONFLICT = "<<<<<<< HEAD\n她推开门。\n=======\n她没有推门。\n>>>>>>> 他的改动\n"


@pytest.mark.parametrize(
    ("text", "line", "mark"),
    [
        (CONFLICT, 1, "<<<<<<< HEAD"),
        (f"# 第 7 章\n\n{CONFLICT}", 3, "<<<<<<< HEAD"),
        (f"\ufeff甲\n{CONFLICT}".replace("\n", "\r\n"), 2, "<<<<<<< HEAD"),
        ("甲\n乙\n>>>>>>> 他的改动", 3, ">>>>>>> 他的改动"),
        ("<<<<<<<\n甲\n=======\n乙\n>>>>>>>\n", 1, "<<<<<<<"),
        ('{"a": [\n<<<<<<< ours\n1\n||||||| base\n0\n=======\n2\n>>>>>>> theirs\n]}', 2, "<<<<<<< ours"),
        ("甲\n　　<<<<<<< HEAD\n　　乙\n", 2, "<<<<<<< HEAD"),
        ("<<<<<<<<<<<<<<< HEAD\n甲\n", 1, "<<<<<<<<<<<<<<< HEAD"),
        ("甲\n||||||| 1a2b3c4\n乙\n=======\n丙\n", 2, "||||||| 1a2b3c4"),
        ("甲\n%%%%%%% Changes from base to side #1\n乙\n", 2, "%%%%%%% Changes from base to side #1"),
        ("甲\n+++++++ Contents of side #2\n乙\n", 2, "+++++++ Contents of side #2"),
    ],
)
def test_two_versions_in_one_text_are_refused_by_line(text: str, line: int, mark: str) -> None:
    with pytest.raises(errors.GitConflict) as caught:
        decode(text.encode(), "brief.md")
    assert (caught.value.path, caught.value.values["line"], caught.value.values["mark"]) == (
        "brief.md",
        line,
        mark,
    )
    with pytest.raises(errors.OwnGitConflict):
        decode(text.encode(), "state/current-state.json", own=True)


@pytest.mark.parametrize(
    "text",
    [
        "甲\n=======\n乙\n",
        "<<<<<<<\n甲\n",
        ">>>>>>>\n甲\n<<<<<<<\n",
        "他打出一行 <<<<<<< HEAD 就走了。\n",
        "<<<<<<<<<<<<<<<\n甲\n>>>>>>>>>>>>>>>\n",
        "<<<<<<<一串箭头\n",
        "<<<<<<< 我是分割线 >>>>>>>\n",
        "||||||| 名 | 值 |\n",
        "%%%%%%% 乱码 %%%%%%%\n",
    ],
)
def test_a_writers_ornament_is_no_conflict(text: str) -> None:
    assert decode(text.encode(), "chapters/chapter-001.md") == text


def test_the_reported_chapter_is_refused_at_its_line() -> None:
    data = (Path(CHECKOUT) / "tests" / "cases" / "git_conflict.md").read_bytes()
    with pytest.raises(errors.GitConflict) as caught:
        decode(data, "chapters/chapter-007.md")
    line = caught.value.values["line"]
    assert isinstance(line, int) and data.decode().split("\n")[line - 1].startswith("<<<<<<< ")


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("甲\n\n<!--x-->\n\n乙\n", "甲\n\n乙\n"),
        ("甲\n<!--x-->\n\n乙\n", "甲\n\n乙\n"),
        ("甲<!--x-->\n\n乙 <!--y-->\n", "甲\n\n乙\n"),
        ("甲\n\n乙\n\n<!--x\ny-->\n", "甲\n\n乙\n"),
        ("甲<!--x-->乙\n", "甲乙\n"),
        ("甲<!--x\n", "甲<!--x\n"),
        ("甲-->乙<!---->\n", "甲-->乙\n"),
    ],
)
def test_a_comment_leaves_the_text_as_it_was_without_it(text: str, bare: str) -> None:
    assert formats_text.without_comments(text) == bare
    assert formats_text.decode(text.encode(), "chapters/chapter-002.md") == bare
    assert formats_text.decode(text.encode(), "staging/chapters/chapter-002.md") == text


def test_comments_by_line() -> None:
    text = "甲<!-- 一 -->\n<!--二\n 三-->\n<!-- -->\n<!--四"
    assert formats_text.comments(text) == [(1, "一"), (2, "二 三")]


@pytest.mark.parametrize(
    ("written", "read", "count"),
    [
        ("他\u200b说\ufeff话", "他说话", 2),
        ("\u202e反着\u202c走\u00ad", "反着走", 3),
        ("一\u2028二\v三\r\f四", "一\n二\n三\n四", 3),
        ("a\u200db\u200c", "ab", 2),
        ("👨\u200d👩\u200d👧笑了❤\ufe0f\u200d🔥", "👨\u200d👩\u200d👧笑了❤\ufe0f\u200d🔥", 0),
        ("می\u200cخواهم", "می\u200cخواهم", 0),
        ("平常的话。\n", "平常的话。\n", 0),
    ],
)
def test_what_nobody_sees_is_taken_out_and_what_is_seen_stays(written: str, read: str, count: int) -> None:
    assert formats_text.without_unseen(written) == (read, count)


@pytest.mark.parametrize(
    ("written", "escaped", "line"),
    [
        ("一\n二\0三", False, 2),
        ("一\x1b", False, 1),
        ('{\n"a": "\\u0000"}', True, 2),
        ('{"a": "\\\\\\u001b"}', True, 1),
    ],
)
def test_a_control_character_is_told_by_line(written: str, escaped: bool, line: int) -> None:
    with pytest.raises(errors.TextControl) as told:
        formats_text.refuse_control(written, "staging/a.md", escaped)
    assert told.value.values["line"] == line


@pytest.mark.parametrize(
    ("written", "escaped"), [("一\t二\n", False), ('{"a": "\\\\u0000", "b": "\\n"}', True)]
)
def test_what_only_looks_like_a_control_character_passes(written: str, escaped: bool) -> None:
    formats_text.refuse_control(written, "staging/a.md", escaped)


@pytest.mark.parametrize("path", ["chapters/chapter-012.md", "chapters/第012章 夜雨.md"])
def test_a_landed_text_is_read_without_comments_under_either_name(path: str) -> None:
    data = "# 第 12 章 夜雨\n\n<!-- 记得改 -->\n\n雨停了。\n".encode()
    assert formats_text.decode(data, path) == "# 第 12 章 夜雨\n\n雨停了。\n"
    assert "<!--" in formats_text.decode(data, f"staging/{path}")


@pytest.mark.parametrize(("own", "kind"), [(False, errors.GitConflict), (True, errors.OwnGitConflict)])
def test_a_conflict_is_the_authors_or_our_own(own: bool, kind: type[errors.GitConflict]) -> None:
    with pytest.raises(errors.GitConflict) as refused:
        formats_text.refuse_conflict("a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n", "p.md", own)
    assert type(refused.value) is kind
    assert refused.value.values["line"] == 2
