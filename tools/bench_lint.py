"""What `novel lint` of a chapter costs, as a whole process: 5,000 字 in work, beside a bare interpreter.

The text has habits of many kinds, so most patterns of the table are tried. Three chapters stand before it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from novel_hooks import layout
from tools import bookparts as parts

CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LAUNCHER = os.path.join(CHECKOUT, "bin", "novel")
AIM = 8.0
CHARS = 5000

_WORN = (
    "他不禁缓缓抬起头，瞳孔微缩，眼中闪过一丝寒意。她深吸了一口气，指节发白，顿了一下。众人顿时哗然，四周死寂。",
    "“也就是说，灯是三更灭的。”他淡淡地说，声音不大，却带着几分不容置疑，“首先要找到守塔的人，第{n}个。”",
    "他感到一阵强烈的不安，某种奇怪的情绪莫名升起，仿佛一头困兽。那不是怕，而是饿。然而空气凝固了，目光落在桨上。",
    "看似平静，实则桥板底下有人在数他的脚步，数到{n}就停，停完又从一数起，像怕把谁惊醒。下一秒，水面平了。",
)


def chapter(number: int) -> str:
    """Return a chapter of 5,000 字: after every two plain paragraphs one with many habits."""
    plain = [line for line in parts.prose(number, CHARS).split("\n") if line]
    body: list[str] = []
    length = 0
    for index, line in enumerate(plain[1:]):
        new = [line, *([_WORN[index // 2 % len(_WORN)].format(n=index)] if index % 2 else [])]
        body += new
        length += sum(map(len, new))
        if length >= CHARS:
            break
    return "\n\n".join([plain[0], *body]) + "\n"


def runs(python: str, folders: Mapping[int, str]) -> dict[str, tuple[Sequence[str], str]]:
    """Name → (command, folder); the chapter in work of each book (chapters → folder) is written."""
    found: dict[str, tuple[Sequence[str], str]] = {
        "floor": ([python, "-I", "-S", "-c", "pass"], CHECKOUT),
    }
    for chapters, folder in folders.items():
        number = chapters + 1
        with open(os.path.join(folder, layout.staged(layout.chapter(number))), "wb") as handle:
            handle.write(chapter(number).encode("utf-8"))
        found[f"lint @{chapters}"] = ([LAUNCHER, "lint", str(number)], folder)
    return found


def report(taken: Mapping[str, float]) -> str:
    """Return one line: milliseconds and multiples of the floor for each book."""
    floor = taken["floor"]
    cells = [
        f"{seconds * 1000:.1f} ms {seconds / floor:.1f}× {name[5:]} chapters"
        for name, seconds in taken.items()
        if name != "floor"
    ]
    return f"lint of {CHARS} 字: {', '.join(cells)}; aim: within {AIM:g} times"
