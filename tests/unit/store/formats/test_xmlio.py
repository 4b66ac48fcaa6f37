"""XML of other programs as a stream of events."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from novel_hooks.store.formats import xmlio
from novel_hooks.store.formats.package import Unread


def events(document: str) -> list[object]:
    found: list[object] = []

    def begin(name: str, given: Mapping[str, str]) -> None:
        found.append((name, dict(given)))

    xmlio.parse(document.encode("utf-8"), begin, lambda name: found.append(f"/{name}"), found.append)
    return found


def test_names_without_their_namespaces() -> None:
    document = '<w:p xmlns:w="urn:w" w:val="1"><w:t>甲&amp;乙</w:t></w:p>'
    assert events(document) == [("p", {"val": "1"}), ("t", {}), "甲&乙", "/t", "/p"]


@pytest.mark.parametrize(
    "document",
    [
        "<a><b></a>",
        '<!DOCTYPE a [<!ENTITY x "boom">]><a>&x;</a>',
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a>&x;</a>',
    ],
)
def test_what_may_not_be_read(document: str) -> None:
    with pytest.raises(Unread):
        events(document)
