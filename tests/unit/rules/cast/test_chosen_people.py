"""The choice of characters for a packet (seed 000 Step 2.3-2.4)."""

from __future__ import annotations

import pytest

from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast import chosen_people


def person(slug: str, name: str) -> casts.Character:
    return casts.character(slug, {"display_name": name})


PEOPLE = [person("qiao-jiu", "乔九"), person("shen-du", "沈渡"), person("bai-sui", "白穗")]
CONTRACT = "volumes/vol-01/chapter-contracts/chapter-005.json"


def test_those_whom_the_contract_names_however_many() -> None:
    crowd = [person(f"p-{n:02d}", f"人{n}") for n in range(30)]
    chosen, warnings = chosen_people.select_characters(
        crowd, tuple(p.name for p in reversed(crowd)), CONTRACT, []
    )
    assert [p.slug for p in chosen] == [p.slug for p in crowd]
    assert warnings == []


def test_an_unknown_name_is_a_warning_and_is_skipped() -> None:
    chosen, (warning,) = chosen_people.select_characters(PEOPLE, ("白穗", "路人甲"), CONTRACT, [])
    assert [p.slug for p in chosen] == ["bai-sui"]
    assert warning.severity == "warning" and "路人甲" in str(warning) and CONTRACT in str(warning)


def test_an_alias_and_an_id_are_his_too() -> None:
    called = casts.character("he-tie", {"display_name": "何铁", "aliases": ["老何", "铁匠"]})
    for word in ("老何", "he-tie", "何 铁"):
        chosen, warnings = chosen_people.select_characters([*PEOPLE, called], (word,), CONTRACT, [])
        assert ([p.slug for p in chosen], warnings) == (["he-tie"], [])
    chosen, _ = chosen_people.select_characters([called], ("老何", "何铁"), CONTRACT, [])
    assert len(chosen) == 1


@pytest.mark.parametrize("written", ["沈渡 ", "沈　渡", "沈\u200b渡"])
def test_a_contract_names_a_person_whatever_the_width_and_spacing(written: str) -> None:
    chosen, warnings = chosen_people.select_characters(PEOPLE, (written, "沈渡"), CONTRACT, [])
    assert [p.slug for p in chosen] == ["shen-du"] and warnings == []


def test_else_the_fifteen_seen_last_then_by_slug() -> None:
    crowd = [person(f"p-{n:02d}", f"人{n:02d}") for n in range(20)]
    recent = [(7, "人19在船上"), (9, "人18来过；人17也在"), (8, "人18说话")]
    chosen, _ = chosen_people.select_characters(crowd, None, CONTRACT, recent)
    assert [p.slug for p in chosen] == ["p-17", "p-18", "p-19", *(f"p-{n:02d}" for n in range(12))]


def test_the_order_of_reading_does_not_matter() -> None:
    recent = [(7, "乔九"), (8, "沈渡")]
    one, _ = chosen_people.select_characters(PEOPLE, None, CONTRACT, recent)
    two, _ = chosen_people.select_characters(PEOPLE[::-1], None, CONTRACT, recent[::-1])
    assert one == two
    assert [p.slug for p in one] == ["shen-du", "qiao-jiu", "bai-sui"]


def test_a_name_that_two_share_chooses_both() -> None:
    twins = [casts.character(slug, {"display_name": slug, "aliases": ["双"]}) for slug in ("b-x", "a-x")]
    chosen, warnings = chosen_people.select_characters([*twins, *PEOPLE], ("双",), CONTRACT, [])
    assert ([one.slug for one in chosen], warnings) == (["a-x", "b-x"], [])


def test_a_contract_that_names_nobody_chooses_nobody() -> None:
    assert chosen_people.select_characters(PEOPLE, (), CONTRACT, [(8, "沈渡")]) == ([], [])


def test_the_number_of_characters_is_the_authors() -> None:
    chosen, _ = chosen_people.select_characters(PEOPLE, None, CONTRACT, [(8, "沈渡"), (9, "乔九")], most=2)
    assert [one.slug for one in chosen] == ["qiao-jiu", "shen-du"]


def test_the_last_mention_of_several_counts() -> None:
    recent = [(6, "沈渡"), (7, "乔九"), (8, "沈渡")]
    chosen, _ = chosen_people.select_characters(PEOPLE, None, CONTRACT, recent)
    assert [one.slug for one in chosen] == ["shen-du", "qiao-jiu", "bai-sui"]


def test_a_mention_in_the_first_chapter_goes_before_none() -> None:
    chosen, _ = chosen_people.select_characters(PEOPLE, None, CONTRACT, [(1, "沈渡")])
    assert [one.slug for one in chosen] == ["shen-du", "bai-sui", "qiao-jiu"]
