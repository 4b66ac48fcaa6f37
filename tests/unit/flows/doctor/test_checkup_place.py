"""`novel doctor`: the place, the disk and the installation."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest
from builders import OTHER, Book
from builders import fast_disk as fast_disk
from conftest import CHECKOUT

from novel_hooks import layout
from novel_hooks.cli.call import call
from novel_hooks.flows.doctor import installation
from novel_hooks.store.files import assets
from unit.flows.doctor.checked_book import codes, doctor, held_by
from unit.flows.doctor.checked_book import made as made

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_to(made: Book) -> None:
    made.at("chapters").chmod(0o500)
    try:
        assert doctor(made)[1]["PLACE_NOT_WRITABLE"].path == "chapters"
    finally:
        made.at("chapters").chmod(0o700)


def test_rights_and_space_are_asked_of_the_system(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    from novel_hooks.store.files import surroundings

    monkeypatch.setattr(surroundings, "is_writable", lambda project, rel: rel != "chapters")
    monkeypatch.setattr(surroundings, "free_megabytes", lambda project: 7)
    monkeypatch.setattr(surroundings, "lock_fault", lambda project, rel: "系统报错 ENOLCK")
    exit, found = doctor(made)
    assert exit == 1
    assert found["PLACE_NOT_WRITABLE"].path == "chapters"
    assert "7 MB" in found["DISK_LOW"].message
    assert "ENOLCK" in found["LOCK_UNSUPPORTED"].message


def test_the_novel_that_a_shell_would_start(tmp_path: Path) -> None:
    other = tmp_path / "novel"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    ours = os.path.join(CHECKOUT, "bin")
    assert codes({"PATH": f"{tmp_path}{os.pathsep}{ours}"}) == {"PATH_OTHER_NOVEL"}
    assert codes({"PATH": f"{ours}{os.pathsep}{tmp_path}"}) == set()
    assert codes({"PATH": ""}) == codes({}) == set()
    other.unlink()
    other.symlink_to(os.path.join(ours, "novel"))
    assert codes({"PATH": str(tmp_path)}) == set()


def test_an_old_interpreter_and_missing_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation.least_versions, "PYTHON", (9, 0))
    monkeypatch.setattr(installation, "PACKAGES", ("jsonschema", "no_such_package_of_ours"))
    assert codes({}) == {"INTERPRETER_OLD", "DEPENDENCY_MISSING"}


def test_a_plugin_that_lacks_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plugin's files are looked up beside a package that lies elsewhere."""
    for name in installation.PLUGIN_FILES:
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(os.path.join(CHECKOUT, name), place)
    for name in ("schemas", "templates"):
        (tmp_path / "package" / name).mkdir(parents=True)
    monkeypatch.setattr(assets, "_PACKAGE", str(tmp_path / "package"))
    assert codes({}) == set()
    (tmp_path / "hooks" / "hooks.json").unlink()
    (tmp_path / "hooks" / "guard").chmod(0o644)
    assert codes({}) == {"ASSET_MISSING", "PLUGIN_NOT_EXECUTABLE"}


def test_outside_a_project_the_installation_is_looked_at(tmp_path: Path) -> None:
    found = call("doctor", ["--fix", "--project", str(tmp_path)], {})
    assert (found.exit, [d.code for d in found.diagnostics]) == (0, ["PROJECT_NOT_HERE"])
    assert found.data["checked"] == ["安装"]


def test_a_lost_checkpoint_is_a_finding(made: Book) -> None:
    made.drop(layout.CHECKPOINT)
    before = made.tree()
    exit, found = doctor(made, "--fix")
    assert (exit, set(found)) == (5, {"CHECKPOINT_LOST"})
    assert made.changed(before) == {}


OWN_PLACES = sorted(
    {v for v in vars(layout).values() if isinstance(v, str) and v.startswith(f"{layout.OWN}/")}
    | {layout.attempts(4), layout.landed_record(4), layout.work_log(4)}
)


def in_the_way(made: Book, path: str, kind: str) -> None:
    place = made.at(path)
    if place.is_dir():
        shutil.move(place, made.root.parent / "elsewhere")
    place.unlink(missing_ok=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    if kind == "link":
        place.symlink_to(made.root.parent / "elsewhere")
    elif kind == "folder":
        place.mkdir()
    else:
        place.write_bytes(b"x")


@pytest.mark.parametrize("kind", ["link", "folder", "file"])
@pytest.mark.parametrize("path", OWN_PLACES)
def test_each_place_of_our_own_is_looked_at(made: Book, path: str, kind: str) -> None:
    """Whatever `layout` spells below `.novel/`: a new name there cannot be forgotten."""
    wanted = "folder" if path in layout.OWN_FOLDERS or path == layout.attempts(4) else "file"
    if kind == wanted:
        return
    (made.root.parent / "elsewhere").mkdir()
    in_the_way(made, path, kind)
    _, found = doctor(made)
    told = [d for d in found.values() if d.path == path]
    assert told and all(path in d.fix for d in told), found
    shutil.rmtree(made.at(path)) if kind == "folder" else made.at(path).unlink()
    assert not [d for d in doctor(made)[1].values() if d.path == path and d.code != "LANDED_RECORD_LOST"]


def test_a_link_deep_in_an_archive_is_named(made: Book) -> None:
    place = made.at(f"{layout.ARCHIVE}/0001-rebuild/state/current-state.json")
    place.parent.mkdir(parents=True)
    place.symlink_to("/nowhere")
    assert doctor(made)[1]["OWN_PLACE_ODD"].path == place.relative_to(made.root).as_posix()


@pytest.mark.parametrize("kind", ["link", "file"])
@pytest.mark.parametrize(
    "folder", ["state", "logs", "chapters", "staging", "evaluations", "characters", ".novel"]
)
def test_a_folder_that_is_none_is_told_as_itself(made: Book, folder: str, kind: str) -> None:
    """By every command, once, and nothing else is advised: replacing it is all that helps."""
    made.chapter = 4
    made.until("judged")
    (made.root.parent / "elsewhere").rmdir() if (made.root.parent / "elsewhere").exists() else None
    in_the_way(made, folder, kind)
    for argv in (("commit", "--chapter", "4"), ("doctor",)):
        found = [d for d in made.novel(*argv).diagnostics if d.severity == "error"]
        assert [(d.code, d.path) for d in found][:1] == [("FILE_NOT_FOLDER", folder)], argv
        assert not {"STATE_DIFFERS", "JOURNAL_BROKEN", "OWN_FILE_DAMAGED"} & {d.code for d in found}
    made.at(folder).unlink()
    shutil.move(made.root.parent / "elsewhere", made.at(folder))
    made.ok("commit", "--chapter", "4")


def test_what_a_living_command_uses_is_no_litter(made: Book) -> None:
    """Of a dead one it is, whoever holds the lock."""
    held_by(OTHER)(made)
    made.write(f"{layout.JOURNAL}.done-0123456789abcdef/0000", b"x")
    assert set(doctor(made)[1]) == {"LOCK_HELD"}
    made.ok("lock", "clear", "--force")
    assert set(doctor(made)[1]) == {"LITTER_LEFT"}
