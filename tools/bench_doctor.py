"""What a checkup of a whole book costs, as a whole process: it is the one command that reads everything.

The books of `bookmaker` have no landed records; here each chapter gets one, as a commit leaves it.
"""

from __future__ import annotations

import hashlib
import os
import statistics
import subprocess
import time
from collections.abc import Mapping

from novel_hooks import layout
from novel_hooks.store.fence import seal
from novel_hooks.store.formats import jsonio
from tools import bookparts as parts

CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LAUNCHER = os.path.join(CHECKOUT, "bin", "novel")
AIM = 5.0
ROUNDS = 3


def write_records(root: str, chapters: int) -> None:
    """Write the landed record of every chapter of the book at `root`."""
    os.makedirs(os.path.join(root, os.path.dirname(layout.landed_record(1))), exist_ok=True)
    for chapter in range(1, chapters + 1):
        places = (layout.chapter, layout.summary, layout.evaluation, layout.crossref)
        line = parts.storyline_id(chapter)
        hashes = {place(chapter): _digest(root, place(chapter)) for place in places}
        # The memory that lies there is that of the storyline's last chapter.
        hashes[layout.memory(line)] = _digest(root, layout.memory(line))
        document = {"chapter": chapter, "storyline_id": line, "sha256": hashes, "before": {}}
        document["before"] = {layout.memory(line): None, layout.FORESHADOWING: {}}
        with open(os.path.join(root, layout.landed_record(chapter)), "wb") as handle:
            handle.write(jsonio.dump(seal.with_seal(document)))


def _digest(root: str, path: str) -> str:
    with open(os.path.join(root, path), "rb") as handle:
        return hashlib.sha256(handle.read()).hexdigest()


def seconds(folder: str) -> float:
    """Return the seconds of one `novel doctor`. Raises CalledProcessError when the book is not sound."""
    path = os.path.dirname(LAUNCHER) + os.pathsep + os.environ.get("PATH", "")
    begun = time.perf_counter()
    subprocess.run(
        [LAUNCHER, "doctor"],
        cwd=folder,
        env={**os.environ, "PATH": path},
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    return time.perf_counter() - begun


def report(folders: Mapping[int, str]) -> str:
    """Return one line: the median seconds for each book (chapters → folder). Writes the records it needs."""
    cells = []
    for chapters, folder in folders.items():
        write_records(folder, chapters)
        median = statistics.median(seconds(folder) for _ in range(ROUNDS))
        cells.append(f"{median:.2f} s @{chapters} chapters")
    return f"doctor: {', '.join(cells)}; aim: under {AIM:g} s"
