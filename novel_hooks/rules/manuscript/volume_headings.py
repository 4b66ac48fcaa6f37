"""Headings of volumes and side pieces in a manuscript, and the piece that one begins. Pure.

Those of chapters are read by `rules.text.chapter_heading`, as everywhere.
"""

from __future__ import annotations

from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.rules.manuscript import side_pieces
from novel_hooks.rules.text import numerals

FRONT, CONTENTS, VOLUME, CHAPTER, EXTRA = "front", "contents", "volume", "chapter", "extra"

_GAP = "[ \t\u3000]*"
_PARTS = " \t\u3000:：·・•.．、|｜—–－~～_-"  # the hyphen last: they stand in a character class
_SHARPS = Pattern(rf"[#＃]{{0,6}}{_GAP}(?P<heading>.*?)(?:[ \t\u3000]+#+)?\Z")
_VOLUME = Pattern(
    rf"(?:第{_GAP}(?P<front>[{numerals.MARKS}]{{1,8}}){_GAP}[卷部集篇]|卷{_GAP}(?P<back>[{numerals.MARKS}]{{1,8}}))"
    r"(?P<rest>.*)\Z"
)
_EXTRA = Pattern(
    rf"[【\[《（(]?(?:{'|'.join(side_pieces.WORDS)})(?:{_GAP}[之·]?{_GAP}[（(]?[{numerals.MARKS}]{{1,4}}[）)]?)?[】\]》）)]?"
    rf"(?P<rest>(?:[{_PARTS}]|\Z).*)"
)
_LONGEST = 30
_SENTENCE = "。，；！？…,;!?”」』"
_FAINT = Pattern(
    rf"第{_GAP}(?P<number>[{numerals.MARKS}]{{1,12}}){_GAP}[章回]"
    rf"(?P<rest>(?:[{_PARTS}]+|(?=[《〈【“「『\[]))(?P<title>.{{1,60}}))\Z"
)
_GOES_ON = "，、；：,;:"
"""Marks behind which a sentence goes on: no title ends with one."""


class Piece(Record):
    """One piece: the text from `start` to `end`, its heading up to `body`.

    `number` is the one that is written, `title` without it; of a volume its number and title. `line` is the
    heading as written, `of` the volume that a chapter's heading names before it.
    """

    kind: str
    start: int
    body: int
    end: int
    number: int | None
    title: str | None
    line: str
    of: tuple[int, str | None] | None = None


def volume(line: str) -> tuple[int, str | None] | None:
    """Return (number, title) of a volume's heading: `第二卷 渡河`, `## 卷二：渡河`; None for another line.

    A sentence that speaks of a volume is none: behind the number is nothing, or a mark or gap and a title.
    """
    found = _VOLUME.match(_bare(line))
    number = numerals.parse(found["front"] or found["back"]) if found else None
    if found is None or number is None:
        return None
    rest = str(found["rest"])
    title = rest.lstrip(_PARTS).rstrip(" \t\u3000:：")
    if title and (rest[0] not in _PARTS or not (_is_marked(line) or _is_clear(title))):
        return None
    return number, title or None


def extra(line: str) -> str | None:
    """Return the heading of a prologue, an epilogue or a side story, as written: `番外一 灯市`; else None."""
    bare = _bare(line)
    return bare if _EXTRA.match(bare) and (_is_marked(line) or _is_clear(bare)) else None


def faint(line: str) -> tuple[str, int | None, str] | None:
    """Return (kind, number, title) of a line that may be a heading whose title ends as a sentence does.

    `第 3 章 “走”`, `第二卷 谁在敲门？`, `番外 他来了……`: only where it stands tells. The kind is a piece's.
    """
    bare = line.strip(f" \t\r\u3000{numerals.UNSEEN}")
    if not bare or bare[-1] in _GOES_ON or "。" in bare[:-1]:
        return None
    chapter = _FAINT.match(bare)
    if chapter is not None and not numerals.NO_TITLE.match(str(chapter["rest"])):
        number = numerals.parse(str(chapter["number"]))
        return None if number is None else (CHAPTER, number, str(chapter["title"]))
    found = volume(f"# {bare}") if len(bare) <= 2 * _LONGEST else None
    if found is not None and found[1]:
        return VOLUME, found[0], found[1]
    extra_title = extra(f"# {bare}") if len(bare) <= _LONGEST and bare[-1] != "。" else None
    return (EXTRA, None, extra_title) if extra_title else None


def _is_marked(line: str) -> bool:
    return line.lstrip(" \t\u3000").startswith(("#", "＃"))


def _is_clear(title: str) -> bool:
    """Can the words be no sentence?"""
    return len(title) <= _LONGEST and title[-1] not in _SENTENCE


def _bare(line: str) -> str:
    found = _SHARPS.match(line.strip(f" \t\r\u3000{numerals.UNSEEN}"))
    return str(found["heading"]) if found else ""
