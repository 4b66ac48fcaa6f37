"""Words for the author that depend on his host: the call of a skill, the host's name. Pure."""

from __future__ import annotations

from novel_hooks.annotations import Any

SKILLS = ("continue", "start", "status")
_WORDS = (
    *((f"/novel:{name}", f"$novel-{name}") for name in SKILLS),
    ("在 Claude Code 里输入", "在 Codex 里输入"),
    ("写章节在 Claude Code 里：", "写章节在 Codex 里："),
    ("在 Claude Code 里打开这个文件夹", "在 Codex 里打开这个文件夹"),
    ("Claude 替你用的命令", "Codex 替你用的命令"),
)


def in_codex(text: str) -> str:
    """Return one of our sentences with the words for Codex."""
    for ours, theirs in _WORDS:
        text = text.replace(ours, theirs)
    return text


def all_in_codex(value: Any) -> Any:
    """Return a JSON value with every text in it in the words for Codex; keys stay."""
    if isinstance(value, str):
        return in_codex(value)
    if isinstance(value, dict):
        return {key: all_in_codex(one) for key, one in value.items()}
    return [all_in_codex(one) for one in value] if isinstance(value, (list, tuple)) else value
