"""Plugins and agents in folders of a test's own."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conftest import CHECKOUT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# What a checkout holds beside the plugin. Copying it into a client's cache would take a minute.
_LEFT_OUT = shutil.ignore_patterns(
    *(".git", ".venv*", ".tools", ".*_cache", ".hypothesis", "__pycache__"),
    *("demo-novel", "build", "dist", "tests"),
)


def plugin_copy(place: Path) -> Path:
    """The plugin as a user gets it: the checkout's files, without what was built there."""
    return Path(shutil.copytree(CHECKOUT, place, ignore=_LEFT_OUT, symlinks=True))


def small_plugin(place: Path, agents: Mapping[str, str], hooks: Mapping[str, Any] | None = None) -> Path:
    """A plugin named `small` with these agents (name → prompt) and hooks; its folder."""
    for folder in (".claude-plugin", "agents", "hooks"):
        (place / folder).mkdir(parents=True)
    (place / ".claude-plugin" / "plugin.json").write_text(json.dumps({"name": "small", "version": "1.0.0"}))
    if hooks is not None:
        (place / "hooks" / "hooks.json").write_text(json.dumps({"hooks": hooks}), encoding="utf-8")
    for path, text in _agent_files(agents):
        (place / "agents" / path).write_text(text, encoding="utf-8")
    return place


def own_agents(project: Path, agents: Mapping[str, str]) -> None:
    """Agents that a user has in a project of his."""
    folder = project / ".claude" / "agents"
    folder.mkdir(parents=True)
    for path, text in _agent_files(agents):
        (folder / path).write_text(text, encoding="utf-8")


def _agent_files(agents: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, prompt in agents.items():
        yield f"{name}.md", f"---\nname: {name}\ndescription: 做一步。\n---\n\n{prompt}\n"
