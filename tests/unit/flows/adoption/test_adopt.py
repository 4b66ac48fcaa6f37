"""`novel adopt`: shown first, landed whole, nothing twice; what is exported comes back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from crash import killpoints

from novel_hooks import layout
from novel_hooks.cli.call import call
from novel_hooks.rules.manuscript import chapter_text


def empty(place: Path, name: str = "新") -> Book:
    found = call("init", [str(place / name), "--title", "十三渡", "--genre", "志怪"], {"NOVEL_OWNER": "x"})
    assert found.exit == 0, found
    return Book(place / name, 1)


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return empty(tmp_path)


def manuscript(first: int, last: int, title: str = "名") -> str:
    return "".join(
        f"第{n}章 {title}{n}\n\n　　他第{n}次来了。\n\n　　她走了。\n\n" for n in range(first, last + 1)
    )


@pytest.fixture
def written(tmp_path: Path) -> str:
    place = tmp_path / "书.txt"
    place.write_bytes(("书名\n简介。\n\n" + manuscript(1, 4)).replace("\n", "\r\n").encode("gb18030"))
    return str(place)


def test_it_is_shown_before_anything_is_written(made: Book, written: str) -> None:
    refused = made.refused(3, "CONFIRMATION_NEEDED", "adopt", written)
    assert refused.fix.startswith("确认要做的话，请运行 `novel adopt ")
    found = made.novel("adopt", written)
    assert "按 gb18030 读" in found.text
    assert "第 4 章 名4" in found.text
    assert [one["number"] for one in found.data["chapters"]] == [1, 2, 3, 4]


def test_all_of_it_lands(made: Book, written: str) -> None:
    assert made.ok("adopt", written, "--yes")["changed"]
    assert made.point()["last_completed_chapter"] == 4
    assert made.point()["current_volume"] == 2
    text = made.at(layout.chapter(2)).read_text("utf-8")
    assert text == "# 第 2 章 名2\n\n　　他第2次来了。\n\n　　她走了。\n"
    assert "简介。" in made.at("research/搬进来的书.md").read_text("utf-8")
    assert len(made.names(layout.STYLE_SAMPLES)) == 3
    assert "### 第 4 章: 名4\n" in made.at(layout.outline(1)).read_text("utf-8")
    assert made.next()["step"] == "setup:brief"
    assert made.ok("doctor")["sound"]


def test_the_same_source_is_known(made: Book, written: str) -> None:
    made.ok("adopt", written, "--yes")
    before = made.tree()
    assert made.ok("adopt", written, "--yes")["changed"] is False
    assert made.ok("adopt", written)["changed"] is False
    assert made.changed(before) == {}


def test_a_second_batch_goes_on(made: Book, written: str, tmp_path: Path) -> None:
    made.ok("adopt", written, "--yes")
    second = tmp_path / "续.txt"
    second.write_text(manuscript(5, 6), encoding="utf-8")
    assert [one["number"] for one in made.ok("adopt", str(second), "--yes")["chapters"]] == [5, 6]
    outline = made.at(layout.outline(1)).read_text("utf-8")
    assert outline.count("### 第") == 6
    assert made.point()["current_volume"] == 2
    third = tmp_path / "第二卷.txt"
    third.write_text("第二卷 上岸\n" + manuscript(1, 2, "岸"), encoding="utf-8")
    assert made.ok("adopt", str(third), "--yes")["chapters"][0]["volume"] == 2
    assert made.point()["last_completed_chapter"] == 8
    assert made.point()["current_volume"] == 3


def test_a_text_before_a_later_batch_is_not_lost(made: Book, written: str, tmp_path: Path) -> None:
    made.ok("adopt", written, "--yes")
    second = tmp_path / "续.txt"
    second.write_text("下半部\n又一段简介。\n" + manuscript(5, 6), encoding="utf-8")
    made.ok("adopt", str(second), "--yes")
    assert made.at("research/搬进来的书-005-书前.md").read_text("utf-8") == "下半部\n又一段简介。\n"


def test_a_grown_file_lands_what_is_new(made: Book, written: str, tmp_path: Path) -> None:
    made.ok("adopt", written, "--yes")
    grown = tmp_path / "长.txt"
    grown.write_text(manuscript(1, 6), encoding="utf-8")
    found = made.ok("adopt", str(grown), "--yes")
    assert ([one["number"] for one in found["chapters"]], found["known"]) == ([5, 6], 4)


def test_a_chapter_that_moved_in_with_what_nobody_sees_is_the_same(
    made: Book, written: str, tmp_path: Path
) -> None:
    made.ok("adopt", written, "--yes")
    path = layout.chapter(2)
    made.write(path, made.at(path).read_text("utf-8").replace("他", "他\u200b"))
    grown = tmp_path / "长.txt"
    grown.write_text(manuscript(1, 5).replace("她", "她\u2060"), encoding="utf-8")
    found = made.ok("adopt", str(grown), "--yes")
    assert ([one["number"] for one in found["chapters"]], found["known"]) == ([5], 4)
    assert "\u2060" not in made.at(layout.chapter(5)).read_text("utf-8")


VOLUMES = f"楔子\n从前。\n第一卷 渡河\n{manuscript(1, 4)}第二卷 上岸\n{manuscript(1, 2, '岸')}"


@pytest.mark.parametrize(
    ("grown", "fresh", "known"),
    [
        (VOLUMES + manuscript(3, 3, "新"), [(7, 2)], 6),
        (f"{VOLUMES}第三卷 回灯\n{manuscript(1, 1, '新')}", [(7, 3)], 6),
        (f"第二卷 上岸\n{manuscript(1, 2, '岸')}{manuscript(3, 3, '新')}", [(7, 2)], 2),
        (manuscript(1, 2, "岸") + manuscript(3, 3, "新"), [(7, 2)], 2),
        (manuscript(2, 2, "岸") + manuscript(3, 3, "新"), [(7, 2)], 1),
        (VOLUMES, [], 6),
    ],
    ids=["longer", "new volume", "headed", "bare volume", "within a volume", "same"],
)
def test_a_file_that_has_grown_is_known_where_volumes_begin_at_one(
    made: Book, tmp_path: Path, grown: str, fresh: list[tuple[int, int]], known: int
) -> None:
    place = tmp_path / "书.txt"
    place.write_text(VOLUMES, encoding="utf-8")
    made.ok("adopt", str(place), "--yes")
    other = tmp_path / "长.txt"
    other.write_text(grown, encoding="gb18030")
    found = made.ok("adopt", str(other), "--yes")
    assert [(one["number"], one["volume"]) for one in found["chapters"]] == fresh
    assert (found["known"], found["changed"]) == (known, bool(fresh))


def test_a_changed_chapter_of_a_known_volume_is_named_by_its_number_in_the_book(
    made: Book, tmp_path: Path
) -> None:
    place = tmp_path / "书.txt"
    place.write_text(VOLUMES, encoding="utf-8")
    made.ok("adopt", str(place), "--yes")
    for text, said in (
        (VOLUMES.replace("从前", "早先"), "第 1 章书里已经有了"),
        (f"第二卷 上岸\n{manuscript(2, 3, '别')}", "它的第 2 章是书里的第 6 章，已经有了"),
    ):
        place.write_text(text, encoding="utf-8")
        assert said in made.refused(3, "ADOPT_CONFLICT", "adopt", str(place), "--yes").message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (manuscript(3, 5, "别"), "第 3 章书里已经有了"),
        (manuscript(6, 7), "它从第 6 章开始，上一批只到第 4 章"),
    ],
)
def test_a_batch_that_does_not_join_is_refused(
    made: Book, written: str, tmp_path: Path, text: str, said: str
) -> None:
    made.ok("adopt", written, "--yes")
    other = tmp_path / "别.txt"
    other.write_text(text, encoding="utf-8")
    assert said in made.refused(3, "ADOPT_CONFLICT", "adopt", str(other), "--yes").message


@pytest.mark.parametrize(("first", "batch"), [(101, (99, 100)), (101, (3, 4)), (1, (0, 1))])
def test_a_batch_that_begins_before_the_book_is_refused(
    made: Book, tmp_path: Path, first: int, batch: tuple[int, int]
) -> None:
    place = tmp_path / "书.txt"
    place.write_text(manuscript(first, first + 2), encoding="utf-8")
    made.ok("adopt", str(place), "--yes")
    place.write_text(manuscript(*batch, "别"), encoding="utf-8")
    told = made.refused(3, "ADOPT_CONFLICT", "adopt", str(place), "--yes")
    assert f"它从第 {batch[0]} 章开始，比书里的第一章还早" in told.message
    assert made.point()["last_completed_chapter"] == 3


@pytest.mark.parametrize(
    ("setting", "name"), [("章号", "chapter-002.md"), ("章名", "第002章 我的.md"), (None, "chapter-002.md")]
)
def test_a_text_that_nobody_has_landed_is_not_written_over(
    made: Book, written: str, setting: str | None, name: str
) -> None:
    """It may be the only copy. What is there word for word is no obstacle."""
    if setting is not None:
        made.ok("config", "文件名", setting)
    place = made.root / "chapters" / name
    place.parent.mkdir(exist_ok=True)
    place.write_text("只有这里有。\n", "utf-8")
    told = made.refused(3, "ADOPT_CONFLICT", "adopt", written, "--yes")
    assert f"chapters/{name} 却已经在了" in told.message and made.names("chapters") == [name]
    place.write_text("# 第 2 章 名2\n\n　　他第2次来了。\n\n　　她走了。\n", "utf-8")
    made.ok("adopt", written, "--yes")


def test_a_book_that_has_chapters_of_its_own_is_no_place(tmp_path: Path, written: str) -> None:
    made = book(tmp_path, 1)
    made.refused(3, "ADOPT_NOT_NOW", "adopt", written, "--yes")


def test_a_text_without_headings_is_refused(made: Book, tmp_path: Path) -> None:
    place = tmp_path / "书.txt"
    place.write_text("1、夜雨\n他来了。\n2、渡河\n她走了。\n", encoding="utf-8")
    made.refused(3, "ADOPT_NO_CHAPTERS", "adopt", str(place), "--yes")
    told = made.refused(3, "ADOPT_PATTERN", "adopt", str(place), "--pattern", "(", "--yes")
    assert "从第 1 个字起读不通" in told.message
    found = made.ok("adopt", str(place), "--pattern", r"^(\d+)、(.*)$", "--yes")
    assert [one["title"] for one in found["chapters"]] == ["夜雨", "渡河"]


def test_notes_to_readers_are_kept_unless_he_drops_them(made: Book, tmp_path: Path) -> None:
    place = tmp_path / "书.txt"
    place.write_text("第一章\n他来了。\n\n求月票！\n", encoding="utf-8")
    assert "--drop-notes" in made.novel("adopt", str(place)).text
    made.ok("adopt", str(place), "--drop-notes", "--yes")
    assert made.at(layout.chapter(1)).read_text("utf-8") == "# 第 1 章\n\n他来了。\n"


ODD = ["A/B:C?", "CON", "一个点.", "“灯🏮市”", "长" * 80, "lamp", "Lamp", "e\u0301", "é"]


VERSE = {
    3: "> 城东柳巷\n> 沈渡 收\n>\n> 盼早归\n\n> 又及\n\n雨停了。\n",
    4: "一行灯火  \n二行雨  \n三行人\n\n雨停了。\n",
}
"""Lines that belong together, in both ways of marking them."""


def original(place: Path) -> Book:
    """A book with side stories, changes of scene, volumes and titles that are no file names."""
    made = book(place, 9, 5, "旧")
    made.write(layout.outline(2), "# 第 2 卷：谁在敲门？\n\n### 第 6 章: x\n")
    for number, title in enumerate(ODD, 1):
        body = f"他第{number}次来了。\n\n“走。”\n\n{VERSE.get(number, '')}\n第二天，雨停了。"
        made.write(layout.chapter(number), f"# 第 {number} 章 {title}\n\n{body}\n")
    front = "# 楔子 《序曲》\n\n古时候。\n\n"
    made.write(
        layout.chapter(1),
        front + made.at(layout.chapter(1)).read_text("utf-8") + "\n# 番外 灯市\n\n灯。\n",
    )
    return made


def sections(made: Book) -> list[Any]:
    texts = [made.at(layout.chapter(n)).read_text("utf-8") for n in range(1, 10)]
    return [chapter_text.parse(text, number) for number, text in enumerate(texts, 1)]


@pytest.mark.parametrize(
    "options", [["txt"], ["markdown"], ["epub"], ["word"], ["txt", "--split"], ["markdown", "--split"]]
)
def test_what_is_exported_moves_in_as_it_was(tmp_path: Path, options: list[str]) -> None:
    old, new = original(tmp_path), empty(tmp_path)
    place = old.ok("export", *options, "--yes")["place"]
    found = new.ok("adopt", place, "--yes")
    assert len(found["chapters"]) == 9
    assert sections(new) == sections(old)
    assert any("\n" in one for one in sections(new)[3][0].paragraphs)
    if options == ["txt"]:
        assert all(
            new.at(layout.chapter(n)).read_bytes() == old.at(layout.chapter(n)).read_bytes()
            for n in range(1, 10)
        )
    assert found["volumes"] == [{"number": 1, "title": None}, {"number": 2, "title": "谁在敲门？"}]


@killpoints.shares(4)
def test_killed_anywhere_and_said_again(
    tmp_path: Path, written: str, monkeypatch: pytest.MonkeyPatch, share: int | None
) -> None:
    killpoints.still(monkeypatch)
    run = killpoints.Run(empty(tmp_path), tmp_path / "k", lambda made: made.novel("adopt", written, "--yes"))
    assert run.through.point()["last_completed_chapter"] == 4
    assert {left for left, _ in run.said_again(share)} <= {"old", "pending", "new"}


def test_chapters_that_moved_in_are_told_as_such_and_not_as_unjudged(made: Book, written: str) -> None:
    made.ok("adopt", written, "--yes")
    assert [one["adopted"] for one in made.ok("status")["recent"]] == [True] * 4
    shown = made.novel("status").text
    assert "搬进来的，没有评审" in shown and "没有评分" not in shown
    assert "export" in [one["key"] for one in made.ok("status")["menu"]]
    made.refused(1, "EVALUATION_ADOPTED", "gate", "2")
    rows = made.ok("report")["chapters"]
    assert {(row["adopted"], row["gate"]) for row in rows} == {(True, "搬进来的，没有评审")}


def test_a_damaged_record_of_the_move_costs_the_status_no_block(made: Book, written: str) -> None:
    made.ok("adopt", written, "--yes")
    made.write(layout.ADOPTION, b"{")
    found = made.novel("status")
    assert [one["adopted"] for one in found.data["recent"]] == [False] * 4
    assert "OWN_FILE_BROKEN" in [one.code for one in found.diagnostics]


def test_without_a_name_what_lies_in_the_books_folder_moves_in(made: Book) -> None:
    made.refused(3, "ADOPT_REFUSED", "adopt", "--yes")
    made.write("旧稿.txt", manuscript(1, 2).encode())
    assert made.refused(3, "CONFIRMATION_NEEDED", "adopt").fix.count("`novel adopt --yes`") == 1
    assert len(made.ok("adopt", "--yes")["chapters"]) == 2
    assert made.at("旧稿.txt").exists()


def test_the_preview_names_the_volumes_and_headings_that_look_like_a_sentence(
    made: Book, tmp_path: Path
) -> None:
    place = tmp_path / "书.txt"
    place.write_text(VOLUMES.replace("第3章 名3", "第3章 “走”"), encoding="utf-8")
    found = made.novel("adopt", str(place))
    assert "\n第 1 卷 渡河：第 1–4 章\n第 2 卷 上岸：第 5–6 章\n" in found.text
    assert "当作标题的有 1 行，如「第3章 “走”」" in found.text
    assert found.data["faint"] == ["第3章 “走”"] and found.data["left"] == []
    place.write_text(manuscript(1, 1), encoding="utf-8")
    shown = made.novel("adopt", str(place)).text
    assert "搬进 1 章（第 1 章），1 卷" in shown and "第 1 卷：" not in shown


def test_the_headings_that_came_along_are_no_residue(made: Book, tmp_path: Path) -> None:
    place = tmp_path / "书.txt"
    place.write_text(f"{VOLUMES}番外 灯市\n灯亮了。\n", encoding="utf-8")
    made.ok("adopt", str(place), "--yes")
    texts = [made.at(layout.chapter(n)).read_text("utf-8") for n in (1, 6)]
    assert [text.count("\n# ") for text in texts] == [1, 1]
    for number in (1, 6):
        assert "CHAPTER_RESIDUE" not in [one.code for one in made.novel("lint", str(number)).diagnostics]
