"""What a writer and the record are given of people: never a secret."""

from __future__ import annotations

from typing import Any

from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast import people


def person(slug: str, name: str, **more: Any) -> casts.Character:
    return casts.character(slug, {"display_name": name, **more})


FULL = {
    "aliases": ["船家", "老沈"],
    "called_by": {"塔上的人": "撑船的"},
    "age": 41,
    "looks": "左手缺一指",
    "voice": "半句话",
    "level": "三等船户",
    "wants": "把船赎回来",
    "fears": "再进一回塔",
}
SHEN = person("shen-du", "沈渡", **FULL, secret="灯是他灭的", contracts=[{"id": "C-1"}], starting={})
QIAO = person("qiao-jiu", "乔九", aliases=["老沈"], voice="", wants=None)
MO = person("mo-lan", "莫岚")
CAST = [SHEN, QIAO, MO]


def test_who_is_named_by_name_alias_or_id() -> None:
    for texts, slugs in (
        (["沈渡收起一盏灯"], ["shen-du"]),
        (["他问船家借火", "塔下"], ["shen-du"]),
        (["去找 mo-lan"], ["mo-lan"]),
        (["莫岚与乔九"], ["mo-lan", "qiao-jiu"]),
        (["塔上没有人"], []),
        ([], []),
    ):
        assert [one.slug for one in people.named_people(CAST, texts)] == slugs


def test_a_name_that_two_share_means_both_alone_and_none_in_a_sentence() -> None:
    assert [one.slug for one in people.named_people(CAST, ["老沈"])] == ["qiao-jiu", "shen-du"]
    assert people.named_people(CAST, ["老沈来了"]) == []


def test_a_writer_sees_all_but_contracts_and_secret_and_nothing_that_is_empty() -> None:
    found = people.shown_by_slug(CAST)
    assert found == {
        "mo-lan": {"display_name": "莫岚"},
        "qiao-jiu": {"display_name": "乔九", "aliases": ["老沈"]},
        "shen-du": {"display_name": "沈渡", **FULL},
    }
    assert list(found) == sorted(found)
    assert people.shown_by_slug([person("a", "甲", age=0)]) == {"a": {"display_name": "甲", "age": 0}}


def test_a_secret_that_came_out_is_shown_as_none() -> None:
    out = person("a", "甲", secret="灯是他灭的", secret_out=7)
    assert people.shown_by_slug([out])["a"] == {
        "display_name": "甲",
        "secret": "灯是他灭的",
        "secret_use": "第 7 章已经说破，不再是秘密。",
    }


def test_the_record_knows_names_aliases_and_forms_of_address() -> None:
    found = people.names_by_slug(CAST)
    assert list(found) == ["mo-lan", "qiao-jiu", "shen-du"]
    assert found["shen-du"] == {
        "display_name": "沈渡",
        "aliases": ["船家", "老沈"],
        "called_by": {"塔上的人": "撑船的"},
    }
    assert found["mo-lan"] == {"display_name": "莫岚"}


def test_a_form_of_address_with_a_mark_of_his_name_names_him_and_so_does_the_name_he_uses_now() -> None:
    meng = person("meng-baizhu", "孟白术", called_by={"同门": "孟执事、师父", "掌门": "白术"})
    bai = person("bai-lin", "白琳", called_by={"同门": "白术"})
    cast = [meng, bai, MO]
    for told, slugs in (
        ("把账册交给孟执事", ["meng-baizhu"]),
        ("师父不在", []),
        ("白术晒在院里", []),
        ("去找阿九", ["mo-lan"]),
    ):
        state = {"characters": {"mo-lan": {"goes_as": "阿九"}, "bai-lin": {"goes_as": "莫岚"}}}
        assert [one.slug for one in people.named_people(cast, [told], state)] == slugs
    assert people.other_names([meng], {}) == {"meng-baizhu": ["孟执事", "白术"]}
    assert people.other_names([person("a", "甲乙", called_by="甲爷")], {"characters": []}) == {"a": ["甲爷"]}
