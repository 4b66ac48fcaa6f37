"""One reading of a project: each file once, and whose fault a fault is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import errors, layout
from novel_hooks.errors import DAMAGED, REFUSED
from novel_hooks.flows.book.book import Book as Reading
from novel_hooks.flows.book.book import Damage
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return book(tmp_path, 2)


def reading(made: Book) -> Reading:
    return Reading(Project(str(made.root)))


# the checkpoint --------------------------------------------------------------------------------------


def test_a_folder_without_a_checkpoint_is_no_project(tmp_path: Path) -> None:
    with pytest.raises(errors.NotAProject):
        Reading(Project(str(tmp_path))).checkpoint()


def test_a_book_that_lost_its_checkpoint_is_told_as_that(made: Book) -> None:
    made.drop(layout.CHECKPOINT)
    with pytest.raises(errors.ProjectLost) as caught:
        reading(made).checkpoint()
    assert (caught.value.path, caught.value.values["count"]) == (layout.CHECKPOINT, 2)


def test_the_authors_own_files_make_no_lost_book(tmp_path: Path) -> None:
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters" / "笔记.md").write_text("x", "utf-8")
    with pytest.raises(errors.NotAProject):
        Reading(Project(str(tmp_path))).checkpoint()


# any object of JSON ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ('{"rule": 7}', {"rule": 7}),
        ('\ufeff{"rule": 7}', {"rule": 7}),
        ("[7]", {}),
        ('{"rule"', {}),
        ("", {}),
        (None, {}),
    ],
)
def test_a_plain_document_is_an_object_whatever_lies_there(
    made: Book, content: str | None, found: object
) -> None:
    if content is not None:
        made.write("research/rules.json", content)
    assert reading(made).plain_document("research/rules.json") == found


def test_a_folder_in_its_place_gives_no_plain_document(made: Book) -> None:
    (made.root / "research" / "rules.json").mkdir(parents=True)
    assert reading(made).plain_document("research/rules.json") == {}


# texts -----------------------------------------------------------------------------------------------


def test_a_file_is_read_once(made: Book) -> None:
    found = reading(made)
    first = found.read(layout.BRIEF)
    made.write(layout.BRIEF, "后来改的")
    assert found.read(layout.BRIEF) == first != reading(made).read(layout.BRIEF)


def test_a_file_that_is_not_there_is_not_there_either_later(made: Book) -> None:
    found = reading(made)
    assert found.read("nothing.md") is None
    made.write("nothing.md", "x")
    assert found.read("nothing.md") is None


@pytest.mark.parametrize(
    ("content", "refusal"), [(None, errors.FileMissing), ("", errors.FileBlank), (" \n\t", errors.FileBlank)]
)
def test_a_text_that_a_step_cannot_do_without(
    made: Book, content: str | None, refusal: type[errors.Problem]
) -> None:
    made.drop(layout.BRIEF)
    if content is not None:
        made.write(layout.BRIEF, content)
    with pytest.raises(refusal) as caught:
        reading(made).need_setting(layout.BRIEF, "立意")
    told = caught.value.diagnostic()
    assert told.path == layout.BRIEF and "立意" in told.message and "/novel:start" in told.fix


def test_a_needed_text_is_given_as_text(made: Book) -> None:
    made.write(layout.BRIEF, b"\xef\xbb\xbfa\r\nb\n")
    assert reading(made).need_setting(layout.BRIEF, "x") == "a\nb\n"


# whose fault -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"{", b"\xff", b'{"schema_version": "x"}'])
def test_a_fault_of_the_authors_file_is_a_refusal(made: Book, content: bytes) -> None:
    made.write(layout.STORYLINES, content)
    with pytest.raises(errors.Problem) as caught:
        reading(made).document(layout.STORYLINES, "storylines")
    assert {p.exit for p in caught.value.problems} == {REFUSED}
    assert {p.path for p in caught.value.problems} == {layout.STORYLINES}


@pytest.mark.parametrize("content", [b"{", b"\xff", b"[]", b'{"state_version": "x"}'])
def test_the_same_in_a_file_of_ours_is_damage(made: Book, content: bytes) -> None:
    made.write(layout.STATE, content)
    with pytest.raises(errors.Problem) as caught:
        reading(made).state()
    assert {p.exit for p in caught.value.problems} == {DAMAGED}
    assert {p.path for p in caught.value.problems} == {layout.STATE}


def test_a_state_that_does_not_fit_its_schema_is_damaged(made: Book) -> None:
    made.write(layout.STATE, {**made.json(layout.STATE), "state_version": "x"})
    with pytest.raises(errors.Problem) as caught:
        reading(made).state()
    assert {p.code for p in caught.value.problems} == {"OWN_FILE_DAMAGED"}


def test_a_link_in_the_place_of_our_file_is_damage(made: Book) -> None:
    made.at(layout.STATE).unlink()
    made.at(layout.STATE).symlink_to(made.at(layout.BRIEF))
    with pytest.raises(errors.OwnFileDamaged) as caught:
        reading(made).own(layout.STATE)
    assert caught.value.path == layout.STATE


def test_a_folder_on_the_way_that_is_none_is_told_as_itself() -> None:
    with pytest.raises(errors.NotAFolder), Damage("state/x.json"):
        raise errors.NotAFolder("state", kind="文件")


def test_no_state_is_the_skeleton(made: Book) -> None:
    made.drop(layout.STATE)
    assert (reading(made).state()["state_version"], reading(made).state_path()) == (0, None)


# people ----------------------------------------------------------------------------------------------


def test_all_broken_cards_are_told_at_once(made: Book) -> None:
    made.write(layout.character_card("bai-sui"), "{")
    made.write(layout.character_card("he-tie"), "[]")
    with pytest.raises(errors.Problem) as caught:
        reading(made).cast()
    assert {p.path for p in caught.value.problems} == {
        layout.character_card("bai-sui"),
        layout.character_card("he-tie"),
    }


def test_hidden_files_are_no_cards(made: Book) -> None:
    before = [person.slug for person in reading(made).cast()]
    made.write("characters/active/.bai-sui.json", "{")
    made.write("characters/active/notes.txt", "{")
    assert [person.slug for person in reading(made).cast()] == before


def test_a_retired_one_is_known_and_not_active(made: Book) -> None:
    card = made.json(layout.character_card("bai-sui"))
    made.drop(layout.character_card("bai-sui"))
    made.write(layout.retired(layout.character_card("bai-sui")), card)
    found = reading(made)
    assert "bai-sui" not in [person.slug for person in found.cast()]
    assert [person.slug for person in found.retired()] == ["bai-sui"]
