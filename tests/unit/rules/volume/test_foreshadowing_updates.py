"""Threads in contracts and outline, against the plan and the facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from volumedraft import OUTLINE, Draft, check_edge, check_fault, edges, ends, faults, names, path, tell

from novel_hooks import layout
from novel_hooks.rules.text.json_values import FAULTY
from novel_hooks.rules.volume import foreshadowing_updates

if TYPE_CHECKING:
    from volumedraft import Rules, Spoil


def storyline_of_another_chapter(d: Draft) -> None:
    d.threads[0]["planted_storyline"] = "tower"


def storyline_left_open(d: Draft) -> None:
    d.threads[0]["planted_storyline"] = None


def update_unknown(d: Draft) -> None:
    tell(d, 5, ("bell", "advanced"))
    ends(d, 5)["foreshadowing_updates"].append("ghost")


def update_unknown_in_a_map(d: Draft) -> None:
    ends(d, 5)["foreshadowing_updates"] = {"ghost": "planted", "bell": "advanced"}


def key_line_unknown(d: Draft) -> None:
    d.keys[5]["Foreshadowing"] = "推 bell（门上 iron-nail）；埋 iron-ring"


def update_without_id(d: Draft) -> None:
    ends(d, 5)["foreshadowing_updates"] = [{"action": "advanced"}]


def update_twice(d: Draft) -> None:
    ends(d, 5)["foreshadowing_updates"] *= 2


def update_does_what(d: Draft) -> None:
    ends(d, 5)["foreshadowing_updates"] = [{"id": "bell", "action": "moved"}]


def update_without_action(d: Draft) -> None:
    ends(d, 5)["foreshadowing_updates"] = [{"id": "bell"}]


def speaks_of_a_fact(d: Draft) -> None:
    tell(d, 5, ("bell", "advanced"), ("rope", "advanced"))
    ends(d, 5)["foreshadowing_updates"] = {"rope": "advanced", "bell": {"action": "advanced"}}


def planted_twice(d: Draft) -> None:
    tell(d, 5, ("bell", "planted"))


def planted_again(d: Draft) -> None:
    tell(d, 5, ("bell", "advanced"), ("rope", "planted"))


def planted_in_another_chapter(d: Draft) -> None:
    tell(d, 5, ("bell", "advanced"), ("coin", "planted"))
    tell(d, 6, ("bell", "resolved"))


def planted_by_no_contract(d: Draft) -> None:
    tell(d, 6, ("bell", "resolved"))


def moved_before_the_planting(d: Draft) -> None:
    tell(d, 5, ("bell", "advanced"), ("coin", "advanced"))


def moved_after_the_end(d: Draft) -> None:
    tell(d, 5, ("bell", "resolved"))
    tell(d, 6, ("bell", "advanced"), ("coin", "planted"))


def moved_though_resolved(d: Draft) -> None:
    d.facts[0]["status"] = "resolved"
    tell(d, 5, ("bell", "advanced"), ("rope", "advanced"))


def moved_though_given_up(d: Draft) -> None:
    d.facts[0]["status"] = "dropped"
    tell(d, 5, ("bell", "advanced"), ("rope", "advanced"))


def given_up_and_left(d: Draft) -> None:
    window = {"scope": "short", "target_resolve_range": [5, 6]}
    d.facts.append({"id": "tin", "status": "dropped", "planted_chapter": 1, **window})


def resolved_outside_its_range(d: Draft) -> None:
    d.threads[0]["target_resolve_range"] = [5, 5]


def resolved_by_no_contract(d: Draft) -> None:
    tell(d, 6, ("coin", "planted"))


def resolved_early_in_its_range(d: Draft) -> None:
    tell(d, 5, ("bell", "resolved"))
    tell(d, 6, ("coin", "planted"))


def outline_alone(d: Draft) -> None:
    d.keys[5]["Foreshadowing"] = "推 bell、rope"


def contract_alone(d: Draft) -> None:
    d.keys[6]["Foreshadowing"] = "收 bell"


def outline_says_nothing(d: Draft) -> None:
    d.keys[5]["Foreshadowing"] = "无"


def outline_does_another_thing(d: Draft) -> None:
    d.keys[5]["Foreshadowing"] = "收 bell"


def outline_in_words(d: Draft) -> None:
    d.keys[5]["Foreshadowing"] = "门上的铃又响一回"
    d.keys[6]["Foreshadowing"] = "进城收摊时响起 bell；埋下 coin"


def contracts_say_nothing(d: Draft) -> None:
    del ends(d, 6)["foreshadowing_updates"]
    d.keys[6]["Foreshadowing"] = "收 bell"
    d.threads.pop()


# docs/volume-rules.md lists these
RULES: Rules = [
    (
        "VOLUME_FORESHADOWING",
        [(storyline_of_another_chapter, "第 4 章却是「river」线")],
        [storyline_left_open],
    ),
    (
        "VOLUME_FORESHADOWING",
        [
            (update_unknown, "「ghost」没有人立过"),
            (update_unknown_in_a_map, "「ghost」没有人立过"),
            (key_line_unknown, "「iron-ring」没有人立过"),
            (update_without_id, "第 1 条没有 id"),
            (update_without_action, "没有写 action"),
            (update_twice, "写了两次"),
            (update_does_what, "「moved」不认识"),
        ],
        [speaks_of_a_fact],
    ),
    (
        "VOLUME_FORESHADOWING",
        [
            (planted_twice, "第 4、5 章各埋了一次"),
            (planted_again, "第 1 章已经埋过"),
            (planted_in_another_chapter, "契约却在第 5 章埋"),
            (planted_by_no_contract, "那一章的契约没有写"),
            (moved_before_the_planting, "第 5 章就推"),
        ],
        [speaks_of_a_fact],
    ),
    (
        "VOLUME_FORESHADOWING",
        [
            (moved_after_the_end, "第 6 章还要动它"),
            (moved_though_resolved, "已经收了"),
            (moved_though_given_up, "作者已经放下"),
            (resolved_outside_its_range, "第 6 章收"),
            (resolved_by_no_contract, "没有一份契约收它"),
        ],
        [resolved_early_in_its_range, given_up_and_left],
    ),
    (
        "VOLUME_FORESHADOWING",
        [
            (outline_alone, "契约的 foreshadowing_updates 里没有"),
            (contract_alone, "伏笔「门上」（coin）第 6 章的契约里有"),
            (outline_says_nothing, "伏笔「门上」（bell）第 5 章的契约里有"),
            (outline_does_another_thing, "大纲写的是收，契约写的是推"),
        ],
        [outline_in_words, contracts_say_nothing],
    ),
]
FAULTS = faults(RULES)


@pytest.mark.parametrize(("spoil", "code", "said"), FAULTS, ids=names(FAULTS))
def test_a_fault_is_found_and_named_once(spoil: Spoil, code: str, said: str) -> None:
    check_fault(spoil, code, said)


@pytest.mark.parametrize("edge", edges(RULES), ids=lambda edge: edge.__name__)
def test_a_plan_that_a_rule_allows(edge: Spoil) -> None:
    check_edge(edge)


PLAN = layout.staged(layout.foreshadowing_plan(2))


def told(problems: Any) -> list[tuple[str, str, str]]:
    """(file, detail, advice) of each problem."""
    found = list(problems)
    assert {p.code for p in found} <= {"VOLUME_FORESHADOWING"}
    return [(p.path, p.values["detail"], p.values["how"]) for p in found]


P, A, R = "planted", "advanced", "resolved"


# updates as they are written ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key_line", "found"),
    [
        ("埋 bell（门上）；推 rope、coin", {"bell": P, "rope": A, "coin": A}),
        ("埋下bell；埋设：coin；埋入「ring」", {"bell": P, "coin": P, "ring": P}),
        ("推进 bell；推动 coin", {"bell": A, "coin": A}),
        ("收 a1；回收 b1；收回 c1；收束 d1", dict.fromkeys(("a1", "b1", "c1", "d1"), R)),
        ("推进 lame_mule；double-seal", {"lame_mule": A, "double-seal": None}),
        ("埋 double-seal（盐引 two-marks（旧 old-ink））、coin", {"double-seal": P, "coin": P}),
        ("埋 a-b【旧 c-d】[e-f]，g-h", {"a-b": P, "g-h": P}),
        ("planted ring", {"ring": P}),
        ("Plant ring, coin; advance: bell; RESOLVED rope", {"ring": P, "coin": P, "bell": A, "rope": R}),
        ("advanced bell。resolve coin\nplant ring", {"bell": A, "coin": R, "ring": P}),
        ("埋 bell 推 coin", {"bell": P, "coin": A}),
        ("埋 bell；coin", {"bell": P}),  # a word by itself is none
        ("埋 bell 与 coin 和 ring 及 oar/cup", dict.fromkeys(("bell", "coin", "ring", "oar", "cup"), P)),
        ("埋 bell，响在 coin 上", {"bell": P}),
        ("门上的 rope 又响", {"rope": None}),  # known
        ("埋 bell，第 3 章再说", {"bell": P}),
        ("埋 3、bell", {"bell": P}),
        ("门铃响了，推 bell", {"bell": A, "门铃": None}),
        ("无，第 3 章再说", {}),
        ("", {}),
    ],
)
def test_a_key_line_of_the_outline(key_line: str, found: dict[str, str | None]) -> None:
    updates = foreshadowing_updates.outline_updates(key_line, ["rope", "门铃", "船票"])
    assert [(one.name, one.action) for one in updates] == list(found.items())


def test_known_ids_that_are_no_latin_words_come_last_in_order() -> None:
    updates = foreshadowing_updates.outline_updates("乙、甲、丙又响，推 bell", iter(["乙", "甲", "丁"]))
    assert [one.name for one in updates] == ["bell", "乙", "甲"]


@pytest.mark.parametrize(
    ("listed", "updates"),
    [
        (
            {"bell": "planted", "coin": {"action": "resolved"}, "oar": "moved"},
            {"bell": P, "coin": R, "oar": None},
        ),
        ({"bell": {}, "coin": None}, {"bell": None, "coin": None}),
        (
            ["bell", {"id": "coin", "action": "advanced"}, {"id": "oar"}],
            {"bell": None, "coin": A, "oar": None},
        ),
        ([{"action": "planted"}, "", 4, {"id": 4}, FAULTY], {}),
        ("bell", {}),
        (None, {}),
    ],
    ids=str,
)
def test_the_updates_of_a_contract(listed: Any, updates: dict[str, str | None]) -> None:
    draft = Draft()
    ends(draft, 5)["foreshadowing_updates"] = listed
    found = foreshadowing_updates.contract_updates(draft.plan().contracts[5])
    assert [(one.name, one.action) for one in found] == list(updates.items())


def test_the_ids_of_items() -> None:
    items: list[dict[str, Any]] = [{"id": "a"}, {"id": ""}, {"id": 4}, {}, {"id": "b"}, {"id": "a"}]
    assert foreshadowing_updates.thread_ids(items) == {"a", "b"}


# unknown threads and illegal actions --------------------------------------------------------------


def unknown(draft: Draft, **plan: Any) -> list[tuple[str, str, str]]:
    return told(foreshadowing_updates.unknown_thread_problems(draft.plan()._replace(**plan)))


def test_an_unknown_thread_once_with_all_its_places() -> None:
    draft = Draft()
    ends(draft, 4)["foreshadowing_updates"].append("ghost")
    ends(draft, 5)["foreshadowing_updates"] = {"ghost": "advanced", "belt": "advanced"}
    draft.keys[5]["Foreshadowing"] = "推 iron-ring、bell、rope"
    key = "foreshadowing_updates"
    assert unknown(draft) == [
        (
            path(4),
            f"伏笔「ghost」没有人立过（{path(4)} 的 {key}、{path(5)} 的 {key}）",
            f"请改好编号，或在 {PLAN} 里立这一条。",
        ),
        (
            path(5),
            f"伏笔「belt」没有人立过（{path(5)} 的 {key}）",
            f"请改好编号（是不是「bell」？），或在 {PLAN} 里立这一条。",
        ),
        (
            OUTLINE,
            f"伏笔「iron-ring」没有人立过（{OUTLINE} 的第 5 章 Foreshadowing）",
            f"请改好编号，或在 {PLAN} 里立这一条。",
        ),
    ]
    assert len(unknown(draft, last=4)) == 3
    assert unknown(draft, last=5) == []
    for part in ({"threads": None}, {"facts": None}, {"partial": frozenset({"threads"})}):
        assert unknown(draft, **part) == []


def test_an_update_of_a_contract_that_is_not_as_it_must_be() -> None:
    draft = Draft()
    listed = [
        {"id": "bell", "action": "advanced"},
        {"action": "advanced"},
        {"id": "coin", "action": "moved"},
        {"id": "coin"},
        {"id": "bell", "action": "advanced"},
        {"id": "bell", "action": "planted"},
        "coin",
        "coin",
        "",
    ]
    ends(draft, 5)["foreshadowing_updates"] = listed
    legal = "action 请写成 planted、advanced、resolved 之一。"
    wanted = [
        (path(5), "foreshadowing_updates 里「bell」的 advanced 写了两次", "请只留一条。"),
        (path(5), "foreshadowing_updates 第 2 条没有 id", "请写上伏笔的编号。"),
        (path(5), "伏笔「coin」的 action「moved」不认识", legal),
        (path(5), "伏笔「coin」没有写 action", legal),
        (path(5), "foreshadowing_updates 第 9 条没有 id", "请写上伏笔的编号。"),
    ]
    assert unknown(draft) == wanted
    assert unknown(draft, threads=None) == wanted
    assert unknown(draft, last=5) == []


# the course of a thread ---------------------------------------------------------------------------


def course(draft: Draft, **plan: Any) -> list[tuple[str, str, str]]:
    return told(foreshadowing_updates.course_problems(draft.plan()._replace(**plan)))


def updates(draft: Draft, **chapters: Any) -> Draft:
    """What the contracts of these chapters (`c4=…`) do; nothing in the others."""
    for number in (4, 5, 6):
        ends(draft, number)["foreshadowing_updates"] = chapters.get(f"c{number}", [])
    return draft


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
