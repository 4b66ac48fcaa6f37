"""SHA-256, without loading OpenSSL for the few kilobytes that an everyday command hashes.

`import hashlib` links OpenSSL, which takes longer than all that `next` or `status` does with it. CPython's
own implementation (the one that `hashlib` falls back to) gives the same digests, more slowly: past `_SMALL`
bytes in one process `hashlib` is worth its price.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import _Hash

_SMALL = 512 * 1024
_MODULES = ("_sha2", "_sha256")
"""The module of CPython 3.12 and newer, and the one before."""

_left = _SMALL


def sha256(data: bytes = b"") -> _Hash:
    """A hash object of `data`, as `hashlib.sha256(data)` gives it."""
    global _left
    if len(data) <= _left:
        _left -= len(data)
        for name in _MODULES:
            try:
                return __import__(name).sha256(data)  # type: ignore[no-any-return]
            except ImportError:
                continue
    import hashlib

    _left = 0
    return hashlib.sha256(data)
