"""`novel doctor --bundle FILE`: the facts for a bug report, without a word of the author's.

It holds sizes, hashes, counts, codes, versions, standard fields of the checkpoint, decisions of the guard. It
never holds text, titles, names, ids of people, places and storylines, reasons, machine paths. A path is shown
as far as `layout` spells it; the rest of it is a number.
"""

from __future__ import annotations

import sys

from novel_hooks import __version__
from novel_hooks.annotations import Any, Mapping
from novel_hooks.flows.doctor import installation, report_book
from novel_hooks.flows.doctor.checkup import Checkup
from novel_hooks.flows.doctor.report_mask import Mask
from novel_hooks.flows.session.caller import Caller
from novel_hooks.store.files import surroundings
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio
from novel_hooks.store.host import moment

FORMAT = 1


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
        told.update(report_book.document(project, caller, mask))
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
