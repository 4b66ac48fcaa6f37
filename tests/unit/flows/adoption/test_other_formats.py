"""EPUB and Word documents of other programs."""

from __future__ import annotations

import pytest

from novel_hooks.flows.adoption.other_formats import docx_text, epub_text
from novel_hooks.store.formats import package

CONTAINER = '<container><rootfiles><rootfile full-path="O E/b.opf"/></rootfiles></container>'
OPF = """<package><manifest><item id="a" href="t/%E4%B8%80.xhtml" media-type="application/xhtml+xml"/>
<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="b" href="b.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="b"/><itemref idref="n"/><itemref idref="a"/></spine></package>"""
STYLES = (
    """<w:styles xmlns:w="urn:w"><w:style w:styleId="a3"><w:name w:val="heading 2"/></w:style></w:styles>"""
)


def epub(**more: str) -> bytes:
    parts = {
        "META-INF/container.xml": CONTAINER,
        "O E/b.opf": OPF,
        "O E/b.xhtml": "<h1>第一章</h1><p>甲。</p>",
    }
    parts.update({"O E/t/一.xhtml": "<p>乙。</p>", "O E/nav.xhtml": "<p>目录</p>", **more})
    return package.pack([(name, text.encode("utf-8")) for name, text in parts.items()])


def docx(body: str) -> bytes:
    whole = f'<w:document xmlns:w="urn:w"><w:body>{body}</w:body></w:document>'
    return package.pack([("word/document.xml", whole.encode()), ("word/styles.xml", STYLES.encode())])


def paragraph(text: str, style: str = "") -> str:
    marked = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{marked}<w:r><w:t>{text}</w:t></w:r></w:p>"


def test_pages_in_reading_order_without_the_navigation() -> None:
    assert epub_text(epub()) == "# 第一章\n\n甲。\n\n乙。\n", "a page ends no scene"


def test_a_locked_or_broken_epub_is_refused() -> None:
    with pytest.raises(package.Unread, match="locked"):
        epub_text(epub(**{"META-INF/rights.xml": "<r/>"}))
    with pytest.raises(package.Unread, match="broken"):
        epub_text(epub(**{"O E/b.opf": "<package>"}))
    with pytest.raises(package.Unread, match="broken"):
        epub_text(epub(**{"O E/b.opf": '<!DOCTYPE p [<!ENTITY x "y">]><package/>'}))
    with pytest.raises(package.Unread, match="broken"):
        epub_text(b"no zip")


def test_paragraphs_and_headings_of_a_word_document() -> None:
    body = paragraph("第一章 甲", "a3") + paragraph("他来了。") + paragraph("她</w:t><w:br/><w:t>走了。")
    assert docx_text(docx(body)) == "## 第一章 甲\n\n他来了。\n\n她\n\n走了。\n"


def test_what_word_keeps_beside_the_text_is_left() -> None:
    gone = "<w:del><w:r><w:delText>删</w:delText></w:r></w:del>"
    gone += "<w:moveFrom><w:r><w:t>移</w:t></w:r></w:moveFrom>"
    added = "<w:ins><w:r><w:t>慢慢</w:t></w:r></w:ins>"
    body = f"<w:p><w:r><w:t>他</w:t></w:r>{gone}{added}<w:r><w:t>来</w:t><w:noBreakHyphen/></w:r></w:p>"
    assert docx_text(docx(body)) == "他慢慢来-\n"
    box = f"<w:txbxContent>{paragraph('框')}</w:txbxContent>"
    twice = f"<w:Choice>{box}</w:Choice><w:Fallback>{box}</w:Fallback>"
    body = f"<w:p><w:r><w:t>前</w:t></w:r><w:r>{twice}</w:r><w:r><w:t>后</w:t></w:r></w:p>"
    assert docx_text(docx(body)) == "框\n\n前后\n"


def test_empty_paragraphs_part_scenes_unless_they_are_everywhere() -> None:
    few = "".join(map(paragraph, ["甲。", "乙。", "丙。", "", "丁。"]))
    assert docx_text(docx(few)) == "甲。\n\n乙。\n\n丙。\n\n\n丁。\n"
    many = "".join(map(paragraph, ["甲。", "", "乙。", "", "丙。", ""]))
    assert docx_text(docx(many)) == "甲。\n\n乙。\n\n丙。\n"
