"""Pages of an EPUB as plain text."""

from __future__ import annotations

import pytest

from novel_hooks.rules.manuscript.web_pages import joined, page_text


def test_headings_paragraphs_and_rules() -> None:
    page = "<h2>第一章 甲</h2><p>他来了。</p><hr/><p>她&nbsp;走了。</p></body>"
    whole = f"<html><head><title>x</title></head><body>{page}</html>"
    assert page_text(whole) == "## 第一章 甲\n\n他来了。\n\n\n她 走了。\n"


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<div>甲。<br/>乙。</div>", "甲。\n\n乙。\n"),
        ("<p>甲<ruby>乙<rt>yi</rt></ruby>。</p>", "甲乙。\n"),
        ("<p>甲。</p><script>x()</script><nav><ol><li>目录</li></ol></nav>", "甲。\n"),
        ("<h2>第2章<br/>渡河</h2>", "## 第2章 渡河\n"),
        ("<p>甲&amp;&#20057;</p>", "甲&乙\n"),
        ("<p>甲。</p><p>＊＊＊</p><p>乙。</p>", "甲。\n\n\n乙。\n"),
        ("<p> 甲\n。 </p>", "甲 。\n"),
        ("", ""),
    ],
)
def test_pages(page: str, text: str) -> None:
    assert page_text(page) == text


def test_gaps_at_the_ends_part_nothing() -> None:
    assert joined(["", "甲。", "", "", "乙。", ""]) == "甲。\n\n\n乙。\n"
