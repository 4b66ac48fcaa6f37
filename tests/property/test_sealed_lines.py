"""A file of sealed lines that was cut, or of which a byte is another, is not read at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from hypothesis import given
from hypothesis import strategies as st

from novel_hooks import layout
from novel_hooks.store.fence import fence, seal
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HEAD = "novel-things 1"
LINES = st.lists(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=12))


@given(LINES)
def test_there_and_back(lines: list[str]) -> None:
    assert seal.parse_lines(seal.sealed_lines(HEAD, lines), HEAD) == lines


def test_an_empty_file_whose_line_end_is_cut_off_is_not_whole() -> None:
    whole = seal.sealed_lines(HEAD, [])
    assert seal.parse_lines(whole, HEAD) == []
    assert seal.parse_lines(whole[:-1], HEAD) is None


@given(LINES, st.data())
def test_what_is_not_whole_is_not_read(lines: list[str], data: st.DataObject) -> None:
    whole = seal.sealed_lines(HEAD, lines)
    at = data.draw(st.integers(0, len(whole) - 1))
    assert seal.parse_lines(whole[:at], HEAD) is None
    assert seal.parse_lines(whole[at + 1 :], HEAD) is None
    assert (
        seal.parse_lines(
            whole[:at] + bytes([whole[at] ^ data.draw(st.integers(1, 255))]) + whole[at + 1 :], HEAD
        )
        is None
    )
    assert seal.parse_lines(whole + data.draw(st.binary(min_size=1, max_size=3)), HEAD) is None
    assert seal.parse_lines(whole, "novel-things 2") is None


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """A book whose draft is handed out and written."""
    made = book(tmp_path_factory.mktemp("out"), chapters=2)
    made.ok("lock", "acquire")
    made.ok("instructions", made.step("draft"), "--write-manifest")
    made.draft()
    return made


READERS: dict[str, Callable[[Project], object]] = {
    layout.FENCE: fence.read,
    layout.FENCE_NEAR: lambda project: fence.near_unchanged(project) or None,
}


@pytest.mark.parametrize("path", READERS)
def test_every_length_of_cut_and_every_changed_byte(out: Book, path: str) -> None:
    place, read = out.at(path), READERS[path]
    whole = place.read_bytes()
    project = Project(str(out.root))
    assert read(project) is not None
    try:
        for spoilt in _spoilt(whole):
            place.write_bytes(spoilt)
            assert read(project) is None, spoilt
    finally:
        place.write_bytes(whole)


def _spoilt(whole: bytes) -> list[bytes]:
    """Cut everywhere in the head, then at and beside each line end; a byte changed in each line."""
    ends = [at for at, byte in enumerate(whole) if byte == 10]
    cuts = {*range(ends[0]), *(at + off for at in ends for off in (-1, 0, 1))} - {len(whole)}
    changed = [whole[: at - 1] + b"?" + whole[at:] for at in ends]
    old = whole.replace(b" 2 ", b" 1\n", 1).partition(b"\n")
    layout_before = old[0] + b"\n" + old[2].partition(b"\n")[2]
    return [*(whole[:cut] for cut in sorted(cuts)), *changed, whole.replace(b"\n", b"\r\n"), layout_before]


@pytest.mark.parametrize("path", [layout.FENCE, layout.FENCE_NEAR, layout.CHECKPOINT_SEAL])
@pytest.mark.parametrize("keep", [0.0, 0.3, 0.5, 0.9])
def test_a_cut_file_calls_no_file_of_the_book_new(out: Book, path: str, keep: float, tmp_path: Path) -> None:
    """Lost is told as lost, with the author's word as the way on; no file that nobody touched is named."""
    from copying import copied

    made = copied(out, tmp_path / "cut")
    whole = made.at(path).read_bytes()
    made.at(path).write_bytes(whole[: int(len(whole) * keep)])
    found = made.novel("advance", made.step("draft"))
    if path == layout.FENCE_NEAR:
        assert found.exit == 0
        return
    assert [(d.code, d.path) for d in found.diagnostics] == [("FENCE_LOST", path)]
    assert "novel accept-changes" in found.diagnostics[0].fix
    made.ok("accept-changes")
    made.ok("advance", made.step("draft"))
    assert made.ok("doctor")


def test_a_lost_fence_stays_lost_when_novel_itself_writes(out: Book, tmp_path: Path) -> None:
    """The file's new mark alone would make strangers of all others."""
    from copying import copied

    made = copied(out, tmp_path / "lost")
    made.at(layout.FENCE).write_bytes(b"")
    made.ok("config", "gate.pass", "4.2")
    found = made.novel("advance", made.step("draft"))
    assert [(d.code, d.path) for d in found.diagnostics] == [("FENCE_LOST", layout.FENCE)]


def test_a_seal_of_the_old_layout_is_read_as_it_is(out: Book, tmp_path: Path) -> None:
    from copying import copied

    made = copied(out, tmp_path / "old")
    told = fence.digest(Project(str(made.root)), layout.CHECKPOINT)
    made.at(layout.CHECKPOINT_SEAL).write_text(told + "\n", "ascii")
    assert made.advance("draft")["changed"]
