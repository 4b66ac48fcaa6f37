"""Landed records that are not as they were written: named, set aside, and the book goes on."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from copying import copied
from rewriting import files, one_moment, plant, unlike, write_chapter

from novel_hooks import layout
from novel_hooks.errors import LandedBroken
from novel_hooks.flows.book import landed_record
from novel_hooks.store.fence import seal
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RECORD = layout.landed_record(4)
BAD = ("HACK", -5, 0, None, True, 1.5, [], {}, [None], {"x": 1})


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """Chapters 2 to 5; each touches foreshadowing, 4 and 5 the same thread."""
    with pytest.MonkeyPatch.context() as patch:
        one_moment(patch)
        patch.setattr("os.fsync", lambda _handle: None)
        made = book(tmp_path_factory.mktemp("landed"), 1)
        write_chapter(made, plant("oar"))
        write_chapter(made, plant("third-lamp"))
        write_chapter(made, plant("oar", "advanced"))
        write_chapter(made, plant("oar", "resolved"))
        made.ok("lock", "release")
    return made


@pytest.fixture
def made(written: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Book:
    one_moment(monkeypatch)
    return copied(written, tmp_path / "book")


def leaves(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The place of every value that holds no others, and of every map and list."""
    if place:
        yield place
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from leaves(value[key], (*place, key))


def changed(document: Any, place: tuple[Any, ...], value: Any) -> Any:
    found = copy.deepcopy(document)
    here = found
    for key in place[:-1]:
        here = here[key]
    here[place[-1]] = value
    return found


def without(document: Any, place: tuple[Any, ...]) -> Any:
    found = copy.deepcopy(document)
    here = found
    for key in place[:-1]:
        here = here[key]
    del here[place[-1]]
    return found


def old(document: dict[str, Any]) -> dict[str, Any]:
    """As an older layout wrote it."""
    return {key: value for key, value in document.items() if key != seal.KEY}


def test_no_change_of_a_record_goes_unseen(made: Book) -> None:
    project, document = Project(str(made.root)), made.json(RECORD)
    assert seal.is_sealed(document)
    for place in leaves(document):
        spoiled = [changed(document, place, value) for value in BAD]
        spoiled += [without(document, place)] if place != (seal.KEY,) else []
        for one in spoiled:
            if one == document:
                continue
            made.write(RECORD, one)
            with pytest.raises(LandedBroken):
                landed_record.read(project, 4)


def test_a_record_of_an_older_layout_is_read_and_every_field_looked_at(made: Book) -> None:
    """Without a seal its texts count for what they say, and nothing of a wrong kind passes."""
    project, document = Project(str(made.root)), old(made.json(RECORD))
    memory = next(path for path in document["before"] if path != layout.FORESHADOWING)
    made.write(RECORD, {key: value for key, value in document.items() if key not in ("created", "waiting")})
    found = landed_record.read(project, 4)
    assert found is not None and (found.created, found.waiting) == ((), None)
    spoiled = [
        changed(document, ("chapter",), 5),
        changed(document, ("storyline_id",), "../up"),
        changed(document, ("storyline_id",), "another-line"),
        changed(document, ("sha256", layout.chapter(4)), "abc"),
        changed(document, ("sha256", layout.chapter(3)), "0" * 64),
        changed(document, ("before", memory), -5),
        changed(document, ("before", "storylines/../memory.md"), "x"),
        changed(document, ("before", layout.chapter(1)), "x"),
        changed(document, ("before", layout.FORESHADOWING, "oar"), "x"),
        changed(document, ("before", layout.FORESHADOWING, "oar", "id"), "third-lamp"),
        changed(document, ("created",), [layout.STATE]),
        changed(document, ("waiting",), [True]),
        *(without(document, (key,)) for key in ("chapter", "storyline_id", "sha256", "before")),
        without(document, ("before", memory)),
        without(document, ("sha256", layout.summary(4))),
        [],
        None,
    ]
    for one in spoiled:
        made.write(RECORD, json.dumps(one))
        with pytest.raises(LandedBroken):
            landed_record.read(project, 4)


def test_records_of_an_older_layout_lead_back_to_the_same_book(made: Book, tmp_path: Path) -> None:
    other = copied(made, tmp_path / "older")
    for chapter in range(2, 6):
        other.write(layout.landed_record(chapter), old(other.json(layout.landed_record(chapter))))
    for one in (made, other):
        assert one.novel("doctor").exit == 0
        one.ok("rollback", "2", "--yes")
    landed = layout.landed_record(2)
    assert unlike(files(made), files(other)) == [landed]
    assert old(made.json(landed)) == other.json(landed)


SPOILED = {
    "no json": lambda document: "{",
    "not utf-8": lambda document: b"\xff\xfe",
    "empty": lambda document: b"",
    "memory of another kind": lambda d: changed(d, ("before", list(d["before"])[-1]), -5),
    "memory edited": lambda d: changed(d, ("before", list(d["before"])[-1]), "别的记忆"),
    "memory null": lambda d: changed(d, ("before", list(d["before"])[-1]), None),
    "older, of another kind": lambda d: changed(old(d), ("before", list(d["before"])[-1]), 7),
}


@pytest.mark.parametrize("spoil", SPOILED.values(), ids=SPOILED)
def test_what_is_told_leads_to_a_book_that_works(made: Book, tmp_path: Path, spoil: Any) -> None:
    lost = copied(made, tmp_path / "lost")
    lost.drop(RECORD)
    made.write(RECORD, spoil(made.json(RECORD)))
    data, before = made.at(RECORD).read_bytes(), made.tree()
    found = made.novel("doctor")
    told = {d.code: d for d in found.diagnostics}
    assert found.exit == 5 and told["LANDED_RECORD_BROKEN"].path == RECORD
    for argv in (("rollback", "2", "--yes"), ("sync", "--json"), ("sync", "4", "--accept"), ("sync", "4")):
        refused = made.novel(*argv)
        assert refused.exit == 5, argv
        assert all("novel doctor --fix" in d.fix for d in refused.diagnostics)
    assert made.changed(before) == {}

    mended = made.novel("doctor", "--fix")
    assert mended.exit == 0, mended.diagnostics
    kept = f"{layout.TORN}/0001-{RECORD.rpartition('/')[2]}"
    assert made.at(kept).read_bytes() == data and not made.at(RECORD).exists()
    assert kept in mended.data["repaired"][0]
    assert made.novel("doctor").exit == 0
    assert made.novel("next").exit == 0 and made.novel("sync").exit == 0
    made.at(kept).unlink()
    made.ok("rollback", "2", "--yes")
    lost.ok("rollback", "2", "--yes")
    unequal = unlike(files(made), files(lost))
    assert [path for path in unequal if path not in (layout.LANDED_MARKS, layout.HAND_EDITS)] == []
    made.chapter = 3
    write_chapter(made, plant("third-lamp"))
    assert made.novel("doctor").exit != 5


def test_all_broken_records_are_told_at_once(made: Book) -> None:
    for chapter in (3, 5):
        made.write(layout.landed_record(chapter), "[]")
    found = made.novel("rollback", "2", "--yes")
    assert [d.path for d in found.diagnostics] == [layout.landed_record(n) for n in (3, 5)]
    assert len(made.novel("doctor", "--fix").data["repaired"]) == 2
    made.ok("rollback", "2", "--yes")


@pytest.mark.parametrize("odd", ["link", "folder"])
def test_something_else_in_the_place_of_a_record(made: Book, odd: str) -> None:
    away = made.root.parent / "away.json"
    made.at(RECORD).rename(away)
    if odd == "link":
        made.at(RECORD).symlink_to(away)
    else:
        made.at(RECORD).mkdir()
    for argv in (("doctor",), ("doctor", "--fix"), ("rollback", "2", "--yes")):
        found = made.novel(*argv)
        told = next(d for d in found.diagnostics if d.code == "LANDED_RECORD_ODD")
        assert found.exit == 5 and told.path == RECORD and "doctor" not in told.fix
    made.at(RECORD).rename(made.root.parent / "moved")  # as told
    assert made.novel("doctor").exit == 0
    made.ok("rollback", "2", "--yes")


def test_a_lost_record_makes_no_memory_look_edited(made: Book) -> None:
    """Which memory that chapter landed nobody knows any more."""
    for chapter in (4, 5):
        made.drop(layout.landed_record(chapter))
    assert {d.code for d in made.novel("doctor").diagnostics} & {"LANDED_FILE_EDITED"} == set()
    assert made.ok("sync")["edits"] == []


def test_what_sync_renews_is_sealed(made: Book) -> None:
    made.write(layout.chapter(4), made.at(layout.chapter(4)).read_text("utf-8") + "\n又一句。\n")
    made.ok("sync", "4", "--accept")
    assert seal.is_sealed(made.json(RECORD))
    assert made.novel("doctor").exit == 0


def test_a_record_that_breaks_while_a_chapter_is_recorded_anew(made: Book) -> None:
    """What agents wrote stays, and lands once the record is set aside."""
    made.chapter = 3
    made.ok("sync", "3", "--yes")
    made.ok("instructions", "sync:003:summarize", "--write-manifest")
    base = next(x for x in made.lines(layout.CHANGELOG) if x["chapter"] == 3)["base_state_version"]
    made.records(base_state_version=base, ops=[plant("oar", "advanced")])
    made.ok("advance", "sync:003:summarize")
    made.judge(4.2)
    made.ok("advance", "sync:003:judge")
    made.write(RECORD, "[]")
    before = made.tree()
    found = made.novel("commit", "--chapter", "3")
    assert (found.exit, [d.code for d in found.diagnostics]) == (5, ["LANDED_RECORD_BROKEN"])
    assert made.changed(before) == {}
    made.novel("doctor", "--fix")
    made.ok("commit", "--chapter", "3")
    assert made.novel("doctor").exit in (0, 1)
    assert made.ok("rebuild", "state")["changed"] is False
