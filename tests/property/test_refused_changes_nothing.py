"""A refused command changes nothing, byte for byte: every writing command, before every broken file.

A command is refused when its exit is not 0. The locks' own files are left out; who holds the book is not.
"""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from bookscenes import ANYWHERE, APART, LOOKS, SCENES
from builders import Book, make_verdict
from builders import fast_disk as fast_disk
from conftest import examples
from copying import copy_tree
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from novel_hooks import layout
from novel_hooks.cli.call import COMMANDS, call
from novel_hooks.flows.pipeline import answer as note

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BROKEN: dict[str, Callable[[bytes], bytes | None]] = {
    "half": lambda data: data[: len(data) // 2],
    "empty": lambda data: b"",
    "not text": lambda data: b"\xff\xfe\x00\x81" + data,
    "other words": lambda data: data + "\ngate：4\n".encode(),
    "other kind": lambda data: b"[1, 2]\n",
    "no values": lambda data: b"{}\n",
    "other sort": lambda data: None,
}
"""How a file is broken; None: a folder stands in its place, or a file in a folder's."""


class Stage:
    """A book that is put back after each try."""

    def __init__(self, place: Path, name: str) -> None:
        self.scene = SCENES[name]
        self.sound = self.scene.build(place / "sound")
        self.root = place / "try"
        self.notes = place / "notes.md"
        self.notes.write_text("塔里的钟少敲一下。\n", "utf-8")
        (place / "backups").mkdir()
        self.words = self.sound.words(make_verdict())
        self.paths = sorted(path for path in self.sound.tree() if not path.startswith(layout.OWN))

    def fresh(self) -> Book:
        shutil.rmtree(self.root, ignore_errors=True)
        copy_tree(str(self.sound.root), str(self.root))
        return Book(self.root, self.sound.chapter)

    def said(self, argv: tuple[str, ...]) -> list[str]:
        """The command with the test's own places for `words`, `notes`, `out` and `backups`."""
        beside = self.notes.parent
        own = {"words": self.words, "notes": str(self.notes), "out": str(beside / "out.txt")}
        own["backups"] = str(beside / "backups")
        return [own.get(word, word) for word in argv]

    def breach(self, made: Book, argv: tuple[str, ...]) -> Any:
        """What a refused command changed; None when it was carried out, or changed nothing."""
        before, held = made.tree(), _held(made)
        found = made.novel(*self.said(argv))
        changed = made.changed(before)
        if found.exit == 0 and argv not in LOOKS:
            return None
        if held != _held(made):
            changed["lock"] = (held, _held(made))
        if argv[0] == "judge":  # the words of a judge are kept, whatever becomes of them
            changed = {path: how for path, how in changed.items() if not path.startswith(layout.JUDGE)}
        first = found.diagnostics[0].code if found.diagnostics else None
        return (argv, found.exit, first, changed) if changed else None


def _held(made: Book) -> str | None:
    try:
        return str(made.held())
    except (OSError, ValueError):
        return "unreadable"


def spoil(made: Book, path: str, how: str) -> None:
    """Break a file or a folder of the book."""
    place = made.at(path)
    data = None if place.is_dir() else BROKEN[how](place.read_bytes())
    if data is not None:
        place.write_bytes(data)
    elif place.is_dir():
        shutil.rmtree(place)
        place.write_bytes(b"")
    else:
        place.unlink()
        place.mkdir()


def test_every_command_is_tried() -> None:
    tried = {argv[0] for scene in SCENES.values() for argv in scene.commands}
    assert tried | {*APART} == {*COMMANDS}


WRITES = (
    "lived",
    "accepted",
    "spoilt delta",
    "judged words",
    "sync records",
    "sync judged",
    "setup ready",
    "validated",
)
"""Scenes made for commands that are refused elsewhere before they come to write."""


@pytest.mark.parametrize("name", WRITES)
def test_a_command_comes_to_its_writing_where_nothing_is_broken(name: str, tmp_path: Path) -> None:
    """Else its refusals, whatever is broken, would prove nothing."""
    stage = Stage(tmp_path, name)
    for argv in stage.scene.commands:
        made = stage.fresh()
        before = made.tree()
        made.ok(*stage.said(argv))
        assert made.changed(before), argv


def test_a_command_that_writes_before_it_looks_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bite of the property: `note` broken so that it writes, and then reads the chapter."""
    stage, argv = Stage(tmp_path, "idle"), ("note", "3", "写得短些")
    made = stage.fresh()
    spoil(made, layout.chapter(3), "other sort")
    assert stage.breach(made, argv) is None
    looks = note.comments

    def written_first(*asked: Any) -> Any:
        made.write(layout.DECISIONS, {})
        return looks(*asked)

    monkeypatch.setattr(note, "comments", written_first)
    assert stage.breach(made, argv) is not None


@pytest.mark.hypothesis
@pytest.mark.parametrize("name", SCENES)
def test_any_command_before_any_broken_file(name: str, tmp_path: Path) -> None:
    stage = Stage(tmp_path, name)
    tries = st.tuples(
        st.sampled_from(stage.paths), st.sampled_from(sorted(BROKEN)), st.sampled_from(stage.scene.commands)
    )

    @settings(max_examples=examples(20), suppress_health_check=list(HealthCheck))
    @given(tries)
    def hold(tried: tuple[str, str, tuple[str, ...]]) -> None:
        path, how, argv = tried
        made = stage.fresh()
        spoil(made, path, how)
        assert stage.breach(made, argv) is None

    hold()


@pytest.mark.parametrize("how", ["other words", "half", "other sort"])
def test_no_chapter_begins_in_a_book_with_broken_settings(how: str, tmp_path: Path) -> None:
    """`lock acquire` began one, and then read the settings: nothing but going back could free the book."""
    stage = Stage(tmp_path, "idle")
    for argv in ANYWHERE[:2]:
        made = stage.fresh()
        spoil(made, layout.CONFIG, how)
        assert made.novel(*argv).exit == 3
        assert stage.breach(made, argv) is None
        assert made.held() is None


def test_a_note_is_not_kept_and_then_refused(tmp_path: Path) -> None:
    """Its answer shows the comments of the chapter's text: they are read before the note is kept."""
    stage = Stage(tmp_path, "idle")
    for path, how, number in (("chapters", "other sort", "5"), (layout.chapter(3), "other sort", "3")):
        made = stage.fresh()
        spoil(made, path, how)
        assert made.novel("note", number, "写得短些").exit == 3
        assert stage.breach(made, ("note", number, "写得短些")) is None
        assert not made.at(layout.DECISIONS).exists()


def test_a_name_is_not_listed_again_and_then_refused(tmp_path: Path) -> None:
    """Its answer lists the names, for which every card is read."""
    stage = Stage(tmp_path, "idle")
    made = stage.sound
    who = {"chapter": 2, "mention": "独眼渔夫", "context": "在岸上", "suggested_type": "character"}
    made.write(layout.UNKNOWN_ENTITIES, json.dumps({"ts": "2026-01-01T00:00:00Z", **who}) + "\n")
    made.ok("entities", "--ignore", "独眼渔夫")
    made = stage.fresh()
    spoil(made, layout.character_card("shen-du"), "half")
    assert made.novel("entities", "--list-again", "独眼渔夫").exit == 3
    assert stage.breach(made, ("entities", "--list-again", "独眼渔夫")) is None
    assert "独眼渔夫" in made.at(layout.IGNORED_NAMES).read_text("utf-8")


def test_no_command_is_tried_in_words_that_novel_does_not_know(tmp_path: Path) -> None:
    """Such a command is refused before it looks at the book: it would prove nothing."""
    for name, *rest in sorted({argv for scene in SCENES.values() for argv in scene.commands}):
        found = call(name, [*rest, "--project", str(tmp_path)], {})
        assert "CLI_USAGE" not in [one.code for one in found.diagnostics], (name, rest)


def test_a_refused_command_leaves_a_dead_sessions_lock(tmp_path: Path) -> None:
    """Its break points are those of the run that goes on once the settings are mended."""
    stage = Stage(tmp_path, "drafted")
    made = stage.fresh()
    info = made.json(layout.LOCK_INFO)
    gone = {"owner": "gone", "stop_after": ["draft"], "pid": None, "pid_started": None}
    dates = {"started": "2020-01-01T00:00:00Z", "renewed": "2020-01-01T00:00:00Z"}
    made.write(layout.LOCK_INFO, {**info, **gone, **dates})
    spoil(made, layout.CONFIG, "other words")
    before = made.at(layout.LOCK_INFO).read_bytes()
    for argv in (("lock", "acquire"), ("advance", "chapter:004:draft"), ("commit", "--chapter", "4")):
        assert made.novel(*argv).exit == 3
        assert made.at(layout.LOCK_INFO).read_bytes() == before


def test_no_folder_of_staging_is_made_in_vain(tmp_path: Path) -> None:
    stage = Stage(tmp_path, "planned")
    made = stage.fresh()
    last = made.at(layout.STAGING_DIRS[-1])
    shutil.rmtree(made.at(layout.STAGING), ignore_errors=True)
    made.write(layout.STAGING_DIRS[-1], "这里本该是文件夹")
    assert last.is_file()
    assert stage.breach(made, ("lock", "acquire")) is None
