"""The files that make Codex a host of a book: the wanted ones, the written ones, and their differences.

`.novel/codex.json` has the hash of each written file, so that a file of the author's is never taken for ours.
Source: protocol §1 (`.novel/`).
"""

from __future__ import annotations

import json
import os

from novel_hooks import errors, layout, sha2
from novel_hooks.annotations import Mapping
from novel_hooks.record import Record
from novel_hooks.rules.hosting import own_lines, project_files, texts
from novel_hooks.rules.hosting.words import SKILLS
from novel_hooks.store.files import assets
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio

BY_HAND = (project_files.CONFIG, project_files.HOOKS)
"""Files that a project has of itself, and that the author can add our lines to."""
_AGENTS = "agents"


class Difference(Record):
    """A file of the host's that is wrong; `what` is missing, outdated, changed or mixed.

    A mixed file holds the author's own lines beside ours; `lines` are those to remove and to add.
    """

    path: str
    what: str
    lines: str = ""


def wanted() -> dict[str, bytes]:
    """Return path → bytes of the files as this plugin makes them. Raises HostNoPlugin, HostPlaceOdd."""
    try:
        plugin = os.path.dirname(os.path.dirname(assets.plugin_path("bin/novel")))
    except errors.AssetMissing as missing:
        raise errors.HostNoPlugin from missing
    if not plugin.isprintable() or os.pathsep in plugin:
        raise errors.HostPlaceOdd(place=plugin.encode("utf-8", "replace").decode("utf-8"))
    skills = [_text(f"skills/{name}/SKILL.md") for name in SKILLS]
    commands = [words for skill in skills for words in texts.allowed_commands(skill)]
    found = {
        project_files.CONFIG: project_files.config(plugin),
        project_files.RULES: project_files.rules(plugin, commands),
        project_files.HOOKS: json.dumps(project_files.hooks(plugin), ensure_ascii=False, indent=2) + "\n",
    }
    for name in sorted(os.listdir(assets.plugin_path(_AGENTS))):
        if name.endswith(".md"):
            found[f".codex/agents/{name[:-3]}.toml"] = texts.role_file(_text(f"{_AGENTS}/{name}"))
    for name, skill in zip(SKILLS, skills):
        found[f".agents/skills/novel-{name}/SKILL.md"] = texts.skill_file(skill)
    return {path: text.encode("utf-8") for path, text in found.items()}


def _text(rel: str) -> str:
    return assets.load(assets.plugin_path(rel)).decode("utf-8")


def written(project: Project) -> Mapping[str, str]:
    """Return the files written by `novel host codex`, path → SHA-256; {} before it. Raises OwnFileDamaged."""
    return _recorded(project, "files")


def lines_written(project: Project) -> Mapping[str, str]:
    """Return path → our text in the files that an author adds to. Raises OwnFileDamaged."""
    return _recorded(project, "lines")


def _recorded(project: Project, key: str) -> Mapping[str, str]:
    found = project.json(layout.CODEX, own=True)
    listed = found.get(key, {}) if isinstance(found, dict) else None
    if found is not None and not isinstance(listed, dict):
        raise errors.OwnFileDamaged(layout.CODEX, case="no object")
    return {path: told for path, told in (listed or {}).items() if isinstance(told, str)}


def dump(files: Mapping[str, bytes], edited: Mapping[str, str], now: Mapping[str, bytes]) -> bytes:
    """Return the record of these files. `now` are all files as they are wanted.

    `edited` are files of ours to which the author has added lines, with our text.
    """
    hashes = {**edited, **{path: sha2.digest(data) for path, data in files.items()}}
    lines = {path: now[path].decode("utf-8") for path in BY_HAND if path in now}
    return jsonio.dump({"files": hashes, "lines": lines})


def changes(path: str, found: bytes, old: str | None, ours: bytes) -> str:
    """Return the lines of ours to remove from the author's file and to add to it; "" for none or unknown."""
    if old is None:
        return ""
    return own_lines.changes(path, found.decode("utf-8", "replace"), old, ours.decode())


def holds(path: str, found: bytes, ours: bytes, old: str | None = None) -> bool:
    """Tell whether the author's own file holds our content. A role, a skill or a rule must be the same.

    `old` is our former text: nothing of it may be left.
    """
    if changes(path, found, old, ours):
        return False
    if path == project_files.CONFIG:
        try:
            return project_files.holds_config(found.decode("utf-8"), ours.decode("utf-8"))
        except UnicodeDecodeError:  # Codex reads none of it
            return False
    if path != project_files.HOOKS:
        return found == ours
    try:
        theirs = json.loads(found)["hooks"]
        return all(
            entry in theirs[event]
            for event, entries in json.loads(ours)["hooks"].items()
            for entry in entries
        )
    except (ValueError, KeyError, TypeError):
        return False


def differences(project: Project) -> list[Difference]:
    """List the files that differ from what this plugin would write, their record included.

    [] when all are as written, or hold our content.
    """
    listed = []
    known, told, now = written(project), lines_written(project), wanted()
    for path, ours in now.items():
        data = project.read(path)
        if data is None:
            listed.append(Difference(path, "missing"))
        elif data != ours and known.get(path) == sha2.digest(data):
            listed.append(Difference(path, "outdated"))
        elif data != ours and not holds(path, data, ours, told.get(path)):
            left = changes(path, data, told.get(path), ours)
            listed.append(Difference(path, "mixed" if left else "changed", left))
    listed += [Difference(path, "outdated") for path in known if path not in now and project.has(path)]
    return listed if known else [*listed, Difference(layout.CODEX, "missing")]
