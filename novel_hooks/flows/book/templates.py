"""The files that `novel init` writes from a template, and whether one is still as it wrote it."""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.flows.book.book import Book
from novel_hooks.store.files import assets

TEMPLATES = (layout.BRIEF, layout.STYLE_PROFILE, layout.BLACKLIST, layout.STORYLINE_SPEC, layout.CONFIG)


def is_template(book: Book, path: str) -> bool:
    """Tell whether the file at `path`, landed or staged, is its template; BOM and line ends do not matter."""
    data, template = book.read(path), assets.package_path(f"templates/{path.rpartition('/')[2]}")
    return data is not None and _normalized(data) == _normalized(assets.load(template))


def _normalized(data: bytes) -> bytes:
    return data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").strip()
