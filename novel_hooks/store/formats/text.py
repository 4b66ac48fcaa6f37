"""Texts of files: UTF-8 only, no BOM, LF, merged. Source: protocol §1, last paragraph.

An HTML comment in a landed chapter is the author's note to himself and no part of its text.
"""

from __future__ import annotations

from novel_hooks import errors, layout

_BOM = "\ufeff"
_OURS, _MIDDLE, _THEIRS = "<<<<<<<", "=======", ">>>>>>>"


def decode(data: bytes, path: str, own: bool = False) -> str:
    """Decode `data`, the bytes of the file `path`: without BOM, with CRLF and lone CR as LF.

    `own`: only `novel` writes that file. Raises `TextNotUtf8`, whose offset counts bytes from 0 at the start
    of the file, BOM included; `GitConflict` (`OwnGitConflict`), whose line counts from 1.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as wrong:
        raise errors.TextNotUtf8(path, offset=wrong.start, likely=_encoding_hint(data)) from None
    if text.startswith(_BOM):
        text = text[1:]
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if _OURS in text or _THEIRS in text:
        refuse_conflict(text, path, own)
    return without_comments(text) if _OPEN in text and is_landed_chapter(path) else text


def is_landed_chapter(path: str) -> bool:
    """Return whether the path is a landed chapter's: only there a comment is the author's for certain."""
    folder, _, name = path.rpartition("/")
    return folder == "chapters" and layout.chapter_number(name) is not None


def without_comments(text: str) -> str:
    """Return the text (LF) without HTML comments; a line that held nothing else goes with its blank line.

    One that is not closed stays: it cannot be told from prose.
    """
    kept: list[str] = []
    held = False
    for line in _marked(text).split("\n"):
        bare = line.replace(_GONE, "")
        if _GONE in line and not bare.strip():
            held = True
        elif not (held and not bare.strip() and (not kept or not kept[-1].strip())):
            kept.append(bare.rstrip() if line.rstrip().endswith(_GONE) else bare)
            held = False
    while held and len(kept) > 1 and not kept[-1].strip() and not kept[-2].strip():
        kept.pop()
    return "\n".join(kept)


def comments(text: str) -> list[tuple[int, str]]:
    """Return (line, words) of every HTML comment; lines count from 1."""
    found, at = [], 0
    while (start := text.find(_OPEN, at)) >= 0 and (end := text.find(_CLOSE, start)) >= 0:
        words = " ".join(text[start + len(_OPEN) : end].split())
        found.append((text.count("\n", 0, start) + 1, words))
        at = end + len(_CLOSE)
    return [one for one in found if one[1]]


def _marked(text: str) -> str:
    """Return the text with one mark in the place of every comment that is closed."""
    parts, at = [], 0
    while (start := text.find(_OPEN, at)) >= 0 and (end := text.find(_CLOSE, start)) >= 0:
        parts += [text[at:start], _GONE]
        at = end + len(_CLOSE)
    return "".join([*parts, text[at:]])


_OPEN, _CLOSE, _GONE = "<!--", "-->", "\0"


def refuse_conflict(text: str, path: str, own: bool = False) -> None:
    """Raise `GitConflict` where a text with LF has lines by which git marks what it could not merge.

    A mark is seven signs at a line's beginning with the side's name behind them; bare ones count only when
    all three stand alone on lines, since one row of signs may be a writer's ornament.
    """
    lines = text.split("\n")
    bare = {line.rstrip() for line in lines} >= {_OURS, _MIDDLE, _THEIRS}
    for number, line in enumerate(lines, start=1):
        named = line.startswith((f"{_OURS} ", f"{_THEIRS} ")) and line[7:].strip()
        if named or (bare and line.rstrip() in (_OURS, _THEIRS)):
            kind = errors.OwnGitConflict if own else errors.GitConflict
            raise kind(path, line=number, mark=line.strip()[:_SHOWN])


_SHOWN = 40


def _encoding_hint(data: bytes) -> str:
    from novel_hooks.store.formats import encodings

    marked, found = encodings.bom_encoding(data), encodings.possible_readings(data)
    if marked is not None:
        return f"，开头的记号说它是 {marked}"
    return f"，可能是 {encodings.describe(found)}" if found else ""
