"""The index of names on disk: never believed, so that what is found is what a reading of everything finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders import book
from builders import fast_disk as fast_disk
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from novel_hooks import layout
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.recall import index
from novel_hooks.rules.recall import index as indexes
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from pathlib import Path

WORDS = ("沈渡", "铜灯", "渡口", "乔九")
STEP = st.one_of(
    st.tuples(st.just("land"), st.sets(st.sampled_from(WORDS))),
    st.tuples(st.just("edit"), st.integers(1, 6), st.sets(st.sampled_from(WORDS))),
    st.tuples(st.just("lose"), st.integers(1, 6)),
    st.tuples(st.just("back"), st.integers(0, 5)),
    st.tuples(st.just("spoil"), st.sampled_from(["gone", "cut", "foreign", "folder", "earlier"])),
    st.tuples(st.just("ask"), st.sets(st.sampled_from(WORDS), min_size=1)),
)


class Shelf:
    """A folder of chapters that things happen to; every text has another length."""

    def __init__(self, root: Path) -> None:
        self.project = Project(str(root))
        self.root = root
        self.last = 0
        self.count = 0
        self.earlier = b""
        (root / "chapters").mkdir()
        (root / layout.OWN).mkdir()

    def text(self, words: set[str]) -> bytes:
        self.count += 1
        return ("\n".join(f"{word}在。" for word in sorted(words)) + "水" * self.count).encode()

    def write(self, chapter: int, data: bytes) -> None:
        (self.root / layout.chapter(chapter)).write_bytes(data)

    def keep(self, learnt: dict[str, bytes]) -> None:
        for path, data in learnt.items():
            (self.root / path).write_bytes(data)

    def land(self, words: set[str]) -> None:
        self.last += 1
        data, made = self.text(words), Book(self.project)
        index.note_landing(made, self.last, data)
        self.write(self.last, data)
        self.keep(made.learnt)

    def ask(self, words: set[str]) -> None:
        """What the index says must be what a scan says; what it learnt is kept, as a hand-out does."""
        made = Book(self.project)
        found = index.of_words(made, sorted(words), self.last)
        for word in words:
            texts = {n: self.project.read(layout.chapter(n)) or b"" for n in range(1, self.last + 1)}
            scanned = [n for n, data in texts.items() if word.encode() in data]
            assert list(indexes.chapters_of(found, [word])) == scanned
        self.earlier = made.learnt.get(layout.RECALL, self.earlier)
        self.keep(made.learnt)

    def back(self, to: int) -> None:
        for chapter in range(to + 1, self.last + 1):
            (self.root / layout.chapter(chapter)).unlink(missing_ok=True)
        self.last = min(self.last, to)

    def spoil(self, how: str) -> None:
        place = self.root / layout.RECALL
        data = place.read_bytes() if place.is_file() else b""
        if place.is_dir():
            place.rmdir()
        place.unlink(missing_ok=True)
        if how == "folder":
            place.mkdir()
        elif how != "gone":
            whole = {"cut": data[:-3], "foreign": b"\xff\n", "earlier": self.earlier}
            place.write_bytes(whole[how])


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(STEP, min_size=3, max_size=25))
def test_the_index_says_what_a_scan_says(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[Any, ...]]
) -> None:
    shelf = Shelf(tmp_path_factory.mktemp("shelf"))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(index, "SETTLED_NS", -(10**12))  # every stat is relied on at once
        shelf.ask(set(WORDS[:3]))
        for what, *rest in steps:
            if what == "edit" and rest[0] <= shelf.last:
                shelf.write(rest[0], shelf.text(rest[1]))
            elif what == "lose" and rest[0] <= shelf.last:
                (shelf.root / layout.chapter(rest[0])).unlink(missing_ok=True)
            elif what in ("land", "ask", "back", "spoil"):
                getattr(shelf, what)(*rest)
        shelf.ask(set(WORDS[:3]))
        shelf.ask(set(WORDS))


def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every chapter that is read from now on."""
    found: list[str] = []
    real = Project.read

    def noted(self: Project, rel: str) -> bytes | None:
        found.extend([rel] if rel.startswith("chapters/") else [])
        return real(self, rel)

    monkeypatch.setattr(Project, "read", noted)
    return found


def asked(root: Path, *words: str, last: int = 12) -> indexes.Index:
    made = Book(Project(str(root)))
    found = index.of_words(made, words, last)
    for path, data in made.learnt.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_bytes(data)
    return found


def test_a_known_word_reads_no_chapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "SETTLED_NS", -(10**12))
    made = book(tmp_path, 12)
    asked(made.root, "沈渡")
    read = reads(monkeypatch)
    assert len(asked(made.root, "沈渡").entries) == 12 and read == []
    made.write(layout.chapter(7), "# 第 7 章 改过\n\n没有他。\n")
    assert 7 not in indexes.chapters_of(asked(made.root, "沈渡"), ["沈渡"])
    assert read == [layout.chapter(7)]
    asked(made.root, "新来的人")
    assert len(read) == 13


def test_a_young_file_is_read_again_and_its_words_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = book(tmp_path, 12)
    first = asked(made.root, "沈渡")
    assert {one.signature for one in first.entries.values()} == {""}
    read = reads(monkeypatch)
    assert asked(made.root, "沈渡") == first and len(read) == 12


def test_a_text_that_is_none_has_no_entry_or_no_words(tmp_path: Path) -> None:
    made = book(tmp_path, 12)
    made.drop(layout.chapter(3))
    made.drop(layout.chapter(4))
    made.at(layout.chapter(4)).mkdir()
    made.write(layout.chapter(5), b"\xff\xfe")
    found = asked(made.root, "沈渡")
    assert {3, 4}.isdisjoint(found.entries) and 5 in found.entries
    assert {3, 4, 5}.isdisjoint(indexes.chapters_of(found, ["沈渡"]))


def test_a_name_in_the_authors_comment_is_none(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    data = "# 第 1 章\n\n水声。\n\n<!-- 沈渡还没有出场 -->\n".encode()
    shelf.write(1, data)
    read = Book(shelf.project)
    assert list(indexes.chapters_of(index.of_words(read, ["沈渡", "水声"], 1), ["沈渡"])) == []
    shelf.keep(read.learnt)
    landed = Book(shelf.project)
    index.note_landing(landed, 2, data)
    shelf.keep(landed.learnt)
    shelf.write(2, data)
    found = index.of_words(Book(shelf.project), ["沈渡", "水声"], 2)
    assert list(indexes.chapters_of(found, ["沈渡"])) == []
    assert list(indexes.chapters_of(found, ["水声"])) == [1, 2]
