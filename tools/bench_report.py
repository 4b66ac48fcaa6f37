"""The time and the size of a whole book's report: `novel report` reads every chapter."""

from __future__ import annotations

import os
import statistics
import subprocess
from collections.abc import Callable, Mapping, Sequence

from novel_hooks import layout

CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LAUNCHER = os.path.join(CHECKOUT, "bin", "novel")
AIM_SECONDS, AIM_BYTES = 5.0, 5_000_000
ROUNDS = 3


def report(folders: Mapping[int, str], seconds: Callable[[Sequence[str], str], float]) -> str:
    """Return the table: the median seconds of `ROUNDS` whole processes, and the bytes of the page."""
    lines = [f"report: aim {AIM_SECONDS:g} s and {AIM_BYTES / 1e6:g} MB in a book of 2,000 chapters"]
    for chapters, folder in folders.items():
        taken = statistics.median(seconds([LAUNCHER, "report"], folder) for _ in range(ROUNDS))
        size = os.path.getsize(os.path.join(folder, layout.REPORT))
        lines.append(f"  {chapters:>5} chapters {taken:>8.2f} s {size / 1e6:>8.2f} MB")
    return "\n".join(lines)


def books_report(base: str) -> str:
    """Return the table of a book of 20 MB that is adopted and exported.

    It holds CPU seconds and MB of each whole process.
    """
    source, place = os.path.join(base, "big.txt"), os.path.join(base, "moved")
    with open(source, "wb") as handle:
        handle.write(manuscript(2000, 5000).encode("gb18030"))
    runs = {
        "init": (["init", place], base, None),
        "adopt": (["adopt", source, "--yes"], place, (5.0, 300)),
        "export epub": (["export", "epub", "--yes"], place, (20.0, 300)),
        "report": (["report"], place, (5.0, 300)),
    }
    lines = [f"books in and out: {os.path.getsize(source) / 1e6:.0f} MB in GB18030, 2,000 chapters"]
    for name, (words, folder, aim) in runs.items():
        spent, size = measured([LAUNCHER, *words], folder)
        if aim is not None:
            told = f"{spent:>8.2f} s {spent / aim[0]:>6.0%} of {aim[0]:g} s"
            lines.append(f"  {name:<12}{told} {size:>6.0f} MB {size / aim[1]:>6.0%} of {aim[1]} MB")
    return "\n".join(lines)


def measured(command: Sequence[str], folder: str) -> tuple[float, float]:
    """Return the CPU seconds and the most MB of memory of a process.

    Raises CalledProcessError when it fails.
    """
    with subprocess.Popen(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
    if status:
        raise subprocess.CalledProcessError(status, command)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def manuscript(chapters: int, chars: int) -> str:
    """Return a book of so many chapters of `chars` 字 each; no two of its lines are the same."""
    blocks = []
    for number in range(1, chapters + 1):
        line = f"　　第{number}夜他数到第{{n}}根桩，缆绳湿的，水从{number}号船第{{n}}块板底下漫上来。"
        count = chars // len(line) + 1
        blocks.append(
            "\n".join([f"第{number}章 夜渡{number}", *(line.format(n=n) for n in range(count)), "", ""])
        )
    return "渡口\n\n" + "".join(blocks)
