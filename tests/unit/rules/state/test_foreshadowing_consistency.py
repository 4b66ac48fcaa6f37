"""The facts of foreshadowing: what an item says against itself, the book and the change log."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.state import foreshadowing_consistency
from novel_hooks.rules.state.changelog import log_line


def entry(chapter: int, action: str, **more: Any) -> dict[str, Any]:
    return {"chapter": chapter, "action": action, **more}


def item(name: str = "bell", *history: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"id": name, "status": "planted", "history": list(history), **fields}


def said(*items: dict[str, Any], last: int = 4) -> list[tuple[str, str, str]]:
    """(id, fault, advice) of each finding."""
    found = foreshadowing_consistency.problems(items, last)
    assert {(p.code, p.path) for p in found} <= {("FORESHADOWING_ODD", "foreshadowing/global.json")}
    return [(p.values["name"], p.values["detail"], p.values["how"]) for p in found]


WHOLE = [
    item(),
    item("coin", history=None),
    {"id": "oar"},
    item("rope", entry(1, "planted"), entry(4, "advanced"), status="advanced", last_updated_chapter=4),
    item("lamp", entry(1, "planted"), entry(4, "resolved"), status="resolved"),
    item("ring", entry(1, "planted"), entry(2, "planted"), entry(2, "advanced"), status="advanced"),
]


def test_items_in_order() -> None:
    assert said(*WHOLE) == []


def test_an_id_that_occurs_twice() -> None:
    how = "就是列表里的第 {} 条和第 {} 条：删去其中一条，或给第 {} 条换一个 id"
    told = "出现了两次，编号应各不相同"
    assert said(item("a"), item("b"), item("a"), item("a")) == [
        ("a", told, how.format(1, 3, 3)),
        ("a", told, how.format(1, 4, 4)),
    ]


def test_the_faults_of_an_item_come_before_its_doubling() -> None:
    found = said(item("a"), item("a", entry(1, "resolved")))
    assert [detail[:6] for _, detail, _ in found] == ["在历史里已经", "出现了两次，"]


@pytest.mark.parametrize(
    ("odd", "detail", "how"),
    [
        (
            item("bell", entry(1, "planted"), entry(6, "resolved"), status="resolved"),
            "记着第 6 章的事，而全书只写到第 4 章",
            "删去 history 里的第 2 项，把 status 从 resolved 改成 planted"
            "（只是章号写错了的，改成 1 到 4 的章号就行）",
        ),
        (
            item(
                "bell",
                entry(5, "advanced"),
                entry(2, "planted"),
                entry(3, "advanced"),
                entry(7, "resolved"),
                status="resolved",
                last_updated_chapter=7,
            ),
            "记着第 7 章的事，而全书只写到第 4 章",
            "删去 history 里的第 1 项、第 4 项，把 last_updated_chapter 从 7 改成 3，"
            "把 status 从 resolved 改成 advanced（",
        ),
        (item("bell", entry(5, "planted")), "记着第 5 章的事", "把它整条删去（只是章号"),
        # the last chapter itself has been written
        (
            item("bell", entry(4, "planted"), entry(5, "planted"), last_updated_chapter=4),
            "记着第 5 章的事",
            "删去 history 里的第 2 项（",
        ),
        (
            item("bell", entry(5, "planted"), planted_chapter=5, last_updated_chapter=5),
            "记着第 5 章的事",
            "把它整条删去（",
        ),
        # planted before, though its history does not say so
        (
            item("bell", entry(5, "planted"), planted_chapter=2, last_updated_chapter=6),
            "记着第 6 章的事",
            "删去 history 里的第 1 项，把 last_updated_chapter 从 6 改成 2（",
        ),
        (
            item("bell", entry(5, "advanced"), planted_chapter=4, status="advanced"),
            "记着第 5 章的事",
            "删去 history 里的第 1 项，把 status 从 advanced 改成 planted（",
        ),
        # a status that no removed entry led to is the author's own
        (
            item("bell", entry(1, "planted"), entry(5, "advanced"), status="resolved"),
            "记着第 5 章的事",
            "删去 history 里的第 2 项（",
        ),
        (
            item("bell", entry(1, "planted"), last_updated_chapter=5),
            "记着第 5 章的事",
            "把 last_updated_chapter 从 5 改成 1（",
        ),
        (item("bell", last_updated_chapter=5), "记着第 5 章的事", "把 last_updated_chapter 从 5 改成 null（"),
    ],
)
def test_a_chapter_that_has_not_been_written(odd: dict[str, Any], detail: str, how: str) -> None:
    ((name, fault, advice),) = said(odd)
    assert name == "bell" and fault.startswith(detail) and advice.startswith(how)


def test_in_a_book_without_chapters_no_chapter_can_be_put_right() -> None:
    ((_, detail, how),) = said(item("bell", entry(1, "planted")), last=0)
    assert (detail, how) == ("记着第 1 章的事，而全书只写到第 0 章", "把它整条删去")


def test_the_other_faults_of_an_item_wait_for_that_one() -> None:
    assert len(said(item("bell", entry(1, "resolved"), entry(1, "resolved"), entry(5, "advanced")))) == 1


def test_an_entry_that_occurs_twice() -> None:
    odd = item(
        "bell",
        entry(1, "planted", detail="门上"),
        entry(2, "advanced"),
        entry(1, "planted"),
        entry(2, "advanced"),
        entry(3, "advanced"),
        status="advanced",
    )
    assert said(odd) == [
        ("bell", "的历史（history）里同一章的同一件事记了两次", "删去其中的第 3 项、第 4 项")
    ]


@pytest.mark.parametrize(("status", "shown"), [("advanced", "advanced"), (None, "空的"), ("", "空的")])
def test_resolved_in_its_history_and_not_by_its_status(status: str | None, shown: str) -> None:
    how = "把状态（status）改成 resolved（已收回）；想接着用这条伏笔，请另写一条，换一个 id"
    odd = item("bell", entry(1, "planted"), entry(2, "resolved"), status=status)
    assert said(odd) == [("bell", f"在历史里已经收回，状态却是 {shown}", how)]


# against the change log ---------------------------------------------------------------------------


def line(chapter: int, *ops: tuple[str, str]) -> dict[str, Any]:
    listed = [{"op": "foreshadow", "path": name, "value": action} for name, action in ops]
    return log_line("t", chapter, "main-line", 0, 1, listed, [])


LOG = [
    line(1, ("bell", "planted"), ("coin", "planted")),
    line(2, ("bell", "advanced")),
    line(3, ("bell", "resolved"), ("apple", "planted")),
]


def unmerged(items: list[dict[str, Any]], log: list[dict[str, Any]], waiting: Any = ()) -> list[Any]:
    """(id, chapters, advice) of each finding."""
    found = foreshadowing_consistency.unmerged_problems(items, log, waiting)
    assert {p.code for p in found} <= {"FORESHADOWING_DISAGREES"}
    assert {p.path for p in found} <= {"foreshadowing/global.json"}
    told = [(p, p.diagnostic().fix.partition("，")[2].partition("，")[2].rstrip("。")) for p in found]
    return [(p.values["name"], p.values["chapters"], advice) for p, advice in told]


def pair(chapter: int, action: str) -> str:
    return f'{{"chapter": {chapter}, "action": "{action}"}}'


def test_facts_that_have_all_that_was_logged() -> None:
    items = [
        item("bell", entry(1, "planted"), entry(2, "advanced"), entry(3, "resolved")),
        item("coin", entry(1, "planted")),
        item("apple", entry(3, "planted", detail="树上")),
        item("mine", entry(9, "planted")),
    ]
    assert unmerged(items, LOG) == []


def test_facts_that_lack_entries_and_items() -> None:
    items = [item("bell", entry(2, "advanced"), entry(3, "advanced")), item("coin", history=None)]
    assert unmerged(items, LOG) == [
        ("apple", "3", f"添一条 id 是「apple」的伏笔，往它的历史（history）补上 {pair(3, 'planted')}"),
        (
            "bell",
            "1、3",
            "在 id 是「bell」的一条里，往它的历史（history）补上 "
            f"{pair(1, 'planted')}、{pair(3, 'resolved')}",
        ),
        ("coin", "1", f"在 id 是「coin」的一条里，往它的历史（history）补上 {pair(1, 'planted')}"),
    ]


def test_chapters_that_wait_to_be_merged_are_left_out() -> None:
    assert [one[0] for one in unmerged([], LOG, waiting=(1, 2))] == ["apple", "bell"]
    assert unmerged([], LOG, waiting=[1, 2, 3]) == []


def test_of_many_entries_the_first_six() -> None:
    log = [line(n, ("bell", "advanced")) for n in range(1, 9)]
    ((_, chapters, how),) = unmerged([], log)
    assert chapters == "1-8"
    assert how.endswith(f"{pair(6, 'advanced')} 等 8 项") and pair(7, "advanced") not in how
    ((_, _, exactly),) = unmerged([], log[:6])
    assert exactly.endswith(pair(6, "advanced"))
