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


def test_a_mention_is_stripped_and_what_is_missing_is_none() -> None:
    (line,) = unknown_names.merge_unknown([{"chapter": 6, "mention": "老周"}], 7, TS, [{"mention": " 老周 "}])
    assert line == {"ts": TS, "chapter": 7, "mention": "老周", "context": None, "suggested_type": None}


def line(mention: Any, chapter: Any, kind: Any = None, context: Any = None) -> dict[str, Any]:
    return {"mention": mention, "chapter": chapter, "suggested_type": kind, "context": context}


def test_a_name_has_its_chapters_its_last_type_and_its_first_context() -> None:
    lines = [
        line("老周", 9, "character", ""),
        line("老周", 7, "item", "城门口"),
        line("老周", 7, "place", "塔下"),
        line("老周 ", 9, " ", "渡口"),
        line("老周", "8"),
        line("老周", True, 7, 7),
    ]
    assert unknown_names.unknown_names(lines, set()) == [
        unknown_names.UnknownName("老周", (7, 9), "place", "城门口")
    ]


def test_a_name_without_type_and_context_has_none() -> None:
    assert unknown_names.unknown_names([{"mention": "老周"}], set()) == [
        unknown_names.UnknownName("老周", (), None, None)
    ]


def test_names_in_most_chapters_come_first_then_the_older_then_by_name() -> None:
    lines = [
        line("丁", 5),
        line("乙", 4),
        line("丙", 3),
        line("甲", 4),
        line("戊", 8),
        line("戊", 9),
        line("己", 1),
        line("己", 1),
        line("林风", 1),
        line(None, 1),
    ]
    found = unknown_names.unknown_names(lines, {"林风"})
    assert [one.mention for one in found] == ["戊", "己", "丙", "乙", "甲", "丁"]


def test_every_line_counts_after_one_that_is_passed_over() -> None:
    entities = ["老周", entity("渡口"), entity("渡口"), entity("灯塔")]
    assert [one["mention"] for one in unknown_names.merge_unknown([], 7, TS, entities)] == ["渡口", "灯塔"]


def test_a_type_that_nobody_knows_is_told() -> None:
    odd = [
        entity("老周", suggested_type="人"),
        entity("渡口", suggested_type=None),
        entity("林风"),
        entity("", suggested_type=3),
    ]
    assert unknown_names.of_no_kind(odd) == ["老周"]


def test_people_who_come_again() -> None:
    known = [line("老周", 3, "character"), line("渡口", 3, "location"), line("白穗", 2), line("白穗", 3)]
    fresh = [line("老周", 7), line("渡口", 7, "location"), line("林风", 7), line("白穗", 7)]
    assert unknown_names.come_again(known, fresh, ()) == (["白穗", "老周"], ["老周"])
    assert unknown_names.come_again(known, fresh, {"老周"}) == (["白穗"], [])
    assert unknown_names.come_again([*known, *fresh], [], ()) == (["白穗", "老周"], [])


def test_names_of_few_lines_are_left_out() -> None:
    lines = [line("老周", 3), line("白穗", 3), line("白穗", 3)]
    assert [one.mention for one in unknown_names.unknown_names(lines, (), least=2)] == ["白穗"]
    assert unknown_names.come_again(lines, [], ()) == ([], [])


def test_a_passer_by_is_a_person_of_one_chapter() -> None:
    one, two = unknown_names.unknown_names([line("老周", 3)], ())[0], (3, 7)
    assert unknown_names.is_passer_by(one)
    assert unknown_names.is_passer_by(one._replace(suggested_type="character"))
    assert not unknown_names.is_passer_by(one._replace(suggested_type="location"))
    assert not unknown_names.is_passer_by(one._replace(chapters=two))
