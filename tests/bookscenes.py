"""Books at every point of their life, and the commands that somebody may say there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from builders import Book, book, bookparts, make_verdict
from builders import fast_disk as fast_disk
from planbook import staged_book

from novel_hooks import layout

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


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
