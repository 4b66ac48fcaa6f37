"""Agents who hand in what the sample novel has: they read their packet and write what it asks for.

What is written, and where, comes from the packet that the agent's prompt names and from nothing else.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Callable

from client.desk import numberless
from client.scenario import Call, do, say, write
from novel_hooks.cli import recorded
from novel_hooks.store.files import assets

if TYPE_CHECKING:
    from collections.abc import Mapping

    from client.request import Request
    from client.scenario import Answer, Function

    Packet = Mapping[str, Any]
    Texts = Callable[[Packet, str], str | None]

PLANNERS = ("world-builder", "character-weaver", "style-analyzer", "plot-architect")
WRITERS = ("chapter-writer", "summarizer", "style-refiner")
_SAMPLE = "sample/project"


def packet(request: Request) -> dict[str, Any] | None:
    """What the agent has read of the packet that its task names; None: not yet."""
    (path,) = re.findall(r"^任务包：(\S+)$", request.task, flags=re.MULTILINE)
    for outcome in request.outcomes:
        if outcome.tool == "Read" and str(outcome.input["file_path"]).endswith(path):
            assert not outcome.failed, outcome.text
            found: dict[str, Any] = json.loads(numberless(outcome.text))
            return found
    return None


def _read_packet(request: Request) -> Answer:
    (path,) = re.findall(r"^任务包：(\S+)$", request.task, flags=re.MULTILINE)
    return do(Call("Read", {"file_path": path}))


def planner(change: Callable[[Packet, dict[str, str]], None] | None = None) -> Function:
    """Writes the sample's files at the packet's outputs; `change` may alter them (path → text)."""

    def script(request: Request) -> Answer:
        found = packet(request)
        if found is None:
            return _read_packet(request)
        files = planned_files(found)
        if change is not None:
            change(found, files)
        return handed_in(request, files)

    return script


def handed_in(request: Request, files: Mapping[str, str]) -> Answer:
    """Writes what is not written yet. A file that is there already the client lets nobody write unread."""
    reads, writes = [], []
    for path, text in files.items():
        mine = [one for one in request.outcomes if str(one.input.get("file_path")).endswith(path)]
        if not mine or (mine[-1].tool == "Read"):
            writes.append(write(path, text))
        elif mine[-1].failed:
            assert "read" in mine[-1].text, mine[-1].text
            reads.append(Call("Read", {"file_path": path}))
    return do(*reads, *writes) if reads or writes else say("写好了。")


def planned_files(found: Packet) -> dict[str, str]:
    """The sample's files for a planning packet, at the paths that it names."""
    files = {}
    for output in found["outputs"]:
        pattern = re.compile(re.sub(r"\\{(ID|C)\\}", r"[\\w-]+", re.escape(output["path"])))
        for path in assets.list_files(_SAMPLE):
            if pattern.fullmatch(f"staging/{path}"):
                files[f"staging/{path}"] = assets.load(assets.package_path(f"{_SAMPLE}/{path}")).decode(
                    "utf-8"
                )
    return files


def writer(request: Request) -> Answer:
    """The chapter's recording, at the packet's outputs; for a judge, his words."""
    found = packet(request)
    if found is None:
        return _read_packet(request)
    if not found["outputs"]:
        return say(assets.load(recorded.verdict_path(found, 0)).decode("utf-8"))
    here = recorded.recording_path(found, 0)
    sources = {one["path"]: recorded._recording(here, one) for one in found["outputs"]}
    texts = {path: assets.load(place).decode("utf-8") for path, place in sources.items() if place is not None}
    versions = [one["value"] for one in found["inputs"] if one["key"] == "base_state_version"]
    for path in [one for one in texts if one.endswith("-delta.json")]:
        texts[path] = json.dumps(
            {**json.loads(texts[path]), "base_state_version": versions[0]}, ensure_ascii=False
        )
    return handed_in(request, texts)
