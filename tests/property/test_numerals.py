"""Every number below a myriad's myriad is read back from the way it is written."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from novel_hooks.rules.text import numerals

PLAIN, BANKER = "零一二三四五六七八九", "零壹贰叁肆伍陆柒捌玖"


def written(number: int, digits: str, units: str) -> str:
    """Standard Chinese for 1..9999, `units` being ten, hundred, thousand."""
    told, zero = "", False
    for place in (3, 2, 1, 0):
        digit = number // 10**place % 10
        if digit:
            told += (digits[0] if zero and told else "") + digits[digit] + (units[place - 1] if place else "")
        zero = not digit
    return told


@given(st.integers(1, 9999))
def test_counted_numerals(number: int) -> None:
    assert numerals.parse(written(number, PLAIN, "十百千")) == number
    assert numerals.parse(written(number, BANKER, "拾佰仟")) == number


@given(st.integers(11, 9999).filter(lambda one: one % 10 ** (len(str(one)) - 1) or one >= 20))
def test_a_number_is_told_in_a_text_and_can_be_left_out(number: int) -> None:
    said = f"第{written(number, PLAIN, '十百千')}号"
    assert numerals.has_number(said) and numerals.without_numerals(said) == "第号"


def test_a_saying_tells_no_number() -> None:
    for said in ("一日千里", "三三两两", "一五一十", "千方百计", "五湖四海", "十万火急", "十全十美"):
        assert not numerals.has_number(said)


@given(st.integers(1, 9999), st.integers(0, 9999))
def test_myriads(high: int, low: int) -> None:
    back = ("零" if low < 1000 else "") + written(low, PLAIN, "十百千") if low else ""
    assert numerals.parse(f"{written(high, PLAIN, '十百千')}万{back}") == high * 10_000 + low


@given(st.integers(0, 10**9 - 1))
def test_digits_in_a_row(number: int) -> None:
    assert numerals.parse(str(number)) == number
    assert numerals.parse("".join(PLAIN[int(digit)] for digit in str(number))) == number
    assert numerals.parse("".join("０１２３４５６７８９"[int(digit)] for digit in str(number))) == number


@given(st.text(max_size=12))
def test_any_text_is_a_number_or_none(text: str) -> None:
    found = numerals.parse(text)
    assert found is None or found >= 0


@given(st.text(st.sampled_from("零〇一二两十百千万廿壹拾0１"), max_size=8))
def test_any_row_of_marks_is_a_number_or_none(text: str) -> None:
    found = numerals.parse(text)
    assert found is None or found >= 0
