"""A manuscript taken apart at its headings; the pieces together are the text, to the character. Pure."""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Collection, Iterator, Sequence
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.rules.manuscript import sequence, side_pieces, volume_headings
from novel_hooks.rules.manuscript.volume_headings import CHAPTER, CONTENTS, EXTRA, FRONT, VOLUME, Piece
from novel_hooks.rules.text import chapter_heading, numerals

if TYPE_CHECKING:
    from re import Match
    from re import Pattern as Compiled

_MAYBE = Pattern(
    r"^[ \t\u3000\ufeff#＃【\[《（(]*(?:第(?=[^\n]{0,60}[章回卷部集篇])|卷|正文|"
    rf"{'|'.join(side_pieces.WORDS)})[^\n]{{0,110}}$",
    8,  # re.MULTILINE, without the import
)
_SHARP = Pattern(r"^(#{1,6})[ \t]+([^\n]{1,110})$", 8)
_LONG = Pattern(
    r"[ \t\u3000]*第[ ]?[^\s第章回]{1,12}[ ]?[章回][ \t\u3000:：][^。，；！？…,;!?“”「」]{31,100}\Z"
)
"""A chapter's heading with a title that is longer than a sentence may be, and no sentence."""
_BEFORE = " \t\u3000\ufeff#＃【[《（("
_SENTENCE_END = "。，；…,;”」』"
"""Marks at the end of a line that is no heading, unless it stands behind `#`."""
_GAPS = r"(?:\Z|[ \t\u3000:：·・•.．、|｜—–－\-~～_])"
_LIKELY = Pattern(
    rf"第[^\n]{{0,60}}?(?:章(?:{_GAPS}|.{{0,20}}\Z)|[回卷部集篇]{_GAPS})"
    rf"|卷[ \t\u3000]*[{numerals.MARKS}]{{1,8}}{_GAPS}"
)
"""A number with its unit and then the end or a gap, or a few words: what any heading without `#` has."""
_AFTER = f" \t\r\u3000{numerals.UNSEEN}"
_RUN = 3
"""So many headings without a text between them may be a table of contents; two, below the word for it."""
_TABLE = ("目录", "目錄", "目　录", "目 录", "contents")
_AROUND_TABLE = "# 　【】"
_NEAR = 80


class Taken(Record):
    """The pieces of a text in order, and lines that look like headings and were left in the text.

    `faint` are headings that look like a sentence, and were believed.
    """

    pieces: tuple[Piece, ...]
    left: tuple[str, ...]
    faint: tuple[str, ...] = ()


def take_apart(
    text: str, marked: bool = False, pattern: Compiled[str] | None = None, elsewhere: Collection[int] = ()
) -> Taken:
    """Take the text apart. `marked`: headings of the source stand behind `#`. `pattern` is the author's own.

    The first group of the pattern is the number, the second the title; it replaces the reading of chapters.
    With the numbers of chapters that have files of their own `elsewhere`, a line with one of them is text.
    """
    heads, faint = _all_heads(text, marked, pattern)
    heads, others = sequence.without_others(heads, faint, elsewhere)
    first = min((one.start for one in (*heads, *faint) if one.kind == CHAPTER), default=0)
    faint = [one for one in faint if one.number not in elsewhere or one.start == first]
    unmarked = _unmarked(heads) if marked and pattern is None else []
    kept, left = sequence.without_prose([one for one in heads if one not in unmarked], faint, text)
    kept, doubtful = sequence.with_faint(kept, faint, text)
    left += [*doubtful, *others]
    lines = tuple(one.line for one in sorted([*unmarked, *left], key=lambda one: one.start))
    starts = {one.start for one in kept}
    believed = tuple(one.line for one in faint if one.start in starts)
    return Taken(tuple(_with_contents(_pieces(text, kept), text)), lines, believed)


def _unmarked(heads: Sequence[Piece]) -> list[Piece]:
    """Return the lines without `#` that look like headings, where the source marks those of its chapters."""
    plain = [one for one in heads if not one.line.startswith("#")]
    chapters = [one for one in heads if one.kind == CHAPTER]
    unmarked = sum(one.kind == CHAPTER for one in plain)
    return plain if chapters and unmarked * 5 < len(chapters) else []


def _all_heads(text: str, marked: bool, pattern: Compiled[str] | None) -> tuple[list[Piece], list[Piece]]:
    """Return every heading, and every line that may be one where none is marked, as a piece of that line."""
    found: dict[int, Piece] = {}
    faint: list[Piece] = []
    for match in _MAYBE.finditer(text):
        head = _head(match[0], match.start(), match.end(), pattern is None)
        if head is not None:
            found[head.start] = head
        elif (told := volume_headings.faint(match[0])) is not None:
            faint.append(Piece(told[0], match.start(), match.end(), match.end(), *told[1:], match[0].strip()))
    if marked:
        found.update(_marked_heads(text, found))
    if pattern is not None:
        found.update(
            (match.start(), _own_head(match)) for match in pattern.finditer(text) if match[0].strip()
        )
    plain = pattern is None and not any(one.line.startswith("#") for one in found.values())
    return [found[start] for start in sorted(found)], faint if plain else []


def _head(line: str, start: int, end: int, chapters: bool) -> Piece | None:
    if _is_prose(line):
        return None
    extra = volume_headings.extra(line)
    if extra is not None:
        return Piece(EXTRA, start, end, end, None, extra, line.strip())
    number, title = chapter_heading.heading(line) if chapters else (None, None)
    if number is None and chapters:
        number, title = _behind_volume(line)
    if number is None and chapters and _LONG.match(line):
        number, title = chapter_heading.heading(f"# {line.strip()}")
    if number is not None:
        return Piece(CHAPTER, start, end, end, number, title, line.strip(), _volume_before(line))
    volume = volume_headings.volume(line)
    return Piece(VOLUME, start, end, end, *volume, line.strip()) if volume else None


def _is_prose(line: str) -> bool:
    """Tell at once that a line is no heading: a book may have many such as `第二回他来的时候，…`."""
    begins = line.lstrip(_BEFORE)[:1]
    if line.lstrip(_AFTER)[:1] in ("#", "＃"):
        return False
    if line.rstrip(_AFTER)[-1:] in _SENTENCE_END:
        return True
    return begins in ("第", "卷", "正") and _LIKELY.search(line.rstrip(_AFTER)) is None


def _behind_volume(line: str) -> tuple[int | None, str | None]:
    """Read `第一卷 渡河 第三章 夜雨`: the chapter behind a volume's name."""
    at = line.rfind("第")
    if at <= 0 or volume_headings.volume(line[:at].rstrip()) is None:
        return None, None
    return chapter_heading.heading(line[at:])


def _volume_before(line: str) -> tuple[int, str | None] | None:
    """Return the volume that is named before the chapter on the same line."""
    at = line.rfind("第")
    return volume_headings.volume(line[:at].rstrip(" \t\u3000:：·・.-")) if at > 0 else None


def _own_head(match: Match[str]) -> Piece:
    groups = [*match.groups(), None, None][:2]
    number = numerals.parse(groups[0]) if groups[0] else None
    title = (groups[1] or "").strip() or (None if number is not None else match[0].strip())
    return Piece(CHAPTER, match.start(), match.end(), match.end(), number, title, match[0].strip())


def _marked_heads(text: str, known: dict[int, Piece]) -> dict[int, Piece]:
    """Return the headings without a number that stand where chapters do: those of the chapters' level.

    Without any numbered chapter it is the level that has the most headings.
    """
    sharps = [(found.start(), len(found[1]), found) for found in _SHARP.finditer(text)]
    levels = [level for start, level, _ in sharps if start in known and known[start].kind == CHAPTER]
    others = levels or [level for start, level, _ in sharps if start not in known]
    if not others:
        return {}
    usual = max(sorted(set(others)), key=others.count)
    return {
        start: Piece(CHAPTER, start, found.end(), found.end(), None, found[2].strip(" \t#"), found[0])
        for start, level, found in sharps
        if level == usual and start not in known
    }


def _pieces(text: str, heads: Sequence[Piece]) -> Iterator[Piece]:
    """Yield the pieces: each heading with the text up to the next; the text before the first one."""
    heads = _without_titles(heads, text)
    ends = [one.start for one in heads[1:]] + [len(text)]
    first = heads[0].start if heads else len(text)
    if first:
        yield Piece(FRONT, 0, 0, first, None, None, "")
    for one, end in zip(heads, ends):
        yield _with_title_below(one._replace(end=end), text)


def _without_titles(heads: Sequence[Piece], text: str) -> list[Piece]:
    """Return the headings without those that are the title of the bare number right above them."""
    ends = [*(one.start for one in heads[1:]), len(text)]
    return [
        one
        for at, (one, end) in enumerate(zip(heads, ends))
        if not at or not _is_title_of(heads[at - 1], one, text, end)
    ]


def _is_title_of(above: Piece, one: Piece, text: str, end: int) -> bool:
    """Tell whether a heading without number, with its text up to `end`, is the title of the number above."""
    title = one.kind == CHAPTER and one.number is None and one.line.startswith("#")
    if not title or not _is_bare(above) or text[above.body : one.start].strip():
        return False
    return above.kind == CHAPTER or not text[one.body : end].strip()


def _is_bare(one: Piece) -> bool:
    return one.kind in (CHAPTER, VOLUME) and one.number is not None and one.title is None


def _with_title_below(one: Piece, text: str) -> Piece:
    """Return a chapter with the title that stands as a heading of its own below its bare number.

    A volume's is one only where nothing else stands below: it may be a chapter without a number.
    """
    below = len(text[one.body : one.end]) - len(text[one.body : one.end].lstrip())
    found = _SHARP.match(text, one.body + below) if _is_bare(one) else None
    if found is None or found.end() > one.end:
        return one
    if one.kind == VOLUME and text[found.end() : one.end].strip():
        return one
    return one._replace(title=found[2].strip(" \t#"), body=found.end())


def _with_contents(pieces: Iterator[Piece], text: str) -> Iterator[Piece]:
    """Yield the pieces; a run of headings without text that mostly come again is one piece, the contents."""
    listed = list(pieces)
    last = {_key(one): at for at, one in enumerate(listed)}
    at = 0
    while at < len(listed):
        run = _run_end(listed, at, text)
        end = run
        while end > at and listed[end - 1].kind == VOLUME and last[_key(listed[end - 1])] < end:
            end -= 1  # the heading of the first volume, right behind the contents
        least = 2 if _is_below_table(text, listed[at].start) else _RUN
        first = _contents_start([last[_key(one)] >= end for one in listed[at:end]], least)
        if first is None:
            yield from listed[at : max(run, at + 1)]
            at = max(run, at + 1)
            continue
        yield from listed[at : at + first]
        yield Piece(
            CONTENTS, listed[at + first].start, listed[at + first].start, listed[end - 1].end, None, None, ""
        )
        at = end


def _is_below_table(text: str, start: int) -> bool:
    """Tell whether the last line of text before this place is the word for contents."""
    line = text[max(0, start - _NEAR) : start].rstrip().rpartition("\n")[2]
    return line.strip(_AROUND_TABLE).lower() in _TABLE


def _contents_start(again: Sequence[bool], least: int) -> int | None:
    """Return where the contents begin among headings without text; `again`: the heading comes again.

    They are the longest end of the run of which more than half come again; None with fewer than `least`.
    """
    first, count = None, 0
    for at in range(len(again) - 1, -1, -1):
        count += again[at]
        size = len(again) - at
        if size >= least and count * 2 > size:
            first = at
    return first


def _run_end(listed: Sequence[Piece], at: int, text: str) -> int:
    ends = (one.kind == FRONT or text[one.body : one.end].strip() for one in listed[at:])
    return next((at + n for n, ends_here in enumerate(ends) if ends_here), len(listed))


def _key(one: Piece) -> tuple[str, object]:
    return one.kind, one.number if one.number is not None else one.line


def front_text(text: str) -> str:
    """Return a front piece without the word for contents at its end."""
    lines = text.rstrip().split("\n")
    while lines and lines[-1].strip(_AROUND_TABLE).lower() in ("", *_TABLE):
        del lines[-1]
    return "\n".join(lines).strip("\n")
