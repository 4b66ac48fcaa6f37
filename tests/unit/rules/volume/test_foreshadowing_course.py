"""The course of a thread over a volume, and outline and contract of a chapter held against each other."""

from __future__ import annotations

from typing import Any

import pytest
from volumedraft import OUTLINE, Draft, ends, path

from novel_hooks.rules.text.json_values import FAULTY
from novel_hooks.rules.volume import foreshadowing_updates
from unit.rules.volume.thread_updates import PLAN, A, P, R, told, updates

# the course of a thread ---------------------------------------------------------------------------


def course(draft: Draft, **plan: Any) -> list[tuple[str, str, str]]:
    return told(foreshadowing_updates.course_problems(draft.plan()._replace(**plan)))


def ring(**fields: Any) -> Draft:
    """A book whose one thread is planted in 4 and resolved in 5 or 6."""
    draft = Draft()
    whole = draft.thread("ring", scope="short", planted_chapter=4, target_resolve_range=[5, 6])
    draft.threads, draft.facts = [{**whole, **fields}], []
    return draft


PLANTED, ADVANCED, RESOLVED = ({"ring": action} for action in (P, A, R))


@pytest.mark.parametrize(
    ("fields", "chapters"),
    [
        ({}, {"c4": PLANTED, "c5": ADVANCED, "c6": RESOLVED}),
        ({}, {"c4": PLANTED, "c5": RESOLVED}),
        ({}, {"c4": [*[{"id": "ring", "action": a} for a in ("planted", "advanced")]], "c6": RESOLVED}),
        ({}, {"c4": ["ring"], "c6": RESOLVED}),  # only its id
        ({}, {"c4": PLANTED, "c5": ["ring"]}),
        ({"target_resolve_range": [6, 7]}, {"c4": PLANTED}),  # ends behind the volume
        ({"target_resolve_range": None}, {"c4": PLANTED, "c5": RESOLVED}),
        (
            {"target_resolve_range": [3, 5]},
            {"c4": PLANTED, "c6": RESOLVED},
        ),  # begins before the planting: another problem
        ({"planted_chapter": 9, "target_resolve_range": [20, 30]}, {}),  # outside: another problem
        ({"planted_chapter": None, "target_resolve_range": [20, 30]}, {"c5": ADVANCED}),
        ({"planted_storyline": "moon"}, {"c4": PLANTED, "c6": RESOLVED}),  # unknown: another problem
        ({"planted_storyline": None}, {"c4": PLANTED, "c6": RESOLVED}),
    ],
    ids=str,
)
def test_a_course_that_is_allowed(fields: dict[str, Any], chapters: dict[str, Any]) -> None:
    assert course(updates(ring(**fields), **chapters)) == []


ORDER = "请改好先后，收只写一次，放在最后。"


@pytest.mark.parametrize(
    ("fields", "chapters", "wanted"),
    [
        (
            {},
            {"c4": PLANTED, "c5": PLANTED, "c6": {"ring": "resolved"}},
            [(path(5), "在第 4、5 章各埋了一次", "请只留一次 planted，后面的改成 advanced。")],
        ),
        (
            {"planted_chapter": 5},
            {"c4": PLANTED, "c6": RESOLVED},
            [
                (
                    PLAN,
                    "计划在第 5 章埋，契约却在第 4 章埋",
                    "请改好 planted_chapter，或第 4 章契约的 foreshadowing_updates。",
                )
            ],
        ),
        (
            {},
            {"c6": RESOLVED},
            [
                (
                    path(4),
                    "计划在第 4 章埋，那一章的契约没有写",
                    "请在契约的 foreshadowing_updates 里写上它，action 是 planted；或改 planted_chapter。",
                )
            ],
        ),
        (
            {"planted_chapter": 6, "planted_storyline": "tower", "target_resolve_range": [6, 9]},
            {"c4": ADVANCED, "c6": PLANTED},
            [
                (
                    PLAN,
                    "写的是在「tower」线埋，第 6 章却是「river」线",
                    "请改好 planted_storyline 或 planted_chapter。",
                ),
                (path(4), "第 6 章才埋，第 4 章就推", "请改好两处的先后。"),
            ],
        ),
        (
            {"planted_chapter": 6, "target_resolve_range": [6, 9]},
            {"c4": RESOLVED, "c6": PLANTED},
            [
                (path(4), "第 6 章才埋，第 4 章就收", "请改好两处的先后。"),
                (path(6), "第 4 章收了，第 6 章还要动它", ORDER),
                (
                    path(4),
                    "第 4 章收，计划的回收范围却是第 6 章到第 9 章",
                    "请改好 target_resolve_range，或第 4 章契约的 foreshadowing_updates。",
                ),
            ],
        ),
        (
            {},
            {"c4": PLANTED, "c5": RESOLVED, "c6": ADVANCED},
            [(path(6), "第 5 章收了，第 6 章还要动它", ORDER)],
        ),
        (
            {},
            {"c4": PLANTED, "c5": RESOLVED, "c6": RESOLVED},
            [(path(6), "第 5 章收了，第 6 章还要动它", ORDER)],
        ),
        (
            {"target_resolve_range": [6, 8]},
            {"c4": PLANTED, "c5": RESOLVED},
            [
                (
                    path(5),
                    "第 5 章收，计划的回收范围却是第 6 章到第 8 章",
                    "请改好 target_resolve_range，或第 5 章契约的 foreshadowing_updates。",
                )
            ],
        ),
        (
            {"target_resolve_range": [4, 5]},
            {"c4": PLANTED, "c6": RESOLVED},
            [
                (
                    path(6),
                    "第 6 章收，计划的回收范围却是第 4 章到第 5 章",
                    "请改好 target_resolve_range，或第 6 章契约的 foreshadowing_updates。",
                )
            ],
        ),
        (
            {},
            {"c4": PLANTED},
            [
                (
                    PLAN,
                    "该在第 5 章到第 6 章收，没有一份契约收它",
                    "请在这几章里一份契约的 foreshadowing_updates 里写上它，action 是 resolved；"
                    "或改 target_resolve_range。",
                )
            ],
        ),
    ],
)
def test_a_course_with_faults(
    fields: dict[str, Any], chapters: dict[str, Any], wanted: list[tuple[str, str, str]]
) -> None:
    found = course(updates(ring(**fields), **chapters))
    assert found == [(file, f"伏笔「ring」{detail}", how) for file, detail, how in wanted]


def old(fact: dict[str, Any], item: dict[str, Any] | None = None, **chapters: Any) -> list[tuple[str, str]]:
    draft = Draft()
    draft.facts, draft.threads = [{"id": "ring", **fact}], [] if item is None else [{"id": "ring", **item}]
    return [(file, detail) for file, detail, _ in course(updates(draft, **chapters))]


def test_a_thread_of_the_book_is_not_planted_again() -> None:
    assert old({"planted_chapter": 1}, c5=ADVANCED) == []
    assert old({"planted_chapter": 1}, c5=PLANTED) == [(path(5), "伏笔「ring」第 1 章已经埋过，第 5 章又埋")]
    assert old({"planted_chapter": None}, {}, c4=PLANTED, c6=PLANTED) == [
        (path(4), "伏笔「ring」前面已经埋过，第 4 章又埋")
    ]


def test_a_thread_of_the_book_ends_in_its_range_too() -> None:
    window = {"target_resolve_range": [4, 5]}
    none_does = (PLAN, "伏笔「ring」该在第 4 章到第 5 章收，没有一份契约收它")
    assert old({"status": "planted", **window}) == [none_does]
    assert old({"status": "planted"}, window) == [none_does]
    assert old({"status": "planted"}, {"target_resolve_range": [2, 3]}) == []  # over: another problem
    assert old({"status": "resolved", **window}) == []
    assert old({"status": "resolved", **window}, {}, c5=ADVANCED, c6=RESOLVED) == [
        (path(5), "伏笔「ring」已经收了，第 5 章还要动它")
    ]


def test_a_range_that_began_before_the_unwritten_chapters_ends_among_them() -> None:
    draft = updates(ring(planted_chapter=3, target_resolve_range=[3, 4]), c5=RESOLVED)
    draft.facts = [{"id": "ring", "status": "planted"}]
    assert [detail for _, detail, _ in course(draft)] == [
        "伏笔「ring」第 5 章收，计划的回收范围却是第 3 章到第 4 章"
    ]
    updates(draft)
    assert [detail for _, detail, _ in course(draft)] == [
        "伏笔「ring」该在第 3 章到第 4 章收，没有一份契约收它"
    ]
    del ends(draft, 4)["foreshadowing_updates"]
    assert course(draft) == []


@pytest.mark.parametrize("chapter", [5, 6])
def test_an_end_may_be_in_a_contract_that_says_nothing_or_is_not_clear(chapter: int) -> None:
    draft = updates(ring(), c4=PLANTED)
    assert len(course(draft)) == 1
    for listed in (["ghost"], [{"action": "resolved"}], ["ring"]):
        ends(draft, chapter)["foreshadowing_updates"] = listed
        assert course(draft) == []
    del ends(draft, chapter)["foreshadowing_updates"]
    assert course(draft) == []
    draft.contracts[chapter]["postconditions"] = {"state_changes": FAULTY, "foreshadowing_updates": []}
    assert course(draft) == []


def test_a_planting_may_be_in_a_contract_that_is_not_clear() -> None:
    draft = updates(ring(), c6=RESOLVED)
    assert len(course(draft)) == 1
    for listed in (["ghost"], [{"action": "planted"}]):
        ends(draft, 4)["foreshadowing_updates"] = listed
        assert course(draft) == []
    del draft.contracts[4]
    assert course(draft) == []


def test_chapters_that_are_written_are_no_part_of_the_course() -> None:
    draft = updates(ring(), c4=PLANTED, c5=PLANTED, c6=RESOLVED)
    assert course(draft, last=4) == []
    assert course(updates(ring(), c4=PLANTED), last=6) == []


def test_a_thread_that_occurs_twice_has_no_course() -> None:
    draft = updates(ring())
    draft.threads.append(dict(draft.threads[0]))
    assert course(draft) == []


def test_without_plan_or_facts_there_is_no_course() -> None:
    draft = updates(ring(), c4=PLANTED)
    assert len(course(draft)) == 1
    for part in ({"threads": None}, {"facts": None}, {"partial": frozenset({"threads"})}):
        assert course(draft, **part) == []


# outline and contract -----------------------------------------------------------------------------


def mismatches(draft: Draft, **plan: Any) -> list[tuple[str, str, str]]:
    return told(foreshadowing_updates.update_mismatch_problems(draft.plan()._replace(**plan)))


def differing(key_line: str, listed: Any) -> list[str]:
    """What is said of chapter 5, where only known threads without a course of their own take part."""
    draft = Draft()
    draft.facts = [{"id": name} for name in ("rope", "oar", "lamp")]
    draft.threads = []
    updates(draft, c5=listed)
    for number in (4, 6):
        del ends(draft, number)["foreshadowing_updates"]
    draft.keys[5]["Foreshadowing"] = key_line
    found = mismatches(draft)
    how = f"请改好 {OUTLINE} 第 5 章的 Foreshadowing 或契约的 foreshadowing_updates，使两边一致。"
    assert {(file, advice) for file, _, advice in found} <= {(path(5), how)}
    return [detail for _, detail, _ in found]


OUTLINE_ONLY = "第 5 章的大纲里有，契约的 foreshadowing_updates 里没有"


CONTRACT_ONLY = "第 5 章的契约里有，大纲的 Foreshadowing 里没有"


@pytest.mark.parametrize(
    ("key_line", "listed", "details"),
    [
        ("推 rope", {"rope": "advanced"}, []),
        ("推 rope", ["rope"], []),
        ("rope 又响", {"rope": "advanced"}, []),
        ("推 rope、oar", [], [f"伏笔「rope」「oar」{OUTLINE_ONLY}"]),
        ("推 rope", {"oar": "advanced"}, [f"伏笔「rope」{OUTLINE_ONLY}", f"伏笔「oar」{CONTRACT_ONLY}"]),
        ("推 rope", {"rope": "resolved"}, ["伏笔「rope」第 5 章的大纲写的是推，契约写的是收"]),
        (
            "埋 rope、推 rope",
            {"rope": "resolved"},
            ["伏笔「rope」第 5 章的大纲写的是埋、推，契约写的是收"],
        ),
        ("推 rope；收 rope", {"rope": "resolved"}, []),
        *(
            (word, {"oar": "advanced"}, [f"伏笔「oar」{CONTRACT_ONLY}"])
            for word in ("无", "没有。", "None.", "—")
        ),
        ("无", [], []),
        ("门上的铃又响", {"oar": "advanced"}, []),
        ("推 rope、iron-ring", {"oar": "advanced"}, []),  # unknown: another problem
        ("推 rope", {"ghost": "advanced"}, []),
    ],
)
def test_what_outline_and_contract_do(key_line: str, listed: Any, details: list[str]) -> None:
    assert differing(key_line, listed) == details


def test_where_outline_and_contract_are_not_compared() -> None:
    draft = Draft()
    draft.keys[5]["Foreshadowing"] = "推 rope、bell"
    assert [detail for _, detail, _ in mismatches(draft)] == [f"伏笔「rope」{OUTLINE_ONLY}"]
    for part in ({"threads": None}, {"facts": None}, {"partial": frozenset({"threads"})}, {"last": 5}):
        assert mismatches(draft, **part) == []
    draft.contracts[5]["storyline_id"] = "sea"
    assert mismatches(draft) == []
    draft.contracts[5]["storyline_id"] = "tower"
    del ends(draft, 5)["foreshadowing_updates"]
    assert mismatches(draft) == []


def test_a_chapter_that_is_not_clear_does_not_hide_the_next() -> None:
    draft = Draft()
    ends(draft, 4)["foreshadowing_updates"].append("ghost")
    draft.keys[5]["Foreshadowing"] = "推 rope、bell"
    assert [file for file, _, _ in mismatches(draft)] == [path(5)]


def test_a_thread_with_a_fault_in_its_course_is_not_compared() -> None:
    draft = Draft()
    ends(draft, 5)["foreshadowing_updates"] = {"bell": "planted"}
    draft.keys[5]["Foreshadowing"] = "推 bell、rope"
    assert len(course(draft)) == 1
    assert [detail for _, detail, _ in mismatches(draft)] == [f"伏笔「rope」{OUTLINE_ONLY}"]
