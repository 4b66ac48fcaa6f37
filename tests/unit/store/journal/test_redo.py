"""A committed journal is carried out: each file is old or new, or the landing stops."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from crash import landings

from novel_hooks import errors, layout
from novel_hooks.store.files import atomic
from novel_hooks.store.files.project import Project
from novel_hooks.store.journal import journal, manifest, redo
from novel_hooks.store.journal.manifest import Entry, Manifest

LOG = "state/changelog.jsonl"
COMING = b'\n{"chapter":2}\n'


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return landings.build_project(tmp_path / "book")


def _entry(project: Project, change: journal.Change) -> tuple[Manifest, Entry]:
    """The one entry of a committed landing of `change`."""
    landings.commit_only(project, [change, journal.put("zz.md", b"another file")])
    plan = manifest.read(project)
    assert plan is not None and plan.entries[0].path == change.path
    return plan, plan.entries[0]


def _write(project: Project, rel: str, data: bytes | None) -> None:
    place = Path(project.absolute(rel))
    place.unlink(missing_ok=True)
    if data is not None:
        place.write_bytes(data)


STATE = "state/current-state.json"
OLD_STATE = b'{"state_version": 1}\n'
WHOLE_FILES = [
    (journal.put(STATE, b"new"), OLD_STATE, redo.OLD, b"new"),
    (journal.put(STATE, b"new"), b"new", redo.NEW, b"new"),
    (journal.put(STATE, b"new"), None, redo.OLD, b"new"),
    (journal.put(STATE, b"new"), b"", None, None),
    (journal.put(STATE, b"new"), b"new ", None, None),
    (journal.put("new.md", b"new"), None, redo.OLD, b"new"),
    (journal.put("new.md", b"new"), b"new", redo.NEW, b"new"),
    (journal.put("new.md", b"new"), b"other", None, None),
    (journal.remove(STATE), OLD_STATE, redo.OLD, None),
    (journal.remove(STATE), None, redo.NEW, None),
    (journal.remove(STATE), b"other", None, None),
]
APPENDS = [
    (b"", redo.OLD),
    (COMING, redo.NEW),
    (COMING + b"later\n", redo.NEW),
    (COMING[:1], redo.OLD),
    (COMING[:-1], redo.OLD),
    (COMING[:-1] + b"\0", redo.OLD),
    (COMING[:3] + b"\0\0", redo.OLD),
    (b"\0" * len(COMING), redo.OLD),
    (b"\0" * (len(COMING) + 1), None),
    (COMING[:3] + b"\0" * len(COMING), None),
    (b"x", None),
    (COMING[:3] + b"X", None),
    (COMING[:3] + b"x", None),
    (b"\0" + COMING[1:], None),
]


@pytest.mark.parametrize(("change", "data", "state", "result"), WHOLE_FILES)
def test_a_file_is_old_or_new_or_the_authors_own(
    project: Project, change: journal.Change, data: bytes | None, state: str | None, result: bytes | None
) -> None:
    plan, entry = _entry(project, change)
    _write(project, change.path, data)
    if state is None:
        for ask in (redo.entry_state, redo.resulting_bytes):
            with pytest.raises(errors.JournalConflict) as caught:
                ask(project, plan, entry)
            assert (caught.value.path, caught.value.values["label"]) == (change.path, landings.LABEL)
        return
    assert redo.entry_state(project, plan, entry) == state
    assert redo.resulting_bytes(project, plan, entry) == result
    redo.carry_out(project, plan, lambda: None)
    assert project.read(change.path) == result


@pytest.mark.parametrize(("tail", "state"), APPENDS)
def test_a_log_is_old_cut_short_or_new(project: Project, tail: bytes, state: str | None) -> None:
    plan, entry = _entry(project, journal.append(LOG, b'{"chapter":2}\n'))
    _write(project, LOG, b'{"chapter":1}' + tail)
    if state is None:
        with pytest.raises(errors.JournalConflict) as caught:
            redo.entry_state(project, plan, entry)
        assert (caught.value.path, caught.value.values["label"]) == (LOG, landings.LABEL)
        return
    assert redo.entry_state(project, plan, entry) == state
    whole = b'{"chapter":1}' + (COMING + b"later\n" if tail.endswith(b"later\n") else COMING)
    assert redo.resulting_bytes(project, plan, entry) == whole
    redo.carry_out(project, plan, lambda: None)
    assert project.read(LOG) == whole


def test_a_log_with_other_lines_before_is_the_authors_own(project: Project) -> None:
    plan, entry = _entry(project, journal.append(LOG, b'{"chapter":2}\n'))
    _write(project, LOG, b'{"chapter":7}')
    with pytest.raises(errors.JournalConflict) as caught:
        redo.entry_state(project, plan, entry)
    assert (caught.value.path, caught.value.values["label"]) == (LOG, landings.LABEL)
    _write(project, LOG, b'{"chapter":1')
    with pytest.raises(errors.JournalTargetShort) as short:
        redo.entry_state(project, plan, entry)
    assert short.value.path == LOG


def test_a_new_log_begins_with_the_entry(project: Project) -> None:
    plan, entry = _entry(project, journal.append("logs/new.jsonl", b"{}\n"))
    assert redo.entry_state(project, plan, entry) == redo.OLD
    assert redo.resulting_bytes(project, plan, entry) == b"{}\n"
    redo.carry_out(project, plan, lambda: None)
    assert project.read("logs/new.jsonl") == b"{}\n"


@pytest.mark.parametrize("what", ["folder", "link", "way"])
def test_what_is_no_file_any_more_is_the_authors_own(project: Project, what: str) -> None:
    plan, entry = _entry(project, journal.put("world/rules.md", b"x"))
    place = Path(project.absolute("world/rules.md"))
    if what == "way":
        place.parent.write_bytes(b"")
    else:
        place.parent.mkdir()
        place.mkdir() if what == "folder" else place.symlink_to("elsewhere")
    with pytest.raises(errors.JournalConflict) as caught:
        redo.entry_state(project, plan, entry)
    assert (caught.value.path, caught.value.values["label"]) == ("world/rules.md", landings.LABEL)


def _committed(project: Project) -> Manifest:
    plan = manifest.read(landings.commit_only(project))
    assert plan is not None
    return plan


def test_the_guard_is_asked_before_each_file_that_is_still_old(project: Project) -> None:
    plan = _committed(project)
    Path(project.absolute("chapters/chapter-002.md")).write_bytes(landings.NEW_CHAPTER)
    asked = []
    redo.carry_out(project, plan, lambda: asked.append(len(landings.tree(project))))
    assert len(asked) == len(plan.entries) - 1
    assert project.kind(layout.JOURNAL) == "absent"


def test_every_folder_is_synced_once_and_an_own_whole_append_too(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = _committed(project)
    _write(project, LOG, b'{"chapter":1}' + COMING)
    Path(project.absolute("staging/chapters/chapter-002.md")).unlink()
    Path(project.absolute("staging/chapters")).rmdir()
    folders: list[str] = []
    files: list[str] = []
    monkeypatch.setattr(atomic, "sync_folder", lambda _project, rel: folders.append(rel))
    monkeypatch.setattr(atomic, "sync_file", lambda _project, rel: files.append(rel))
    redo.carry_out(project, plan, lambda: None)
    assert files == [LOG]
    assert folders == ["", "chapters", "evaluations", "logs", "state", layout.OWN]


def test_files_are_not_synced_into_their_folder_one_by_one(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = _committed(project)
    alone: list[bool] = []
    real = atomic.write

    def write(project: Project, rel: str, data: bytes, *, sync: bool = True) -> None:
        alone.append(sync)
        real(project, rel, data, sync=sync)

    monkeypatch.setattr(atomic, "write", write)
    redo.carry_out(project, plan, lambda: None)
    assert alone == [False] * 4


@pytest.mark.parametrize("kind", [errors.WriteFailed, errors.WriteNotSynced])
@pytest.mark.parametrize("call", ["sync_folder", "remove_tree"])
def test_a_finished_journal_that_cannot_be_removed_is_left_to_the_next_command(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, kind: type[errors.Problem]
) -> None:
    after = landings.after(project, tmp_path / "through")
    plan = _committed(project)

    def refuse(_project: Project, rel: str) -> None:
        if rel == layout.OWN or ".done-" in rel:
            raise kind(rel, reason="磁盘空间不够")

    monkeypatch.setattr(atomic if call == "sync_folder" else redo.litter, call, refuse)
    if issubclass(kind, errors.WriteFailed):
        redo.carry_out(project, plan, lambda: None)
    else:
        with pytest.raises(kind):
            redo.carry_out(project, plan, lambda: None)
    monkeypatch.undo()
    assert manifest.finished_label(project) == landings.LABEL
    assert os.listdir(project.absolute(layout.OWN)) == [f"journal.done-{plan.token}"]
    assert journal.recover(project) is None
    assert landings.tree(project) == after
