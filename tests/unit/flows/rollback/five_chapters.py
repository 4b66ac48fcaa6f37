"""Five chapters written at one moment, and the book's files after each of them."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from copying import copied
from rewriting import NOW, files, one_moment, plant, write_chapter

from novel_hooks import layout
from novel_hooks.store.formats import jsonio
from novel_hooks.store.host import moment

if TYPE_CHECKING:
    from pathlib import Path

ENTITY = {"mention": "独眼渔夫", "context": "在岸上望着船", "suggested_type": "character"}


# What each chapter does beside moving the hero.
OPS: dict[int, tuple[dict[str, Any], ...]] = {
    1: (plant("bell-rope"),),
    2: (plant("third-lamp"),),
    3: (plant("bell-rope", "advanced"), plant("oar")),
    4: (plant("bell-rope", "resolved"),),
    5: (plant("third-lamp", "advanced"),),
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Book, list[dict[str, bytes]]]:
    """Five chapters through the commands at one moment, and the book's files after 0, 1, … 5 of them."""
    with pytest.MonkeyPatch.context() as patch:
        one_moment(patch)
        patch.setattr("os.fsync", lambda _handle: None)
        made = book(tmp_path_factory.mktemp("written"), 0)
        shutil.rmtree(made.at("foreshadowing"))
        made.drop(layout.CHANGELOG)
        made.write(layout.CHECKPOINT, jsonio.dump(made.point(last_checkpoint_time=moment.iso(NOW))))
        stages = [files(made)]
        for chapter in range(1, 6):
            write_chapter(made, *OPS[chapter], unknown_entities=[{**ENTITY, "mention": f"渔夫{chapter}"}])
            stages.append(files(made))
    return made, stages


@pytest.fixture
def stages(written: tuple[Book, list[dict[str, bytes]]]) -> list[dict[str, bytes]]:
    return written[1]


@pytest.fixture
def made(
    written: tuple[Book, list[dict[str, bytes]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Book:
    one_moment(monkeypatch)
    return copied(written[0], tmp_path / "book")


def back(made: Book, chapter: int) -> Any:
    """The data of a rollback that must succeed; the next chapter is the one after it."""
    found = made.ok("rollback", str(chapter), "--yes")
    made.chapter = chapter + 1
    return found
