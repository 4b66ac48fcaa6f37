"""The numbers of an author's sample texts, remembered by hash: two hundred thousand characters take a while.

`.novel/style-facts.json` is a cache: broken or foreign, it is as good as empty.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any
from novel_hooks import __version__, layout, sha2
from novel_hooks.errors import Problem
from novel_hooks.flows.book import Book
from novel_hooks.store import jsonio

REVISION = 1
"""Rises when other numbers come of the same texts."""
_last: list[Any] = []
"""The key of what was asked last, and the answer: a packet is built before and again under the lock."""


def facts(book: Book, texts: Sequence[str], words: Sequence[str]) -> dict[str, Any]:
    """As `stylefacts.facts`; what is new is in `book.learnt`."""
    key = _key(texts, words)
    found = _last[1] if _last[:1] == [key] else _remembered(book, key)
    if found is None:
        from novel_hooks.rules import stylefacts

        fresh = jsonio.dump(stylefacts.facts(texts, words))
        found = jsonio.parse(fresh, layout.STYLE_FACTS)  # as it would be read back, to the order of its keys
    _last[:] = [key, found]
    data = jsonio.dump({"key": key, "facts": found})
    if _stored(book) != data:
        book.learnt[layout.STYLE_FACTS] = data
    return dict(found)


def _key(texts: Sequence[str], words: Sequence[str]) -> str:
    made = sha2.sha256(f"{__version__} {REVISION}\n".encode())
    for one in (*texts, "", *words):
        data = one.encode("utf-8", "surrogatepass")
        made.update(f"{len(data)}\n".encode() + data)
    return made.hexdigest()


def _stored(book: Book) -> bytes | None:
    try:
        return book.read(layout.STYLE_FACTS)
    except Problem:
        return None


def _remembered(book: Book, key: str) -> Any:
    data = _stored(book)
    try:
        known = jsonio.parse(data, layout.STYLE_FACTS) if data is not None else None
    except Problem:
        return None
    if not isinstance(known, dict) or known.get("key") != key or not isinstance(known.get("facts"), dict):
        return None
    return known["facts"]
