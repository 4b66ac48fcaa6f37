"""Many pieces at once, a few in order; no failure is lost."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from novel_hooks.store.files.project import Project
from novel_hooks.store.journal import journal, together


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


def test_a_landing_of_many_files(tmp_path: Path) -> None:
    (tmp_path / ".checkpoint.json").write_bytes(b"{}")
    changes = [journal.put(f"chapters/{n}.md", str(n).encode()) for n in range(together.MANY + 10)]
    journal.land(
        Project(str(tmp_path)),
        [*changes, journal.remove("gone.md"), journal.put(".checkpoint.json", b"{1}")],
        label="试",
        guard=lambda: None,
    )
    assert {n.name: n.read_bytes() for n in (tmp_path / "chapters").iterdir()} == {
        change.path[9:]: change.data for change in changes
    }
    assert (tmp_path / ".checkpoint.json").read_bytes() == b"{1}"
    assert [one.name for one in (tmp_path / ".novel").iterdir()] == []
