"""An edition as EPUB 3: the parts of the container, by name. Pure.

The same edition gives the same bytes: identifier and date come from it, not from clock or chance.
Source: EPUB 3.3.
"""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Iterator, Sequence
from novel_hooks.record import Record
from novel_hooks.rules.manuscript.paragraphs import BREAK, QUOTE, bound_lines
from novel_hooks.rules.publication import presets
from novel_hooks.rules.publication.markup import escape

if TYPE_CHECKING:
    from novel_hooks.rules.publication.edition import Edition, Leaf, Volume

MIMETYPE = "application/epub+zip"
COVERS = {b"\x89PNG\r\n\x1a\n": ("png", "image/png"), b"\xff\xd8\xff": ("jpg", "image/jpeg")}
"""What an image for a cover begins with: its ending and its type."""
_SPACE = "4d6f7a2e-6b1d-5f0a-9c55-6e6f76656c00"
_CONTAINER = """<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""
_PAGE = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" xml:lang="zh" lang="zh">
<head><meta charset="UTF-8"/><title>{title}</title><link rel="stylesheet" href="style.css"/></head>
<body{kind}>
{body}
</body>
</html>
"""
_STYLE = """p { margin: 0; text-indent: 2em; line-height: 1.7; text-align: justify; }
h1, h2 { text-align: center; font-weight: bold; margin: 2em 0 1.5em; }
hr { border: 0; margin: 1.5em auto; height: 1em; text-align: center; }
hr::before { content: "＊　＊　＊"; }
p.lines, blockquote.lines p { text-indent: 0; text-align: left; margin: 1em 2em; }
.title, .volume { text-align: center; }
.title p, .volume p { text-indent: 0; text-align: center; }
nav ol { list-style: none; }
img { max-width: 100%; max-height: 100%; }
"""
_VERTICAL = """html { -epub-writing-mode: vertical-rl; -webkit-writing-mode: vertical-rl; }
html { writing-mode: vertical-rl; }
"""


class Cover(Record):
    """An image for the cover: its bytes, the ending of its name, its media type."""

    data: bytes
    ending: str
    media: str


class Page(Record):
    """One page of the reading order: id, heading, body; `level` 0 stands outside the contents."""

    name: str
    heading: str
    body: str
    level: int
    kind: str = ""


def parts(
    edition: Edition, cover: Cover | None = None, vertical: bool = False
) -> Iterator[tuple[str, bytes]]:
    """Yield (name, bytes) of every part in the container's order; the first is to be stored, not packed."""
    yield "mimetype", MIMETYPE.encode()
    yield "META-INF/container.xml", _CONTAINER.encode()
    outline: list[Page] = []
    for page in _pages(edition, cover):
        outline.append(page._replace(body=""))
        kind = f' epub:type="{page.kind}"' if page.kind else ""
        whole = _PAGE.format(title=escape(page.heading), kind=kind, body=page.body)
        yield f"EPUB/{page.name}.xhtml", whole.encode("utf-8")
    yield "EPUB/nav.xhtml", _navigation(outline).encode("utf-8")
    yield "EPUB/style.css", ((_VERTICAL if vertical else "") + _STYLE).encode("utf-8")
    if cover is not None:
        yield f"EPUB/cover.{cover.ending}", cover.data
    yield "EPUB/package.opf", _package(edition, outline, cover, vertical).encode("utf-8")


def _pages(edition: Edition, cover: Cover | None) -> Iterator[Page]:
    if cover is not None:
        image = f'<div><img src="cover.{cover.ending}" alt="{escape(edition.title)}"/></div>'
        yield Page("cover", edition.title, image, 0, "cover")
    author = f"\n<p>{escape(edition.author)}</p>" if edition.author else ""
    head = f'<section class="title"><h1>{escape(edition.title)}</h1>{author}</section>'
    yield Page("title", edition.title, head, 0, "titlepage")
    count = 0
    for volume in edition.volumes:
        if edition.shows_volumes:
            yield _volume_page(volume)
        for leaf in volume.leaves:
            count += 1
            yield _leaf_page(leaf, f"c{count:05d}", 2 if edition.shows_volumes else 1)


def _volume_page(volume: Volume) -> Page:
    heading = presets.volume_heading(volume.number, volume.title)
    body = f'<section class="volume" epub:type="part"><h1>{escape(heading)}</h1></section>'
    return Page(f"v{volume.number:04d}", heading, body, 1)


def _leaf_page(leaf: Leaf, name: str, level: int) -> Page:
    heading = presets.section_heading(leaf.section)
    lines = ["<hr/>" if one == BREAK else _paragraph(one) for one in leaf.section.paragraphs]
    head = f"<h2>{escape(heading)}</h2>\n" if heading else ""
    body = f'<section epub:type="chapter">{head}{chr(10).join(lines)}</section>'
    return Page(name, heading or f"第 {leaf.chapter} 章", body, level)


def _paragraph(text: str) -> str:
    """Return a paragraph; lines that belong together are one with `br`, those of a quote in `blockquote`."""
    whole = "<br/>".join(map(escape, bound_lines(text)))
    if text.startswith(QUOTE):
        return f'<blockquote class="lines"><p>{whole}</p></blockquote>'
    return f'<p class="lines">{whole}</p>' if "\n" in text else f"<p>{whole}</p>"


def _navigation(outline: Sequence[Page]) -> str:
    """Return the contents: volumes with their chapters below them."""
    lines: list[str] = []
    inside = False
    shown = [page for page in outline if page.level]
    for at, page in enumerate(shown):
        entry = f'<li><a href="{page.name}.xhtml">{escape(page.heading)}</a>'
        if page.level == 2:
            lines.append(f"{entry}</li>")
            continue
        lines += ["</ol></li>"] if inside else []
        inside = at + 1 < len(shown) and shown[at + 1].level == 2
        lines.append(f"{entry}<ol>" if inside else f"{entry}</li>")
    lines += ["</ol></li>"] if inside else []
    body = f'<nav epub:type="toc" id="toc"><h1>目录</h1>\n<ol>\n{chr(10).join(lines)}\n</ol></nav>'
    return _PAGE.format(title="目录", kind="", body=body)


def _package(edition: Edition, outline: Sequence[Page], cover: Cover | None, vertical: bool) -> str:
    items = [
        f'<item id="{p.name}" href="{p.name}.xhtml" media-type="application/xhtml+xml"/>' for p in outline
    ]
    if cover is not None:
        properties = f'media-type="{cover.media}" properties="cover-image"'
        items.append(f'<item id="cover-image" href="cover.{cover.ending}" {properties}/>')
    spine = "".join(f'<itemref idref="{page.name}"/>\n' for page in outline)
    direction = ' page-progression-direction="rtl"' if vertical else ""
    author = f"\n<dc:creator>{escape(edition.author)}</dc:creator>" if edition.author else ""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="zh">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:uuid:{identifier(edition)}</dc:identifier>
<dc:title>{escape(edition.title)}</dc:title>{author}
<dc:language>zh</dc:language>
<meta property="dcterms:modified">{edition.modified}</meta>
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="style" href="style.css" media-type="text/css"/>
{chr(10).join(items)}
</manifest>
<spine{direction}>
{spine}</spine>
</package>
"""


def identifier(edition: Edition) -> str:
    """Return the book's own UUID, made of title and author: a new edition replaces the old one."""
    from uuid import UUID, uuid5

    return str(uuid5(UUID(_SPACE), f"{edition.title}\n{edition.author or ''}"))
