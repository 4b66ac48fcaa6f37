"""`novel export`: what is asked for, where it lies, nothing but landed text, the same bytes again."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from copying import copied
from crash import killpoints

from novel_hooks import layout
from novel_hooks.flows.publication import export

FILE = "exports/十三渡.txt"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """Five landed chapters in volumes of three; the third has a prologue in its file."""
    made = book(tmp_path_factory.mktemp("written"), 5, 3)
    text = made.at(layout.chapter(3)).read_text("utf-8")
    made.write(layout.chapter(3), f"# 楔子\n\n古时候。\n\n{text}")
    outline = made.at(layout.outline(2)).read_text("utf-8")
    made.write(layout.outline(2), outline.replace("# 第 2 卷", "# 第 2 卷：渡河"))
    return made


@pytest.fixture
def made(written: Book, tmp_path: Path) -> Book:
    return copied(written, tmp_path / "book")


def text(made: Book, *argv: str) -> str:
    made.ok("export", *argv, "--yes")
    return made.at(FILE).read_text("utf-8")


def headings(written: str) -> list[str]:
    return [line for line in written.split("\n") if line[:1] in ("第", "楔") and len(line) < 20]


def test_the_whole_book_with_its_volumes(made: Book) -> None:
    first, rest = text(made).split("\n\n\n", 1)
    assert first == "十三渡"
    names = [f"第 {n} 章 第{n}趟船" for n in range(1, 6)]
    assert headings(rest) == ["第 1 卷", *names[:2], "楔子", names[2], "第 2 卷 渡河", *names[3:]]


def test_only_landed_text(made: Book) -> None:
    made.stage("drafted")
    made.write(layout.staged(layout.chapter(6)), "# 第 6 章\n\n还没写完。\n")
    made.write(layout.chapter(7), "# 第 7 章\n\n不是入库的。\n")
    shown = text(made)
    assert "还没写完" not in shown
    assert "不是入库的" not in shown
    assert "storyline" not in shown


@pytest.mark.parametrize(
    ("options", "chapters"),
    [
        (["--chapters", "2-3,5"], [2, 3, 5]),
        (["--chapters", "第2章～第3章"], [2, 3]),
        (["--volumes", "2"], [4, 5]),
        (["--volumes", "1-2", "--chapters", "3-4"], [3, 4]),
    ],
)
def test_ranges_and_volumes(made: Book, options: list[str], chapters: list[int]) -> None:
    assert made.ok("export", *options, "--yes")["chapters"] == chapters


@pytest.mark.parametrize(
    ("options", "so"),
    [
        (["--chapters", "4-6"], "第 6 章还没有入库：现在写到第 5 章"),
        (["--chapters", "1,6"], "第 6 章还没有入库：现在写到第 5 章"),
        (["--chapters", "3-99"], "这本书没有第 99 章：写到第 5 章，大纲排到第 6 章"),
        (["--volumes", "9"], "这本书没有第 9 卷：现在只到第 2 卷"),
        (["--volumes", "1-3"], "这本书没有第 3 卷：现在只到第 2 卷"),
        (["--volumes", "1", "--chapters", "4-5"], "--chapters 的那些章不在 --volumes 的那些卷里"),
    ],
)
def test_a_part_that_is_not_there_is_refused_with_what_is_so(made: Book, options: list[str], so: str) -> None:
    assert made.refused(3, "EXPORT_NOTHING", "export", *options, "--yes").message == so


def test_a_volume_that_is_only_planned_is_refused(made: Book) -> None:
    made.point(last_completed_chapter=3)
    told = made.refused(3, "EXPORT_NOTHING", "export", "--volumes", "2", "--yes")
    assert told.message == "第 2 卷还没有入库的章：现在写到第 3 章"


def test_a_book_without_chapters_is_refused(tmp_path: Path) -> None:
    book(tmp_path, 0).refused(3, "EXPORT_NOTHING", "export", "--yes")


@pytest.mark.parametrize("kind", ["txt", "markdown", "epub", "word"])
def test_the_same_book_gives_the_same_bytes(made: Book, kind: str) -> None:
    place = Path(made.ok("export", kind, "--yes")["place"])
    first = place.read_bytes()
    again = made.ok("export", kind, "--yes")
    assert again["changed"] is False
    place.unlink()
    made.ok("export", kind, "--yes")
    assert place.read_bytes() == first
    assert len(made.names("exports")) == 1


def test_nothing_is_written_before_a_yes(made: Book) -> None:
    asked = ("export", "epub", "--author", "某 某", "--chapters", "1-3")
    refused = made.refused(3, "CONFIRMATION_NEEDED", *asked)
    assert "`novel export epub --chapters 1-3 --author '某 某' --yes`" in refused.fix
    shown = made.novel("export")
    assert shown.exit == 3
    assert "第 1–5 章（5 章）" in shown.text


def test_one_file_a_chapter(made: Book) -> None:
    found = made.ok("export", "--split", "--yes")
    assert found["files"] == 6
    names = ["001 第1趟船.txt", "002 第2趟船.txt", "003 楔子.txt", "003-2 第3趟船.txt", "004 第4趟船.txt"]
    assert made.names("exports/十三渡") == sorted([*names, "005 第5趟船.txt"])
    made.point(last_completed_chapter=4)
    made.ok("export", "--split", "--yes")
    assert made.names("exports/十三渡") == sorted(names)


def test_a_folder_with_other_files_is_not_touched(made: Book, tmp_path: Path) -> None:
    place = tmp_path / "别的"
    place.mkdir()
    (place / "照片.jpg").write_bytes(b"x")
    made.refused(3, "EXPORT_PLACE", "export", "--split", "--to", str(place), "--yes")
    assert (place / "照片.jpg").exists()


def test_the_books_own_folders_are_no_place(made: Book) -> None:
    made.refused(3, "EXPORT_PLACE", "export", "--to", str(made.at("chapters/一.txt")), "--yes")


def test_the_ending_says_the_format_and_a_folder_takes_the_usual_name(made: Book, tmp_path: Path) -> None:
    made.ok("export", "--to", str(tmp_path / "a" / "书.epub"), "--yes")
    assert zipfile.is_zipfile(tmp_path / "a" / "书.epub")
    made.ok("export", "--to", str(tmp_path / "a"), "--yes")
    assert (tmp_path / "a" / "十三渡.txt").is_file()


@pytest.mark.parametrize(
    "options",
    [
        ["epub", "--split"],
        ["word", "--preset", "起点"],
        ["--cover", "a.png"],
        ["word", "--vertical"],
        ["--author", "某"],
        ["--chapters", "5-3"],
        ["--chapters", ","],
        ["pdf"],
    ],
)
def test_options_that_do_not_fit(made: Book, options: list[str]) -> None:
    made.refused(2, "CLI_USAGE", "export", *options, "--yes")


def test_a_cover(made: Book, tmp_path: Path) -> None:
    image = tmp_path / "面.png"
    made.refused(3, "EXPORT_COVER", "export", "epub", "--cover", str(image), "--yes")
    image.write_bytes(b"GIF89a")
    made.refused(3, "EXPORT_COVER", "export", "epub", "--cover", str(image), "--yes")
    image.write_bytes(b"\x89PNG\r\n\x1a\nxx")
    place = made.ok("export", "epub", "--cover", str(image), "--vertical", "--author", "某", "--yes")["place"]
    with zipfile.ZipFile(place) as read:
        assert read.read("EPUB/cover.png") == image.read_bytes()


def test_a_control_character_is_refused_where_none_can_be(made: Book) -> None:
    made.write(layout.chapter(2), "# 第 2 章\n\n他\x0b来了。\n")
    refused = made.refused(3, "EXPORT_MARK", "export", "epub", "--yes")
    assert "U+000B" in refused.message
    made.ok("export", "--yes")


def test_a_lost_text_is_refused(made: Book) -> None:
    made.drop(layout.chapter(2))
    made.refused(5, "LANDED_TEXT_GONE", "export", "--yes")


@killpoints.shares(3)
@pytest.mark.parametrize("options", [["epub"], ["--split"]])
def test_an_export_killed_anywhere(
    made: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: int | None, options: list[str]
) -> None:
    killpoints.still(monkeypatch)
    made.ok("export", *options, "--yes")
    old = {name: made.tree()[name] for name in made.tree() if name.startswith("exports/")}
    made.write(layout.chapter(2), "# 第 2 章 改了\n\n他来了。\n")
    run = killpoints.Run(made, tmp_path, lambda one: one.novel("export", *options, "--yes"))
    new = exports(run.through)
    assert new != old
    for number in killpoints.spread(run.points, share):
        killed = run.killed(number)
        shown = {name: mark for name, mark in exports(killed).items() if ".novel-tmp-" not in name}
        assert shown in ({}, old, new), run.where(number)
        killed.ok("export", *options, "--yes")
        left = {name for name in exports(killed) if ".novel-tmp-" not in name}
        assert left == set(new), run.where(number)


def exports(made: Book) -> dict[str, str]:
    return {name: mark for name, mark in made.tree().items() if name.startswith("exports/")}


@pytest.mark.parametrize("option", [(), ("--split",)])
def test_a_link_is_no_place_for_an_export(made: Book, tmp_path: Path, option: tuple[str, ...]) -> None:
    (tmp_path / "真").mkdir()
    (tmp_path / "真.txt").write_text("原来的", encoding="utf-8")
    link = tmp_path / "链接.txt"
    link.symlink_to(tmp_path / ("真" if option else "真.txt"))
    assert "那里是链接或特殊文件" in str(
        made.novel("export", *option, "--to", str(link), "--yes").diagnostics[0]
    )
    assert link.is_symlink() and list((tmp_path / "真").iterdir()) == []
    assert (tmp_path / "真.txt").read_text("utf-8") == "原来的"


def test_a_book_without_a_name_is_told_how_to_have_one(made: Book) -> None:
    assert "还没有书名" not in made.novel("export").text
    made.novel("config", "--unset", "书名")
    assert "这本书还没有书名：`novel config 书名" in made.novel("export").text


@pytest.mark.parametrize(
    ("numbers", "told"),
    [((3,), "第 3 章"), ((3, 4, 5), "第 3–5 章"), ((3, 4, 5, 9, 11, 12), "第 3–5、9、11–12 章")],
)
def test_chapters_apart_are_not_told_as_one_range(numbers: tuple[int, ...], told: str) -> None:
    assert export.files_of(numbers) == told
