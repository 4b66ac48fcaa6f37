"""Files and folders outside the book: whole or as they were."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

import pytest

from novel_hooks import errors
from novel_hooks.store.files import handover


def test_a_file_with_the_folders_above_it(tmp_path: Path) -> None:
    place = tmp_path / "一" / "二" / "书.txt"
    assert handover.write_file(str(place), b"a")
    assert not handover.write_file(str(place), b"a")
    assert handover.write_file(str(place), b"b")
    assert os.listdir(place.parent) == ["书.txt"]
    assert place.read_bytes() == b"b"


def test_a_folder_is_replaced_whole(tmp_path: Path) -> None:
    place = tmp_path / "分章"
    assert handover.write_folder(str(place), {"001.txt": b"a", "002.txt": b"b"})
    assert not handover.write_folder(str(place), {"001.txt": b"a", "002.txt": b"b"})
    assert handover.write_folder(str(place), {"001.txt": b"c"})
    assert handover.folder_files(str(place)) == {"001.txt": b"c"}
    assert os.listdir(tmp_path) == ["分章"]


def test_leftovers_of_killed_commands_go(tmp_path: Path) -> None:
    (tmp_path / ".novel-tmp-999999999-0123456789ab").mkdir()
    (tmp_path / ".novel-tmp-999999999-0123456789ac").write_bytes(b"x")
    mine = tmp_path / f".novel-tmp-{os.getpid()}-0123456789ab"
    mine.write_bytes(b"x")
    handover.write_file(str(tmp_path / "书.txt"), b"a")
    assert sorted(os.listdir(tmp_path)) == sorted([mine.name, "书.txt"])


def test_a_failed_folder_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "分章"
    handover.write_folder(str(place), {"001.txt": b"a"})

    def full(*_: object) -> None:
        raise errors.WriteFailed("002.txt", reason="磁盘空间不够")

    monkeypatch.setattr(handover.atomic, "sync_folder", full)
    with pytest.raises(errors.WriteFailed):
        handover.write_folder(str(place), {"002.txt": b"b"})
    assert handover.folder_files(str(place)) == {"001.txt": b"a"}
    assert os.listdir(tmp_path) == ["分章"]


def test_a_folder_with_more_than_files_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "分章" / "里").mkdir(parents=True)
    assert handover.folder_files(str(tmp_path / "分章")) is None
    assert handover.folder_files(str(tmp_path / "没有")) is None


@pytest.mark.parametrize("links", [True, False])
def test_a_new_file_and_never_over_another(
    tmp_path: Path, links: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk without links, such as a stick, takes a rename."""

    def none(*_: object) -> None:
        raise PermissionError

    def whole(file: BinaryIO) -> None:
        file.write(b"whole")

    if not links:
        monkeypatch.setattr(os, "link", none)
    place = tmp_path / "书.zip"
    handover.write_new(str(place), whole)
    assert (os.listdir(tmp_path), place.read_bytes()) == (["书.zip"], b"whole")
    with pytest.raises(errors.PlaceTaken) as refused:
        handover.write_new(str(place), lambda _file: None)
    assert refused.value.values["place"] == str(place)
    assert (os.listdir(tmp_path), place.read_bytes()) == (["书.zip"], b"whole")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (OSError(28, "No space left on device"), errors.WriteFailed),
        (errors.CommandBusy(), errors.CommandBusy),
    ],
)
def test_of_a_new_file_that_cannot_be_filled_nothing_is_left(
    tmp_path: Path, wrong: Exception, told: type[Exception]
) -> None:
    def fill(file: BinaryIO) -> None:
        file.write(b"half")
        raise wrong

    with pytest.raises(told) as refused:
        handover.write_new(str(tmp_path / "书.zip"), fill)
    assert os.listdir(tmp_path) == []
    assert isinstance(refused.value, errors.CommandBusy) or refused.value.values["reason"]
