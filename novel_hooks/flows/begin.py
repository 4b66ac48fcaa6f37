"""`novel init`: a new project's folders and templates. Never overwrites. Source: seed 000, protocol §1."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
import os

from novel_hooks import layout
from novel_hooks import root as roots
from novel_hooks.errors import (
    Problem,
    Problems,
    ProjectExists,
    ProjectLost,
    TemplateUnusable,
    UsageError,
    WriteFailed,
    refuse,
)
from novel_hooks.flows import config
from novel_hooks.flows.caller import Caller
from novel_hooks.flows.configuring import NOT_ONE_LINE
from novel_hooks.record import Record
from novel_hooks.rules import checkpoint as checkpoints
from novel_hooks.rules import settings
from novel_hooks.store import assets, atomic, journal, jsonio, oslock, schema
from novel_hooks.store.journal import Change
from novel_hooks.store.oserror import said
from novel_hooks.store.project import Project
from novel_hooks.store.text import decode

TEMPLATES = (layout.BRIEF, layout.STYLE_PROFILE, layout.BLACKLIST, layout.STORYLINE_SPEC, layout.CONFIG)
_SCHEMAS = {
    layout.STYLE_PROFILE: "style-profile",
    layout.BLACKLIST: "ai-blacklist",
    layout.STORYLINE_SPEC: "storyline-spec",
}
_LABEL = "新建项目"


class Begun(Record):
    root: str
    files: tuple[str, ...]


def run(
    root: str, caller: Caller, title: str | None, genre: str | None, template: str | None = None
) -> Begun:
    """Make the project at `root`; what the author already has there stays as it is.

    `template` is a folder with the author's own templates, by the names that they will have. Raises
    UsageError, TemplateUnusable, ProjectExists, ProjectLost, WriteFailed; then nothing has been made.
    """
    for option, told in (("--title", title), ("--genre", genre)):
        if told and not settings.one_line(told):
            raise UsageError(detail=f"{option} {NOT_ONE_LINE}", how="请把它重新写成一行。")
    own = _own_templates(template) if template else {}
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
        waiting = journal.pending(project)
        if waiting is not None and waiting.label == _LABEL:  # an earlier call was cut off
            journal.recover(project, lambda: None)
            return Begun(root, tuple(p for p in (*TEMPLATES, layout.CHECKPOINT) if project.has(p)))
        changes = [c for c in _files(title, genre, own) if not project.has(c.path)]
        point = checkpoints.initial().moved(caller.stamp)
        changes.append(journal.put(layout.CHECKPOINT, jsonio.dump(point.document)))
        journal.land(project, changes, label=_LABEL, guard=lambda: None)
    return Begun(root, tuple(c.path for c in changes))


def _refuse_existing(project: Project) -> None:
    if project.kind(layout.CHECKPOINT) != "absent":
        raise ProjectExists(layout.CHECKPOINT, place=project.root, what="小说项目")
    landed = sum(1 for name in project.names("chapters") if layout.chapter_number(name))
    if landed:  # a book that lost its checkpoint is never begun anew
        raise ProjectLost(layout.CHECKPOINT, count=landed)


def _files(title: str | None, genre: str | None, own: Mapping[str, bytes]) -> list[Change]:
    found = []
    for path in TEMPLATES:
        name = path.rsplit("/", 1)[-1]
        data = own.get(path) or assets.read(assets.package_path(f"templates/{name}"))
        if path == layout.CONFIG:
            data = _titled(data, title, genre)
        found.append(journal.put(path, data))
    return found


def _own_templates(folder: str) -> dict[str, bytes]:
    """path in the project → the bytes of the author's template, each as good as a landed file must be."""
    place = Project(folder)
    found: dict[str, bytes] = {}
    for path in TEMPLATES:
        for there in dict.fromkeys((path, path.rsplit("/", 1)[-1])):
            try:
                data = place.read(there)
                if data is not None:
                    found.setdefault(path, _checked(path, there, data))
            except (Problem, Problems) as wrong:
                raise TemplateUnusable(place=folder, detail=str(wrong)) from wrong
    if not found:
        names = "、".join(path.rsplit("/", 1)[-1] for path in TEMPLATES)
        raise TemplateUnusable(place=folder, detail=f"里面没有 {names} 里的任何一个。")
    return found


def _checked(path: str, there: str, data: bytes) -> bytes:
    """UTF-8, LF, no BOM. Raises what is wrong with it."""
    text = decode(data, there)
    if path == layout.CONFIG:
        config.parsed(text)
    elif path in _SCHEMAS:
        refuse(schema.check(_SCHEMAS[path], jsonio.parse(data, there), there))
    return text.encode("utf-8")


def _titled(data: bytes, title: str | None, genre: str | None) -> bytes:
    """The author's title and genre, in the commented template."""
    given: dict[str, object] = {key: value for key, value in (("title", title), ("genre", genre)) if value}
    if not given:
        return data
    from novel_hooks.store import yamlio

    return yamlio.edit(data.decode("utf-8"), layout.CONFIG, given).encode("utf-8")
