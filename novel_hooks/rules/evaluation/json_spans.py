"""Spans of a model's text that may hold a JSON object; nothing in them is interpreted.

A span is a whole top-level pair of braces. Braces inside strings, thought blocks and code of other languages
do not count, and a pair that is cut is never closed. Source: protocol §1; the cases in
tests/cases/llm_json.json.
"""

from __future__ import annotations

import re

from novel_hooks import errors
from novel_hooks.record import Record
from novel_hooks.rules.text.json_values import MAX_DEPTH


class Span(Record):
    """Offsets of one object, `end` exclusive; `json` = it lies in a block labelled JSON."""

    start: int
    end: int
    json: bool


_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|["{}\[\]]', re.DOTALL)
_PAIRS = {"}": "{", "]": "["}
_MARK = re.compile(
    r"<(?P<open>think|thinking)\b[^<>\n]{0,200}>|(?P<close></(?:think|thinking)\s{0,9}>)"
    r"|(?P<fence>`{3,}|~{3,})|(?P<tick>`+)|(?P<brace>[{}])|(?P<list>\[)",
    re.IGNORECASE,
)
_LIKE_OBJECT = re.compile(r"""\{[ \t\r\n]*["'“”‘’＂}]""")
_LIKE_LIST = re.compile(r"""\[[ \t\r\n]*[\[{"]""")
_PART_OF_ONE = re.compile(r'"[ \t\r\n]*:[ \t\r\n]*\Z')
_MORE_OF_ONE = re.compile(r'[ \t\r\n]*,[ \t\r\n]*"')
_PROSE_BRACES = re.compile(r'\{[^{}"\n]*\}')
_INFO = re.compile(r"[ \t]*([^\s`~{\[]*)")


def object_spans(text: str) -> tuple[list[Span], bool]:
    """Return (the spans that count, in the order of the text; was a brace left over behind one).

    A block labelled JSON goes before blocks of other languages; inline code counts only when nothing else
    does. Raises VerdictUnreadable for a bracket or a thought that is not closed, a part of an object whose
    beginning is cut, a list around objects, and an object before the end of a thought.
    """
    scan = _Scan(text)
    scan.run(0, len(text))
    if not any(span.json for span in scan.spans):
        for start, end in scan.foreign:
            scan.run(start, end)
    if not scan.spans:
        for start, end in scan.inline:
            scan.run(start, end)
    return sorted(scan.spans), scan.left_over


class _Scan:
    """A walk over the text.

    `spans` are those that count so far; `foreign` (blocks in other languages) and `inline` (code between
    ticks) were passed over, as (start, end). `left_over`: a brace that closes nothing was passed over.
    """

    __slots__ = ("_fence", "_json", "foreign", "inline", "left_over", "spans", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans: list[Span] = []
        self.foreign: list[tuple[int, int]] = []
        self.inline: list[tuple[int, int]] = []
        self.left_over = False
        self._fence = ""
        self._json = False

    def run(self, at: int, stop: int) -> None:
        """Collect the spans between `at` and `stop`, each step past one mark."""
        self._fence, self._json = "", False
        while mark := _MARK.search(self.text, at, stop):
            at = self._step(mark, stop)

    def _step(self, mark: re.Match[str], stop: int) -> int:
        kind = mark.lastgroup
        if kind == "open":
            return self._thought(mark, stop)
        if kind == "close":
            return self._thought_without_start(mark)
        if kind == "fence":
            return self._toggle(mark, stop)
        if kind == "tick":
            return self._inline(mark, stop)
        return self._list(mark, stop) if kind == "list" else self._brace(mark, stop)

    def _thought(self, mark: re.Match[str], stop: int) -> int:
        ending = re.compile(rf"</{mark.group('open')}\s{{0,9}}>", re.IGNORECASE)
        close = ending.search(self.text, mark.end(), stop)
        if close is None:
            raise fault(self.text, mark.start(), "思考部分没有结束，后面没有结果")
        return close.end()

    def _thought_without_start(self, mark: re.Match[str]) -> int:
        """Pass the end of a thought that some models return alone: an object before it may be a draft."""
        if self.spans:
            raise fault(self.text, self.spans[0].start, "分不清这一段是思考还是结果")
        self.inline.clear()
        self.foreign.clear()
        return mark.end()

    def _toggle(self, mark: re.Match[str], stop: int) -> int:
        """Open a block, close the open one, or pass one in another language as a whole."""
        run = mark.group()
        if self._fence:
            if run[0] == self._fence[0] and len(run) >= len(self._fence):
                self._fence, self._json = "", False
            return mark.end()
        info = _INFO.match(self.text, mark.end(), stop)
        label = info.group(1).lower() if info else ""
        end = self._foreign_end(mark, stop) if label and not label.startswith("json") else None
        if end is not None:
            return end
        self._fence, self._json = run, label.startswith("json")
        return mark.end()

    def _foreign_end(self, mark: re.Match[str], stop: int) -> int | None:
        """Return the end of a block in another language, its inside noted; None when it is none."""
        before = self.text[self.text.rfind("\n", 0, mark.start()) + 1 : mark.start()]
        if before.strip():
            return None
        run = mark.group()
        ending = re.compile(rf"^[ \t]*{run[0]}{{{len(run)},}}[ \t\r]*$", re.MULTILINE)
        first = self.text.find("\n", mark.end(), stop)
        close = ending.search(self.text, first, stop) if first >= 0 else None
        if close is None:
            return None
        self.foreign.append((first, close.start()))
        return close.end()

    def _inline(self, mark: re.Match[str], stop: int) -> int:
        if self._fence:
            return mark.end()
        line = self.text.find("\n", mark.end(), stop)
        line = stop if line < 0 else line
        close = re.compile(rf"(?<!`){mark.group()}(?!`)").search(self.text, mark.end(), line)
        if close is None:
            return mark.end()
        self.inline.append((mark.end(), close.start()))
        return close.end()

    def _brace(self, mark: re.Match[str], stop: int) -> int:
        """Take a whole object as a span, pass braces of prose, refuse a part of an object."""
        start = mark.start()
        if mark.group() == "}" and self._is_left_over(start):
            self.left_over = True
            return mark.end()
        if mark.group() == "}":
            raise fault(self.text, start, "多出一个右花括号，前面像是缺了一段")
        if not _LIKE_OBJECT.match(self.text, start, stop):
            prose = _PROSE_BRACES.match(self.text, start, stop)
            return prose.end() if prose else bracket_end(self.text, start, stop)
        if _PART_OF_ONE.search(self.text, max(0, start - 200), start):
            raise fault(self.text, start, "这只是一个对象的一部分，外层缺了开头")
        end = bracket_end(self.text, start, stop)
        if _MORE_OF_ONE.match(self.text, end, stop):
            raise fault(self.text, end, "这只是一个对象的一部分，外层缺了开头")
        self.spans.append(Span(start, end, self._json))
        return end

    def _is_left_over(self, at: int) -> bool:
        """Tell whether a brace comes behind a whole object, with nothing between: it closes nothing."""
        between = self.text[self.spans[-1].end : at] if self.spans else "-"
        return not between.strip(" \t\r\n}`~")

    def _list(self, mark: re.Match[str], stop: int) -> int:
        """Refuse a list around objects, pass any other and brackets of prose."""
        start = mark.start()
        if not _LIKE_LIST.match(self.text, start, stop):
            return mark.end()
        end = bracket_end(self.text, start, stop)
        if _LIKE_OBJECT.search(self.text, start, end):
            raise fault(self.text, start, "最外层是列表，应当只是一个对象")
        return end


def fault(text: str, at: int, detail: str) -> errors.VerdictUnreadable:
    """Return the refusal of `text` for the fault at offset `at`, with line and column (both from 1)."""
    line = text.count("\n", 0, at) + 1
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    return errors.VerdictUnreadable(line=line, column=column, fault=detail)


def bracket_end(text: str, start: int, stop: int | None = None) -> int:
    """Return the offset one past the bracket that closes the one at `start`; strings are skipped whole.

    `stop` ends the search (None = the end of the text). Raises VerdictUnreadable where a bracket closes
    another kind, where a string or the bracket itself is not closed, and below MAX_DEPTH levels.
    """
    stop = len(text) if stop is None else stop
    opened: list[str] = []
    for token in _TOKEN.finditer(text, start, stop):
        mark = token.group()
        if mark == '"':
            raise fault(text, token.start(), "引号没有闭合，内容像是被截断了")
        if mark in ("{", "["):
            opened.append(mark)
            if len(opened) > MAX_DEPTH:
                raise fault(text, token.start(), "嵌套得太深")
        elif mark in _PAIRS:
            if opened.pop() != _PAIRS[mark]:
                raise fault(text, token.start(), "括号没有成对")
            if not opened:
                return token.end()
    raise fault(text, start, "括号没有闭合，内容像是被截断了")
