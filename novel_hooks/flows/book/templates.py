"""Is a file of the project still the template that `novel init` put there? Then nobody has made it yet."""

from __future__ import annotations

from novel_hooks.flows.book.book import Book
from novel_hooks.store.files import assets

_BOM = b"\xef\xbb\xbf"


def is_template(book: Book, path: str, template: str) -> bool:
    """Is the file at `path` the `template` of this name? A BOM and line ends make no difference."""
    data = book.read(path)
    return data is not None and _normalized(data) == _normalized(
        assets.load(assets.package_path(f"templates/{template}"))
    )


def _normalized(data: bytes) -> bytes:
    return data[len(_BOM) if data.startswith(_BOM) else 0 :].replace(b"\r\n", b"\n").strip()
