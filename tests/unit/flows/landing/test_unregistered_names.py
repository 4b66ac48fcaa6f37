"""The names without a record that a chapter brings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.landing import unregistered_names
from novel_hooks.flows.landing.unregistered_names import NewEntities
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from pathlib import Path

LOG = layout.UNKNOWN_ENTITIES
NOW = "2027-01-15T08:00:00Z"


@pytest.fixture
def made(tmp_path: Path) -> Book:
    made = book(tmp_path)
    made.draft()
    made.records()
    made.evaluation(4.5)
    return made


def reading(made: Book) -> Reading:
    return Reading(Project(str(made.root)))


def name(mention: str) -> dict[str, str]:
    return {"mention": mention, "context": "在岸上", "suggested_type": "character"}


def noted(made: Book, *mentions: str) -> NewEntities:
    delta = {"unknown_entities": [name(one) for one in mentions]}
    return unregistered_names.new_entities(reading(made), 2, NOW, delta)


def log(made: Book, *mentions: str, tail: bytes = b"") -> None:
    lines = [{**name(one), "ts": NOW, "chapter": 1} for one in mentions]
    raw = b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines)
    made.write(LOG, raw + tail)


def test_new_names_go_behind_the_old_ones(made: Book) -> None:
    log(made, "渔夫")
    found = noted(made, "渔夫", "船娘")
    (change,) = found.changes
    assert (change.kind, change.path, change.data) == ("append", LOG, found.fresh)
    assert json.loads(found.fresh.splitlines()[-1])["mention"] == "船娘"


def test_half_a_line_gets_its_end_and_stays_as_it_is(made: Book) -> None:
    log(made, "渔夫", tail=b'{"chapter": 1, "men')
    before = made.at(LOG).read_bytes()
    found = noted(made, "船娘")
    (change,) = found.changes
    assert (change.kind, change.data) == ("put", before + b"\n" + found.fresh)
    assert [(p.code, p.values["count"]) for p in found.warnings if p.code == "ENTITIES_UNREAD"] == [
        ("ENTITIES_UNREAD", 1)
    ]


def test_people_who_come_again_are_told_once_from_the_third_on(made: Book) -> None:
    def told(*names: str) -> list[tuple[Any, Any]]:
        found = [p for p in noted(made, *names).warnings if p.code == "ENTITIES_UNREGISTERED"]
        return [(p.values["count"], p.values["names"]) for p in found]

    log(made, "渔夫", "老周", "船娘", "阿七")
    assert told("渔夫", "老周") == [], "two are few"
    assert told("渔夫", "老周", "船娘") == [(3, "渔夫、老周、船娘")]
    assert told("敲钟的", "卖灯的", "赶车的") == [], "one scene is no reason for a card"
    assert noted(made) == NewEntities((), (), b"")


def test_later_ones_are_told_alone_and_things_never(made: Book) -> None:
    lines = [(name, chapter) for name in ("渔夫", "老周", "船娘") for chapter in (0, 1)]
    lines += [("阿七", 1), ("候车亭", 1), ("候车亭", 0)]
    kinds = {"候车亭": "location"}
    told = [
        {"ts": "t", "chapter": n, "mention": m, "context": "x", "suggested_type": kinds.get(m, "character")}
        for m, n in lines
    ]
    made.write(LOG, "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in told))
    (warning,) = noted(made, "阿七", "渔夫").warnings
    assert (warning.values["count"], warning.values["names"]) == (4, "阿七")
    assert noted(made, "渔夫").warnings == ()


def test_a_log_that_is_no_file_takes_nothing_and_the_names_are_told(made: Book) -> None:
    made.at(LOG).unlink(missing_ok=True)
    made.at(LOG).mkdir(parents=True)
    found = noted(made, "船娘")
    assert found.changes == () and [p.code for p in found.warnings] == ["ENTITIES_UNKEPT"]
    assert "船娘" in str(found.warnings[0])
    assert noted(made) == NewEntities((), (), b"")
