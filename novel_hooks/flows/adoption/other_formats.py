"""The text of an EPUB, with `#` before its headings. Nothing is written.

Notes, readings (ruby), pictures, hidden text and pages beside the text are left out, and counted.
"""

from __future__ import annotations

import posixpath
from urllib.parse import unquote

from novel_hooks.annotations import Mapping
from novel_hooks.pattern import Pattern
from novel_hooks.rules.manuscript import left_out, web_pages
from novel_hooks.rules.manuscript.left_out import LeftOut
from novel_hooks.store.formats import xmlio
from novel_hooks.store.formats.package import Package, Unread

_CONTAINER = "META-INF/container.xml"
_LOCKED = "META-INF/rights.xml"
_DECLARATIONS = Pattern(r"<!DOCTYPE[^>\[]{0,400}\[[^\]]*\]\s*>", 2)  # re.IGNORECASE, without the import
_PAGES = ("application/xhtml+xml", "text/html")


def epub_text(data: bytes, left: LeftOut | None = None) -> str:
    """Return the pages in reading order, without the navigation. Raises Unread."""
    left = left or LeftOut()
    package = Package(data)
    if _LOCKED in package.names:
        raise Unread("locked")
    (root,) = _values(package.read(_CONTAINER), {"rootfile": ("full-path",)})["rootfile"][:1] or [("",)]
    wanted = {"item": ("id", "href", "media-type", "properties"), "itemref": ("idref", "linear")}
    found = _values(package.read(root[0]), wanted)
    items = {one[0]: one for one in found["item"]}
    folder = posixpath.dirname(root[0])
    pages = []
    for name, linear in found["itemref"]:
        _, href, media, properties = items.get(name, ("", "", "", ""))
        if media in _PAGES and linear == "no":
            left.add(left_out.ASIDE)
        elif media in _PAGES and "nav" not in properties.split():
            place = posixpath.normpath(posixpath.join(folder, unquote(href)))
            pages.append(web_pages.page_text(_page(package.read(place)), left))
    return "\n\n".join(page.rstrip("\n") for page in pages if page) + "\n"


def _page(data: bytes) -> str:
    """Return a page without the declarations in its DOCTYPE. Raises Unread; entities are not expanded."""
    try:
        page = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        raise Unread("broken") from None
    found = _DECLARATIONS.search(page)
    if found is not None and "<!ENTITY" in found[0]:
        raise Unread("broken")
    return page if found is None else page[: found.start()] + page[found.end() :]


def _values(data: bytes, wanted: Mapping[str, tuple[str, ...]]) -> dict[str, list[tuple[str, ...]]]:
    """Return the wanted attributes of each wanted element, in order; "" for one that is missing."""
    found: dict[str, list[tuple[str, ...]]] = {name: [] for name in wanted}

    def begin(name: str, given: Mapping[str, str]) -> None:
        if name in wanted:
            found[name].append(tuple(given.get(key, "") for key in wanted[name]))

    xmlio.parse(data, begin, lambda _name: None, lambda _words: None)
    return found
