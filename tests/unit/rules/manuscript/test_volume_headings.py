"""Headings of volumes and of what stands beside the chapters."""

from __future__ import annotations

import json
import os

import pytest
from conftest import CHECKOUT

from novel_hooks.rules.manuscript import volume_headings

with open(os.path.join(CHECKOUT, "tests", "cases", "headings.json"), encoding="utf-8") as stream:
    PROSE = json.load(stream)["prose"]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("第二卷 渡河", (2, "渡河")),
        ("第 2 卷：渡河", (2, "渡河")),
        ("# 卷一：四百一十二斤", (1, "四百一十二斤")),
        ("第三部", (3, None)),
        ("【第一卷】", None),
        ("第一卷渡河", None),
        ("第一卷 他翻开书，看见一行字。", None),
        ("第四集团军", None),
        ("正文", None),
    ],
)
def test_volumes(line: str, found: tuple[int, str | None] | None) -> None:
    assert volume_headings.volume(line) == found


EXTRAS = [
    "楔子",
    "序章 雪",
    "番外一 灯市",
    "番外（二）",
    "番外篇：灯市",
    "后记",
    "尾声",
    "## 引子",
    "【楔子】",
    "番外之三 雪",
]
LIKE = ["后记得那年", "序列号", "番外的事他没有提。", "前言不搭后语", "尾声响起。"]


@pytest.mark.parametrize("line", EXTRAS)
def test_extras(line: str) -> None:
    assert volume_headings.extra(line) == line.lstrip("# ")


@pytest.mark.parametrize("line", [*PROSE, *LIKE])
def test_prose_is_no_heading(line: str) -> None:
    assert volume_headings.extra(line) is None
    assert volume_headings.volume(line) is None
