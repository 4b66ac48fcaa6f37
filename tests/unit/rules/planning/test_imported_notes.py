"""An author's note on its way into `research/`: its file name, its text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks import errors
from novel_hooks.errors import Diagnostic
from novel_hooks.rules.planning import imported_notes
from novel_hooks.rules.planning.imported_notes import Blank, Refused


def refusal(why: Refused) -> Diagnostic:
    """The refusal as the author reads it."""
    return errors.NoteRefused(None, why.case, place="笔记", **why.values).diagnostic()


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        (["盐路.md"], "盐路.md"),
        (["盐路.txt"], "盐路.md"),
        (["盐路.TXT"], "盐路.md"),
        (["盐路"], "盐路.md"),
        (["盐路.docx"], "盐路.docx.md"),
        (["第一.稿.txt"], "第一.稿.md"),
        ([" 盐路 .md"], "盐路.md"),
        (["地理", "盐路.txt"], "地理-盐路.md"),
        (["地理", "河", "渡口.MD"], "地理-河-渡口.md"),
        # 200 bytes at most, `.md` among them.
        (["盐" * 65 + "ab.md"], "盐" * 65 + "ab.md"),
    ],
)
def test_the_name_in_research(parts: list[str], name: str) -> None:
    assert imported_notes.research_name(parts) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".md",
        "  .txt",
        ".隐藏.md",
        "..md",
        "盐/路.md",
        "盐\\路.md",
        "C:盐路.md",
        "盐\n路.md",
        "盐\u200b路.md",
        "盐\ud800路.md",
        "盐" * 65 + "abc.md",
    ],
)
def test_a_name_that_not_every_system_takes_is_refused_with_a_way_out(name: str) -> None:
    with pytest.raises(Refused) as refused:
        imported_notes.research_name([name])
    found = refusal(refused.value)
    assert found.message == f"「笔记」收不进来：「{name}」不能当文件名。"
    assert "--as" in found.fix and found.fix.endswith("。")
    assert not isinstance(refused.value, Blank)


@given(st.lists(st.text(max_size=40), min_size=1, max_size=3))
def test_any_name_is_one_plain_file_or_refused(parts: list[str]) -> None:
    try:
        name = imported_notes.research_name(parts)
    except Refused:
        return
    assert name.endswith(".md") and not name.startswith(".") and not set("/\\:\n\0") & set(name)
    assert len(name.encode("utf-8")) <= 200


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("盐路.md", "盐路.md", True),
        ("Salt.md", "sALT.MD", True),
        ("stra\u00dfe.md", "STRASSE.md", True),
        ("caf\u00e9.md", "cafe\u0301.md", True),
        ("CAFE\u0301.md", "caf\u00e9.md", True),
        ("盐路.md", "水路.md", False),
        ("cafe.md", "caf\u00e9.md", False),
    ],
)
def test_names_that_are_one_file_on_some_disk(one: str, other: str, same: bool) -> None:
    assert imported_notes.is_same_name(one, other) is same
    assert imported_notes.is_same_name(other, one) is same


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("", None),
        ("盐路\n\r\t\f\x1a", None),
        (" \x7f", None),
        ("\0盐", 0),
        ("盐\x01", 1),
        ("盐路\x1f\x02", 2),
        ("\x1b[0m", 0),
    ],
)
def test_the_first_control_character(text: str, offset: int | None) -> None:
    assert imported_notes.first_odd_mark(text) == offset


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("盐路\n", "盐路\n"),
        ("一\r\n二\r三\n四\r\n", "一\n二\n三\n四\n"),
        ("\r\n\r\n一", "\n\n一"),
        ("盐路\n\x1a\x1a", "盐路\n"),
        ("盐\x1a路", "盐\x1a路"),
        ("  盐路\t\f ", "  盐路\t\f "),
    ],
)
def test_the_text_has_plain_line_ends_and_no_end_mark(text: str, clean: str) -> None:
    assert imported_notes.clean_text(text) == clean
    assert imported_notes.clean_text(clean) == clean


def test_what_is_no_text_is_refused_and_what_is_empty_is_blank() -> None:
    with pytest.raises(Refused) as refused:
        imported_notes.clean_text("PK\x03\x04")
    found = refusal(refused.value)
    assert found.message == "「笔记」收不进来：里面有不是文字的字节，像是别的格式。"
    assert "另存为纯文本" in found.fix and not isinstance(refused.value, Blank)
    for text in ("", " \r\n\t", "\x1a"):
        with pytest.raises(Blank) as blank:
            imported_notes.clean_text(text)
        empty = refusal(blank.value)
        assert (empty.message, empty.fix) == ("「笔记」收不进来：是空的。", "请检查是不是交错了文件。")
