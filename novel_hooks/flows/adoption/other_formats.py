"""The text of an EPUB or a Word document, with its headings behind `#`. Nothing is written.

Of a document only text is taken: pictures, tables' frames and notes are left.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
import posixpath
from urllib.parse import unquote

from novel_hooks.rules.manuscript import web_pages
from novel_hooks.store.formats import xmlio
from novel_hooks.store.formats.package import Package, Unread

_CONTAINER = "META-INF/container.xml"
_LOCKED = "META-INF/rights.xml"
_PAGES = ("application/xhtml+xml", "text/html")
_MARKS = {"br": "\n", "cr": "\n", "tab": "\t", "noBreakHyphen": "-"}
_BODY, _STYLES = "word/document.xml", "word/styles.xml"


def epub_text(data: bytes) -> str:
    """Return the pages in reading order, without the navigation. Raises Unread."""
    package = Package(data)
    if _LOCKED in package.names:
        raise Unread("locked")
    (root,) = _values(package.read(_CONTAINER), {"rootfile": ("full-path",)})["rootfile"][:1] or [("",)]
    found = _values(
        package.read(root[0]), {"item": ("id", "href", "media-type", "properties"), "itemref": ("idref",)}
    )
    items = {one[0]: one for one in found["item"]}
    folder = posixpath.dirname(root[0])
    pages = []
    for (name,) in found["itemref"]:
        _, href, media, properties = items.get(name, ("", "", "", ""))
        if media in _PAGES and "nav" not in properties.split():
            place = posixpath.normpath(posixpath.join(folder, unquote(href)))
            pages.append(web_pages.page_text(_page(package.read(place))))
    return "\n\n".join(page.rstrip("\n") for page in pages if page) + "\n"


def _page(data: bytes) -> str:
    try:
        return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        raise Unread("broken") from None


def _values(data: bytes, wanted: Mapping[str, tuple[str, ...]]) -> dict[str, list[tuple[str, ...]]]:
    """Return the wanted attributes of each wanted element, in order; "" for one that is missing."""
    found: dict[str, list[tuple[str, ...]]] = {name: [] for name in wanted}

    def begin(name: str, given: Mapping[str, str]) -> None:
        if name in wanted:
            found[name].append(tuple(given.get(key, "") for key in wanted[name]))

    _parse(data, begin, lambda _name: None, lambda _words: None)
    return found


def _parse(data: bytes, *handlers: object) -> None:
    try:
        xmlio.parse(data, *handlers)  # type: ignore[arg-type]
    except xmlio.Unread:
        raise Unread("broken") from None


_GONE = ("del", "moveFrom", "Fallback")
"""What Word keeps beside the text: deleted, moved away, said again for older programs."""


class _Document:
    """Collects the paragraphs of a Word document; a text box's stand before the one that holds it."""

    def __init__(self, levels: Mapping[str, int]) -> None:
        self.levels = levels
        self.lines: list[str] = []
        self._part: list[str] = []
        self._level = 0
        self._inside = 0
        self._silent = 0
        self._outer: list[tuple[list[str], int]] = []

    def begin(self, name: str, given: Mapping[str, str]) -> None:
        if name in _GONE:
            self._silent += 1
        elif name == "p":
            self._outer.append((self._part, self._level))
            self._part, self._level = [], 0
        elif name == "pStyle":
            self._level = self.levels.get(given.get("val", ""), 0)
        elif name == "outlineLvl" and given.get("val", "9").isdigit():
            self._level = self._level or (int(given["val"]) + 1) % 10
        elif name == "t":
            self._inside += 1
        elif not self._silent:
            self._part.append(_MARKS.get(name, ""))

    def words(self, text: str) -> None:
        if self._inside and not self._silent:
            self._part.append(text)

    def end(self, name: str) -> None:
        if name in _GONE:
            self._silent -= 1
        elif name == "t":
            self._inside -= 1
        elif name == "p":
            text = "".join(self._part)
            sharps = "#" * min(self._level, 6)
            self._part, self._level = self._outer.pop()
            if self._silent:
                return
            self.lines += [f"{sharps} {text.strip()}"] if sharps and text.strip() else text.split("\n")


def docx_text(data: bytes) -> str:
    """Return the paragraphs of a Word document; those that are empty part scenes, or are spacing.

    Raises Unread.
    """
    package = Package(data)
    levels = _heading_levels(package.read(_STYLES)) if _STYLES in package.names else {}
    document = _Document(levels)
    _parse(package.read(_BODY), document.begin, document.end, document.words)
    return web_pages.joined(_without_spacing(document.lines))


def _without_spacing(lines: list[str]) -> list[str]:
    """Drop empty paragraphs where every paragraph has one behind it: they are spacing."""
    empty = sum(not line.strip() for line in lines)
    return [line for line in lines if line.strip()] if empty * 3 > len(lines) else lines


def _heading_levels(data: bytes) -> dict[str, int]:
    """Return style id → level of its heading, by the style's own name."""
    levels: dict[str, int] = {}
    current = [""]

    def begin(name: str, given: Mapping[str, str]) -> None:
        if name == "style":
            current[0] = given.get("styleId", "")
        elif name == "name":
            word, _, level = given.get("val", "").lower().partition(" ")
            if word in ("heading", "标题") and level.isdigit():
                levels[current[0]] = int(level)

    _parse(data, begin, lambda _name: None, lambda _words: None)
    return levels
