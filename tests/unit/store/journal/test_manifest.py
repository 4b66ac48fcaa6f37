"""The manifest of a landing: written and read back, and nothing believed of one that was tampered with."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from crash import landings

from novel_hooks import errors, layout
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal, manifest
from novel_hooks.store.journal.manifest import Entry, Manifest


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return landings.build_project(tmp_path / "book")


class TestTamperedJournal:
    @staticmethod
    def _change(project: Project, key: str, value: object, entry: int | None = None) -> None:
        place = Path(project.absolute(".novel/journal/manifest.json"))
        whole = json.loads(place.read_text(encoding="utf-8"))
        (whole if entry is None else whole["entries"][entry])[key] = value
        place.write_text(json.dumps(whole), encoding="utf-8")

    def _broken(self, project: Project) -> None:
        before = landings.tree(project)
        with pytest.raises(errors.JournalBroken) as caught:
            journal.recover(project)
        assert caught.value.exit == errors.DAMAGED
        assert landings.tree(project) == before

    @pytest.mark.parametrize(
        "path", ["../outside.md", "/etc/x", "a/../../b", "", ".", ".novel/journal/x", 7, None, "a\0b", ["a"]]
    )
    def test_a_path_that_leads_out_is_not_followed(self, project: Project, path: object) -> None:
        self._change(landings.commit_only(project), "path", path, 0)
        self._broken(project)
        assert not Path(project.root).parent.joinpath("outside.md").exists()

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("blob", "../../chapters/chapter-001.md"),
            ("blob", "manifest.json"),
            ("blob", None),
            ("blob", "0009"),
            ("new", "0" * 64),
            ("new", "x"),
            ("size", -1),
            ("size", 1),
            ("old", 5),
            ("offset", 5),
            ("offset", True),
            ("kind", "remove"),
            ("kind", "chmod"),
            ("extra", 1),
        ],
    )
    def test_an_entry_that_makes_no_sense_stops_all(self, project: Project, key: str, value: object) -> None:
        self._change(landings.commit_only(project), key, value, 0)
        self._broken(project)

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("format", 2),
            ("format", None),
            ("token", "../x"),
            ("label", None),
            ("pid", "1"),
            ("entries", []),
            ("entries", {}),
            ("entries", [1]),
        ],
    )
    def test_a_manifest_that_makes_no_sense_stops_all(
        self, project: Project, key: str, value: object
    ) -> None:
        self._change(landings.commit_only(project), key, value)
        self._broken(project)
        with pytest.raises(errors.JournalBroken):
            journal.pending(project)

    def test_bytes_that_rotted_are_not_written(self, project: Project) -> None:
        blob = Path(landings.commit_only(project).absolute(".novel/journal/0000"))
        blob.write_bytes(blob.read_bytes()[:-1] + b"?")
        self._broken(project)
        blob.unlink()
        self._broken(project)
        os.symlink(project.absolute("chapters/chapter-001.md"), blob)
        self._broken(project)

    def test_no_manifest_half_a_manifest_or_no_folder_stops_all(self, project: Project) -> None:
        place = Path(landings.commit_only(project).absolute(".novel/journal/manifest.json"))
        place.write_bytes(place.read_bytes()[:40])
        self._broken(project)
        place.unlink()
        self._broken(project)
        shutil.rmtree(place.parent)
        place.parent.write_bytes(b"")
        self._broken(project)
        place.parent.unlink()
        os.symlink("nowhere", place.parent)
        self._broken(project)

    def test_the_manifest_written_is_the_manifest_read(self, project: Project) -> None:
        plan = journal.pending(landings.commit_only(project))
        assert plan is not None
        assert manifest.dump(plan) == project.read(".novel/journal/manifest.json")


HASH = "0" * 64
ENTRY: dict[str, Any] = {
    "kind": "put",
    "path": "chapters/chapter-002.md",
    "old": None,
    "offset": 0,
    "blob": "0000",
    "new": HASH,
    "size": 3,
}
WHOLE: dict[str, Any] = {
    "format": 1,
    "token": "0123456789abcdef",
    "label": "第 2 章入库",
    "created_by": "1.0",
    "pid": 7,
    "pid_started": "linux/a/b/1",
    "host": "here",
    "entries": [ENTRY],
}


def _write(project: Project, whole: object) -> None:
    place = Path(project.absolute(f"{layout.JOURNAL}/manifest.json"))
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(jsonio.dump(whole))


class TestRead:
    def test_what_is_written_is_read(self, project: Project) -> None:
        entries = (
            Entry("put", "a", None, 0, "0000", HASH, 3),
            Entry("append", "b", HASH, 9, "0001", HASH, 0),
            Entry("remove", "c", HASH, 0, None, None, 0),
        )
        for mark in ("linux/a/b/1", None):
            plan = Manifest("0123456789abcdef", "标签", "1.0", 7, mark, "here", entries)
            place = Path(project.absolute(f"{layout.JOURNAL}/manifest.json"))
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(manifest.dump(plan))
            assert manifest.read(project) == plan

    def test_its_form_is_that_of_every_version(self, project: Project) -> None:
        """A journal of an earlier version must be readable after an upgrade."""
        _write(project, WHOLE)
        plan = manifest.read(project)
        assert plan == Manifest(
            "0123456789abcdef",
            "第 2 章入库",
            "1.0",
            7,
            "linux/a/b/1",
            "here",
            (Entry("put", "chapters/chapter-002.md", None, 0, "0000", HASH, 3),),
        )
        assert plan is not None and manifest.dump(plan) == jsonio.dump(WHOLE)

    @pytest.mark.parametrize("key", [key for key in WHOLE if key != "pid_started"])
    @pytest.mark.parametrize("value", [None, [], {}, 1.5])
    def test_every_field_is_needed(self, project: Project, key: str, value: object) -> None:
        _write(project, {**WHOLE, key: value})
        with pytest.raises(errors.JournalBroken):
            manifest.read(project)
        _write(project, {name: WHOLE[name] for name in WHOLE if name != key})
        with pytest.raises(errors.JournalBroken):
            manifest.read(project)

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("pid_started", 7),
            ("token", "0123456789ABCDEF"),
            ("token", "0123456789abcde"),
            ("token", "0123456789abcdef0"),
            ("host", 7),
            ("created_by", 7),
            ("label", 7),
            ("entries", [ENTRY, "put"]),
            ("entries", [ENTRY, ENTRY]),
        ],
    )
    def test_a_field_of_another_kind_stops_all(self, project: Project, key: str, value: object) -> None:
        _write(project, {**WHOLE, key: value})
        with pytest.raises(errors.JournalBroken):
            manifest.read(project)

    @pytest.mark.parametrize(
        "wrong",
        [
            {"kind": "append", "offset": -1},
            {"size": True},
            {"size": "3"},
            {"size": 1.0},
            {"offset": 1},
            {"old": "x"},
            {"old": HASH.upper().replace("0", "A")},
            {"blob": "000"},
            {"blob": "0000000000"},
            {"blob": "000x"},
            {"new": None},
            {"kind": "remove"},
            {"kind": "remove", "old": HASH},
            {"kind": "remove", "old": HASH, "blob": None},
            {"kind": "remove", "old": HASH, "new": None},
            {"kind": "remove", "old": None, "blob": None, "new": None},
            {"kind": "remove", "old": HASH, "blob": None, "new": None, "offset": 1},
            {"kind": None},
        ],
        ids=str,
    )
    def test_an_entry_that_contradicts_itself_stops_all(
        self, project: Project, wrong: dict[str, object]
    ) -> None:
        _write(project, {**WHOLE, "entries": [{**ENTRY, **wrong}]})
        with pytest.raises(errors.JournalBroken):
            manifest.read(project)

    @pytest.mark.parametrize(
        "right",
        [
            {"kind": "append", "offset": 5, "old": HASH},
            {"kind": "append", "offset": 0, "old": None},
            {"kind": "remove", "old": HASH, "blob": None, "new": None, "size": 0},
            {"blob": "999999999", "size": 0},
        ],
        ids=str,
    )
    def test_an_entry_of_each_kind_is_taken(self, project: Project, right: dict[str, object]) -> None:
        _write(project, {**WHOLE, "entries": [{**ENTRY, **right}]})
        plan = manifest.read(project)
        assert plan is not None and plan.entries[0]._asdict() == {**ENTRY, **right}

    def test_what_is_wrong_is_said(self, project: Project) -> None:
        os.mkdir(project.absolute(layout.OWN))
        place = Path(project.absolute(layout.JOURNAL))
        place.write_bytes(b"")
        with pytest.raises(errors.JournalBroken, match="它不是文件夹") as caught:
            manifest.read(project)
        assert caught.value.path == layout.JOURNAL
        place.unlink()
        place.mkdir()
        with pytest.raises(errors.JournalBroken, match=r"里面没有 manifest\.json"):
            manifest.read(project)
        (place / "manifest.json").write_bytes(b"[]")
        with pytest.raises(errors.JournalBroken, match="看不懂它的格式"):
            manifest.read(project)
        (place / "manifest.json").write_bytes(b"[")
        with pytest.raises(errors.JournalBroken, match="第 1 行第 2 列"):
            manifest.read(project)

    def test_an_own_folder_that_is_none_is_told(self, project: Project) -> None:
        Path(project.absolute(layout.OWN)).write_bytes(b"")
        with pytest.raises(errors.NotAFolder):
            manifest.read(project)


class TestFinished:
    def _done(self, project: Project, letter: str, whole: object) -> None:
        place = Path(project.absolute(f"{manifest.DONE}{letter * 16}"))
        place.mkdir(parents=True)
        (place / "manifest.json").write_bytes(jsonio.dump(whole))

    def test_without_a_leftover_there_is_none(self, project: Project) -> None:
        assert manifest.finished_label(project) is None
        _write(project, WHOLE)
        assert manifest.finished_label(project) is None, "that one waits"

    def test_the_first_that_can_be_read_is_named(self, project: Project) -> None:
        self._done(project, "a", {})
        self._done(project, "b", WHOLE)
        os.mkdir(project.absolute(f"{manifest.DONE}{'0' * 16}"))
        os.mkdir(project.absolute(".novel/archive"))
        assert manifest.finished_label(project) == "第 2 章入库"

    def test_of_what_cannot_be_read_nothing_is_said(self, project: Project) -> None:
        self._done(project, "a", {})
        assert manifest.finished_label(project) is None


class TestBlobs:
    def test_the_bytes_are_checked_by_size_and_hash(self, project: Project) -> None:
        entry = Entry("put", "a", None, 0, "0000", manifest.digest(b"new"), 3)
        place = Path(project.absolute(manifest.blob_path(entry)))
        assert manifest.blob_path(entry) == ".novel/journal/0000"
        place.parent.mkdir(parents=True)
        place.write_bytes(b"new")
        assert manifest.read_blob(project, entry) == b"new"
        for wrong in (entry._replace(size=4), entry._replace(new=manifest.digest(b"old"))):
            with pytest.raises(errors.JournalBroken, match="a 的新内容不完整"):
                manifest.read_blob(project, wrong)
        place.unlink()
        with pytest.raises(errors.JournalBroken, match="a 的新内容不完整"):
            manifest.read_blob(project, entry)
        place.mkdir()
        with pytest.raises(errors.JournalBroken, match="0000"):
            manifest.read_blob(project, entry)


@pytest.mark.parametrize(
    ("path", "may"),
    [
        ("a", True),
        (".novel/x", True),
        (".novel/journals", True),
        (".novel", False),
        (".novel/journal", False),
        (".novel/journal/0000", False),
        ("../a", False),
        ("", False),
    ],
)
def test_a_landing_writes_inside_the_project_only(path: str, may: bool) -> None:
    assert manifest.is_destination(path) is may
