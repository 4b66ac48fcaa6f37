"""Any landing, stopped anywhere: every file is as before, or every file is as it should become."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from conftest import examples
from crash import killpoints, landings
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from novel_hooks import layout
from novel_hooks.flows.session import pending_landing
from novel_hooks.store.files.project import Project
from novel_hooks.store.journal import journal, litter
from novel_hooks.store.journal.journal import Change

PATHS = ("a", "b/c", "b/d.jsonl", "e/f/g.md", ".checkpoint.json", ".novel/landed/x.json")
BYTES = st.binary(max_size=30)
_numbers = itertools.count(1)

files = st.dictionaries(st.sampled_from(PATHS), BYTES.filter(lambda data: not data or data.endswith(b"\n")))
changes = st.lists(
    st.builds(Change, st.sampled_from(["put", "append"]), st.sampled_from(PATHS), BYTES)
    | st.builds(journal.remove, st.sampled_from(PATHS)),
    unique_by=lambda change: change.path,
    max_size=len(PATHS),
)


def _project(tmp_path: Path, before: dict[str, bytes]) -> Project:
    root = tmp_path / f"book-{next(_numbers)}"
    root.mkdir()
    for rel, data in before.items():
        place = root / rel
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return Project(str(root))


def _expected(before: dict[str, bytes], wanted: list[Change]) -> dict[str, bytes]:
    """What a landing means, said without a journal."""
    after = dict(before)
    for change in wanted:
        if change.kind == "remove":
            after.pop(change.path, None)
        elif change.kind == "put":
            after[change.path] = change.data
        elif change.data:
            after[change.path] = after.get(change.path, b"") + change.data
    return after


def _files(project: Project) -> dict[str, bytes]:
    return {rel: data for rel, (_, data) in landings.tree(project).items() if data is not None}


def _seen(project: Project) -> list[object]:
    """All that a reader can ask, less what a killed command left to be swept; an emptied folder stays."""
    folders = ("", "b", "e", "e/f", ".novel/landed")
    names = [project.names(folder) for folder in folders]
    listed = [
        [name for name in found if name != layout.OWN and not litter.is_litter(name)] for found in names
    ]
    kinds = [project.kind(path) for path in (*PATHS, *folders)]
    return [listed, kinds, [project.read(path) for path in PATHS]]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@settings(
    deadline=None, max_examples=examples(80), suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(before=files, wanted=changes, stop=st.integers(1, 90), again=st.integers(1, 60))
def test_all_or_nothing(
    tmp_path: Path, before: dict[str, bytes], wanted: list[Change], stop: int, again: int
) -> None:
    project = _project(tmp_path, before)
    after = _expected(before, wanted)
    outcome = killpoints.killed_at(
        stop, lambda: journal.land(project, wanted, label="入库", guard=lambda: None)
    )
    assert outcome in (killpoints.KILLED, killpoints.DONE)
    committed = journal.pending(project) is not None
    view = pending_landing.after_landing(project)
    told = _seen(view)
    killpoints.killed_at(again, lambda: journal.recover(project))
    journal.recover(project)
    found = _files(project)
    assert found in (before, after)
    if committed or outcome == killpoints.DONE:
        assert found == after
    assert told == _seen(view) == _seen(project), "a reader saw what would be"
    assert journal.recover(project) is None and _files(project) == found
