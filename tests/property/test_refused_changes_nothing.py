"""A refused command changes nothing, byte for byte: every writing command, before every broken file.

A command is refused when its exit is not 0. The locks' own files are left out; who holds the book is not.
"""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from builders import Book, book, bookparts, make_verdict
from builders import fast_disk as fast_disk
from conftest import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from planbook import staged_book

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


class Scene(NamedTuple):
    """A book at one point of its life, and the commands that somebody may say there."""

    build: Callable[[Path], Book]
    commands: tuple[tuple[str, ...], ...]


def _idle(place: Path) -> Book:
    return book(place, 3)


def _drafted(place: Path) -> Book:
    made = book(place, 3)
    made.ok("lock", "acquire")
    made.ok("instructions", "chapter:004:draft", "--write-manifest")
    made.draft()
    return made


def _summarized(place: Path) -> Book:
    made = _drafted(place)
    made.advance("draft")
    made.ok("instructions", "chapter:004:summarize")
    made.records()
    return made


def _refined(place: Path) -> Book:
    made = book(place, 3)
    made.until("refined")
    made.ok("instructions", "chapter:004:judge")
    return made


def _judged(place: Path) -> Book:
    made = book(place, 3)
    made.until("judged")
    return made


def _paused(place: Path) -> Book:
    made = book(place, 3)
    made.until("judged", 2.5)
    return made


def _failed(place: Path) -> Book:
    made = book(place, 3)
    made.ok("lock", "acquire")
    made.ok("fail", "chapter:004:draft", "--reason", "没写完")
    made.ok("fail", "chapter:004:draft", "--reason", "没写完")
    return made


def _edited(place: Path) -> Book:
    made = book(place, 3)
    text = made.at(layout.chapter(2))
    text.write_text(text.read_text("utf-8") + "\n后来添的一句。\n", "utf-8")
    return made


def _reopened(place: Path) -> Book:
    made = _edited(place)
    made.ok("sync", "2", "--yes")
    made.chapter = 2
    made.records(base_state_version=1)
    return made


def _went_back(place: Path) -> Book:
    made = book(place, 3)
    made.ok("rollback", "2", "--yes")
    return made


def _set_up(place: Path) -> Book:
    made = staged_book(place / "book", "volumes", layout.STORYLINES)
    choices = [{"label": "冷", "effect": "照旧"}, {"label": "热", "effect": "改两条"}]
    asked = {"id": "cold", "header": "冷热", "question": "桥上冷吗？", "why": "定季节。", "choices": choices}
    made.write(layout.questions("setup-world"), {"questions": [asked]})
    return made


def _planned(place: Path) -> Book:
    made = staged_book(place / "book", "volumes", layout.STORYLINES)
    made.ok("commit", "--setup")
    return made


def _lived(place: Path) -> Book:
    """A book with a note, an open thread, a change that waits, Codex's files, a wrong state and outline."""
    made = book(place, 3)
    who = {"chapter": 2, "mention": "石九", "context": "在岸上", "suggested_type": "character"}
    made.write(layout.UNKNOWN_ENTITIES, json.dumps({"ts": "2026-01-01T00:00:00Z", **who}) + "\n")
    made.write(f"{layout.RESEARCH}/盐路.md", "一页。\n")
    made.ok("note", "5", "写得短些")
    made.ok("host", "codex")
    made.ok("changed", "--note")
    made.write(layout.BRIEF, made.at(layout.BRIEF).read_text("utf-8") + "\n结局改了。\n")
    card = made.json(layout.character_card("shen-du"))
    made.write(layout.character_card("shen-du"), {**card, "aliases": ["渡哥"]})
    made.ok("changed", "--note")
    made.ok("instructions", "chapter:004:draft", "--write-manifest")
    made.drop(f"{layout.RESEARCH}/盐路.md")
    state = made.json(layout.STATE)
    state["characters"]["shen-du"]["location"] = "别处"
    made.write(layout.STATE, state)
    outline = made.at(layout.outline(1)).read_text("utf-8")
    made.write(layout.outline(1), outline.replace("### 第 6 章", "## 第六章"))
    return made


def _accepted(place: Path) -> Book:
    """A chapter that landed by commands, and was changed by hand."""
    made = book(place)
    made.until("judged")
    made.ok("commit", "--chapter", "2")
    text = made.at(layout.chapter(2))
    text.write_text(text.read_text("utf-8") + "\n后来添的一句。\n", "utf-8")
    made.ok("sync")
    return made


def _spoilt_delta(place: Path) -> Book:
    made = _summarized(place)
    made.write(made.staged("delta"), b'{"chapter": 4, "ops": [')
    return made


def _judged_words(place: Path) -> Book:
    made = _refined(place)
    made.judge(4.5)
    return made


def _reopened_records(place: Path) -> Book:
    made = _reopened(place)
    made.ok("advance", "sync:002:summarize")
    made.ok("judge", "record", *WORDS[:4], "--file", made.words(make_verdict()))
    return made


def _sync_judged(place: Path) -> Book:
    made = _reopened_records(place)
    made.ok("advance", "sync:002:judge")
    return made


def _setup_ready(place: Path) -> Book:
    made = staged_book(place / "book", "volumes", layout.STORYLINES)
    for phase in ("brief", "world", "characters", "style"):
        made.ok("advance", f"setup:{phase}")
    return made


def _validated(place: Path) -> Book:
    made = _planned(place)
    made.ok("advance", "volume:01:validate")
    return made


WORDS = ("--role", "primary", "--model", "sonnet", "--file", "words")
ANYWHERE = (
    ("lock", "acquire"),
    ("lock", "acquire", "--step", "draft"),
    ("lock", "release"),
    ("lock", "clear"),
    ("config", "通过线", "4.2"),
    ("config", "stop_after", "draft"),
    ("accept-changes",),
    ("replan", "--yes"),
    ("backup", "backups"),
    ("rename", "沈渡", "沈舟", "--yes"),
    ("retire", "mo-lan", "--yes"),
    ("retire", "沈渡", "--yes"),
    ("rollback", "2", "--yes"),
    ("rollback", "1", "--yes"),
    ("rebuild", "state"),
    ("outline", "--fix", "--yes"),
    ("foreshadow", "drop", bookparts.clue(1)),
    ("changed", "--note"),
    ("changed", "--done", "1"),
    ("sync",),
    ("sync", "2", "--yes"),
    ("sync", "2", "--accept"),
    ("sync", "--cancel"),
    ("answer", "setup:world", "cold", "2"),
    ("retry",),
    ("fail", "chapter:004:draft", "--reason", "没写完"),
    ("decide", "4", "accept"),
    ("decide", "4", "rewrite"),
    ("commit", "--chapter", "4"),
    ("commit", "--setup"),
    ("commit", "--volume", "2"),
    ("advance", "volume:01:outline"),
    ("import", "notes"),
    ("init", "--title", "又一本"),
    ("note", "5", "写得短些"),
    ("note", "--remove", "1"),
    ("character", "add", "石九", "--yes"),
    ("entities", "--ignore", "石九"),
    ("host", "codex"),
    ("host", "codex", "--remove"),
    ("restore", "0001", "--yes"),
    ("adopt", "notes", "--yes"),
    ("export", "--to", "out", "--yes"),
    ("report",),
)
LOOKS = (
    ("status",),
    ("next",),
    ("context", "chapter-writer"),
    ("validate", "chapter:004:draft"),
    ("gate", "3"),
    ("outline",),
    ("find", "沈渡"),
    ("who", "沈渡"),
    ("read", "2"),
    ("diff", "2"),
    ("foreshadow", "list"),
    ("review", "1"),
    ("entities",),
    ("log",),
    ("audit",),
    ("guide",),
    ("lint", "2"),
    ("note",),
    ("changed",),
    ("config",),
    ("restore",),
    ("doctor",),
)
"""Commands that change nothing of the book, carried out or not."""
APART = {
    "demo": "makes a book of its own",
    "adopt": "in a folder without a book: tests/unit/flows/adoption",
}


def _steps(*phases: str) -> tuple[tuple[str, ...], ...]:
    return tuple(
        argv
        for phase in phases
        for argv in (
            ("instructions", phase, "--write-manifest"),
            ("advance", phase),
            ("fail", phase, "--reason", "没写完"),
        )
    )


SCENES = {
    "looked at": Scene(_edited, LOOKS),
    "lived": Scene(
        _lived,
        (
            ("foreshadow", "drop", bookparts.clue(1)),
            ("changed", "--done", "1"),
            ("note", "--remove", "1"),
            ("entities", "--ignore", "石九"),
            ("host", "codex", "--remove"),
            ("accept-changes",),
            ("rebuild", "state"),
            ("outline", "--fix", "--yes"),
        ),
    ),
    "accepted": Scene(_accepted, (("sync", "2", "--accept"), ("rollback", "1", "--yes"))),
    "spoilt delta": Scene(_spoilt_delta, (("decide", "4", "skip-delta"),)),
    "judged words": Scene(_judged_words, (("advance", "chapter:004:judge"),)),
    "sync records": Scene(_reopened_records, (("advance", "sync:002:judge"), ("sync", "--cancel"))),
    "sync judged": Scene(_sync_judged, (("commit", "--chapter", "2"),)),
    "setup ready": Scene(_setup_ready, (("commit", "--setup"),)),
    "validated": Scene(_validated, (("commit", "--volume", "1"),)),
    "went back": Scene(
        _went_back, (("restore", "0001", "--yes"), ("lock", "acquire"), ("rollback", "1", "--yes"))
    ),
    "idle": Scene(_idle, (*ANYWHERE, *_steps("chapter:004:draft"))),
    "drafted": Scene(_drafted, (*ANYWHERE, *_steps("chapter:004:draft", "chapter:004:summarize"))),
    "summarized": Scene(_summarized, (*_steps("chapter:004:summarize"), ("decide", "4", "skip-delta"))),
    "refined": Scene(_refined, (*_steps("chapter:004:judge"), ("judge", "record", *WORDS))),
    "judged": Scene(
        _judged, (*_steps("chapter:004:judge"), ("commit", "--chapter", "4"), ("lock", "acquire"))
    ),
    "paused": Scene(
        _paused,
        (
            ("decide", "4", "accept"),
            ("decide", "4", "revise", "--note", "收短"),
            ("decide", "4", "rewrite"),
            ("commit", "--chapter", "4"),
            ("lock", "acquire"),
        ),
    ),
    "failed": Scene(
        _failed, (("retry",), ("lock", "acquire"), ("decide", "4", "rewrite"), ("rollback", "2", "--yes"))
    ),
    "edited": Scene(
        _edited, (("sync",), ("sync", "2", "--yes"), ("sync", "2", "--accept"), ("lock", "acquire"))
    ),
    "reopened": Scene(
        _reopened,
        (*_steps("sync:002:summarize", "sync:002:judge"), ("sync", "--cancel"), ("lock", "acquire")),
    ),
    "set up": Scene(
        _set_up,
        (
            *_steps("setup:brief", "setup:world", "setup:characters", "setup:style"),
            ("answer", "setup:world", "cold", "2"),
            ("commit", "--setup"),
            ("import", "notes"),
            ("lock", "acquire"),
        ),
    ),
    "planned": Scene(
        _planned,
        (
            *_steps("volume:01:outline", "volume:01:validate"),
            ("commit", "--volume", "1"),
            ("import", "notes"),
            ("lock", "acquire"),
        ),
    ),
}


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
        shutil.copytree(self.sound.root, self.root, symlinks=True)
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
