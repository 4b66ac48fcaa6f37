"""Text inside XML."""

from __future__ import annotations

import pytest

from novel_hooks.rules.publication.markup import escape, forbidden_mark


def test_escape() -> None:
    assert escape('a & <b> "c"') == "a &amp; &lt;b&gt; &quot;c&quot;"


@pytest.mark.parametrize(("text", "mark"), [("a\x0bb", "U+000B"), ("\uffff", "U+FFFF"), ("a\tb\nc 🏮", None)])
def test_what_no_xml_can_hold(text: str, mark: str | None) -> None:
    assert forbidden_mark(text) == mark
