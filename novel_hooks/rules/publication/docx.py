"""An edition as a Word document: the parts of the package, by name. Pure.

Volumes and chapters are headings 1 and 2, so that Word's own navigation and contents know them.
Source: ECMA-376 (WordprocessingML).
"""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Iterator
from novel_hooks.rules.manuscript.paragraphs import BREAK, QUOTE, bound_lines
from novel_hooks.rules.publication import presets
from novel_hooks.rules.publication.markup import escape

if TYPE_CHECKING:
    from novel_hooks.rules.publication.edition import Edition

SCENE = "Scene"
"""The style of a paragraph that stands for a change of scene."""
QUOTED, VERSE = "Quote", "Verse"
"""The styles of lines that belong together: those of a quote, others."""
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SCHEMA = "http://schemas.openxmlformats.org/package/2006"
_KIND = "application/vnd.openxmlformats-"
_WORD = f"{_KIND}officedocument.wordprocessingml"
_TYPES = f"""{_HEAD}<Types xmlns="{_SCHEMA}/content-types">
<Default Extension="rels" ContentType="{_KIND}package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/word/document.xml" ContentType="{_WORD}.document.main+xml"/>
<Override PartName="/word/styles.xml" ContentType="{_WORD}.styles+xml"/>
<Override PartName="/docProps/core.xml" ContentType="{_KIND}package.core-properties+xml"/>
</Types>
"""
_RELATIONS = f"""{_HEAD}<Relationships xmlns="{_SCHEMA}/relationships">
<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="word/document.xml"/>
<Relationship Id="rId2" Type="{_SCHEMA}/relationships/metadata/core-properties" Target="docProps/core.xml"/>
</Relationships>
"""
_OF_DOCUMENT = f"""{_HEAD}<Relationships xmlns="{_SCHEMA}/relationships">
<Relationship Id="rId1" Type="{_OFFICE}/styles" Target="styles.xml"/>
</Relationships>
"""
_STYLES = f"""{_HEAD}<w:styles {_W}>
<w:docDefaults><w:rPrDefault><w:rPr>
<w:rFonts w:ascii="Times New Roman" w:hAnsi="Times New Roman" w:eastAsia="宋体"/><w:sz w:val="24"/>
<w:lang w:val="zh-CN" w:eastAsia="zh-CN"/>
</w:rPr></w:rPrDefault>
<w:pPrDefault><w:pPr><w:spacing w:line="400" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/>
<w:pPr><w:ind w:firstLineChars="200" w:firstLine="480"/></w:pPr></w:style>
{{plain}}
</w:styles>
"""
_STYLE = (
    '<w:style w:type="paragraph" w:styleId="{id}"><w:name w:val="{name}"/><w:basedOn w:val="Normal"/>'
    '<w:next w:val="Normal"/><w:qFormat/><w:pPr>{paragraph}<w:ind w:firstLineChars="0" w:firstLine="0"/>'
    '<w:jc w:val="center"/>{level}</w:pPr><w:rPr>{run}</w:rPr></w:style>'
)
_LINES = (
    '<w:style w:type="paragraph" w:styleId="{id}"><w:name w:val="{id}"/><w:basedOn w:val="Normal"/>'
    '<w:next w:val="Normal"/><w:qFormat/><w:pPr><w:spacing w:before="240" w:after="240"/>'
    '<w:ind w:left="960" w:firstLineChars="0" w:firstLine="0"/></w:pPr></w:style>'
)
_BOLD = '<w:b/><w:sz w:val="{size}"/>'
_KEPT = '<w:keepNext/><w:pageBreakBefore/><w:spacing w:before="480" w:after="480"/>'


def parts(edition: Edition) -> Iterator[tuple[str, bytes]]:
    """Yield (name, bytes) of every part in the package's order."""
    yield "[Content_Types].xml", _TYPES.encode()
    yield "_rels/.rels", _RELATIONS.encode()
    yield "docProps/core.xml", _properties(edition).encode("utf-8")
    yield "word/document.xml", "".join(_document(edition)).encode("utf-8")
    yield "word/_rels/document.xml.rels", _OF_DOCUMENT.encode()
    yield "word/styles.xml", _STYLES.format(plain="\n".join(_styles())).encode("utf-8")


def _styles() -> Iterator[str]:
    outline = '<w:outlineLvl w:val="{}"/>'
    title = {"paragraph": '<w:spacing w:before="2400" w:after="480"/>', "level": ""}
    yield _STYLE.format(id="Title", name="Title", run=_BOLD.format(size=52), **title)
    for level, size in ((1, 40), (2, 32)):
        run, numbered = _BOLD.format(size=size), outline.format(level - 1)
        yield _STYLE.format(
            id=f"Heading{level}", name=f"heading {level}", paragraph=_KEPT, level=numbered, run=run
        )
    yield _STYLE.format(id=SCENE, name=SCENE, paragraph="", level="", run="")
    for style in (QUOTED, VERSE):
        yield _LINES.format(id=style)


def _properties(edition: Edition) -> str:
    stamp = f'<dcterms:{{0}} xsi:type="dcterms:W3CDTF">{edition.modified}</dcterms:{{0}}>'
    return (
        f'{_HEAD}<cp:coreProperties xmlns:cp="{_SCHEMA}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"<dc:title>{escape(edition.title)}</dc:title><dc:creator>{escape(edition.author or '')}</dc:creator>"
        f"<dc:language>zh-CN</dc:language>{stamp.format('created')}{stamp.format('modified')}</cp:coreProperties>\n"
    )


def _document(edition: Edition) -> Iterator[str]:
    yield f"{_HEAD}<w:document {_W}><w:body>\n"
    yield _paragraph(edition.title, "Title")
    if edition.author:
        yield _paragraph(edition.author, SCENE)
    level = "Heading2" if edition.shows_volumes else "Heading1"
    for volume in edition.volumes:
        if edition.shows_volumes:
            yield _paragraph(presets.volume_heading(volume.number, volume.title), "Heading1")
        for leaf in volume.leaves:
            yield _paragraph(presets.section_heading(leaf.section) or f"第 {leaf.chapter} 章", level)
            for one in leaf.section.paragraphs:
                yield _paragraph("＊＊＊", SCENE) if one == BREAK else _lines(one)
    yield '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" '
    yield 'w:left="1440" w:header="720" w:footer="720" w:gutter="0"/></w:sectPr></w:body></w:document>\n'


def _lines(text: str) -> str:
    style = QUOTED if text.startswith(QUOTE) else VERSE if "\n" in text else ""
    return _paragraph("\n".join(bound_lines(text)), style)


def _paragraph(text: str, style: str = "") -> str:
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    lines = '</w:t><w:br/><w:t xml:space="preserve">'.join(escape(line) for line in text.split("\n"))
    return f'<w:p>{properties}<w:r><w:t xml:space="preserve">{lines}</w:t></w:r></w:p>\n'
