"""What the second fence costs, as whole processes, in a short book and a long one. Part of `make bench`.

Its own cost is that of reading the marks, walking and comparing, less that of loading the modules. Beside
it the commands that pay for it: `instructions`, which hands a step out and marks, and `advance`, which
compares. For `advance` to be repeatable the checkpoint's seal is spoilt: it looks at everything, refuses and
changes nothing. The first hand-out of a book, which hashes every file, is timed once.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping, Sequence

from novel_hooks import layout
from tools import bookparts

CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LAUNCHER = os.path.join(CHECKOUT, "bin", "novel")
AIM = 10.0
FLOOR, LOADED, ALONE = "floor", "its modules", "with the walk"
ROWS = (LOADED, ALONE, "instructions", "advance, refused")

_MODULES = (
    "import sys; sys.path.insert(0, sys.argv[1]);"
    "from novel_hooks.store.fence import fence;"
    "from novel_hooks.store.files.project import Project;"
)
_WALK = (
    "project = Project(sys.argv[2]); before = fence.read(project) or {};"
    "found = fence.marks(project, before);"
    "sys.exit(not found or bool(fence.differences(before, found)))"
)
# With the note that the step is out gone, each `instructions` hands it out anew. Builtins of the shell only.
_ANEW = ': > "$1" && exec "$2" instructions "$3"'
_REFUSED = '"$1" advance "$2" 2>/dev/null; [ "$?" -eq 3 ]'


def runs(python: str, folders: Mapping[int, str]) -> dict[str, tuple[Sequence[str], str]]:
    """Hand out the next chapter's draft in each book; return name → (command, folder), for `bench.medians`.

    `folders` maps the number of landed chapters to the root of a book.
    """
    found: dict[str, tuple[Sequence[str], str]] = {FLOOR: ((python, "-I", "-S", "-c", "pass"), CHECKOUT)}
    for chapters, folder in folders.items():
        step = f"chapter:{chapters + 1:03d}:draft"
        stage_step(folder, chapters + 1, step)
        out = os.path.join(folder, *layout.HANDOUT.split("/"))
        bare = (python, "-I", "-S", "-X", "utf8", "-c")
        commands: tuple[Sequence[str], ...] = (
            (*bare, _MODULES, CHECKOUT),
            (*bare, _MODULES + _WALK, CHECKOUT, folder),
            ("sh", "-c", _ANEW, "sh", out, LAUNCHER, step),
            ("sh", "-c", _REFUSED, "sh", LAUNCHER, step),
        )
        found.update({name(row, chapters): (command, folder) for row, command in zip(ROWS, commands)})
    return found


def stage_step(folder: str, chapter: int, step: str) -> None:
    """Hand out the step, stage its text, and spoil the checkpoint's seal."""
    begun = time.perf_counter()
    subprocess.run((LAUNCHER, "instructions", step), cwd=folder, check=True, stdout=subprocess.DEVNULL)
    spent = (time.perf_counter() - begun) * 1000
    print(f"first hand-out in a book of {chapter - 1} chapters, every file hashed: {spent:.0f} ms")
    _write(folder, layout.staged(layout.chapter(chapter)), bookparts.prose(chapter, 2000))
    _write(folder, layout.CHECKPOINT_SEAL, "0" * 64 + "\n")


def report(taken: Mapping[str, float], books: Sequence[int]) -> str:
    """Return the table: milliseconds and multiples of the floor, one column a book."""
    floor = taken[FLOOR]
    found = {row: [taken[name(row, chapters)] for chapters in books] for row in ROWS}
    found["the walk itself"] = [whole - bare for whole, bare in zip(found[ALONE], found[LOADED])]
    lines = [f"the second fence; aim: the walk itself within {AIM:g} times the floor, in the long book", ""]
    lines.append(" " * 17 + "".join(f"{f'{chapters} chapters':>22}" for chapters in books))
    for row, values in found.items():
        cells = "".join(f"{value * 1000:>12.1f} ms {value / floor:>5.1f}×" for value in values)
        lines.append(f"{row:<17}{cells}")
    return "\n".join(lines)


def name(row: str, chapters: int) -> str:
    return f"{row} @{chapters}"


def _write(folder: str, path: str, text: str) -> None:
    place = os.path.join(folder, *path.split("/"))
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "w", encoding="utf-8", newline="\n") as handle:
        handle.write(text)
