"""Marks of files, `path → (signature, sha256)`, and a sealed file of them.

A file whose signature is as it was need not be read again.
"""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Mapping
from novel_hooks.store.fence import seal

if TYPE_CHECKING:
    import os

    Marks = dict[str, tuple[str, str]]


SETTLED_NS = 2_000_000_000
"""A file this young may change again without looking different: a disk's clock may be this coarse."""


def signature(status: os.stat_result) -> str:
    """Return size, modification and change time (ns) as `12 1760000000000000000 1760000000000000000`.

    Any write, rename or change of kind moves the change time.
    """
    return f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}"


def dump(marks: Mapping[str, tuple[str, str]], head: str) -> bytes:
    """Return a sealed file of marks, a line each by path: signature, hash and path, with tabs."""
    lines = [f"{stat}\t{sha256}\t{path}" for path, (stat, sha256) in sorted(marks.items())]
    return seal.sealed_lines(head, lines)


def parse(data: bytes, head: str) -> Marks | None:
    """Parse a file that `dump` made to its marks; None when it is damaged or of another format."""
    lines = seal.parse_lines(data, head)
    if lines is None:
        return None
    parts = [line.split("\t") for line in lines]
    return {p[2]: (p[0], p[1]) for p in parts if len(p) == 3}
