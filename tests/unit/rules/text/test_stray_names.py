"""Stray copies by their names: the habits of sync clients, editors, git, people; no name of an author's."""

from __future__ import annotations

import pytest

from novel_hooks import layout
from novel_hooks.rules.text.stray_names import (
    copied_name,
    copies,
    is_hidden,
    is_same_file,
    meant_chapter,
    meant_volume,
)

SURE = (
    "outline (某台电脑的冲突副本).md",
    "outline（小明的副本 2024-01-02）.md",
    "outline (conflicted copy 2024-01-02 101112).md",
    "outline (Case Conflict).md",
    "outline.sync-conflict-20240102-101112-ABCDEFG.md",
    "outline-DESKTOP-K3J2.md",
    "outline-LAPTOP-0A1B2C3D.md",
    "outline-DESKTOP-K3J2 (1).md",
    "outline_坚果云冲突副本.md",
    "outline (冲突文件-小明-20240102).md",
    "outline (copie en conflit de Zoé 2024-01-02).md",
    "outline (Konfliktkopie).md",
    "outline.md.LOCAL.1234.md",
    "outline.md.~1~",
    "outline.md.1",
    "outline_LOCAL_1234.md",
    "outline.md~",
    "outline.md.orig",
    "outline.md.bak",
    "outline.md.old",
    "outline.md.txt",
    "outline.md.tmp",
)
LIKELY = (
    "outline (1).md",
    "outline（２）.md",
    "outline 2.md",
    "outline~.md",
    "outline~1.md",
    "outline - 副本.md",
    "outline - 副本 (2).md",
    "outline副本.md",
    "outline 拷贝.md",
    "outline - Copy.md",
    "outline copy 2.md",
    "Copy of outline.md",
    "复件 outline.md",
    "outline.md 的副本.md",
    "outline - Kopie.md",
    "outline - コピー.md",
    "outline（备份）.md",
    "outline-小明的MacBook Pro.md",
    "outline-USER-20190101XX.md",
    "outline.bak",
)
PLAIN = (
    "outline.md",
    "lin-po.json",
    "第二章.md",
    "副本世界.md",
    "冲突升级.md",
    "江 (旧).md",
    "Mac.md",
    "old.md",
    "base.md",
)


@pytest.mark.parametrize("name", [*SURE, *LIKELY])
def test_a_copy_names_what_it_was_made_from(name: str) -> None:
    found = copied_name(name)
    wanted = "outline" if name == "outline.bak" else "outline.md"
    assert found is not None and (found.name, found.sure) == (wanted, name in SURE)
    assert copies([name, "outline.md"]) == {name: "outline.md"}
    assert copies([name]) == ({name: "outline.md"} if name in SURE else {})


@pytest.mark.parametrize("name", PLAIN)
def test_a_name_of_the_authors_is_none(name: str) -> None:
    assert copied_name(name) is None and copies([name, "outline.md"]) == {}


def test_a_word_of_the_story_is_a_copy_only_beside_the_first() -> None:
    assert copies(["地下城副本.md", "笔记 (1).md", "笔记 (2).md"]) == {}
    assert copies(["地下城副本.md", "地下城.md"]) == {"地下城副本.md": "地下城.md"}
    own = [
        "黑木林（五人副本）.md",
        "苏家（与林家冲突）.md",
        "道具-她的手机.md",
        "fergus-mac-roy.json",
        "笔记.bak",
    ]
    assert copies(own) == {}


@pytest.mark.parametrize("name", [".river.md", "~$river.docx", "~$river.md", "~WRL0001.tmp", "~wrl0001.tmp"])
def test_what_an_open_editor_keeps_is_hidden(name: str) -> None:
    assert is_hidden(name) and not is_hidden("~river.md") and not is_hidden("river.md~")


def test_names_that_differ_in_case_width_or_unicode_form_are_one() -> None:
    assert copies(["Shen-Du.json", "shen-du.json"]) == {"Shen-Du.json": "shen-du.json"}
    assert copies(["caf\u00e9.md", "cafe\u0301.md"]) == {"cafe\u0301.md": "caf\u00e9.md"}
    assert copies(["\uff11.md", "1.md"]) == {"\uff11.md": "1.md"}
    assert copies(["river .md", " river.md", "river.md"]) == dict.fromkeys(
        ["river .md", " river.md"], "river.md"
    )


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("第1章.md", "chapter-001.md"),
        ("第十二章.md", "chapter-012.md"),
        ("第1章 夜渡.md", "chapter-001.md"),
        ("chapter-0001.md", "chapter-001.md"),
        ("chapter-２.md", "chapter-002.md"),
        ("chapter-2.md", "chapter-002.md"),
        ("Chapter-002.MD", "chapter-002.md"),
        ("2.md", "chapter-002.md"),
        ("chapter-002 (1).md", "chapter-002.md"),
        ("chapter-002-DESKTOP-K3J2.md", "chapter-002.md"),
        ("chapter-002.docx", "chapter-002.md"),
        ("第002章.TXT", "chapter-002.md"),
        ("chapter-002-v2.md", "chapter-002.md"),
        ("chapter-002新.md", "chapter-002.md"),
        ("chapter-002 （已自动还原）.md", "chapter-002.md"),
        ("第十二夜.md", None),
        ("chapter-000.md", None),
        ("chapter-002.md", None),
        ("chapter-1000.md", None),
        ("备忘.md", None),
        ("chapter-002.json", None),
    ],
)
def test_a_chapter_in_another_spelling(name: str, meant: str | None) -> None:
    assert meant_chapter(name, layout.chapter) == meant


def test_the_other_files_of_a_chapter() -> None:
    assert meant_chapter("第2章-summary.md", layout.summary) == "chapter-002-summary.md"
    assert meant_chapter("chapter-002-summary_小明.md", layout.summary) == "chapter-002-summary.md"
    assert meant_chapter("chapter-002-delta.json", layout.crossref) is None
    assert meant_chapter("chapter-002-eval (1).json", layout.evaluation) == "chapter-002-eval.json"


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("vol-1", "vol-01"),
        ("vol-001", "vol-01"),
        ("Vol-02", "vol-02"),
        ("第一卷", "vol-01"),
        ("卷２", "vol-02"),
        ("vol-01", None),
        ("vol-00", None),
        ("草稿", None),
    ],
)
def test_a_volume_in_another_spelling(name: str, meant: str | None) -> None:
    assert meant_volume(name) == meant


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Brief.md", "brief.MD", True),
        ("ｂrief.md", "brief.md", True),
        ("é.md", "e\u0301.md", True),
        ("brief .md", "brief.md", True),
        ("a.b.md", "a.b .md", True),
        ("brief.md", "briefs.md", False),
    ],
)
def test_names_of_one_file(one: str, other: str, same: bool) -> None:
    assert is_same_file(one, other) is is_same_file(other, one) is same
