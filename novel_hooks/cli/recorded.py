"""The recorded crew of the demo: for the step asked, it hands in what was recorded for it.

It stands where the agents stand: it gets a packet, it puts files where the packet says, and a
judge's words go to `novel judge record`. Everything else is done by the commands themselves.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any
import os

from novel_hooks import layout
from novel_hooks.errors import AssetMissing
from novel_hooks.store import assets, atomic
from novel_hooks.store.project import Project

FOLDER = "sample/recorded"
VERDICT = "verdict.txt"


def chapters() -> list[int]:
    """The chapters that were recorded, in order."""
    names = {path.split("/", 1)[0] for path in assets.files(FOLDER)}
    return sorted(n for n in (layout.chapter_number(f"{name}.md") for name in names) if n)


def place(packet: Mapping[str, Any], revisions: int) -> str:
    """Where a step's recording lies: `chapter-002/judge-r1-primary`."""
    role = f"-{packet['role']}" if packet.get("role") else ""
    return f"{layout.chapter_id(packet['chapter'])}/{packet['phase']}-r{revisions}{role}"


def hand_in(project: Project, packet: Mapping[str, Any], revisions: int) -> None:
    """Write the recorded files to the packet's outputs. Raises AssetMissing when nothing was recorded."""
    here = place(packet, revisions)
    for output in packet["outputs"]:
        source = _recording(here, output)
        if source is None:
            continue
        atomic.make_folders(project, output["path"].rsplit("/", 1)[0])
        atomic.write(project, output["path"], assets.read(source))


def verdict(packet: Mapping[str, Any], revisions: int) -> str:
    """The path of a judge's recorded words."""
    return assets.package_path(f"{FOLDER}/{place(packet, revisions)}/{VERDICT}")


def _recording(here: str, output: Mapping[str, Any]) -> str | None:
    ending = output["path"].rsplit(".", 1)[-1]
    try:
        return assets.package_path(f"{FOLDER}/{here}/{output['key']}.{ending}")
    except AssetMissing:
        if output["required"]:
            raise
        return None


def unpack(root: str) -> None:
    """Put the sample project at `root`: made beside it and renamed, so it is there whole or not at all."""
    from shutil import copyfile, rmtree

    partial = f"{root.rstrip(os.sep)}.partial"
    rmtree(partial, ignore_errors=True)
    for path in assets.files("sample/project"):
        target = os.path.join(partial, *path.split("/"))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        copyfile(assets.package_path(f"sample/project/{path}"), target)
    for folder in layout.PROJECT_DIRS:
        os.makedirs(os.path.join(partial, *folder.split("/")), exist_ok=True)
    if os.path.isdir(root):
        os.rmdir(root)
    os.rename(partial, root)
