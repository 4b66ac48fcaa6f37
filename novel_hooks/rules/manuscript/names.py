"""People in a manuscript, counted by the words that introduce somebody's speech. Pure."""

from __future__ import annotations

from novel_hooks.annotations import Iterable
from novel_hooks.pattern import Pattern

_SAYS = Pattern(
    r"(?:^|[\n。！？…，”」』、：　])([\u4e00-\u9fff]{2,4}?)"
    r"(?:冷笑|苦笑|微笑|大笑|笑|沉声|低声|轻声|冷声|大声|厉声|淡淡|缓缓|冷冷|忽然|突然|连忙|急忙|点头|摇头|皱眉|点了点头|摇了摇头)?"
    r"(?:地|着)?(?:说道|问道|答道|笑道|喝道|喊道|叫道|叹道|骂道|开口|说|道|问|喊|答|叹)(?=[，。：:！？“「『\n])"
)
_NO_NAME = frozenset("他她它我你您这那其谁某众各又才就便也都还再却只已并且而但可不没")
_FEWEST, _MOST = 3, 40


def counted(texts: Iterable[str]) -> list[tuple[str, int]]:
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
