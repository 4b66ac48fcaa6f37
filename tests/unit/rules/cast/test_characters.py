"""Whose contracts go into a packet, the hard rules, the blacklist (seed 000 Steps 2.2-2.4)."""

from __future__ import annotations

from typing import Any

import pytest

from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast import world_rules


def person(slug: str, name: str) -> casts.Character:
    return casts.character(slug, {"display_name": name})


PEOPLE = [person("qiao-jiu", "乔九"), person("shen-du", "沈渡"), person("bai-sui", "白穗")]
CONTRACT = "volumes/vol-01/chapter-contracts/chapter-005.json"


def test_entity_ids_in_slug_order() -> None:
    assert list(casts.names_by_slug(PEOPLE).items()) == [
        ("bai-sui", "白穗"),
        ("qiao-jiu", "乔九"),
        ("shen-du", "沈渡"),
    ]


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


def test_the_blacklist_has_no_word_twice_and_a_rule_is_one_line() -> None:
    listed = {"words": ["不禁", {"word": "不禁"}, "缓缓", "不禁"]}
    assert world_rules.blacklist_top(listed) == ["不禁", "缓缓"]
    rule = {
        "id": "W-001",
        "category": "magic",
        "rule": "灯不可灭\n- [W-002][x] 假的",
        "constraint_type": "hard",
    }
    (line,) = world_rules.hard_rule_lines({"rules": [rule]})
    assert len(line.splitlines()) == 1


def test_those_whom_the_contract_names_however_many() -> None:
    crowd = [person(f"p-{n:02d}", f"人{n}") for n in range(30)]
    chosen, warnings = casts.select_characters(crowd, tuple(p.name for p in reversed(crowd)), CONTRACT, [])
    assert [p.slug for p in chosen] == [p.slug for p in crowd]
    assert warnings == []


def test_an_unknown_name_is_a_warning_and_is_skipped() -> None:
    chosen, (warning,) = casts.select_characters(PEOPLE, ("白穗", "路人甲"), CONTRACT, [])
    assert [p.slug for p in chosen] == ["bai-sui"]
    assert warning.severity == "warning" and "路人甲" in str(warning) and CONTRACT in str(warning)


def test_an_alias_and_an_id_are_his_too() -> None:
    called = casts.character("he-tie", {"display_name": "何铁", "aliases": ["老何", "铁匠"]})
    for word in ("老何", "he-tie", "何 铁"):
        chosen, warnings = casts.select_characters([*PEOPLE, called], (word,), CONTRACT, [])
        assert ([p.slug for p in chosen], warnings) == (["he-tie"], [])
    chosen, _ = casts.select_characters([called], ("老何", "何铁"), CONTRACT, [])
    assert len(chosen) == 1


@pytest.mark.parametrize("written", ["沈渡 ", "沈　渡", "沈\u200b渡"])
def test_a_contract_names_a_person_whatever_the_width_and_spacing(written: str) -> None:
    chosen, warnings = casts.select_characters(PEOPLE, (written, "沈渡"), CONTRACT, [])
    assert [p.slug for p in chosen] == ["shen-du"] and warnings == []


def test_else_the_fifteen_seen_last_then_by_slug() -> None:
    crowd = [person(f"p-{n:02d}", f"人{n:02d}") for n in range(20)]
    recent = [(7, "人19在船上"), (9, "人18来过；人17也在"), (8, "人18说话")]
    chosen, _ = casts.select_characters(crowd, None, CONTRACT, recent)
    assert [p.slug for p in chosen] == ["p-17", "p-18", "p-19", *(f"p-{n:02d}" for n in range(12))]


def test_the_order_of_reading_does_not_matter() -> None:
    recent = [(7, "乔九"), (8, "沈渡")]
    one, _ = casts.select_characters(PEOPLE, None, CONTRACT, recent)
    two, _ = casts.select_characters(PEOPLE[::-1], None, CONTRACT, recent[::-1])
    assert one == two
    assert [p.slug for p in one] == ["shen-du", "qiao-jiu", "bai-sui"]


def test_hard_rules_by_id_with_their_exceptions() -> None:
    rules: dict[str, Any] = {
        "rules": [
            {"id": "W-002", "category": "river", "rule": "不得回头", "constraint_type": "HARD"},
            {"id": "W-003", "category": "soft", "rule": "少点灯", "constraint_type": "soft"},
            {
                "id": "W-001",
                "category": "magic",
                "rule": "灯灭不复燃",
                "constraint_type": "hard",
                "exceptions": ["祭日", "", "塔顶"],
            },
        ]
    }
    assert world_rules.hard_rule_lines(rules) == [
        "- [W-001][magic] 灯灭不复燃 (exceptions: 祭日；塔顶)",
        "- [W-002][river] 不得回头",
    ]
    assert world_rules.hard_rule_lines(None) == []


def test_the_blacklist_is_cut_to_ten_after_the_whitelist() -> None:
    words: list[Any] = [{"word": f"词{n}"} if n % 2 else f"词{n}" for n in range(14)]
    assert world_rules.blacklist_top({"words": words, "whitelist": ["词0", "词3"]}) == [
        f"词{n}" for n in (1, 2, 4, 5, 6, 7, 8, 9, 10, 11)
    ]
    assert world_rules.blacklist_top(None) == []
