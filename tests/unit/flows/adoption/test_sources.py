"""Files of a book that moves in: which, in what order, and what cannot be read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from novel_hooks.errors import Problem
from novel_hooks.flows.adoption import sources
from novel_hooks.rules.manuscript.left_out import describe


def write(place: Path, text: str = "他来了。\n", encoding: str = "utf-8") -> str:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text.encode(encoding))
    return str(place)


def headed(folder: Path, *more: str) -> list[tuple[str, int | None, str | None]]:
    found = sources.read([str(folder), *more], None, None)
    return [(one.kind, one.number, one.title) for source in found.sources for one in source.pieces]


def test_a_folder_in_the_order_of_its_numbers(tmp_path: Path) -> None:
    names = ["第十章 癸", "第2章 乙", "001 甲", "楔子", "后记", "第十一章"]
    for name in names:
        write(tmp_path / f"{name}.txt")
    write(tmp_path / ".hidden.txt")
    write(tmp_path / "照片.jpg")
    assert headed(tmp_path) == [
        ("extra", None, "楔子"),
        ("chapter", 1, "甲"),
        ("chapter", 2, "乙"),
        ("chapter", 10, "癸"),
        ("chapter", 11, None),
        ("extra", None, "后记"),
    ]


def test_folders_are_volumes_in_order(tmp_path: Path) -> None:
    write(tmp_path / "第二卷" / "1.txt", "第一章 丙\n三。\n")
    write(tmp_path / "第一卷" / "2.txt", "第二章 乙\n二。\n")
    write(tmp_path / "第一卷" / "1.txt", "第一章 甲\n一。\n")
    write(tmp_path / "第一卷" / "3.txt", "第三章 丁\n三。\n")
    volumes = [("volume", 1, None), ("volume", 2, "上岸")]
    (tmp_path / "第二卷").rename(tmp_path / "第2卷 上岸")
    chapters = [("chapter", number, title) for number, title in ((1, "甲"), (2, "乙"), (3, "丁"), (1, "丙"))]
    expected = [volumes[0], *chapters[:3], volumes[1], chapters[3]]
    assert headed(tmp_path) == expected
    assert headed(tmp_path / "第2卷 上岸", str(tmp_path / "第一卷")) == expected


def test_a_line_with_the_number_of_another_file_is_text(tmp_path: Path) -> None:
    for number, title in ((1, "甲"), (2, "“走”"), (3, "丙"), (4, "丁")):
        said = "第1章 他念道" if number == 3 else "第4章 他念道"
        write(
            tmp_path / f"{number}.txt",
            f"第{number}章 {title}\n一。\n{said if number in (2, 3) else ''}\n二。\n",
        )
        write(
            tmp_path / "md" / f"{number}.md",
            f"# 第{number}章 {title}\n\n一。\n\n第{(number + 1) % 4 + 1}章 他念道\n\n二。\n",
        )
    titles = ["甲", "“走”", "丙", "丁"]
    found = sources.read([str(tmp_path / f"{n}.txt") for n in range(1, 5)], None, None)
    assert [one.title for source in found.sources for one in source.pieces] == titles
    assert found.left == ("第4章 他念道", "第1章 他念道")
    assert [title for _, _, title in headed(tmp_path / "md")] == titles
    write(tmp_path / "3.txt", "第3章 丙\n一。\n第4章 明天见……\n")
    assert [n for _, n, _ in headed(tmp_path / "3.txt", str(tmp_path / "4.txt"))] == [3, 4]
    write(tmp_path / "1.txt", "第1章 甲\n一。\n第2章 乙\n二。\n")
    assert [n for _, n, _ in headed(tmp_path / "1.txt", str(tmp_path / "3.txt"))] == [1, 2, 3]


def test_three_files_of_one_book_in_their_order(tmp_path: Path) -> None:
    for name, title in (("上", "甲"), ("中", "乙"), ("下", "丙")):
        write(tmp_path / f"渡河（{name}）.txt", f"第{'上中下'.index(name) + 1}章 {title}\n一。\n")
        write(tmp_path / "~$渡河.docx", "")
    assert [title for _, _, title in headed(tmp_path)] == ["甲", "乙", "丙"]


def test_files_that_are_named_and_not_numbered(tmp_path: Path) -> None:
    write(tmp_path / "夜雨.md")
    write(tmp_path / "渡河.md")
    assert {title for _, _, title in headed(tmp_path)} == {"夜雨", "渡河"}


def test_one_text_without_any_heading_is_no_chapter(tmp_path: Path) -> None:
    place = write(tmp_path / "书.txt")
    found = sources.read([place], None, None)
    assert [one.kind for one in found.sources[0].pieces] == ["front"]


def test_what_was_read_is_told(tmp_path: Path) -> None:
    place = write(tmp_path / "书.txt", "第一章 甲\n他从桥上走过来，没有说话。\n", "gb18030")
    (file,) = sources.read([place], None, None).files
    assert (file["name"], file["encoding"], file["begins"]) == ("书.txt", "gb18030", "第一章 甲")


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("没有.txt", None, "没有这个文件"),
        ("书.pdf", b"x", "不是 TXT"),
        ("书.txt", b"\xff\xff\xff", "第 0 个字节"),
        ("书.txt", "甲\ufffd".encode(), "第 3 个字节"),
        ("书.epub", b"x", "文件坏了"),
        ("书.docx", b"PK", "文件坏了"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(
    tmp_path: Path, name: str, data: bytes | None, said: str
) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(Problem) as wrong:
        sources.read([str(tmp_path / name)], None, None)
    assert name in str(wrong.value)
    assert said in str(wrong.value)


def test_all_that_cannot_be_read_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "1.txt").write_bytes(b"\xff\xff\xff")
    (tmp_path / "2.txt").write_bytes(b"\xff\xff\xff")
    with pytest.raises(Problem) as wrong:
        sources.read([str(tmp_path)], None, None)
    assert len(wrong.value.problems) == 2


def test_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="里面没有"):
        sources.read([str(tmp_path)], None, None)


@pytest.mark.parametrize("text", ["", " \n\u3000\r\n", "\ufeff\u200b\n"])
def test_files_without_a_word_are_told_as_such(tmp_path: Path, text: str) -> None:
    place, other = write(tmp_path / "书.txt", text), tmp_path / "卷"
    for number in (1, 2):
        write(other / f"第{number}章.md", text)
    for given in (place, str(other)):
        with pytest.raises(Problem) as wrong:
            sources.read([given], None, None)
        assert str(wrong.value).startswith(f"「{given}」搬不进来：里面没有文字")
    write(other / "第3章.md")
    assert [number for _, number, _ in headed(other)] == [1, 2, 3]


@pytest.mark.parametrize("kind", ["link", "lost link", "pipe"])
def test_what_is_no_file_itself_is_refused_by_name(tmp_path: Path, kind: str) -> None:
    place, elsewhere = tmp_path / "书" / "第2章.txt", write(tmp_path / "别处.txt")
    write(tmp_path / "书" / "第1章.txt")
    if kind == "pipe":
        os.mkfifo(place)
    else:
        place.symlink_to(elsewhere if kind == "link" else tmp_path / "没有.txt")
    for given in (place.parent, place):
        with pytest.raises(Problem, match="第2章\\.txt」搬不进来：它是链接或特殊文件"):
            sources.read([str(given)], None, None)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A book's own folder with files of the project's."""
    folder = tmp_path / "书" / "项目"
    for name in ("brief.md", "brief (1).md", "Brief.MD", "sensitive-words.txt", "README.md", "CLAUDE.md"):
        write(folder / name)
    for name in ("volumes/vol-01/outline.md", "chapters/chapter-001.md", "exports/旧.txt", "research/记.md"):
        write(folder / name)
    write(folder / ".novel" / "a.txt")
    return folder


def taken(own: Path, *paths: Path) -> list[str]:
    return [one.name for one in sources.read([str(path) for path in paths], None, None, str(own)).sources]


def test_what_lies_beside_the_projects_files_is_taken_by_the_folders_name(own: Path) -> None:
    write(own / "第2章.txt")
    write(own / "第1章 渡河.txt")
    assert taken(own, own) == ["第1章 渡河.txt", "第2章.txt"]


def test_one_folder_of_the_authors_in_the_book_is_taken(own: Path) -> None:
    write(own / "稿" / "第1章.txt")
    assert taken(own, own) == taken(own, own / "稿") == ["第1章.txt"]


def test_the_projects_own_files_are_no_manuscript(own: Path) -> None:
    with pytest.raises(Problem, match="没有你放进来的"):
        taken(own, own)
    with pytest.raises(Problem, match="这本书自己的文件夹在里面"):
        taken(own, own.parent)
    for name in (
        "brief.md",
        "brief (1).md",
        "volumes",
        "volumes/vol-01",
        "chapters/chapter-001.md",
        "README.md",
    ):
        with pytest.raises(Problem, match="它是这本书自己的文件"):
            taken(own, own / name)
    assert taken(own, own / "exports" / "旧.txt", own / "research") == ["旧.txt", "记.md"]


@pytest.mark.parametrize("names", [["甲.txt", "稿/乙.txt"], ["稿/甲.txt", "旧/乙.txt"]])
def test_what_may_be_one_or_the_other_is_asked(own: Path, names: list[str]) -> None:
    for name in names:
        write(own / name)
    with pytest.raises(Problem, match="看不出要搬哪一份"):
        taken(own, own)


@pytest.mark.parametrize("change", ["longer", "gone"])
def test_a_file_that_changes_while_it_is_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    place = Path(write(tmp_path / "书.txt", "第一章 甲\n一。\n"))
    read = sources.Project.read

    def meanwhile(project: sources.Project, rel: str) -> bytes | None:
        data = read(project, rel)
        place.unlink() if change == "gone" else write(place, "第一章 甲\n一。\n第二章 乙\n二。\n")
        return data

    monkeypatch.setattr(sources.Project, "read", meanwhile)
    with pytest.raises(Problem, match="它正在被别的程序写"):
        sources.read([str(place)], None, None)


def test_what_nobody_sees_is_left_out_and_counted(tmp_path: Path) -> None:
    text = "\ufeff第\u200b1章 渡\u200d口\n他\u200b来\u2060了。\u2028灯灭了。\n第2章 家\n👩\u200d👧 她说。\n"
    found = sources.read([write(tmp_path / "渡河.txt", text)], None, None)
    assert [(one.number, one.title) for one in found.sources[0].pieces] == [(1, "渡口"), (2, "家")]
    assert found.sources[0].text == "第1章 渡口\n他来了。\n灯灭了。\n第2章 家\n👩\u200d👧 她说。\n"
    assert describe(found.files[0]["left_out"]) == "看不见的字符 5 个（零宽空格一类）"


def test_a_file_name_is_read_without_what_nobody_sees(tmp_path: Path) -> None:
    for name in ("第\u200b10章 癸", "\u200b第2章 乙\u200b"):
        write(tmp_path / f"{name}.txt")
    assert headed(tmp_path) == [("chapter", 2, "乙"), ("chapter", 10, "癸")]


@pytest.mark.parametrize(
    ("name", "heads"),
    [
        ("012", [("chapter", 12, None)]),
        ("１２、夜雨", [("chapter", 12, "夜雨")]),
        ("第12章 夜雨", [("chapter", 12, "夜雨")]),
        ("旧稿2", [("front", None, None)]),
        ("2026旧稿", [("front", None, None)]),
    ],
)
def test_a_single_file_is_a_chapter_by_a_name_that_is_its_number(
    tmp_path: Path, name: str, heads: list[tuple[str, int | None, str | None]]
) -> None:
    assert headed(Path(write(tmp_path / f"{name}.txt"))) == heads
