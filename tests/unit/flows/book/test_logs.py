"""The change log's lines that everyday commands look for, by its end alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book as MadeBook
from builders import book
from builders import fast_disk as fast_disk

from novel_hooks import errors, layout
from novel_hooks.flows.book import logs
from novel_hooks.flows.book.book import Book
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats.text import MOST_LEVELS

if TYPE_CHECKING:
    from pathlib import Path


def reading(made: MadeBook) -> Book:
    return Book(Project(str(made.root)))


def _log_line(entry: dict[str, Any]) -> str:
    return json.dumps(entry, ensure_ascii=False)


def test_a_lines_last_chapter_by_the_end_of_the_log(tmp_path: Path) -> None:
    made = book(tmp_path, 4)
    old = {"chapter": 1, "storyline_id": "old-line"}
    filler = [{"chapter": n, "storyline_id": "river-line", "ops": ["水" * 300]} for n in range(2, 200)]
    broken = ['{"chapter": 3, "storyline_id": "old-line"', '["old-line"]', '"old-line"']
    lines = [
        *map(_log_line, [old, *filler]),
        *broken,
        _log_line({"chapter": 9, "storyline_id": "x", "ops": ["old-line"]}),
    ]
    made.write(layout.CHANGELOG, "\n".join(lines) + "\n")
    assert made.at(layout.CHANGELOG).stat().st_size > logs._TAIL
    found = reading(made)
    assert logs.last_chapter(found, "old-line", 300) == 1
    assert logs.last_chapter(found, "old-line", 1) is None
    assert logs.last_chapter(found, "river-line", 50) == 49
    assert logs.last_chapter(found, "new-line", 300) is None
    made.drop(layout.CHANGELOG)
    assert logs.last_chapter(reading(made), "river-line", 5) is None


def test_no_more_of_the_log_is_read_in_a_longer_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = book(tmp_path, 4)
    filler = [{"chapter": n, "storyline_id": "river-line", "ops": ["水" * 3000]} for n in range(2, 1000)]
    made.write(layout.CHANGELOG, "".join(f"{_log_line(one)}\n" for one in filler))
    monkeypatch.setattr(logs, "_FAR", 1 << 19)
    sizes: list[int] = []
    tail = Project.tail
    monkeypatch.setattr(Project, "tail", lambda p, rel, size: (sizes.append(size), tail(p, rel, size))[1])
    assert logs.last_chapter(reading(made), "lost-line", 1000) is None
    assert sizes == [1 << 16, 1 << 19]


def test_raw_lines_are_parsed_with_the_blanks_around_them() -> None:
    raw = [b'\n\xef\xbb\xbf{"chapter": 1}\n', b' {"chapter": 2}\r\n', b'{"chapter": 3}\n\n']
    assert logs.parse_raw(raw[1:], [2, 3], layout.CHANGELOG) == [{"chapter": 2}, {"chapter": 3}]
    assert logs.parse_raw([raw[0].lstrip()], [1], layout.CHANGELOG) == [{"chapter": 1}]


@pytest.mark.parametrize("end", [b"\x0b", b"\x0c", b"\xa0", b"\xe3\x80\x80"])
def test_a_line_with_what_is_no_blank_of_json_is_refused(end: bytes) -> None:
    with pytest.raises((errors.LogLineBroken, errors.TextNotUtf8)):
        logs.parse_raw([b'{"chapter": 1}' + end + b"\n"], [1], layout.CHANGELOG)


@pytest.mark.parametrize(("levels", "good"), [(MOST_LEVELS, True), (MOST_LEVELS + 1, False)])
def test_a_line_nests_no_deeper_than_a_file(levels: int, good: bool) -> None:
    deep = b'{"a": ' + b"[" * (levels - 1) + b"]" * (levels - 1) + b"}"
    lines = [b'{"a": 1}', deep]
    if good:
        assert len(logs.parse_raw(lines, [1, 2], layout.CHANGELOG)) == 2
    else:
        with pytest.raises(errors.LogLineBroken):
            logs.parse_raw(lines, [1, 2], layout.CHANGELOG)
