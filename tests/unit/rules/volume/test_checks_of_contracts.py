"""The outline's range and key lines, contracts and their chapters, distances: each by itself."""

from __future__ import annotations

from typing import Any

import pytest
from volumedraft import (
    OUTLINE,
    Draft,
    path,
    told,
)

from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.volume import checks

# outline and contracts ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "last", "details"),
    [
        (4, 3, []),
        (4, 6, []),
        (3, 2, [("可第 2 卷应从第 3 章起", "请把大纲改成从第 3 章起连号。")]),
        (5, 4, [("可第 2 卷应从第 5 章起", "请把大纲改成从第 5 章起连号。")]),
        (4, 7, [("可书已写到第 7 章", "请把大纲补到第 7 章或更后。")]),
        (
            5,
            8,
            [
                ("可第 2 卷应从第 5 章起", "请把大纲改成从第 5 章起连号。"),
                ("可书已写到第 8 章", "请把大纲补到第 8 章或更后。"),
            ],
        ),
    ],
)
def test_the_range_of_the_outline(first: int, last: int, details: list[tuple[str, str]]) -> None:
    plan = Draft().plan()._replace(first=first, last=last)
    assert told(checks.volume_range_problems(plan)) == [
        ("VOLUME_RANGE", OUTLINE, {"start": 4, "end": 6, "detail": detail, "how": how})
        for detail, how in details
    ]
    assert list(checks.volume_range_problems(plan._replace(outline=outlines.parse("", OUTLINE)))) == []


def test_empty_key_lines_of_each_block() -> None:
    draft = Draft()
    draft.keys[5].update(Conflict="", Arc="", TransitionHint="", POV=" ")
    draft.keys[6].update(Location="", Foreshadowing="", StateChanges="")
    plan = draft.plan()
    wanted = [
        ("VOLUME_OUTLINE", OUTLINE, {"chapter": 5, "line": 13, "keys": "POV、Conflict、Arc", "key": "POV"}),
        (
            "VOLUME_OUTLINE",
            OUTLINE,
            {"chapter": 6, "line": 23, "keys": "Location、Foreshadowing、StateChanges", "key": "Location"},
        ),
    ]
    assert told(checks.empty_key_problems(plan)) == wanted
    assert told(checks.empty_key_problems(plan._replace(last=5))) == wanted[1:]
    assert told(checks.empty_key_problems(plan._replace(last=6))) == []


def contract_faults(draft: Draft, **plan: Any) -> list[tuple[str, str, str]]:
    """(file, detail, advice) of each problem."""
    found = told(checks.contract_problems(draft.plan()._replace(**plan)))
    assert {code for code, _, _ in found} <= {"VOLUME_CONTRACT"}
    return [(file, values["detail"], values["how"]) for _, file, values in found]


def test_contracts_and_chapters_belong_together() -> None:
    draft = Draft()
    del draft.contracts[5]
    draft.contracts[9] = {**draft.contracts[6], "chapter": 8, "objectives": []}
    draft.contracts[2] = {**draft.contracts[6]}
    assert contract_faults(draft) == [
        (path(5), "第 5 章没有契约", "请照大纲给第 5 章写一份契约。"),
        (path(2), "大纲里没有第 2 章", "请在大纲里补上第 2 章；不写这一章，就把这份契约移走。"),
        (path(9), "大纲里没有第 9 章", "请在大纲里补上第 9 章；不写这一章，就把这份契约移走。"),
    ]


def test_a_contract_in_a_gap_or_of_a_near_miss_has_its_chapter() -> None:
    draft = Draft()
    draft.titles[5] = "## 第五章 近似"
    assert contract_faults(draft) == []
    del draft.titles[5]
    assert contract_faults(draft) == []
    draft.titles[7] = draft.titles.pop(6).replace("6", "7", 1)
    del draft.contracts[6]
    assert [file for file, _, _ in contract_faults(draft)] == [path(7)]


def test_each_fault_of_a_contract() -> None:
    draft = Draft()
    draft.contracts[4].update(chapter=40, storyline_id="sea", objectives=[])
    draft.contracts[6]["objectives"] += [{"id": "O-6"}, {"id": "O-x"}, {"id": "O-6"}, {"id": 4}, {"id": 4}]
    assert contract_faults(draft) == [
        (
            path(4),
            "契约写的是第 40 章，应是第 4 章",
            "请把 chapter 改成 4；整份放错了，就换成它自己那一章、还没有人用的文件名。",
        ),
        (
            path(4),
            "契约的故事线是「sea」，大纲写的是「river」",
            f"请把契约的 storyline_id 或 {OUTLINE} 第 4 章的 Storyline 改成对的那一条。",
        ),
        (
            path(4),
            "契约里没有一条必达目标（required: true）",
            "请在第 4 章契约的 objectives 里至少写一条 required: true。",
        ),
        (path(6), "有两条目标都叫「O-6」", "请给其中一条另起 id。"),
    ]


@pytest.mark.parametrize(("line", "own"), [("", "sea"), ("river", "")])
def test_one_storyline_alone_is_no_contradiction(line: str, own: str) -> None:
    draft = Draft()
    draft.storylines[4], draft.contracts[4]["storyline_id"] = line, own
    assert contract_faults(draft) == []


def distance(chapter: int, count: Any, change: Any = None, **plan: Any) -> list[tuple[str, str, str]]:
    draft = Draft()
    draft.contracts[chapter]["storyline_context"] = {"chapters_since_last": count}
    if change is not None:
        change(draft)
    return contract_faults(draft, **plan)


@pytest.mark.parametrize(
    ("count", "wrong"), [(0, True), (1, False), (2, False), (3, True), ("3", False), (None, False)]
)
def test_chapters_since_the_storyline_was_last_there(count: Any, wrong: bool) -> None:
    detail = f"chapters_since_last 写的是 {count}，这条线上一次是第 4 章"
    assert distance(6, count) == ([(path(6), detail, "请改成 2。")] if wrong else [])


@pytest.mark.parametrize(
    ("chapter", "change", "plan"),
    [
        (5, None, {}),  # its first in the volume
        (6, None, {"last": 6}),
        (6, lambda d: d.contracts[6].update(storyline_context="三章"), {}),
        (6, lambda d: d.contracts[5].update(storyline_id="river"), {}),  # may be the storyline's too
    ],
    ids=["first", "written", "no context", "not agreed"],
)
def test_where_the_distance_is_not_certain(chapter: int, change: Any, plan: dict[str, Any]) -> None:
    faults_ = distance(chapter, 9, change, **plan)
    assert not any("chapters_since_last" in detail for _, detail, _ in faults_)


def test_the_distance_of_a_contract_in_the_wrong_file_is_not_counted() -> None:
    found = distance(6, 9, lambda d: d.contracts[6].update(chapter=4))
    assert [detail for _, detail, _ in found] == ["契约写的是第 4 章，应是第 6 章"]


def test_the_distance_is_counted_from_the_last_chapter_of_the_storyline() -> None:
    draft = Draft()
    draft.storylines[5] = draft.contracts[5]["storyline_id"] = "river"
    draft.contracts[6]["storyline_context"] = {"chapters_since_last": 2}
    assert [detail for _, detail, _ in contract_faults(draft)] == [
        "chapters_since_last 写的是 2，这条线上一次是第 5 章"
    ]


def test_a_plan_without_an_outlines_bytes_has_no_problems_of_its_outline() -> None:
    draft = Draft()
    draft.titles[5] = "## 第五章 近似"
    codes = [p.code for p in checks.problems(draft.plan())]
    assert codes[0] == "OUTLINE_HEADING_NEAR"
    assert "OUTLINE_HEADING_NEAR" not in [p.code for p in checks.problems(draft.plan()._replace(data=b""))]


def test_rules_share_what_they_work_out_and_leave_the_plan_as_it_was() -> None:
    plan = Draft().plan()
    assert checks.problems(plan) == []
    assert plan.worked_out is None
