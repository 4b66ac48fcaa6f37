"""The time and the size of a whole book's report: `novel report` reads every chapter."""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable, Mapping, Sequence

from novel_hooks import layout

CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LAUNCHER = os.path.join(CHECKOUT, "bin", "novel")
AIM_SECONDS, AIM_BYTES = 5.0, 5_000_000
ROUNDS = 3


def report(folders: Mapping[int, str], seconds: Callable[[Sequence[str], str], float]) -> str:
    """The table: the median of `ROUNDS` whole processes, and the bytes of the page."""
    lines = [f"report: aim {AIM_SECONDS:g} s and {AIM_BYTES / 1e6:g} MB in a book of 2,000 chapters"]
    for chapters, folder in folders.items():
        taken = statistics.median(seconds([LAUNCHER, "report"], folder) for _ in range(ROUNDS))
        size = os.path.getsize(os.path.join(folder, layout.REPORT))
        lines.append(f"  {chapters:>5} chapters {taken:>8.2f} s {size / 1e6:>8.2f} MB")
    return "\n".join(lines)
