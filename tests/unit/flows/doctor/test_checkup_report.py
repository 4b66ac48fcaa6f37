"""`novel doctor --bundle`: a report without a word of the book; the command as a process."""

from __future__ import annotations

import json
import os
import re
import time
from typing import TYPE_CHECKING

import pytest
from builders import Book, book, process
from builders import fast_disk as fast_disk

from novel_hooks import errors, layout
from novel_hooks.flows.doctor import checkup
from novel_hooks.store.formats import jsonio
from unit.flows.doctor.checked_book import doctor
from unit.flows.doctor.checked_book import made as made

if TYPE_CHECKING:
    from pathlib import Path


def words_of(made: Book) -> set[str]:
    """Every run of two Han characters or more, and every slug, in the book's own files."""
    found: set[str] = set()
    for place in made.root.rglob("*"):
        if place.is_file() and not str(place).endswith(".lock"):
            found |= set(re.findall(r"[\u4e00-\u9fff]{2,}", place.read_text("utf-8", "replace")))
    return found


def test_the_report_has_nothing_of_the_author(made: Book, tmp_path: Path) -> None:
    made.write("research/主角的秘密.md", "# 主角的秘密\n")
    made.write(layout.STATE, {**made.json(layout.STATE), "world_state": {"暗号": "灯灭三次"}})
    audit = {"ts": "2026-01-01T00:00:00Z", "event": "PreToolUse", "tool_name": "Write", "decision": "deny"}
    audit.update(rule="outside", reason="想写主角的秘密", agent_type="novel:chapter-writer", session_id="s-1")
    audit["path"] = "research/主角的秘密.md"
    made.write(layout.AUDIT, jsonio.dump_line(audit))
    made.point(error={"reason": "主角的秘密"}, 备注="沈渡")
    place = tmp_path / "report.json"
    exit, found = doctor(made, "--bundle", str(place))
    text = place.read_text("utf-8")
    report = json.loads(text)
    assert exit == 5 and {f["code"] for f in report["findings"]} == set(found)
    assert not re.search(r"[\u4e00-\u9fff]", text)
    assert len(words_of(made)) > 20
    for secret in ("shen-du", "qiao-jiu", "bell-rope", "tower-line", "s-1", str(tmp_path), os.sep + "root"):
        assert secret not in text, secret
    assert report["checkpoint"]["last_completed_chapter"] == 3
    assert report["changelog"]["lines"] == 3
    assert report["audit"][0]["agent"] == "chapter-writer"
    sizes = {entry["path"]: entry.get("size") for entry in report["files"]}
    assert sizes[layout.chapter(2)] == made.at(layout.chapter(2)).stat().st_size


def test_the_report_of_a_wreck(made: Book, tmp_path: Path) -> None:
    for path in (layout.CHECKPOINT, layout.STATE, layout.CHANGELOG):
        made.write(path, b"{")
    place = tmp_path / "report.json"
    assert doctor(made, "--bundle", str(place))[0] == 5
    report = json.loads(place.read_text("utf-8"))
    assert report["state"] == {"unreadable": ["OWN_FILE_BROKEN"]}


def test_the_report_is_never_written_over_a_file(made: Book, tmp_path: Path) -> None:
    place = tmp_path / "report.json"
    place.write_text("mine")
    found = made.novel("doctor", "--bundle", str(place))
    assert (found.exit, found.diagnostics[0].code) == (3, "BUNDLE_EXISTS")
    assert place.read_text() == "mine"
    nowhere = made.novel("doctor", "--bundle", str(tmp_path / "no" / "report.json"))
    assert nowhere.diagnostics[0].code == "WRITE_FAILED"


# --- as a process ----------------------------------------------------------------------------


def test_the_command_itself(made: Book) -> None:
    done = process("doctor", "--json", cwd=made.root)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["data"]["sound"] is True


@pytest.mark.slow
def test_two_thousand_chapters_in_five_seconds_of_work(tmp_path: Path) -> None:
    """Counted in processor time of this process, which other work on the machine does not lengthen."""
    long = book(tmp_path, chapters=2000, volume_size=50)
    begun = time.process_time()
    assert long.novel("doctor").exit == 0
    assert time.process_time() - begun < 5


def test_checkups_exit_is_that_of_the_gravest() -> None:
    info, warning = errors.LockHeld(None, reason=""), errors.FolderMissing("x")
    assert checkup.Checkup((), (info,)).exit == 0
    assert checkup.Checkup((), (info, warning)).exit == 1
    assert checkup.Checkup((), (warning, errors.StateDiffers("x", detail=""))).exit == 5
