"""Unknown names: noted once a chapter, counted while nobody registers them."""

from __future__ import annotations

from typing import Any

from novel_hooks.rules.cast import unknown_names

TS = "2030-01-02T03:04:05Z"


def entity(mention: Any, **more: Any) -> dict[str, Any]:
    return {"mention": mention, "context": "城门口", "suggested_type": "character", **more}


def test_a_new_name_is_noted_whole() -> None:
    assert unknown_names.merge_unknown([], 7, TS, [entity("老周")]) == [
        {"ts": TS, "chapter": 7, "mention": "老周", "context": "城门口", "suggested_type": "character"}
    ]


def test_none_twice_in_one_chapter_but_again_in_the_next() -> None:
    first = unknown_names.merge_unknown([], 7, TS, [entity("老周"), entity(" 老周 "), entity("渡口")])
    assert [line["mention"] for line in first] == ["老周", "渡口"]
    assert unknown_names.merge_unknown(first, 7, TS, [entity("老周")]) == []
    assert [line["chapter"] for line in unknown_names.merge_unknown(first, 8, TS, [entity("老周")])] == [8]


def test_what_names_nobody_is_passed_over() -> None:
    assert unknown_names.merge_unknown([], 7, TS, [entity(""), entity(None), entity(4), "老周", None]) == []


def test_distinct_names_that_are_still_unregistered() -> None:
    lines = [{"mention": "老周"}, {"mention": "渡口"}, {"mention": "老周"}, {"mention": "林风"}, {}]
    assert unknown_names.unregistered_names(lines, {"林风"}) == ["老周", "渡口"]
