"""`novel init`: a new project's folders and templates. Never overwrites. Source: seed 000, protocol §1."""

from __future__ import annotations

import os
from functools import partial

from novel_hooks import errors, layout
from novel_hooks import root as roots
from novel_hooks.annotations import Iterator, Mapping, Sequence
from novel_hooks.errors import Problem, refuse
from novel_hooks.flows.book import settings
from novel_hooks.flows.book.collect import collect_problems
from novel_hooks.flows.book.templates import TEMPLATES
from novel_hooks.flows.session.caller import Caller
from novel_hooks.flows.setup.configure import with_value
from novel_hooks.record import Record
from novel_hooks.rules.settings import values
from novel_hooks.rules.steps import checkpoint as checkpoints
from novel_hooks.store.files import assets, atomic, folders
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio
from novel_hooks.store.formats.text import decode
from novel_hooks.store.journal import journal, litter
from novel_hooks.store.journal.journal import Change
from novel_hooks.store.lock import oslock
from novel_hooks.store.schema import schema

_LABEL = "新建项目"
_BEGUN = (layout.CHECKPOINT_SEAL, layout.CHANGELOG, layout.STATE)


class Begun(Record):
    """A new project. `files` are new.

    `left` are warnings on options that the author's own file does not get.
    """

    root: str
    files: tuple[str, ...]
    left: tuple[Problem, ...]


def run(
    root: str, caller: Caller, title: str | None, genre: str | None, template: str | None = None
) -> Begun:
    """Make the project at `root`; the author's own files in it stay as they are.

    `template` is a folder with the author's own templates, under their names in the project. Raises
    UsageError, TemplateUnusable, ProjectExists, ProjectLost, WriteFailed, and all faults of the author's own
    files at once; then nothing has been made.
    """
    for option, told in (("--title", title), ("--genre", genre)):
        if told and not values.is_one_line(told):
            raise errors.UsageError(case="init two lines", option=option)
    own = _own_templates(template) if template else {}
    root = os.path.realpath(root)  # reached through a link or not: one project
    project = Project(root)
    if not is_interrupted(project):
        above = roots.find_root(root)
        if above is not None:
            raise errors.ProjectExists(layout.CHECKPOINT, place=above, what="小说项目")
        _refuse_existing(project)
    named = {key: value for key, value in (("title", title), ("genre", genre)) if value}
    files, fresh = _template_changes(named, own, template), project.kind(layout.OWN) == "absent"
    made = folders.make_place(root)
    try:
        with oslock.running(project):
            return _create_project(project, caller, files, named, fresh)
    except BaseException:
        folders.forget_places(made)
        raise


def _create_project(
    project: Project, caller: Caller, files: Sequence[Change], told: Mapping[str, str], fresh: bool
) -> Begun:
    """Make the project under the OS lock.

    A refusal leaves no folder behind, of a `fresh` place not even the lock.
    """
    made: list[str] = []
    try:
        if is_interrupted(project):
            journal.recover(project)
            for folder in layout.PROJECT_DIRS:
                atomic.make_folders(project, folder)
            there = tuple(p for p in (*TEMPLATES, layout.CHECKPOINT) if project.has(p))
            return Begun(project.root, there, tuple(_setting_problems(project, told)))
        _refuse_existing(project)
        litter.sweep(project)
        for folder in layout.PROJECT_DIRS:
            made += atomic.make_folders(project, folder)
        left = tuple(_setting_problems(project, told))
        changes = [c for c in files if not project.has(c.path)]
        point = checkpoints.initial().moved(caller.stamp)
        changes.append(journal.put(layout.CHECKPOINT, jsonio.dump(point.document)))
        journal.land(project, changes, label=_LABEL, guard=lambda: None)
    except BaseException:
        if project.kind(layout.JOURNAL) == "absent":  # else the next command finishes it
            folders.remove_folders(project, made)
            if fresh:
                oslock.discard(project)
        raise
    return Begun(project.root, tuple(c.path for c in changes), left)


def is_interrupted(project: Project) -> bool:
    """Tell whether an earlier `init` was killed after its commit point. Raises InitJournalBroken."""
    try:
        return journal.unfinished_label(project) == _LABEL
    except errors.NotAFolder:  # `.novel` itself, reported with all else
        return False
    except errors.JournalBroken as wrong:
        reason = str(wrong.values["detail"]).rstrip("。")
        raise errors.InitJournalBroken(layout.JOURNAL, place=project.root, reason=reason) from wrong


def is_bare(project: Project, name: str) -> bool:
    """Tell whether it is a folder of a killed `init`, with nothing in it but such folders."""
    if project.kind(name) != "folder" or not any(
        folder == name or folder.startswith(f"{name}/") for folder in layout.PROJECT_DIRS
    ):
        return False
    return all(is_bare(project, f"{name}/{below}") for below in project.names(name))


def _setting_problems(project: Project, told: Mapping[str, str]) -> Iterator[Problem]:
    """Warn of options on the book that the author's own `novel.yaml` contradicts."""
    text = project.text(layout.CONFIG)
    found = {} if text is None else settings.parse(text)
    for key, value in told.items():
        if text is not None and found.get(key) != value:
            yield errors.SettingLeft(layout.CONFIG, key=key, value=value)


def _refuse_existing(project: Project) -> None:
    """Raises ProjectExists, ProjectLost, or everything that is wrong with what lies there, at once."""
    if project.kind(layout.CHECKPOINT) != "absent":
        raise errors.ProjectExists(layout.CHECKPOINT, place=project.root, what="小说项目")
    landed = sum(1 for name in project.names("chapters") if layout.chapter_number(name))
    if landed:  # a book that lost its checkpoint is never begun anew
        raise errors.ProjectLost(layout.CHECKPOINT, count=landed)
    folders = (*layout.PROJECT_DIRS, layout.OWN, layout.LOCK_DIR)
    folded = [partial(project.folder_destination, folder) for folder in folders]
    sound = [partial(_check_file, project, path) for path in TEMPLATES]
    refuse(collect_problems(*folded, partial(_remains_problems, project), *sound))


def _remains_problems(project: Project) -> Iterator[Problem]:
    """Refuse files that only a begun book has and a new one would go on from, and odd ones in `.novel/`."""
    for path in _BEGUN:
        if project.kind(path.rpartition("/")[0]) == "folder" and project.kind(path) != "absent":
            yield errors.BookLeft(path)
    if project.kind(layout.OWN) != "folder":
        return
    for name in project.names(layout.OWN):
        path = f"{layout.OWN}/{name}"
        if path == layout.JOURNAL:  # another command's, and no book for it
            yield errors.BookLeft(path)
        elif path in layout.OWN_FOLDERS:
            yield from collect_problems(partial(project.folder_destination, path))
        elif path not in _BEGUN and not litter.is_litter(name):
            yield from collect_problems(partial(project.destination, path))


def _check_file(project: Project, path: str) -> None:
    """Judge a file that is there already as a landed template would be. Raises what is wrong with it."""
    data = project.read(path)
    if data is not None:
        _checked_bytes(path, path, data)


def _template_changes(
    told: Mapping[str, str], own: Mapping[str, bytes], template: str | None
) -> list[Change]:
    found = []
    for path in TEMPLATES:
        name = path.rsplit("/", 1)[-1]
        data = own.get(path) or assets.load(assets.package_path(f"templates/{name}"))
        if path == layout.CONFIG:
            data = _with_title(data, told, template)
        found.append(journal.put(path, data))
    return found


def _own_templates(folder: str) -> dict[str, bytes]:
    """Return path in the project → the bytes of the author's template, each as good as a landed file."""
    place = Project(folder)
    found: dict[str, bytes] = {}
    for path in TEMPLATES:
        for there in dict.fromkeys((path, path.rsplit("/", 1)[-1])):
            try:
                data = place.read(there)
                if data is not None:
                    found.setdefault(path, _checked_bytes(path, there, data))
            except Problem as wrong:
                raise errors.TemplateUnusable(place=folder, case="broken", cause=wrong) from wrong
    if not found:
        names = "、".join(path.rsplit("/", 1)[-1] for path in TEMPLATES)
        raise errors.TemplateUnusable(place=folder, case="empty", names=names)
    return found


def _checked_bytes(path: str, there: str, data: bytes) -> bytes:
    """Return the bytes as UTF-8, LF, no BOM. Raises what is wrong with the file."""
    text = decode(data, there)
    if path == layout.CONFIG:
        settings.parse(text)
    elif path in layout.SETTING_SCHEMAS:
        refuse(schema.problems(layout.SETTING_SCHEMAS[path], jsonio.parse(data, there), there))
    return text.encode("utf-8")


def _with_title(data: bytes, told: Mapping[str, str], template: str | None) -> bytes:
    """Return the settings with the author's title and genre in them, all else as it was."""
    text = data.decode("utf-8")
    try:
        for key, value in told.items():
            text = with_value(text, key, value)
    except (errors.ConfigComment, errors.ConfigUneditable) as wrong:
        raise errors.TemplateUnusable(place=template, case="broken", cause=wrong) from wrong
    return text.encode("utf-8")
