"""The places where a name can begin and end in a running text without spaces between words. Pure."""

from __future__ import annotations

EVERYDAY = 800
"""Characters of a lower rank by use (`rules.spelling.like_characters`) are in everyday words."""
_BEFORE = (
    "的和与跟对向给把被叫是问让见看听朝由找等说着了连替比像有为因而但却可当待又带抱喊骂追劝拉扶望瞧盯陪随扔扯推拽搂背求谢信怕"
    "恨爱救杀打教护帮靠送请约领唤喂哄瞪瞥冲往于同及还即若如非便就也才都只没不"
)
_AFTER = (
    "的说道问答笑喊叫和与跟也又把将被在没不是就都还从向对看听想站走坐回转抬低伸摇点拿接正已才却便早先只忽一两了着手嘴心身脸眼头"
    "脚腿肩背腰声话这那他她你我们家要会能可该既再更刚仍竟虽因若如反未别请让给到去来出进上下追退停蹲跪躺睡醒哭骂骗劝盯瞪望瞧瞥盘"
    "皱咬吐吞喝吃提举扯拉推拽攥握捏摸拍打踢跺带抱扛搂递放收取掏翻数念唱写记认信怕急慌愣怔顿沉冷忙慢轻默闭张松垂抿攀爬踩绕躲藏守"
    "几为有等于之而且以"
)
"""Characters that are words by themselves beside a name: `见苗禾`, `苗禾的手`."""


def begins(text: str, place: int) -> bool:
    """Tell whether a word can begin here: no Han character stands before it, or one that is a word itself."""
    before = text[place - 1 : place] if place else ""
    return not is_han(before) or before in _BEFORE


def ends(text: str, place: int) -> bool:
    """Tell whether a word can end before this place."""
    behind = text[place : place + 1]
    return not is_han(behind) or behind in _AFTER


def is_han(mark: str) -> bool:
    return "\u4e00" <= mark <= "\u9fff"
