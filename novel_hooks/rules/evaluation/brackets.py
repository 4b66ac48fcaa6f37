"""Pairs of brackets in a model's JSON text, and the refusal that names a place in it."""

from __future__ import annotations

import re

from novel_hooks import errors
from novel_hooks.rules.text.json_values import MAX_DEPTH

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|["{}\[\]]', re.DOTALL)
_PAIRS = {"}": "{", "]": "["}


def fault(text: str, at: int, detail: str) -> errors.VerdictUnreadable:
    """Return the refusal of `text` for what is wrong at offset `at`, with line and column (both from 1)."""
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
