"""Pages of an EPUB as plain text."""

from __future__ import annotations

import pytest

from novel_hooks.rules.manuscript.left_out import LeftOut, describe
from novel_hooks.rules.manuscript.web_pages import joined, page_text


def test_headings_paragraphs_and_rules() -> None:
    page = "<h2>第一章 甲</h2><p>他来了。</p><hr/><p>她&nbsp;走了。</p></body>"
    whole = f"<html><head><title>x</title></head><body>{page}</html>"
    assert page_text(whole) == "## 第一章 甲\n\n他来了。\n\n\n她 走了。\n"


GAP = "<p>&nbsp;</p>"


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
        ('<p>甲<span epub:type="pagebreak">12</span>乙<span role="doc-pagebreak"/>丙</p>', "甲乙丙\n"),
        ("<p>甲<![CDATA[<乙>&]]>丙</p>", "甲<乙>&丙\n"),
        ("<table><tr><th>力量</th><td>12</td></tr></table>", "力量\n\n12\n"),
        ("<dl><dt>甲</dt><dd>乙</dd></dl>", "甲\n\n乙\n"),
        ("<p>甲</p><p>丙</p><p>&nbsp;</p><p>乙</p>", "甲\n\n丙\n\n\n乙\n"),
        ("<p>甲</p><p>丙</p><p>　　</p><p>乙</p>", "甲\n\n丙\n\n\n乙\n"),
        ("<p>甲</p><p>丙</p><p><br/></p><p>乙</p>", "甲\n\n丙\n\n\n乙\n"),
        ("<p>甲</p><p>&nbsp;</p><p>乙</p><p>&nbsp;</p><p>丙</p><p>&nbsp;</p>", "甲\n\n乙\n\n丙\n"),
        ("<p>甲</p><p>丙</p><p></p><p><img/></p><p>乙<br/></p><p>丁</p>", "甲\n\n丙\n\n乙\n\n丁\n"),
        (f"<p>甲</p><p>乙</p>{GAP}<p>丙</p><p>丁</p>{GAP}<p>戊</p>", "甲\n\n乙\n\n\n丙\n\n丁\n\n\n戊\n"),
        ("", ""),
    ],
)
def test_pages(page: str, text: str) -> None:
    assert page_text(page) == text


NOTE = '<aside epub:type="footnote" id="n1"><p>注一。</p></aside>'


@pytest.mark.parametrize(
    ("page", "text", "left"),
    [
        (
            f'<p>甲<a epub:type="noteref" href="#n1">1</a>。</p>{NOTE}<p>乙。</p>',
            "甲。\n\n乙。\n",
            "脚注 1 条",
        ),
        (
            '<p>甲<sup><a href="n.xhtml#n1">[1]</a></sup>。</p><p>乙<sup>2</sup></p>',
            "甲。\n\n乙2\n",
            "脚注 1 条",
        ),
        ('<p>甲<a href="#n1"><sup>[1]</sup></a>。</p>', "甲。\n", "脚注 1 条"),
        (f'<section epub:type="endnotes">{NOTE}{NOTE}</section><p>甲。</p>', "甲。\n", "脚注 2 条"),
        ('<p>甲<a class="duokan-footnote" href="#a"><img alt="注"/></a></p>', "甲\n", "脚注 1 条、图片 1 张"),
        ("<p>甲<ruby>乙<rt>yi<rp>)</ruby>丙<ruby>丁<rt>d</rt></ruby></p>", "甲乙丙丁\n", "注音 2 处"),
        (
            '<p hidden="">密</p><p>甲<span style="display: none">密<b>密</b></span>乙</p>',
            "甲乙\n",
            "隐藏的文字 2 处",
        ),
        ('<p>甲<img alt="图"/></p><svg><image/></svg>', "甲\n", "图片 2 张"),
        ('<p>甲<a href="#n1"><b><sup>[1]</sup></b></a>。</p>', "甲。\n", "脚注 1 条"),
        ('<p>甲<sup><b><a href="#n1">[1]</a></b></sup>。</p>', "甲。\n", "脚注 1 条"),
        ('<p>见<a href="#c2">第二章</a></p>', "见第二章\n", ""),
        ('<p>甲<sup>2</sup>，见<a href="#c2">第二章</a></p>', "甲2，见第二章\n", ""),
        ("<p>甲</a>乙<sup>2</sup></p>", "甲乙2\n", ""),
    ],
)
def test_what_is_no_text_is_left_out_and_counted(page: str, text: str, left: str) -> None:
    counts = LeftOut()
    assert (page_text(page, counts), describe(counts.counts())) == (text, left)


def test_lines_that_belong_together_stay_so() -> None:
    assert page_text('<p class="lines">一行<br/>二行</p><p>甲。</p>') == "一行\\\n二行\n\n甲。\n"
    poem = '<blockquote class="poem"><p>一行</p><p>二行</p></blockquote>'
    assert page_text(f"{poem}<p>甲。</p>") == "> 一行\n> 二行\n\n甲。\n"
    assert page_text('<p class="verse"><br/>一行<br/><br/>二行<br/><br/></p><p class="verse"></p>') == (
        "一行\\\n\\\n二行\n"
    )
    assert page_text('<div class="verse"><div>一行</div>二行') == "一行\n\n二行\n"
    assert page_text('<p>甲。</p><div class="verse">一行') == "甲。\n\n一行\n"
    nested = '<div class="verse"><div>　一行</div><div>二行</div></div>'
    assert page_text(f"{nested}<p>甲。</p>") == "　一行\\\n二行\n\n甲。\n"
    assert page_text('<p>甲。</p><p class="verse"></p><p>乙。</p>') == "甲。\n\n乙。\n"


def test_gaps_at_the_ends_part_nothing() -> None:
    assert joined(["", "甲。", "", "", "乙。", ""]) == "甲。\n\n\n乙。\n"
