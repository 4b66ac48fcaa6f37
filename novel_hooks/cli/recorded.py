"""The recorded crew of the demo: it hands in the recorded files of each step.

It takes the place of the agents. It gets a packet, puts files where the packet says, and passes a judge's
words to `novel judge record`. The commands do everything else.
"""

from __future__ import annotations

import os

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Mapping
from novel_hooks.store.files import assets, atomic, folders
from novel_hooks.store.files.oserror import system_reason
from novel_hooks.store.files.project import Project

FOLDER = "sample/recorded"
VERDICT = "verdict.txt"
MODEL = "录制"
"""What the logs name where a model would stand."""


def chapters() -> list[int]:
    """List the recorded chapters in order."""
    names = {path.split("/", 1)[0] for path in assets.list_files(FOLDER)}
    return sorted(n for n in (layout.chapter_number(f"{name}.md") for name in names) if n)


def recording_path(packet: Mapping[str, Any], revisions: int) -> str:
    """Return the folder of a step's recording: `chapter-002/judge-r1-primary`."""
    role = f"-{packet['role']}" if packet.get("role") else ""
    return f"{layout.chapter_id(packet['chapter'])}/{packet['phase']}-r{revisions}{role}"


def hand_in(project: Project, packet: Mapping[str, Any], revisions: int) -> None:
    """Write the recorded files to the packet's outputs. Raises AssetMissing when nothing was recorded."""
    here = recording_path(packet, revisions)
    for output in packet["outputs"]:
        source = _recording(here, output)
        if source is None:
            continue
        atomic.make_folders(project, output["path"].rsplit("/", 1)[0])
        atomic.write(project, output["path"], assets.load(source))


def verdict_path(packet: Mapping[str, Any], revisions: int) -> str:
    """Return the path of a judge's recorded words."""
    return assets.package_path(f"{FOLDER}/{recording_path(packet, revisions)}/{VERDICT}")


def _recording(here: str, output: Mapping[str, Any]) -> str | None:
    ending = output["path"].rsplit(".", 1)[-1]
    try:
        return assets.package_path(f"{FOLDER}/{here}/{output['key']}.{ending}")
    except errors.AssetMissing:
        if output["required"]:
            raise
        return None


def unpack(root: str) -> None:
    """Make the sample project at `root`: filled beside it and renamed, so it appears whole or not at all.

    Raises WriteFailed when the disk refuses, ProjectExists when another command has made it first. Then
    everything that was made for it is removed, and nothing else.
    """
    from shutil import rmtree
    from tempfile import mkdtemp

    above = os.path.dirname(root)
    made = folders.make_place(above)
    try:
        fresh = mkdtemp(prefix=".novel-demo-", dir=above)
    except OSError as wrong:
        folders.forget_places(made)
        raise errors.WriteFailed(root, reason=system_reason(wrong)) from wrong
    try:
        _fill(fresh)
        _note_setting(fresh)
        os.chmod(fresh, 0o755)
        os.rename(fresh, root)  # an empty folder in the place gives way, anything else refuses
    except OSError as wrong:
        rmtree(fresh, ignore_errors=True)
        folders.forget_places(made)
        if os.path.isdir(root) and os.listdir(root):
            raise errors.ProjectExists(None, place=root, what="别的文件") from wrong
        raise errors.WriteFailed(root, reason=system_reason(wrong)) from wrong
    except BaseException:
        rmtree(fresh, ignore_errors=True)
        folders.forget_places(made)
        raise


def _fill(folder: str) -> None:
    from shutil import copyfile

    for path in assets.list_files("sample/project"):
        target = os.path.join(folder, *path.split("/"))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        copyfile(assets.package_path(f"sample/project/{path}"), target)
    for name in layout.PROJECT_DIRS:
        os.makedirs(os.path.join(folder, *name.split("/")), exist_ok=True)


def _note_setting(folder: str) -> None:
    """What the sample's plan was made on, as a planned book has it: an edit of it is found from the first."""
    from novel_hooks.flows.book.book import Book
    from novel_hooks.flows.planning import setting_changes

    noted = setting_changes.baseline(Book(Project(folder)))
    target = os.path.join(folder, *layout.SETTING.split("/"))
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "wb") as file:
        file.write(noted)
