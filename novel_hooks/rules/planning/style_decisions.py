"""The author's own decisions on a measure of style, which count before his sample's number. Pure.

`对白约三成` decides the share of speech, `一句二十字上下` the length of sentences. A decision with a number
covers only numbers near it.
"""

from __future__ import annotations

from novel_hooks.annotations import Iterable, Iterator
from novel_hooks.pattern import Pattern
from novel_hooks.rules.text import numerals

_WORDS = {
    "dialogue_ratio": ("对白", "对话", "台词"),
    "sentence_length": ("句长", "句子", "一句", "长句", "短句"),
    "paragraph_chars": ("段落", "一段", "段长"),
}
_SHARE = Pattern(
    r"(\d{1,3}(?:\.\d+)?)\s*[%％]|百分之([零〇一二三四五六七八九十百\d]{1,5})|([一二两三四五六七八九\d])成半?"
)
_LENGTH = Pattern(r"([零〇一二两三四五六七八九十百\d]{1,5})(?:来|多|几)?(?:个)?字")
_NEAR_SHARE, _NEAR_LENGTH = 0.06, 0.25
"""How far the profile may lie from what the author said: of the whole text, and of the length."""


def is_decided(measure: str, profiled: object, decisions: Iterable[str], brief: str = "") -> bool:
    """Tell whether one of the author's decisions supports the profile's value of this measure.

    A line of his `brief` counts when it gives a number.
    """
    words = _WORDS.get(measure, ())
    lines = [(line, True) for line in brief.split("\n")]
    for told, needs_number in [*((one, False) for one in decisions), *lines]:
        if not any(word in told for word in words):
            continue
        stated = list(_shares(told) if measure == "dialogue_ratio" else _lengths(told))
        if any(_is_near(measure, profiled, number) for number in stated) or not (stated or needs_number):
            return True
    return False


def _shares(told: str) -> Iterator[float]:
    for found in _SHARE.finditer(told):
        percent, spoken, tenths = found.groups()
        if percent:
            yield float(percent) / 100
        else:
            number = numerals.parse(spoken or tenths)
            if number is not None:
                yield number / 100 if spoken else (number + 0.5 * found.group().endswith("半")) / 10


def _lengths(told: str) -> Iterator[float]:
    for found in _LENGTH.finditer(told):
        number = numerals.parse(found.group(1))
        if number is not None:
            yield float(number)


def _is_near(measure: str, profiled: object, number: float) -> bool:
    """Tell whether the profile's number, or the range that it gives, is near the author's."""
    if isinstance(profiled, dict):
        values = list(profiled.values())
    else:
        values = profiled if isinstance(profiled, list) else [profiled]
    numbers = [one for one in values if isinstance(one, (int, float)) and not isinstance(one, bool)]
    if not numbers:
        return False
    slack = _NEAR_SHARE if measure == "dialogue_ratio" else _NEAR_LENGTH * number
    if isinstance(profiled, dict) and isinstance(profiled.get("mean"), (int, float)):
        numbers = [profiled["mean"]]
    return min(numbers) - slack <= number <= max(numbers) + slack
