"""The names of annotations are the real ones, and nothing is loaded for them."""

from __future__ import annotations

import collections.abc
import subprocess
import sys

from conftest import CHECKOUT

from novel_hooks import annotations


def test_the_names_are_those_of_the_standard_library() -> None:
    names = set(annotations.__all__) - {"TYPE_CHECKING", "Any", "BinaryIO", "NoReturn", "T"}
    assert len(names) == 6 and not annotations.TYPE_CHECKING
    for name in names:
        assert getattr(annotations, name) is getattr(collections.abc, name)


def test_neither_typing_nor_collections_is_loaded() -> None:
    code = (
        f"import sys; sys.path[:0] = [{CHECKOUT!r}]; import novel_hooks.annotations; "
        "sys.exit(not {'typing', 'collections'}.isdisjoint(sys.modules))"
    )
    subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True)
