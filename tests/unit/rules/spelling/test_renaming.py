"""A name replaced where it is that name, and left where it may be another word."""

from __future__ import annotations

import pytest

from novel_hooks.rules.spelling.renaming import rename


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("沈渡来了，沈渡又走了。", "沈舟来了，沈舟又走了。"),
        ("岸上沈渡的手", "岸上沈舟的手"),
        ('{"沈渡": {"location": "沈渡家"}}', '{"沈舟": {"location": "沈舟家"}}'),
        ("没有他", "没有他"),
        ("", ""),
    ],
)
def test_every_place_of_a_name(text: str, expected: str) -> None:
    found = rename(text, "沈渡", "沈舟")
    assert (found.text, found.left) == (expected, ())
    assert found.times == text.count("沈渡")


def test_a_part_of_a_longer_name_stays() -> None:
    found = rename("苗和光看着和光。\n和光坊里，苗和光。", "和光", "同尘", ("和光", "苗和光", "和光坊"))
    assert found.text == "苗和光看着同尘。\n和光坊里，苗和光。"
    assert [(one.line, one.part_of) for one in found.left] == [(1, "苗和光"), (2, "和光坊"), (2, "苗和光")]
    assert found.left[1].quote == "和光坊里，苗和光。"


def test_a_name_of_everyday_characters_changes_only_where_it_stands_apart() -> None:
    found = rename("温和光亮的屋里，和光笑了，见和光的手。", "和光", "同尘", ("和光",))
    assert found.text == "温和光亮的屋里，同尘笑了，见同尘的手。"
    assert [one.part_of for one in found.left] == [""] and found.times == 2


def test_a_name_of_one_character_changes_where_it_is_alone() -> None:
    found = rename('["林", "林中"]（林）', "林", "森")
    assert found.text == '["森", "林中"]（森）' and len(found.left) == 1


def test_a_foreign_name_is_a_whole_word() -> None:
    assert rename("Ann, Anna, ann-1 与Ann走", "Ann", "Eve").text == "Eve, Anna, ann-1 与Eve走"


def test_what_is_left_is_quoted_from_its_own_line() -> None:
    found = rename("一。\n二。\n沈渡口有灯\n她走了。", "沈渡", "陆渡", ("沈渡口",))
    assert [(one.line, one.quote) for one in found.left] == [(3, "沈渡口有灯")]
    twice = rename("阿沈阿沈来了。阿沈走了。", "阿沈", "阿陆", ("阿沈阿沈",))
    assert twice.text == "阿沈阿沈来了。阿陆走了。" and len(twice.left) == 2
