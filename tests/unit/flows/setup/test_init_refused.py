"""`novel init` that is refused, interrupted, or meets what is there already."""

from __future__ import annotations

import errno
import functools
import itertools
import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from builders import OWNER, Book, book, killed_landing
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.cli.call import call
from novel_hooks.errors import JournalPending, ProjectExists
from novel_hooks.flows.book import settings
from novel_hooks.flows.session.caller import Caller
from novel_hooks.flows.setup import init as setup_init
from novel_hooks.store.files.project import Project
from novel_hooks.store.host.owner import owner
from novel_hooks.store.journal import recovery
from unit.flows.setup.begun import init
from unit.flows.setup.begun import place as place

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


# what the author has in the place already ---------------------------------------------------------------

BROKEN: dict[str, tuple[bytes, str, str]] = {
    layout.CONFIG: ("title: 甲\ngenre: 乙\ntitle: 丙\n".encode(), "YAML_BROKEN", "第 3 行"),
    layout.STYLE_PROFILE: (b'{"a": 1,\n "a": 2}', "JSON_BROKEN", "第 2 行"),
    layout.BLACKLIST: (b'{"words": 3}', "SCHEMA", "words"),
    layout.STORYLINE_SPEC: (b"{", "JSON_BROKEN", "第 1 行"),
    layout.BRIEF: ("立意".encode("gbk"), "FILE_NOT_UTF8", layout.BRIEF),
}


def everything(place: Path) -> set[str]:
    return {path.relative_to(place).as_posix() for path in place.rglob("*")}


@pytest.mark.parametrize("path", BROKEN)
def test_a_broken_file_of_his_is_told_and_nothing_begun(place: Path, path: str) -> None:
    data, code, said = BROKEN[path]
    made = Book(place, 1)
    made.write(path, data)
    before = everything(place)
    found = init(place)
    assert found.exit == 3 and everything(place) == before
    assert [(one.code.startswith(code), one.path) for one in found.diagnostics] == [(True, path)]
    assert said in found.diagnostics[0].message
    assert made.at(path).read_bytes() == data


def test_all_that_is_wrong_there_is_told_at_once(place: Path) -> None:
    made = Book(place, 1)
    for path, (data, _, _) in BROKEN.items():
        made.write(path, data)
    made.write("summaries", "不是文件夹")
    before = everything(place)
    found = init(place)
    assert {one.path for one in found.diagnostics} == {*BROKEN, "summaries"}
    assert found.exit == 3 and everything(place) == before


def test_a_title_that_his_own_settings_lack_is_told(place: Path) -> None:
    Book(place, 1).write(layout.CONFIG, "title: 长夜\n")
    found = init(place, "--title", "长夜", "--genre", "悬疑")
    (told,) = found.diagnostics
    assert found.exit == 0 and (told.code, told.path) == ("SETTING_LEFT", layout.CONFIG)
    assert "悬疑" in told.message and "novel config genre" in told.fix
    assert (place / layout.CONFIG).read_text("utf-8") == "title: 长夜\n"


def a_folder_for_a_file(place: Path) -> None:
    (place / layout.BRIEF).mkdir(parents=True)


def a_file_for_a_folder(place: Path) -> None:
    Book(place, 1).write("staging/state", "不是文件夹")


def a_chapter_without_a_book(place: Path) -> None:
    Book(place, 1).write(layout.chapter(1), "# 第 1 章\n")


@pytest.mark.parametrize("prepare", [a_folder_for_a_file, a_file_for_a_folder, a_chapter_without_a_book])
def test_what_is_refused_leaves_nothing_behind(place: Path, prepare: Callable[[Path], None]) -> None:
    prepare(place)
    before = everything(place)
    assert init(place).exit in (3, 5) and everything(place) == before


@pytest.mark.parametrize("deep", ["新书", "别处/新书"])
@pytest.mark.parametrize("code", ["ENOSPC", "EACCES"])
def test_what_the_disk_refuses_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deep: str, code: str
) -> None:
    """Wherever the disk refuses: each folder and file that `init` makes, in turn."""
    for stop in itertools.count():
        seen = 0

        def refuses(real: Callable[..., Any], *args: Any, stop: int = stop, **more: Any) -> Any:
            nonlocal seen
            seen += 1
            if seen == stop + 1:
                raise OSError(getattr(errno, code), os.strerror(getattr(errno, code)))
            return real(*args, **more)

        with monkeypatch.context() as patched:
            patched.setattr(os, "mkdir", functools.partial(refuses, os.mkdir))
            patched.setattr(os, "fsync", functools.partial(refuses, lambda _handle: None))
            found = init(tmp_path / deep)
        if found.exit == 0:
            assert stop > 20
            return
        pending = any(one.code == "JOURNAL_PENDING" for one in found.diagnostics)
        assert pending or everything(tmp_path) == set(), (stop, found)
        shutil.rmtree(tmp_path / "新书", ignore_errors=True)
        shutil.rmtree(tmp_path / "别处", ignore_errors=True)


def test_interrupted_it_leaves_nothing_behind(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(setup_init.journal, "land", interrupted)
    with pytest.raises(KeyboardInterrupt):
        setup_init.run(str(place), Caller(owner({}, OWNER), 0.0), None, None)
    assert not place.exists()


# links, what was left there, and `init` killed ------------------------------------------------------------


def test_a_link_to_a_folder_is_followed(tmp_path: Path, place: Path) -> None:
    place.mkdir()
    link = tmp_path / "快捷"
    link.symlink_to(place)
    found = init(link, "--title", "长夜")
    assert found.exit == 0 and found.data is not None
    assert found.data["root"] == os.path.realpath(place)
    assert call("status", ["--project", str(link)], {"NOVEL_OWNER": OWNER}).exit == 0
    assert [one.code for one in init(link).diagnostics] == ["PROJECT_EXISTS"]


def test_a_link_to_nowhere_is_refused(tmp_path: Path, place: Path) -> None:
    link = tmp_path / "快捷"
    link.symlink_to(place)
    found = init(link)
    assert (found.exit, found.diagnostics[0].code) == (2, "CLI_USAGE") and "断" in found.diagnostics[
        0
    ].message
    assert not place.exists()


def a_fifo(path: Path) -> None:
    os.mkfifo(path)


def a_file(path: Path) -> None:
    path.write_bytes(b"x\n")


def a_folder(path: Path) -> None:
    path.mkdir()


def a_link(path: Path) -> None:
    path.symlink_to("nowhere")


LEFT = [
    (".novel.lock", a_fifo),
    (".novel.lock", a_file),
    (".novel.lock", a_link),
    (layout.CHECKPOINT_SEAL, a_file),
    (layout.CHECKPOINT_SEAL, a_folder),
    *((layout.CHANGELOG, kind) for kind in (a_fifo, a_file, a_folder, a_link)),
    (layout.STATE, a_file),
    (layout.OS_LOCK, a_fifo),
    (layout.LANDED, a_file),
    (layout.HANDOUT, a_folder),
]


@pytest.mark.parametrize(("path", "kind"), LEFT, ids=lambda one: getattr(one, "__name__", one))
def test_what_a_new_book_cannot_live_with_is_named(
    place: Path, path: str, kind: Callable[[Path], None]
) -> None:
    (place / path).parent.mkdir(parents=True)
    kind(place / path)
    before = everything(place)
    found = init(place, "--yes")
    assert found.exit == 3 and [one.path for one in found.diagnostics] == [path], found
    assert everything(place) == before


def test_a_journal_that_is_none_is_named_and_nothing_made(place: Path) -> None:
    (place / ".novel").mkdir(parents=True)
    a_file(place / layout.JOURNAL)
    before = everything(place)
    for more in ((), ("--yes",)):
        found = init(place, *more)
        (told,) = found.diagnostics
        assert (found.exit, told.code, told.path) == (5, "INIT_JOURNAL_BROKEN", layout.JOURNAL)
        assert "novel init" in told.fix and "novel status" not in told.fix
        assert everything(place) == before


def test_another_commands_journal_is_no_new_books(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = book(tmp_path)
    killed_landing(made, monkeypatch, {f"research/{n}.md": b"1\n" for n in (1, 2)})
    for path in (layout.CHECKPOINT, layout.CHECKPOINT_SEAL, layout.CHANGELOG, layout.STATE):
        made.at(path).unlink(missing_ok=True)
    shutil.rmtree(made.at("chapters"))
    before = everything(made.root)
    found = init(made.root)
    assert found.exit == 3 and [one.path for one in found.diagnostics] == [layout.JOURNAL]
    assert everything(made.root) == before


def test_killed_behind_its_commit_point_another_title_is_told(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object) -> None:
        raise JournalPending(layout.JOURNAL, label="试", detail="断电")

    with monkeypatch.context() as patched:
        patched.setattr(recovery, "finish", die)
        assert init(place, "--yes", "--title", "甲").exit == 3
    monkeypatch.chdir(place)
    found = call("init", ["--title", "乙"], {"NOVEL_OWNER": OWNER})
    assert found.exit == 0 and [one.code for one in found.diagnostics] == ["SETTING_LEFT"]
    assert "乙" in found.diagnostics[0].message
    assert settings.parse((place / layout.CONFIG).read_text("utf-8"))["title"] == "甲"


@pytest.mark.parametrize("where", ["{long}", "{long}/书", "书/{long}"])
def test_a_name_that_is_too_long_for_a_folder(tmp_path: Path, where: str) -> None:
    found = init(tmp_path / where.format(long="长" * 100))
    (told,) = found.diagnostics
    assert (found.exit, told.code) == (2, "CLI_USAGE") and "太长" in told.message and "短" in told.fix
    assert everything(tmp_path) == set()


# another book, before and meanwhile -----------------------------------------------------------------------


def test_a_folder_inside_a_book_is_no_place_for_another(tmp_path: Path) -> None:
    made = book(tmp_path)
    for inside in (layout.RESEARCH, "chapters", "draft"):
        made.at(inside).mkdir(exist_ok=True)
        before = made.tree()
        found = init(made.at(inside))
        assert (found.exit, found.diagnostics[0].code) == (3, "PROJECT_EXISTS")
        assert str(made.root) in found.diagnostics[0].message + found.diagnostics[0].fix
        assert made.changed(before) == {}


def test_a_book_that_was_begun_meanwhile_is_not_begun_again(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another `init` was first: what it made is found under the lock."""
    real = setup_init.oslock.running

    def running(project: Project) -> Any:
        (place / layout.CHECKPOINT).write_text("{}", "utf-8")
        return real(project)

    monkeypatch.setattr(setup_init.oslock, "running", running)
    with pytest.raises(ProjectExists):
        setup_init.run(str(place), Caller(owner({}, OWNER), 0.0), None, None)
    assert (place / layout.CHECKPOINT).read_text("utf-8") == "{}"
    assert not (place / layout.BRIEF).exists()


def test_killed_behind_its_commit_point_it_leaves_the_book_to_be_finished(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object) -> None:
        raise JournalPending(layout.JOURNAL, label="试", detail="断电")

    with monkeypatch.context() as patched:
        patched.setattr(recovery, "finish", die)
        assert init(place).exit != 0
    assert (place / layout.JOURNAL).is_dir()
    assert all((place / folder).is_dir() for folder in layout.PROJECT_DIRS)
    assert init(place).exit == 0
    assert (place / layout.CHECKPOINT).is_file() and not (place / layout.JOURNAL).exists()


def test_what_a_killed_command_left_is_swept_and_no_book(place: Path) -> None:
    for name in ("journal.old-0123456789abcdef", "lock.new-0123456789abcdef"):
        (place / layout.OWN / name).mkdir(parents=True)
    assert init(place).exit == 0
    assert not [n for n in os.listdir(place / layout.OWN) if "0123456789abcdef" in n]
