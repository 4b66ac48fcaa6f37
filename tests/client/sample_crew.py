"""Agents who hand in what the sample novel has: they read their packet and write what it asks for.

What is written, and where, comes from the packet that the agent's prompt names and from nothing else.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Callable

from client.desk_brief import numberless
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


def writer(request: Request, behind: int = 0) -> Answer:
    """The chapter's recording, at the packet's outputs; for a judge, his words.

    With `behind`, the recorded chapters are those that follow on so many others.
    """
    found = packet(request)
    if found is None:
        return _read_packet(request)
    told = {**found, "chapter": found["chapter"] - behind}
    if not found["outputs"]:
        return say(renumbered(assets.load(recorded.verdict_path(told, 0)).decode("utf-8"), behind))
    here = recorded.recording_path(told, 0)
    sources = {one["path"]: recorded._recording(here, one) for one in found["outputs"]}
    texts = {
        path: renumbered(assets.load(place).decode("utf-8"), behind)
        for path, place in sources.items()
        if place is not None
    }
    versions = [one["value"] for one in found["inputs"] if one["key"] == "base_state_version"]
    for path in [one for one in texts if one.endswith("-delta.json")]:
        texts[path] = json.dumps(
            {**json.loads(texts[path]), "base_state_version": versions[0]}, ensure_ascii=False
        )
    return handed_in(request, texts)


_NUMBERS = re.compile(
    r'(第 |"(?:chapter|planted_chapter)": |OBJ-)(\d+)'
    r'|("(?:target_chapters|chapter_range|target_resolve_range)": )(\[[^]]*\])'
)


def renumbered(text: str, behind: int) -> str:
    """A file of the sample with its chapters counted from `behind` + 1 on."""

    def moved(found: re.Match[str]) -> str:
        if found[3]:
            return found[3] + re.sub(r"\d+", lambda one: str(int(one[0]) + behind), found[4])
        return f"{found[1]}{int(found[2]) + behind}"

    return _NUMBERS.sub(moved, text) if behind else text


def next_volume(volume: int, behind: int) -> Callable[[Packet, dict[str, str]], None]:
    """What the architect hands in: the sample's volume as this one, its chapters behind so many others."""

    def change(_: Packet, files: dict[str, str]) -> None:
        for path in assets.list_files(f"{_SAMPLE}/volumes/vol-01"):
            text = assets.load(assets.package_path(f"{_SAMPLE}/volumes/vol-01/{path}")).decode("utf-8")
            place = re.sub(r"\d+(?=\.json)", lambda one: f"{int(one[0]) + behind:03d}", path)
            text = renumbered(text, behind).replace('"volume": 1', f'"volume": {volume}')
            files[f"staging/volumes/vol-{volume:02d}/{place}"] = text.replace("# 卷一", f"# 第 {volume} 卷")

    return change


def recorder(request: Request) -> Answer:
    """The summarizer's record of a chapter that moved in."""
    found = packet(request)
    if found is None:
        return _read_packet(request)
    chapter = found["chapter"]
    given = {one["key"]: one.get("value") for one in found["inputs"]}
    line = given["storyline_id"]
    op = {"op": "set", "path": "characters.sang-zhun.location", "value": f"第 {chapter} 块桥板"}
    delta = {"chapter": chapter, "base_state_version": given["base_state_version"], "storyline_id": line}
    crossref = {"storyline_id": line, "cross_references": [], "leak_risk": "none", "leak_detail": None}
    records: dict[str, Any] = {
        "summary": f"第 {chapter} 夜，桑准数到第 {chapter} 块桥板。\n",
        "delta": {**delta, "ops": [op]},
        "crossref": crossref,
        "memory": f"写到第 {chapter} 章。\n",
    }
    told = {
        one["path"]: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for one in found["outputs"]
        for value in [records.get(one["key"])]
        if value is not None
    }
    return handed_in(request, told)
