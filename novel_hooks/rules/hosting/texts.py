"""Agents and skills as Codex reads them, from the plugin's own Markdown. Pure.

Source: `agents/*.md`, `skills/*/SKILL.md`. A role file has no `model`: it would beat the one that the packet
names for a step. It has no sandbox either: Codex ignores it there.
"""

from __future__ import annotations

import json

from novel_hooks.annotations import Mapping
from novel_hooks.pattern import Pattern
from novel_hooks.rules.hosting import replacements, words

_ALLOWED = Pattern(r"Bash\(novel ([a-z][a-z -]*?) \*\)")
_QUOTES = "'''"


def front_matter(text: str) -> tuple[Mapping[str, str], str]:
    """Split a Markdown file into its head (`key: value` lines) and its body, without the line between."""
    _, head, body = text.split("---\n", 2)
    return dict(line.split(": ", 1) for line in head.splitlines()), body.lstrip("\n")


def role_file(text: str) -> str:
    """Return an agent as a custom role of Codex, TOML."""
    head, body = front_matter(text)
    instructions = replacements.swap(body, replacements.AGENTS[head["name"]]).rstrip("\n")
    if _QUOTES in instructions:
        raise ValueError("an agent's text holds TOML's own quotes")
    return "\n".join(
        [
            f"name = {json.dumps(head['name'])}",
            f"description = {json.dumps(head['description'], ensure_ascii=False)}",
            f"developer_instructions = {_QUOTES}\n{instructions}\n{_QUOTES}\n",
        ]
    )


def skill_file(text: str) -> str:
    """Return a skill as Codex reads it: its head has the two keys that Codex needs."""
    head, body = front_matter(text)
    name = head["name"]
    told = replacements.swap(body, replacements.SKILLS[name])
    return words.in_codex(f"---\nname: novel-{name}\ndescription: {head['description']}\n---\n\n{told}")


def allowed_commands(text: str) -> list[tuple[str, ...]]:
    """List the commands of `novel` that a skill runs without asking, as words: [("lock", "acquire"), …]."""
    head, _ = front_matter(text)
    return [tuple(told.split()) for told in _ALLOWED.findall(head.get("allowed-tools", ""))]
