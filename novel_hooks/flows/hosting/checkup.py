"""Doctor on a book that is set up for Codex: its files, and the client on this computer. Reads only."""

from __future__ import annotations

import contextlib

from novel_hooks import errors, roles
from novel_hooks.annotations import Iterator, Mapping
from novel_hooks.errors import Problem
from novel_hooks.flows.hosting import connect, files, twins
from novel_hooks.rules.hosting import least_versions
from novel_hooks.store.files import surroundings
from novel_hooks.store.files.project import Project
from novel_hooks.store.host import codex_client


def problems(project: Project, environ: Mapping[str, str]) -> Iterator[Problem]:
    """Yield the faults of Codex as this book's host; nothing when `novel host codex` never ran."""
    if not files.written(project):
        return
    with contextlib.suppress(errors.HostNoPlugin):  # another copy: it cannot tell what they should be
        yield from connect.stale(files.differences(project))
        yield from twins.problems(project, environ)
    codex = surroundings.find_command("codex", environ)
    found = None if codex is None else codex_client.version(codex)
    if codex is None or found is None:
        yield errors.HostUnseen(None, case="absent" if codex is None else "silent")
        return
    shown, least = ".".join(map(str, found)), ".".join(map(str, least_versions.CODEX))
    if found[:2] < least_versions.CODEX:
        yield errors.HostOld(None, version=shown, least=least)
        return
    if found[:2] > least_versions.CODEX:
        yield errors.HostUnseen(None, case="newer", version=shown, least=least)
    yield from _setting_problems(codex, project)


def _setting_problems(codex: str, project: Project) -> Iterator[Problem]:
    told = codex_client.trust(codex, project.root)
    if told is None:
        yield errors.HostUnseen(None, case="silent")
        return
    if told.faults:
        yield from (errors.HostUnread(None, reason=one) for one in told.faults)
        return
    if not told.hooks:
        yield errors.HostUntrusted(None, case="folder")
        return
    if any(one != "trusted" for one in told.hooks):
        yield errors.HostUntrusted(None, case="hooks")
    if not codex_client.is_confined(codex, project.root, roles.CODEX_PROFILE):
        yield errors.HostUnconfined(None)
