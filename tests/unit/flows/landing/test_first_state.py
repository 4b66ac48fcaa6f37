"""What the cards tell of people: begun at the setup or with a chapter, and one with the log ever after."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from rewriting import files, one_moment, unlike, write_chapter

from novel_hooks import layout

if TYPE_CHECKING:
    from pathlib import Path

OWED = {"what": "三十两", "to": "账房", "due": "腊月底"}


def tell(made: Book, slug: str, **more: Any) -> None:
    path = layout.character_card(slug)
    made.write(path, {**made.json(path), **more})


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Book:
    """A book before its first chapter, its setup landed by the command."""
    one_moment(monkeypatch)
    made = book(tmp_path, 0)
    shutil.rmtree(made.at("foreshadowing"))
    for path in (layout.CHANGELOG, layout.STATE):
        made.drop(path) if made.at(path).exists() else None
    tell(made, "he-tie", level="第二层", starting={"owes": [OWED], "items": ["船灯"], "location": "渡口"})
    made.point(orchestrator_state="QUICK_START", current_volume=0, last_completed_chapter=0)
    made.ok("commit", "--setup")
    made.point(orchestrator_state="WRITING", current_volume=1)
    return made


def people(made: Book) -> Any:
    return made.json(layout.STATE)["characters"]


def check_whole(made: Book) -> None:
    """The log alone makes the state, byte for byte."""
    before = made.at(layout.STATE).read_bytes()
    assert not [d for d in made.novel("doctor").diagnostics if d.path in (layout.STATE, layout.CHANGELOG)]
    assert made.ok("rebuild", "state")["changed"] is False
    assert made.at(layout.STATE).read_bytes() == before


def test_chapters_stand_on_the_setup_and_going_back_to_nothing_keeps_it(made: Book) -> None:
    check_whole(made)
    before = files(made)
    paid = {"op": "remove", "path": "characters.he-tie.owes", "value": "三十两"}
    write_chapter(made, paid)
    assert people(made)["he-tie"] == {
        "display_name": "何铁",
        "level": "第二层",
        "owes": [],
        "inventory": ["船灯"],
        "location": "渡口",
    }
    check_whole(made)
    write_chapter(made)
    after = files(made)
    made.ok("rollback", "0", "--yes")
    assert set(unlike(files(made), before)) <= {layout.CHECKPOINT}
    made.ok("restore", "1", "--yes")
    assert unlike(files(made), after) == []
    check_whole(made)


def test_the_setup_begins_what_starting_tells(made: Book) -> None:
    assert people(made)["he-tie"] == {
        "display_name": "何铁",
        "level": "第二层",
        "owes": [OWED],
        "inventory": ["船灯"],
        "location": "渡口",
    }
    assert made.lines(layout.CHANGELOG)[0]["chapter"] == 0


def test_a_card_that_tells_later_begins_with_the_next_chapter(made: Book) -> None:
    write_chapter(made)
    tell(made, "bai-sui", status="失踪", knows=["船底有字"])
    write_chapter(made)
    assert people(made)["bai-sui"] == {"display_name": "白穗", "status": "失踪", "knows": ["船底有字"]}
    check_whole(made)
    tell(made, "bai-sui", status="已死")
    write_chapter(made)
    assert people(made)["bai-sui"]["status"] == "失踪", "from then on the chapters tell"
    made.ok("rollback", "1", "--yes")
    assert "bai-sui" not in people(made)
    check_whole(made)


def test_a_chapter_recorded_anew_keeps_what_it_took_from_the_cards(made: Book) -> None:
    write_chapter(made)
    tell(made, "bai-sui", status="失踪")
    write_chapter(made)
    tell(made, "mo-lan", level="第一层")
    made.ok("sync", "2", "--yes")
    made.chapter = 2
    made.records(base_state_version=2)
    made.ok("advance", "sync:002:summarize")
    made.judge(4.5)
    made.ok("advance", "sync:002:judge")
    made.ok("commit", "--chapter", "2")
    assert people(made)["bai-sui"] == {"display_name": "白穗", "status": "失踪"}
    assert "mo-lan" not in people(made)
    check_whole(made)


def test_a_skipped_delta_begins_nobody_and_the_next_chapter_does(made: Book) -> None:
    tell(made, "bai-sui", status="失踪")
    made.stage("judged")
    made.draft()
    made.records()
    made.write(made.staged("delta"), {"chapter": 1, "skipped": True, "reason": "写坏了"})
    made.evaluation(4.5, second=4.5)
    made.ok("commit", "--chapter", "1")
    assert "bai-sui" not in people(made)
    made.chapter = 2
    write_chapter(made)
    assert people(made)["bai-sui"]["status"] == "失踪"
    assert made.ok("rebuild", "state")["changed"] is False


def test_a_book_of_old_goes_on_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No line of chapter 0, names without display names: versions and contents stay."""
    one_moment(monkeypatch)
    made = book(tmp_path, 1)
    lines = made.lines(layout.CHANGELOG)
    write_chapter(made, {"op": "set", "path": "items.old-lamp.owner", "value": "白穗"})
    assert made.lines(layout.CHANGELOG)[:1] == lines
    assert made.json(layout.STATE)["state_version"] == 2
    assert made.json(layout.STATE)["items"] == {"old-lamp": {"owner": "白穗"}}
