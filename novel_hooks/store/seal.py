"""A hash over a document of `novel`'s own, kept in it: what was changed since does not pass for what it wrote.

Source: issue 4 (nothing is guessed).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

import hashlib

from novel_hooks.store import jsonio

KEY = "seal"


def sealed(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with its seal: sha256 of its canonical line, the seal left out."""
    bare = {key: value for key, value in document.items() if key != KEY}
    return {**bare, KEY: hashlib.sha256(jsonio.dump_line(bare)).hexdigest()}


def holds(document: Mapping[str, Any]) -> bool:
    """Is it as it was sealed? One without a seal is not."""
    return bool(document.get(KEY) == sealed(document)[KEY])
