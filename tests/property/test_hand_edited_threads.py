"""Statuses of foreshadowing changed by hand between commits: the log alone still tells every state."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from copying import copied
from rewriting import one_moment, plant, write_chapter

from novel_hooks import layout

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("bell-rope", "oar", "third-lamp", "old-coin")
ACTIONS = ("planted", "advanced", "resolved")
CHAPTERS = 4


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    one_moment(monkeypatch)


def by_hand(made: Book, dice: random.Random) -> None:
    """The author sets a status, adds a piece, or takes one away."""
    document = made.json(layout.FORESHADOWING)
    items = document["foreshadowing"]
    for item in items:
        if dice.random() < 0.5:
            item["status"] = dice.choice(ACTIONS)
    if dice.random() < 0.2 and items:
        items.pop(dice.randrange(len(items)))
    if dice.random() < 0.2 and all(item["id"] != "mine" for item in items):
        items.append({"id": "mine", "description": "作者自己的", "status": "planted", "history": []})
    made.write(layout.FORESHADOWING, document)


def truth(made: Book) -> tuple[bytes, bytes]:
    return made.at(layout.STATE).read_bytes(), made.at(layout.CHANGELOG).read_bytes()


def items(made: Book) -> dict[str, Any]:
    return {item["id"]: item for item in made.json(layout.FORESHADOWING)["foreshadowing"]}


def agrees(made: Book) -> None:
    """Doctor sees nothing amiss with log and state, and a rebuild gives the same bytes."""
    found = made.novel("doctor")
    assert found.exit != 5 and "STATE_DIFFERS" not in {d.code for d in found.diagnostics}
    assert made.ok("rebuild", "state")["changed"] is False


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(2, 6))]
)
@pytest.mark.parametrize("records", [True, False], ids=["records", "no records"])
def test_any_chapter_is_gone_back_to_and_written_again(tmp_path: Path, seed: int, records: bool) -> None:
    dice = random.Random(seed)
    made = book(tmp_path, 1)
    first = made.chapter
    ops: dict[int, list[dict[str, Any]]] = {}
    told, before, after = {first - 1: truth(made)}, {}, {}
    for chapter in range(first, first + CHAPTERS):
        by_hand(made, dice)
        before[chapter] = items(made)
        ops[chapter] = [plant(dice.choice(NAMES), dice.choice(ACTIONS)) for _ in range(dice.randrange(3))]
        write_chapter(made, *ops[chapter])
        told[chapter], after[chapter] = truth(made), items(made)
        agrees(made)
    by_hand(made, dice)
    if not records:
        for chapter in dice.sample(range(first, first + CHAPTERS), 2):
            made.drop(layout.landed_record(chapter))
    made.ok("lock", "release")
    for to in range(first - 1, first + CHAPTERS - 1):
        again = copied(made, tmp_path / f"to-{to}")
        now = items(again)
        again.ok("rollback", str(to), "--yes")
        assert truth(again) == told[to]
        agrees(again)
        touched = [{op["path"] for op in ops[n]} for n in range(to + 1, first + CHAPTERS)]
        if records:
            for name in {*now, *items(again)}:
                since = next((n for n, names in enumerate(touched, to + 1) if name in names), None)
                then = now if since is None else before[since]
                assert items(again).get(name) == then.get(name)
        again.chapter = to + 1
        write_chapter(again, *ops[to + 1])
        assert truth(again) == told[to + 1]
        agrees(again)
        if records:
            for name in touched[0]:
                assert items(again)[name] == after[to + 1][name]
