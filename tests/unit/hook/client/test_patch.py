"""Every path of a patch: none that the client would write is missed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.hook.client import patch

KINDS = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")
PATHS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\n\r"), min_size=1).map(
    lambda text: text.strip(" \t") or "a"
)
BLANKS = st.text(" \t", max_size=3)
BODY = st.lists(st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\n")).map("+{}".format))


def test_each_kind() -> None:
    text = """*** Begin Patch
*** Add File: staging/a.md
+*** Add File: no/path.md
*** Update File: staging/b.md
*** Move to: staging/c.md
@@
-*** Delete File: no/path.md
*** Delete File: staging/d.md
*** End Patch
"""
    assert patch.paths(text) == [f"staging/{name}.md" for name in "abcd"]


@pytest.mark.parametrize("text", ["", "*** Begin Patch\n*** End Patch\n", "no patch", "+*** Add File: a"])
def test_none_is_named(text: str) -> None:
    assert patch.paths(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "  *** Add File: chapters/a.md  \r\n+x\n",
        "\t*** Update File: chapters/a.md",
        "<<'EOF'\n*** Begin Patch\n*** Environment ID: e\n*** Delete File: chapters/a.md\nEOF\n",
        "\u3000*** Add File: chapters/a.md",
    ],
)
def test_blanks_and_here_documents(text: str) -> None:
    assert patch.paths(text) == ["chapters/a.md"]


def test_a_path_may_hold_what_begins_a_header() -> None:
    """The client's path begins behind the first one."""
    line = "*** Add File: chapters/*** Add File: staging/a.md"
    assert patch.paths(line) == ["chapters/*** Add File: staging/a.md"]


def test_an_odd_mark_around_a_path_stays_for_its_check() -> None:
    assert patch.paths("*** Add File: staging/a.md\u3000") == ["staging/a.md\u3000"]
    assert patch.paths("*** Add File:") == [""]


@given(st.lists(st.tuples(st.sampled_from(KINDS), PATHS, BLANKS, BLANKS, BODY), min_size=1))
def test_no_path_that_the_client_writes_is_missed(hunks: list[tuple[str, str, str, str, list[str]]]) -> None:
    lines = ["*** Begin Patch"]
    for kind, path, before, behind, body in hunks:
        lines += [f"{before}{kind}{path}{behind}", *body]
    found = patch.paths("\n".join([*lines, "*** End Patch"]))
    assert set(found) >= {path for _, path, _, _, _ in hunks}
