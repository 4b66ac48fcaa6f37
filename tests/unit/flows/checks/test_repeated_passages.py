"""A chapter that repeats an earlier one, or its title: told, and a long passage stops the writer."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.flows.checks import repeated_passages
from novel_hooks.rules.recall import passages
from novel_hooks.store.fence import seal

if TYPE_CHECKING:
    from pathlib import Path

WORDS = "灯船桥水塔风绳人石夜门雨书钟锁账米桐油渡口鹭鸶岸边醒着他她把向往来去听见说过不再"


def prose(seed: int, chars: int = 400) -> str:
    """Prose that nobody else writes: sentences of ten characters, one a paragraph of four."""
    chance = random.Random(seed)
    lines = ["".join(chance.choices(WORDS, k=10)) + "。" for _ in range(chars // 10)]
    return "\n\n".join("".join(lines[at : at + 4]) for at in range(0, len(lines), 4))


def text(made: Book, body: str, title: str | None = None) -> str:
    return f"# 第 {made.chapter} 章 {title or f'第{made.chapter}趟船'}\n\n{body}\n"


def landed(place: Path, *bodies: str) -> Book:
    """A book whose chapters from the second on are these, each landed by its commands."""
    made = book(place, volume_size=12)
    for body in bodies:
        made.ok("lock", "acquire")
        made.draft(text(made, body))
        _land(made)
    return made


def _land(made: Book) -> None:
    made.advance("draft")
    made.records()
    for phase in ("summarize", "refine"):
        made.advance(phase)
    made.judge(4.5)
    made.advance("judge")
    made.ok("commit", "--chapter", str(made.chapter))
    made.chapter += 1


def drafted(made: Book, body: str, title: str | None = None) -> list[str]:
    """The codes of what is said to the draft."""
    made.ok("lock", "acquire")
    made.draft(text(made, body, title))
    found = made.novel("validate", made.step("draft"))
    return [told.code for told in found.diagnostics if told.code != "CHAPTER_LENGTH"]


def test_a_chapter_put_together_of_two_earlier_ones_stops_its_writer(tmp_path: Path) -> None:
    made = landed(tmp_path, prose(1), prose(2))
    pairs = zip(prose(1).split("\n\n"), prose(2).split("\n\n"))
    mixed = "\n\n".join(one for pair in pairs for one in pair)
    assert drafted(made, mixed) == ["CHAPTER_REPEATED"]
    told = made.refused(1, "CHAPTER_REPEATED", "advance", made.step("draft"))
    assert "第 2、3 章" in told.message and layout.chapter(3) in told.fix
    half = prose(1).split("\n\n")[::2] + prose(5, 500).split("\n\n")
    made.draft(text(made, "\n\n".join(half)))
    assert made.advance("draft")


def test_a_chapter_told_again_stops_its_writer(tmp_path: Path) -> None:
    made = landed(tmp_path, prose(1), prose(2), prose(3), prose(4))
    assert drafted(made, prose(5)) == []
    assert drafted(made, prose(1)) == ["CHAPTER_REPEATED"]
    told = made.refused(1, "CHAPTER_REPEATED", "advance", made.step("draft"))
    assert "第 2 章" in told.message and layout.chapter(2) in told.fix
    made.draft(text(made, prose(5)))
    assert made.advance("draft")


@pytest.mark.parametrize(("chars", "codes"), [(200, ["CHAPTER_REPEATED"]), (190, [])])
def test_a_long_passage_is_enough_and_a_short_one_is_not(
    chars: int, codes: list[str], tmp_path: Path
) -> None:
    made = landed(tmp_path, prose(1, 800))
    passage = prose(1, 800)[100:][: chars + chars // 10 + chars // 20 + 4]
    passage = passage[: next(at for at in range(len(passage), 0, -1) if _han(passage[:at]) <= chars)]
    assert drafted(made, f"{prose(7, 600)}。\n\n{passage}\n\n{prose(8, 600)}") == codes


def _han(body: str) -> int:
    return len(passages.han_characters(body))


def test_other_marks_and_small_changes_hide_nothing(tmp_path: Path) -> None:
    made = landed(tmp_path, prose(1))
    lines = prose(1).replace("。", "，").split("\n\n")
    assert drafted(made, "\n".join(f"{line}唔。" for line in lines)) == ["CHAPTER_REPEATED"]


def test_what_the_author_lets_through_stands(tmp_path: Path) -> None:
    made = landed(tmp_path, prose(1))
    words = made.json(layout.BLACKLIST)
    made.write(layout.BLACKLIST, {**words, "whitelist": [prose(1)]})
    assert drafted(made, prose(1)) == []


def test_titles_are_told_and_stop_nothing(tmp_path: Path) -> None:
    made = landed(tmp_path, prose(1))
    assert drafted(made, prose(2), "第2趟船") == ["CHAPTER_TITLE", "CHAPTER_TITLE"]
    assert drafted(made, prose(2), "第 3 趟船") == []
    assert drafted(made, prose(2), "夜渡") == ["CHAPTER_TITLE"]
    assert made.advance("draft")


def test_the_index_is_kept_at_landing_and_never_believed(tmp_path: Path) -> None:
    made = landed(tmp_path, *(prose(seed) for seed in range(1, 6)))
    rows = seal.parse_lines(made.at(layout.PASSAGES).read_bytes(), "novel-passages 1")
    assert rows is not None and [row.split("\t")[0] for row in rows] == ["2", "3", "4", "5", "6"]
    made.write(layout.chapter(2), text(made, prose(9)))  # not any more what its row says
    assert drafted(made, prose(1)) == []
    for broken in (b"", b"\xff", b"novel-passages 1\nx"):
        made.write(layout.PASSAGES, broken)
        assert drafted(made, prose(1)) == []
        assert drafted(made, prose(5)) == ["CHAPTER_REPEATED"]  # of the last three, index or not
    made.drop(layout.PASSAGES)
    made.draft(text(made, prose(11)))
    _land(made)
    assert drafted(made, prose(2)) == ["CHAPTER_REPEATED"]  # the landing took the others in again


def test_a_check_compares_few_chapters_of_a_long_book() -> None:
    rows = [passages.row(number, "", prose(number)) or "" for number in range(2, 400)]
    found = repeated_passages._candidates(rows, passages.han_characters(prose(77)), 400)
    assert found == [77, 399, 398, 397]
