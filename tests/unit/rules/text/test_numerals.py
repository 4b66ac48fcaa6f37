"""Numerals of chapter headings: read to one number, or to none where readers would disagree."""

from __future__ import annotations

import json
import os
import re

import pytest
from conftest import CHECKOUT

from novel_hooks.rules.text import numerals

with open(os.path.join(CHECKOUT, "tests", "cases", "headings.json"), encoding="utf-8") as stream:
    CASES = json.load(stream)


@pytest.mark.parametrize(("line", "number", "_title"), CASES["numerals"])
def test_numerals_of_the_cases(line: str, number: int, _title: str | None) -> None:
    found = re.match("第(.*?)[章回]", line)
    assert found is not None
    assert numerals.parse(found.group(1)) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("十", 10),
        ("廿", 20),
        ("卅一", 31),
        ("一百零五", 105),
        ("三千零五", 3005),
        ("一千零五十", 1050),
        ("一万零二十", 10020),
        ("一万二千", 12000),
        ("贰仟零壹拾", 2010),
        ("007", 7),
        ("零", 0),
        (" 十 ", 10),
    ],
)
def test_more_numerals(text: str, number: int) -> None:
    assert numerals.parse(text) == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "几",
        "一百五",
        "一万二",
        "五十百",
        "百",
        "一千百",
        "一二十",
        "十二三",
        "1二",
        "1.5",
        "-1",
        "½",
        "²",
        "9" * 40,
    ],
)
def test_no_numeral_or_two_readings(text: str) -> None:
    assert numerals.parse(text) is None


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("两百一十八", 218),
        ("１２", 12),
        ("〇〇七", 7),
        ("一一一", 111),
        ("○九", 9),
        ("俩", 2),
        ("貳拾參", 23),
        ("两三", 23),
        ("陸佰", 600),
        ("叄仟", 3000),
        ("卌五", 45),
        ("十五", 15),
        ("五十", 50),
        ("一百一十", 110),
        ("两千零二", 2002),
        ("九千九百九十九", 9999),
        ("一万", 10_000),
        ("壹萬零伍", 10_005),
        ("三万零一十", 30_010),
        ("十万", 100_000),
        ("二十三万四千五百六十七", 234_567),
        ("九千万", 90_000_000),
        ("123456789", 123_456_789),
        ("0000123456789", 123_456_789),
        ("一二三四五六七八九", 123_456_789),
    ],
)
def test_each_kind_of_numeral(text: str, number: int) -> None:
    assert numerals.parse(text) == number
    assert numerals.parse(f"\u3000{text}\n") == number


@pytest.mark.parametrize(
    "text",
    [
        "1234567890",
        "一二三四五六七八九一",
        "万",
        "万二十",
        "一万二",
        "一万五百一",
        "百万二十",
        "一万二千三",
        "零百",
        "零十",
        "五千千",
        "五十五十",
        "三百四百",
        "十千",
        "千五",
        "百五十",
        "一千五",
        "二百三",
        "甲",
        "一甲",
        "一百甲",
        "一 二",
        "12章",
    ],
)
def test_no_numeral_at_all_or_none_that_is_sure(text: str) -> None:
    assert numerals.parse(text) is None


@pytest.mark.parametrize(
    ("text", "has", "rest"),
    [
        ("四十一号", True, "号"),
        ("库房一百零八间", True, "库房间"),
        ("第十二章", True, "第章"),
        ("三号库", False, "号库"),
        ("一日千里", False, "日里"),
        ("十全十美", False, "全美"),
        ("一百五", False, ""),
        ("两千和一百五", True, "和"),
        ("百甲五", False, "甲"),
        ("12号", False, "12号"),
        ("夜雨", False, "夜雨"),
        ("", False, ""),
    ],
)
def test_numbers_in_a_text(text: str, has: bool, rest: str) -> None:
    assert numerals.has_number(text) is has
    assert numerals.without_numerals(text) == rest


@pytest.mark.parametrize(
    "rest", ["的稿纸", "至第十五章", "到15章", " — 十五章", "、第十三章", "-13", "～ 第 １３ 回"]
)
def test_a_range_or_a_remark_is_no_title(rest: str) -> None:
    assert numerals.NO_TITLE.match(rest)


@pytest.mark.parametrize(
    "rest", ["", " 夜雨", "：夜雨", "——夜雨", "至暗", "到岸三年", "-三更", "、夜雨", "十三章"]
)
def test_a_title_is_no_range(rest: str) -> None:
    assert not numerals.NO_TITLE.match(rest)


def test_a_number_in_chinese_is_read_back() -> None:
    numbers = [*range(1, 1200), 2000, 9999, 10_000, 10_010, 100_001, 2_001_000, 99_999_999]
    assert [numerals.parse(numerals.in_chinese(number)) for number in numbers] == numbers


def test_tens_as_headings_write_them() -> None:
    numbers = (0, 10, 12, 110, 1010, 20000)
    assert [numerals.in_chinese(n) for n in numbers] == ["零", "十", "十二", "一百一十", "一千零一十", "二万"]
