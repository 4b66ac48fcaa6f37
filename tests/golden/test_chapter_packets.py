"""The packets of the sample novel's crew, byte for byte: to review, `make golden` rewrites them.

Conducted with its recorded crew up to the step; the packet must be the same whoever asks, where and how.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from builders import BIN
from builders import fast_disk as fast_disk

from novel_hooks.cli import recorded
from novel_hooks.cli.conduct import Conductor
from novel_hooks.store.formats import jsonio
from novel_hooks.store.schema import schema

PACKETS = Path(__file__).parent / "packets"
ENVIRON = {"NOVEL_OWNER": "golden", "NOVEL_DEBUG": "1"}
STEPS = (
    "chapter:001:draft",
    "chapter:001:summarize",
    "chapter:001:refine",
    "chapter:001:judge",
    "chapter:002:revise",
    "chapter:003:polish",
)


def conducted(place: Path) -> dict[str, Path]:
    """Copies of the sample book, each just before one of the steps."""
    root = place / "book"
    recorded.unpack(str(root))
    crew = Conductor(str(root), ENVIRON, lambda _line: None)
    found: dict[str, Path] = {}
    while len(found) < len(STEPS):
        crew.command("lock", "acquire")
        due = crew.command("next")
        if due["step"] in STEPS and due["step"] not in found:
            found[due["step"]] = place / due["step"].replace(":", "-")
            shutil.copytree(root, found[due["step"]])
        crew.step(due, crew.command("status")["progress"], len(recorded.chapters()))
    return found


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return conducted(tmp_path_factory.mktemp("sample"))


CODEX = {"CODEX_SESSION_ID": "s", "CODEX_THREAD_ID": "s", "CODEX_PERMISSION_PROFILE": "novel-staging"}


def packet(root: Path, step: str, cwd: Path | None = None, **environ: str) -> tuple[bytes, dict[str, Any]]:
    """The packet's canonical bytes, by the command in a process of its own."""
    argv = [BIN, "instructions", step, "--json", *(() if cwd is None else ("--project", str(root)))]
    where = {**os.environ, **ENVIRON, **environ}
    done = subprocess.run(argv, cwd=cwd or root, env=where, capture_output=True, check=True)
    document = json.loads(done.stdout)["data"]
    return jsonio.dump(document), document


@pytest.mark.parametrize("step", STEPS)
def test_the_packet_is_the_one_that_was_reviewed(books: dict[str, Path], step: str) -> None:
    found, document = packet(books[step], step)
    assert schema.problems("packet", document, "packet") == []
    path = PACKETS / f"{step.replace(':', '-')}.json"
    if os.environ.get("NOVEL_GOLDEN") == "write":
        path.write_bytes(found)
    assert found == path.read_bytes()


def everywhere(root: Path, step: str, place: Path) -> list[bytes]:
    """The step's packet of a copy made in another order: other environments, folders, hosts, a link."""
    other = place / "别 处"
    for folder, _, names in sorted(os.walk(root), reverse=True):
        target = other / os.path.relpath(folder, root)
        target.mkdir(parents=True, exist_ok=True)
        for name in sorted(names, reverse=True):
            shutil.copyfile(Path(folder) / name, target / name)
    os.symlink(other, place / "link")
    asked = (
        packet(other, step, PYTHONHASHSEED="1", TZ="Asia/Shanghai", LC_ALL="C"),
        packet(other, step, cwd=place, PYTHONHASHSEED="4711", TZ="America/St_Johns", LC_ALL="C.UTF-8"),
        packet(place / "link", step, cwd=place, LC_ALL="tr_TR.UTF-8", LANG="de_DE"),
        packet(place / "link" / "characters", step, **CODEX),
    )
    return [found for found, _ in asked]


@pytest.mark.parametrize("step", STEPS)
def test_the_same_bytes_whoever_asks_where_and_how(books: dict[str, Path], step: str, tmp_path: Path) -> None:
    first, _ = packet(books[step], step)
    assert everywhere(books[step], step, tmp_path) == [first] * 4
