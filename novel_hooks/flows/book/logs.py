"""The `.jsonl` files that grow with the book and that only `novel` writes. Source: protocol §1."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.book.book import Book, Damage
from novel_hooks.rules.text.json_values import integer
from novel_hooks.store.formats import jsonio
from novel_hooks.store.formats.text import MOST_LEVELS, decode

_TAIL = 1 << 16
_FAR = 1 << 22
"""Bytes of the change log in which a storyline's last chapter is looked for: some thousand chapters."""


def lines(book: Book, path: str) -> list[dict[str, Any]]:
    """Return every line of the log; [] when absent. Raises LogLineBroken, OwnFileDamaged."""
    with Damage(path):
        text = book.text(path) or ""
    return parse([(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()], path)


def parse(numbered: Sequence[tuple[int, str]], path: str) -> list[dict[str, Any]]:
    """Parse lines, as (number in the file, text), to their objects. Raises LogLineBroken."""
    whole = parse_whole([line.encode("utf-8") for _, line in numbered], path)
    return [_parse_line(line, path, number) for number, line in numbered] if whole is None else whole


def parse_whole(raw: Sequence[bytes], path: str) -> list[dict[str, Any]] | None:
    """Parse all lines as one document, at a fraction of the cost; None when one is no object by itself."""
    if not all(line.startswith(b"{") and line.rstrip().endswith(b"}") for line in raw):
        return None
    shallow = all(line.count(b"{") + line.count(b"[") < MOST_LEVELS for line in raw)
    try:
        found: Any = jsonio.parse(b"[" + b",".join(raw) + b"]", path, shallow=shallow)
    except Problem:
        return None
    whole = len(found) == len(raw) and all(isinstance(one, dict) for one in found)
    return list(found) if whole else None


def _parse_line(text: str, path: str, number: int) -> dict[str, Any]:
    try:
        found = jsonio.parse(text.encode("utf-8"), path, own=True)
    except errors.OwnJsonBroken as broken:
        values = broken.values
        raise errors.LogLineBroken(
            path, line=number, column=values["column"], fault=values["fault"]
        ) from broken
    if not isinstance(found, dict):
        raise errors.LogLineBroken(path, line=number, column=1, fault="应是一个对象")
    return found


def raw_lines(book: Book, path: str) -> tuple[list[bytes], list[int]]:
    """Return the lines that hold anything, as bytes with their ends, and their numbers in the file.

    Empty lines belong to the line before them, or to the first. Raises OwnFileDamaged.
    """
    with Damage(path):
        if book.text(path) is None:
            return [], []
    raw: list[bytes] = []
    numbers: list[int] = []
    lead = b""
    for number, line in enumerate((book.read(path) or b"").splitlines(keepends=True), start=1):
        if not line.isspace():
            raw.append(lead + line)
            numbers.append(number)
            lead = b""
        elif raw:
            raw[-1] += line
        else:
            lead += line
    return raw, numbers


def parse_raw(raw: Sequence[bytes], numbers: Sequence[int], path: str) -> list[dict[str, Any]]:
    """Parse lines as `raw_lines` returns them to their objects. Raises LogLineBroken."""
    whole = parse_whole([line.strip(b" \t\r\n") for line in raw], path)
    if whole is not None:
        return whole
    return parse([(number, decode(line, path).strip("\n")) for number, line in zip(numbers, raw)], path)


def last_line(book: Book) -> Mapping[str, Any] | None:
    """Return the last line of the change log; None when there is no log, or an empty one.

    Raises LogTailBroken, and what keeps the file from being read.
    """
    size = _TAIL
    while True:
        data, whole = book.project.tail(layout.CHANGELOG, size)
        text = data.rstrip(b"\r\n \t")
        if whole or b"\n" in text:
            break
        size *= 8
    if not text:
        return None
    try:
        found = jsonio.parse(text[text.rfind(b"\n") + 1 :], layout.CHANGELOG)
    except Problem:
        found = None
    if not isinstance(found, dict):
        raise errors.LogTailBroken(layout.CHANGELOG)
    return found


def last_chapter(book: Book, storyline: str, before: int) -> int | None:
    """Return the storyline's last chapter before `before`, by the change log; None when it names none.

    Only the log's end is read, so the cost does not grow with the book. A broken line is reported elsewhere.
    """
    size = _TAIL
    while True:
        data, whole = book.project.tail(layout.CHANGELOG, size)
        for raw in reversed(data.split(b"\n")):
            chapter = _chapter_of(raw, storyline) if storyline.encode("utf-8") in raw else None
            if chapter is not None and chapter < before:
                return chapter
        if whole or size >= _FAR:
            return None
        size *= 8


def _chapter_of(raw: bytes, storyline: str) -> int | None:
    """Return the chapter of a whole line of this storyline, else None."""
    try:
        line = jsonio.parse(raw, layout.CHANGELOG)
    except Problem:
        return None
    if not isinstance(line, dict) or line.get("storyline_id") != storyline:
        return None
    return integer(line.get("chapter"))
