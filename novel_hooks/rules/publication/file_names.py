"""Names of files made of titles that may hold anything, fit for every system. Pure."""

from __future__ import annotations

from unicodedata import normalize

from novel_hooks import layout
from novel_hooks.pattern import Pattern

_WIDE = {ord(mark): wide for mark, wide in zip('/\\:*?"<>|', "／＼：＊？＂＜＞｜")}
_RESERVED = Pattern(r"(?:CON|PRN|AUX|NUL|CLOCK\$|CONIN\$|CONOUT\$|COM[0-9¹²³]|LPT[0-9¹²³])(?=\.|\Z)")
_LONGEST = 120
"""Bytes of a name in UTF-8, without its ending: every system takes 255, sync programs add their own."""
NAMELESS = "未命名"


def file_name(title: str) -> str:
    """Return a name, without ending, that every system can give to a file and that says the title.

    Marks that no name may hold become their full-width twins; of a long title the beginning is kept.
    """
    plain = "".join(mark if mark.isprintable() else " " for mark in normalize("NFC", title).translate(_WIDE))
    plain = _cut(" ".join(plain.split()).strip(". ")).rstrip(". ")
    if _RESERVED.match(plain.upper()):
        plain = f"_{plain}"
    return plain or NAMELESS


def leaf_names(titles: list[tuple[int, str | None]]) -> list[str]:
    """Return a name for each (chapter, title): `012 夜雨`, several of one chapter as `001-2 楔子`.

    The number keeps them apart, and in order, whatever the titles are.
    """
    width = max([3, *(len(str(chapter)) for chapter, _ in titles)])
    counts: dict[int, int] = {}
    names = []
    for chapter, title in titles:
        counts[chapter] = counts.get(chapter, 0) + 1
        number = f"{chapter:0{width}d}" + (f"-{counts[chapter]}" if counts[chapter] > 1 else "")
        names.append(f"{number} {shown}" if (shown := _title_name(title)) else number)
    return names


def chapter_file(chapter: int, title: str | None) -> str:
    """Return the name of a landed chapter's file with its title: `第012章 夜雨.md`, in order by number."""
    return layout.titled_chapter(chapter, _title_name(title))


def _title_name(title: str | None) -> str:
    """Return the title as a part of a file's name; "" where it says nothing."""
    shown = file_name(title) if title and title.strip() else ""
    return "" if shown == NAMELESS else shown


def _cut(text: str) -> str:
    """Return the longest beginning that has at most `_LONGEST` bytes and ends with a whole character.

    An accent or joiner at the end goes with the character that it would have changed.
    """
    if len(text.encode("utf-8")) <= _LONGEST:
        return text
    return text.encode("utf-8")[:_LONGEST].decode("utf-8", "ignore").rstrip("\u200d\ufe0f")
