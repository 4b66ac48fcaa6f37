"""A chapter as the lint reads it: its body, its lines, and speech, panels and letters apart from the prose.

Speech in quotes, system panels such as `【力量：5】` and letters are not the narrator's prose. Places are
offsets into `Sheet.text`, lines are counted from 1. Source: craft notes §2.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from itertools import accumulate

from novel_hooks.annotations import Iterable, Sequence
from novel_hooks.pattern import Pattern
from novel_hooks.rules.lint.letters import SHOWS, letter_lines
from novel_hooks.rules.lint.lines import QUOTES, Line, is_row
from novel_hooks.rules.text import chapter_heading

HIDDEN = "\x01"
"""Replaces every hidden character in `Sheet.plain`, `Sheet.narration` and `Sheet.story`."""

_MARK = Pattern("""[“”「」『』【】‘’"〖〗﹁﹂﹃﹄〝〞＂«»]|(?<![A-Za-z0-9])'|'(?![A-Za-z0-9])""")
_LOOSE = "’'"
"""Marks that need no partner: an apostrophe is no quote."""
_PARTED = ("“", "「", "『")
_SPEECH_LINES, _PANEL_LINES = 12, 40
_SYSTEM = Pattern(
    r"[ \t\u3000]*(?:叮[！!，,。咚]|[\[［〔※]|[<＜〈](?:系统|任务|提示|公告|面板|警告|世界)"
    r"|系统(?:提示|公告|消息|通知)?[：:])"
)
_SYSTEM_BEGINS = tuple("叮[［〔※<＜〈系")
_SPOKEN = Pattern(
    f"(?:{SHOWS}|写下|敲下|打出|[一那这]句(?:话)?)[^。！？：:\n]{{0,12}}|[说道问答喊叫骂念想嚷吼])[：:][^\n]*\\Z|《[^》\n]*\\Z"
)
_DASHES = ("——", "－－")
_NEAR = 200
"""Characters before a word in which its speaker is looked for, and at both ends of its line."""


class Sheet:
    """One chapter, four times at the same offsets.

    `text` is all of it, with LF line ends. `plain` hides the heading and the words that the author allows.
    `narration` hides speech, panels and letters as well. `story` hides all but the allowed words of those.
    `body` is the offset at which the prose begins, `spans` are the offsets of speech, panels and letters,
    `unpaired` the numbers of lines whose quotes do not pair, `documents` those of panels and letters. All
    but `text`, `body` and `plain` are made when they are first used.
    """

    def __init__(self, text: str, allowed: Iterable[str] = ()) -> None:
        self.text = text.replace("\r\n", "\n").replace("\r", "\n")
        sizes = (len(line) + 1 for line in self.text.split("\n")[:-1])
        self._starts = [*accumulate(sizes, initial=0)]
        self.body = chapter_heading.body_start(self.text)
        self.plain = _hide_allowed(self.text, self.body, allowed)

    @cached_property
    def narration(self) -> str:
        return _mask(self.plain, self.spans)

    @cached_property
    def story(self) -> str:
        return _mask(_hide(self.text[: self.body]) + self.text[self.body :], self.spans)

    @cached_property
    def _speech(self) -> tuple[list[tuple[int, int]], list[int], frozenset[int]]:
        return _speech_spans(self.lines)

    @property
    def spans(self) -> list[tuple[int, int]]:
        return self._speech[0]

    @property
    def unpaired(self) -> list[int]:
        return self._speech[1]

    @property
    def documents(self) -> frozenset[int]:
        return self._speech[2]

    def prose(self) -> str:
        """Return the body's lines without panels and letters: narration and speech."""
        return "\n".join(line.text for line in self.lines if line.number not in self.documents)

    def line(self, place: int) -> int:
        """Return the number of the line that holds the offset."""
        return bisect_right(self._starts, place)

    def quote(self, start: int, end: int, around: int = 6, most: int = 30) -> str:
        """Return the words between the offsets, with `around` characters on each side in their line.

        The quote is cut to `most` characters behind its beginning.
        """
        number = self.line(start)
        begin = self._starts[number - 1]
        stop = self._starts[number] - 1 if number < len(self._starts) else len(self.text)
        left, right = max(begin, start - around), min(stop, max(end, start) + around)
        return self.text[left : min(right, left + most)].strip()

    def apart(self, place: int) -> bool:
        """Tell whether the offset lies in speech, a panel or a letter."""
        at = bisect_right(self.spans, (place, len(self.text) + 1)) - 1
        return at >= 0 and self.spans[at][0] <= place < self.spans[at][1]

    def spoken(self, place: int) -> bool:
        """Tell whether the offset is `apart`, or in its line behind `他说：`, a dash, `《` and the like."""
        if self.apart(place):
            return True
        number = self.line(place)
        begin = self._starts[number - 1]
        stop = self._starts[number] - 1 if number < len(self._starts) else len(self.text)
        if _SPOKEN.search(self.text[max(begin, place - _NEAR) : place]):
            return True
        head, tail = self.text[begin : begin + _NEAR], self.text[max(begin, stop - _NEAR) : stop]
        return head.lstrip().startswith(_DASHES) and not tail.rstrip().endswith(_DASHES)

    @cached_property
    def lines(self) -> list[Line]:
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


def _hide_allowed(text: str, body: int, allowed: Iterable[str]) -> str:
    for term in sorted({t for t in allowed if t.strip()}, key=lambda t: (-len(t), t)):
        if term in text:
            text = text.replace(term, _hide(term))
    return _hide(text[:body]) + text[body:]


def _hide(text: str) -> str:
    return "\n".join(HIDDEN * len(line) for line in text.split("\n"))


def _mask(text: str, spans: Sequence[tuple[int, int]]) -> str:
    pieces: list[str] = []
    at = 0
    for start, end in spans:
        pieces.append(text[at:start])
        pieces.append(HIDDEN * (end - start))
        at = end
    return "".join([*pieces, text[at:]])


def _speech_spans(lines: Sequence[Line]) -> tuple[list[tuple[int, int]], list[int], frozenset[int]]:
    """Return (spans of speech, panels and letters in order; lines whose quotes do not pair; `documents`)."""
    letters, documents = letter_lines(lines), set[int]()
    spans, unpaired, index, begin = list[tuple[int, int]](), list[int](), 0, 0
    while index < len(lines):
        line = lines[index]
        if not begin and (index in letters or _is_system_line(line.text)):
            spans.append((line.start, line.end))
            documents.add(line.number)
            index += 1
            continue
        behind = index if begin else _panel_end(lines, index)
        if behind > index:
            spans += [(one.start, one.end) for one in lines[index:behind]]
            documents.update(one.number for one in lines[index:behind])
            index = behind
            continue
        found, paired, left_open = _quoted_parts(line, begin)
        spans += found
        index, begin = index + 1, 0
        if left_open in _PARTED:
            closing = _speech_end(lines, index, QUOTES[left_open])
            if closing:
                spans += [(one.start, one.end) for one in lines[index : closing[0]]]
                index, begin = closing
                spans.append((lines[index].start, lines[index].start + begin))
                continue
        follows = index < len(lines) and lines[index].text.lstrip()[:1] in QUOTES
        if not paired and not (left_open and follows):
            unpaired.append(line.number)
    return spans, unpaired, frozenset(documents)


def _is_system_line(text: str) -> bool:
    """Return whether a game's system speaks in the line. Few lines begin so: most need no pattern."""
    return text.lstrip(" \t\u3000")[:1] in _SYSTEM_BEGINS and _SYSTEM.match(text) is not None


def _speech_end(lines: Sequence[Line], first: int, mark: str) -> tuple[int, int] | None:
    """Return (line, offset behind the mark) at which speech that an earlier line left open ends.

    Lists within it belong to it. None when another quote opens first, or none closes within twelve lines.
    """
    for index in range(first, min(len(lines), first + _SPEECH_LINES)):
        found = next((f for f in _MARK.finditer(lines[index].text) if f.group() not in _LOOSE), None)
        if found:
            return (index, found.end()) if found.group() == mark else None
    return None


def _quoted_parts(line: Line, begin: int = 0) -> tuple[list[tuple[int, int]], bool, str]:
    """Return (outer quoted parts of a line from the offset on, whether all pair, the mark left open or "").

    A part that is left open reaches to the line's end.
    """
    spans: list[tuple[int, int]] = []
    wanted: list[str] = []
    start, opened, paired = 0, "", True
    marks = list(_MARK.finditer(line.text, begin))
    if sum(found.group() == "'" for found in marks) % 2:
        marks = [found for found in marks if found.group() != "'"]
    for found in marks:
        mark = found.group()
        if wanted and mark == wanted[-1]:
            wanted.pop()
            if not wanted:
                spans.append((line.start + start, line.start + found.end()))
        elif mark in QUOTES:
            if not wanted:
                start, opened = found.start(), mark
            wanted.append(QUOTES[mark])
        elif mark not in _LOOSE:
            paired = False
    if wanted:
        spans.append((line.start + start, line.end))
    return spans, paired and not wanted, opened if wanted else ""


def _panel_end(lines: Sequence[Line], index: int) -> int:
    """Return the line behind a panel that begins here, of one line or several; else `index`."""
    text = lines[index].text.strip()
    if not text.startswith("【"):
        return index
    last = index
    if "】" not in text:
        last = _panel_closed(lines, index)
    elif not text.endswith("】"):
        return index
    while last + 1 < len(lines) and is_row(lines[last + 1].text):
        last += 1
    return last + 1 if last > index or text.find("】") == len(text) - 1 else index


def _panel_closed(lines: Sequence[Line], index: int) -> int:
    """Return the line that closes the panel and all that begin in it; `index` when none is near."""
    depth = 0
    for at in range(index, min(len(lines), index + _PANEL_LINES)):
        depth += lines[at].text.count("【") - lines[at].text.count("】")
        if depth <= 0:
            return at
    return index
