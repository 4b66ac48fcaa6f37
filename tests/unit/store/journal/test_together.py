"""Many pieces at once, a few in order; no failure is lost."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from novel_hooks import errors
from novel_hooks.store.files.project import Project
from novel_hooks.store.journal import journal, overlay, together


def test_a_few_go_in_order_in_this_thread() -> None:
    seen: list[tuple[int, bool]] = []
    here = threading.current_thread()
    together.run(lambda one: seen.append((one, threading.current_thread() is here)), [3, 1, 2])
    assert seen == [(3, True), (1, True), (2, True)]


def test_many_are_all_done_and_a_failure_is_raised() -> None:
    seen: set[int] = set()

    def work(one: int) -> None:
        seen.add(one)
        if one == 7:
            raise ValueError("seven")

    with pytest.raises(ValueError, match="seven"):
        together.run(work, range(together.MANY + 1))
    assert len(seen) == together.MANY + 1


COUNT = together.MANY + 10


def _changes() -> list[journal.Change]:
    return [
        *(journal.put(f"chapters/{n}.md", str(n).encode()) for n in range(COUNT)),
        journal.remove("gone.md"),
        journal.put(".checkpoint.json", b"{1}"),
    ]


def _book(place: Path) -> Project:
    (place / ".checkpoint.json").write_bytes(b"{}")
    return Project(str(place))


def _check_landed(place: Path, **edited: bytes) -> None:
    found = {n.name: n.read_bytes() for n in (place / "chapters").iterdir()}
    assert found == {f"{n}.md": edited.get(f"c{n}", str(n).encode()) for n in range(COUNT)}
    assert {n.stat().st_nlink for n in (place / "chapters").iterdir()} == {1}
    assert (place / ".checkpoint.json").read_bytes() == b"{1}"
    assert [one.name for one in (place / ".novel").iterdir()] == []


def _refuse_links(source: str, place: str) -> None:
    raise PermissionError(1, "no links here", place)


@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("there", [(), ("0", "7")])
def test_a_landing_of_many_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool, there: tuple[str, ...]
) -> None:
    project = _book(tmp_path)
    (tmp_path / "chapters").mkdir()
    for name in there:
        (tmp_path / "chapters" / f"{name}.md").write_bytes(b"as it was")
    if not links:
        monkeypatch.setattr(os, "link", _refuse_links)
    journal.land(project, _changes(), label="试", guard=lambda: None)
    _check_landed(tmp_path)


def _cut_off(project: Project, at: int) -> None:
    """A landing whose command stops at the guard's call number `at`, past the commit point."""
    calls = iter(range(at))

    def guard() -> None:
        if next(calls, None) is None:
            raise errors.LockLost(None)

    with pytest.raises(errors.LockLost):
        journal.land(project, _changes(), label="试", guard=guard)
    assert journal.pending(project)


@pytest.mark.parametrize("at", [1, 2, 40, COUNT + 1])
def test_what_was_cut_off_is_finished(tmp_path: Path, at: int) -> None:
    project = _book(tmp_path)
    _cut_off(project, at)
    assert journal.recover(project)
    _check_landed(tmp_path)


def test_a_landed_file_is_its_authors_before_the_rest_has_landed(tmp_path: Path) -> None:
    """It is the journal's own under a further name then; what somebody writes in it stays."""
    project = _book(tmp_path)
    _cut_off(project, COUNT + 1)
    with (tmp_path / "chapters" / "7.md").open("ab") as text:
        text.write(b" and more")
    assert overlay.after_landing(project).read("chapters/7.md") == b"7 and more"
    assert journal.recover(project)
    _check_landed(tmp_path, c7=b"7 and more")


def test_new_bytes_that_were_changed_before_they_landed_are_refused(tmp_path: Path) -> None:
    project = _book(tmp_path)
    _cut_off(project, 8)
    assert not (tmp_path / "chapters" / "20.md").exists()
    (tmp_path / ".novel" / "journal" / "0020").write_bytes(b"other")
    with pytest.raises(errors.JournalBroken):
        journal.recover(project)
