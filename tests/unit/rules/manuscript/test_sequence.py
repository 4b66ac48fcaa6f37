"""Lines that look like headings, and headings that look like prose, in a text where nothing is marked."""

from __future__ import annotations

import pytest

from novel_hooks.rules.manuscript.pieces import take_apart
from novel_hooks.rules.manuscript.volume_headings import CHAPTER, EXTRA, VOLUME

LAYOUTS = {"flat": ("", "\n"), "empty lines": ("", "\n\n"), "indented": ("　　", "\n")}


def book(*heads: str, layout: str = "flat", prose: dict[str, str] | None = None) -> str:
    """A text of these chapters; `prose` is a line of its own within the chapter of that heading."""
    indent, gap = LAYOUTS[layout]
    parts = []
    for head in heads:
        lines = ["他从桥上走过来。", "她没有回头。", "雨下了一夜。", "没有人说话。"]
        lines[2:2] = [prose[head]] if prose and head in prose else []
        parts.append(head + gap + gap.join(indent + line for line in lines))
    return gap.join(parts) + "\n"


def numbers(text: str) -> list[int | None]:
    return [one.number for one in take_apart(text).pieces if one.kind == CHAPTER]


def chapters(*order: int) -> list[str]:
    return [f"第{n}章 名{n}" for n in order]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("said", [12, 3, 1, 10])
def test_a_line_of_prose_out_of_order_stays_in_its_chapter_and_is_told(layout: str, said: int) -> None:
    """Twelve chapters, or eight: the number that is spoken of has its place elsewhere, or none."""
    for count in (12, 8):
        if said == count + 1 or said > count + 2 == 12:
            continue
        line = f"第{said}章 他念道"
        text = book(*chapters(*range(1, count + 1)), layout=layout, prose={"第7章 名7": line})
        found = take_apart(text)
        assert numbers(text) == list(range(1, count + 1)), (count, said)
        assert found.left == (line,)


@pytest.mark.parametrize(
    "order",
    [
        (1, 2, 4, 5),
        (1, 2, 2, 3),
        (1, 2, 3, 1, 2, 3),
        (1, 2, 4, 3, 5),
        (1, 2, 30, 4, 5),
        (5, 6, 9, 10, 11),
        (1, 2, 3, 7),
        (7, 12),
        (1, 2, 12, 13, 3, 4),
        (8, 1, 2),
    ],
    ids=str,
)
def test_gaps_doubles_slips_and_restarts_are_chapters(order: tuple[int, ...]) -> None:
    text = book(*(f"第{n}章 名{at}" for at, n in enumerate(order)))
    assert numbers(text) == list(order)


def test_a_heading_that_is_set_as_the_others_are_is_believed() -> None:
    """A chapter of another number between two, indented prose around it: told by the preview as shifted."""
    heads = [*chapters(1, 2, 3, 4), "第2章 又一回", *chapters(5, 6)]
    assert numbers(book(*heads, layout="indented")) == [1, 2, 3, 4, 2, 5, 6]
    assert numbers(book(*heads)) == [1, 2, 3, 4, 5, 6]


def test_a_chapter_that_is_there_twice_is_a_double() -> None:
    assert numbers(book(*chapters(1, 2, 3, 2, 4))) == [1, 2, 3, 2, 4]


FAINT = ["“夜雨”", "初读《山海》", "等一等……", "暗流【求收藏】", "我来了。", "谁（上）？！”"]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("at", [1, 3, 5])
@pytest.mark.parametrize("title", FAINT)
def test_a_title_that_ends_as_a_sentence_is_one_where_its_number_is_the_next(
    title: str, at: int, layout: str
) -> None:
    heads = [f"第{n}章 {title}" if n == at else f"第{n}章 名{n}" for n in range(1, 6)]
    found = take_apart(book(*heads, layout=layout)).pieces
    assert [(one.number, one.title) for one in found][at - 1] == (at, title)
    assert len(found) == 5


def test_all_titles_may_end_so() -> None:
    assert numbers(book(*(f"第{n}章 “走{n}”" for n in range(3, 9)))) == list(range(3, 9))
    assert numbers("第37章《青玉案》\n\n他来了。\n") == [37]


@pytest.mark.parametrize(
    "line", ["第3章 “你看过。”", "第4章 他看完了……", "第2章《青玉案》", "第9章 没有人看。"]
)
def test_a_sentence_with_the_number_of_another_chapter_is_prose(line: str) -> None:
    text = book(*chapters(1, 2, 3, 4, 5), prose={"第3章 名3": line})
    assert numbers(text) == [1, 2, 3, 4, 5]


def test_a_sentence_of_the_next_number_within_a_paragraph_is_told() -> None:
    text = book(*chapters(1, 2, 3), layout="indented", prose={"第3章 名3": "第4章 明天见……"})
    found = take_apart(text)
    assert numbers(text) == [1, 2, 3]
    assert found.left == ("第4章 明天见……",)


def test_a_word_to_the_reader_at_the_books_end_is_no_chapter() -> None:
    note = "第5章 明天见……"
    found = take_apart(book(*chapters(1, 2, 3, 4), layout="empty lines") + f"\n{note}\n")
    assert [one.number for one in found.pieces] == [1, 2, 3, 4] and found.left == (note,)


def test_a_volume_and_a_side_story_may_end_so_too() -> None:
    text = (
        book(*chapters(1, 2), layout="indented")
        + "第二卷 谁在敲门？\n"
        + book(*chapters(3, 4), layout="indented")
    )
    text += "番外 他来了……\n　　灯。\n"
    kinds = [(one.kind, one.title) for one in take_apart(text).pieces]
    assert kinds[2] == (VOLUME, "谁在敲门？") and kinds[-1] == (EXTRA, "番外 他来了……")
    prose = book(*chapters(1, 2), prose={"第1章 名1": "第二卷 是谁写的？"})
    assert [one.kind for one in take_apart(prose).pieces] == [CHAPTER, CHAPTER]
    marked = "# 第二卷 谁在敲门？\n\n## 第1章 “走”\n\n他来了。\n\n## 番外 他来了……\n\n灯。\n"
    assert [one.kind for one in take_apart(marked, True).pieces] == [VOLUME, CHAPTER, EXTRA]
