"""Numerals as chapter headings write them: Arabic, full-width, Chinese, banker's Chinese.

The one reader of numerals in the product, so that an importer and a check cannot disagree.
"""

from __future__ import annotations

from novel_hooks.pattern import Pattern

_DIGITS = {
    **{mark: number for number, mark in enumerate("零一二三四五六七八九")},
    **{mark: number for number, mark in enumerate("零壹贰叁肆伍陆柒捌玖")},
    **dict.fromkeys("〇○", 0),
    **dict.fromkeys("两俩貳", 2),
    **dict.fromkeys("參叄", 3),
    "陸": 6,
}
_UNITS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_MYRIADS = {"万": 10_000, "萬": 10_000}
_TENS = {"廿": "二十", "卅": "三十", "卌": "四十"}
_WIDE = {ord(wide): narrow for wide, narrow in zip("０１２３４５６７８９", "0123456789")}
_MOST_ARABIC = 9

MARKS = "0-9０-９" + "".join([*_DIGITS, *_UNITS, *_MYRIADS, *_TENS])
"""Every character of a numeral, as the inside of a regular expression's character class."""

UNSEEN = "\u200b\u200c\u200d\u2060\ufeff"
_ALL = frozenset([*_DIGITS, *_UNITS, *_MYRIADS, *_TENS])
_GAP = f"[\\s{UNSEEN}]*"
NO_TITLE = Pattern(
    rf"的|{_GAP}[至到和与及、,，\-~—–～－]+{_GAP}(?:第{_GAP})?[{MARKS}]+{_GAP}(?:[章節节回]|\Z)"
)
"""The text behind 第 12 章 that makes it no heading: a range (`至第 15 章`) or a remark (`的稿纸`)."""

_ARABIC = Pattern(r"[0-9]+\Z")


def has_number(text: str) -> bool:
    """Tell whether the text holds a number of digits and units, such as `四十一号`.

    The 千 of `一日千里` is none.
    """
    runs = "".join(mark if mark in _ALL else " " for mark in text).split()
    return any(
        not _DIGITS.keys().isdisjoint(run) and not _UNITS.keys().isdisjoint(run) and parse(run) is not None
        for run in runs
    )


def without_numerals(text: str) -> str:
    """Return the text without its numerals: `三号库` and `四号库` both become `号库`."""
    return "".join(mark for mark in text if mark not in _ALL)


def parse(text: str) -> int | None:
    """Read a numeral: `"两百一十八"` → 218, `"１２"` → 12, `"〇〇七"` → 7; None when the text is none.

    Digits in a row are read as written (`一一一` = 111). Outer white space is ignored. A number of more than
    nine digits in a row is None.
    """
    plain = text.strip().translate(_WIDE)
    if _ARABIC.match(plain):
        return int(plain) if len(plain.lstrip("0")) <= _MOST_ARABIC else None
    for short, long in _TENS.items():
        plain = plain.replace(short, long)
    if not plain:
        return None
    if all(mark in _DIGITS for mark in plain):
        return int("".join(str(_DIGITS[mark]) for mark in plain)) if len(plain) <= _MOST_ARABIC else None
    return _parse_units(plain)


def _parse_units(text: str) -> int | None:
    """Read a number with units, such as `一万零二十`.

    None for `一万二`: some mean 10,002 by it and others 12,000.
    """
    for mark, size in _MYRIADS.items():
        if mark in text:
            high, _, low = text.partition(mark)
            front, back = _below_myriad(high), _below_myriad(low) if low else 0
            return None if front is None or back is None or low in _DIGITS else front * size + back
    return _below_myriad(text)


def _below_myriad(text: str) -> int | None:
    """Read a number below 10,000, else None.

    Units have to fall (`一百五十`). A last digit needs tens or a zero before it (not `一百五`).
    """
    total, digit, last_unit, after_zero = 0, None, 0, False
    for mark in text:
        if mark in _DIGITS:
            if digit:
                return None
            after_zero, digit = digit == 0 or last_unit in (0, 10), _DIGITS[mark]
            continue
        unit = _UNITS.get(mark)
        if unit is None or digit == 0 or (last_unit and unit >= last_unit) or (digit is None and unit != 10):
            return None
        total += (digit or 1) * unit
        digit, last_unit = None, unit
    if not text or (digit and not after_zero):
        return None
    return total + (digit or 0)


def in_chinese(number: int) -> str:
    """Write a number below 100 million as headings do: 12 → `十二`, 101 → `一百零一`; `parse` reads it."""
    high, low = divmod(number, 10_000)
    if not high:
        return _write_below_myriad(low) or "零"
    zero = "零" if 0 < low < 1000 else ""
    # `一万二` means two things, so a lone digit keeps its zero, and tens begin with 一.
    return f"{_write_below_myriad(high)}万{zero}{_write_below_myriad(low, inside=True)}"


def _write_below_myriad(number: int, inside: bool = False) -> str:
    written, pending = "", False
    for size, unit in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // size % 10
        if digit:
            bare = unit == "十" and digit == 1 and not written and not inside
            written += ("零" if pending else "") + ("" if bare else "零一二三四五六七八九"[digit]) + unit
        pending = bool(written) and not digit
    return written
