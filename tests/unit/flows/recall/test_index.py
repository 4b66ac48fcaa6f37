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
from novel_hooks.rules.recall.index import Entry
from novel_hooks.store.fence import marks, seal
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
            if not (self.root / path).is_dir():  # `handout.learnt_changes` leaves such a cache out
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
        found = index.NameIndex(made, sorted(words), self.last)
        for word in words:
            texts = {n: self.project.read(layout.chapter(n)) or b"" for n in range(1, self.last + 1)}
            scanned = [n for n, data in texts.items() if word.encode() in data]
            assert list(found.chapters_of([word], newest_first=True)) == scanned[::-1]
            assert list(found.chapters_of([word])) == scanned
        found.learn()
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
        patched.setattr(marks, "SETTLED_NS", -(10**12))  # every stat is relied on at once
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


def asked(root: Path, *words: str, last: int = 12) -> dict[int, tuple[Entry | None, bool]]:
    """Each chapter's entry, and whether it holds one of the words; what was learnt is kept."""
    made = Book(Project(str(root)))
    names = index.NameIndex(made, words, last)
    holding = set(names.chapters_of(words))
    found = {n: (names.entry(n), n in holding) for n in range(1, last + 1)}
    names.learn()
    for path, data in made.learnt.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_bytes(data)
    return found


def test_a_known_word_reads_no_chapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks, "SETTLED_NS", -(10**12))
    made = book(tmp_path, 12)
    asked(made.root, "沈渡")
    read = reads(monkeypatch)
    assert all(entry for entry, _ in asked(made.root, "沈渡").values()) and read == []
    made.write(layout.chapter(7), "# 第 7 章 改过\n\n没有他。\n")
    assert not asked(made.root, "沈渡")[7][1]
    assert read == [layout.chapter(7)]
    asked(made.root, "新来的人")
    assert len(read) == 13


def test_only_what_is_asked_for_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest chapters that name somebody are found at the same cost in a book of any length."""
    monkeypatch.setattr(marks, "SETTLED_NS", -(10**12))
    made = book(tmp_path, 12)
    for chapter in (2, 9):
        made.write(layout.chapter(chapter), f"# 第 {chapter} 章 夜渡\n\n独眼渔夫在。\n")
    looked: list[int] = []
    real = index._mark

    def noted(project: Project, chapter: int, newest: int) -> str:
        looked.append(chapter)
        return real(project, chapter, newest)

    monkeypatch.setattr(index, "_mark", noted)
    read = reads(monkeypatch)
    begun = Book(Project(str(made.root)))
    names = index.NameIndex(begun, ["独眼渔夫"], 12)
    assert next(names.chapters_of(["独眼渔夫"], newest_first=True)) == 9
    assert next(names.chapters_of(["独眼渔夫"])) == 2
    names.learn()
    assert looked == [12, 11, 10, 9, 1, 2]
    assert read == [layout.chapter(n) for n in looked]
    listed = indexes.parse(seal.parse_lines(begun.learnt[layout.RECALL], index._FORMAT) or [])
    assert listed is not None and sorted(listed.lines) == sorted(looked)


def test_a_chapter_that_was_not_asked_for_is_searched_for_the_new_words_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(marks, "SETTLED_NS", -(10**12))
    made = book(tmp_path, 12)
    made.write(layout.chapter(3), "# 第 3 章 夜渡\n\n沈渡和独眼渔夫在。\n")
    made.write(layout.chapter(12), "# 第 12 章 夜渡\n\n沈渡和独眼渔夫在。\n")
    asked(made.root, "沈渡")
    begun = Book(Project(str(made.root)))
    names = index.NameIndex(begun, ["独眼渔夫"], 12)
    assert next(names.chapters_of(["独眼渔夫"], newest_first=True)) == 12
    names.learn()
    made.write(layout.RECALL, begun.learnt[layout.RECALL])
    read = reads(monkeypatch)
    found = asked(made.root, "独眼渔夫")
    assert [n for n, (_, held) in found.items() if held] == [3, 12]
    assert layout.chapter(12) not in read and len(read) == 11
    assert {entry.words for entry, _ in found.values() if entry} == {2}


def test_a_young_file_is_read_again_and_its_words_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = book(tmp_path, 12)
    first = asked(made.root, "沈渡")
    assert {entry.signature for entry, _ in first.values() if entry} == {""}
    read = reads(monkeypatch)
    assert asked(made.root, "沈渡") == first and len(read) == 12


def test_a_text_that_is_none_has_no_entry_or_no_words(tmp_path: Path) -> None:
    made = book(tmp_path, 12)
    made.drop(layout.chapter(3))
    made.drop(layout.chapter(4))
    made.at(layout.chapter(4)).mkdir()
    made.write(layout.chapter(5), b"\xff\xfe")
    found = asked(made.root, "沈渡")
    assert (found[3], found[4]) == ((None, False), (None, False))
    assert found[5][0] is not None and not found[5][1]


def test_a_name_in_the_authors_comment_is_none(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    data = "# 第 1 章\n\n水声。\n\n<!-- 沈渡还没有出场 -->\n".encode()
    shelf.write(1, data)
    read = Book(shelf.project)
    names = index.NameIndex(read, ["沈渡", "水声"], 1)
    assert list(names.chapters_of(["沈渡"])) == []
    names.learn()
    shelf.keep(read.learnt)
    landed = Book(shelf.project)
    index.note_landing(landed, 2, data)
    shelf.keep(landed.learnt)
    shelf.write(2, data)
    found = index.NameIndex(Book(shelf.project), ["沈渡", "水声"], 2)
    assert list(found.chapters_of(["沈渡"])) == []
    assert list(found.chapters_of(["水声"])) == [1, 2]
