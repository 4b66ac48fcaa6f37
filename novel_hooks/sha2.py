"""SHA-256, without loading OpenSSL for the few kilobytes that an everyday command hashes.

`import hashlib` links OpenSSL, which takes longer than all that `next` or `status` does with it. CPython's
own implementation (the one that `hashlib` falls back to) gives the same digests, more slowly: past `_SMALL`
bytes in one process `hashlib` is worth its price.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import _Hash

_SMALL = 512 * 1024
_MODULE = "_sha2" if sys.version_info >= (3, 12) else "_sha256"

_left = _SMALL


def sha256(data: bytes = b"") -> _Hash:
    """A hash object of `data`, as `hashlib.sha256(data)` gives it."""
    global _left
    if len(data) <= _left:
        try:
            found: _Hash = __import__(_MODULE).sha256(data)
            _left -= len(data)
            return found
        except ImportError:  # a Python that was built without it
            pass
    _left = 0
    import hashlib

    return hashlib.sha256(data)
