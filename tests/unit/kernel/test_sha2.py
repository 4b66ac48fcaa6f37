"""SHA-256 without OpenSSL gives the digests of `hashlib`."""

from __future__ import annotations

import hashlib
import sys

import pytest

from novel_hooks import sha2


@pytest.mark.parametrize("data", [b"", b"novel", "夜渡".encode() * 1000, b"x" * (1 << 20)])
def test_the_digest_is_that_of_hashlib(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    want = hashlib.sha256(data).hexdigest()
    assert sha2.sha256(data).hexdigest() == want
    monkeypatch.delitem(sys.modules, "hashlib")
    assert sha2.sha256(data).hexdigest() == want


def test_a_python_without_the_module_hashes_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "hashlib")
    monkeypatch.setattr(sha2, "_MODULE", "_absent")
    found = sha2.sha256(b"no")
    found.update(b"vel")
    assert found.hexdigest() == hashlib.sha256(b"novel").hexdigest()


def test_the_parts_together_decide_who_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = b"head", b"x" * (1 << 20)
    monkeypatch.delitem(sys.modules, "hashlib")
    monkeypatch.setattr(sha2, "_MODULE", "json")  # has no sha256: only a little would ask it
    assert sha2.sha256(*parts).hexdigest() == hashlib.sha256(b"".join(parts)).hexdigest()
