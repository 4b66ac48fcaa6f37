"""The author's notes on their way into `research/`: their file names, their text. Pure.

Source: protocol §1 (`research/*.md`, UTF-8, LF, no BOM).
"""

from __future__ import annotations

from novel_hooks.annotations import Iterable

ENDINGS = (".md", ".txt")
DOCUMENTS = (
    *(".docx", ".doc", ".wps", ".rtf", ".odt", ".pages"),
    *(".pdf", ".epub", ".xlsx", ".xls", ".html", ".htm"),
)
"""Files that hold words which another program reads."""
MOST_BYTES = 2 * 1024 * 1024
MOST_FILES = 200
MOST_TOTAL = 20 * 1024 * 1024
"""Bytes of all notes of one call."""
MOST_SEEN = 2000
"""Files and folders counted below the folders of one call, notes or not."""
_LONGEST = 200
_BANNED = "/\\:"
_LEFT_BY_OLD_EDITORS = "\x1a"


class Refused(Exception):
    """A note that cannot be taken: a case of NoteRefused and its values."""

    def __init__(self, case: str, **values: object) -> None:
        super().__init__(case)
        self.case = case
        self.values = values


class Blank(Refused):
    """A note without any text."""


def research_name(parts: Iterable[str]) -> str:
    """Join the note's folders and its file name to a name in `research/`: 地理, 盐路.txt → `地理-盐路.md`.

    Raises Refused for a name that not every system can give to a file.
    """
    whole = "-".join(parts)
    stem = whole.rpartition(".")[0] if whole.lower().endswith(ENDINGS) else whole
    name = f"{stem.strip()}.md"
    has_banned = any(mark in _BANNED or not mark.isprintable() for mark in name)
    if not stem.strip() or has_banned or name.startswith(".") or len(name.encode("utf-8")) > _LONGEST:
        raise Refused("bad name", name=whole)
    return name


def is_same_name(one: str, other: str) -> bool:
    """Return whether two names are one file on a disk that ignores case or Unicode form."""
    from unicodedata import normalize

    return normalize("NFC", one).casefold() == normalize("NFC", other).casefold()


def first_odd_mark(text: str) -> int | None:
    """Find the first control character that no text has, as its offset; None without one."""
    plain = f"\n\r\t\f{_LEFT_BY_OLD_EDITORS}"
    return next((at for at, mark in enumerate(text) if mark < " " and mark not in plain), None)


def clean_text(text: str) -> str:
    """Return the note's text with LF line ends, without the end mark of old editors.

    Raises Refused for a text with control characters, Blank for an empty one.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip(_LEFT_BY_OLD_EDITORS)
    if first_odd_mark(text) is not None:
        raise Refused("odd marks")
    if not text.strip():
        raise Blank("blank")
    return text
