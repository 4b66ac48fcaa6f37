"""`sha2` gives the digests of `hashlib`, with or without CPython's own module, for any amount of data."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from novel_hooks import sha2

CHECKOUT = Path(__file__).resolve().parents[2]
_ASK = "import sys; from novel_hooks import sha2; sha2.sha256(b'x' * {size}); print('hashlib' in sys.modules)"


@pytest.mark.parametrize("size", [0, 1, 55, 56, 64, 5_000, sha2._SMALL, sha2._SMALL + 1])
def test_same_digest(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    data = bytes(range(256)) * (size // 256 + 1)
    monkeypatch.setattr(sha2, "_left", sha2._SMALL)
    made = sha2.sha256(data[:size])
    made.update(b"more")
    assert made.hexdigest() == hashlib.sha256(data[:size] + b"more").hexdigest()


def test_a_python_without_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sha2, "_MODULE", "no_such_module")
    monkeypatch.setattr(sha2, "_left", sha2._SMALL)
    assert sha2.sha256(b"a").hexdigest() == hashlib.sha256(b"a").hexdigest()
    assert sha2._left == 0


@pytest.mark.parametrize(("size", "loaded"), [(1000, "False"), (sha2._SMALL + 1, "True")])
def test_openssl_only_for_much(size: int, loaded: str) -> None:
    call = [sys.executable, "-c", _ASK.format(size=size)]
    told = subprocess.run(call, cwd=CHECKOUT, check=True, capture_output=True, text=True).stdout
    assert told.strip() == loaded
