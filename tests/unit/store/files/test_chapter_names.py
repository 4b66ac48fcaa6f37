"""A chapter is found under its plain path whatever its file is called; between two nothing is guessed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks import errors, layout
from novel_hooks.rules.publication import file_names
from novel_hooks.store.files import chapter_names
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from pathlib import Path

PLAIN = layout.chapter(12)
NUMBERS = st.integers(1, 99_999)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "chapters").mkdir()
    (tmp_path / layout.CONFIG).write_text("title: 河\nchapter_names: number\n", "utf-8")
    return Project(str(tmp_path))


def _write(project: Project, *names: str) -> None:
    for name in names:
        with open(os.path.join(project.root, "chapters", name), "w", encoding="utf-8") as file:
            file.write(name)


@pytest.mark.parametrize("name", ["chapter-012.md", "第012章 夜雨.md", "第012章\u3000夜雨.md", "第012章.md"])
def test_the_one_file_of_a_chapter_is_its_text(project: Project, name: str) -> None:
    _write(project, name, "chapter-011.md", "第013章 晴.md")
    assert project.place(PLAIN) == f"chapters/{name}"
    assert project.text(PLAIN) == name and project.has(PLAIN) and project.tail(PLAIN, 99)[1]
    assert project.absolute(PLAIN) == os.path.join(project.root, "chapters", name)
    assert project.destination(PLAIN) == project.absolute(PLAIN)
    assert project.names("chapters") == ["chapter-011.md", "chapter-012.md", "chapter-013.md"]


@pytest.mark.parametrize(
    ("config", "found"),
    [
        ("title: 河\n# chapter_names: title\n", False),
        ("", False),
        ("chapter_names: title", True),
        ("\ufefftitle: 河\r\n chapter_names : [1\r\n", True),
        ("# 一\rchapter_names:\r", True),
    ],
)
def test_titles_are_looked_for_where_the_setting_is_written(
    project: Project, config: str, found: bool
) -> None:
    """However it is written: only a book that has it knows such names."""
    with open(os.path.join(project.root, layout.CONFIG), "w", encoding="utf-8", newline="") as file:
        file.write(config)
    _write(project, "第012章 夜雨.md")
    assert project.has(PLAIN) == found
    assert project.names("chapters") == ["chapter-012.md" if found else "第012章 夜雨.md"]


def test_settings_that_cannot_be_read_hide_no_titled_text(project: Project) -> None:
    """What was titled by us is remembered beside them."""
    _write(project, "第012章 夜雨.md")
    os.remove(os.path.join(project.root, layout.CONFIG))
    os.mkdir(os.path.join(project.root, layout.CONFIG))
    assert not project.has(PLAIN)
    os.mkdir(os.path.join(project.root, layout.OWN))
    with open(os.path.join(project.root, layout.TITLED_CHAPTERS), "wb"):
        pass
    project.look_again()
    assert project.has(PLAIN)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "第12章 夜雨.md",
            "第0012章 夜雨.md",
            "第十二章 夜雨.md",
            "第012章夜雨.md",
            "第012章 夜雨.txt",
            "第000章.md",
        ),
        *(
            "第012章 夜雨.md~",
            "._第012章 夜雨.md",
            ".第012章 夜雨.md.icloud",
            "第012回 夜雨.md",
            "第章 夜雨.md",
        ),
        *("第" + "9" * 80 + "章.md", "第²章.md"),
    ],
)
def test_another_name_is_no_chapters(project: Project, name: str) -> None:
    _write(project, name)
    assert project.place(PLAIN) == PLAIN and not project.has(PLAIN) and project.read(PLAIN) is None
    assert project.names("chapters") == [name] and project.titled() == {}


@pytest.mark.parametrize("beside", ["chapter-012.md", "第012章 夜雨 (1).md", "第012章.md"])
def test_of_two_files_none_is_read_or_written(project: Project, beside: str) -> None:
    _write(project, "第012章 夜雨.md", beside, "第013章 晴.md")
    for look in (
        project.place,
        project.read,
        project.kind,
        project.has,
        project.absolute,
        project.destination,
    ):
        with pytest.raises(errors.ChapterTwice) as caught:
            look(PLAIN)
        assert beside in str(caught.value) and "第012章 夜雨.md" in str(caught.value)
    assert project.names("chapters") == ["chapter-012.md", "chapter-013.md"]
    assert project.text(layout.chapter(13)) == "第013章 晴.md"


def test_who_works_with_files_sees_their_names(project: Project) -> None:
    _write(project, "第012章 夜雨.md", "chapter-012.md")
    disk = project.disk()
    assert disk.names("chapters") == ["chapter-012.md", "第012章 夜雨.md"] and disk.disk() is disk
    assert (disk.text(PLAIN), disk.text("chapters/第012章 夜雨.md")) == ("chapter-012.md", "第012章 夜雨.md")


def test_only_landed_texts_are_looked_for(project: Project) -> None:
    _write(project, "第012章 夜雨.md")
    for path in ("staging/chapters/chapter-012.md", "chapters/chapter-0012.md", "chapters", "brief.md", ""):
        assert project.place(path) == path
    assert project.place("chapters/第012章 夜雨.md") == "chapters/第012章 夜雨.md"
    assert project.kind("chapters/第012章 夜雨.md") == "file"


@pytest.mark.parametrize("old", [0.0, 60.0])
def test_a_new_name_is_seen_at_once(project: Project, old: float) -> None:
    """The listing is remembered only for a folder that has not changed for a while."""
    _write(project, "chapter-012.md")
    folder = os.path.join(project.root, "chapters")
    os.utime(folder, (os.stat(folder).st_mtime - old,) * 2)
    for name in ("第012章 夜雨.md", "第012章 大雨.md", "chapter-012.md"):
        before = project.absolute(PLAIN)
        os.rename(before, os.path.join(folder, name))
        assert project.place(PLAIN) == f"chapters/{name}"


def test_the_listing_of_a_quiet_folder_is_remembered(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(project, "第012章 夜雨.md")
    monkeypatch.setattr(chapter_names, "_SETTLED_NS", -(10**12))
    listings = []
    listed = os.listdir
    monkeypatch.setattr(os, "listdir", lambda place: listings.append(place) or listed(place))
    for _ in range(5):
        assert project.has(PLAIN) and not project.has(layout.chapter(13))
    assert len(listings) == 1
    project.look_again()
    assert project.has(PLAIN) and len(listings) == 2


def test_where_the_folder_is_none_the_reader_is_told(tmp_path: Path) -> None:
    (tmp_path / "chapters").write_text("?")
    project = Project(str(tmp_path))
    assert project.titled() == {} and project.place(PLAIN) == PLAIN
    with pytest.raises(errors.NotAFolder):
        project.read(PLAIN)


@given(NUMBERS, st.text(max_size=200))
def test_every_title_makes_a_name_that_is_found_and_fits_every_system(number: int, title: str) -> None:
    name = file_names.chapter_file(number, title)
    assert layout.titled_chapter_number(name) == number and layout.chapter_number(name) is None
    assert len(name.encode("utf-8")) <= 160 and name.isprintable()
    assert not set(name) & set('/\\:*?"<>|') and not name[: -len(".md")].endswith((" ", "."))
    assert chapter_names.plain([name]) == [f"{layout.chapter_id(number)}.md"]
    assert chapter_names.titled([name, "chapter-000.md"]) == {number: (name,)}


@given(st.lists(st.tuples(st.integers(1, 999), st.text(max_size=20)), unique_by=lambda one: one[0]))
def test_the_names_are_in_the_chapters_order(chapters: list[tuple[int, str]]) -> None:
    names = [file_names.chapter_file(number, title) for number, title in sorted(chapters)]
    assert names == sorted(names)


def test_bytes_that_are_no_text_are_no_title() -> None:
    """No journal could hold such a name."""
    assert layout.titled_chapter_number("第012章 \udcff.md") is None
