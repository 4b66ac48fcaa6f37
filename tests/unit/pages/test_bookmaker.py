"""The made-up books are what a real pipeline would have left: every document fits its schema."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from novel_hooks import layout
from novel_hooks.store.schema import schema
from tools.bookmaker import make_book

if TYPE_CHECKING:
    from pathlib import Path

CHAPTERS, VOLUME = 7, 3
SCHEMAS = {
    layout.CHECKPOINT: "checkpoint",
    layout.STATE: "current-state",
    layout.FORESHADOWING: "foreshadowing",
    layout.STYLE_PROFILE: "style-profile",
    layout.BLACKLIST: "ai-blacklist",
    layout.WORLD_RULES: "world-rules",
    layout.STORYLINES: "storylines",
    layout.STORYLINE_SPEC: "storyline-spec",
    layout.character_card("shen-du"): "character",
    layout.foreshadowing_plan(1): "foreshadowing-plan",
    layout.schedule(3): "storyline-schedule",
    layout.contract(3, 8): "chapter-contract",
    layout.evaluation(1): "chapter-eval",
    layout.evaluation(2): "chapter-eval",
    layout.crossref(5): "chapter-crossref",
    layout.chapter_log(5): "chapter-log",
}


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("book")
    make_book(str(root), CHAPTERS, VOLUME, chapter_chars=300)
    return root


@pytest.mark.parametrize("path", SCHEMAS)
def test_documents_fit_their_schemas(book: Path, path: str) -> None:
    document = json.loads((book / path).read_text(encoding="utf-8"))
    assert schema.problems(SCHEMAS[path], document, path) == []


def test_changelog_lines_fit_and_number_the_versions(book: Path) -> None:
    lines = [json.loads(line) for line in (book / layout.CHANGELOG).read_text(encoding="utf-8").splitlines()]
    assert [line["state_version"] for line in lines] == list(range(1, CHAPTERS + 1))
    assert all(schema.problems("changelog-line", line, layout.CHANGELOG) == [] for line in lines)


def test_the_next_chapter_is_planned_in_the_current_volume(book: Path) -> None:
    point = json.loads((book / layout.CHECKPOINT).read_text(encoding="utf-8"))
    assert (point["last_completed_chapter"], point["current_volume"]) == (7, 3)
    assert "### 第 8 章" in (book / layout.outline(3)).read_text(encoding="utf-8")
    assert len(os.listdir(book / "chapters")) == CHAPTERS


def test_same_call_same_bytes(tmp_path: Path) -> None:
    for name in "ab":
        make_book(str(tmp_path / name), 3, 2)
    made = [
        {p.relative_to(tmp_path / n): p.read_bytes() for p in (tmp_path / n).rglob("*") if p.is_file()}
        for n in "ab"
    ]
    assert made[0] == made[1]
