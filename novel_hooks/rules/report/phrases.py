"""Beginnings and ends of chapters, beginnings of sentences, and repeated sentences. Pure.

A sentence ends at `。！？…` or its line; speech counts too. Only sentences of `LEAST` characters count as
repeats, because short ones are repeated in every book.
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Collection, Mapping
from novel_hooks.pattern import Pattern

LEAST = 10
SHOWN_OPENINGS, SHOWN_REPEATS, SHOWN_CHAPTERS = 12, 30, 20
SPEECH, PERSON, TIME, PLAIN = "对话", "人物", "时间", "叙述"
QUESTION, CRY, TRAILING, SHORT = "疑问", "感叹", "省略", "短句"
STARTS = (SPEECH, PERSON, TIME, PLAIN)
ENDS = (SPEECH, QUESTION, CRY, TRAILING, SHORT, PLAIN)
_SHORT_END = 12
_SENTENCE = Pattern("[^。！？…!?\n]+[。！？…!?]*[”」』’]*")
_OPENERS, _CLOSERS, _EDGES = "“「『‘", "”」』’", " \t\u3000“”「」『』‘’"
_TIME = Pattern(
    "(?:第?[一二三四五六七八九十几数半两0-9]+(?:天|日|年|夜|月|更|时辰|小时|分钟)|清晨|凌晨|黎明|天[亮黑明没色刚]|早[上晨]|"
    "上午|中午|午[后时夜]|下午|傍晚|黄昏|入夜|夜|深夜|次日|翌日|当[天晚夜日]|这[天晚夜]|[春夏秋冬]天?)"
)


class Phrases:
    """The sentences of a book, one chapter after the other."""

    def __init__(self, names: Collection[str] = ()) -> None:
        self.names = tuple(sorted((name for name in names if len(name) > 1), key=len, reverse=True))
        self._openings: dict[str, int] = {}
        self._chapters: dict[str, list[int]] = {}

    def add(self, chapter: int, body: str) -> tuple[str | None, str | None]:
        """Count a chapter's text without its heading; return the kinds of its first and last sentence."""
        pairs = [(one, plain) for one in _SENTENCE.findall(body) if (plain := one.strip(_EDGES))]
        for _, plain in pairs:
            opening = plain[:2]
            self._openings[opening] = self._openings.get(opening, 0) + 1
            if len(plain) >= LEAST:
                at = self._chapters.setdefault(plain, [])
                if not at or at[-1] != chapter:
                    at.append(chapter)
        if not pairs:
            return None, None
        return self._start(pairs[0][0].lstrip(" \t\u3000")), _end(pairs[-1][0].rstrip(" \t\u3000"))

    def _start(self, sentence: str) -> str:
        if sentence[0] in _OPENERS:
            return SPEECH
        if sentence.startswith(self.names):
            return PERSON
        return TIME if _TIME.match(sentence) else PLAIN

    def openings(self, chars: int) -> list[dict[str, Any]]:
        """Return the two characters that begin most sentences, `{text, count, rate}`, names left out.

        `rate` is per 1,000 of `chars`.
        """
        people = {name[:2] for name in self.names}
        counted = [
            (text, count)
            for text, count in self._openings.items()
            if len(text) == 2 and all("\u4e00" <= mark <= "\u9fff" for mark in text) and text not in people
        ]
        counted.sort(key=lambda one: (-one[1], one[0]))
        return [
            {"text": text, "count": count, "rate": rate(count, chars)}
            for text, count in counted[:SHOWN_OPENINGS]
        ]

    def repeats(self) -> list[dict[str, Any]]:
        """Return the sentences of several chapters, `{text, count, chapters[]}`; those of the most first."""
        again = [(text, at) for text, at in self._chapters.items() if len(at) > 1]
        again.sort(key=lambda one: (-len(one[1]), -len(one[0]), one[0]))
        return [
            {"text": text, "count": len(at), "chapters": at[:SHOWN_CHAPTERS]}
            for text, at in again[:SHOWN_REPEATS]
        ]

    def repeated_counts(self) -> dict[int, int]:
        """Count by chapter the sentences that another chapter has too; chapters without any are left out."""
        counts: dict[int, int] = {}
        for at in self._chapters.values():
            for chapter in at if len(at) > 1 else ():
                counts[chapter] = counts.get(chapter, 0) + 1
        return counts


def _end(sentence: str) -> str:
    if sentence[-1] in _CLOSERS:
        return SPEECH
    by_mark: Mapping[str, str] = {"？": QUESTION, "?": QUESTION, "！": CRY, "!": CRY, "…": TRAILING}
    return by_mark.get(sentence[-1]) or (SHORT if len(sentence) <= _SHORT_END else PLAIN)


def rate(count: int, chars: int) -> float:
    """Return `count` in 1,000 of `chars`, to two places; 0 without a text."""
    return round(count * 1000 / chars, 2) if chars else 0.0
