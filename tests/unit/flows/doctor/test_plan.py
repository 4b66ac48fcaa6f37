"""Doctor on lost contracts, and on texts in which git left two versions: by line, in every place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.book.book import Book as BookReading
from novel_hooks.flows.planning import setting_changes
from novel_hooks.store.files.project import Project
from tools import bookparts

if TYPE_CHECKING:
    from pathlib import Path

CONFLICT = b"\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n"
LINE = bookparts.storyline_id(1)
TOLD = ("GIT_CONFLICT", "OWN_GIT_CONFLICT")
TEXTS = (
    layout.CHECKPOINT,
    layout.CONFIG,
    layout.BRIEF,
    layout.STYLE_PROFILE,
    layout.BLACKLIST,
    layout.WORLD_RULES,
    layout.STORYLINES,
    layout.STORYLINE_SPEC,
    layout.STATE,
    layout.CHANGELOG,
    layout.FORESHADOWING,
    layout.chapter(1),
    layout.summary(1),
    layout.evaluation(1),
    layout.crossref(1),
    layout.chapter_log(1),
    layout.memory(LINE),
    layout.outline(1),
    layout.schedule(1),
    layout.foreshadowing_plan(1),
    layout.contract(1, 2),
    layout.character_card("shen-du"),
    layout.character_profile("shen-du"),
    "world/river.md",
    "research/note.md",
    "research/samples/mine.txt",
    layout.retired(layout.character_profile("gone")),
)


def told(made: Book, *argv: str) -> str:
    found = made.novel(*argv)
    return " ".join(d.message for d in found.diagnostics if "git 合并" in d.message)


@pytest.mark.parametrize("path", TEXTS)
def test_every_text_of_the_book_is_named_by_line_and_left_alone(tmp_path: Path, path: str) -> None:
    made = book(tmp_path)
    before = made.at(path).read_bytes().rstrip() if made.at(path).exists() else "一页".encode()
    made.write(path, before + CONFLICT)
    tree = made.tree()
    message = told(made, "doctor")
    assert path in message and f"第 {before.count(bytes([10])) + 2} 行" in message
    assert made.changed(tree) == {}


def test_nothing_of_it_is_repaired_away(tmp_path: Path) -> None:
    made = book(tmp_path, chapters=3)
    line, rest = made.at(layout.CHANGELOG).read_bytes().split(b"\n", 1)
    log = line + CONFLICT + rest
    made.write(layout.CHANGELOG, log)
    assert "OWN_GIT_CONFLICT" in {d.code for d in made.novel("doctor", "--fix").diagnostics}
    assert made.at(layout.CHANGELOG).read_bytes() == log


@pytest.mark.parametrize("key", ["chapter", "summary", "delta", "crossref", "memory", "evaluation"])
def test_a_staged_file_is_not_taken_and_not_to_be_written_anew(tmp_path: Path, key: str) -> None:
    made = book(tmp_path)
    made.stage("judged")
    made.draft()
    made.records()
    made.evaluation()
    place = made.at(made.staged(key))
    place.write_bytes(place.read_bytes() + CONFLICT)
    tree = made.tree()
    phase = {"chapter": "refine", "evaluation": "judge"}.get(key, "summarize")
    found = made.novel("validate", made.step(phase))
    refused = made.novel("commit", "--chapter", str(made.chapter))
    assert (found.exit, refused.exit > 0, made.changed(tree)) == (1, True, {})
    one = next(d for d in found.diagnostics if d.code == "GIT_CONFLICT")
    assert made.staged(key) in one.message and "留底" in one.fix and "重写" not in one.fix


def test_a_landed_chapter_is_neither_accepted_nor_called_clean(tmp_path: Path) -> None:
    made = book(tmp_path)
    place = made.at(layout.chapter(1))
    place.write_bytes(place.read_bytes() + CONFLICT)
    made.refused(3, "GIT_CONFLICT", "lint", "1")
    made.refused(3, "GIT_CONFLICT", "lint", "1", "--file", str(place))
    assert layout.chapter(1) in told(made, "sync", "1")


def test_a_note_is_not_taken(tmp_path: Path) -> None:
    made = book(tmp_path)
    note = tmp_path / "note.md"
    note.write_bytes(CONFLICT)
    found = made.novel("import", str(note))
    assert (found.exit, made.names(layout.RESEARCH)) == (3, []) and "第 2 行" in found.diagnostics[0].message


def test_a_lost_contract_of_a_written_chapter_is_missed(tmp_path: Path) -> None:
    made = book(tmp_path, chapters=4, volume_size=3)
    for number in (2, 3):
        made.drop(layout.contract(1, number))
    (found,) = [d for d in made.novel("doctor").diagnostics if d.code == "LOST_FILE"]
    assert found.path == layout.contract(1, 2) and "第 2-3 章的契约" in found.message


def test_one_objective_in_two_contracts_is_told_of_a_landed_plan(tmp_path: Path) -> None:
    made = book(tmp_path, chapters=1)
    made.write(layout.SETTING, setting_changes.baseline(BookReading(Project(str(made.root)))))
    contract = made.json(layout.contract(1, 2))
    contract["objectives"][0].update(required=True, description="何铁断缆，沈渡守住最后一根")
    later = {**made.json(layout.contract(1, 3)), "objectives": contract["objectives"]}
    made.write(layout.contract(1, 2), contract)
    made.write(layout.contract(1, 3), later)
    for command in (("outline", "--check"), ("doctor",)):
        told = [d for d in made.novel(*command).diagnostics if d.code == "PLAN_EVENT_TWICE"]
        assert [d.path for d in told] == [layout.contract(1, 3)], command
