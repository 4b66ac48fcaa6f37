"""Samples of a manuscript, taken by position, and who speaks in it, for its planners. Pure."""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Iterable, Sequence
from novel_hooks.pattern import Pattern

if TYPE_CHECKING:
    from novel_hooks.rules.manuscript.book import Chapter

_SPREAD = 10
_OPENING = 600
_FULL = 3
_LONGEST = 5000
_TITLES = 120
_NAMED = 60
_FRONT = 2000
_SAYS = Pattern(
    r"(?:^|[\n。！？…，”」』、：　])([\u4e00-\u9fff]{2,4}?)"
    r"(?:冷笑|苦笑|微笑|大笑|笑|沉声|低声|轻声|冷声|大声|厉声|淡淡|缓缓|冷冷|忽然|突然|连忙|急忙|点头|摇头|皱眉|点了点头|摇了摇头)?"
    r"(?:地|着)?(?:说道|问道|答道|笑道|喝道|喊道|叫道|叹道|骂道|开口|说|道|问|喊|答|叹)(?=[，。：:！？“「『\n])"
)
_NO_NAME = frozenset("他她它我你您这那其谁某众各又才就便也都还再却只已并且而但可不没")
_FEWEST, _MOST = 3, 40


def spread(count: int, wanted: int) -> list[int]:
    """Return up to `wanted` of the places 0 to `count` - 1, the first, the last and evenly between."""
    if count <= wanted:
        return list(range(count))
    return sorted({at * (count - 1) // (wanted - 1) for at in range(wanted)})


def overview(chapters: Sequence[Chapter], front: str) -> str:
    """Return a note on the book: its front, titles, counted people, the openings of chapters by position."""
    chosen = [chapters[at] for at in spread(len(chapters), _NAMED)]
    people = "、".join(f"{name}（{count}）" for name, count in speakers(map(_story, chosen)))
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


def speakers(texts: Iterable[str]) -> list[tuple[str, int]]:
    """Return (name, how often it stands in the texts), the most frequent forty first.

    A guess for planners, no list of characters: a word that is no name may be among them.
    """
    whole = list(texts)
    speaks: dict[str, int] = {}
    for text in whole:
        for word in _SAYS.findall(text):
            if word[0] not in _NO_NAME:
                speaks[word] = speaks.get(word, 0) + 1
    often = sorted(
        (word for word, count in speaks.items() if count >= _FEWEST), key=lambda w: (-speaks[w], w)
    )
    ranked = [(word, sum(text.count(word) for text in whole)) for word in often[: _MOST * 2]]
    return sorted(ranked, key=lambda pair: (-pair[1], pair[0]))[:_MOST]


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
