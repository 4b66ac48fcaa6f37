"""Words of an author to his readers below a chapter: thanks, votes, a remark. Pure."""

from __future__ import annotations

from novel_hooks.pattern import Pattern

_LINE = Pattern(
    r"[ \t\u3000【\[（(—\-*＊]*(?:作者(?:有话(?:要)?说|的话|寄语)|[PpＰ][SsＳ]\d?[ \t]*[:：.。、]|"
    r"(?:跪|再|继续|求)*求(?:一?[波下张点]|各?种)?(?:月票|推荐|收藏|订阅|打赏|票|评论|支持)|"
    r"感谢[^\n]{0,40}(?:打赏|月票|推荐票|盟主|订阅)|本章完|未完待续|"
    r"(?:第[一二三四五六七八九十0-9]{1,3}|今[日天][^\n]{0,6})更[!！。~～）)\s]*$)"
)
_LONGEST = 600
_LINES = 12


def start(body: str) -> int:
    """Return the offset of the closing note in a chapter's body; the body's length when it has none.

    Only the last lines are searched, and a note has fewer than 600 characters, because a person in the story
    may say the same.
    """
    tail = body.rstrip()
    at = max(0, len(tail) - _LONGEST)
    lines = tail[at:].split("\n")
    first = max(0, len(lines) - _LINES)
    offset = at + sum(len(line) + 1 for line in lines[:first])
    if at or first:
        first, offset = first + 1, offset + len(lines[first]) + 1 if first < len(lines) else offset
    for line in lines[first:]:
        if _LINE.match(line):
            return offset
        offset += len(line) + 1
    return len(body)
