"""Things called by their name in the text: one entry for each, plain ops in the log."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest

from novel_hooks.rules.state import changelog, delta


def op(kind: str, path: str, value: Any) -> dict[str, Any]:
    return {"op": kind, "path": path, "value": value}


def put(path: str, value: Any) -> dict[str, Any]:
    return op("set", path, value)


def applied(*ops: Any, state: Any = None) -> delta.Applied:
    return delta.apply(state, {"chapter": 1, "ops": list(ops)})


def items(*ops: Any, state: Any = None) -> Any:
    found = applied(*ops, state=state)
    assert found.dropped == []
    return found.state["items"]


def test_the_first_op_on_a_name_makes_its_entry() -> None:
    assert items(put("items.船灯.owner", "周淮")) == {"船灯": {"display_name": "船灯", "owner": "周淮"}}
    assert items(op("inc", "items.灵石.count", 3)) == {"灵石": {"display_name": "灵石", "count": 3}}
    assert items(op("add", "items.船灯.aliases", "旧灯"))["船灯"]["aliases"] == ["旧灯"]
    whole = {"owner": "周淮", "lit": True}
    assert items(put("items.船灯", whole)) == {"船灯": {"display_name": "船灯", **whole}}


def test_a_later_whole_op_is_merged() -> None:
    found = items(
        put("items.船灯.owner", "周淮"),
        op("add", "items.船灯.aliases", "旧灯"),
        put("items.船灯", {"lit": 1}),
    )
    assert found == {"船灯": {"display_name": "船灯", "owner": "周淮", "aliases": ["旧灯"], "lit": 1}}


@pytest.mark.parametrize("name", ["船灯", "旧灯", "ｌａｍｐ", "lamp"])
def test_an_entry_that_bears_the_name_is_meant(name: str) -> None:
    slug = {"old-lamp": {"display_name": "船灯", "aliases": ["旧灯", "lamp"]}}
    state = {**delta.empty_state(), "items": slug}
    found = items(put(f"items.{name}.owner", "阿霖"), state=state)
    assert list(found) == ["old-lamp"] and found["old-lamp"]["owner"] == "阿霖"


def test_a_display_name_goes_before_an_alias() -> None:
    state = {**delta.empty_state(), "items": {"a": {"aliases": ["灯"]}, "b": {"display_name": "灯"}}}
    assert items(put("items.灯.owner", "阿霖"), state=state)["b"]["owner"] == "阿霖"


def test_slugs_stay_what_they_were() -> None:
    assert items(put("items.old-lamp.owner", "周淮"), op("inc", "items.coins", 3)) == {
        "old-lamp": {"owner": "周淮"},
        "coins": 3,
    }


def test_either_form_of_a_name_is_one() -> None:
    name = "Café"
    forms = [unicodedata.normalize(form, name) for form in ("NFC", "NFD")]
    for first, second in (forms, forms[::-1]):
        found = items(put(f"items.{first}.owner", "a"), put(f"items.{second}.lit", 1))
        assert found == {forms[0]: {"display_name": forms[0], "owner": "a", "lit": 1}}


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("items.长" + "长" * 20 + ".owner", "a", "名字太长"),
        ("items.石 埠.owner", "a", "空格"),
        ("items.石\u3000埠.owner", "a", "空格"),
        ("items.石\u200b埠.owner", "a", "看不见"),
        ("items.\ud800.owner", "a", "看不见"),
        ("items.__proto__.owner", "a", "不允许"),
        ("items.constructor.owner", "a", "不允许"),
        ("items.石.埠.头.上", "a", "2 到 4 段"),
        ("items.船灯", "丢了", "一组资料"),
        ("items.船灯", {}, "一组资料"),
        ("items.船灯", {"a.b": 1}, "点"),
        ("items.船灯", {"__proto__": 1}, "不允许"),
        ("items.船灯", {"display_name": 3}, "名字应是几个字"),
        ("items.船灯.display_name", " ", "名字应是几个字"),
        ("items.船灯.aliases", "旧灯", "别名"),
        ("items.船灯", {"aliases": [3]}, "别名"),
    ],
)
def test_what_is_no_name_is_dropped_without_a_trace(path: str, value: Any, said: str) -> None:
    found = applied(put(path, value))
    assert found.state["items"] == {}
    (dropped,) = found.dropped
    assert said in dropped["reason"] and dropped["op"] == put(path, value)


@pytest.mark.parametrize("kind", ["inc", "add", "remove"])
def test_a_thing_itself_is_no_list_and_no_number(kind: str) -> None:
    found = applied(op(kind, "items.船灯", 1), op("remove", "items.船灯.aliases", "旧灯"))
    assert (len(found.dropped), found.state["items"]) == (2, {})


def test_the_longest_name_is_twenty() -> None:
    name = "长" * 20
    assert list(items(put(f"items.{name}.owner", "a"))) == [name]


def test_an_op_of_which_one_part_does_not_apply_leaves_nothing() -> None:
    found = applied(put("items.船灯.owner", {"a": 1}), put("items.船灯", {"lit": 1, "owner": "周淮"}))
    assert found.state["items"]["船灯"] == {"display_name": "船灯", "owner": {"a": 1}}
    assert len(found.dropped) == 1
    whole = applied(put("items.船灯", {"lit": 1, "lit.x": 2}), op("inc", "items.船灯.lit", "a"))
    assert (len(whole.dropped), whole.state["items"]) == (2, {})


def test_the_log_keeps_plain_ops_that_need_no_name() -> None:
    state = {**delta.empty_state(), "items": {"old-lamp": {"display_name": "船灯"}}}
    found = applied(put("items.船灯.owner", "阿霖"), put("items.桨.owner", "阿霖"), state=state)
    assert [one["path"] for one in found.ops] == [
        "items.old-lamp.owner",
        "items.桨.display_name",
        "items.桨.owner",
    ]


def test_an_old_log_is_replayed_by_its_old_rule() -> None:
    """Names without a display name, too long ones, bare values, levels of any shape: as they were applied."""
    old = [
        put("items.船灯.owner", "周淮"),
        put("items." + "长" * 30, "丢了"),
        put("characters.cen-si.level", {"stage": 2}),
        op("inc", "items.灵石", 3),
    ]
    line = changelog.log_line("t", 1, "main", 0, 1, old, [])
    state = changelog.replay([line])
    assert state["items"] == {"船灯": {"owner": "周淮"}, "长" * 30: "丢了", "灵石": 3}
    found = delta.apply(
        state,
        {
            "chapter": 2,
            "ops": [
                put("items.船灯.lit", 1),
                put("items." + "长" * 30, "找到了"),
                op("inc", "items.灵石", 1),
            ],
        },
    )
    assert found.dropped == []
    assert found.state["items"] == {"船灯": {"owner": "周淮", "lit": 1}, "长" * 30: "找到了", "灵石": 4}
    later = changelog.log_line("t", 2, "main", 1, 2, found.ops, [])
    assert changelog.replay([line, later]) == found.state


def test_a_setup_line_stands_before_the_first_chapter() -> None:
    line = changelog.setup_line("t", [put("characters.cen-si.level", "第二层")])
    state = changelog.replay([line])
    assert (state["state_version"], state["last_updated_chapter"]) == (1, 0)
    assert state["characters"] == {"cen-si": {"level": "第二层"}}


def test_an_alias_may_be_taken_away_and_a_name_is_only_set() -> None:
    lamp = [put("items.船灯", {"aliases": ["旧灯", "小灯"]}), op("remove", "items.船灯.aliases", "旧灯")]
    assert items(*lamp)["船灯"]["aliases"] == ["小灯"]
    found = applied(*lamp, op("add", "items.船灯.display_name", "大灯"), op("inc", "items.船灯.aliases", 1))
    assert len(found.dropped) == 2 and found.state["items"]["船灯"]["display_name"] == "船灯"


def test_a_thing_may_get_another_name() -> None:
    found = items(put("items.船灯.owner", "周淮"), put("items.船灯.display_name", "大灯"))
    assert found == {"船灯": {"display_name": "大灯", "owner": "周淮"}}
    assert items(put("items.船灯", {"display_name": "大灯"})) == {"船灯": {"display_name": "大灯"}}
