"""The cost in a chapter's log: told when all of it is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.chapter.desk import Desk
from novel_hooks.flows.landing import chapter_log
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def made(tmp_path: Path) -> Book:
    made = book(tmp_path)
    made.draft()
    made.records()
    made.evaluation(4.5)
    return made


def reading(made: Book) -> Reading:
    return Reading(Project(str(made.root)))


def desk(made: Book) -> Desk:
    return Desk(reading(made), 1, 2)


PRICES = "currency: 美元\nprices:\n  sonnet:\n    input: 3\n    output: 15\n"
STAGE = {"name": "draft", "model": "sonnet", "duration_ms": 5, "input_tokens": 1000000, "output_tokens": 0}


def cost(made: Book, *stages: Any, config: str = PRICES) -> Any:
    made.write(layout.CONFIG, config)
    made.write(layout.work_log(2), {"chapter": 2, "started_at": "t", "stages": list(stages)})
    book = reading(made)
    found = chapter_log.document(Desk(book, 1, 2), book.checkpoint(), made.json(made.staged("evaluation")))
    return found["total_cost_usd"]


def test_a_cost_is_told_when_all_of_it_is_known(made: Book) -> None:
    assert cost(made, STAGE) == 3.0
    assert cost(made, STAGE, STAGE) == 6.0


@pytest.mark.parametrize(
    ("stages", "config"),
    [
        ((STAGE, {**STAGE, "model": "opus"}), PRICES),
        ((STAGE, {**STAGE, "output_tokens": None}), PRICES),
        ((STAGE, 3), PRICES),
        ((STAGE,), PRICES.replace("美元", "元")),
        ((STAGE,), PRICES.replace("currency: 美元\n", "")),
        ((STAGE,), "prices: 3\n"),
    ],
    ids=["another model", "unknown tokens", "odd stage", "other money", "no money", "broken settings"],
)
def test_else_nothing_is_made_up(made: Book, stages: tuple[Any, ...], config: str) -> None:
    if 3 in stages:
        made.write(layout.CONFIG, config)
        assert chapter_log._dollars(reading(made), stages) is None
    else:
        assert cost(made, *stages, config=config) is None


@pytest.mark.parametrize("money", ["USD", "usd", "US$", "$", "美金"])
def test_dollars_by_any_name(made: Book, money: str) -> None:
    assert cost(made, STAGE, config=PRICES.replace("美元", f"'{money}'")) == 3.0
