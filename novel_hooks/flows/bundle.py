"""`novel doctor --bundle FILE`: what a bug report needs, and not a word of the author's.

What is told: sizes, hashes, counts, codes, versions, standard fields of the checkpoint, decisions of the
guard. Never told: text, titles, names, ids of people, places and storylines, reasons, machine paths. A path is
told only as far as `layout` spells it; the rest of it is a number.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any
import os
import sys

from novel_hooks import __version__, layout, roles
from novel_hooks.errors import Problem, Problems
from novel_hooks.flows import checkup_install, checkup_story
from novel_hooks.flows.book import Book
from novel_hooks.flows.caller import Caller
from novel_hooks.flows.checkup import Checkup
from novel_hooks.flows.masking import Mask, word
from novel_hooks.rules import checkpoint as checkpoints
from novel_hooks.store import fence, journal, jsonio, lockstate, moment, surroundings
from novel_hooks.store.project import Project

FORMAT = 1
_LINES = 200
_FIELDS = (
    "last_completed_chapter",
    "current_volume",
    "orchestrator_state",
    "pipeline_stage",
    "inflight_chapter",
    "revision_count",
    "skipped_deltas",
)


def write(
    place: str, project: Project | None, found: Checkup, caller: Caller, environ: Mapping[str, str]
) -> None:
    """A new JSON file at `place`, an absolute path. Raises BundleExists, WriteFailed."""
    surroundings.create(place, jsonio.dump(document(project, found, caller, environ)))


def document(
    project: Project | None, found: Checkup, caller: Caller, environ: Mapping[str, str]
) -> dict[str, Any]:
    """The report."""
    mask = Mask()
    told: dict[str, Any] = {
        "format": FORMAT,
        "made_at": moment.iso(caller.now),
        "novel": _novel(environ),
        "findings": [
            {"severity": p.severity, "code": p.code, "path": mask.path(p.path)} for p in found.problems
        ],
    }
    if project is not None:
        told.update(_book(project, caller, mask))
    return told


def _novel(environ: Mapping[str, str]) -> dict[str, Any]:
    where, own = checkup_install.first_on_path(environ)
    return {
        "version": __version__,
        "python": ".".join(map(str, sys.version_info[:3])),
        "implementation": sys.implementation.name,
        "platform": sys.platform,
        "as_plugin": checkup_install.as_plugin(),
        "on_path": None if where is None else own,
        "packages": {name: _version(name) for name in checkup_install.PACKAGES},
    }


def _version(package: str) -> str | None:
    from importlib import metadata

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _book(project: Project, caller: Caller, mask: Mask) -> dict[str, Any]:
    """Each part stands alone: one that cannot be read is told by its code."""
    parts = {
        "checkpoint": lambda: _checkpoint(project),
        "lock": lambda: lockstate.look(project, caller.owner, caller.now).kind,
        "journal": lambda: _journal(project, mask),
        "state": lambda: _state(project),
        "changelog": lambda: _changelog(project),
        "audit": lambda: _audit(project, mask),
        "free_megabytes": lambda: surroundings.free_megabytes(project),
        "files": lambda: _files(project, mask),
    }
    told: dict[str, Any] = {}
    for name, read in parts.items():
        try:
            told[name] = read()
        except (Problem, Problems) as fault:
            several = fault.problems if isinstance(fault, Problems) else (fault,)
            told[name] = {"unreadable": [p.code for p in several]}
    return told


def _checkpoint(project: Project) -> Any:
    found = project.json(layout.CHECKPOINT, own=True)
    if not isinstance(found, dict):
        return None
    told = {key: _plain(found.get(key)) for key in _FIELDS}
    contradiction = None
    try:
        contradiction = checkpoints.contradiction(checkpoints.parse(found)) is not None
    except (Problem, Problems):
        pass  # the findings tell which field is illegal
    pending = found.get("pending_actions")
    told.update(
        contradiction=contradiction,
        other_keys=len([key for key in found if key not in _FIELDS]),
        pending_actions=len(pending) if isinstance(pending, list) else None,
        last_step=word(found.get("last_step")),
        in_error=found.get("error") is not None,
    )
    return told


def _plain(value: object) -> object:
    """A number, null, or one of the checkpoint's own words."""
    known = (*checkpoints.STATES, *checkpoints.ACTIVE_STAGES, "committed")
    return value if value is None or isinstance(value, int) or value in known else "?"


def _journal(project: Project, mask: Mask) -> Any:
    plan = journal.pending(project)
    if plan is None:
        return None
    entries = [{"kind": e.kind, "path": mask.path(e.path), "size": e.size} for e in plan.entries]
    return {"created_by": word(plan.created_by), "owner_lives": journal.owner_lives(plan), "entries": entries}


def _state(project: Project) -> Any:
    found = project.json(layout.STATE, own=True)
    if not isinstance(found, dict):
        return None
    sizes = {key: len(value) for key, value in found.items() if isinstance(value, (dict, list))}
    known = {key: sizes[key] for key in sorted(sizes) if key in checkup_story.SECTIONS}
    numbers = ("schema_version", "state_version", "last_updated_chapter")
    return {**{key: _plain(found.get(key)) for key in numbers}, "sizes": known}


def _changelog(project: Project) -> Any:
    lines = checkup_story.lines(Book(project))
    numbers = ("chapter", "base_state_version", "state_version", "skipped")
    told = [
        {
            **{key: _plain(line.get(key)) for key in numbers},
            **{key: len(line[key]) for key in ("ops", "dropped") if isinstance(line.get(key), list)},
        }
        for line in lines[-_LINES:]
    ]
    return {"lines": len(lines), "last": told}


def _audit(project: Project, mask: Mask) -> list[dict[str, Any]]:
    from novel_hooks.flows import auditing

    return [
        {
            **{key: word(line.get(key)) for key in ("ts", "event", "tool_name", "decision", "rule")},
            "agent": _agent(line.get("agent_type")),
            "path": mask.path(line.get("path")),
        }
        for line in auditing.run(project, None, False).entries[-_LINES:]
    ]


def _agent(name: object) -> str | None:
    bare = name.rpartition(":")[2] if isinstance(name, str) else None
    return bare if bare in roles.ROLES else None


def _files(project: Project, mask: Mask) -> list[dict[str, Any]]:
    """Every file below the project, links not followed: size, and a hash of what is `novel`'s or landed."""
    told = []
    for here, folders, names in os.walk(project.root):
        folders[:] = sorted(f for f in folders if f != ".git")
        for name in sorted(names):
            rel = os.path.relpath(os.path.join(here, name), project.root).replace(os.sep, "/")
            entry = {"path": mask.path(rel), "kind": project.kind(rel)}
            if entry["kind"] == "file":
                size = os.lstat(project.absolute(rel)).st_size
                entry.update(size=size, sha256=fence.digest(project, rel))
            told.append(entry)
    return told
