"""docs/user/ against the program: the states, what leads from one to another, and what a terminal shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Callable

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from conftest import CHECKOUT
from planbook import staged_book

from novel_hooks import layout
from novel_hooks.cli import page as pages
from novel_hooks.rules.steps import checkpoint as checkpoints
from tools import shown as demo_pages

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGES = Path(CHECKOUT) / "docs" / "user"
STATES = (PAGES / "states.md").read_text("utf-8")
PICTURE = re.findall(r"^ +(\S+) --> (\S+): ", STATES, re.M)


# the state machine --------------------------------------------------------------------------------------


def test_every_state_is_in_the_table_and_in_the_picture() -> None:
    table = dict(re.findall(r"^\| `([A-Z_]+)` \| (.*?) \|", STATES, re.M))
    assert table == pages.STATES and set(table) == set(checkpoints.STATES)
    drawn = {name for edge in PICTURE for name in edge} - {"[*]", "BOOK", "ERR"}
    assert drawn | {"ERROR_RETRY"} == set(table)


def _brief(place: Path) -> Book:
    made = staged_book(place / "book")
    made.ok("advance", "setup:brief")
    return made


def _set_up(place: Path) -> Book:
    made = _brief(place)
    made.ok("commit", "--setup")
    return made


def _planned(place: Path) -> Book:
    made = staged_book(place / "book", "volumes", layout.STORYLINES)
    made.ok("commit", "--setup")
    made.ok("advance", "volume:01:outline")
    made.ok("advance", "volume:01:validate")
    made.ok("commit", "--volume", "1")
    return made


def _landed(place: Path, landed: int = 2, overall: float = 4.5) -> Book:
    made = book(place, landed, 6)
    made.until("judged", overall)
    if overall >= 4:
        made.ok("commit", "--chapter", str(landed + 1))
    return made


def _revised(place: Path) -> Book:
    return _landed(place, overall=3.2)


def _rewritten(place: Path) -> Book:
    made = book(place, 2, 6)
    made.until("judged", 2.6)
    made.ok("decide", "3", "revise")
    made.stage("judged", revisions=2)
    made.records()
    made.evaluation(2.6)
    made.ok("decide", "3", "rewrite")
    return made


def _reviewed(place: Path) -> Book:
    made = book(place, 6, 6)
    made.point(orchestrator_state="VOL_REVIEW", current_volume=1)
    made.ok("advance", "volume:01:review")
    return made


def _last_one(place: Path) -> Book:
    made = book(place, 5, 6)
    made.until("refined")
    made.judge(4.5)
    made.judge(4.5, role="secondary")
    made.advance("judge")
    made.ok("commit", "--chapter", "6")
    return made


def _anew(place: Path) -> Book:
    made = book(place, 2, 6)
    made.ok("replan", "--yes")
    return made


def _as_before(place: Path) -> Book:
    made = _anew(place)
    made.ok("replan", "--cancel")
    return made


WAYS: dict[tuple[str, str], list[Callable[[Path], Book]]] = {
    ("INIT", "QUICK_START"): [_brief],
    ("QUICK_START", "VOL_PLANNING"): [_set_up],
    ("VOL_PLANNING", "WRITING"): [_planned, _as_before],
    ("WRITING", "WRITING"): [_landed],
    ("WRITING", "CHAPTER_REWRITE"): [_revised],
    ("CHAPTER_REWRITE", "WRITING"): [_rewritten],
    ("VOL_REVIEW", "VOL_PLANNING"): [_reviewed],
    ("WRITING", "VOL_REVIEW"): [_last_one],
    ("WRITING", "VOL_PLANNING"): [_anew],
}


def test_every_arrow_is_a_way_that_is_gone_here_and_the_other_way_round() -> None:
    arrows = {edge for edge in PICTURE if not {"[*]", "BOOK", "ERR"} & set(edge)}
    assert arrows == {*WAYS, ("CHAPTER_REWRITE", "VOL_REVIEW")}  # the last: a commit, as from WRITING


@pytest.mark.parametrize(("edge", "way"), [(edge, way) for edge, ways in WAYS.items() for way in ways])
def test_the_way_leads_there(tmp_path: Path, edge: tuple[str, str], way: Callable[[Path], Book]) -> None:
    assert way(tmp_path).point()["orchestrator_state"] == edge[1]


@pytest.mark.parametrize("state", [name for name in checkpoints.STATES if name != "ERROR_RETRY"])
def test_from_everywhere_two_failures_stop_the_book_and_a_retry_leads_back(
    tmp_path: Path, state: str
) -> None:
    made = _in(tmp_path, state)
    step = made.next()["step"]
    for _ in range(2):
        made.ok("fail", step, "--reason", "代理没有交东西")
    assert made.point()["orchestrator_state"] == "ERROR_RETRY"
    found = made.next()
    assert step not in found["reason"] and "代理没有交东西" in found["reason"], "in the author's words"
    assert made.ok("retry")["orchestrator_state"] == state
    assert made.next()["step"] == step


def _in(place: Path, state: str) -> Book:
    if state == "INIT":
        return staged_book(place / "book")
    if state == "QUICK_START":
        return _brief(place)
    if state == "CHAPTER_REWRITE":
        return _revised(place)
    made = book(place, 6 if state == "VOL_REVIEW" else 2, 6)
    if state == "VOL_REVIEW":
        made.point(orchestrator_state=state, current_volume=1)
    if state == "VOL_PLANNING":
        made.ok("replan", "--yes")
    return made


# what is shown of a terminal ----------------------------------------------------------------------------


def shown() -> Iterator[tuple[str, str, list[str]]]:
    """(page, command, the lines below it) of every terminal on the pages; those of the demo are left out."""
    for page in sorted(PAGES.glob("*.md")):
        if f"docs/user/{page.name}" in demo_pages.PAGES:
            continue
        for text in re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.S):
            for part in text.split("$ ")[1:]:
                command, *lines = part.strip().split("\n")
                yield page.name, command, lines


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """The sample's first volume is planned; then the author adds a line to a character."""
    made = _planned(tmp_path_factory.mktemp("user"))
    profile = made.at(layout.character_profile("xu-er"))
    profile.write_text(profile.read_text("utf-8") + "\n她怕水。\n", "utf-8")
    return made


def test_there_are_terminals_on_the_pages() -> None:
    assert len(list(shown())) >= 3


@pytest.mark.parametrize(("page", "command", "lines"), list(shown()))
def test_a_terminal_looks_as_shown(sample: Book, page: str, command: str, lines: list[str]) -> None:
    found = sample.novel(*command.split()[1:])
    said = found.text.split("\n") if found.exit == 0 else []
    said += [line for d in found.diagnostics for line in (f"错误：{d.message}", f"  → {d.fix}")]
    assert said[: len(lines)] == lines
