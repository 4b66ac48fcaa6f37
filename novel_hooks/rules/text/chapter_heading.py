"""A chapter's heading: its number and title, and the text behind it. Pure.

A line without `#` is one only where it says nothing else. Source: protocol §1.
"""

from __future__ import annotations

from novel_hooks.pattern import Pattern
from novel_hooks.rules.text import numerals

BLANK = "\ufeff\u200b\u200c\u200d\u2060"
"""Characters that nobody sees."""
_GAP = "[ \t\u3000]*"
_NUMBERED = Pattern(
    rf"(?P<volume>(?:(?:第{_GAP}[^\s第卷部集篇]{{1,8}}{_GAP}[卷部集篇]|卷{_GAP}[{numerals.MARKS}]{{1,8}}|正文)"
    rf"[ \t\u3000:：·・.．-]{{0,4}})?)"
    rf"第{_GAP}(?P<number>[^\s第章回]{{1,20}}){_GAP}(?P<unit>章(?![程节節法]\Z)|回(?!合))(?P<rest>.*)\Z"
)
_JOINS = "至到和与及"
_BEGINS = ("第", "卷", "正")
_SHARPS = Pattern(rf"[#＃]{{1,6}}{_GAP}(?P<heading>.*?)(?:[ \t\u3000]+#+)?\Z")
_SEPARATORS = " \t\u3000:：·・•.．、|｜-—–－~～"
_TITLE_END = "。，；：、…,;:”」』’】》"
_LONGEST_TITLE = 30
_PLAIN_TITLE, _BRACKETS = 12, "（）()"


def heading(text: str) -> tuple[int | None, str | None]:
    """Return (number, title) of a chapter's heading, each None where there is none.

    Only the first line that is not blank is read. It is a heading when written `# 第 N 章 名`, in Arabic,
    full-width or Chinese numerals, after a volume's name or not. Without `#` the line must hold nothing but
    the heading: a sentence that speaks of a chapter is prose. Several chapters (`第 2 章至第 5 章`) and a
    remark (`第 2 章的…`) are no heading. A line with `#` and no chapter number has its text as title:
    `# 楔子` → `(None, "楔子")`.
    """
    number, title, _ = heading_parts(text)
    return number, title


def heading_parts(text: str) -> tuple[int | None, str | None, bool]:
    """Return what `heading` does, and whether the number stands behind a volume's name."""
    first = _first_line(text)[0]
    usual = _plain_heading(first)
    return (*usual, False) if usual else _any_heading(first)


def own_title(text: str) -> str | None:
    """Return the chapter's own title: of the first heading with a number, behind a prologue too."""
    number, told = heading(text)
    if number is None and told is not None:
        heads = (heading(line) for line in text.split("\n") if line.startswith("# "))
        return next((name for behind, name in heads if behind is not None), told)
    return told


def _plain_heading(first: str) -> tuple[int, str | None] | None:
    """Read `# 第 12 章 夜渡`, as nearly every chapter begins; None for every other line.

    It needs no pattern: those of `_any_heading` take longer to compile than the rest of a command's reading.
    """
    number, unit, rest = first[3:].partition("章")
    number = number.strip(" ")
    plain = number.isascii() and number.isdigit() and number[0] != "0" and len(number) < 9
    if not (first.startswith("# 第") and unit and plain):
        return None
    title = rest.lstrip(" :：")
    named = "\u4e00" <= title[:1] <= "\u9fff" and title[0] not in _JOINS and rest[0] in " :："
    if rest and not (named and "#" not in title and title.split() == [title]):
        return None
    return int(number), title.rstrip(":：") or None


def _any_heading(first: str) -> tuple[int | None, str | None, bool]:
    """Read a heading however it is written; the same result as `heading_parts`."""
    sharps = _SHARPS.match(first) if first[:1] in ("#", "＃") else None
    line = sharps.group("heading").strip() if sharps else first
    found = _NUMBERED.match(line) if line[:1] in _BEGINS and "第" in line else None
    if found is None or numerals.NO_TITLE.match(found.group("rest")):
        return None, (line or None) if sharps else None, False
    if not sharps and not _stands_alone(found.group("unit"), found.group("rest")):
        return None, None, False
    title = found.group("rest").lstrip(_SEPARATORS).rstrip(" \t\u3000:：")
    return numerals.parse(found.group("number")), title or None, bool(found.group("volume"))


def _first_line(text: str) -> tuple[str, str]:
    """Return the first line that is not blank, trimmed, and the text behind it."""
    plain = text.lstrip(BLANK).replace("\r\n", "\n").replace("\r", "\n").lstrip()
    first, _, rest = plain.partition("\n")
    return first.strip(), rest


def body(text: str) -> str:
    """Return the text without its heading line."""
    first, rest = _first_line(text)
    return rest if first[:1] in ("#", "＃") or heading(first)[0] is not None else f"{first}\n{rest}"


def body_start(text: str) -> int:
    """Return the offset behind the heading line; without one, of the first solid character."""
    start = len(text) - len(text.lstrip(BLANK).lstrip())
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    first = text[start:end].strip()
    is_heading = first.startswith("#") or heading(first)[0] is not None
    return min(len(text), end + 1) if is_heading else start


def _stands_alone(unit: str, rest: str) -> bool:
    """Tell whether `rest`, the text behind `第N章`, is empty or a title, and no sentence of the prose.

    Behind a separator a title may have a comma and end in ？ or ！. Without one it is a few plain words, and
    回 is refused: 第三回见面 means the third time.
    """
    title = rest.strip().lstrip(_SEPARATORS)
    if not title:
        return True
    if rest[0] in _SEPARATORS:
        return len(title) <= _LONGEST_TITLE and title[-1] not in _TITLE_END and "。" not in title
    plain = all(mark.isalnum() or mark in _BRACKETS for mark in title)
    return unit == "章" and plain and len(title) <= _PLAIN_TITLE and title[0] != "了"
