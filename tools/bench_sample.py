"""What the everyday commands cost in the sample novel, as whole processes. Part of `make bench`.

The book of `novel demo` has what a made-up one lacks: people with pages, places, secrets, a setting that was
noted when its plan landed. It is asked between two chapters, and while a chapter is out.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence

from tools import bench_commit
from tools.bench_commit import CHECKOUT, LAUNCHER

AIM, PACKET_AIM = 5.5, 8.0
FLOOR, PLACES = "floor", ("between", "within")
PACKET, STEP = "instructions", "chapter:004:draft"

Runs = dict[str, "tuple[Sequence[str], str]"]


def runs(python: str, base: str, seconds: Callable[[Sequence[str], str], float]) -> Runs:
    """Return name → (command, folder), in two new books below `base`."""
    between, within = (os.path.join(base, f"sample-{place}") for place in PLACES)
    seconds([LAUNCHER, "demo", between], base)
    shutil.copytree(between, within)
    bench_commit.command_seconds(within, "lock", "acquire")
    bench_commit.command_seconds(within, "instructions", STEP, "--write-manifest")
    found: Runs = {FLOOR: ((python, "-I", "-S", "-c", "pass"), CHECKOUT)}
    for place, folder in zip(PLACES, (between, within)):
        for command in ("next", "status"):
            found[f"{command} {place}"] = ((LAUNCHER, command), folder)
    found[PACKET] = ((LAUNCHER, "instructions", STEP), between)
    return found


def report(taken: Mapping[str, float]) -> str:
    """Return the table: milliseconds and multiples of the floor, between two chapters and within one."""
    lines = [f"the sample novel; aim: within {AIM:g} times the floor, a packet {PACKET_AIM:g}", ""]
    lines.append(" " * 14 + f"{'between chapters':>22}{'within one':>22}")
    rows = {command: [f"{command} {place}" for place in PLACES] for command in ("next", "status")}
    for name, runs_of in {**rows, PACKET: [PACKET]}.items():
        values = [taken[one] for one in runs_of]
        cells = "".join(f"{one * 1000:>12.1f} ms {one / taken[FLOOR]:>5.1f}×" for one in values)
        lines.append(f"{name:<14}{cells}")
    return "\n".join(lines)
