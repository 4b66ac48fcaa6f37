"""All bytes, a sync, and the refusal."""

from __future__ import annotations

import errno
import os
import sys
import types
from pathlib import Path

import pytest

from novel_hooks import errors
from novel_hooks.store.files import durable


@pytest.mark.parametrize("step", [1, 3, 1000])
def test_every_byte_is_written_however_few_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, bytes(data[:step])))
    handle = os.open(tmp_path / "x", os.O_WRONLY | os.O_CREAT)
    durable.write_all(handle, b"0123456789" * 5)
    durable.write_all(handle, b"")
    os.close(handle)
    assert (tmp_path / "x").read_bytes() == b"0123456789" * 5


def test_a_sync_is_of_that_file(monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    durable.sync(7)
    assert synced == [7]


@pytest.mark.parametrize("refused", [False, True])
def test_on_macos_the_drives_own_cache_is_emptied_where_it_can_be(
    monkeypatch: pytest.MonkeyPatch, refused: bool
) -> None:
    calls: list[object] = []

    def full(handle: int, what: int) -> None:
        calls.append((handle, what))
        if refused:
            raise OSError(errno.ENOTSUP, "no such call")

    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setitem(sys.modules, "fcntl", types.SimpleNamespace(fcntl=full, F_FULLFSYNC=51))
    monkeypatch.setattr(os, "fsync", calls.append)
    durable.sync(7)
    assert calls == ([(7, 51), 7] if refused else [(7, 51)])


def test_a_refusal_has_the_file_and_the_reason() -> None:
    with pytest.raises(errors.WriteFailed) as caught:
        durable.refuse_write("a/b.md", OSError(errno.ENOSPC, "No space left on device"))
    assert (caught.value.path, caught.value.values["reason"]) == ("a/b.md", "磁盘空间不够")
    assert isinstance(caught.value.__cause__, OSError)
