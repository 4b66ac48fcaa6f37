"""The test whether a file of the project is still the template that `novel init` wrote."""

from __future__ import annotations

from novel_hooks.flows.book.book import Book
from novel_hooks.store.files import assets

_BOM = b"\xef\xbb\xbf"


def is_template(book: Book, path: str, template: str) -> bool:
    """Tell whether the file at `path` is the unchanged `template`; BOM and line ends do not matter."""
    data = book.read(path)
    return data is not None and _normalized(data) == _normalized(
        assets.load(assets.package_path(f"templates/{template}"))
    )


def _normalized(data: bytes) -> bytes:
    return data[len(_BOM) if data.startswith(_BOM) else 0 :].replace(b"\r\n", b"\n").strip()
