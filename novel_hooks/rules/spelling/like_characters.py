"""Characters that are confused with each other, by their sound without tone, or by their look. Pure.

The tables are large and load at the first question, which a text without a slip never asks. Source: ADR 0014.
"""

from __future__ import annotations

from functools import lru_cache

from novel_hooks.annotations import Mapping
from novel_hooks.pattern import Pattern

_PAIRED_LOOKS = (
    "己已巳 末未 土士 人入八 日曰 戊戌戍 千干于 天夭 刀刃力 大太犬 今令 予子 王玉主 木本术 元无 牛午 九丸"
    " 贝见 风凤 田由甲申 毛手 失矢 丁了 乌鸟岛 白自 目且 电龟 斤斥 尤龙 毋母 历厉 兔免 爪瓜 仓仑 仗杖 厂广"
    " 几凡 亨享 侯候 徒徙 拔拨 析折 杨扬 洁沽 洒酒 盲肓 祟崇 管菅 冶治 冷泠 汨汩 束柬 段叚 茶荼 梁粱 赢羸"
    " 辨辩 炙灸 毫豪 幻幼 班斑 晴睛 喑暗"
)
_NO_SLIP = (
    *("父傅", "他她它", "的地得", "哪那", "作做", "象像", "帐账", "么吗嘛", "着著", "妳你", "份分"),
    *("二贰", "兰蓝"),
    *("一二三四五六七八九十百千", "东南西北上下左右前后内外", "大太小少老长幼", "甲乙丙丁戊己"),
    *("爷爹父母娘妈姑姨姐妹妻姊嫂婶婆奶兄弟哥叔伯舅公翁子女儿孙侄婿娃媳", "王后妃君公侯伯子男将帅师士卒"),
)
"""Characters that custom takes for each other, or that tell people apart: `二师兄`, `三师兄`."""
_SHORTEST_SHAPE = 2
_CODE = Pattern("([A-Z]+)([^A-Z]+)")


def alike(one: str, other: str) -> bool:
    """Tell whether two characters sound or look so alike that one may be written for the other."""
    if one == other or any(one in group and other in group for group in _NO_SLIP):
        return False
    sounds = _groups()
    return bool(sounds.get(one, _NONE) & sounds.get(other, _NONE)) or _look_alike(one, other)


def rank(mark: str) -> int:
    """Return the rank of a character among those used most, from 0.

    A rarer one has the rank after the last.
    """
    from novel_hooks.rules.spelling.like_sounds import OFTEN

    place = OFTEN.find(mark)
    return len(OFTEN) if place < 0 else place


_NONE: frozenset[str] = frozenset()


@lru_cache(maxsize=1)
def _groups() -> Mapping[str, frozenset[str]]:
    """Return character → its groups: of one sound, of one sounding part, of the pairs listed here."""
    from novel_hooks.rules.spelling.like_sounds import PARTS, SOUNDS

    found: dict[str, set[str]] = {}
    for group in (*SOUNDS.split(" "), *PARTS.split(" "), *_PAIRED_LOOKS.split(" ")):
        for mark in group:
            found.setdefault(mark, set()).add(group)
    return {mark: frozenset(groups) for mark, groups in found.items()}


@lru_cache(maxsize=1)
def _shapes() -> Mapping[str, str]:
    """Return character → the letters of its parts."""
    from novel_hooks.rules.spelling.like_looks import SHAPES

    return {mark: found.group(1) for found in _CODE.finditer(SHAPES) for mark in found.group(2)}


def _look_alike(one: str, other: str) -> bool:
    """Return whether the shapes differ in one part alone: one is another, or one more."""
    first, second = sorted((_shapes().get(one, ""), _shapes().get(other, "")), key=len)
    if len(first) < _SHORTEST_SHAPE or len(second) - len(first) > 1:
        return False
    if len(first) == len(second):
        return len(first) > _SHORTEST_SHAPE and sum(a != b for a, b in zip(first, second)) <= 1
    return any(second[:at] + second[at + 1 :] == first for at in range(len(second)))
