"""`novel doctor --bundle FILE`: the facts for a bug report, without a word of the author's.

It holds sizes, hashes, counts, codes, versions, standard fields of the checkpoint, decisions of the guard. It
never holds text, titles, names, ids of people, places and storylines, reasons, machine paths. A path is shown
as far as `layout` spells it; the rest of it is a number.
"""

from __future__ import annotations

import os
import sys

from novel_hooks import __version__, layout, roles
from novel_hooks.annotations import Any, Callable, Mapping
from novel_hooks.errors import Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.doctor import installation, story
from novel_hooks.flows.doctor.checkup import Checkup
from novel_hooks.flows.doctor.report_mask import Mask, word
from novel_hooks.flows.review import audit_report
from novel_hooks.flows.session.caller import Caller
from novel_hooks.rules.steps import checkpoint as checkpoints
from novel_hooks.store.fence import fence
from novel_hooks.store.files import surroundings
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio
from novel_hooks.store.host import moment
from novel_hooks.store.journal import journal
from novel_hooks.store.lock import lockstate

FORMAT = 1
LINES = 200
_FIELDS = (*checkpoints.PLACE, "skipped_deltas")


def write(
    place: str, project: Project | None, found: Checkup, caller: Caller, environ: Mapping[str, str]
) -> None:
    """Write the report to a new JSON file at `place`, an absolute path. Raises BundleExists, WriteFailed."""
    surroundings.create_author_file(place, jsonio.dump(document(project, found, caller, environ)))


def document(
    project: Project | None, found: Checkup, caller: Caller, environ: Mapping[str, str]
) -> dict[str, Any]:
    """Return the report."""
    mask = Mask()
    told: dict[str, Any] = {
        "format": FORMAT,
        "made_at": moment.iso(caller.now),
        "novel": _novel_facts(environ),
        "findings": [
            {"severity": p.severity, "code": p.code, "path": mask.path(p.path)} for p in found.problems
        ],
    }
    if project is not None:
        told.update(book_parts(project, caller, mask))
    return told


def _novel_facts(environ: Mapping[str, str]) -> dict[str, Any]:
    where, own = installation.first_on_path(environ)
    return {
        "version": __version__,
        "python": ".".join(map(str, sys.version_info[:3])),
        "implementation": sys.implementation.name,
        "platform": sys.platform,
        "as_plugin": installation.is_plugin(),
        "on_path": None if where is None else own,
        "packages": {name: _package_version(name) for name in installation.PACKAGES},
    }


def _package_version(package: str) -> str | None:
    from importlib import metadata

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def book_parts(project: Project, caller: Caller, mask: Mask) -> dict[str, Any]:
    """Return one key for each part, read alone; a part that cannot be read is its error code."""
    parts: dict[str, Callable[[], Any]] = {
        "checkpoint": lambda: _checkpoint_part(project),
        "lock": lambda: lockstate.lock_state(project, caller.owner, caller.now).kind,
        "journal": lambda: _journal_part(project, mask),
        "state": lambda: _state_part(project),
        "changelog": lambda: _changelog_part(project),
        "audit": lambda: _audit_part(project, mask),
        "free_megabytes": lambda: surroundings.free_megabytes(project),
        "files": lambda: _files_part(project, mask),
    }
    told: dict[str, Any] = {}
    for name, read in parts.items():
        try:
            told[name] = read()
        except Problem as fault:
            told[name] = {"unreadable": [p.code for p in fault.problems]}
    return told


def _checkpoint_part(project: Project) -> Any:
    found = project.json(layout.CHECKPOINT, own=True)
    if not isinstance(found, dict):
        return None
    told = {key: _harmless_value(found.get(key)) for key in _FIELDS}
    pending = found.get("pending_actions")
    told.update(
        other_keys=len(found.keys() - set(_FIELDS)),
        pending_actions=len(pending) if isinstance(pending, list) else None,
        last_step=word(found.get("last_step")),
        in_error=found.get("error") is not None,
    )
    return told


def _harmless_value(value: object) -> object:
    """Return a number, null, or one of the checkpoint's own words; any other value as `?`."""
    known = (*checkpoints.STATES, *checkpoints.ACTIVE_STAGES, "committed")
    return value if value is None or isinstance(value, int) or value in known else "?"


def _journal_part(project: Project, mask: Mask) -> Any:
    plan = journal.pending(project)
    if plan is None:
        return None
    entries = [{"kind": e.kind, "path": mask.path(e.path), "size": e.size} for e in plan.entries]
    alive = journal.is_owner_alive(plan)
    return {"created_by": word(plan.created_by), "owner_lives": alive, "entries": entries}


def _state_part(project: Project) -> Any:
    found = project.json(layout.STATE, own=True)
    if not isinstance(found, dict):
        return None
    sizes = {key: len(value) for key, value in found.items() if isinstance(value, (dict, list))}
    known = {key: sizes[key] for key in sorted(sizes) if key in story.SECTIONS}
    numbers = ("schema_version", "state_version", "last_updated_chapter")
    return {**{key: _harmless_value(found.get(key)) for key in numbers}, "sizes": known}


def _changelog_part(project: Project) -> Any:
    lines = story.log_lines(Book(project))
    numbers = ("chapter", "base_state_version", "state_version", "skipped")
    told = [
        {
            **{key: _harmless_value(line.get(key)) for key in numbers},
            **{key: len(line[key]) for key in ("ops", "dropped") if isinstance(line.get(key), list)},
        }
        for line in lines[-LINES:]
    ]
    return {"lines": len(lines), "last": told}


def _audit_part(project: Project, mask: Mask) -> list[dict[str, Any]]:
    return [
        {
            **{key: word(line.get(key)) for key in ("ts", "event", "tool_name", "decision", "rule")},
            "agent": _agent_name(line.get("agent_type")),
            "path": mask.path(line.get("path")),
        }
        for line in audit_report.run(project, None, False).entries[-LINES:]
    ]


def _agent_name(name: object) -> str | None:
    bare = name.rpartition(":")[2] if isinstance(name, str) else None
    return bare if bare in roles.ROLES else None


def _files_part(project: Project, mask: Mask) -> list[dict[str, Any]]:
    """Return every file below the project, links not followed: its size and hash."""
    told, project = [], project.disk()
    for here, folders, names in os.walk(project.root):
        folders[:] = sorted(f for f in folders if f != ".git")
        for name in sorted(names):
            rel = os.path.relpath(os.path.join(here, name), project.root).replace(os.sep, "/")
            entry: dict[str, Any] = {"path": mask.path(rel), "kind": project.kind(rel)}
            if entry["kind"] == "file":
                size = os.lstat(project.absolute(rel)).st_size
                entry.update(size=size, sha256=fence.digest(project, rel))
            told.append(entry)
    return told
