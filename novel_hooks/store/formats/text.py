"""Texts of files: UTF-8 only, no BOM, LF. Source: protocol §1, last paragraph."""

from __future__ import annotations

from novel_hooks import errors

_BOM = "\ufeff"


def decode(data: bytes, path: str) -> str:
    """Decode `data`, the bytes of the file `path`: without BOM, with CRLF and lone CR as LF.

    Raises `TextNotUtf8`, whose offset counts bytes from 0 at the start of the file, BOM included.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as wrong:
        raise errors.TextNotUtf8(path, offset=wrong.start, likely=_encoding_hint(data)) from None
    if text.startswith(_BOM):
        text = text[1:]
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def _encoding_hint(data: bytes) -> str:
    from novel_hooks.store.formats import encodings

    marked, found = encodings.bom_encoding(data), encodings.possible_readings(data)
    if marked is not None:
        return f"，开头的记号说它是 {marked}"
    return f"，可能是 {encodings.describe(found)}" if found else ""
