"""The parts of a Word document: well-formed, headings as headings."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from novel_hooks.rules.publication import docx
from unit.rules.publication.test_epub import BARE, BOOK

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


def test_parts_styles_and_properties_by_their_names() -> None:
    found = dict(docx.parts(BOOK))
    assert list(found) == [
        "[Content_Types].xml",
        "_rels/.rels",
        "docProps/core.xml",
        "word/document.xml",
        "word/_rels/document.xml.rels",
        "word/styles.xml",
    ]
    styles = ElementTree.fromstring(found["word/styles.xml"])
    named = {one.get(f"{W}styleId"): one for one in styles.iter(f"{W}style")}
    levels = {name: [at.get(f"{W}val") for at in one.iter(f"{W}outlineLvl")] for name, one in named.items()}
    assert (levels["Title"], levels["Heading1"], levels["Heading2"]) == ([], ["0"], ["1"])
    for name, shown in (("Heading1", "heading 1"), ("Scene", "Scene")):
        title = named[name].find(f"{W}name")
        assert title is not None and title.get(f"{W}val") == shown
    core = ElementTree.fromstring(found["docProps/core.xml"])
    assert [(one.tag.rpartition("}")[2], one.text) for one in core] == [
        ("title", "A & B"),
        ("creator", "某<某>"),
        ("language", "zh-CN"),
        ("created", "2026-01-01T00:00:00Z"),
        ("modified", "2026-01-01T00:00:00Z"),
    ]


def test_without_volumes_chapters_are_of_the_first_level() -> None:
    text = dict(docx.parts(BARE))["word/document.xml"].decode("utf-8")
    assert text.count('<w:pStyle w:val="Heading1"/>') == 2 and "Heading2" not in text


def test_styles_word_by_word() -> None:
    text = dict(docx.parts(BARE))["word/styles.xml"].decode("utf-8")
    shown = re.findall(r'w:styleId="(\w+)">.*?<w:pPr>(.*?)<w:ind [^>]*/>(.*?)</w:style>', text)
    kept = '<w:keepNext/><w:pageBreakBefore/><w:spacing w:before="480" w:after="480"/>'
    ends = '<w:jc w:val="center"/>{}</w:pPr><w:rPr>{}</w:rPr>'
    bold = '<w:b/><w:sz w:val="{}"/>'
    apart = '<w:spacing w:before="240" w:after="240"/>'
    assert shown == [
        ("Title", '<w:spacing w:before="2400" w:after="480"/>', ends.format("", bold.format(52))),
        ("Heading1", kept, ends.format('<w:outlineLvl w:val="0"/>', bold.format(40))),
        ("Heading2", kept, ends.format('<w:outlineLvl w:val="1"/>', bold.format(32))),
        ("Scene", "", ends.format("", "")),
        ("Quote", apart, "</w:pPr>"),
        ("Verse", apart, "</w:pPr>"),
    ]
