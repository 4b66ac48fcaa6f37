"""The audit log: one whole line a decision, in a file of its own, or an error."""

from __future__ import annotations

import json
import os
import re
import stat
import time
from pathlib import Path

import pytest
from guarding import audit_lines, make_project

from novel_hooks.hook.guard import audit

FIELDS: dict[str, str | None] = {"rule": "staging", "path": "章/x.md", "agent_id": None}


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return make_project(tmp_path / "book")


def log(book: Path) -> Path:
    return book / "logs" / "audit.jsonl"


def test_a_line_has_the_fields_and_the_moment_in_utc(book: Path) -> None:
    before = time.time() - 0.1  # seconds without a fraction come from a coarser clock
    audit.write_line(str(book), FIELDS)
    (line,) = audit_lines(book)
    moment = line.pop("ts")
    assert line == FIELDS
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", moment)
    written = (
        time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(before)),
        time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time())),
    )
    assert written[0] <= moment <= written[1]


def test_lines_are_compact_sorted_by_key_and_added_at_the_end(book: Path) -> None:
    log(book).parent.mkdir()
    log(book).write_bytes(b'{"old":1}\n')
    for rule in ("one", "two"):
        audit.write_line(str(book), {"z": None, "rule": rule})
    lines = log(book).read_text("utf-8").split("\n")
    assert lines[0] == '{"old":1}' and lines[3:] == [""]
    assert [re.sub(r'"ts":"[^"]+"', '"ts":0', line) for line in lines[1:3]] == [
        '{"rule":"one","ts":0,"z":null}',
        '{"rule":"two","ts":0,"z":null}',
    ]


def test_a_long_field_is_cut_and_a_half_character_replaced(book: Path) -> None:
    audit.write_line(str(book), {"path": "河" * 1001, "reason": "x" * 1000, "tool_name": "a\ud800"})
    (line,) = audit_lines(book)
    assert (line["path"], line["reason"], line["tool_name"]) == ("河" * 1000, "x" * 1000, "a?")


def test_a_new_log_is_as_open_as_the_umask_lets_it_be(book: Path) -> None:
    old = os.umask(0o027)
    try:
        audit.write_line(str(book), FIELDS)
    finally:
        os.umask(old)
    assert stat.S_IMODE(log(book).stat().st_mode) == 0o640


# what a power cut left ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "kept"),
    [
        (b"", b""),
        (b"\n", b"\n"),
        (b'{"a":1}\n', b'{"a":1}\n'),
        (b'{"a":1', b'{"a":1\n'),
        (b'{"a":1}\n{', b'{"a":1}\n{\n'),
        (b"x", b"x\n"),
    ],
)
def test_a_torn_line_is_ended_first(book: Path, before: bytes, kept: bytes) -> None:
    log(book).parent.mkdir()
    log(book).write_bytes(before)
    audit.write_line(str(book), FIELDS)
    data = log(book).read_bytes()
    assert data.startswith(kept + b"{") and data.endswith(b"}\n")
    assert json.loads(data[len(kept) :])["rule"] == "staging"


def test_another_guards_line_is_waited_for_and_not_taken_for_torn(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log(book).parent.mkdir()
    log(book).write_bytes(b'{"other"')
    waited: list[float] = []

    def sleep(seconds: float) -> None:
        waited.append(seconds)
        with open(log(book), "ab") as handle:
            handle.write(b":1}\n" if len(waited) == 1 else b"")

    monkeypatch.setattr(time, "sleep", sleep)
    audit.write_line(str(book), FIELDS)
    assert log(book).read_bytes().startswith(b'{"other":1}\n{"agent_id"')
    assert len(waited) == 1 and 0 < waited[0] < 1


def test_a_line_that_grows_and_is_not_ended_yet_is_left_to_its_guard(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log(book).parent.mkdir()
    log(book).write_bytes(b'{"other"')

    def sleep(seconds: float) -> None:
        with open(log(book), "ab") as handle:
            handle.write(b":1")

    monkeypatch.setattr(time, "sleep", sleep)
    audit.write_line(str(book), FIELDS)
    assert log(book).read_bytes().startswith(b'{"other":1{"agent_id"')


def test_a_whole_log_is_not_waited_for(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr(time, "sleep", waited.append)
    for _ in range(2):
        audit.write_line(str(book), FIELDS)
    assert waited == []


# what is no log of its own ------------------------------------------------------------------------------


def link(book: Path) -> None:
    (book / "aside").write_bytes(b"kept")
    log(book).symlink_to(book / "aside")


def link_to_nothing(book: Path) -> None:
    log(book).symlink_to(book / "aside")


def hard_link(book: Path) -> None:
    (book / "aside").write_bytes(b"kept")
    os.link(book / "aside", log(book))


def pipe(book: Path) -> None:
    os.mkfifo(log(book))


def folder(book: Path) -> None:
    log(book).mkdir()


@pytest.mark.parametrize("make", [link, link_to_nothing, hard_link, pipe, folder])
def test_a_log_that_is_no_file_of_its_own_is_an_error_and_not_touched(book: Path, make: object) -> None:
    log(book).parent.mkdir()
    assert callable(make)
    make(book)
    with pytest.raises(OSError):  # noqa: PT011  (each system has its own)
        audit.write_line(str(book), FIELDS)
    aside = book / "aside"
    assert not aside.exists() or aside.read_bytes() == b"kept"


def test_the_error_says_what_is_wrong(book: Path) -> None:
    log(book).parent.mkdir()
    hard_link(book)
    with pytest.raises(OSError, match=r"^the audit log is no file of its own$"):
        audit.write_line(str(book), FIELDS)


def test_where_the_system_cannot_refuse_links_the_guard_does(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log(book).parent.mkdir()
    link(book)
    monkeypatch.delattr(os, "O_NOFOLLOW", raising=False)
    with pytest.raises(OSError, match=r"^the audit log is a link$"):
        audit.write_line(str(book), FIELDS)
    log(book).unlink()
    audit.write_line(str(book), FIELDS)
    assert len(audit_lines(book)) == 1


def test_a_folder_that_is_a_link_or_a_file_is_an_error(book: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (book / "logs").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileExistsError):
        audit.write_line(str(book), FIELDS)
    assert os.listdir(tmp_path / "elsewhere") == []
    (book / "logs").unlink()
    (book / "logs").write_bytes(b"")
    with pytest.raises(FileExistsError):
        audit.write_line(str(book), FIELDS)


def test_a_line_that_was_cut_off_is_an_error(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, data[:-1]))
    with pytest.raises(OSError, match=r"^the audit line was cut off$"):
        audit.write_line(str(book), FIELDS)
