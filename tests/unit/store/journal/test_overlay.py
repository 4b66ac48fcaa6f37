"""A project seen as its pending landing will make it, for who only reads."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from crash import landings

from novel_hooks import errors, layout
from novel_hooks.store.files.project import Project
from novel_hooks.store.journal import journal, overlay

FOLDERS = ("", "chapters", "evaluations", "state", "logs", "staging", "staging/chapters", "no/where")
PATHS = (*(change.path for change in landings.CHANGES), "chapters/chapter-001.md", "logs/none.jsonl")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return landings.build_project(tmp_path / "book")


def _view(project: Project) -> dict[str, object]:
    """Everything that the commands ask of a project."""
    view: dict[str, object] = {folder: (project.kind(folder), project.names(folder)) for folder in FOLDERS}
    for path in PATHS:
        view[path] = project.kind(path), project.has(path), project.read(path), project.tail(path, 5)
    return view


def test_without_a_landing_it_is_the_project_itself(project: Project) -> None:
    assert overlay.after_landing(project) is project


@pytest.mark.parametrize("published", range(len(landings.CHANGES) - 1))
def test_a_reader_sees_what_recovery_will_make(project: Project, tmp_path: Path, published: int) -> None:
    through = landings.copy(project, tmp_path / "through")
    landings.land_all(through)
    landings.commit_only(project, published=published)
    before = landings.tree(project)
    view = overlay.after_landing(project)
    assert _view(view) == _view(through)
    assert (view.kind(layout.JOURNAL), view.names(layout.OWN)) == ("absent", ["journal"])
    assert landings.tree(project) == before
    journal.recover(project)
    assert _view(view) == _view(through), "the view outlives the landing"


def test_a_new_file_makes_its_folders_and_a_removed_one_keeps_them(project: Project) -> None:
    changes = [
        journal.put("a/b/c.md", b"x"),
        journal.remove("staging/chapters/chapter-002.md"),
        journal.remove("chapters/chapter-001.md"),
        journal.put("chapters/chapter-002.md", b"y"),
    ]
    view = overlay.after_landing(landings.commit_only(project, changes))
    assert [view.kind(rel) for rel in ("a", "a/b", "a/b/c.md", "a/c", "a/b/c.md/d")] == [
        "folder",
        "folder",
        "file",
        "absent",
        "absent",
    ]
    assert (view.names("a"), view.names("a/b")) == (["b"], ["c.md"])
    assert (view.names("chapters"), view.names("staging/chapters")) == (["chapter-002.md"], [])
    assert "a" in view.names("") and view.kind("staging/chapters") == "folder"
    assert view.kind("chapters/chapter-001.md") == "absent"


def test_temporary_files_are_not_seen_where_the_landing_writes(project: Project) -> None:
    landings.commit_only(project)
    left = f".novel-tmp-{os.getpid()}-{'d' * 12}"
    for folder in ("chapters", "staging"):
        Path(project.absolute(f"{folder}/{left}")).write_bytes(b"x")
    view = overlay.after_landing(project)
    assert view.names("chapters") == ["chapter-001.md", "chapter-002.md"]
    assert left in view.names("staging"), "there recovery does not sweep"


@pytest.mark.parametrize("size", [0, 1, 14, 27, 28, 29, 100])
def test_the_end_of_a_log_is_that_of_the_new_log(project: Project, size: int) -> None:
    whole = b'{"chapter":1}\n{"chapter":2}\n'
    view = overlay.after_landing(landings.commit_only(project))
    assert view.read("state/changelog.jsonl") == whole
    assert view.tail("state/changelog.jsonl", size) == (whole[max(0, 28 - size) :], size >= len(whole))
    assert view.tail("staging/chapters/chapter-002.md", size) == (b"", True)
    assert view.tail("chapters/chapter-001.md", 3) == ("第一章\n".encode()[-3:], False)


def test_what_recovery_would_refuse_is_refused_when_it_is_read(project: Project) -> None:
    landings.commit_only(project)
    Path(project.absolute("state/current-state.json")).write_bytes(b"{}")
    view = overlay.after_landing(project)
    for ask in (view.read, view.text, lambda rel: view.tail(rel, 5)):
        with pytest.raises(errors.JournalConflict):
            ask("state/current-state.json")
    Path(project.absolute("state/changelog.jsonl")).write_bytes(b"")
    with pytest.raises(errors.JournalTargetShort):
        view.read("state/changelog.jsonl")
    Path(project.absolute(f"{layout.JOURNAL}/0000")).write_bytes(b"x")
    with pytest.raises(errors.JournalBroken):
        view.read("chapters/chapter-002.md")
    assert view.read(".checkpoint.json") == b'{"last_completed_chapter": 2}\n'


@pytest.mark.parametrize("what", ["folder", "link"])
def test_what_came_in_the_way_is_seen(project: Project, what: str) -> None:
    landings.commit_only(project)
    place = Path(project.absolute("chapters/chapter-002.md"))
    place.mkdir() if what == "folder" else place.symlink_to("chapter-001.md")
    view = overlay.after_landing(project)
    assert view.kind("chapters/chapter-002.md") == what
    with pytest.raises(errors.JournalConflict):
        view.read("chapters/chapter-002.md")


def test_a_link_on_the_way_is_seen(project: Project, tmp_path: Path) -> None:
    landings.commit_only(project)
    (tmp_path / "elsewhere").mkdir()
    Path(project.absolute("evaluations")).symlink_to(tmp_path / "elsewhere")
    view = overlay.after_landing(project)
    assert view.kind("evaluations/chapter-002-eval.json") == "link"


def test_another_landing_meanwhile_is_not_waited_for(project: Project) -> None:
    view = overlay.after_landing(landings.commit_only(project))
    journal.recover(project)
    landings.commit_only(project, [journal.put("state/current-state.json", b"3"), journal.put("x", b"")], 1)
    assert view.read("state/current-state.json") == b"3"


def test_nothing_is_written_through_a_view(project: Project) -> None:
    view = overlay.after_landing(landings.commit_only(project))
    for ask in (view.destination, view.folder_destination):
        with pytest.raises(TypeError, match="only read"):
            ask("a.md")


@pytest.mark.parametrize("published", range(4))
def test_a_chapter_that_gets_another_name_has_one_file_all_the_time(project: Project, published: int) -> None:
    """Its text lies under the new name before the old one goes; a reader is never asked which counts."""
    plain, titled = layout.chapter(1), "chapters/第001章 雨.md"
    changes = [
        journal.put(layout.TITLED_CHAPTERS, b"1\n"),
        journal.put(titled, b"# new\n"),
        journal.remove(plain),
        journal.put(".checkpoint.json", b"{}\n"),
    ]
    landings.commit_only(project, changes, published=published)
    assert (published == 2) == (project.disk().has(titled) and project.disk().has(plain))
    seen = overlay.after_landing(project)
    assert (seen.names("chapters"), seen.place(plain)) == (["chapter-001.md"], titled)
    assert (seen.read(plain), seen.kind(plain), seen.tail(plain, 4)) == (
        b"# new\n",
        "file",
        (b"new\n", False),
    )
    journal.recover(project)
    assert project.disk().names("chapters") == ["第001章 雨.md"] and project.read(plain) == b"# new\n"
