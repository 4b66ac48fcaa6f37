"""The list of files that were in the book once: taken at a hand-out, following what `novel` lands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from novel_hooks import layout
from novel_hooks.store.fence import fence, seal, watched_files
from novel_hooks.store.files.project import Project
from novel_hooks.store.journal import journal

if TYPE_CHECKING:
    from pathlib import Path

    from novel_hooks.store.journal.journal import Change


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(str(tmp_path))


def carry_out(project: Project, changes: list[Change]) -> None:
    journal.land(project, changes, label="试", guard=lambda: None)


@pytest.mark.parametrize(
    ("path", "watched"),
    [
        (layout.BRIEF, True),
        (layout.CONFIG, True),
        (layout.STORYLINE_SPEC, True),
        (layout.outline(2), True),
        (layout.character_profile("lin-po"), True),
        (layout.retired(layout.character_card("lin-po")), True),
        ("world/河.md", True),
        ("research/samples/mine.md", True),
        (layout.contract(1, 7), False),
        (layout.chapter(7), False),
        (layout.STATE, False),
        (layout.memory("river"), True),
        (layout.staged(layout.outline(2)), False),
        ("world/a\tb.md", False),
    ],
)
def test_setting_and_plans_are_watched(path: str, watched: bool) -> None:
    assert watched_files.is_watched(path) is watched


def test_the_list_follows_what_is_put_and_removed(project: Project) -> None:
    assert watched_files.read(project) is None
    puts = [
        journal.put(layout.BRIEF, b"x"),
        journal.put("world/a.md", b"x"),
        journal.put(layout.STATE, b"{}"),
    ]
    carry_out(project, [*watched_files.followed(project, puts), *puts])
    assert watched_files.read(project) == [layout.BRIEF, "world/a.md"]
    assert watched_files.followed(project, puts) == []
    gone = [journal.remove("world/a.md")]
    carry_out(project, [*watched_files.followed(project, gone), *gone])
    assert watched_files.read(project) == [layout.BRIEF] and watched_files.missing(project) == []


def test_a_hand_out_keeps_what_is_lost_unless_the_book_is_set_up(project: Project) -> None:
    carry_out(project, watched_files.renewed(project, [layout.BRIEF, "world/a.md"], keep=True))
    carry_out(project, watched_files.renewed(project, [layout.CONFIG], keep=True))
    assert watched_files.missing(project) == [layout.BRIEF, layout.CONFIG, "world/a.md"]
    carry_out(project, watched_files.without(project, [layout.CONFIG]))
    assert watched_files.read(project) == [layout.BRIEF, "world/a.md"]
    carry_out(project, watched_files.renewed(project, [layout.BRIEF], keep=False))
    assert watched_files.read(project) == [layout.BRIEF]


def test_what_is_empty_is_lost_and_a_folder_in_its_place_is_not(project: Project, tmp_path: Path) -> None:
    (tmp_path / layout.BRIEF).write_bytes(b"")
    (tmp_path / layout.CONFIG).mkdir()
    assert watched_files.is_lost(project, layout.BRIEF) and not watched_files.is_lost(project, layout.CONFIG)


def test_the_marks_of_a_hand_out_tell_where_there_is_no_list(project: Project) -> None:
    marks = dict.fromkeys((layout.BRIEF, layout.chapter(1), layout.outline(1)), ("1 1 1", "0" * 64))
    carry_out(project, [journal.put(layout.FENCE, fence.dump(marks))])
    assert watched_files.read(project) == [layout.BRIEF, layout.outline(1)]


def test_a_damaged_list_tells_nothing(project: Project) -> None:
    data = seal.sealed_lines("novel-known 1", [layout.BRIEF])
    carry_out(project, [journal.put(layout.KNOWN_FILES, data[:-2])])
    assert watched_files.read(project) is None and watched_files.missing(project) == []
