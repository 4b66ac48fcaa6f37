"""What handing out each step costs, as whole processes, in a short book and a long one. Part of `make bench`.

Every row is the packet of one agent. A draft is asked for while nothing is staged, and again, with the other
steps of the chapter, when it is written and recorded, so that each packet finds all it may hold; the planning
steps for a book that is at planning.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence

from novel_hooks import layout
from tools import bench_commit
from tools import bookparts as parts

CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LAUNCHER = os.path.join(CHECKOUT, "bin", "novel")
AIM = 8.0
FLOOR = "floor"
FIRST, AGAIN = "draft", "draft again"
CHAPTER = ("draft", "summarize", "refine", "judge")
SETUP = ("world", "characters", "style")


def stage_chapter(folder: str, chapters: int) -> list[str]:
    """Stage the next chapter up to its verdict; return the steps whose packets are asked for."""
    number = chapters + 1
    bench_commit.command_seconds(folder, "lock", "acquire")
    bench_commit.command_seconds(folder, "instructions", f"chapter:{number:03d}:draft", "--write-manifest")
    bench_commit.write_text(folder, layout.chapter(number), parts.prose(number, 2000))
    bench_commit.command_seconds(folder, "advance", f"chapter:{number:03d}:draft")
    bench_commit.stage_records(folder, number)
    for phase in ("summarize", "refine"):
        bench_commit.command_seconds(folder, "advance", f"chapter:{number:03d}:{phase}")
    bench_commit.command_seconds(folder, "lock", "release")
    return [f"chapter:{number:03d}:{phase}" for phase in CHAPTER]


def set_state(folder: str, state: str, volume: int) -> None:
    """Set the book to this state of protocol §2, with no chapter in work."""
    place = os.path.join(folder, layout.CHECKPOINT)
    with open(place, encoding="utf-8") as handle:
        point = json.load(handle)
    point.update(orchestrator_state=state, current_volume=volume)
    with open(place, "w", encoding="utf-8") as handle:
        json.dump(point, handle, ensure_ascii=False, indent=2)


def runs(python: str, folders: Mapping[int, Mapping[str, str]]) -> dict[str, tuple[Sequence[str], str]]:
    """Name → (command, folder). `folders`: landed chapters → {chapter, setup, volume} → root of a book."""
    found: dict[str, tuple[Sequence[str], str]] = {FLOOR: ((python, "-I", "-S", "-c", "pass"), CHECKOUT)}
    for chapters, books in folders.items():
        unwritten = f"{books['chapter']}-unwritten"
        shutil.copytree(books["chapter"], unwritten)
        steps = stage_chapter(books["chapter"], chapters)
        found[f"{FIRST} @{chapters}"] = ((LAUNCHER, "instructions", steps[0]), unwritten)
        for row, step in zip((AGAIN, *CHAPTER[1:]), steps):
            found[f"{row} @{chapters}"] = ((LAUNCHER, "instructions", step), books["chapter"])
        set_state(books["setup"], "QUICK_START", 1)
        for phase in SETUP:
            found[f"{phase} @{chapters}"] = ((LAUNCHER, "instructions", f"setup:{phase}"), books["setup"])
        volume = chapters // bench_commit.VOLUME + 2
        set_state(books["volume"], "VOL_PLANNING", volume)
        step = f"volume:{volume:02d}:outline"
        found[f"outline @{chapters}"] = ((LAUNCHER, "instructions", step), books["volume"])
    return found


def report(taken: Mapping[str, float], books: Sequence[int]) -> str:
    """Return the table: milliseconds and multiples of the floor, one column a book."""
    floor = taken[FLOOR]
    lines = [f"instructions of a step; aim: within {AIM:g} times the floor", ""]
    lines.append(" " * 17 + "".join(f"{f'{chapters} chapters':>22}" for chapters in books))
    for row in (FIRST, AGAIN, *CHAPTER[1:], *SETUP, "outline"):
        values = [taken[f"{row} @{chapters}"] for chapters in books]
        cells = "".join(f"{value * 1000:>12.1f} ms {value / floor:>5.1f}×" for value in values)
        lines.append(f"{row:<17}{cells}")
    return "\n".join(lines)


def main() -> None:
    """Print this table alone."""
    from tools import bench

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=30)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory(prefix="novel-bench-") as base:
        books = {n: {kind: os.path.join(base, f"{kind}-{n}") for kind in bench.KINDS} for n in bench.BOOKS}
        for chapters, places in books.items():
            for place in places.values():
                bench.make_bench_book(place, chapters, bench_commit.VOLUME)
        print(report(bench.medians(runs(bench.interpreter(), books), rounds), bench.BOOKS))


if __name__ == "__main__":
    main()
