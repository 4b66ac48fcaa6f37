"""What lands or changes a plan, killed before any of its file operations, then said again: all, or none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import OWNER, Book, book
from builders import fast_disk as fast_disk
from copying import copied
from crash import killpoints
from planbook import staged_book

from novel_hooks import layout
from novel_hooks.cli.call import call

if TYPE_CHECKING:
    from pathlib import Path


def _setup(place: Path) -> Book:
    made = staged_book(place / "book", "volumes", layout.STORYLINES)
    made.write(layout.BRIEF, "# 立意\n\n作者自己改过的一稿。\n")
    card = layout.staged(layout.character_card("xu-er"))
    made.write(card, {**made.json(card), "knows": ["糖人是半个"]})
    made.ok("instructions", "setup:world")
    return made


def _volume(place: Path) -> Book:
    made = _setup(place)
    made.ok("commit", "--setup")
    made.ok("advance", "volume:01:outline")
    made.ok("advance", "volume:01:validate")
    return made


def _written(place: Path, **point: Any) -> Book:
    """Six chapters landed of six, a review of the author's own, the setting changed since it was noted."""
    made = book(place, 6, 6)
    made.ok("changed", "--note")
    made.write(layout.volume_review(1), "下一卷要慢。\n")
    made.write(layout.character_profile("qiao-jiu"), "# 乔九\n\n在塔上长大。\n")
    made.point(**{"orchestrator_state": "VOL_REVIEW", "current_volume": 1, **point})
    return made


def _unfinished(place: Path) -> Book:
    made = book(place, 3, 6)
    made.ok("changed", "--note")
    made.write(layout.character_profile("qiao-jiu"), "# 乔九\n\n在塔上长大。\n")
    return made


def _noted(place: Path) -> Book:
    made = _unfinished(place)
    made.ok("changed", "--note")
    return made


def _half_replanned(place: Path) -> Book:
    """Planned anew, and half of it in staging."""
    made = _unfinished(place)
    made.ok("replan", "--yes")
    for path in (layout.schedule(1), layout.contract(1, 5)):
        made.write(layout.staged(path), made.at(path).read_bytes())
    return made


def _retired(place: Path) -> Book:
    made = _unfinished(place)
    made.ok("retire", "bai-sui", "--yes")
    made.write(layout.character_card("bai-sui"), {"display_name": "另一个人"})
    return made


def _needed(place: Path) -> Book:
    """A thread, a storyline and a chapter to come need her."""
    made = _unfinished(place)
    thread = {"id": "ring", "description": "白穗的戒指", "scope": "long", "status": "planted"}
    told = made.json(layout.FORESHADOWING)
    made.write(layout.FORESHADOWING, {**told, "foreshadowing": [*told["foreshadowing"], thread]})
    lines, contract = made.json(layout.STORYLINES), made.json(layout.contract(1, 5))
    lines["storylines"][0]["pov_characters"] = ["白穗"]
    contract["objectives"][0]["target"] = "白穗"
    made.write(layout.STORYLINES, lines)
    made.write(layout.contract(1, 5), contract)
    return made


def _settled(place: Path) -> Book:
    made = _needed(place)
    made.ok("retire", "白穗", "--settle", "--yes")
    return made


def _named(place: Path) -> Book:
    """A landed chapter names him, and another was edited by hand."""
    made = _unfinished(place)
    made.write(layout.chapter(2), "# 第 2 章\n\n乔九上了船。\n")
    return made


def _renamed(place: Path) -> Book:
    made = _named(place)
    made.ok("rename", "乔九", "乔久安", "--text", "--yes")
    return made


CASES = {
    "setup": (_setup, ("commit", "--setup")),
    "volume": (_volume, ("commit", "--volume", "1")),
    "review": (_written, ("advance", "volume:01:review")),
    "changed": (_unfinished, ("changed", "--note")),
    "dealt-with": (_noted, ("changed", "--done", "all")),
    "replan": (_unfinished, ("replan", "--yes")),
    "as-before": (_half_replanned, ("replan", "--cancel")),
    "retire": (_unfinished, ("retire", "bai-sui", "--yes")),
    "settle": (_needed, ("retire", "白穗", "--settle", "--yes")),
    "settled-back": (_settled, ("restore", "1", "--yes")),
    "rename": (_named, ("rename", "乔九", "乔久安", "--text", "--alias", "--yes")),
    "rename-back": (_renamed, ("restore", "1", "--yes")),
    "back": (_retired, ("restore", "1", "--yes")),
}


@killpoints.shares(3)
@pytest.mark.parametrize("name", CASES)
def test_killed_anywhere_and_said_again(
    name: str, share: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killpoints.still(monkeypatch)
    build, argv = CASES[name]
    run = killpoints.Run(build(tmp_path), tmp_path, lambda made: made.ok(*argv))
    assert run.old != run.new
    assert list(run.said_again(share))


@killpoints.shares(3)
def test_a_new_project_killed_anywhere(
    share: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Said again it stands; what the author had in the folder is as it was."""
    killpoints.still(monkeypatch)
    start = Book(tmp_path / "start", 1)
    start.write(layout.BRIEF, "# 立意\n\n我自己写的。\n")
    through = copied(start, tmp_path / "through")
    points = killpoints.trace(lambda: _begin(through))
    through.ok("config", "title", "长夜")
    assert through.at(layout.BRIEF).read_text("utf-8").endswith("我自己写的。\n")
    for number in killpoints.spread(points, share):
        made = copied(start, tmp_path / f"killed-{number}")
        assert killpoints.killed_at(number, lambda made=made: _begin(made)) == killpoints.KILLED
        _begin(made)
        made.ok("config", "title", "长夜")  # whatever writes next sweeps what is left
        assert killpoints.tree(made) == killpoints.tree(through), number


def _begin(made: Book) -> object:
    return call("init", [str(made.root), "--title", "长夜"], {"NOVEL_OWNER": OWNER, "NOVEL_DEBUG": "1"})
