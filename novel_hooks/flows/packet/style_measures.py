"""The measures of an author's samples, cached by hash because two hundred thousand characters take a while.

`.novel/style-facts.json` is a cache: broken or foreign, it counts as empty.
"""

from __future__ import annotations

from novel_hooks import __version__, errors, layout, sha2
from novel_hooks.annotations import Any, Callable, Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.rules.cast import world_rules
from novel_hooks.rules.text.length import length
from novel_hooks.store.formats import jsonio

LIMIT = 200_000
"""Characters of sample text that are measured; what begins behind them is left out, with a warning."""
REVISION = 2
"""Rises when other numbers come of the same texts."""


def facts(book: Book, texts: Sequence[str], words: Sequence[str]) -> dict[str, Any]:
    """Return `style_measures.style_facts` of the texts; a new result is in `book.learnt`."""
    key = _cache_key(texts, words)
    found = _cached(book, key)
    if found is None:
        from novel_hooks.rules.lint.sheet import Sheet
        from novel_hooks.rules.text import style_measures

        prose = [
            Sheet(text).prose() for text in texts
        ]  # without letters and panels, as chapters are measured
        fresh = jsonio.dump(style_measures.style_facts(prose, words))
        found = jsonio.parse(fresh, layout.STYLE_FACTS)  # as it would be read back, to the order of its keys
    data = jsonio.dump({"key": key, "facts": found})
    if _stored(book) != data:
        book.learnt[layout.STYLE_FACTS] = data
    return dict(found)


def measured_samples(book: Book) -> tuple[list[str], dict[str, Any]] | None:
    """Return (the sample texts, their measures in an earlier packet); None when no packet held them.

    Raises the faults of a sample's file.
    """
    blacklist = book.document(layout.BLACKLIST, "ai-blacklist")
    names, _ = book.files(layout.STYLE_SAMPLES, layout.PAGE_ENDINGS[layout.STYLE_SAMPLES])
    texts = [text for _, text in samples(names, book.text)[0]]
    found = _cached(book, _cache_key(texts, blacklisted(blacklist))) if texts else None
    return None if found is None else (texts, dict(found))


def sample_problems(book: Book) -> list[Problem]:
    """Return a problem when the author has given no text to measure.

    A fault of one is reported with the packet.
    """
    names, broken = book.files(layout.STYLE_SAMPLES, layout.PAGE_ENDINGS[layout.STYLE_SAMPLES])
    return [] if names or broken else [errors.SampleMissing(layout.STYLE_SAMPLES)]


def samples(
    names: Sequence[str], read: Callable[[str], str | None]
) -> tuple[list[tuple[str, str]], list[str]]:
    """Return ((path, text) of each measured sample, names of those over the limit)."""
    found: list[tuple[str, str]] = []
    total, left = 0, []
    for name in names:
        path = f"{layout.STYLE_SAMPLES}/{name}"
        if total >= LIMIT:
            left.append(name)
            continue
        text = read(path)
        if text is not None and length(text):
            found.append((path, text))
            total += length(text)
    return found, left


def blacklisted(blacklist: Any) -> list[str]:
    """Return all words of the blacklist without those that the author allows."""
    return list(world_rules.blacklist_top(blacklist, len((blacklist or {}).get("words") or ())))


def _cache_key(texts: Sequence[str], words: Sequence[str]) -> str:
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


def _cached(book: Book, key: str) -> Any:
    data = _stored(book)
    try:
        known = jsonio.parse(data, layout.STYLE_FACTS) if data is not None else None
    except Problem:
        return None
    if not isinstance(known, dict) or known.get("key") != key or not isinstance(known.get("facts"), dict):
        return None
    return known["facts"]
