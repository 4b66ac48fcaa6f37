"""The parts of a Word document: well-formed, headings as headings."""

from __future__ import annotations

from xml.etree import ElementTree

from novel_hooks.rules.publication import docx
from unit.rules.publication.test_epub import BOOK

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def test_every_part_is_well_formed() -> None:
    for _name, data in docx.parts(BOOK):
        ElementTree.fromstring(data)


def test_the_document_in_order() -> None:
    body = ElementTree.fromstring(dict(docx.parts(BOOK))["word/document.xml"])
    shown = []
    for paragraph in body.iter(f"{W}p"):
        style = paragraph.find(f"{W}pPr/{W}pStyle")
        text = "".join(one.text or "" for one in paragraph.iter(f"{W}t"))
        shown.append((None if style is None else style.get(f"{W}val"), text))
    assert shown[:7] == [
        ("Title", "A & B"),
        ("Scene", "某<某>"),
        ("Heading1", "第 1 卷 渡河"),
        ("Heading2", '第 1 章 <夜> & "雨"'),
        (None, "甲 < 乙 & 丙"),
        ("Scene", "＊＊＊"),
        (None, "丁。"),
    ]
