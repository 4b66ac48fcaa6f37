"""A chapter as the lint reads it: its body, what in it is not the narrator's, and where each line begins.

Speech in quotes, system panels and letters are kept apart: what a person says or a panel shows is not
the narrator's prose. Places are offsets into `Sheet.text`, lines are counted from 1. Pure.
Source: craft notes §2.
"""

from __future__ import annotations

from bisect import bisect_right

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.rules import prose

HIDDEN = "\x01"
"""Stands in `Sheet.plain` and `Sheet.narration` for every character that no rule may look at."""

_QUOTES = {"“": "”", "「": "」", "『": "』", "【": "】", '"': '"'}
_MARK = Pattern('[“”「」『』【】"]')
_PANEL_LINES = 12
_STAT = Pattern(r"[ \t\u3000]*[^\s：:。！？，]{1,10}[：:][ \t\u3000]*[^。！？\n]{1,24}\Z")
_SYSTEM = Pattern(r"[ \t\u3000]*(?:叮[！!，,。咚]|[\[［〔]|系统(?:提示|公告|消息)[：:])")
_LETTER = Pattern(
    "(?:信(?![心任念])|笺|纸条|字条|便条|告示|布告|公告|通告|通知|启事|短信|邮件|弹幕|评论|帖子|日记|遗书|遗嘱|碑|木牌|榜|"
    "契|诉状|诏|圣旨|檄文|名单|清单|账本|屏幕|行字|个字)[^。！？\n]{0,12}[：:][ \t\u3000]*\\Z"
)
_GREETING = Pattern(r"[^。！？\n]{1,15}[：:]\s*\Z")
_SIGNED = Pattern(r"[^。！？…，：“”\n]{1,16}\Z")
_LETTER_LINES = 30
_BLANK = "\ufeff\u200b\u200c\u200d\u2060"


class Line(Record):
    """One line of the text: where it begins and ends; `number` counts from 1."""

    number: int
    start: int
    end: int
    text: str


class Sheet:
    """One chapter, four times at the same offsets.

    `text` as it is (LF), `plain` without heading and the words that the author lets pass, `narration` and
    `told` without what is apart, `told` with those words. `body` is where the prose begins.
    """

    def __init__(self, text: str, allowed: Iterable[str] = ()) -> None:
        self.text = text.replace("\r\n", "\n").replace("\r", "\n")
        self._starts = _line_starts(self.text)
        self.body = _body(self.text)
        self.lines = self._body_lines()
        self.spans, self.unpaired = _apart(self.lines)
        self.plain = _without(self.text, self.body, allowed)
        self.narration = _masked(self.plain, self.spans)
        self.told = _masked(_hidden(self.text[: self.body]) + self.text[self.body :], self.spans)

    def line(self, place: int) -> int:
        """The number of the line that holds the offset."""
        return bisect_right(self._starts, place)

    def quote(self, start: int, end: int, around: int = 6, most: int = 30) -> str:
        """The words at `start`, with a few beside them in the same line."""
        number = self.line(start)
        begin = self._starts[number - 1]
        stop = self._starts[number] - 1 if number < len(self._starts) else len(self.text)
        left, right = max(begin, start - around), min(stop, max(end, start) + around)
        return self.text[left : min(right, left + most)].strip()

    def apart(self, place: int) -> bool:
        """Does the offset lie in speech, a panel or a letter?"""
        at = bisect_right(self.spans, (place, len(self.text) + 1)) - 1
        return at >= 0 and self.spans[at][0] <= place < self.spans[at][1]

    def _body_lines(self) -> list[Line]:
        """The lines of the body that are not blank."""
        found: list[Line] = []
        first = bisect_right(self._starts, self.body) - 1
        for index in range(first, len(self._starts)):
            start = max(self._starts[index], self.body)
            end = self._starts[index + 1] - 1 if index + 1 < len(self._starts) else len(self.text)
            text = self.text[start:end]
            if text.strip():
                found.append(Line(index + 1, start, end, text))
        return found


def parted(text: str, marks: str) -> str:
    """The text with a line end for each of the marks and for what is hidden, at the same offsets."""
    return text.translate(dict.fromkeys(map(ord, marks + HIDDEN), "\n"))


def pieces(text: str, start: int) -> Iterator[tuple[int, int]]:
    """The lines of the text from `start` on that are not blank, without the blanks around them."""
    for told in text[start:].split("\n"):
        solid = told.strip()
        if solid:
            begin = start + told.index(solid)
            yield begin, begin + len(solid)
        start += len(told) + 1


def _line_starts(text: str) -> list[int]:
    starts, at = [0], text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts


def _body(text: str) -> int:
    """Behind the heading, as `prose.count` sees it; without one, the first thing that is not blank."""
    start = len(text) - len(text.lstrip(_BLANK).lstrip())
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    first = text[start:end].strip()
    is_heading = first.startswith("#") or prose.heading(first)[0] is not None
    return min(len(text), end + 1) if is_heading else start


def _without(text: str, body: int, allowed: Iterable[str]) -> str:
    """The text with the heading and the words that the author lets pass hidden."""
    for term in sorted({t for t in allowed if t.strip()}, key=lambda t: (-len(t), t)):
        if term in text:
            text = text.replace(term, _hidden(term))
    return _hidden(text[:body]) + text[body:]


def _hidden(text: str) -> str:
    return "\n".join(HIDDEN * len(line) for line in text.split("\n"))


def _masked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    pieces: list[str] = []
    at = 0
    for start, end in spans:
        pieces.append(text[at:start])
        pieces.append(HIDDEN * (end - start))
        at = end
    return "".join([*pieces, text[at:]])


def _apart(lines: Sequence[Line]) -> tuple[list[tuple[int, int]], list[int]]:
    """(spans of speech, panels and letters, in order and apart; lines whose quotes do not pair)."""
    letters = _letters(lines)
    spans: list[tuple[int, int]] = []
    unpaired: list[int] = []
    index = 0
    while index < len(lines):
        line = lines[index]
        if index in letters or _SYSTEM.match(line.text):
            spans.append((line.start, line.end))
            index += 1
            continue
        last = _panel_end(lines, index)
        if last > index:
            spans += [(one.start, one.end) for one in lines[index : last + 1]]
        else:
            found, paired = _quoted(line)
            spans += found
            follows = index + 1 < len(lines) and lines[index + 1].text.lstrip()[:1] in _QUOTES
            if not paired and not (found and found[-1][1] == line.end and follows):
                unpaired.append(line.number)
        index = last + 1
    return spans, unpaired


def _quoted(line: Line) -> tuple[list[tuple[int, int]], bool]:
    """The quoted parts of a line, outer ones only; one that is left open reaches to the line's end."""
    spans: list[tuple[int, int]] = []
    wanted: list[str] = []
    start, paired = 0, True
    for found in _MARK.finditer(line.text):
        mark = found.group()
        if wanted and mark == wanted[-1]:
            wanted.pop()
            if not wanted:
                spans.append((line.start + start, line.start + found.end()))
        elif mark in _QUOTES:
            if not wanted:
                start = found.start()
            wanted.append(_QUOTES[mark])
        else:
            paired = False
    if wanted:
        spans.append((line.start + start, line.end))
        paired = False
    return spans, paired


def _panel_end(lines: Sequence[Line], index: int) -> int:
    """The last line of a panel that begins here and spans several lines; else `index`."""
    text = lines[index].text.strip()
    if not text.startswith("【"):
        return index
    last = index
    if "】" not in text:
        ahead = range(index + 1, min(len(lines), index + _PANEL_LINES))
        last = next((i for i in ahead if "】" in lines[i].text), index)
    elif not text.endswith("】"):
        return index
    while last + 1 < len(lines) and _STAT.match(lines[last + 1].text):
        last += 1
    return last


def _letters(lines: Sequence[Line]) -> frozenset[int]:
    """Indexes of the lines that a letter, notice or screen shows, after a line that announces it."""
    found: set[int] = set()
    for index, line in enumerate(lines):
        if index not in found and line.text.rstrip()[-1:] in ("：", ":") and _LETTER.search(line.text):
            found.update(range(index + 1, _letter_end(lines, index + 1)))
    return frozenset(found)


def _letter_end(lines: Sequence[Line], first: int) -> int:
    """Behind the letter: after its signature, else before the next blank line, else one line."""
    if first >= len(lines) or lines[first].text.lstrip()[:1] in _QUOTES:
        return first
    most = min(len(lines), first + _LETTER_LINES)
    if _GREETING.match(lines[first].text.strip()):
        signed = next((i for i in range(first + 1, most) if _SIGNED.match(lines[i].text.strip())), None)
        return min(first + 2, most) if signed is None else signed + 1
    for index in range(first + 1, most):
        if lines[index].number > lines[index - 1].number + 1:
            return index
    return first + 1
