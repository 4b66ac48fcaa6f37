"""Faults of a JSON text: line, column and a Chinese sentence. Searched for only after a text was refused."""

from __future__ import annotations

import json

from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.store.formats.text import MOST_DIGITS, MOST_LEVELS, is_encodable


class Fault(Record):
    """One fault; `line` and `column` count from 1, `detail` is Chinese."""

    line: int
    column: int
    detail: str


_SYNTAX = (
    ("Expecting value", "这里应当有一个值"),
    ("Expecting property name", "这里应当是用英文双引号括起来的键名"),
    ("Expecting ':'", "键名后面缺一个英文冒号"),
    ("Expecting ','", "两项之间缺一个英文逗号，或者括号没有收尾"),
    ("Extra data", "内容已经结束，后面还有多余的文字"),
    ("Unterminated string", "这段文字没有用英文双引号收尾"),
    ("Invalid control character", "引号里有没写成 \\n 的换行或其他控制字符"),
    ("Invalid \\escape", "反斜杠后面的字符不合规则"),
    ("Invalid \\u", "\\u 后面应当是四位十六进制数字"),
)
_TOKEN = Pattern(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|-?Infinity|NaN|-?[0-9][0-9.eE+-]*')


def syntax_fault(text: str, wrong: json.JSONDecodeError) -> Fault:
    """Return the fault that Python's reader found in `text`."""
    if not text.strip():
        return Fault(1, 1, "文件是空的")
    comma = _needless_comma(text, wrong.pos)
    if comma is not None:
        return _fault_at(text, comma, "最后一项后面多了一个逗号")
    detail = next(
        (said for start, said in _SYNTAX if wrong.msg.startswith(start)), "这里的格式不合 JSON 规则"
    )
    return Fault(wrong.lineno, wrong.colno, detail)


def _needless_comma(text: str, offset: int) -> int | None:
    """Newer Pythons point at such a comma, older ones behind it."""
    before, rest = text[:offset].rstrip(), text[offset:].lstrip()
    if before.endswith(",") and rest[:1] in ("}", "]"):
        return len(before) - 1
    return offset if rest[:1] == "," and rest[1:].lstrip()[:1] in ("}", "]") else None


def first_fault(text: str) -> Fault:
    """Return the first fault in `text` that Python's reader lets through and `jsonio` does not."""
    keys: list[set[str] | None] = []
    fresh = False
    for token in _TOKEN.finditer(text):
        piece = token.group()
        if piece in ("{", "["):
            keys.append(set() if piece == "{" else None)
            detail = f"括号套了 {MOST_LEVELS} 层以上" if len(keys) > MOST_LEVELS else None
        elif piece in ("}", "]"):
            keys = keys[:-1]
            detail = None
        else:
            detail = _scalar_fault(piece, keys[-1] if keys and fresh else None)
        if detail:
            return _fault_at(text, token.start(), detail)
        fresh = piece in ("{", ",")
    return _fault_at(text, 0, "这里的格式不合 JSON 规则")


def _scalar_fault(piece: str, keys: set[str] | None) -> str | None:
    """Describe the fault of one token; `keys` are those so far of the object that it is a key of, or None."""
    if piece.startswith('"'):
        word: str = json.loads(piece)
        if not is_encodable(word):
            return "引号里有半个 \\u 代理字符"
        if keys is not None and word in keys:
            return f"键「{word}」在同一个花括号里写了两次"
        if keys is not None:
            keys.add(word)
        return None
    if piece.lstrip("-") in ("NaN", "Infinity"):
        return f"{piece} 不是合法的数字"
    if piece[0] in "-0123456789":
        return _number_fault(piece)
    return None


def _number_fault(piece: str) -> str | None:
    if piece.lstrip("-").isdigit():
        return f"这个数字超过了 {MOST_DIGITS} 位" if len(piece) > MOST_DIGITS else None
    if float(piece) in (float("inf"), float("-inf")):
        return "这个数字太大了"
    return None


def _fault_at(text: str, offset: int, detail: str) -> Fault:
    line_start = text.rfind("\n", 0, offset) + 1
    return Fault(text.count("\n", 0, offset) + 1, offset - line_start + 1, detail)
