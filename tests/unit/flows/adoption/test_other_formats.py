"""EPUB of other programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from novel_hooks.errors import Problem
from novel_hooks.flows.adoption import sources
from novel_hooks.flows.adoption.other_formats import epub_text
from novel_hooks.rules.manuscript.left_out import LeftOut, describe
from novel_hooks.store.formats import package

CONTAINER = '<container><rootfiles><rootfile full-path="O E/b.opf"/></rootfiles></container>'
OPF = """<package><manifest><item id="a" href="t/%E4%B8%80.xhtml" media-type="application/xhtml+xml"/>
<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="b" href="b.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="b"/><itemref idref="n"/><itemref idref="a"/></spine></package>"""


def epub(**more: str) -> bytes:
    parts = {
        "META-INF/container.xml": CONTAINER,
        "O E/b.opf": OPF,
        "O E/b.xhtml": "<h1>第一章</h1><p>甲。</p>",
    }
    parts.update({"O E/t/一.xhtml": "<p>乙。</p>", "O E/nav.xhtml": "<p>目录</p>", **more})
    return package.pack([(name, text.encode("utf-8")) for name, text in parts.items()])


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


def test_a_page_that_declares_entities_is_refused_and_other_declarations_are_no_text() -> None:
    page = "<h1>第一章</h1><p>甲&x;。</p>"
    for entity in ('"多"', 'SYSTEM "file:///etc/passwd"'):
        with pytest.raises(package.Unread, match="broken"):
            epub_text(epub(**{"O E/b.xhtml": f"<!DOCTYPE html [<!ENTITY x {entity}>]>{page}"}))
    other = "<!DOCTYPE html [<!ATTLIST p a CDATA #IMPLIED>]><h1>第一章</h1><p>甲。</p>"
    assert epub_text(epub(**{"O E/b.xhtml": other})) == "# 第一章\n\n甲。\n\n乙。\n"


def test_pages_beside_the_text_are_left_out_and_counted() -> None:
    opf = OPF.replace('<itemref idref="a"/>', '<itemref idref="a" linear="no"/>')
    counts = LeftOut()
    page = '<h1>第一章</h1><p>甲<img src="a.png" alt="图"/>。</p>'
    assert epub_text(epub(**{"O E/b.opf": opf, "O E/b.xhtml": page}), counts) == "# 第一章\n\n甲。\n"
    assert describe(counts.counts()) == "图片 1 张、正文以外的页 1 页"


def test_chapters_may_share_a_page_and_a_chapter_may_have_several() -> None:
    page = "<h1>第一章</h1><p>甲。</p><h1>第二章</h1><p>乙。</p>"
    assert epub_text(epub(**{"O E/b.xhtml": page, "O E/t/一.xhtml": "<p>丙。</p>"})) == (
        "# 第一章\n\n甲。\n\n# 第二章\n\n乙。\n\n丙。\n"
    )


def test_a_document_without_text_says_what_it_has(tmp_path: Path) -> None:
    place = tmp_path / "书.epub"
    place.write_bytes(epub(**{"O E/b.xhtml": '<p><img src="a.png"/></p>', "O E/t/一.xhtml": ""}))
    with pytest.raises(Problem, match="里面没有文字，只有图片 1 张。"):
        sources.read([str(place)], None, None)
