"""The review as the author reads it: a heading a part, one line where there is nothing."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.review import markdown

NOTHING: dict[str, Any] = {
    "volume": 2,
    "first_chapter": 7,
    "last_chapter": 12,
    "written": 4,
    "chars": None,
    "scores": {"average": None, "lowest": None, "low": [], "weakest": None, "forced": [], "chapters": []},
    "objectives": {"total": 0, "reached": 0, "open": []},
    "threads": {"planned": 0, "resolved": [], "overdue": [], "due": [], "missing": [], "unplanned": []},
    "storylines": [],
    "convergences": [],
    "bridges": [],
    "unknown_entities": [],
    "continuity": [],
    "unread": [],
}


def section(head: str, **changes: Any) -> list[str]:
    """The lines below one heading."""
    text = markdown.markdown({**NOTHING, **changes})
    _, _, rest = text.partition(f"{head}\n\n")
    assert rest, f"no heading {head}"
    return rest.partition("\n\n#")[0].rstrip("\n").split("\n")


def test_with_nothing_to_report_every_part_is_one_line() -> None:
    assert markdown.markdown(NOTHING) == (
        "# 第 2 卷回顾\n\n第 7 章到第 12 章，计划 6 章，写成 4 章。\n\n"
        "## 评分\n\n- 还没有评分。\n\n"
        "## 计划的目标\n\n- 契约里共 0 条目标，达成 0 条。\n\n"
        "## 伏笔\n\n- 本卷计划 0 条，收了 0 条。\n\n"
        "## 故事线的节奏\n\n- 没有故事线。\n\n"
        "## 悬空的桥\n\n- 没有。\n\n"
        "## 还没有档案的名字\n\n- 没有。\n\n"
        "## 对不上的事实\n\n- 没有。\n\n"
        "## 作者的话\n\n（下一卷想怎么走，写在这里；规划下一卷时会读到。）\n"
    )


def test_the_volumes_length_where_it_is_known() -> None:
    assert section("# 第 2 卷回顾", chars=12000) == ["第 7 章到第 12 章，计划 6 章，写成 4 章，共 12000 字。"]


@pytest.mark.parametrize(
    ("part", "head"),
    [
        ("scores", "## 评分"),
        ("objectives", "## 计划的目标"),
        ("threads", "## 伏笔"),
        ("storylines", "## 故事线的节奏"),
        ("bridges", "## 悬空的桥"),
        ("unknown_entities", "## 还没有档案的名字"),
        ("continuity", "## 对不上的事实"),
    ],
)
def test_a_part_that_could_not_be_read_says_so_and_the_end_says_why(part: str, head: str) -> None:
    changes = {
        part: None,
        "unread": [{"path": "a.json", "detail": "坏了"}, {"path": "b.json", "detail": "没有"}],
    }
    assert section(head, **changes) == ["- 读不出来，见文末「没有读成的」。"]
    assert section("## 没有读成的", **changes) == ["- `a.json`：坏了", "- `b.json`：没有"]


def test_scores() -> None:
    scores = {
        "average": 3.5,
        "lowest": {"chapter": 9, "overall": 3.1},
        "low": [{"chapter": 8, "overall": None}, {"chapter": 9, "overall": 3.1}],
        "weakest": {"dimension": "pacing", "title": "节奏", "average": 3.0},
        "forced": [8, 9, 11],
    }
    assert section("## 评分", scores=scores) == [
        "- 均分 3.50，最低是第 9 章 3.10。",
        "- 偏低的章：第 8 章、第 9 章 3.10。",
        "- 勉强放行：第 8-9、11 章。",
        "- 最弱的一维是节奏，平均 3.00。",
    ]
    assert section("## 评分", scores={**scores, "low": [], "weakest": None, "forced": []}) == [
        "- 均分 3.50，最低是第 9 章 3.10。",
        "- 没有偏低的章。",
    ]


def test_objectives_in_the_authors_words() -> None:
    def one(name: str, status: str, required: bool = False) -> dict[str, Any]:
        return {"chapter": 8, "id": name, "description": "过河", "required": required, "status": status}

    listed = [
        one("O-1", "missed", True),
        one("O-2", "doubted"),
        one("O-3", "unchecked"),
        one("O-4", "unwritten"),
    ]
    assert section("## 计划的目标", objectives={"total": 9, "reached": 5, "open": listed}) == [
        "- 契约里共 9 条目标，达成 5 条。",
        "- 第 8 章：过河（必达，没写到）",
        "- 第 8 章：过河（评审存疑）",
        "- 第 8 章：过河（没有评到）",
        "- 第 8 章：过河（那一章还没写）",
    ]


def test_threads_by_group() -> None:
    def one(name: str, window: list[int] | None = None, description: str = "") -> dict[str, Any]:
        return {"id": name, "description": description or name, "scope": None, "window": window}

    threads = {
        "planned": 5,
        "resolved": [one("a"), one("b", [7, 9], "灯")],
        "overdue": [one("c", [7, 8])],
        "due": [one("d", None, "船")],
        "missing": [one("e")],
        "unplanned": [one("f")],
    }
    assert section("## 伏笔", threads=threads) == [
        "- 本卷计划 5 条，收了 2 条。",
        "- 超期没收：c（计划第 7–8 章收）",
        "- 该收没收：船",
        "- 计划要埋，没有埋：e",
        "- 计划外新埋：f",
        "- 已收：a",
        "- 已收：灯（计划第 7–9 章收）",
    ]


def test_storylines_with_their_remarks_and_convergences_that_were_missed() -> None:
    def one(name: str, role: str | None, chapters: list[int], *remarks: str, **more: Any) -> dict[str, Any]:
        counts = {"longest_run": 6, "longest_gap": 11, "unwritten": [], **more}
        return {
            "id": name,
            "name": f"{name} 线",
            "role": role,
            "chapters": chapters,
            "remarks": remarks,
            **counts,
        }

    storylines = [
        one("a", "primary", [7, 8, 9], "run"),
        one("b", "secondary", [11], "gap", unwritten=[7, 8]),
        one("c", "seasoning", [], "absent"),
        one("d", None, [12]),
        one("e", "其他", [12], "run", "gap"),
    ]
    convergences = [
        {"chapter_range": [7, 9], "involved": ["a", "b"], "missing": []},
        {"chapter_range": [10, 12], "involved": ["a", "b", "c"], "missing": ["b", "c"]},
    ]
    expected = [
        "- a 线（主线）：第 7-9 章，共 3 章；连写了 6 章（最好不过 5 章）。",
        "- b 线（副线）：第 11 章，共 1 章；有 11 章没露面（最好 10 章内回来）；"
        "计划写它的第 7-8 章写了别的线。",
        "- c 线（点缀）：没有出现。",
        "- d 线：第 12 章，共 1 章。",
        "- e 线：第 12 章，共 1 章；连写了 6 章（最好不过 5 章）；有 11 章没露面（最好 10 章内回来）。",
    ]
    missed = ["- 交汇第 10–12 章，没有到场：b、c。"]
    assert section("## 故事线的节奏", storylines=storylines, convergences=convergences) == expected + missed
    assert section("## 故事线的节奏", storylines=storylines, convergences=None) == expected
    assert section("## 故事线的节奏", convergences=convergences) == missed


def test_bridges_names_and_facts() -> None:
    bridges = [
        {"from": "a", "to": "b", "kind": kind, "name": "无"}
        for kind in ("storyline", "character", "foreshadowing")
    ]
    assert section("## 悬空的桥", bridges=bridges) == [
        "- a 与 b 之间写了故事线「无」，书里没有它。",
        "- a 与 b 之间写了人物「无」，书里没有它。",
        "- a 与 b 之间写了伏笔「无」，书里没有它。",
    ]
    kinds = ("character", "location", "item", "faction", "other", None)
    names = [{"mention": "铜铃", "suggested_type": kind, "chapters": [7, 8]} for kind in kinds]
    assert section("## 还没有档案的名字", unknown_entities=names) == [
        *(f"- 铜铃（像是{kind}）：第 7-8 章" for kind in ("角色", "地点", "物品", "势力")),
        "- 铜铃：第 7-8 章",
        "- 铜铃：第 7-8 章",
    ]
    facts = [
        {"chapter": 7, "source": "place", "name": "沈渡", "detail": "两处"},
        {"chapter": 8, "source": "judge", "name": "W-001", "detail": ""},
        {"chapter": 9, "source": "leak", "name": "", "detail": "早知道了"},
        {"chapter": 9, "source": "state", "name": "items.x", "detail": "不是数字"},
    ]
    assert section("## 对不上的事实", continuity=facts) == [
        "- 第 7 章，人在哪里：沈渡：两处",
        "- 第 8 章，评审的疑点：W-001",
        "- 第 9 章，串线：早知道了",
        "- 第 9 章，状态没记上：items.x：不是数字",
    ]
