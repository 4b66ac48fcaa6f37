"""Files that landed chapters left: told by `next`, `status` and `doctor` when they are gone."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest
from builders import Book, book, bookparts
from builders import fast_disk as fast_disk
from copying import once

from novel_hooks import layout

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any

LEFT = (
    layout.chapter(1),
    layout.summary(1),
    layout.evaluation(1),
    layout.crossref(1),
    layout.chapter_log(1),
    layout.contract(1, 1),
)
UNWRITTEN = layout.memory("sea-line")


@once
def _eight_chapters(place: Path) -> Book:
    """Eight chapters in three volumes, the last one landed by commands."""
    found = book(place, chapters=7, volume_size=3)
    found.write(UNWRITTEN, "海上还没有写到。\n")
    found.ok("instructions", found.step("draft"), "--write-manifest")
    found.until("judged")
    found.ok("commit", "--chapter", "8")
    found.chapter = 9
    return found


@pytest.fixture
def made(tmp_path: Path) -> Book:
    found = _eight_chapters(tmp_path)
    found.ok("sync")
    found.ok("instructions", found.step("draft"), "--write-manifest")
    return found


def told(made: Book) -> Iterator[tuple[str, dict[str | None, str]]]:
    """What each command names, and how it is mended, by path."""
    for command in ("next", "status", "doctor"):
        found = made.novel(command)
        assert found.exit == 0 or command == "doctor"
        yield command, {d.path: d.fix for d in found.diagnostics}


def test_nothing_is_missed_where_nothing_is_lost(made: Book) -> None:
    assert [paths for _, paths in told(made)] == [{}, {}, {}]


@pytest.mark.parametrize("path", [*LEFT, layout.outline(1), UNWRITTEN, layout.memory(bookparts.LINES[0])])
def test_what_a_landed_chapter_or_an_earlier_volume_left_is_missed_everywhere(made: Book, path: str) -> None:
    made.drop(path)
    for command, paths in told(made):
        assert list(paths) == [path], command
        assert "从备份取回" in paths[path]


@pytest.mark.parametrize("folder", ["evaluations", "logs", layout.LANDED, layout.OWN, layout.volume_dir(1)])
def test_a_whole_folder_is_missed_everywhere(made: Book, folder: str) -> None:
    shutil.rmtree(made.at(folder))
    for command, paths in told(made):
        assert any((path or "").startswith(folder) for path in paths), command
        assert any("备份" in fix for fix in paths.values()), command


def test_a_lost_contract_that_was_moved_is_named_with_its_place(made: Book) -> None:
    path = layout.contract(1, 2)
    made.at("旧的").mkdir()
    os.rename(made.at(path), made.at("旧的/chapter-002.json"))
    for command, paths in told(made):
        fix = paths[path]
        assert "旧的/chapter-002.json" in fix and fix.index("备份") < fix.index("移回"), command


def test_next_costs_a_long_book_no_more_than_a_short_one(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """No early file is opened; no folder of landed files is listed until one looks unlike before."""
    seen: list[str] = []

    def noted(really: Any) -> Any:
        def call(path: Any, *rest: Any, **more: Any) -> Any:
            seen.append(str(path))
            return really(path, *rest, **more)

        return call

    for name in ("open", "listdir"):
        monkeypatch.setattr(os, name, noted(getattr(os, name)))
    made.ok("next")
    assert [p for p in seen if "chapter-00" in p and int(p.split("chapter-00")[1][0]) < 5] == []
    assert str(made.at("evaluations")) not in seen and str(made.at("volumes/vol-01")) not in seen
    made.drop(layout.evaluation(1))
    made.ok("next")
    assert str(made.at("evaluations")) in seen


def test_a_hand_out_does_not_hide_what_is_lost(made: Book) -> None:
    made.drop(layout.evaluation(1))
    made.ok("instructions", made.step("draft"), "--write-manifest")
    assert [list(paths) for _, paths in told(made)] == [[layout.evaluation(1)]] * 3


EMPTIED = [*LEFT[:-1], layout.crossref(7), layout.contract(2, 6)]


@pytest.mark.parametrize("path", EMPTIED)
@pytest.mark.parametrize("remembered", [True, False])
def test_a_file_of_no_bytes_is_told_everywhere(made: Book, path: str, remembered: bool) -> None:
    made.at(path).write_bytes(b"")
    if not remembered:
        made.drop(layout.LANDED_FOLDERS)
    for command, paths in told(made):
        assert path in paths and "备份" in paths[path], command
        assert paths.keys() <= {path}, command


def test_a_lost_text_is_taken_from_its_copy_before_anything_is_written_anew(made: Book) -> None:
    path, base = layout.chapter(8), layout.attempts(8)
    kept = next(f"{base}/{each}/chapter-008.md" for each in made.names(base) if each.endswith("-landed"))
    before = made.at(path).read_bytes()
    made.drop(path)
    for command, paths in told(made):
        assert kept in paths[path] and "rollback" not in paths[path], command
    assert made.at(kept).read_bytes() == before


def test_a_lost_text_without_a_copy_leads_back(made: Book) -> None:
    made.drop(layout.chapter(1))
    for command, paths in told(made):
        assert "novel rollback 0" in paths[layout.chapter(1)], command


def test_the_living_memory_of_another_storyline_is_never_the_lost_one(made: Book) -> None:
    lost, other = (layout.memory(line) for line in bookparts.LINES[:2])
    made.write(other, "另一条线记着的事。\n")
    made.drop(lost)
    for command, paths in told(made):
        assert other not in paths[lost], command
