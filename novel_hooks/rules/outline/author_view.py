"""A chapter's block of the outline in the author's words: Chinese labels, names for ids. Pure."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

from novel_hooks.pattern import Pattern

LABELS = {
    "Storyline": "故事线",
    "POV": "视角",
    "Location": "地点",
    "Conflict": "冲突",
    "Arc": "人物弧线",
    "Foreshadowing": "伏笔",
    "StateChanges": "状态变化",
    "TransitionHint": "转场",
}
"""The author's words for `outline.KEYS`."""
_KEY_LINE = Pattern(r"\s*[-*] \*\*(?P<key>[^*\n]+)\*\*[ \t]*[:：][ \t]*(?P<value>.*)\Z")
_ID = Pattern(r"(?<![A-Za-z0-9_.-])[ ]?(?P<id>[a-z0-9]+(?:-[a-z0-9]+)*)(?![A-Za-z0-9_-])")


def plan_lines(block: str, names: Mapping[str, str]) -> list[str]:
    """Return the lines of a block below its heading; `names` are id → name, what is no id stays.

    A key that nobody knows is shown as it is, and so is every line without one.
    """
    return [_line(one, names) for one in block.split("\n")[1:] if one.strip()]


def _line(line: str, names: Mapping[str, str]) -> str:
    found = _KEY_LINE.match(line)
    if found is None:
        return line.rstrip()
    label = LABELS.get(found["key"].strip(), found["key"].strip())
    return f"{label}：{named(found['value'].strip(), names) or '（空着）'}"


def named(text: str, names: Mapping[str, str]) -> str:
    """Return the text with the names of the ids in it."""

    def put(found: re.Match[str]) -> str:
        return names.get(found["id"], found.group())

    return _ID.sub(put, text)
