"""A hash over a document of ours, kept in it: what was changed since does not pass for what was written."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

import hashlib

from novel_hooks.store.formats import jsonio

KEY = "seal"


def with_seal(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with its seal: sha256 of its canonical line, the seal left out."""
    bare = {key: value for key, value in document.items() if key != KEY}
    return {**bare, KEY: hashlib.sha256(jsonio.dump_line(bare)).hexdigest()}


def is_sealed(document: Mapping[str, Any]) -> bool:
    """Is it as it was sealed? One without a seal is not."""
    return bool(document.get(KEY) == with_seal(document)[KEY])


def sealed_lines(head: str, lines: Iterable[str]) -> bytes:
    """A file of `novel`'s own, one line an entry, below a line of `head` and the hash of all that follows."""
    body = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
    return f"{head} {hashlib.sha256(body).hexdigest()}\n".encode("ascii") + body


def parse_lines(data: bytes, head: str) -> list[str] | None:
    """The entries; None when the head is another, or anything was cut off or changed."""
    first, _, body = data.partition(b"\n")
    if first != f"{head} {hashlib.sha256(body).hexdigest()}".encode("ascii"):
        return None
    return body.decode("utf-8", "surrogateescape").split("\n")[:-1]
