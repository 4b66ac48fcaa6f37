"""Word documents of other programs."""

from __future__ import annotations

import pytest

from novel_hooks.flows.adoption.word import docx_text
from novel_hooks.rules.manuscript.left_out import LeftOut, describe
from novel_hooks.store.formats import package

STYLES = """<w:styles xmlns:w="urn:w"><w:style w:styleId="a3"><w:name w:val="heading 2"/></w:style>
<w:style w:styleId="t1"><w:name w:val="toc 1"/></w:style>
<w:style w:styleId="q"><w:name w:val="Quote"/></w:style>
<w:style w:styleId="h1"><w:name w:val="heading 1"/>
<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
<w:style w:styleId="h1x"><w:name w:val="我的章"/><w:basedOn w:val="h1"/></w:style>
<w:style w:styleId="h1y"><w:name w:val="又一种"/><w:basedOn w:val="h1x"/></w:style>
<w:style w:styleId="h1z"><w:name w:val="无号章"/><w:basedOn w:val="h1"/>
<w:pPr><w:numPr><w:numId w:val="0"/></w:numPr></w:pPr></w:style>
<w:style w:styleId="out"><w:name w:val="章名"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
<w:style w:styleId="flat"><w:name w:val="正文样"/><w:basedOn w:val="out"/>
<w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>
<w:style w:styleId="qx"><w:name w:val="信"/><w:basedOn w:val="q"/></w:style>
<w:style w:styleId="gone"><w:name w:val="批语"/><w:rPr><w:vanish/></w:rPr></w:style>
<w:style w:styleId="gonex"><w:name w:val="批语二"/><w:basedOn w:val="gone"/></w:style>
<w:style w:styleId="back"><w:name w:val="批语三"/><w:basedOn w:val="gone"/>
<w:rPr><w:vanish w:val="0"/></w:rPr></w:style>
<w:style w:styleId="round"><w:name w:val="圈"/><w:basedOn w:val="round"/></w:style>
</w:styles>"""
NUMBERING = """<w:numbering xmlns:w="urn:w"><w:abstractNum w:abstractNumId="7">
<w:lvl w:ilvl="0"><w:start w:val="11"/>
<w:numFmt w:val="chineseCountingThousand"/><w:lvlText w:val="第%1章"/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%2)"/></w:lvl>
<w:lvl w:ilvl="2"><w:numFmt w:val="bullet"/><w:lvlText w:val="●"/></w:lvl>
<w:lvl w:ilvl="3"><w:numFmt w:val="hindiVowels"/><w:lvlText w:val="%4"/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId="8"><w:lvl w:ilvl="0"><w:lvlText w:val="第%1卷"/></w:lvl>
<w:lvl w:ilvl="1"><w:lvlRestart w:val="0"/><w:lvlText w:val="第%2章"/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num>
<w:num w:numId="3"><w:abstractNumId w:val="8"/>
<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>
<w:num w:numId="4"><w:abstractNumId w:val="8"/><w:lvlOverride w:ilvl="0">
<w:lvl w:ilvl="0"><w:lvlText w:val="卷%1"/></w:lvl>
</w:lvlOverride></w:num></w:numbering>"""


def docx(body: str) -> bytes:
    whole = f'<w:document xmlns:w="urn:w"><w:body>{body}</w:body></w:document>'
    parts = {"word/document.xml": whole, "word/styles.xml": STYLES, "word/numbering.xml": NUMBERING}
    return package.pack([(name, text.encode()) for name, text in parts.items()])


def paragraph(text: str, style: str = "", more: str = "") -> str:
    marked = f'<w:pPr><w:pStyle w:val="{style}"/>{more}</w:pPr>' if style or more else ""
    return f"<w:p>{marked}<w:r><w:t>{text}</w:t></w:r></w:p>"


def listed(text: str, level: int, number: int = 1) -> str:
    return paragraph(text, more=f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')


def run(inside: str, properties: str = "") -> str:
    return f"<w:r>{f'<w:rPr>{properties}</w:rPr>' if properties else ''}{inside}</w:r>"


def text(word: str) -> str:
    return f"<w:t>{word}</w:t>"


@pytest.mark.parametrize(
    ("beside", "found", "left"),
    [
        (run('<w:footnoteReference w:id="2"/>'), "前后\n", "脚注 1 条"),
        (run('<w:endnoteReference w:id="2"/>'), "前后\n", "脚注 1 条"),
        ('<w:commentRangeStart w:id="0"/>' + run('<w:commentReference w:id="0"/>'), "前后\n", "批注 1 条"),
        (run(text("密"), "<w:vanish/>"), "前后\n", "隐藏的文字 1 处"),
        (run(text("明"), '<w:vanish w:val="0"/>'), "前明后\n", ""),
        (f"<w:del>{run('<w:delText>删</w:delText>')}</w:del>", "前后\n", "修订里删去、移走的 1 处"),
        (f"<w:moveFrom>{run(text('移'))}</w:moveFrom>", "前后\n", "修订里删去、移走的 1 处"),
        (f"<w:ins>{run(text('增'))}</w:ins><w:moveTo>{run(text('移'))}</w:moveTo>", "前增移后\n", ""),
        (run("<w:drawing><a:blip xmlns:a='urn:a'/></w:drawing>"), "前后\n", "图片 1 张"),
        (
            run(f"<w:ruby><w:rt>{run(text('yè'))}</w:rt><w:rubyBase>{run(text('夜'))}</w:rubyBase></w:ruby>"),
            "前夜后\n",
            "注音 1 处",
        ),
        (run("<w:instrText> PAGE </w:instrText>") + run(text("3")), "前3后\n", ""),
        (run("<w:softHyphen/>"), "前后\n", ""),
        (run(text("红"), "<w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>"), "前红后\n", ""),
        (run("<w:tab/>"), "前\t后\n", ""),
        (run(text("密"), '<w:rStyle w:val="gone"/>'), "前后\n", "隐藏的文字 1 处"),
        (run(text("密"), '<w:rStyle w:val="gonex"/>'), "前后\n", "隐藏的文字 1 处"),
        (run(text("明"), '<w:rStyle w:val="back"/>'), "前明后\n", ""),
        (run(text("明"), '<w:rStyle w:val="gone"/><w:vanish w:val="false"/>'), "前明后\n", ""),
        (run('<w:sym w:font="Wingdings" w:char="F04A"/>'), "前后\n", "字体自带的符号 1 个"),
        (run('<w:sym w:font="宋体" w:char="2014"/>'), "前—后\n", ""),
        (run('<w:drawing><c:chart xmlns:c="urn:c"/></w:drawing>'), "前后\n", "图片 1 张"),
        (f"<w:fldSimple w:instr='DATE'>{run(text('三月'))}</w:fldSimple>", "前三月后\n", ""),
    ],
)
def test_what_stands_beside_the_text_is_kept_or_counted(beside: str, found: str, left: str) -> None:
    counts = LeftOut()
    body = f"<w:p>{run(text('前'))}{beside}{run(text('后'))}</w:p>"
    assert (docx_text(docx(body), counts), describe(counts.counts())) == (found, left)


def test_a_deleted_paragraph_mark_deletes_no_text() -> None:
    marked = '<w:pPr><w:rPr><w:del w:id="1"/><w:vanish/></w:rPr></w:pPr>'
    counts = LeftOut()
    assert (
        docx_text(docx(f"<w:p>{marked}{run(text('甲。'))}</w:p>{paragraph('乙。')}"), counts)
        == "甲。\n\n乙。\n"
    )
    assert counts.counts() == {}


def test_a_style_before_a_tracked_change_is_none() -> None:
    former = '<w:pPrChange><w:pPr><w:pStyle w:val="a3"/></w:pPr></w:pPrChange>'
    assert docx_text(docx(paragraph("甲。", more=former))) == "甲。\n"


def test_numbers_that_word_makes_are_made() -> None:
    body = (
        paragraph("夜雨", "h1")
        + listed("甲", 1)
        + listed("乙", 1)
        + paragraph("渡河", "h1")
        + listed("丙", 1)
    )
    assert docx_text(docx(body)) == "# 第十一章 夜雨\n\n1) 甲\n\n2) 乙\n\n# 第十二章 渡河\n\n1) 丙\n"
    counts = LeftOut()
    assert (
        docx_text(docx(listed("甲", 2) + listed("乙", 3) + listed("丙", 0, 9)), counts) == "甲\n\n乙\n\n丙\n"
    )
    assert describe(counts.counts()) == "自动编号 2 处"


@pytest.mark.parametrize(
    ("style", "found"),
    [
        ("h1x", "# 第十一章 夜雨\n"),
        ("h1y", "# 第十一章 夜雨\n"),
        ("h1z", "# 夜雨\n"),
        ("out", "## 夜雨\n"),
        ("flat", "夜雨\n"),
        ("qx", "> 夜雨\n"),
        ("back", "夜雨\n"),
        ("round", "夜雨\n"),
        ("none", "夜雨\n"),
    ],
)
def test_a_style_has_what_the_one_below_it_has(style: str, found: str) -> None:
    assert docx_text(docx(paragraph("夜雨", style))) == found


@pytest.mark.parametrize("style", ["gone", "gonex"])
def test_a_paragraph_that_its_style_hides_is_counted(style: str) -> None:
    counts = LeftOut()
    assert docx_text(docx(paragraph("甲。") + paragraph("密。", style)), counts) == "甲。\n"
    assert describe(counts.counts()) == "隐藏的文字 1 处"


def test_numbers_that_go_on_start_anew_or_look_otherwise() -> None:
    body = listed("甲", 0, 2) + listed("一", 1, 2) + listed("乙", 0, 2) + listed("二", 1, 2)
    assert docx_text(docx(body)).split() == [*("第1卷", "甲", "第1章", "一", "第2卷", "乙", "第2章", "二")]
    body = listed("甲", 0, 2) + listed("乙", 0, 3) + listed("丙", 0, 3) + listed("丁", 0, 4)
    assert docx_text(docx(body)).split() == [*("第1卷", "甲", "第5卷", "乙", "第6卷", "丙", "卷7", "丁")]


@pytest.mark.parametrize(
    "more",
    [
        paragraph("密。", "gone"),
        f"<w:p><w:del>{run('<w:delText>删</w:delText>')}</w:del></w:p>",
        "<w:p><w:r><w:drawing><a:blip xmlns:a='urn:a'/></w:drawing></w:r></w:p>",
    ],
)
def test_a_paragraph_that_held_only_what_is_left_out_parts_no_scenes(more: str) -> None:
    body = "".join(map(paragraph, ["甲。", "乙。", "丙。"])) + more + paragraph("丁。")
    assert docx_text(docx(body)) == "甲。\n\n乙。\n\n丙。\n\n丁。\n"


def test_another_document_inside_is_counted() -> None:
    counts = LeftOut()
    docx_text(docx(paragraph("甲。") + '<w:altChunk r:id="a" xmlns:r="urn:r"/>'), counts)
    assert describe(counts.counts()) == "嵌进来的别的文件 1 个"


def test_contents_that_word_made_are_left_out_and_tables_are_read() -> None:
    cell = "<w:tc>{}</w:tc>".format
    table = f"<w:tbl><w:tr>{cell(paragraph('姓名'))}{cell(paragraph('沈渡'))}</w:tr></w:tbl>"
    counts = LeftOut()
    assert docx_text(docx(paragraph("第一章 夜雨\t3", "t1") + table), counts) == "姓名\n\n沈渡\n"
    assert describe(counts.counts()) == "自动目录 1 行"


def test_lines_of_a_quote_stay_together() -> None:
    assert docx_text(docx(paragraph("一行</w:t><w:br/><w:t>二行", "q"))) == "> 一行\n> 二行\n"


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
