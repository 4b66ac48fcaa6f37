"""One kind of residue, and the pieces that the patterns of several tables are made of."""

from __future__ import annotations

from novel_hooks.pattern import Pattern
from novel_hooks.record import Record


class ResidueKind(Record):
    """One kind of residue, with the pattern that finds it.

    The pattern is tried only in a text that has one of `signs`. If it is `speakable`, a character may say it,
    and it blocks only in narration. If it is not `sure`, it may be part of the story and never blocks.
    """

    rule: int
    name: str
    signs: tuple[str, ...]
    pattern: Pattern
    speakable: bool = True
    sure: bool = True
    narrated: bool = False


LATIN_BEFORE = "(?<![A-Za-z0-9_])"
MARKS = r"(?:TODO|FIXME|TBD|X{3,}|x{3,}|PLACEHOLDER|[Pp]laceholder)(?![A-Za-z0-9_])"
MODEL = "(?:AI|ai|人工智能|大?语言模型)(?:写作)?(?:助手|模型|语言模型|程序|系统)?"
CHAPTERS = "第[ 0-9０-９一二三四五六七八九十百千零〇两]{1,8}章"
LINE = "^[ \t\u3000]*"
END = "[ \t\u3000]*$"
OPEN, CLOSE = r"（(【\[［〔〖{｛<＜〈", r"）)】\]］〕〗}｝>＞〉"
