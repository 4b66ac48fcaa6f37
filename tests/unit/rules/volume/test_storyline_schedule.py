"""A volume's storyline schedule: target chapters, the next storyline, convergences, narrators."""

from __future__ import annotations

from typing import Any

import pytest
from volumedraft import OUTLINE, Draft, event, path

from novel_hooks.rules.outline import outline as outlines
from novel_hooks.rules.text.json_values import FAULTY
from novel_hooks.rules.volume import storylines
from unit.rules.volume.told_storylines import SCHEDULE, told

# target chapters ----------------------------------------------------------------------------------


def targets(draft: Draft, line: str, chapters: Any) -> list[tuple[str, str]]:
    draft.schedule["active_storylines"] = [{"storyline_id": line, "target_chapters": chapters}]
    found = told(storylines.target_chapter_problems(draft.plan()))
    assert {file for file, _, _ in found} <= {SCHEDULE}
    return [(detail, how) for _, detail, how in found]


EVEN = "请改好 target_chapters 或大纲的 Storyline，使两边一致。"


@pytest.mark.parametrize(
    ("line", "chapters", "wanted"),
    [
        ("river", [4, 6], []),
        ("river", "4、6", []),
        ("river", [4, 5, 6], []),  # in 5 they meet
        ("sea", [5], [("「sea」的 target_chapters 里有第 5 章，大纲写的是「tower」", EVEN)]),
        ("tower", [4, 5], [("「tower」的 target_chapters 里有第 4 章，大纲写的是「river」", EVEN)]),
        (
            "river",
            [3, 4, 6, 7, 8],
            [("「river」的 target_chapters 里第 3、7、8 章不在本卷里", "请改在第 4 章到第 6 章之间。")],
        ),
        ("river", [5], [("大纲里第 4、6 章是「river」的，target_chapters 里没有", EVEN)]),
        ("river", 3, []),
        ("river", 4, [("「river」要写 4 章，本卷只有 3 章", "请把 target_chapters 写成这条线的章号列表。")]),
        ("moon", [4, 9], []),  # it does not exist: another problem
        ("", 9, []),
        ("river", "约六章", []),
    ],
)
def test_target_chapters_and_the_outline(line: str, chapters: Any, wanted: list[tuple[str, str]]) -> None:
    assert targets(Draft(), line, chapters) == wanted


def test_target_chapters_of_what_is_not_certain() -> None:
    draft = Draft()
    del draft.contracts[6]  # missing: another problem
    assert targets(draft, "river", [4]) == []
    draft = Draft()
    draft.contracts[4]["storyline_id"] = "tower"  # contradicts the outline: another problem
    assert targets(draft, "tower", [4, 5]) == []
    draft.schedule["active_storylines"] = [{"storyline_id": "river", "target_chapters": [9]}]
    plan = draft.plan()._replace(outline=outlines.parse("", OUTLINE))
    assert told(storylines.target_chapter_problems(plan)) == []


def test_target_chapters_without_a_list_of_storylines() -> None:
    draft = Draft()
    draft.schedule["active_storylines"] = [{"storyline_id": "moon", "target_chapters": [9]}]
    found = told(storylines.target_chapter_problems(draft.plan()._replace(lines=None)))
    assert [detail for _, detail, _ in found] == ["「moon」的 target_chapters 里第 9 章不在本卷里"]


def test_where_storylines_converge_a_chapter_may_be_a_target_of_each_of_them() -> None:
    draft = Draft()
    assert targets(draft, "tower", [5, 6]) == []
    assert [d for d, _ in targets(draft, "tower", [4, 5])] != []
    event(draft)["chapter_range"] = [4, 4]
    assert targets(draft, "tower", [4, 5]) == []
    assert [d for d, _ in targets(draft, "sea", [4])] != []
    event(draft)["chapter_range"] = [4, 7]  # reaches out of the volume: another problem
    assert [d for d, _ in targets(draft, "tower", [4, 5])] != []
    event(draft)["chapter_range"] = [5, 4]
    assert [d for d, _ in targets(draft, "tower", [4, 5])] != []


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ([1, 3], [1, 3]),
        ([3, 1, 3], [3, 1]),
        ("2、4", [2, 4]),
        (" 2，4; 6 ", [2, 4, 6]),
        ("第 1-3 章、5", [1, 2, 3, 5]),
        ("第1章至第3章", None),
        ("1到3", [1, 2, 3]),
        ("1—3、2", [1, 2, 3]),
        ("3-1", None),
        (["1-2", 4], [1, 2, 4]),
        (["1-2", "四"], None),
        ([1, None], None),
        ("约六章", None),
        ("", None),
        (6, None),
        (None, None),
        ([], None),
        (FAULTY, None),
    ],
)
def test_chapters_in_a_list_or_in_words(value: object, wanted: list[int] | None) -> None:
    assert storylines.parse_chapters(value) == wanted


def test_a_misprinted_range_is_not_written_out() -> None:
    found = storylines.parse_chapters("5-999999")
    assert found is not None and (found[0], found[-1], len(found)) == (5, 10_005, 10_001)


# next storylines ----------------------------------------------------------------------------------


def next_line(change: Any = None, **plan: Any) -> list[tuple[str, str, str]]:
    draft = Draft()
    draft.contracts[4]["transition_hint"] = {"next_storyline": "sea"}
    if change is not None:
        change(draft)
    return told(storylines.next_storyline_problems(draft.plan()._replace(**plan)))


def test_the_next_storyline_is_the_next_chapters() -> None:
    wanted = [
        (
            path(4),
            "next_storyline 写的是「sea」，第 5 章是「tower」",
            "请把 transition_hint.next_storyline 改成 tower，或改第 5 章。",
        )
    ]
    assert next_line() == wanted
    assert next_line(lines=None) == wanted


@pytest.mark.parametrize(
    ("change", "plan"),
    [
        (None, {"last": 4}),
        (None, {"lines": ("river", "tower")}),
        (lambda d: d.contracts.pop(5), {}),
        (lambda d: d.contracts[5].update(storyline_id="river"), {}),
        (lambda d: d.contracts[4].update(chapter=6), {}),
        (lambda d: d.contracts[4].update(transition_hint={"next_storyline": "tower"}), {}),
        (lambda d: d.contracts[4].update(transition_hint={}), {}),
    ],
    ids=["written", "unknown", "no next", "not agreed", "another chapter's", "the same", "none"],
)
def test_where_any_storyline_may_come_next(change: Any, plan: dict[str, Any]) -> None:
    assert next_line(change, **plan) == []


# convergences -------------------------------------------------------------------------------------


def converging(draft: Draft, *events: Any, **plan: Any) -> list[tuple[int, str, str]]:
    """(number, detail, advice) of each problem."""
    draft.schedule["convergence_events"] = list(events)
    found = list(storylines.convergence_problems(draft.plan()._replace(**plan)))
    assert {(p.code, p.path) for p in found} <= {("VOLUME_CONVERGENCE", SCHEDULE)}
    return [(p.values["number"], p.values["detail"], p.values["how"]) for p in found]


def meeting(window: Any, *lines: Any) -> dict[str, Any]:
    return {"chapter_range": window, "involved_storylines": list(lines)}


RANGE = "请把 chapter_range 改在第 4 章到第 6 章之间，前小后大。"


@pytest.mark.parametrize(
    ("window", "detail"),
    [
        ([4, 6], None),
        ([5, 5], None),
        ([6, 5], "第 6 章到第 5 章前后颠倒了"),
        ([9, 7], "第 9 章到第 7 章前后颠倒了"),
        ([3, 5], "第 3 章到第 5 章，超出了本卷（第 4 章到第 6 章）"),
        ([5, 7], "第 5 章到第 7 章，超出了本卷（第 4 章到第 6 章）"),
        ([5], None),
        ([5, 6, 9], None),
        ([5, "9"], None),
        (["3", 5], None),
        (None, None),
    ],
)
def test_the_range_of_a_convergence(window: Any, detail: str | None) -> None:
    wanted = [] if detail is None else [(2, detail, RANGE)]
    good = meeting([4, 5], "river", "tower")
    assert converging(Draft(), good, meeting(window, "river", "tower")) == wanted


def test_without_an_outline_a_range_has_no_bounds() -> None:
    plan = {"outline": outlines.parse("", OUTLINE)}
    assert converging(Draft(), meeting([3, 9], "river", "tower"), **plan) == []
    found = converging(Draft(), meeting([9, 3], "river", "tower"), **plan)
    assert [detail for _, detail, _ in found] == ["第 9 章到第 3 章前后颠倒了"]


def test_the_storylines_of_a_convergence() -> None:
    few = "请在 involved_storylines 里写上交汇的各条线。"
    idle = "请把它写进 active_storylines，或从 involved_storylines 里去掉。"
    draft = Draft()
    draft.lines = ("river", "tower", "sea", "moon")
    assert converging(
        draft,
        "odd",
        meeting([5, 6], "river", "river"),
        meeting([5, 6]),
        meeting([5, 6], "river", "sea", "moon", "sea"),
        meeting([5, 6], "river", "nowhere"),
        meeting([5, 6], "river", FAULTY),
    ) == [
        (2, "只有 1 条故事线", few),
        (3, "只有 0 条故事线", few),
        (4, "要用的「sea」本卷休眠", idle),
        (4, "要用的「moon」本卷没有活跃", idle),
    ]


def test_a_converging_storyline_may_be_active_by_its_chapters_or_in_an_unreadable_list() -> None:
    met = meeting([5, 6], "river", "sea")
    assert [detail for _, detail, _ in converging(Draft(), met)] == ["要用的「sea」本卷休眠"]
    draft = Draft()
    draft.storylines[5] = draft.contracts[5]["storyline_id"] = "sea"
    assert converging(draft, met) == []  # that it is not active is another problem
    for key in ("active_storylines", "newly_activated"):
        draft = Draft()
        draft.schedule[key] = [*draft.schedule.get(key, []), FAULTY]
        assert converging(draft, met) == []
    assert len(converging(Draft(), met, lines=None)) == 1
    draft = Draft()
    draft.schedule["newly_activated"] = [{"storyline_id": "sea"}]
    assert converging(draft, met) == []


@pytest.mark.parametrize("events", [None, "5-6", {"chapter_range": [9, 9]}])
def test_convergences_that_are_no_list(events: Any) -> None:
    draft = Draft()
    draft.schedule["convergence_events"] = events
    assert list(storylines.convergence_problems(draft.plan())) == []


def test_narrators_of_active_storylines() -> None:
    draft = Draft()
    draft.book = {
        "river": {"pov_characters": ["林渡", "", 4, "老何"]},
        "tower": {"pov_characters": None},
        "sea": {"pov_characters": ["苏禾"]},
    }
    assert list(storylines.storyline_narrators(draft.plan())) == [("river", "林渡"), ("river", "老何")]
    draft.schedule["newly_activated"] = ["sea"]
    assert list(storylines.storyline_narrators(draft.plan()))[2:] == [("sea", "苏禾")]
    odd = draft.plan()._replace(storylines={"storylines": ["river", {"id": "tower"}]})
    assert list(storylines.storyline_narrators(odd)) == []
    assert list(storylines.storyline_narrators(draft.plan()._replace(storylines={}))) == []
    assert list(storylines.storyline_narrators(draft.plan()._replace(schedule=None))) == []
