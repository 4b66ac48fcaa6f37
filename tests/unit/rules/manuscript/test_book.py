"""Pieces bound to chapters: numbers, volumes, side stories, notes; what is odd."""

from __future__ import annotations

from novel_hooks.rules.manuscript.book import Assembled, Source, assemble, oddities
from novel_hooks.rules.manuscript.pieces import take_apart
from novel_hooks.rules.manuscript.volume_headings import Piece


def bound(*texts: str, first: int = 1, volume: int = 0, drop_notes: bool = False) -> Assembled:
    sources = [Source(f"{at}.txt", text, take_apart(text).pieces) for at, text in enumerate(texts)]
    return assemble(sources, first, volume, drop_notes)


def test_a_chapters_file() -> None:
    (one,) = bound("第一章 甲\n\n　　他来了。\n\n\n　　她走了。\n\n").chapters
    assert one.text == "# 第 1 章 甲\n\n　　他来了。\n\n\n　　她走了。\n"


def test_a_chapter_under_another_number() -> None:
    (one,) = bound("第一章 甲\n\n他念“# 第 1 章”。\n").chapters
    other = one.renumbered(7)
    assert (other.number, other.written) == (7, 1)
    assert other.text == "# 第 7 章 甲\n\n他念“# 第 1 章”。\n"


def test_numbers_go_on_over_volumes_that_begin_again() -> None:
    found = bound("第一卷 渡河\n第一章 甲\n一。\n第二章\n二。\n第二卷 上岸\n第一章 丙\n三。\n")
    assert [(one.number, one.written, one.volume) for one in found.chapters] == [
        (1, 1, 1),
        (2, 2, 1),
        (3, 1, 2),
    ]
    assert found.volumes == {1: "渡河", 2: "上岸"}
    assert found.chapters[2].text.startswith("# 第 3 章 丙\n")


def test_volumes_on_the_chapters_lines() -> None:
    found = bound("第一卷 渡河 第一章 甲\n一。\n第一卷 渡河 第二章 乙\n二。\n第二卷 上岸 第一章 丙\n三。\n")
    assert [one.volume for one in found.chapters] == [1, 1, 2]
    assert found.volumes == {1: "渡河", 2: "上岸"}


def test_side_stories_go_with_their_chapters() -> None:
    found = bound(
        "楔子\n古时候。\n第一章 甲\n一。\n番外 灯市\n灯。\n序章 又一卷\n序。\n第二章 乙\n二。\n后记\n谢。\n"
    )
    assert [one.text for one in found.chapters] == [
        "# 楔子\n\n古时候。\n\n# 第 1 章 甲\n\n一。\n\n# 番外 灯市\n\n灯。\n",
        "# 序章 又一卷\n\n序。\n\n# 第 2 章 乙\n\n二。\n\n# 后记\n\n谢。\n",
    ]
    assert found.chapters[0].extras == ("楔子", "番外 灯市")
    (last,) = bound("第一章 甲\n一。\n楔子\n古时候。\n").chapters
    assert last.text == "# 第 1 章 甲\n\n一。\n\n# 楔子\n\n古时候。\n", "no chapter is behind it"
    (one,) = bound("第一章 甲\n一。\n番外 灯市\n").chapters
    assert one.text == "# 第 1 章 甲\n\n一。\n\n# 番外 灯市\n"


def test_a_text_below_a_volumes_heading_is_not_lost() -> None:
    found = bound("第一卷 渡河\n这一卷讲渡河。\n第一章 甲\n一。\n")
    assert found.chapters[0].text.startswith("# 第一卷 渡河\n\n这一卷讲渡河。\n\n# 第 1 章 甲")
    marked = bound("## 第一卷 渡河 ##\n这一卷讲渡河。\n## 第一章 甲\n一。\n").chapters[0]
    assert marked.text == found.chapters[0].text


def test_the_front_and_contents_are_apart() -> None:
    found = bound("书名\n简介。\n目录\n第一章\n第二章\n第三章\n第一章\n一。\n第二章\n二。\n第三章\n三。\n")
    assert (found.front, found.contents, len(found.chapters)) == ("书名\n简介。", 1, 3)


def test_several_files_are_one_book() -> None:
    found = bound("第一章\n一。\n", "还是第一章的。\n第二章\n二。\n")
    assert found.chapters[0].text == "# 第 1 章\n\n一。\n\n还是第一章的。\n"
    assert found.chapters[1].number == 2


def test_a_later_batch_goes_on() -> None:
    found = bound("第三章 丙\n三。\n第二卷\n第四章\n四。\n", first=3, volume=1)
    assert [(one.number, one.volume) for one in found.chapters] == [(3, 1), (4, 2)]


def test_notes_are_kept_unless_they_are_not_wanted() -> None:
    text = "第一章\n一。\n\n求月票！\n"
    kept, dropped = bound(text).chapters[0], bound(text, drop_notes=True).chapters[0]
    assert (kept.note, dropped.note) == ("求月票！", "求月票！")
    assert kept.text == "# 第 1 章\n\n一。\n\n求月票！\n"
    assert dropped.text == "# 第 1 章\n\n一。\n"


def test_what_is_odd() -> None:
    found = oddities(bound("第一章\n一。\n第三章\n三。\n第三章\n又三。\n第四章\n\n第五章\n五。\n").chapters)
    assert (found.gaps, found.doubles, found.empty) == ((2,), (3,), (4,))
    assert found.shifted == ((3, 2), (3, 3))
    assert oddities(bound("第三章\n三。\n").chapters).gaps == (1, 2)


def test_nothing_is_odd_where_volumes_begin_again() -> None:
    found = oddities(bound("第一卷\n第一章\n一。\n第二卷\n第一章\n二。\n").chapters)
    assert (found.gaps, found.doubles) == ((), ())
    assert found.shifted == ((1, 2),)


def test_a_double_that_stands_elsewhere_and_chapters_without_a_number() -> None:
    found = bound("第一章 甲\n一。\n第二章 乙\n二。\n第三章 丙\n三。\n", "第二章 旧乙\n旧。\n").chapters
    note = Source("封面.txt", "封面", (Piece("chapter", 0, 0, 2, None, "封面", ""),))
    (bare,) = assemble([note], 5, 1, False).chapters
    odd = oddities([*found, bare])
    assert (odd.doubles, odd.unnumbered) == ((2,), (5,))
    assert oddities([bare]).unnumbered == (), "none of them has a number: it is how the book is written"


def test_numbers_that_begin_again_are_no_doubles() -> None:
    text = "第一章 甲\n一。\n第二章 乙\n二。\n"
    assert oddities(bound(f"第一卷\n{text}第二卷\n{text}").chapters).doubles == ()
    assert oddities(bound(text, text).chapters).doubles == ()
    assert oddities(bound("第一章 甲\n一。\n第一章 乙\n二。\n").chapters).doubles == (1,)
