"""New names that may be other names of known things."""

from __future__ import annotations

from novel_hooks.rules.cast import alike_names
from novel_hooks.rules.cast.alike_names import Alike


def found(new: list[str], *known: str) -> list[Alike]:
    return list(alike_names.alike(new, known))


def test_one_holds_the_other_or_both_begin_alike() -> None:
    assert found(["沉船石埠"], "石埠", "桥头") == [Alike("沉船石埠", "石埠", True)]
    assert found(["石埠"], "沉船石埠") == [Alike("石埠", "沉船石埠", True)]
    assert found(["沈家大宅"], "沈家祠堂") == [Alike("沈家大宅", "沈家祠堂", False)]


def test_of_several_the_most_alike_is_asked_about() -> None:
    assert found(["沈家大宅门"], "沈家祠堂", "沈家大宅", "大宅") == [Alike("沈家大宅门", "沈家大宅", True)]


def test_a_known_name_is_not_new_and_a_new_one_is_known_behind_it() -> None:
    assert found(["石埠", "石 埠"], "石埠") == []
    assert found(["青石塔", "石塔", "石塔"]) == [Alike("石塔", "青石塔", True)]


def test_one_mark_in_common_is_nothing() -> None:
    assert found(["塔", "沈园", "旧灯"], "青石塔", "沈家", "新灯") == []
