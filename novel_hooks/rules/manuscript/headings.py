"""Headings of volumes, prologues and side stories in a manuscript. Pure.

Those of chapters are read by `rules.text.length`, as everywhere.
"""

from __future__ import annotations

from novel_hooks.pattern import Pattern
from novel_hooks.rules.text import numerals

_GAP = "[ \t\u3000]*"
_PARTS = " \t\u3000:：·・•.．、|｜—–－~～_-"  # the hyphen last: they stand in a character class
_SHARPS = Pattern(rf"[#＃]{{0,6}}{_GAP}(?P<heading>.*?)(?:[ \t\u3000]+#+)?\Z")
_VOLUME = Pattern(
    rf"(?:第{_GAP}(?P<front>[{numerals.MARKS}]{{1,8}}){_GAP}[卷部集篇]|卷{_GAP}(?P<back>[{numerals.MARKS}]{{1,8}}))"
    r"(?P<rest>.*)\Z"
)
_KINDS = "楔子|序章|序幕|序言|序曲|序|引子|引言|前言|尾声|后记|番外篇|番外|外传|完本感言|后日谈"
_EXTRA = Pattern(
    rf"[【\[《（(]?(?P<kind>{_KINDS})(?:{_GAP}[之·]?{_GAP}[（(]?[{numerals.MARKS}]{{1,4}}[）)]?)?[】\]》）)]?"
    rf"(?P<rest>(?:[{_PARTS}]|\Z).*)"
)
_LONGEST = 30
_SENTENCE = "。，；！？…,;!?”」』"


def volume(line: str) -> tuple[int, str | None] | None:
    """Return (number, title) of a volume's heading: `第二卷 渡河`, `## 卷二：渡河`; None for another line.

    A sentence that speaks of a volume is none: behind the number is nothing, or a mark or gap and a title.
    """
    found = _VOLUME.match(_bare(line))
    number = numerals.parse(found["front"] or found["back"]) if found else None
    if found is None or number is None:
        return None
    rest = str(found["rest"])
    title = rest.strip(_PARTS)
    if title and (rest[0] not in _PARTS or len(title) > _LONGEST or title[-1] in _SENTENCE):
        return None
    return number, title or None


def extra(line: str) -> str | None:
    """Return the heading of a prologue, an epilogue or a side story, as written: `番外一 灯市`; else None."""
    bare = _bare(line)
    found = _EXTRA.match(bare)
    if found is None or len(bare) > _LONGEST or bare[-1] in _SENTENCE:
        return None
    return bare


def _bare(line: str) -> str:
    found = _SHARPS.match(line.strip(f" \t\r\u3000{numerals.UNSEEN}"))
    return str(found["heading"]) if found else ""
