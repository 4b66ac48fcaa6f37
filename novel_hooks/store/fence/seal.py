"""Seals: a hash over one of `novel`'s own documents, kept in it, so that a later change is found."""

from __future__ import annotations

from novel_hooks import sha2
from novel_hooks.annotations import Any, Iterable, Mapping
from novel_hooks.store.formats import jsonio

KEY = "seal"


def with_seal(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document with its seal: sha256 of its canonical line without the seal."""
    bare = {key: value for key, value in document.items() if key != KEY}
    return {**bare, KEY: sha2.digest(jsonio.dump_line(bare))}


def is_sealed(document: Mapping[str, Any]) -> bool:
    """Tell whether the document fits its seal; False for one without a seal."""
    return bool(document.get(KEY) == with_seal(document)[KEY])


def sealed_lines(head: str, lines: Iterable[str]) -> bytes:
    """Return a sealed file: a first line of `head` and the hash of the rest, then one line an entry."""
    body = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
    return f"{head} {sha2.digest(body)}\n".encode("ascii") + body


def parse_lines(data: bytes, head: str) -> list[str] | None:
    """Parse a file of `sealed_lines` to its entries; None for another head, or a byte cut off or changed."""
    first, ended, body = data.partition(b"\n")
    if not ended or first != f"{head} {sha2.digest(body)}".encode("ascii"):
        return None
    return body.decode("utf-8", "surrogateescape").split("\n")[:-1]
