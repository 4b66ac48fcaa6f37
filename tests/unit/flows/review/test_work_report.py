"""`novel log`: time, tokens, rounds and cost; a log that is missing or broken costs its own line only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk
from planbook import staged_book

from novel_hooks import layout
from novel_hooks.rules.text import length

PRICES = "prices:\n  sonnet: {input: 3, output: 15}\ncurrency: 美元\n"


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return book(tmp_path, chapters=3)


def worked(name: str = "draft", model: str | None = "claude-sonnet-4-5", **amounts: Any) -> dict[str, Any]:
    plain = {"duration_ms": 90_000, "input_tokens": 100_000, "output_tokens": 10_000}
    return {"name": name, "model": model, **plain, **amounts}


def relog(made: Book, chapter: int, **changes: Any) -> None:
    path = layout.chapter_log(chapter)
    made.write(path, {**made.json(path), **changes})


def test_a_chapter_with_everything_known(made: Book) -> None:
    made.write(layout.CONFIG, PRICES)
    relog(made, 2, stages=[worked(), worked("judge", "claude-opus-4-1")], revisions=1, force_passed=True)
    data = made.ok("log", "2")
    assert [told["cost"] for told in data["stages"]] == [0.45, None]
    assert data["total"]["duration_ms"] == 180_000
    assert (data["total"]["input_tokens"], data["total"]["output_tokens"]) == (200_000, 20_000)
    assert (data["total"]["cost"], data["total"]["unpriced"]) == (0.45, 1)
    assert (data["overall_final"], data["gate_decision"], data["revisions"]) == (4.2, "pass", 1)
    text = made.novel("log", "2").text
    assert f"第 2 章　{data['chars']} 字　4.20 分　勉强放行　修订 1 次" in text
    assert "写初稿　claude-sonnet-4-5　1 分 30 秒　词元 读 100,000 写 10,000　花费 0.45 美元" in text
    assert "有 1 步算不出花费" in text


def test_a_sum_that_is_not_whole_says_so(made: Book) -> None:
    """Wherever a chapter's, a model's or the book's sum is shown, the status page too."""
    made.write(layout.CONFIG, PRICES)
    relog(made, 1, stages=[worked(), worked("judge", "opus")])
    relog(made, 2, stages=[worked(), worked("judge", input_tokens=None, output_tokens=None)])
    relog(made, 3, stages=[worked()])
    rows = made.novel("log").text.splitlines()
    told = {name: next(row for row in rows if name in row) for name in ("第 1 章", "第 2 章", "第 3 章")}
    assert told["第 1 章"].endswith("花费 0.45 美元（有 1 步算不出花费）")
    assert told["第 2 章"].endswith("花费 0.45 美元（有 1 步没有词元数，1 步算不出花费）")
    assert told["第 3 章"].endswith("花费 0.45 美元")
    assert next(row for row in rows if row.startswith("  claude-sonnet-4-5　")).endswith("1 步算不出花费）")
    (line,) = [row for row in made.novel("status").text.splitlines() if row.startswith("用时：")]
    assert "花费 1.35 美元（有 1 步没有词元数，2 步算不出花费）" in line


def test_without_prices_there_is_no_cost(made: Book) -> None:
    relog(made, 2, stages=[worked()])
    data = made.ok("log", "2")
    assert data["total"]["cost"] is None and data["currency"] is None
    assert "花费" not in made.novel("log", "2").text


def test_what_is_not_known_is_null_and_said(made: Book) -> None:
    relog(made, 2, stages=[{"name": "draft"}])
    total = made.ok("log", "2")["total"]
    assert (total["duration_ms"], total["input_tokens"], total["cost"], total["uncounted"]) == (
        *(None, None, None, 1),
    )
    assert "用时未记　词元未记" in made.novel("log", "2").text


def test_the_whole_book(made: Book) -> None:
    made.write(layout.CONFIG, PRICES)
    relog(made, 1, stages=[worked()])
    relog(made, 2, stages=[worked(model="opus")])
    data = made.ok("log")
    assert [told["chapter"] for told in data["chapters"]] == [1, 2, 3]
    assert (data["totals"]["chapters"], data["totals"]["logged"], data["totals"]["stages"]) == (3, 3, 6)
    assert [told["model"] for told in data["models"]] == ["claude-sonnet-4-5", "opus", "sonnet"]
    text = made.novel("log").text
    assert text.splitlines()[0] == f"共 3 章 {data['chars']:,} 字，读到记录的 3 章"
    assert "合计　" in text and "有 4 步没有完整的词元数" in text


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff", b'{"stages": 3}', b'{"stages": [7]}', b"7"])
def test_a_broken_log_costs_its_own_line(made: Book, content: bytes) -> None:
    made.write(layout.chapter_log(2), content)
    found = made.novel("log")
    assert found.exit == 0
    assert [(d.code, d.severity, d.path) for d in found.diagnostics] == [
        ("CHAPTER_LOG_UNREAD", "warning", layout.chapter_log(2))
    ]
    assert [told["chapter"] for told in found.data["chapters"]] == [1, 2, 3]
    assert found.data["totals"]["stages"] == 8


def test_a_missing_log_is_a_line_and_no_warning(made: Book) -> None:
    made.drop(layout.chapter_log(2))
    found = made.novel("log")
    assert (found.exit, found.diagnostics, found.data["totals"]["logged"]) == (0, (), 2)
    assert "字　没有记录" in found.text


def test_a_log_with_nonsense_in_its_fields(made: Book) -> None:
    """Wrong types are unknown, never zero and never a fault."""
    stages = [worked(input_tokens="9", output_tokens=True, duration_ms=-5, model=["x"]), worked()]
    relog(made, 2, stages=stages, judges=[1], gate_decision=5, revisions="2", storyline_id=7)
    data = made.ok("log", "2")
    first = data["stages"][0]
    assert [first[key] for key in ("model", "duration_ms", "input_tokens", "output_tokens")] == [None] * 4
    assert (data["total"]["duration_ms"], data["total"]["uncounted"]) == (90_000, 1)
    assert (data["gate_decision"], data["revisions"], data["judges"]) == (None, None, [])
    assert made.novel("log", "2").exit == made.novel("log").exit == 0


def test_settings_that_cannot_be_read_cost_only_the_prices(made: Book) -> None:
    made.write(layout.CONFIG, "prices: [\n")
    found = made.novel("log")
    assert len(found.data["chapters"]) == 3 and found.data["totals"]["cost"] is None
    assert found.diagnostics[0].path == layout.CONFIG


def test_the_chapter_in_work(made: Book) -> None:
    made.until("drafted")
    data = made.ok("log", str(made.chapter))
    assert (data["landed"], data["log"]) == (False, "read")
    assert [told["name"] for told in data["stages"]] == ["draft", "summarize"]
    assert "（还在写）" in made.novel("log", str(made.chapter)).text


def test_a_chapter_just_begun_is_not_damaged(made: Book) -> None:
    """Nothing is done yet, so there is no file: that is no fault."""
    made.ok("lock", "acquire")
    for words in (("log", str(made.chapter)), ("log",)):
        found = made.novel(*words)
        assert (found.exit, found.diagnostics) == (0, ())
        assert f"第 {made.chapter} 章（还在写）　还没有做完的步骤" in found.text


def test_the_chapter_in_work_and_what_failed_in_it(made: Book) -> None:
    """The menu's `look`: every step, and how it failed."""
    made.until("drafted")
    step = f"chapter:{made.chapter:03d}:refine"
    for words in ("没有交稿", "写了别的文件"):
        made.ok("fail", step, "--reason", words)
        for asked in (("log", str(made.chapter)), ("log",)):
            found = made.novel(*asked)
            last = found.data["failures"][-1]
            assert (last["step"], last["reason"], last["chapter"]) == (step, words, made.chapter)
            assert last["stopped"] is (words == "写了别的文件")
            assert f"第 {made.chapter} 章 · 润色　{words}" in found.text
    assert found.text.endswith("停在这里，等你决定")
    assert [told["name"] for told in found.data["inflight"]["stages"]] == ["draft", "summarize"]
    assert "failures" in made.ok("log", "1") and made.ok("log", "1")["failures"] == []


def test_a_planning_step_that_failed(tmp_path: Path) -> None:
    fresh = staged_book(tmp_path / "book")
    fresh.ok("instructions", "setup:characters")
    for words in ("没有交稿", "还是没有交稿"):
        fresh.ok("fail", "setup:characters", "--reason", words)
    found = fresh.novel("log")
    (failure,) = found.data["failures"]
    assert (failure["step"], failure["chapter"], failure["stopped"]) == ("setup:characters", None, True)
    assert "还是没有交稿　停在这里，等你决定" in found.text


def test_a_chapter_that_nobody_began(made: Book) -> None:
    made.refused(3, "CHAPTER_UNWORKED", "log", "9")


def test_a_book_without_chapters(tmp_path: Path) -> None:
    empty = book(tmp_path, chapters=0)
    assert "还没有入库的章" in empty.novel("log").text
    assert empty.ok("log")["totals"]["duration_ms"] is None


def test_it_changes_nothing(made: Book) -> None:
    before = made.tree()
    made.novel("log")
    made.novel("log", "1")
    assert made.changed(before) == {}


def test_a_rough_cost_says_so(made: Book) -> None:
    made.write(layout.CONFIG, PRICES)
    relog(made, 2, stages=[worked(cache_read_input_tokens=5)])
    assert "花费偏高" in made.novel("log", "2").text
    made.ok("config", "prices.sonnet.cache_read", "0.3")
    assert made.ok("log", "2")["total"]["rough"] == 0
    assert "花费偏高" not in made.novel("log", "2").text


def test_half_a_price_is_no_price(made: Book) -> None:
    made.write(layout.CONFIG, "prices:\n  sonnet: {output: 15}\n")
    relog(made, 2, stages=[worked()])
    total = made.ok("log", "2")["total"]
    assert (total["cost"], total["unpriced"]) == (None, 1)


def test_a_range_shows_those_chapters_all_of_them_and_their_sum(tmp_path: Path) -> None:
    made = book(tmp_path, chapters=24)
    relog(made, 3, stages=[worked()])
    data = made.ok("log", "第二至二十三章")
    assert [row["chapter"] for row in data["chapters"]] == list(range(2, 24))
    assert data["chars"] == sum(row["chars"] for row in data["chapters"]) > 0
    text = made.novel("log", "２－２３").text
    assert "第 2 章" in text and "第 24 章" not in text and "只列最近" not in text
    assert made.ok("log", "3,3，3-4")["totals"]["chapters"] == 2
    assert made.ok("log", "3-3") == made.ok("log", "3")
    assert "`novel log 1-20`" in made.novel("log").text


def test_a_range_reaches_to_the_chapter_in_work_and_not_behind_it(made: Book) -> None:
    refused = made.novel("log", "2-4")
    assert refused.exit == 3 and "第 4 章" in refused.diagnostics[0].message
    made.stage("drafting")
    found = made.ok("log", "2-4")
    assert [row["chapter"] for row in found["chapters"]] == [2, 3] and found["inflight"]["chapter"] == 4
    assert made.ok("log", "2-3")["inflight"] is None
    assert "第 5 章" in made.novel("log", "2-999999999").diagnostics[0].message
    assert "第 9 章" in made.novel("log", "9-12").diagnostics[0].message
    assert made.novel("log", "3-2").exit == 2


def test_lengths_are_those_of_the_one_count(made: Book) -> None:
    chars = length.chars(made.at(layout.chapter(2)).read_text("utf-8"))
    assert made.ok("log", "2")["chars"] == chars == made.ok("log")["chapters"][1]["chars"]
    assert f"第 2 章　{chars:,} 字" in made.novel("log").text
    assert made.ok("status")["recent"][1]["chars"] == chars
