"""The texts of agents, skills, guides and templates, and what is read out of them."""

from __future__ import annotations

import os
import re
from typing import Any

from ruamel.yaml import YAML

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))


AGENTS = ("chapter-writer", "summarizer", "style-refiner", "quality-judge")


PLANNERS = ("plot-architect", "world-builder", "character-weaver", "style-analyzer")


SKILLS = ("continue", "novel-writing", "status")


# Those commands of `novel` that take a second word.
SECOND_WORDS = {
    "judge": {"record"},
    "lock": {"status", "acquire", "release", "clear"},
    "foreshadow": {"query"},
}


def read(path: str) -> str:
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def agent_path(name: str) -> str:
    return f"agents/{name}.md"


def skill_path(name: str) -> str:
    return f"skills/{name}/SKILL.md"


def guide_path(name: str) -> str:
    return f"skills/novel-writing/references/{name}.md"


def template_path(name: str) -> str:
    return f"novel_hooks/templates/{name}"


def split(path: str) -> tuple[dict[str, Any], str]:
    """Front matter and body."""
    opening, front, body = re.split(r"^---\n", read(path), maxsplit=2, flags=re.M)
    assert opening == "", f"{path} must begin with its front matter"
    return YAML(typ="safe").load(front), body


def listed(value: str) -> list[str]:
    return [part.strip() for part in value.split(",")]


def commands(text: str) -> list[list[str]]:
    """Every `novel …` in code marks or in a Bash(…) permission, as words."""
    spans = re.findall(r"`(novel [^`]+)`", text) + re.findall(r"Bash\((novel [^)]+)\)", text)
    return [span.split() for span in spans]


def pairs() -> list[tuple[str, str]]:
    """What the style guide shows before and after."""
    before, after = (
        re.findall(rf"^- {mark}[^：\n]*：(.*)$", read(guide_path("style-guide")), flags=re.M)
        for mark in ("改前", "改后")
    )
    return list(zip(before, after))
