"""The one JSON object in a language model's text, or a refusal that names the place and the reason.

Wrapping is taken off: BOM, code fences, thought blocks, prose, one trailing comma. A value is never guessed,
a cut structure never closed, and of two readings none is chosen. Source: protocol §1; seed 000 Step 1.6.
"""

from __future__ import annotations

import json
import re

from novel_hooks.rules.evaluation.json_spans import Span, fault, object_spans
from novel_hooks.rules.text.json_values import same

LONGEST = 1_000_000
"""Characters of a reply; a verdict has about ten thousand."""

_LONGEST_INTEGER = 300
"""Digits, the sign included."""
_STRING_OR_COMMA = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|,(?=[ \t\r\n]*[}\]])', re.DOTALL)
_KEY = re.compile(r'("[^"\\]*(?:\\.[^"\\]*)*")[ \t\r\n]*:', re.DOTALL)
_REASONS = (
    ("Expecting property name", "这里应是用双引号括起的字段名"),
    ("Expecting ':'", "字段名后面缺半角冒号"),
    ("Expecting ','", "这里缺半角逗号，或字符串里的引号没有转义"),
    ("Expecting value", "这里缺一个值，或写法不是 JSON"),
    ("Illegal trailing comma", "这里多了一个逗号"),
    ("Invalid \\", "反斜杠的写法不对"),
    ("Unterminated string", "引号没有闭合"),
)


class _Refused(ValueError):
    """A value that a hook of the JSON reader refuses; the hook does not know its offset.

    `word` is the value as written, or the field's name when `key`.
    """

    def __init__(self, detail: str, word: str, *, key: bool = False) -> None:
        super().__init__(detail)
        self.detail, self.word, self.key = detail, word, key


def parse(text: str) -> dict[str, object]:
    """Parse the one object in `text`; the same object again is no second one.

    Line breaks and tabs inside strings stay as they are. Raises VerdictUnreadable (exit 1) with line and
    column, counted from 1: there is no object, there are two different ones, or a part that looks like one
    is not strict JSON.
    """
    return parse_reply(text)[0]


def parse_reply(text: str) -> tuple[dict[str, object], bool]:
    """Return (the one object as `parse` does, was a brace left over behind it that closes nothing)."""
    body = text[1:] if text.startswith("\ufeff") else text
    if not body.strip():
        raise fault(body, 0, "回复是空的")
    if len(body) > LONGEST:
        raise fault(body, LONGEST, f"回复太长，超过 {LONGEST} 字")
    spans, left_over = object_spans(body)
    if not spans:
        raise fault(body, 0, "没有找到 JSON 对象")
    first = _parse_span(body, spans[0])
    for span in spans[1:]:
        if not same(first, _parse_span(body, span)):
            raise fault(body, span.start, "前后有两个不同的结果，不知道该用哪一个")
    return first, left_over


def _parse_span(text: str, span: Span) -> dict[str, object]:
    source = _without_trailing_commas(text[span.start : span.end])
    try:
        value = _DECODER.decode(source)
    except json.JSONDecodeError as error:
        reason = next((why for start, why in _REASONS if error.msg.startswith(start)), "这里的写法不是 JSON")
        raise fault(text, span.start + error.pos, reason) from None
    except _Refused as refused:
        raise fault(text, span.start + _refused_offset(source, refused), refused.detail) from None
    if re.search("[\ud800-\udfff]", json.dumps(value, ensure_ascii=False)):
        raise fault(text, span.start, "含有不成对的特殊字符，存不成文件")
    assert isinstance(value, dict)  # a span starts with a brace
    return value


def _without_trailing_commas(source: str) -> str:
    """Return the source with spaces for trailing commas: offsets stay the same."""

    def blank(match: re.Match[str]) -> str:
        mark = match.group()
        # A comma after an opening bracket, a colon or another comma ends nothing: it is a fault and stays.
        return mark if mark != "," or _mark_before(source, match.start()) in ",[{:" else " "

    return _STRING_OR_COMMA.sub(blank, source)


def _mark_before(source: str, at: int) -> str:
    """Return the nearest mark before `at` that is no white space."""
    at -= 1
    while source[at] in " \t\r\n":
        at -= 1
    return source[at]


def _unique_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made: dict[str, object] = {}
    for key, value in pairs:
        if key in made:
            raise _Refused(f"字段「{key}」写了两次", key, key=True)
        made[key] = value
    return made


def _constant(word: str) -> object:
    raise _Refused(f"{word} 不是 JSON 里的数", word)


def _float(word: str) -> float:
    value = float(word)
    if value in (float("inf"), float("-inf")):
        raise _Refused(f"{word} 这个数太大", word)
    return value


def _int(word: str) -> int:
    if len(word) > _LONGEST_INTEGER:
        raise _Refused("这个整数太长", word)
    return int(word)


def _refused_offset(source: str, refused: _Refused) -> int:
    """Return the offset of the refused word: its second use as a key, or its first outside strings."""
    if refused.key:
        uses = [key.start() for key in _KEY.finditer(source) if _decoded(key.group(1)) == refused.word]
        return uses[1] if len(uses) > 1 else 0
    outside = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|' + re.escape(refused.word), re.DOTALL)
    for match in outside.finditer(source):
        if match.group() == refused.word:
            return match.start()
    return 0


def _decoded(literal: str) -> object:
    try:
        return json.loads(literal, strict=False)
    except ValueError:
        return None


_DECODER = json.JSONDecoder(
    strict=False,
    object_pairs_hook=_unique_object,
    parse_constant=_constant,
    parse_float=_float,
    parse_int=_int,
)
