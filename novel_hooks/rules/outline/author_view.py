"""The plan in the author's words: Chinese labels for a chapter's keys, names for ids in a text. Pure."""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Mapping
from novel_hooks.pattern import Pattern

if TYPE_CHECKING:
    import re

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
"""The eight key lines of a chapter's block, by the author's word for each."""
_KEY_LINE = Pattern(r"\s*[-*] \*\*(?P<key>[^*\n]+)\*\*[ \t]*[:：][ \t]*(?P<value>.*)\Z")
_ONE = r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*"
_ID = Pattern(
    rf"`[^`\n]*`|「(?P<quoted>{_ONE})」|(?<![A-Za-z0-9_./-])[ ]?(?P<id>{_ONE})(?![A-Za-z0-9_/-]|\.[a-z])[ ]?"
)
"""An id that stands alone; commands between backticks and paths keep theirs."""
_LETTER = Pattern("[A-Za-z]")
_QUOTED = Pattern(rf"「(?P<id>{_ONE})」")


def plan_lines(block: str, names: Mapping[str, str]) -> list[str]:
    """Return the lines of a block below its heading; `names` are id → name, other words stay.

    An unknown key and a line without a key are shown unchanged.
    """
    return [_line(one, names) for one in block.split("\n")[1:] if one.strip()]


def _line(line: str, names: Mapping[str, str]) -> str:
    found = _KEY_LINE.match(line)
    if found is None:
        return line.rstrip()
    label = LABELS.get(found["key"].strip(), found["key"].strip())
    return f"{label}：{named(found['value'].strip(), names) or '（空着）'}"


def may_hold_ids(text: str) -> bool:
    """Tell whether the text has a letter of an id at all."""
    return _LETTER.search(text) is not None


def quotes_id(text: str) -> bool:
    """Tell whether something stands alone in 「」 that may be an id."""
    return _QUOTED.search(text) is not None


def named(text: str, names: Mapping[str, str]) -> str:
    """Return the text with names in the place of ids."""

    def put(found: re.Match[str]) -> str:
        return names.get(found["quoted"] or found["id"] or "", found.group())

    return _ID.sub(put, text)


def titled(text: str, names: Mapping[str, str]) -> str:
    """Return the text with the name before every id that stands alone in 「」: `「七索」（seventh-span）`."""

    def put(found: re.Match[str]) -> str:
        name = names.get(found["id"])
        return found.group() if name is None else f"「{name.strip('「」')}」（{found['id']}）"

    return _QUOTED.sub(put, text)
