"""Rules for a planner's files: names of files, ids, numbers of contracts."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks import layout
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast import planner_files
from novel_hooks.rules.text.json_values import FAULTY

CARD = "staging/characters/active/lin-shen.json"
RULES = "staging/world/rules.json"


def reported(found: Any) -> list[tuple[str, str, str, str]]:
    """Code, file, detail, advice of each problem."""
    return [(one.code, one.diagnostic().path, one.values["detail"], one.values["how"]) for one in list(found)]


@pytest.mark.parametrize(
    ("path", "stem", "staged"),
    [
        ("staging/world/salt-town.md", "salt-town", True),
        ("characters/active/a.b.json", "a.b", False),
        ("brief.md", "brief", False),
        ("staging", "staging", False),
        ("x/staging/a", "a", False),
    ],
)
def test_a_files_stem_and_whether_it_is_staged(path: str, stem: str, staged: bool) -> None:
    assert planner_files.stem(path) == stem
    assert planner_files.is_staged(path) is staged


@pytest.mark.parametrize("card", [None, {}, {"id": "lin-shen"}, {"id": None}, {"id": 7}, FAULTY])
def test_a_file_that_is_named_by_the_slug_has_no_problem(card: Any) -> None:
    assert reported(planner_files.file_name_problems(CARD, card)) == []


def test_a_file_name_that_is_no_slug_or_not_the_cards() -> None:
    path = "staging/characters/active/林深.json"
    assert reported(planner_files.file_name_problems(path, {"id": "lin-shen"})) == [
        (
            "PLAN_BROKEN",
            path,
            f"{path} 的文件名不能当代号",
            "请把文件名改成小写英文、数字、连字符（如 lin-shen），别和已有的重名。",
        ),
        (
            "PLAN_BROKEN",
            path,
            f"{path} 里的 id 是「lin-shen」，与文件名不同",
            "请把 id 改成「林深」，或给文件换一个还没有人用的名字。",
        ),
    ]
    assert len(reported(planner_files.file_name_problems(path, None))) == 1
    assert [one[2] for one in reported(planner_files.file_name_problems(CARD, {"id": "x"}))] == [
        f"{CARD} 里的 id 是「x」，与文件名不同"
    ]


def test_an_id_of_several_entries_is_one_problem() -> None:
    listed = [{"id": name} for name in ("b", "a", "b", "c", "a", "b")] + [
        {},
        {},
        "a",
        None,
        {"id": 7},
        {"id": 7},
    ]
    assert reported(planner_files.duplicate_id_problems(RULES, listed)) == [
        ("PLAN_BROKEN", RULES, f"{RULES} 里有两条都叫「{name}」", "请给其中一条另起编号。") for name in "ba"
    ]


@pytest.mark.parametrize("listed", [[{"id": "a"}, {"id": "b"}], [], None, {"id": "a"}, "aa", FAULTY])
def test_without_an_id_twice_there_is_no_problem(listed: Any) -> None:
    assert reported(planner_files.duplicate_id_problems(RULES, listed)) == []


def test_a_planners_rules_are_numbered() -> None:
    rules = [{"id": name} for name in ("W-001", "W-1", "灯", "W-0012", "灯", "W-001x", "xW-001")]
    assert reported(planner_files.rule_id_problems(RULES, rules)) == [
        (
            "PLAN_ODD",
            RULES,
            "规则编号「W-1」、「灯」、「W-001x」、「xW-001」不是 W-001 这样的",
            "照样能用；要整齐，趁还没有别处引用，改成 W-001 起的编号。",
        )
    ]
    assert reported(planner_files.rule_id_problems("world/rules.json", rules)) == []
    assert reported(planner_files.rule_id_problems(RULES, rules[:1])) == []


@pytest.mark.parametrize(
    ("path", "odd"),
    [
        ("staging/world/盐镇.md", True),
        ("staging/world/Salt.md", True),
        ("staging/world/salt-town.md", False),
        ("world/盐镇.md", False),
    ],
)
def test_a_staged_documents_name_is_a_slug(path: str, odd: bool) -> None:
    line = (
        "PLAN_ODD",
        path,
        "文件名不是小写英文、数字、连字符",
        "照样能读；要整齐，改成 salt-town.md 这样的名字。",
    )
    assert reported(planner_files.slug_problems(path)) == ([line] if odd else [])


@pytest.mark.parametrize(
    ("contracts", "count"),
    [(None, 0), ([], 0), ([{}], 1), ([{}] * 2, None), ([{}] * 5, None), ([{}] * 6, 6)],
)
def test_a_card_has_two_to_five_contracts(contracts: Any, count: int | None) -> None:
    found = reported(planner_files.contract_count_problems(CARD, {"contracts": contracts}))
    how = "照样能用；要补要减，让角色设计师再改一遍，或入库以后自己改这份档案。"
    line = ("PLAN_ODD", CARD, f"有 {count} 条契约，一个角色该有 2 到 5 条", how)
    assert found == ([] if count is None else [line])


def person(slug: str, name: str, aliases: Any = None, *contracts: str) -> casts.Character:
    document = {"display_name": name, "aliases": aliases, "contracts": [{"id": one} for one in contracts]}
    return casts.character(slug, document)


BORROWER, BEARER = person("a-one", "甲", ["乙"]), person("b-two", "乙")
LINE = "「乙」是甲的别名，又是另一个人的显示名，写到它只认得那一个"


@pytest.mark.parametrize(
    ("slugs", "found"),
    [
        ((), []),
        (("c",), []),
        (("a-one",), [("a-one", "请从甲的 aliases 里删去它；他冒用这个名字的，写进他的小传。")]),
        (("b-two",), [("b-two", "请给新角色另起一个显示名。")]),
        (("a-one", "b-two"), [("a-one", "请从甲的 aliases 里删去它；他冒用这个名字的，写进他的小传。")]),
    ],
)
def test_a_staged_card_borrows_no_name(slugs: tuple[str, ...], found: list[tuple[str, str]]) -> None:
    paths = {slug: f"staging/characters/active/{slug}.json" for slug in slugs}
    assert reported(planner_files.staged_card_problems([BEARER, BORROWER], slugs)) == [
        ("PLAN_BROKEN", paths[slug], f"{paths[slug]}：{LINE}", how) for slug, how in found
    ]


@pytest.mark.parametrize(
    ("slugs", "found"),
    [
        ((), []),
        (("a",), [("a", "乙"), ("a", "丙")]),
        (("b",), [("b", "甲")]),
        (("c",), [("c", "甲")]),
        (("a", "b"), [("b", "甲"), ("a", "丙")]),
    ],
)
def test_a_staged_contract_has_an_id_of_its_own(slugs: tuple[str, ...], found: list[tuple[str, str]]) -> None:
    people = [person("c", "丙", None, "C-1"), person("a", "甲", None, "C-1"), person("b", "乙", None, "C-1")]
    paths = {slug: f"staging/characters/active/{slug}.json" for slug in slugs}
    assert reported(planner_files.staged_card_problems(people, slugs)) == [
        ("PLAN_BROKEN", paths[slug], f"{paths[slug]} 的契约「C-1」和{other}的一条同号", "请给它另起编号。")
        for slug, other in found
    ]


SECRET = "那年盐仓的门是他亲手打开的"


@pytest.mark.parametrize(
    ("card", "field"),
    [
        ({"wants": f"没人知道{SECRET}"}, "想要（wants）"),
        ({"voice": "慢。“那年盐仓的门，是他亲手打开的！”"}, "口吻（voice）"),
        ({"knows": ["仓里少三包", SECRET]}, "所知（knows）"),
        ({"starting": {"location": f"仓外，{SECRET}"}}, "所在（location）"),
        ({"called_by": {"阿棠": SECRET}}, "别人叫他（called_by）"),
        (
            {"contracts": [{"id": "C-1", "rule": "守"}, {"id": "C-2", "rule": SECRET}]},
            "第 2 条契约（contracts）",
        ),
    ],
)
@pytest.mark.parametrize("own", [True, False])
def test_a_field_that_the_writer_reads_tells_no_secret(card: dict[str, Any], field: str, own: bool) -> None:
    keeper = casts.character("keeper", {"display_name": "陈仓", "secret": SECRET, **(card if own else {})})
    other = casts.character("other", {"display_name": "阿棠", **({} if own else card)})
    (found,) = planner_files.secret_leak_problems([keeper, other], ["keeper", "other"])
    assert f"{field}写出了「陈仓」的秘密：「" in str(found) and found.path == layout.staged(
        layout.character_card("keeper" if own else "other")
    )
    assert list(planner_files.secret_leak_problems([keeper, other], [])) == [], "the author's own pass"


def test_what_seems_to_be_his_own_secret_in_other_words_is_told_once() -> None:
    secret = "八月十六已经关动，瞒着没报；盐仓里有他的人。"
    card = {"display_name": "陈仓", "secret": secret, "looks": "住在盐仓里有年头了"}
    card |= {"knows": ["自己八月十六关动", "初四落雷"], "wants": "盐仓里有粮"}
    (found,) = planner_files.secret_leak_problems([casts.character("k", card)], ["k"])
    assert found.severity == "warning"
    assert "所知（knows）里的「自己八月十六关动」和他的 secret" in str(found)
    assert not [*planner_files.secret_leak_problems([casts.character("k", card)], [])]


def test_what_the_writer_does_not_read_may_tell_a_secret() -> None:
    card = {"display_name": "陈仓", "secret": SECRET, "wants": "守住盐仓"}
    card["contracts"] = [{"id": "C-1", "rule": "守仓", "update_requires": SECRET}]
    assert list(planner_files.secret_leak_problems([casts.character("k", card)], ["k"])) == []


def test_what_a_card_tells_of_the_state_is_no_contract() -> None:
    now, always = "他现在才到三阶", "从不收活人的钱"
    card = {"aliases": "阿四", "contracts": [{"rule": now}, {"rule": always}, "x", {"rule": 7}]}
    odd = reported(planner_files.person_state_problems(CARD, card))
    assert [(code, path) for code, path, _, _ in odd] == [("PLAN_ODD", CARD)] * 2
    assert odd[0][2].startswith("「别名」") and odd[1][2].startswith(f"「{now}」说的是")
    assert reported(planner_files.person_state_problems(CARD, {"contracts": [{"rule": always}]})) == []
    assert reported(planner_files.person_state_problems(CARD, {"contracts": None})) == []
