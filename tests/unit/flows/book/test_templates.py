"""A file that nobody has made yet is still its template."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from novel_hooks import layout
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.templates import is_template
from novel_hooks.store.files import assets
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from pathlib import Path

TEMPLATE = assets.load(assets.package_path(f"templates/{layout.BRIEF}"))


@pytest.mark.parametrize(
    ("data", "is_one"),
    [
        (TEMPLATE, True),
        (b"\xef\xbb\xbf" + TEMPLATE, True),
        (TEMPLATE.replace(b"\n", b"\r\n"), True),
        (b"\xef\xbb\xbf" + TEMPLATE.replace(b"\n", b"\r\n"), True),
        (TEMPLATE + b"\n\n", True),
        (TEMPLATE + "一句话。".encode(), False),
        (TEMPLATE[:-40], False),
        (b"", False),
        (None, False),
    ],
)
def test_a_bom_and_line_ends_make_no_difference(tmp_path: Path, data: bytes | None, is_one: bool) -> None:
    if data is not None:
        (tmp_path / layout.BRIEF).write_bytes(data)
    assert is_template(Book(Project(str(tmp_path))), layout.BRIEF) is is_one


def test_another_files_template_is_none(tmp_path: Path) -> None:
    (tmp_path / layout.STYLE_PROFILE).write_bytes(TEMPLATE)
    assert not is_template(Book(Project(str(tmp_path))), layout.STYLE_PROFILE)
