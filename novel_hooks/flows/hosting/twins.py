"""Other skills and agents with our names in reach of Codex, by the name in the file and not the file's own.

Source: the real client. Of two skills with one name it takes neither and reports nothing; of two agents in a
book it takes the one whose file comes first.
"""

from __future__ import annotations

import os
import re

from novel_hooks import errors
from novel_hooks.annotations import Collection, Iterator, Mapping
from novel_hooks.errors import Problem
from novel_hooks.flows.hosting import files
from novel_hooks.pattern import Pattern
from novel_hooks.rules.hosting.words import SKILLS
from novel_hooks.store.files.project import Project

_SKILL = Pattern(r"^name:[ \t]*[\"']?novel-(\w+)[\"']?[ \t]*\r?$", re.MULTILINE)
_ROLE = Pattern(r"^[ \t]*name[ \t]*=[ \t]*[\"']([\w-]+)[\"']", re.MULTILINE)
_HEAD, _DEEP = 1 << 12, 5


def problems(project: Project, environ: Mapping[str, str]) -> Iterator[Problem]:
    """Yield a finding for each of them. Raises HostNoPlugin in a package without the plugin."""
    ours = {os.path.join(project.root, *path.split("/")) for path in files.wanted()}
    roles = {os.path.basename(place)[: -len(".toml")] for place in ours if place.endswith(".toml")}
    for folder in dict.fromkeys(_skill_folders(project, environ)):
        for place in _files(folder, "SKILL.md"):
            if place not in ours and _is_named(place, _SKILL, SKILLS):
                yield errors.HostNameTwice(None, case="skill", place=os.path.dirname(place))
    for place in _files(os.path.join(project.root, ".codex", "agents"), ".toml"):
        if place not in ours and _is_named(place, _ROLE, roles):
            yield errors.HostNameTwice(None, case="agent", place=place)


def _is_named(place: str, pattern: Pattern, names: Collection[str]) -> bool:
    try:
        with open(place, "rb") as file:
            found = pattern.search(file.read(_HEAD).decode("utf-8", "replace"))
    except OSError:
        return False
    return found is not None and found[1] in names


def _files(folder: str, ending: str) -> Iterator[str]:
    """Yield the files of that ending in the folder, a few folders deep, links followed."""
    for here, folders, names in os.walk(folder, followlinks=True):
        if here.count(os.sep) - folder.count(os.sep) >= _DEEP:
            folders.clear()
        folders.sort()
        yield from (os.path.join(here, name) for name in sorted(names) if name.endswith(ending))


def _skill_folders(project: Project, environ: Mapping[str, str]) -> Iterator[str]:
    """Yield the folders with skills: the book's, those above it in one repository, the user's."""
    yield os.path.join(project.root, ".agents", "skills")
    yield os.path.join(project.root, ".codex", "skills")
    for above in _within_repository(os.path.dirname(project.root)):
        yield os.path.join(above, ".agents", "skills")
    home = environ.get("HOME", "")
    codex = environ.get("CODEX_HOME") or os.path.join(home, ".codex")
    for place in (os.path.join(home, ".agents", "skills"), os.path.join(codex, "skills")):
        if os.path.isabs(place):
            yield place


def _within_repository(folder: str) -> list[str]:
    """Return `folder` and those above it, up to the one with `.git`; [] without one."""
    found = [folder]
    while not os.path.lexists(os.path.join(found[-1], ".git")):
        above = os.path.dirname(found[-1])
        if above == found[-1]:
            return []
        found.append(above)
    return found
