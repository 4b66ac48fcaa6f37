"""The author's notes as they are taken into `research/`: their names, their text. Pure.

Source: protocol §1 (`research/*.md`, UTF-8, LF, no BOM).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

ENDINGS = (".md", ".txt")
MOST_BYTES = 2 * 1024 * 1024
MOST_FILES = 200
MOST_TOTAL = 20 * 1024 * 1024
"""Bytes of all notes of one call."""
MOST_SEEN = 2000
"""Names looked at below the folders of one call, whatever they are."""
_LONGEST = 200
_BANNED = "/\\:"
_LEFT_BY_OLD_EDITORS = "\x1a"


class Refused(Exception):
    """Why a note cannot be taken, and what to do: two Chinese sentences without a full stop between."""

    def __init__(self, detail: str, how: str) -> None:
        super().__init__(detail)
        self.detail = detail
        self.how = how


class Blank(Refused):
    """Nothing is written in it."""


def research_name(parts: Iterable[str]) -> str:
    """The name in `research/`: the folders below the given one and the file's name, joined, `.md` at the end.

    Raises Refused for a name that cannot be a file's everywhere.
    """
    whole = "-".join(parts)
    stem = whole.rpartition(".")[0] if whole.lower().endswith(ENDINGS) else whole
    name = f"{stem.strip()}.md"
    odd = any(mark in _BANNED or not mark.isprintable() for mark in name)
    if not stem.strip() or odd or name.startswith(".") or len(name.encode("utf-8", "replace")) > _LONGEST:
        raise Refused(f"「{whole}」不能当文件名", "请用 --as 另起一个短些的名字，不要斜杠和冒号。")
    return name


def is_same_name(one: str, other: str) -> bool:
    """Would both be one file on some disk?"""
    from unicodedata import normalize

    return normalize("NFC", one).casefold() == normalize("NFC", other).casefold()


def first_odd_mark(found: str) -> int | None:
    """Where the first mark stands that no text has; None without one."""
    plain = f"\n\r\t\f{_LEFT_BY_OLD_EDITORS}"
    return next((at for at, mark in enumerate(found) if mark < " " and mark not in plain), None)


def clean_text(found: str) -> str:
    """The note's text with LF and no mark at its end. Raises Refused for what is no text, or none at all."""
    found = found.replace("\r\n", "\n").replace("\r", "\n").rstrip(_LEFT_BY_OLD_EDITORS)
    if first_odd_mark(found) is not None:
        raise Refused(
            "里面有不是文字的字节，像是别的格式", "请在写作软件里另存为纯文本（.txt 或 .md）再交来。"
        )
    if not found.strip():
        raise Blank("是空的", "请检查是不是交错了文件。")
    return found
