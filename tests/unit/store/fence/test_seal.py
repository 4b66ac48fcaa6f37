"""Seals: a later change of a document or of a file of lines shows."""

from __future__ import annotations

import hashlib

import pytest

from novel_hooks.store.fence import seal

HEAD = "novel-things 1"


def test_a_document_is_sealed_by_its_canonical_line() -> None:
    sealed = seal.with_seal({"b": [1], "a": "书"})
    assert sealed == {
        "a": "书",
        "b": [1],
        "seal": hashlib.sha256('{"a":"书","b":[1]}\n'.encode()).hexdigest(),
    }
    assert seal.is_sealed(sealed)
    assert seal.with_seal(sealed) == sealed, "an old seal is no part of what is sealed"


@pytest.mark.parametrize("change", [{"a": "本"}, {"c": 1}, {"seal": "0" * 64}, {"seal": None}])
def test_a_change_shows(change: dict[str, object]) -> None:
    assert not seal.is_sealed({**seal.with_seal({"b": [1], "a": "书"}), **change})


def test_without_a_seal_nothing_is_sealed() -> None:
    assert not seal.is_sealed({"a": 1})
    assert not seal.is_sealed({})


def test_a_file_of_lines_begins_with_its_head_and_hash() -> None:
    body = "一\ntwo\n".encode()
    data = seal.sealed_lines(HEAD, ["一", "two"])
    assert data == f"{HEAD} {hashlib.sha256(body).hexdigest()}\n".encode() + body
    assert seal.parse_lines(data, HEAD) == ["一", "two"]
    assert seal.parse_lines(seal.sealed_lines(HEAD, []), HEAD) == []
    assert seal.parse_lines(seal.sealed_lines(HEAD, [""]), HEAD) == [""]


def test_a_name_that_is_no_utf8_comes_back() -> None:
    name = b"\xff\xfe.md".decode("utf-8", "surrogateescape")
    data = seal.sealed_lines(HEAD, [name])
    assert data.endswith(b"\n\xff\xfe.md\n")
    assert seal.parse_lines(data, HEAD) == [name]


@pytest.mark.parametrize("head", ["novel-things 2", "novel-things", "", "novel-things 1 "])
def test_another_head_is_not_read(head: str) -> None:
    assert seal.parse_lines(seal.sealed_lines(HEAD, ["a"]), head) is None


@pytest.mark.parametrize("data", [b"", b"\n", HEAD.encode(), HEAD.encode() + b"\na\n"])
def test_what_has_no_hash_is_not_read(data: bytes) -> None:
    assert seal.parse_lines(data, HEAD) is None
