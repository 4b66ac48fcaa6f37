"""Samples of a manuscript, taken by position, from which planners draft the setting and the style. Pure."""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Sequence
from novel_hooks.rules.manuscript import names

if TYPE_CHECKING:
    from novel_hooks.rules.manuscript.book import Chapter

_SPREAD = 10
_OPENING = 600
_FULL = 3
_LONGEST = 5000
_TITLES = 120
_NAMED = 60
_FRONT = 2000


def spread(count: int, wanted: int) -> list[int]:
    """Return up to `wanted` of the places 0 to `count` - 1, the first, the last and evenly between."""
    if count <= wanted:
        return list(range(count))
    return sorted({at * (count - 1) // (wanted - 1) for at in range(wanted)})


def overview(chapters: Sequence[Chapter], front: str) -> str:
    """Return a note on the book: its front, titles, counted people, the openings of chapters by position."""
    chosen = [chapters[at] for at in spread(len(chapters), _NAMED)]
    people = "、".join(f"{name}（{count}）" for name, count in names.counted(map(_story, chosen)))
    titles = [chapters[at] for at in spread(len(chapters), _TITLES)]
    lines = [f"- 第 {one.number} 章 {one.title or ''}".rstrip() for one in titles]
    parts = ["# 搬进来的书：概览", f"共 {len(chapters)} 章。下面是程序摘的，正文在 chapters/ 里。"]
    parts += ["## 书前", front[:_FRONT]] if front.strip() else []
    parts += ["## 常说话的人（程序数的，括号里是出现次数；可能有不是人名的）", people] if people else []
    parts += ["## 章名" + ("（隔几章取一章）" if len(titles) < len(chapters) else ""), "\n".join(lines)]
    parts.append("## 各处的开头")
    for at in spread(len(chapters), _SPREAD):
        parts += [f"### 第 {chapters[at].number} 章", _beginning(chapters[at], _OPENING)]
    return "\n\n".join(parts) + "\n"


def prose(chapters: Sequence[Chapter]) -> list[tuple[int, str]]:
    """Return (chapter, text) of those whose style is measured: the first, one in the middle, the last."""
    whole = [one for one in chapters if one.chars]
    return [(whole[at].number, _beginning(whole[at], _LONGEST) + "\n") for at in spread(len(whole), _FULL)]


def _story(chapter: Chapter) -> str:
    """Return the chapter's text without what its author says to his readers at its end."""
    return chapter.text.replace(chapter.note, "") if chapter.note else chapter.text


def _beginning(chapter: Chapter, most: int) -> str:
    """Return the chapter's text without its headings, up to the end of the paragraph that reaches `most`."""
    made, size = [], 0
    for line in _story(chapter).split("\n"):
        if line.startswith("# "):
            continue
        if size >= most:
            break
        made.append(line)
        size += len(line)
    return "\n".join(made).strip()
