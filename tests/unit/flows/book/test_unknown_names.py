"""Names of the text that have no record: which names have one, and a log that is partly broken."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import errors, layout
from novel_hooks.flows.book import unknown_names
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return book(tmp_path, 2)


def reading(made: Book) -> Reading:
    return Reading(Project(str(made.root)))


def line(mention: str, chapter: int = 2) -> dict[str, Any]:
    return {"ts": "t", "chapter": chapter, "mention": mention, "context": "", "suggested_type": "item"}


def log(made: Book, *lines: Any) -> None:
    raws = [one if isinstance(one, bytes) else json.dumps(one).encode() for one in lines]
    made.write(layout.UNKNOWN_ENTITIES, b"\n".join(raws) + b"\n")


def test_names_of_cards_of_those_who_left_and_of_the_state_are_registered(made: Book) -> None:
    card = {**made.json(layout.character_card("bai-sui")), "aliases": ["穗娘"]}
    made.drop(layout.character_card("bai-sui"))
    made.write(layout.retired(layout.character_card("bai-sui")), card)
    state = made.json(layout.STATE)
    things = {"old-lamp": {"display_name": "旧灯", "name": "灯"}, "oar": "断了"}
    made.write(layout.STATE, {**state, "items": things, "factions": {"guild": {"name": "船帮"}}})
    found = unknown_names.registered_names(reading(made))
    assert {"沈渡", "白穗", "穗娘", "bai-sui", "old-lamp", "旧灯", "灯", "oar", "guild", "船帮"} <= found
    assert "断了" not in found


def test_whoever_has_a_record_is_no_stranger(made: Book) -> None:
    log(made, line("独眼渔夫"), line("沈渡"), line("独眼渔夫", 3))
    found = unknown_names.run(reading(made))
    assert [one.mention for one in found.strangers] == ["独眼渔夫"]
    assert found.noted == 2


def test_without_a_log_no_card_is_read(made: Book) -> None:
    made.write(layout.character_card("bai-sui"), "{")
    assert unknown_names.run(reading(made)) == unknown_names.Unregistered((), 0)


def test_lines_are_given_as_they_are_even_those_nobody_can_read(made: Book) -> None:
    log(made, line("甲"), b"\xff", b"", b"[1]", line("乙"))
    found = unknown_names.lines(reading(made))
    assert [None if one.said is None else one.said["mention"] for one in found] == ["甲", None, None, "乙"]
    assert [one.raw for one in found][1:3] == [b"\xff\n", b"[1]\n"]


def test_lines_of_some_names_are_those_that_hold_one_or_may_hold_one(made: Book) -> None:
    plain = [json.dumps(line(name), ensure_ascii=False).encode() for name in ("独眼渔夫", "船娘")]
    escaped = json.dumps(line("渔夫")).encode()
    log(made, *plain, escaped, b"  ", b"[1]")
    found = unknown_names.lines(reading(made), naming=["渔夫"])
    assert [one.raw for one in found] == [one + b"\n" for one in (plain[0], escaped, b"[1]")]
    assert len(unknown_names.lines(reading(made), naming=[])) == 2


@pytest.mark.parametrize("broken", [b'{"chapter": 1,}', b'{"mention": "\xff"}', b'{"chapter": 1, "men'])
def test_where_a_line_cannot_be_read_none_is_left_out(made: Book, broken: bytes) -> None:
    log(made, line("甲"), broken, line("乙"))
    found = unknown_names.lines(reading(made), naming=["丙"])
    assert [one.said is None for one in found] == [False, True, False]


def test_a_report_does_not_hide_a_broken_line(made: Book) -> None:
    log(made, line("甲"), b"{")
    with pytest.raises(errors.LogLineBroken) as caught:
        unknown_names.run(reading(made))
    assert caught.value.values["line"] == 2
