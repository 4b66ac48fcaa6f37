"""A sound book for the checkup, and what the checkup says of it."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest
from builders import OTHER, Book, book
from copying import copied

from novel_hooks import errors, layout
from novel_hooks.flows.doctor import installation
from novel_hooks.store.formats import jsonio

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


PLANT = {"op": "foreshadow", "path": "bell-rope", "value": "planted", "detail": "钟绳断了一股"}
DEAD = 2**30


@pytest.fixture
def made(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Book:
    """A copy of the one that is made once in this process."""
    if not MADE:
        MADE.append(_made(tmp_path_factory.mktemp("checked")))
    return copied(MADE[0], tmp_path / "book")


MADE: list[Book] = []


def _made(place: Path) -> Book:
    """Chapter 1 by another tool, 2 and 3 by the real commands; 4 comes next."""
    found = book(place, volume_size=12)
    for number in (2, 3):
        found.chapter = number
        land(found)
    found.chapter = 4
    return found


def land(made: Book, **delta: Any) -> Any:
    made.stage("judged")
    made.draft()
    made.records(**(delta or {"ops": [{**PLANT, "value": "planted" if made.chapter == 2 else "advanced"}]}))
    made.evaluation()
    return made.ok("commit", "--chapter", str(made.chapter))


def doctor(made: Book, *argv: str) -> tuple[int, dict[str, errors.Diagnostic]]:
    """The exit and the findings by code."""
    found = made.novel("doctor", *argv)
    return found.exit, {d.code: d for d in found.diagnostics}


def edit(path: str, **changes: Any) -> Callable[[Book], None]:
    def change(made: Book) -> None:
        made.write(path, {**made.json(path), **changes})

    return change


def put(path: str, content: Any) -> Callable[[Book], None]:
    def change(made: Book) -> None:
        made.write(path, content)

    return change


def drop(path: str) -> Callable[[Book], None]:
    return lambda made: made.drop(path)


def line(at: int, **changes: Any) -> Callable[[Book], None]:
    def change(made: Book) -> None:
        lines = made.lines(layout.CHANGELOG)
        lines[at - 1].update(changes)
        made.write(layout.CHANGELOG, b"".join(jsonio.dump_line(one) for one in lines))

    return change


def reorder(made: Book) -> None:
    lines = made.lines(layout.CHANGELOG)
    made.write(layout.CHANGELOG, b"".join(jsonio.dump_line(one) for one in [*lines, lines[0]]))


def thread(**changes: Any) -> Callable[[Book], None]:
    def change(made: Book) -> None:
        document = made.json(layout.FORESHADOWING)
        document["foreshadowing"][-1].update(changes)
        made.write(layout.FORESHADOWING, document)

    return change


def twin(made: Book) -> None:
    document = made.json(layout.FORESHADOWING)
    document["foreshadowing"].append(document["foreshadowing"][0])
    made.write(layout.FORESHADOWING, document)


def link(path: str) -> Callable[[Book], None]:
    def change(made: Book) -> None:
        place = made.at(path)
        if place.is_dir():
            shutil.rmtree(place)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(made.root.parent)

    return change


def cast_twin(made: Book) -> None:
    names = [n for n in made.names(layout.CHARACTERS) if n.endswith(".json")]
    first, second = (made.json(f"{layout.CHARACTERS}/{n}") for n in names[:2])
    made.write(f"{layout.CHARACTERS}/{names[1]}", {**second, "display_name": first["display_name"]})


def outline(old: str, new: str) -> Callable[[Book], None]:
    def change(made: Book) -> None:
        text = made.at(layout.outline(1)).read_text("utf-8")
        assert old in text
        made.write(layout.outline(1), text.replace(old, new, 1))

    return change


def gone(path: str) -> Callable[[Book], None]:
    return lambda made: shutil.rmtree(made.at(path))


def held_by(owner: str) -> Callable[[Book], None]:
    def change(made: Book) -> None:
        assert made.novel("lock", "acquire", owner=owner).exit == 0

    return change


def dead_lock(made: Book) -> None:
    held_by(OTHER)(made)
    old = "2020-01-01T00:00:00Z"
    made.write(layout.LOCK_INFO, {**made.json(layout.LOCK_INFO), "started": old, "renewed": old})


def keyless(made: Book) -> None:
    text = made.at(layout.outline(1)).read_text("utf-8")
    made.write(layout.outline(1), text.replace("**POV**", "**Pov**"))


def os_lock_folder(made: Book) -> None:
    made.drop(layout.OS_LOCK)
    made.at(layout.OS_LOCK).mkdir()


def folder_file(made: Book) -> None:
    gone("staging/state")(made)
    made.write("staging/state", b"")


ENTITY = {
    "ts": "2026-01-01T00:00:00Z",
    "chapter": 9,
    "mention": "甲",
    "context": "",
    "suggested_type": "item",
}


CASES: dict[str, tuple[Callable[[Book], None], str, int]] = {
    "checkpoint that contradicts itself": (
        edit(layout.CHECKPOINT, inflight_chapter=9),
        "CHECKPOINT_INCONSISTENT",
        5,
    ),
    "illegal checkpoint": (edit(layout.CHECKPOINT, orchestrator_state="SLEEPING"), "CHECKPOINT_BROKEN", 5),
    "checkpoint written by another": (edit(layout.CHECKPOINT, mine=1), "CHECKPOINT_EDITED", 1),
    "chapter lost": (drop(layout.chapter(2)), "LANDED_FILE_MISSING", 5),
    "summary lost": (drop(layout.summary(2)), "LANDED_FILE_MISSING", 5),
    "log lost": (drop(layout.chapter_log(1)), "LANDED_FILE_MISSING", 5),
    "chapter ahead": (put(layout.chapter(4), "# 第 4 章 夜\n"), "CHAPTER_BEYOND_CHECKPOINT", 5),
    "checkpoint behind": (edit(layout.CHECKPOINT, last_completed_chapter=2), "CHAPTER_BEYOND_CHECKPOINT", 5),
    "hand edit": (put(layout.chapter(2), "# 第 2 章 夜\n\n改了。\n"), "LANDED_FILE_EDITED", 0),
    "evaluation no json": (put(layout.evaluation(2), b"{"), "OWN_FILE_BROKEN", 5),
    "evaluation of another chapter": (edit(layout.evaluation(1), chapter=7), "OWN_FILE_DAMAGED", 5),
    "evaluation edited to nonsense": (edit(layout.evaluation(2), scores=3), "OWN_FILE_DAMAGED", 5),
    "landed record broken": (put(layout.landed_record(2), b"[]"), "LANDED_RECORD_BROKEN", 5),
    "state edited": (edit(layout.STATE, world_state={"time_marker": "冬"}), "STATE_DIFFERS", 5),
    "state lost": (drop(layout.STATE), "STATE_DIFFERS", 5),
    "state no json": (put(layout.STATE, b"{"), "STATE_DIFFERS", 5),
    "versions that do not join": (line(2, base_state_version=5), "CHANGELOG_BROKEN", 5),
    "op that cannot be applied": (
        line(2, ops=[{"op": "remove", "path": "items.x.y", "value": 1}]),
        "CHANGELOG_BROKEN",
        5,
    ),
    "chapter twice in the log": (reorder, "CHANGELOG_BROKEN", 5),
    "log lost whole": (drop(layout.CHANGELOG), "CHANGELOG_CHAPTERS_MISSING", 5),
    "log line of no shape": (line(2, ops=[{"path": "x"}]), "OWN_FILE_DAMAGED", 5),
    "foreshadowing no json": (put(layout.FORESHADOWING, b"{"), "JSON_BROKEN", 1),
    "illegal status": (thread(status="open"), "SCHEMA_VIOLATION", 1),
    "illegal range": (thread(target_resolve_range=[9, 3]), "SCHEMA_VIOLATION", 1),
    "history ahead of the book": (
        thread(history=[{"chapter": 40, "action": "planted", "detail": ""}]),
        "FORESHADOWING_ODD",
        1,
    ),
    "two items of one id": (twin, "FORESHADOWING_ODD", 1),
    "history the log does not have": (thread(history=[]), "FORESHADOWING_DISAGREES", 1),
    "waiting foreshadowing": (put(layout.FORESHADOW_BACKLOG, [3]), "FORESHADOWING_WAITING", 1),
    "entity of a chapter ahead": (
        put(layout.UNKNOWN_ENTITIES, jsonio.dump_line(ENTITY)),
        "OWN_FILE_DAMAGED",
        5,
    ),
    "entity line of no shape": (put(layout.UNKNOWN_ENTITIES, b"{}\n"), "OWN_FILE_DAMAGED", 5),
    "audit line no json": (put(layout.AUDIT, b"{\n"), "AUDIT_LINES_SKIPPED", 1),
    "contract of no shape": (put(layout.contract(1, 5), {"chapter": 5}), "SCHEMA_VIOLATION", 1),
    "old contract no json": (put(layout.contract(1, 1), b"{"), "JSON_BROKEN", 1),
    "contract of another storyline": (
        edit(layout.contract(1, 5), storyline_id="nobody"),
        "CONTRACT_MISMATCH",
        1,
    ),
    "schedule": (put(layout.schedule(1), {"volume": "一"}), "SCHEMA_VIOLATION", 1),
    "plan": (put(layout.foreshadowing_plan(1), {"foreshadowing": 3}), "SCHEMA_VIOLATION", 1),
    "rules": (put(layout.WORLD_RULES, {"rules": 3}), "SCHEMA_VIOLATION", 1),
    "style": (put(layout.STYLE_PROFILE, b"["), "JSON_BROKEN", 1),
    "blacklist": (put(layout.BLACKLIST, {"words": 3}), "SCHEMA_VIOLATION", 1),
    "spec": (put(layout.STORYLINE_SPEC, {"rules": 3}), "SCHEMA_VIOLATION", 1),
    "storylines": (put(layout.STORYLINES, {"storylines": 3}), "SCHEMA_VIOLATION", 1),
    "settings": (put(layout.CONFIG, "titel: 河\n"), "CONFIG_KEY_UNKNOWN", 1),
    "brief not UTF-8": (put(layout.BRIEF, "立意".encode("gbk")), "FILE_NOT_UTF8", 1),
    "brief lost": (drop(layout.BRIEF), "FILE_MISSING", 1),
    "two characters of one name": (cast_twin, "CHARACTER_DUPLICATE_NAME", 1),
    "character": (put(layout.character_card("nobody"), {"id": 3}), "SCHEMA_VIOLATION", 1),
    "heading that is nearly one": (outline("### 第 6 章", "### 第六章"), "OUTLINE_HEADING_NEAR", 1),
    "heading twice": (outline("### 第 6 章", "### 第 7 章"), "OUTLINE_NUMBERING", 1),
    "key line lost": (keyless, "OUTLINE_KEY_MISSING", 1),
    "link in staging": (link("staging/chapters/chapter-004.md"), "FILE_NOT_REGULAR", 1),
    "staging a link": (link("staging"), "FILE_NOT_FOLDER", 1),
    "lock of another": (held_by(OTHER), "LOCK_HELD", 0),
    "lock of nobody": (dead_lock, "LOCK_LEFT_BEHIND", 1),
    "lock a file": (put(layout.LOCK_DIR, "x"), "LOCK_PATH_ODD", 1),
    "os lock a folder": (os_lock_folder, "OWN_PLACE_ODD", 5),
    "journal broken": (put(f"{layout.JOURNAL}/manifest.json", b"{}"), "JOURNAL_BROKEN", 5),
    "half a journal": (put(f"{layout.JOURNAL}.new-0123456789abcdef/0000", b"x"), "LITTER_LEFT", 1),
    "temporary file": (put(f".novel-tmp-{DEAD}-0123456789ab", b"x"), "LITTER_LEFT", 1),
    "another tool's folder": (put(".novel/transaction/log", b"x"), "OWN_FOLDER_STRANGER", 1),
    "another tool's checkpoint": (put(".checkpoint.json.tmp", b"{}"), "OWN_FOLDER_STRANGER", 1),
    "folder lost": (gone("staging/state"), "FOLDER_MISSING", 1),
    "folder a file": (folder_file, "FILE_NOT_FOLDER", 1),
}


def codes(environ: dict[str, str]) -> set[str]:
    return {problem.code for problem in installation.problems(environ)}
