"""Letters, notices and screens in a chapter: the line that announces one, and where it ends.

They are not the narrator's prose. A signature ends a letter, else its paragraph and the lines to `你`.
"""

from __future__ import annotations

from bisect import bisect_left

from novel_hooks.annotations import Callable, Sequence
from novel_hooks.pattern import Pattern
from novel_hooks.rules.lint.lines import QUOTES, ROW, Line, is_row

SHOWS = (
    "(?:信(?![心任念])|笺|纸条|字条|便条|便签|笔记|告示|布告|公告|通告|通知|启事|短信|邮件|弹幕|评论|帖子|回帖|群里|"
    "聊天记录|日记|遗书|遗嘱|碑|木牌|招牌|牌匾|黑板|榜|契|诉状|诏|圣旨|檄文|名单|清单|账本|屏幕|行字|个字|"
    "[写刻印贴列记题]着|写道|题道|显示|弹出|念道|念着|念出|读道|唱道|唱着|唱起|[低轻]声唱|诗云|诗曰|词曰"
)
_LETTER = Pattern(f"{SHOWS})[^。！？\n]{{0,12}}[：:][ \t\u3000]*\\Z")
_GREETING = Pattern(r"[^。！？\n]{1,15}[：:]\s*\Z")
_SIGNED = Pattern(r"[^。！？…，：“”\n]{1,16}\Z")
_SIGNED_BY = Pattern(
    r"(?:—{1,2}|－{1,2}|--)[ \t\u3000]*[^。！？，：“”「」\n—]{1,16}\Z"
    r"|[^。！？，：“”「」\n]{1,14}(?:敬上|顿首|拜上|拜别|谨启|谨上|叩首|叩上|再拜|百拜|亲笔|手书|手启|绝笔|敬启|留字)\Z"
)
_DATE = Pattern(
    r"[^。！？，：“”「」\n]{0,16}年[^。！？，：“”「」\n]{1,6}月(?:[^。！？，：“”「」\n]{1,4}[日夜晨])?\Z"
    r"|[元正一二三四五六七八九十冬腊0-9]{1,3}月(?:初|廿)?[一二三四五六七八九十廿0-9]{1,3}[日号夜]?\Z"
)
_NAME = Pattern(
    r"(?![他她它我你])(?:[\u4e00-\u9fff]{1,4}[ \t\u3000])?[\u4e00-\u9fff·]{2,4}(?:[ \t\u3000][字书留笔上])?\Z"
)
_ADDRESSES = Pattern("[你您汝]|(?:兄台|阁下|吾[儿徒弟妹兄妻])")
_NARRATES = Pattern("[ \t\u3000]*[他她它]|[“「『]")
_TALKS = Pattern("[ \t\u3000]*[“「『]")
_LETTER_LINES, _LONGEST_LETTER = 30, 200
"""Lines after a letter's beginning that may sign it: with a bare name, and beyond doubt."""


def letter_lines(lines: Sequence[Line]) -> frozenset[int]:
    """Return the indexes of the lines of a letter, notice or screen, after a line that announces it."""
    found: set[int] = set()
    closing: list[int] | None = None
    for index, line in enumerate(lines):
        if index not in found and line.text.rstrip()[-1:] in ("：", ":") and _LETTER.search(line.text):
            if closing is None:
                closing = [n for n in range(1, len(lines)) if _can_close_letter(lines, n)]
            found.update(range(index + 1, _letter_end(lines, index + 1, closing)))
    return frozenset(found)


def _can_close_letter(lines: Sequence[Line], index: int) -> bool:
    """Return whether the line can only close a letter, however long. A date alone may head a scene."""
    text = lines[index].text.strip()
    if _DATE.match(text):
        return bool(_NAME.match(lines[index - 1].text.strip()))
    return bool(_SIGNED_BY.match(text))


def _letter_end(lines: Sequence[Line], first: int, closing: Sequence[int]) -> int:
    """Return the line behind the letter: after its signature, else after its paragraph and lines to `你`.

    `closing` are the lines that can only close a letter.
    """
    if first >= len(lines) or lines[first].text.lstrip()[:1] in QUOTES:
        return first
    most = min(len(lines), first + _LETTER_LINES)
    greets = bool(_GREETING.match(lines[first].text.strip()))
    near = _signature_end(lines, first + 1, most, _is_short_line if greets else _may_sign)
    if signed := near or _far_signature_end(lines, most, first + _LONGEST_LETTER, closing):
        return signed
    index = min(first + 2, most) if greets else first + 1
    while not greets and index < most and lines[index].number == lines[index - 1].number + 1:
        index += 1
    if greets or index == first + 1 or index == most:
        while index < most and is_row(lines[index].text):
            index += 1
    while index < most and _ADDRESSES.search(lines[index].text) and not _NARRATES.match(lines[index].text):
        index += 1
    return index


def _signature_end(
    lines: Sequence[Line], first: int, most: int, signs: Callable[[str], object]
) -> int | None:
    """Return the line behind the signature and its date; None when the narrator speaks before one comes."""
    for index in range(first, most):
        if signs(lines[index].text.strip()):
            while index + 1 < len(lines) and is_signature(lines[index + 1].text.strip()):
                index += 1
            return index + 1
        if signs is _may_sign and _NARRATES.match(lines[index].text):
            return None
    return None


def _far_signature_end(lines: Sequence[Line], first: int, most: int, closing: Sequence[int]) -> int | None:
    """Return the same for a long letter, by a line that can only close one; None when speech comes before."""
    at = bisect_left(closing, first)
    if at == len(closing) or closing[at] >= most:
        return None
    if any(_TALKS.match(line.text) for line in lines[first : closing[at]]):
        return None
    return _signature_end(lines, closing[at], closing[at] + 1, is_signature)


def is_signature(text: str) -> bool:
    """Tell whether the line can only close a letter: `——江南老客`, `林冲 敬上`, `十月初九`."""
    return bool(_SIGNED_BY.match(text) or _DATE.match(text))


def _is_short_line(text: str) -> bool:
    """Return whether a short line may sign a letter that greets; a row of a list may not."""
    return bool(_SIGNED.match(text)) and not ROW.match(text)


def _may_sign(text: str) -> bool:
    return is_signature(text) or bool(_NAME.match(text))
