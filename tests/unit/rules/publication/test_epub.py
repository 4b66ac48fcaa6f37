"""The parts of an EPUB: well-formed, escaped, in order, the same for the same edition."""

from __future__ import annotations

from xml.etree import ElementTree

from novel_hooks.rules.manuscript.chapter_text import Section
from novel_hooks.rules.manuscript.paragraphs import BREAK
from novel_hooks.rules.publication import epub
from novel_hooks.rules.publication.edition import Edition, Leaf, Volume

ODD = Section(1, '<夜> & "雨"', ("甲 < 乙 & 丙", BREAK, "丁。"))
BOOK = Edition(
    "A & B",
    "某<某>",
    (
        Volume(1, "渡河", (Leaf(1, ODD), Leaf(2, Section(2, None, ("戊。",))))),
        Volume(2, None, (Leaf(3, ODD),)),
    ),
    "2026-01-01T00:00:00Z",
)
COVER = epub.Cover(b"\xff\xd8\xff", "jpg", "image/jpeg")
NAV = "{http://www.w3.org/1999/xhtml}"
OPF = "{http://www.idpf.org/2007/opf}"


def parts(**options: object) -> dict[str, bytes]:
    return dict(epub.parts(BOOK, **options))  # type: ignore[arg-type]


def test_the_type_comes_first() -> None:
    assert next(iter(epub.parts(BOOK))) == ("mimetype", b"application/epub+zip")


def test_every_page_is_well_formed_and_in_the_manifest() -> None:
    found = parts(cover=COVER)
    package = ElementTree.fromstring(found["EPUB/package.opf"])
    items = {one.get("href") for one in package.iter(f"{OPF}item")}
    assert items == {name[5:] for name in found if name.startswith("EPUB/")} - {"package.opf"}
    for name, data in found.items():
        if name.endswith(("xhtml", "opf", "xml")):
            ElementTree.fromstring(data)


def test_the_contents_nest_chapters_in_volumes() -> None:
    root = ElementTree.fromstring(parts()["EPUB/nav.xhtml"])
    top = root.find(f".//{NAV}nav/{NAV}ol")
    assert top is not None
    volumes = [
        (li.findtext(f"{NAV}a"), [a.text for a in li.iterfind(f"{NAV}ol/{NAV}li/{NAV}a")]) for li in top
    ]
    assert volumes == [
        ("第 1 卷 渡河", ['第 1 章 <夜> & "雨"', "第 2 章"]),
        ("第 2 卷", ['第 1 章 <夜> & "雨"']),
    ]


def test_cover_and_title_stand_outside_the_contents() -> None:
    found = parts(cover=COVER)
    assert found["EPUB/nav.xhtml"] == parts()["EPUB/nav.xhtml"]
    assert b'<img src="cover.jpg" alt="A &amp; B"/>' in found["EPUB/cover.xhtml"]
    assert b'epub:type="cover"' in found["EPUB/cover.xhtml"]
    assert b'epub:type="titlepage"' in found["EPUB/title.xhtml"]
    top = ElementTree.fromstring(found["EPUB/nav.xhtml"]).find(f".//{NAV}nav/{NAV}ol")
    assert top is not None and not "".join(one.tail or "" for one in top.iter()).strip()


def test_a_change_of_scene_is_a_rule_of_html() -> None:
    page = ElementTree.fromstring(parts()["EPUB/c00001.xhtml"])
    (section,) = page.iterfind(f".//{NAV}section")
    assert [one.tag.replace(NAV, "") for one in section] == [
        "h2",
        "p",
        "hr",
        "p",
    ]


def test_vertical_pages_turn_from_right_to_left() -> None:
    found = parts(vertical=True)
    assert b'page-progression-direction="rtl"' in found["EPUB/package.opf"]
    assert b"vertical-rl" in found["EPUB/style.css"]
    assert b"rtl" not in parts()["EPUB/package.opf"]


def test_the_same_edition_gives_the_same_parts() -> None:
    assert parts(cover=COVER) == parts(cover=COVER)
    assert epub.identifier(BOOK) == epub.identifier(BOOK._replace(modified="2027-01-01T00:00:00Z"))
    assert epub.identifier(BOOK) != epub.identifier(BOOK._replace(title="C"))


LEAVES = (
    Leaf(1, Section(1, "夜", ("一行\n二行", "> 三行\n> 四行", "甲。"))),
    Leaf(2, Section(None, None, ("乙。",))),
)
BARE = Edition("灯", None, (Volume(1, None, LEAVES),), BOOK.modified)


def body_of(page: bytes) -> str:
    return page.decode("utf-8").partition("<body")[2].partition("</body>")[0]


def test_pages_word_by_word() -> None:
    found = dict(epub.parts(BARE))
    assert body_of(found["EPUB/title.xhtml"]) == (
        ' epub:type="titlepage">\n<section class="title"><h1>灯</h1></section>\n'
    )
    assert body_of(found["EPUB/c00001.xhtml"]) == (
        '>\n<section epub:type="chapter"><h2>第 1 章 夜</h2>\n<p class="lines">一行<br/>二行</p>\n'
        '<blockquote class="lines"><p>三行<br/>四行</p></blockquote>\n<p>甲。</p></section>\n'
    )
    assert body_of(found["EPUB/c00002.xhtml"]) == '>\n<section epub:type="chapter"><p>乙。</p></section>\n'
    assert body_of(found["EPUB/nav.xhtml"]) == (
        '>\n<nav epub:type="toc" id="toc"><h1>目录</h1>\n<ol>\n'
        '<li><a href="c00001.xhtml">第 1 章 夜</a></li>\n'
        '<li><a href="c00002.xhtml">第 2 章</a></li>\n</ol></nav>\n'
    )
    assert b"vertical" not in found["EPUB/style.css"]


def test_the_author_stands_on_the_title_page_and_in_the_package() -> None:
    assert b"creator" not in dict(epub.parts(BARE))["EPUB/package.opf"]
    found = parts()
    assert "<dc:creator>某&lt;某&gt;</dc:creator>".encode() in found["EPUB/package.opf"]
    assert "<p>某&lt;某&gt;</p>".encode() in found["EPUB/title.xhtml"]


def test_a_volume_without_a_chapter_behind_it_ends_the_contents() -> None:
    last = Volume(2, "上岸", ())
    found = dict(epub.parts(BARE._replace(volumes=(Volume(1, "渡河", LEAVES), last))))
    assert body_of(found["EPUB/nav.xhtml"]).endswith(
        '</ol></li>\n<li><a href="v0002.xhtml">第 2 卷 上岸</a></li>\n</ol></nav>\n'
    )
