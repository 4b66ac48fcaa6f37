"""Faults of a settings file, in Chinese and with the place: broken YAML, and YAML that it must not hold."""

from __future__ import annotations

import re

from novel_hooks import errors
from novel_hooks.annotations import Any
from novel_hooks.store.formats.text import MOST_DIGITS, MOST_LEVELS

ODD_KEY = "odd key"

_DETAILS = (
    (ODD_KEY, "键要是一个词，像数字或 yes 的要用英文引号括起来"),
    ("found duplicate key", "同一个键写了两次"),
    ("mapping values are not allowed", "这里不该再有冒号；文字里要用冒号时，请把整段文字用英文引号括起来"),
    ("found character '\\t'", "行首用了 Tab，请改用空格"),
    ("found character", "这个符号不能放在开头，请把整段文字用英文引号括起来"),
    ("expected ',' or", "方括号或花括号没有收尾"),
    ("could not find expected ':'", "这一行缺一个英文冒号"),
    ("expected <block end>", "缩进没有对齐"),
    ("found unexpected end of stream", "引号没有收尾"),
    ("but found another document", "一个文件里只能有一份设置，不能再用 --- 分开"),
)
_COLON = re.compile(
    r"^[ \t]*(?:[^#\n\"']*\{(?:[^#\n\"'{}]*,)?[ \t]*)?[A-Za-z_][A-Za-z0-9_-]*[ \t]*"
    r"(?:(：)|(:)(?=[^\s:/'\"][^:\n]*(?:[,}]|$)))",
    re.MULTILINE,
)
_NO_NUMBER = re.compile(r"[-+]?\.(?:inf|nan)\Z", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?(?:[0-9_.]+(?:e[-+]?[0-9]+)?|0[ox][0-9a-f_]+)\Z", re.IGNORECASE)


def syntax_fault(path: str, text: str, wrong: Any) -> errors.YamlBroken:
    """Return the refusal for ruamel's error `wrong` in `text`; a faulty colon comes first."""
    slip = colon_fault(path, text)
    if slip is not None:
        return slip
    mark = getattr(wrong, "problem_mark", None)
    if mark is None:
        return fault_at(path, text, getattr(wrong, "position", 0), "有看不见的控制字符")
    problem = str(wrong.problem)
    detail = next((said for start, said in _DETAILS if problem.startswith(start)), "这里的格式不合 YAML 规则")
    return errors.YamlBroken(path, line=mark.line + 1, column=mark.column + 1, fault=detail)


def colon_fault(path: str, text: str) -> errors.YamlBroken | None:
    """Find the first key with a full-width colon, or with nothing between colon and value; None without one.

    Both are legal in YAML, which reads a text there (`pass：4`, `pass:4`). So this is asked only of a file
    that is refused anyway.
    """
    found = _COLON.search(text)
    if found is None:
        return None
    if found.group(1) is not None:
        return fault_at(path, text, found.start(1), "冒号是全角的「：」，请改成英文冒号「:」，后面空一格")
    return fault_at(path, text, found.start(2), "英文冒号「:」后面要空一格，再写值")


def fault_at(path: str, text: str, offset: object, detail: str) -> errors.YamlBroken:
    """Return the refusal with the line and column of `offset` (characters from 0)."""
    before = text[: offset if isinstance(offset, int) else 0]
    line_start = before.rfind("\n") + 1
    return errors.YamlBroken(
        path, line=before.count("\n") + 1, column=len(before) - line_start + 1, fault=detail
    )


def check(path: str, text: str, events: Any) -> None:
    """Raise `YamlBroken` at the first of ruamel's parse events that a JSON file could not express.

    These are: references (they can be circular, or swell a small file to gigabytes), type tags, directives,
    deep nesting, infinite numbers and numbers of too many digits.
    """
    depth = 0
    for event in events:
        name = type(event).__name__
        depth += name in ("SequenceStartEvent", "MappingStartEvent")
        depth -= name in ("SequenceEndEvent", "MappingEndEvent")
        detail = _fault(name, event) or (f"套了 {MOST_LEVELS} 层以上" if depth > MOST_LEVELS else None)
        if detail:
            raise fault_at(path, text, event.start_mark.index, detail)


def _fault(name: str, event: Any) -> str | None:
    if name == "AliasEvent":
        return "不支持用 * 引用别处的内容，请直接写出来"
    if name == "DocumentStartEvent":
        return "不支持 % 开头的指令行" if event.version or event.tags else None
    if getattr(event, "ctag", None) is not None or (name != "ScalarEvent" and getattr(event, "tag", None)):
        return "不支持 ! 开头的标记"
    if name != "ScalarEvent":
        return None
    if event.tag is not None:
        return "不支持 ! 开头的标记"
    return _number_fault(event.value) if event.implicit[0] else None


def _number_fault(word: str) -> str | None:
    if _NO_NUMBER.match(word):
        return "这里要写一个有限的数字"
    if not _NUMBER.match(word):
        return None
    if len(word) > MOST_DIGITS:
        return f"这个数字超过了 {MOST_DIGITS} 位"
    try:
        return "这个数字太大了" if float(word) in (float("inf"), float("-inf")) else None
    except ValueError:
        return None  # looks like a number and is none, `1.2.3`: text
