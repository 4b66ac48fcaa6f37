"""Texts of files: UTF-8 only, no BOM, LF, merged. Source: protocol §1, last paragraph."""

from __future__ import annotations

from novel_hooks import errors

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
    return text


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
