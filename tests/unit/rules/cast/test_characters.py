"""Characters: names, contracts in force, cards at fault (seed 000 Step 2.3-2.4)."""

from __future__ import annotations

import pytest

from novel_hooks.rules.cast import characters as casts


def person(slug: str, name: str) -> casts.Character:
    return casts.character(slug, {"display_name": name})


PEOPLE = [person("qiao-jiu", "乔九"), person("shen-du", "沈渡"), person("bai-sui", "白穗")]


def test_two_of_one_name_are_an_error_that_names_both_files() -> None:
    twins = [*PEOPLE, person("an-other", "沈渡")]
    (problem,) = casts.duplicate_name_problems(twins)
    assert problem.severity == "error"
    assert "characters/active/an-other.json" in str(problem) and "characters/active/shen-du.json" in str(
        problem
    )
    assert casts.duplicate_name_problems(PEOPLE) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ａ哥", "A哥"), ("沈渡 ", "沈渡"), ("沈　渡", "沈渡"), ("沈\u200b渡", "沈渡"), ("Ann ", "Ann")],
)
def test_names_that_differ_by_width_or_space_only_are_one_name(one: str, other: str) -> None:
    (problem,) = casts.duplicate_name_problems([person("a", one), person("b", other)])
    assert problem.code == "CHARACTER_DUPLICATE_NAME"
    assert casts.duplicate_name_problems([person("a", "A哥"), person("b", "B哥"), person("c", "a哥")]) == []


@pytest.mark.parametrize(
    ("file", "own", "said"),
    [
        ("林风", "lin-feng", "lin-feng.json"),
        ("Lu_Ren", "lu-ren", "lu-ren.json"),
        ("林风", "林风", "代号.json"),
        ("lin-feng", "feng-lin", "id 改成 lin-feng"),
    ],
)
def test_a_card_whose_file_is_not_named_by_the_id_is_an_error(file: str, own: str, said: str) -> None:
    (problem,) = casts.problems([casts.character(file, {"id": own, "display_name": "林风"})])
    assert (problem.code, problem.exit) == ("CHARACTER_ID_WRONG", 3)
    assert f"characters/active/{file}.json" in str(problem) and said in problem.diagnostic().fix
    assert casts.problems([casts.character("lin-feng", {"id": "lin-feng"}), *PEOPLE]) == []


def test_a_character_without_a_display_name_bears_his_id() -> None:
    assert casts.character("he-tie", {}) == casts.Character("he-tie", "he-tie", {})
    assert casts.character("he-tie", {"display_name": ""}).name == "he-tie"
    assert casts.character("he-tie", {"display_name": 7}).name == "7"


@pytest.mark.parametrize(
    ("aliases", "words"),
    [
        (["老何", "铁匠"], ["何铁", "老何", "铁匠", "he-tie"]),
        (["老何", "何铁", "老何", "he-tie", "", " ", 7, None], ["何铁", "老何", "he-tie"]),
        ("老何", ["何铁", "he-tie"]),
        (None, ["何铁", "he-tie"]),
    ],
)
def test_the_names_of_a_character_each_once(aliases: object, words: list[str]) -> None:
    called = casts.character("he-tie", {"display_name": "何铁", "aliases": aliases})
    assert casts.names_of(called) == words


def test_names_are_resolved_to_slugs() -> None:
    called = casts.character("he-tie", {"display_name": "何铁", "aliases": ["老何"]})
    found = casts.names([*PEOPLE, called])
    assert [found.who(word) for word in ("老何", "he-tie", "沈渡", "谁")] == [
        ("he-tie",),
        ("he-tie",),
        ("shen-du",),
        (),
    ]
    assert found.title("he-tie") == "何铁"


@pytest.mark.parametrize(
    ("first", "last", "binds"),
    [
        (None, None, True),
        (7, None, True),
        (8, None, False),
        (None, 7, True),
        (None, 6, False),
        (7, 7, True),
        (1, 9, True),
        ("8", "开战", True),
        (True, "6", True),
    ],
)
def test_a_contract_binds_from_its_first_to_its_last_chapter(
    first: object, last: object, binds: bool
) -> None:
    contract = {"id": "C-1", "valid_from_chapter": first, "valid_until": last}
    called = casts.character("a", {"contracts": [contract]})
    assert casts.contracts_in_force(called, 7) == ([contract] if binds else [])


def test_without_contracts_none_is_in_force() -> None:
    assert casts.contracts_in_force(person("a", "甲"), 7) == []
    assert casts.contracts_in_force(casts.character("a", {"contracts": None}), 7) == []


def test_a_writer_gets_name_and_contracts_the_judge_voice_and_secret_too() -> None:
    document = {
        "id": "a",
        "display_name": "甲",
        "contracts": [{"id": "C-1", "valid_until": 6}, {"id": "C-2"}],
        "secret": "x",
    }
    view = {"display_name": "甲", "contracts": [{"id": "C-2"}]}
    assert casts.agent_view(casts.character("a", document), 7) == view
    assert casts.judge_view(casts.character("a", {**document, "voice": {}, "secret": ""}), 7) == view
    voiced = casts.character("a", {**document, "voice": {"tone": "慢"}})
    assert casts.agent_view(voiced, 7) == view
    assert casts.judge_view(voiced, 7) == {**view, "voice": {"tone": "慢"}, "secret": "x"}


def test_a_card_is_at_fault_by_file_name_then_by_display_name() -> None:
    cast = [
        casts.character("b", {"id": "x", "display_name": "甲"}),
        casts.character("a", {"id": "y", "display_name": "甲"}),
    ]
    assert [(one.code, one.diagnostic().path) for one in casts.problems(cast)] == [
        ("CHARACTER_ID_WRONG", "characters/active/a.json"),
        ("CHARACTER_ID_WRONG", "characters/active/b.json"),
        ("CHARACTER_DUPLICATE_NAME", "characters/active/b.json"),
    ]
    assert [(one.code, one.diagnostic().path) for one in casts.problems(cast, {"a"})] == [
        ("CHARACTER_ID_WRONG", "characters/active/b.json"),
        ("CHARACTER_DUPLICATE_NAME", "staging/characters/active/a.json"),
    ]


@pytest.mark.parametrize(
    ("slug", "inside", "detail", "how"),
    [
        (
            "林风",
            "lin-feng",
            "文件名「林风」不能当代号，代号只用小写英文字母、数字和连字符",
            "请把这个文件改名为 lin-feng.json，同名的 .md 也改成 lin-feng.md，里面的 id 也写这个代号；"
            "那个名字要是已经有文件在用，就另起一个，不要盖掉它。",
        ),
        (
            "林风",
            None,
            "文件名「林风」不能当代号，代号只用小写英文字母、数字和连字符",
            "请把这个文件改名为 代号.json，同名的 .md 也改成 代号.md，里面的 id 也写这个代号；"
            "那个名字要是已经有文件在用，就另起一个，不要盖掉它。",
        ),
        (
            "lin-feng",
            "feng-lin",
            "文件名是「lin-feng」，里面的 id 却是「feng-lin」",
            "请把 id 改成 lin-feng；也可以把文件（和同名的 .md）换成 id 的名字，那个名字还没有人用才行。",
        ),
        (
            "lin-feng",
            7,
            "文件名是「lin-feng」，里面的 id 却是「7」",
            "请把 id 改成 lin-feng；也可以把文件（和同名的 .md）换成 id 的名字，那个名字还没有人用才行。",
        ),
    ],
)
def test_a_file_name_at_fault_is_told_with_its_cure(slug: str, inside: object, detail: str, how: str) -> None:
    (problem,) = casts.file_name_problems(casts.character(slug, {"id": inside}), "x.json", {slug})
    assert (problem.values["detail"], problem.values["how"]) == (detail, how)
    assert problem.diagnostic().path == "x.json"


@pytest.mark.parametrize("slug", ["林风", "lin-feng-2", "lin-feng (1)"])
def test_no_card_is_to_take_the_name_of_a_living_one(slug: str) -> None:
    cast = [casts.character(name, {"id": "lin-feng", "display_name": name}) for name in (slug, "lin-feng")]
    (problem,) = casts.problems(cast)
    fix = problem.diagnostic().fix
    assert problem.path == f"characters/active/{slug}.json"
    assert "改名为" not in fix and "不要用它盖掉 lin-feng.json" in fix


def test_a_card_without_an_id_is_named_by_its_file() -> None:
    assert casts.file_name_problems(casts.character("lin-feng", {}), "x.json", {"lin-feng"}) == []


def test_of_three_that_share_a_name_two_are_at_fault() -> None:
    cast = [person(slug, " 沈渡 ") for slug in "cab"]
    found = casts.duplicate_name_problems(cast)
    assert [(one.diagnostic().path, one.values["first"], one.values["name"]) for one in found] == [
        ("characters/active/b.json", "characters/active/a.json", "沈渡"),
        ("characters/active/c.json", "characters/active/a.json", "沈渡"),
    ]
    (_, staged) = casts.duplicate_name_problems(cast, {"a"})
    assert (staged.diagnostic().path, staged.values["first"]) == (
        "staging/characters/active/a.json",
        "characters/active/b.json",
    )


def test_a_card_lies_in_staging_or_with_the_active() -> None:
    assert casts.card_path("a", {"a", "b"}) == "staging/characters/active/a.json"
    assert casts.card_path("c", {"a", "b"}) == "characters/active/c.json"


def test_an_alias_that_is_anothers_display_name_is_borrowed() -> None:
    one = casts.character("b-one", {"display_name": "乙", "aliases": ["甲 ", "丙", "乙", "谁"]})
    two = casts.character("a-two", {"display_name": "甲", "aliases": ["乙", "甲"]})
    three = casts.character("c-three", {"display_name": "丙"})
    assert list(casts.borrowed_aliases([three, one, two])) == [
        (two, "乙", one),
        (one, "甲 ", two),
        (one, "丙", three),
    ]
    assert list(casts.borrowed_aliases(PEOPLE)) == []


def test_a_contracts_id_that_several_have_is_shared_with_the_first() -> None:
    def holder(slug: str, *ids: object) -> casts.Character:
        return casts.character(slug, {"contracts": [{"id": name} for name in ids]})

    c, a, b = holder("c", "C-1"), holder("a", "C-1", "C-2", "C-1"), holder("b", "C-1", "C-3")
    assert list(casts.shared_contract_ids([c, a, b])) == [("C-1", a, b), ("C-1", a, c)]
    assert list(casts.shared_contract_ids([holder("a", "C-1", "C-1"), holder("b", "C-2")])) == []


@pytest.mark.parametrize(
    ("contracts", "ids"),
    [
        ([{"id": "C-2"}, {"id": "C-1"}, {"id": "C-2"}], ["C-2", "C-1", "C-2"]),
        ([{}, {"id": None}, {"id": 7}, "C-1", None], []),
        ({"id": "C-1"}, []),
        (None, []),
    ],
)
def test_the_ids_of_a_cards_contracts(contracts: object, ids: list[str]) -> None:
    assert casts.contract_ids({"contracts": contracts}) == ids
    assert casts.contract_ids({}) == []


# what a card leads to, and what it hides --------------------------------------------------------------


def carded(slug: str, name: str, **fields: object) -> casts.Character:
    return casts.character(slug, {"display_name": name, **fields})


def test_relationships_of_the_card_and_of_its_beginning() -> None:
    one = carded("a", "甲", relationships={"乙": 1, "丙": 2}, starting={"relationships": {"丙": 3, "丁": 4}})
    assert casts.related(one) == ["乙", "丙", "丁"]
    assert casts.related(carded("a", "甲", relationships=["乙"], starting="x")) == []


def test_a_plan_is_given_name_contracts_and_secret() -> None:
    listed = [{"id": "C-1"}, {"id": "C-2", "valid_until": 8}, {"id": "C-3", "valid_until": 9}]
    one = carded("a", "甲", contracts=listed, secret="他是账房")
    assert casts.plan_view(one, 9) == {
        "display_name": "甲",
        "contracts": [listed[0], listed[2]],
        "secret": "他是账房",
    }
    out = carded("a", "甲", secret="他是账房", secret_out=7)
    assert casts.plan_view(out, 9) == {
        "display_name": "甲",
        "contracts": [],
        "secret": "他是账房",
        "secret_out": 7,
    }
    assert casts.plan_view(carded("a", "甲", secret_out=7), 9) == {"display_name": "甲", "contracts": []}


def test_secrets_are_kept_until_they_come_out() -> None:
    cast = [
        carded("a", "甲", secret="一"),
        carded("b", "乙", secret="二", secret_out=7),
        carded("c", "丙"),
        carded("d", "丁", secret="四"),
    ]
    assert casts.given_secrets(cast, ["甲", "b", "丙"]) == {"a": "一", "b": "二"}
    assert [casts.secret_out(one) for one in cast] == [None, 7, None, None]
    assert [(one.slug, words) for one, words in casts.kept_secrets(cast, ["丁"])] == [("a", "一")]
