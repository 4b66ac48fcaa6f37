"""Every verb that writes chapters, killed where files carry titles: no text is lost, doubled or half."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from crash import edited, killpoints, test_flows_kill, titled
from rewriting import write_chapter

from novel_hooks import layout
from novel_hooks.cli.call import call
from novel_hooks.flows.inventory import strays
from novel_hooks.store.files.project import Project

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def _retitled(made: Book) -> Book:
    text = made.at(layout.chapter(3))
    text.write_text(text.read_text("utf-8").replace("夜渡", "雨停"), "utf-8")
    return made


def _due(place: Path) -> Book:
    """A sync about to land, of a chapter whose heading the author has changed."""
    made = _retitled(edited.edited(place))
    made.ok("sync", "3", "--yes")
    made.records(base_state_version=2)
    made.ok("advance", "sync:003:summarize")
    made.judge(4.2)
    made.ok("advance", "sync:003:judge")
    return made


def _named(place: Path) -> Book:
    """A person in the heading of a landed chapter."""
    made = book(place, 1)
    write_chapter(made)
    text = made.at(layout.chapter(2))
    text.write_text(text.read_text("utf-8").replace("夜渡", "乔九夜渡"), "utf-8")
    made.ok("sync")
    made.ok("sync", "2", "--accept")
    assert made.names("chapters") == ["第001章 第1趟船.md", "第002章 乔九夜渡.md"]
    return made


def _plain(place: Path) -> Book:
    """The author wants no titles any more."""
    made = edited.edited(place)
    made.ok("config", "chapter_names", "章号")
    return made


def _manuscript(place: Path) -> Book:
    made = Book(place / "新", 1)
    assert call("init", [str(made.root), "--title", "雪"], {"NOVEL_OWNER": "x"}).exit == 0
    made.ok("config", "chapter_names", "title")
    (place / "书.txt").write_text("第一章 初雪\n\n雪停了。\n\n第二章 化雪\n\n雪化了。\n", encoding="utf-8")
    return made


FLOWS = test_flows_kill.CASES
CASES: dict[str, tuple[Callable[[Path], Book], tuple[str, ...], list[str]]] = {
    "commit": (*FLOWS["commit"], ["chapter-001.md", "第002章 夜渡.md", "第003章 夜渡.md"]),
    "rollback": (*FLOWS["rollback"], ["chapter-001.md", "chapter-002.md"]),
    "restore": (
        *FLOWS["restore"],
        ["chapter-001.md", "chapter-002.md", "第003章 夜渡.md", "第004章 夜渡.md", "第005章 夜渡.md"],
    ),
    "commit of a sync": (
        _due,
        ("commit", "--chapter", "3"),
        ["chapter-001.md", "第002章 夜渡.md", "第003章 雨停.md", "第004章 夜渡.md"],
    ),
    "accept": (
        lambda place: _retitled(edited.edited(place)),
        ("sync", "3", "--accept"),
        ["chapter-001.md", "第002章 夜渡.md", "第003章 雨停.md", "第004章 夜渡.md"],
    ),
    "sync": (
        lambda place: _retitled(edited.edited(place)),
        ("sync",),
        ["第001章 第1趟船.md", "第002章 夜渡.md", "第003章 雨停.md", "第004章 夜渡.md"],
    ),
    "sync to numbers": (
        _plain,
        ("sync",),
        ["chapter-001.md", "chapter-002.md", "chapter-003.md", "chapter-004.md"],
    ),
    "rename": (
        _named,
        ("rename", "乔九", "乔久安", "--text", "--yes"),
        ["第001章 第1趟船.md", "第002章 乔久安夜渡.md"],
    ),
    "adopt": (_manuscript, ("adopt", "{}/书.txt", "--yes"), ["第001章 初雪.md", "第002章 化雪.md"]),
}


@killpoints.shares(3)
@pytest.mark.parametrize("name", CASES)
def test_killed_anywhere_no_chapter_is_lost_doubled_or_half(
    name: str, share: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killpoints.still(monkeypatch)
    titled.begin(monkeypatch)
    build, argv, names = CASES[name]
    run = killpoints.Run(
        build(tmp_path), tmp_path, lambda made: made.ok(*(one.format(tmp_path) for one in argv))
    )
    assert run.through.names("chapters") == names
    before, after = _texts(run.fresh("before")), _texts(run.through)
    seen = set()
    for number in sorted({*killpoints.spread(run.points, share), *_between_two_names(run)}):
        made = run.killed(number)
        seen.add(run.left(made, number))
        shown, where = _shown(made), run.where(number)
        assert list(strays.problems(Project(str(made.root)))) == [], where
        assert shown in (before, after), where  # as it will be, and never two files for one chapter
        on_disk = {path.read_bytes() for path in made.root.glob("chapters/*.md")}
        assert set(before.values()) & set(after.values()) <= on_disk, where
        run.work(made)
        assert killpoints.tree(made) == run.new, where
        assert _texts(made) == after and made.names("chapters") == names, where
    assert seen >= {"old", "new"}


def _between_two_names(run: killpoints.Run) -> list[int]:
    """The first and the last point at which a text has its new name and the old one is there too."""
    removed = [
        number
        for number, (kind, where) in enumerate(run.points, 1)
        if kind == "os.remove"
        and where.rpartition("/")[0].endswith("book/chapters")
        and where.endswith(".md")
    ]
    return removed[:1] + removed[1:][-1:]


def _texts(made: Book) -> dict[int, bytes]:
    """Chapter → bytes, by the names on disk: each number once."""
    numbers = [layout.chapter_number(n) or layout.titled_chapter_number(n) for n in made.names("chapters")]
    assert len(set(numbers)) == len(numbers) and None not in numbers
    return {n: path.read_bytes() for n, path in zip(numbers, sorted(made.root.glob("chapters/*"))) if n}


def _shown(made: Book) -> dict[int, bytes]:
    """Chapter → bytes, as a command that only reads is shown them."""
    from novel_hooks.flows.session import pending_landing

    seen = pending_landing.after_landing(Project(str(made.root)))
    numbers = [layout.chapter_number(name) for name in seen.names("chapters") if not name.startswith(".")]
    return {n: seen.read(layout.chapter(n)) or b"" for n in numbers if n}
