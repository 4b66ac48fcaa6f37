"""`novel init`: a new project's folders and templates. Never overwrites. Source: seed 000, protocol §1."""

from __future__ import annotations

import os

from novel_hooks import layout
from novel_hooks import root as roots
from novel_hooks.errors import ProjectExists, ProjectLost, WriteFailed
from novel_hooks.flows.caller import Caller
from novel_hooks.record import Record
from novel_hooks.rules import checkpoint as checkpoints
from novel_hooks.store import assets, atomic, journal, jsonio, oslock
from novel_hooks.store.journal import Change
from novel_hooks.store.oserror import said
from novel_hooks.store.project import Project

TEMPLATES = (layout.BRIEF, layout.STYLE_PROFILE, layout.BLACKLIST, layout.STORYLINE_SPEC, layout.CONFIG)


class Begun(Record):
    root: str
    files: tuple[str, ...]


def run(root: str, caller: Caller, title: str | None, genre: str | None) -> Begun:
    """Make the project at `root`; what the author already has there stays as it is."""
    project = Project(root)
    above = roots.find(root)
    if above is not None:
        raise ProjectExists(layout.CHECKPOINT, place=above, what="小说项目")
    try:
        os.makedirs(root, exist_ok=True)
    except OSError as wrong:
        raise WriteFailed(root, detail=said(wrong)) from wrong
    _refuse_existing(project)
    with oslock.running(project):
        _refuse_existing(project)
        for folder in layout.PROJECT_DIRS:
            atomic.make_folders(project, folder)
        changes = [c for c in _files(title, genre) if not project.has(c.path)]
        point = checkpoints.initial().moved(caller.stamp)
        changes.append(journal.put(layout.CHECKPOINT, jsonio.dump(point.document)))
        journal.land(project, changes, label="新建项目", guard=lambda: None)
    return Begun(root, tuple(c.path for c in changes))


def _refuse_existing(project: Project) -> None:
    if project.kind(layout.CHECKPOINT) != "absent":
        raise ProjectExists(layout.CHECKPOINT, place=project.root, what="小说项目")
    landed = sum(1 for name in project.names("chapters") if layout.chapter_number(name))
    if landed:  # a book that lost its checkpoint is never begun anew
        raise ProjectLost(layout.CHECKPOINT, count=landed)


def _files(title: str | None, genre: str | None) -> list[Change]:
    found = []
    for path in TEMPLATES:
        name = path.rsplit("/", 1)[-1]
        data = assets.read(assets.package_path(f"templates/{name}"))
        if path == layout.CONFIG:
            data = _titled(data, title, genre)
        found.append(journal.put(path, data))
    return found


def _titled(data: bytes, title: str | None, genre: str | None) -> bytes:
    """The author's title and genre, in the commented template."""
    given: dict[str, object] = {key: value for key, value in (("title", title), ("genre", genre)) if value}
    if not given:
        return data
    from novel_hooks.store import yamlio

    return yamlio.edit(data.decode("utf-8"), layout.CONFIG, given).encode("utf-8")
