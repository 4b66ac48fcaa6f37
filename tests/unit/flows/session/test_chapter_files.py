"""What a landing of a chapter's text means for its file: the name the author wants, and never two or none."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from novel_hooks import errors, layout
from novel_hooks.flows.session import chapter_files
from novel_hooks.store.files.project import Project
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change

if TYPE_CHECKING:
    from pathlib import Path

PATH = layout.chapter(12)
NIGHT, RAIN = "第012章 夜雨.md", "第012章 大雨.md"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "chapters").mkdir()
    (tmp_path / layout.OWN).mkdir()
    return Project(str(tmp_path))


def _text(title: str) -> bytes:
    return f"# 第 12 章 {title}\n\n雨停了。\n".encode()


def _write(project: Project, path: str, data: bytes = b"") -> None:
    with open(os.path.join(project.root, path), "wb") as file:
        file.write(data)


def _choose(project: Project, value: str) -> None:
    _write(project, layout.CONFIG, f"title: 河\nchapter_names: {value}\n".encode())


def _land(project: Project, *changes: Change) -> list[str]:
    """The names in the folder when the changes have landed."""
    journal.land(project, chapter_files.placed(project, changes), label="试", guard=lambda: None)
    return project.disk().names("chapters")


def test_without_the_setting_all_is_as_ever(project: Project) -> None:
    assert _land(project, journal.put(PATH, _text("夜雨"))) == ["chapter-012.md"]
    assert _land(project, journal.put(PATH, _text("大雨"))) == ["chapter-012.md"]
    _write(project, layout.CONFIG, b"# chapter_names: title\n")
    assert _land(project, journal.put(PATH, _text("夜雨"))) == ["chapter-012.md"]
    assert _land(project, journal.remove(PATH)) == []


@pytest.mark.parametrize("beside", [(), ("chapter-012.md",)])
def test_without_the_setting_a_file_of_such_a_name_is_the_authors_own(
    project: Project, beside: tuple[str, ...]
) -> None:
    """His notes or an old draft: neither read nor written over, and no chapter's second file."""
    _write(project, f"chapters/{NIGHT}", b"notes")
    for name in beside:
        _write(project, f"chapters/{name}", _text("夜雨"))
    assert project.has(PATH) == bool(beside) and project.titled() == {}
    assert _land(project, journal.put(PATH, _text("大雨"))) == ["chapter-012.md", NIGHT]
    assert project.disk().read(f"chapters/{NIGHT}") == b"notes" and project.read(PATH) == _text("大雨")
    assert not project.has(layout.TITLED_CHAPTERS)


@pytest.mark.parametrize("left", ["title: 河\n", None])
def test_what_once_got_its_title_is_found_when_the_setting_is_gone(
    project: Project, left: str | None
) -> None:
    _choose(project, "title")
    assert _land(project, journal.put(PATH, _text("夜雨"))) == [NIGHT]
    os.remove(os.path.join(project.root, layout.CONFIG))
    if left is not None:
        _write(project, layout.CONFIG, left.encode())
    fresh = Project(project.root)
    assert fresh.read(PATH) == _text("夜雨") and fresh.names("chapters") == ["chapter-012.md"]
    assert _land(fresh, journal.put(PATH, _text("大雨"))) == [NIGHT]
    assert fresh.read(PATH) == _text("大雨")


def test_the_name_follows_the_title_and_the_setting(project: Project) -> None:
    _write(project, PATH, _text("夜雨"))
    _choose(project, "title")
    assert _land(project, journal.put(PATH, _text("夜雨"))) == [NIGHT]
    assert _land(project, journal.put(PATH, _text("夜雨"))) == [NIGHT]
    assert _land(project, journal.put(PATH, _text("大雨"))) == [RAIN]
    assert _land(project, journal.put(PATH, "雨停了。\n".encode())) == ["第012章.md"]
    assert _land(project, journal.put(PATH, "\ufeff# 第十二章　夜雨\r\n\r\n停。".encode())) == [NIGHT]
    assert _land(project, journal.put(PATH, b"\xff\xfe")) == ["第012章.md"]
    assert _land(project, journal.put(PATH, "# 楔子\n\n从前。\n\n# 第 12 章 夜雨\n\n停。\n".encode())) == [
        NIGHT
    ]
    _choose(project, "number")
    assert _land(project, journal.put(PATH, _text("夜雨"))) == ["chapter-012.md"]
    _choose(project, "title")
    assert _land(project, journal.put(layout.chapter(13), _text("晴"))) == ["chapter-012.md", "第013章 晴.md"]
    assert _land(project, journal.remove(PATH)) == ["第013章 晴.md"]


def test_a_name_that_the_author_gave_is_found_when_the_setting_is_taken_back(project: Project) -> None:
    """Also in a copy of the book without `.novel/`: the landing of the settings remembers it."""
    _write(project, f"chapters/{NIGHT}", _text("夜雨"))
    _choose(project, "number")
    config = journal.put(layout.CONFIG, "title: 河\n".encode())
    assert chapter_files.placed(project, [config])[0].path == layout.TITLED_CHAPTERS
    assert _land(project, config) == [NIGHT]
    assert Project(project.root).read(PATH) == _text("夜雨")


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("A/B:C?", "第012章 A／B：C？.md"),
        ("CON", "第012章 _CON.md"),
        ("一个点...", "第012章 一个点.md"),
        ("灯🏮市", "第012章 灯🏮市.md"),
        ("长" * 80, f"第012章 {'长' * 40}.md"),
        ("..", "第012章.md"),
    ],
)
def test_titles_that_are_no_names_of_files(project: Project, title: str, name: str) -> None:
    _choose(project, "title")
    assert _land(project, journal.put(PATH, _text(title))) == [name]
    assert project.read(PATH) == _text(title)


@pytest.mark.parametrize(("old", "new"), [("Lamp", "LAMP"), ("Café", "Cafe\u0301"), ("Ａ", "A")])
def test_a_name_that_some_disks_cannot_tell_from_the_old_stays(project: Project, old: str, new: str) -> None:
    """Else the removal of the old name would remove the text."""
    name = f"第012章 {old}.md"
    _write(project, f"chapters/{name}", _text(old))
    _choose(project, "title")
    assert _land(project, journal.put(PATH, _text(new))) == [name]
    assert project.read(PATH) == _text(new)
    assert chapter_files.renaming(project, 12) == []


def test_a_disk_on_which_two_names_are_one_file_is_asked(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that is there and is not listed is that of another: no table of ours need know why."""
    _write(project, f"chapters/{NIGHT}", _text("夜雨"))
    _choose(project, "title")
    kind = type(project.disk()).kind
    there = {f"chapters/{RAIN}": f"chapters/{NIGHT}"}
    monkeypatch.setattr(type(project.disk()), "kind", lambda self, rel: kind(self, there.get(rel, rel)))
    found = chapter_files.placed(project, [journal.put(PATH, _text("大雨"))])
    assert found[1:] == [journal.put(f"chapters/{NIGHT}", _text("大雨"))]
    assert found[0].path == layout.TITLED_CHAPTERS


def test_two_files_of_a_chapter_stop_the_landing(project: Project) -> None:
    _choose(project, "number")
    _write(project, f"chapters/{NIGHT}", _text("夜雨"))
    _write(project, PATH, _text("夜雨"))
    for change in (journal.put(PATH, _text("大雨")), journal.remove(PATH)):
        with pytest.raises(errors.ChapterTwice):
            chapter_files.placed(project, [change])
    assert chapter_files.placed(project, [journal.put(layout.STATE, b"{}")])


def test_while_a_step_is_out_no_file_moves(project: Project) -> None:
    """Its packet names them; what is new gets its name all the same."""
    _write(project, PATH, _text("夜雨"))
    _write(project, layout.FENCE_ARMED, b"chapter:013:draft\n")
    _choose(project, "title")
    new = journal.put(layout.chapter(13), _text("晴"))
    assert _land(project, journal.put(PATH, _text("大雨")), new) == ["chapter-012.md", "第013章 晴.md"]
    assert not chapter_files.may_move(project)
    disarmed = journal.remove(layout.FENCE_ARMED)
    assert _land(project, journal.put(PATH, _text("大雨")), disarmed) == [RAIN, "第013章 晴.md"]


def test_a_text_accepted_as_it_lies_there_gets_its_name(project: Project) -> None:
    _write(project, f"chapters/{NIGHT}", _text("大雨"))
    _choose(project, "title")
    record = journal.put(layout.landed_record(12), b"{}")
    assert _land(project, record) == [RAIN]
    assert _land(project, journal.put(layout.landed_record(13), b"{}")) == [RAIN], "13 has no text"


def test_the_setting_of_the_same_landing_counts(project: Project) -> None:
    config = journal.put(layout.CONFIG, b"chapter_names: title\n")
    assert _land(project, journal.put(PATH, _text("夜雨")), config) == [NIGHT]
    with pytest.raises(errors.Problem):
        _land(project, journal.put(PATH, _text("大雨")), journal.put(layout.CONFIG, b"chapter_names: [1]\n"))
    assert project.disk().names("chapters") == [NIGHT]


def test_what_a_folder_or_link_lies_in_the_way_of_is_not_landed(project: Project) -> None:
    _choose(project, "title")
    os.mkdir(os.path.join(project.root, "chapters", NIGHT))
    with pytest.raises(errors.NotARegularFile):
        _land(project, journal.put(PATH, _text("夜雨")))
    os.rmdir(os.path.join(project.root, "chapters", NIGHT))
    os.symlink("elsewhere.md", os.path.join(project.root, PATH))
    with pytest.raises(errors.NotARegularFile):
        _land(project, journal.put(PATH, _text("夜雨")))
    assert project.disk().names("chapters") == ["chapter-012.md"]
