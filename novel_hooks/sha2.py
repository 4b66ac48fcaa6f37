"""SHA-256 for the few kilobytes that an everyday command hashes, without loading OpenSSL.

`import hashlib` links OpenSSL, which takes half as long as the interpreter's start. CPython's own
implementation gives the same digests, more slowly: much is hashed by `hashlib`.
"""

from __future__ import annotations

import sys

from novel_hooks.annotations import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import _Hash

_MUCH = 1 << 19
"""From so many bytes on OpenSSL is loaded: a long book's logs are hashed three times in a landing."""
_MODULE = "_sha2" if sys.version_info >= (3, 12) else "_sha256"


def sha256(*parts: bytes) -> _Hash:
    """Return a hash object of the parts, one behind the other, as `hashlib.sha256` does."""
    found = _start(sum(map(len, parts)))
    for part in parts:
        found.update(part)
    return found


def _start(size: int) -> _Hash:
    """Return a hash object that takes `size` bytes."""
    if size < _MUCH and "hashlib" not in sys.modules:
        try:
            found: _Hash = __import__(_MODULE).sha256()
            return found
        except ImportError:  # a Python that was built without it
            pass
    import hashlib

    return hashlib.sha256()


def digest(*parts: bytes) -> str:
    """Return the SHA-256 of the parts, one behind the other, in hex."""
    return sha256(*parts).hexdigest()
