"""Known names with one wrong character: found where they are slips, and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import CHECKOUT

from novel_hooks.rules.cast.characters import Character, character
from novel_hooks.rules.spelling.misspelt_names import slips

SAMPLE = Path(CHECKOUT, "novel_hooks", "sample")
CARDS = [
    json.loads(place.read_text("utf-8")) for place in sorted(SAMPLE.glob("project/characters/active/*.json"))
]
CAST = [character(card["id"], card) for card in CARDS]
TEXTS = [place.read_text("utf-8") for place in sorted(SAMPLE.glob("recorded/**/*.md"))]
PLANTED = (
    "薄三省 簿三省 泊三省 薄三醒 薄三兴 薄山省 薄叁省 溥三省 / 荀九锁 旬九锁 寻九锁 荀九琐 荀九索 荀久锁"
    " 苟九锁 洵九锁 / 佟其正 童其正 同其正 佟奇正 佟其政 佟其证 终其正 / 桑定星 丧定星 桑订星 桑定兴 桑定行"
    " 桑锭星 桑淀星 / 闵守中 敏守中 悯守中 闵首中 闵守忠 闵守钟 闵守仲 闻守中 / 薄掌柜 簿掌柜 薄掌贵"
    " / 闵老秤 敏老秤 闵老称 闵老枰 / 蔺婆 蔺坡 蔺泊 / 苗禾 苗荷 苗菏 苗盉 / 鲁墩 鲁敦 鲁礅 鲁蹲"
    " / 桑准 桑谆 桑淮 / 灯花 灯铧"
)


def cast(*names: str, **aliases: list[str]) -> list[Character]:
    return [
        character(f"p-{n}", {"display_name": name, "aliases": aliases.get(f"p{n}", [])})
        for n, name in enumerate(names)
    ]


def planted() -> list[tuple[str, str]]:
    groups = (group.split() for group in PLANTED.split(" / "))
    return [(name, wrong) for name, *several in groups for wrong in several]


def test_a_chapter_without_a_slip_has_none() -> None:
    assert len(TEXTS) >= 9
    assert [found for text in TEXTS for found in slips(text, CAST)] == []


def test_of_the_planted_slips_nine_in_ten_are_found() -> None:
    """Each in a chapter of the sample, in the place of the right name, or in a sentence of its own."""
    missed = []
    for name, wrong in planted():
        text = next(
            (text for text in TEXTS if text.count(name) > 1), f"{TEXTS[0]}\n{name}先走了，{name}没有回头。\n"
        )
        found = slips(text.replace(name, wrong, 1), CAST)
        if [(one.name, one.written) for one in found] != [(name, wrong)]:
            missed.append((name, wrong))
    assert len(planted()) >= 45
    assert len(missed) <= len(planted()) // 10, missed


def test_where_it_stands_and_what_was_meant() -> None:
    (found,) = slips("石板上，闵守忠站着。", CAST)
    assert (found.name, found.written, found.start) == ("闵守中", "闵守忠", 4)


def test_a_form_that_is_a_name_too_is_no_slip() -> None:
    text = "闵守忠站着，闵守中坐着。"
    assert slips(text, cast("闵守中", "闵守忠")) == []
    assert slips("闵守中正站着。", cast("闵守中", "守中正")) == []


def test_a_form_that_the_text_keeps_to_is_somebody_else() -> None:
    once = "闵守忠站着。闵守中坐着。"
    assert len(slips(once, cast("闵守中"))) == 1
    assert slips(once + "闵守忠笑了。闵守忠走了。", cast("闵守中")) == []


@pytest.mark.parametrize(
    "text",
    [
        "苗禾听见了。种苗和肥料堆在一处。",
        "苗禾听见了。苗和根都在。",
        "苗禾听见了。山苗菏叶。",
        "苗菏先走了。",
        "府上姑娘来了。",
        "张师傅来了。",
        "三师兄来了，小师姑也来了。",
        "苗 禾听见了。",
        "",
    ],
)
def test_no_false_alarm(text: str) -> None:
    """An everyday word, one across the end, a short name of nobody in the text, a title, one of a kind."""
    people = cast("苗禾", "桑准", "张三", p1=["桑姑娘", "二师兄"], p2=["张师父", "小师妹"])
    assert slips(text, people) == []


def test_of_two_names_that_fit_the_longer_is_meant() -> None:
    assert [one.name for one in slips("敏守中来了。", cast("闵守中", p0=["守中"]))] == ["闵守中"]


def test_an_alias_counts_and_a_foreign_name_does_not() -> None:
    people = cast("闵守中", "Ann", "林", p0=["闵老秤", "min-shouzhong"])
    assert [one.written for one in slips("闵老称走了，Anm 与琳留下。", people)] == ["闵老称"]
