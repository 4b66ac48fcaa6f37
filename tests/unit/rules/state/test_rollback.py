"""Going back: the log, the memories, foreshadowing and the checkpoint as they were after a chapter."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest

from novel_hooks.errors import ChangelogBroken, ForeshadowingBroken
from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.state import rollback
from novel_hooks.rules.state.landed_record import LandedRecord
from novel_hooks.rules.steps import checkpoint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from novel_hooks.rules.outline.outline import Outline


def record(
    chapter: int,
    memories: dict[str, str | None] | None = None,
    threads: dict[str, Any] | None = None,
    waiting: list[int] | None = None,
) -> LandedRecord:
    return LandedRecord(chapter, {}, memories or {}, threads or {}, (), waiting, {})


# the change log -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("chapter", "count"), [(0, 0), (1, 1), (2, 1), (3, 3), (9, 4)])
def test_lines_up_to_a_chapter(chapter: int, count: int) -> None:
    lines = [{"chapter": 1}, {"chapter": 3}, {"chapter": 3}, {"chapter": 5}]
    assert rollback.count_lines(lines, chapter) == count


@pytest.mark.parametrize(
    ("chapters", "number", "detail"),
    [
        ([1, None, 2], 2, "没有写是哪一章"),
        ([1, "2"], 2, "没有写是哪一章"),
        ([1, 4, 2], 3, "第 2 章排在了更晚的章后面"),
        ([4, 5, 3], 3, "第 3 章排在了更晚的章后面"),
        ([4, 1], 2, "第 1 章排在了更晚的章后面"),
    ],
)
def test_a_line_out_of_order_is_named(chapters: list[Any], number: int, detail: str) -> None:
    with pytest.raises(ChangelogBroken) as refused:
        rollback.count_lines([{"chapter": one} for one in chapters], 3)
    assert (refused.value.values["line"], refused.value.values["detail"]) == (number, detail)
    assert refused.value.values["anew"] == ""


def test_later_lines_may_be_in_any_order() -> None:
    assert rollback.count_lines([{"chapter": 1}, {"chapter": 6}, {"chapter": 5}], 3) == 1


# memories, threads, backlog -----------------------------------------------------------------------


def test_of_several_chapters_the_earliest_has_the_text_before() -> None:
    records = [
        record(4, {"a": "三", "c": "从前"}),
        record(3, {"a": "二", "b": None}),
        record(5, {"a": "四", "b": "三"}),
    ]
    assert rollback.memories_before(records) == {"a": "二", "b": None, "c": "从前"}
    assert rollback.memories_before([]) == {}


BELL, COIN, MINE = {"id": "bell", "n": 2}, {"id": "coin", "n": 2}, {"id": "mine", "history": []}


def test_threads_are_as_the_earliest_record_has_them() -> None:
    document = {"foreshadowing": [BELL, MINE, COIN], "note": 1}
    was = copy.deepcopy(document)
    records = [
        record(4, threads={"bell": {"id": "bell", "n": 1}}),
        record(3, threads={"bell": {"id": "bell", "n": 0}}),
    ]
    assert rollback.threads_before(document, records) == {
        "foreshadowing": [{"id": "bell", "n": 0}, MINE, COIN],
        "note": 1,
    }
    assert document == was


def test_threads_that_a_chapter_began_go_and_lost_ones_return_at_the_end() -> None:
    document = {"foreshadowing": [BELL, MINE]}
    threads = {"bell": None, "coin": {"id": "coin", "n": 1}, "oar": None}
    assert rollback.threads_before(document, [record(3, threads=threads)]) == {
        "foreshadowing": [MINE, {"id": "coin", "n": 1}]
    }


@pytest.mark.parametrize("document", [[BELL, MINE], {"items": [BELL, MINE]}])
def test_another_shape_of_the_facts_becomes_the_usual_one(document: Any) -> None:
    found = rollback.threads_before(document, [record(3, threads={"bell": None})])
    assert found == {"foreshadowing": [MINE]}


def test_chapters_without_threads_leave_the_facts_as_they_are() -> None:
    assert rollback.threads_before({"foreshadowing": 3}, [record(3), record(4)]) is None


def test_what_is_put_back_is_a_copy() -> None:
    before = {"id": "bell", "history": [1]}
    found = rollback.threads_before(None, [record(3, threads={"bell": before})])
    assert found == {"foreshadowing": [before]}
    found["foreshadowing"][0]["history"].append(2)
    assert before == {"id": "bell", "history": [1]}
    again = rollback.threads_before({"foreshadowing": [MINE, BELL]}, [record(3, threads={"bell": before})])
    assert again is not None
    again["foreshadowing"][0]["history"].append(2)
    again["foreshadowing"][1]["history"].append(2)
    assert (MINE["history"], before["history"]) == ([], [1])


def test_facts_that_cannot_be_read_are_refused() -> None:
    with pytest.raises(ForeshadowingBroken):
        rollback.threads_before({"foreshadowing": [{}]}, [record(3, threads={"bell": None})])


def test_items_that_name_a_later_chapter() -> None:
    items: list[dict[str, Any]] = [
        {"id": "a", "history": [{"chapter": 2}, {"chapter": 5}]},
        {"id": "b", "history": [{"chapter": 3}]},
        {"id": "c", "history": ["第 9 章", {"chapter": "9"}, {}]},
        {"id": "d", "history": {"chapter": 9}},
        {"id": "e"},
        {"id": "f", "history": [{}, {"chapter": 4}]},
    ]
    assert rollback.later_traces(items, 3) == ["a", "f"]
    assert rollback.later_traces(items, 5) == []


@pytest.mark.parametrize(
    ("now", "waiting", "wanted"),
    [
        ([2, 3, 5], [], [2, 3]),
        ([5], [(4, [1]), (5, [1, 2])], [1]),
        ([5], [(5, [3, 2]), (4, [1])], [1]),
        ([3], [(4, [1]), (5, None)], [1, 3]),
        ([3], [(5, [1, 2]), (4, None)], [1, 2, 3]),
        ([2], [(4, [2, 4])], [2]),
        ([], [(4, None)], []),
    ],
)
def test_the_backlog_of_then_and_now(
    now: list[int], waiting: list[tuple[int, list[int] | None]], wanted: list[int]
) -> None:
    assert rollback.backlog(now, [record(n, waiting=w) for n, w in waiting], 3) == wanted


# the checkpoint -----------------------------------------------------------------------------------


def outline(*chapters: int, near: str = "") -> Outline:
    return outlines.parse("".join(f"### 第 {n} 章: 夜\n\n" for n in chapters) + near, "outline.md")


VOLUMES = {3: outline(7, 8, 9), 2: outline(4, 5, near="## 第 6 章 夜\n"), 1: outline(1, 2, 3)}


@pytest.mark.parametrize(
    ("chapter", "wanted"),
    [
        (9, (3, "VOL_REVIEW")),
        (8, (3, "WRITING")),
        (7, (3, "WRITING")),
        (6, (3, "WRITING")),
        (5, (2, "WRITING")),
        (3, (2, "WRITING")),
        (2, (1, "WRITING")),
        (0, (1, "WRITING")),
        (12, (3, "WRITING")),
    ],
)
def test_the_volume_that_names_the_next_chapter(chapter: int, wanted: tuple[int, str]) -> None:
    assert rollback.volume_and_state(sorted(VOLUMES.items(), reverse=True), chapter, 3) == wanted


def test_the_last_chapter_of_a_volume_that_has_no_next_is_reviewed() -> None:
    assert rollback.volume_and_state([(2, VOLUMES[2])], 6, 2) == (2, "VOL_REVIEW")
    assert rollback.volume_and_state([(2, outline(4, 6))], 4, 2) == (2, "WRITING")


@pytest.mark.parametrize(("chapter", "current", "volume"), [(0, 3, 1), (5, 0, 1), (5, 1, 1), (5, 4, 4)])
def test_without_outlines_the_volume_stays(chapter: int, current: int, volume: int) -> None:
    assert rollback.volume_and_state([], chapter, current) == (volume, "WRITING")


def test_no_more_outlines_are_taken_than_needed() -> None:
    def each() -> Iterator[tuple[int, Outline]]:
        yield 3, VOLUMES[3]
        yield 2, VOLUMES[2]
        pytest.fail("the first volume was asked for")

    assert rollback.volume_and_state(each(), 4, 3) == (2, "WRITING")


BUSY = {
    "last_completed_chapter": 9,
    "current_volume": 3,
    "orchestrator_state": "ERROR_RETRY",
    "pipeline_stage": "revising",
    "inflight_chapter": 10,
    "revision_count": 2,
    "pending_actions": [{"id": "x"}],
    "error": {"from_state": "WRITING"},
    "failures": [1],
    "sync": {"chapter": 3},
    "last_step": "chapter:010:draft",
    "skipped_deltas": 4,
    "作者的": 1,
}
STAMP = "2030-01-02T03:04:05Z"


@pytest.mark.parametrize(
    ("chapter", "skipped", "more"),
    [
        (5, 2, {"pipeline_stage": "committed", "last_step": "chapter:005:commit", "skipped_deltas": 2}),
        (5, 0, {"pipeline_stage": "committed", "last_step": "chapter:005:commit"}),
        (0, 0, {"pipeline_stage": None}),
        (0, 1, {"pipeline_stage": None, "skipped_deltas": 1}),
    ],
)
def test_the_checkpoint_after_a_chapter(chapter: int, skipped: int, more: dict[str, Any]) -> None:
    now = checkpoint.parse(BUSY)
    found = rollback.checkpoint_after(now, chapter, 2, "WRITING", skipped, STAMP)
    assert found.document == {
        "last_completed_chapter": chapter,
        "current_volume": 2,
        "orchestrator_state": "WRITING",
        "inflight_chapter": None,
        "revision_count": 0,
        "pending_actions": [{"id": "x"}],
        "last_checkpoint_time": STAMP,
        "作者的": 1,
        **more,
    }
