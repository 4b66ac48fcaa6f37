"""What every durable write comes down to: all bytes, synced, and the refusal when the system says no."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn
import os
import sys

from novel_hooks import errors
from novel_hooks.store.files.oserror import system_reason


def write_all(handle: int, data: bytes) -> None:
    """Write all of it, however little the system takes at a time."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def sync(handle: int) -> None:
    """Wait until the disk has it. On macOS plain `fsync` stops at the drive's own cache."""
    if sys.platform == "darwin":
        import fcntl

        try:
            fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
            return
        except OSError:
            pass  # not every file system offers it; then the plain one has to do
    os.fsync(handle)


def refuse_write(rel: str, wrong: OSError) -> NoReturn:
    """Raise what the operating system refused as `WriteFailed`."""
    raise errors.WriteFailed(rel, detail=system_reason(wrong)) from wrong
