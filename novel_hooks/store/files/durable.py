"""The parts of every durable write: all bytes, a sync, and the refusal when the system fails."""

from __future__ import annotations

import os
import sys

from novel_hooks import errors
from novel_hooks.annotations import NoReturn
from novel_hooks.store.files.oserror import system_reason


def write_all(handle: int, data: bytes) -> None:
    """Write every byte of `data` to the open file, however few the system takes at a time."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def sync(handle: int) -> None:
    """Wait until the disk has the bytes of the open file. On macOS `fsync` stops at the drive's own cache."""
    if sys.platform == "darwin":
        import fcntl

        try:
            fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
            return
        except OSError:
            pass  # not every file system offers it: then `fsync` does
    os.fsync(handle)


def refuse_write(rel: str, wrong: OSError) -> NoReturn:
    """Raise `WriteFailed` for `rel`, with the operating system's reason in Chinese."""
    raise errors.WriteFailed(rel, reason=system_reason(wrong)) from wrong
