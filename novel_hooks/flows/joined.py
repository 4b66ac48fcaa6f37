"""Do checkpoint, change log and state join? Asked before anything is built on the state. Reads only.

Only the log's last line is looked at, so that it costs the same in a long book; doctor looks at every line.
Source: protocol §1 (change log), §4, §5.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

from novel_hooks import errors, layout
from novel_hooks.errors import Problem
from novel_hooks.flows.book import Book
from novel_hooks.rules import invariants
from novel_hooks.rules.json_values import integer
from novel_hooks.store import jsonio

_TAIL = 1 << 16


def problems(book: Book) -> list[Problem]:
    """What keeps the next line from joining, as errors of exit 5; [] when nothing does.

    Only chapters with a landed record must be in the log: what another tool wrote has nothing to join.
    Raises what is wrong with the checkpoint or the state itself.
    """
    last = book.checkpoint().last
    try:
        line = last_line(book)
    except Problem as fault:
        return [*fault.problems]
    recorded = last > 0 and book.project.has(layout.landed_record(last))
    if line is None and not recorded:
        return []
    line = line or {"chapter": 0, "state_version": 0}
    chapter, told = (integer(line.get(key)) for key in ("chapter", "state_version"))
    if chapter is None or told is None:
        return [errors.OwnFileDamaged(layout.CHANGELOG, detail="最后一行缺少章号或状态版本")]
    if chapter > last:
        return [errors.LogBeyond(layout.CHANGELOG, chapter=chapter, last=last)]
    lost = invariants.unlogged(({"chapter": n} for n in range(1, chapter + 1)), last) if recorded else ()
    return [*lost, *_versions(book, told)]


def _versions(book: Book, told: int) -> list[Problem]:
    version = book.state()["state_version"]
    gone = book.project.kind(layout.STATE) == "absent"
    if version == told:
        return []
    if version > told:
        return [errors.LogBehindState(layout.CHANGELOG, told=told, version=version)]
    now = "状态文件不见了" if gone else f"状态是第 {version} 版"
    return [errors.StateDiffers(layout.STATE, detail=f"变更记录写到第 {told} 版，{now}")]


def last_line(book: Book) -> Mapping[str, Any] | None:
    """The last line of the change log; None when there is no log, or an empty one.

    Raises LogTailBroken, and what keeps the file from being read.
    """
    size = _TAIL
    while True:
        data, whole = book.project.tail(layout.CHANGELOG, size)
        text = data.rstrip(b"\r\n \t")
        if whole or b"\n" in text:
            break
        size *= 8
    if not text:
        return None
    try:
        found = jsonio.parse(text[text.rfind(b"\n") + 1 :], layout.CHANGELOG)
    except Problem:
        found = None
    if not isinstance(found, dict):
        raise errors.LogTailBroken(layout.CHANGELOG)
    return found
