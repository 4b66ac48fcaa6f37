"""`novel status`: trend, threads, storylines, work; each block fails alone, and the cost does not grow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from builders import Book, book
from builders import fast_disk as fast_disk

from novel_hooks import layout
from novel_hooks.store.files.project import Project

BLOCKS = (
    *("progress", "next", "words", "recent", "trend", "foreshadowing", "storylines"),
    *("work", "lock", "menu"),
)


@pytest.fixture
def made(tmp_path: Path) -> Book:
    return book(tmp_path, chapters=12, volume_size=20)


def rescore(made: Book, chapter: int, overall: float, **gate: Any) -> None:
    path = layout.evaluation(chapter)
    document = made.json(path)
    document["overall_final"] = overall
    document["metadata"]["gate"].update(gate)
    made.write(path, document)


def relog(made: Book, chapter: int, **changes: Any) -> None:
    made.write(layout.chapter_log(chapter), {**made.json(layout.chapter_log(chapter)), **changes})


def add_thread(made: Book, **item: Any) -> None:
    facts = made.json(layout.FORESHADOWING)
    facts["foreshadowing"].append({"status": "planted", "scope": "short", "history": [], **item})
    made.write(layout.FORESHADOWING, facts)


def test_the_course_of_the_scores(made: Book) -> None:
    for chapter in range(3, 8):
        rescore(made, chapter, 4.5)
    for chapter in range(8, 13):
        rescore(made, chapter, 3.9 if chapter != 10 else 3.4)
    rescore(made, 12, 3.6, force_passed=True)
    trend = made.ok("status")["trend"]
    assert [told["chapter"] for told in trend["chapters"]] == list(range(3, 13))
    assert (trend["average"], trend["before"], trend["direction"]) == (3.74, 4.5, "down")
    assert trend["low"] == [{"chapter": 10, "overall": 3.4}, {"chapter": 12, "overall": 3.6}]
    assert (
        "走势：近 5 章均分 3.74，之前 4.50，在下降；偏低：第 10 章 3.40、第 12 章 3.60"
        in made.novel("status").text
    )


def test_the_last_chapters_say_what_the_gate_decided(made: Book) -> None:
    rescore(made, 11, 3.6, decision="pause_for_user", accepted={"by": "author", "over": "pause_for_user"})
    rescore(made, 12, 3.2, force_passed=True)
    told = made.novel("status").text
    assert "第 10 章　4.20 分　通过　" in told
    assert "第 11 章　3.60 分　作者接受　" in told and "第 12 章　3.20 分　勉强放行　" in told


def test_what_is_low_is_the_authors_own_line(made: Book) -> None:
    made.write(layout.CONFIG, "gate:\n  pass: 4.6\n  polish: 4.3\n")
    assert len(made.ok("status")["trend"]["low"]) == 10


def test_threads_by_name_the_pressing_ones_first(made: Book) -> None:
    add_thread(made, id="bell", description="钟楼的第三根绳", target_resolve_range=[3, 6])
    add_thread(made, id="boat", description="", target_resolve_range=[3, 5])
    add_thread(made, id="done", description="已收", status="resolved", target_resolve_range=[1, 2])
    block = made.ok("status")["foreshadowing"]
    assert (block["open"], block["overdue"]) == (3, ["bell", "boat"])
    assert [(told["id"], told["overdue"], told["due"]) for told in block["threads"]] == [
        ("boat", True, 5),
        ("bell", True, 6),
        ("clue-001", False, None),
    ]
    told = made.novel("status").text
    assert "伏笔：在途 3 条，超期 2 条：boat，最迟第 5 章收、钟楼的第三根绳（bell，最迟第 6 章收）" in told


def test_only_the_most_pressing_threads_are_listed(made: Book) -> None:
    for number in range(30):
        add_thread(
            made, id=f"t-{number:02d}", description=f"物{number}", target_resolve_range=[1, 2 + number]
        )
    block = made.ok("status")["foreshadowing"]
    assert (block["open"], len(block["overdue"]), len(block["threads"])) == (31, 10, 10)
    assert "等 10 条" in made.novel("status").text


def test_a_storyline_out_of_sight(made: Book) -> None:
    for chapter in range(3, 13):
        relog(made, chapter, storyline_id="river-line")
    lines = made.ok("status")["storylines"]
    assert [(told["id"], told["last_seen"], told["late"]) for told in lines] == [
        ("river-line", 12, False),
        ("tower-line", None, True),
    ]
    assert "故事线：river-line 第 12 章，tower-line 近 10 章没出现" in made.novel("status").text


@pytest.mark.parametrize("log", [b'{"chapter": 12, "story', None], ids=["cut in half", "gone"])
def test_a_log_that_is_lost_makes_no_storyline_disappear(made: Book, log: bytes | None) -> None:
    """The look across storylines tells it too; without that nothing is said of who was not seen."""
    for chapter in range(3, 12):
        relog(made, chapter, storyline_id="river-line")
    path = layout.chapter_log(12)
    made.drop(path) if log is None else made.write(path, log)
    made.write(layout.crossref(12), {**made.record("crossref"), "storyline_id": "tower-line"})
    river, tower = made.ok("status")["storylines"]
    assert (river["last_seen"], tower["last_seen"], tower["unsure"]) == (11, 12, False)
    made.write(layout.crossref(12), b"{")
    river, tower = made.ok("status")["storylines"]
    assert (river["unsure"], tower["last_seen"], tower["late"], tower["unsure"]) == (False, None, False, True)
    assert "tower-line 看不出（有的章没有记录，或读不出来）" in made.novel("status").text


def test_a_storyline_asleep_is_not_late(made: Book) -> None:
    for chapter in range(3, 13):
        relog(made, chapter, storyline_id="river-line")
    plan = made.json(layout.schedule(1))
    plan["active_storylines"], plan["dormant_storylines"] = ["river-line"], ["tower-line"]
    made.write(layout.schedule(1), plan)
    (_, tower) = made.ok("status")["storylines"]
    assert (tower["asleep"], tower["late"]) == (True, False)


def test_time_tokens_and_cost_of_the_last_ten(made: Book) -> None:
    made.write(layout.CONFIG, "prices:\n  sonnet: {input: 3, output: 15}\ncurrency: 元\n")
    stage = {"name": "draft", "model": "sonnet", "duration_ms": 60_000}
    relog(made, 12, stages=[{**stage, "input_tokens": 1_000_000, "output_tokens": 100_000}])
    work = made.ok("status")["work"]
    assert (work["from_chapter"], work["to_chapter"], work["chapters"]) == (3, 12, 10)
    assert (work["duration_ms"], work["cost"], work["currency"]) == (9 * 240_000 + 60_000, 4.5, "元")
    assert "花费 4.50 元" in made.novel("status").text


BREAKS = {
    "recent": (layout.evaluation(12), b"{", {"recent", "trend"}),
    "trend": (layout.evaluation(5), b"[]", {"trend"}),
    "foreshadowing": (layout.FORESHADOWING, b"{", {"foreshadowing"}),
    "storylines": (layout.STORYLINES, b"\xff", {"storylines"}),
    "schedule": (layout.schedule(1), b"{", {"storylines"}),
}


@pytest.mark.parametrize("name", sorted(BREAKS))
def test_a_block_fails_alone(made: Book, name: str) -> None:
    path, content, gone = BREAKS[name]
    made.write(path, content)
    found = made.novel("status")
    assert {block for block in BLOCKS if found.data[block] is None} == gone
    assert set(found.data) == set(BLOCKS)
    assert any(d.path == path for d in found.diagnostics) and found.exit in (3, 5)
    assert found.text.count("读不出来") == len(gone)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b"\xff"])
def test_a_broken_checkpoint_takes_only_what_is_written_in_it(made: Book, content: bytes) -> None:
    before = made.ok("status")
    made.write(layout.CHECKPOINT, content)
    found = made.novel("status")
    assert found.exit == 5
    assert {name for name in BLOCKS if found.data[name] is None} == {"progress", "next", "menu"}
    kept = [name for name in BLOCKS if found.data[name] is not None]
    assert {name: found.data[name] for name in kept} == {name: before[name] for name in kept}
    assert {d.path for d in found.diagnostics} == {layout.CHECKPOINT}
    assert all("novel doctor" in d.fix for d in found.diagnostics)
    assert "进度：读不出来" in found.text and "第 12 章" in found.text


def test_a_broken_checkpoint_and_nothing_else_to_tell_by(made: Book) -> None:
    """The files that would tell where the book stands are broken too: what is left is still shown."""
    for path in (layout.CHECKPOINT, layout.outline(1), layout.CHANGELOG):
        made.write(path, b"\xff")
    found = made.novel("status")
    assert found.data["recent"][-1]["chapter"] == 12 and found.data["foreshadowing"] is not None


@pytest.mark.parametrize("content", [b"{", b"\xff"])
def test_whatever_file_is_broken_the_page_stands_and_names_it(tmp_path: Path, content: bytes) -> None:
    made = book(tmp_path, chapters=2)
    for path in sorted(made.tree()):
        if not made.at(path).is_file() or path == layout.CHECKPOINT:
            continue
        kept = made.at(path).read_bytes()
        made.write(path, content)
        found = made.novel("status")
        lost = {name for name in BLOCKS if found.data[name] is None}
        assert lost < {"recent", "trend", "foreshadowing", "storylines", "next", "menu"}, (path, lost)
        assert not lost or path in {d.path for d in found.diagnostics}, path
        assert all(d.fix for d in found.diagnostics)
        made.write(path, kept)


def test_a_broken_log_is_a_warning_told_once(made: Book) -> None:
    made.write(layout.chapter_log(9), b"{")
    made.write(layout.BACKED_UP, {"made_at": "2026-01-01T00:00:00Z", "chapter": 9})
    found = made.novel("status")
    assert found.exit == 0 and all(found.data[name] is not None for name in BLOCKS)
    assert [d.code for d in found.diagnostics] == ["CHAPTER_LOG_UNREAD"]
    assert found.data["work"]["logged"] == 9


def test_a_book_without_chapters(tmp_path: Path) -> None:
    empty = book(tmp_path, chapters=0)
    data = empty.ok("status")
    assert data["trend"]["average"] is None and data["work"]["stages"] == 0
    assert not any(told["late"] for told in data["storylines"])


def test_only_the_last_chapters_are_read(made: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[str] = set()
    read = Project.read
    monkeypatch.setattr(Project, "read", lambda self, rel: (seen.add(rel), read(self, rel))[1])
    made.ok("status")
    old = [path for path in seen if "chapter-001" in path or "chapter-002" in path]
    assert layout.chapter_log(12) in seen and layout.evaluation(3) in seen and old == []


def test_a_polish_is_not_shown_with_the_score_of_a_pass(made: Book) -> None:
    rescore(made, 12, 3.9999, decision="polish")
    assert "3.99 分　润色后通过" in made.novel("status").text


@pytest.mark.parametrize(
    ("skipped", "advised"), [(None, False), (2, False), (3, True), (4, True), ("3", False)]
)
def test_from_the_third_skipped_delta_on_a_rebuild_is_advised(
    tmp_path: Path, skipped: Any, advised: bool
) -> None:
    made = book(tmp_path)
    if skipped is not None:
        made.point(skipped_deltas=skipped)
    found = made.novel("status")
    assert ("STATE_REBUILD_ADVISED" in [d.code for d in found.diagnostics]) is advised


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"[1, 2]\n", "gate：4\n".encode()])
def test_the_page_names_no_step_where_next_refuses(tmp_path: Path, data: bytes) -> None:
    made = book(tmp_path, chapters=3)
    made.write(layout.CONFIG, data)
    assert made.novel("next").exit == 3
    page = made.novel("status")
    assert page.data["next"] is None and "下一步：先处理下面的问题" in page.text
