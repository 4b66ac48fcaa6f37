"""Of thousands of threads those that may concern one chapter, without reading the rest.

Only for the canonical text that `novel` writes: sorted keys, two blanks a level. There a line break is never
inside a string, so a thread's own keys are the lines with six blanks, and nothing else looks like them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

import json
import re

BEGINS = b'{\n  "foreshadowing": [\n    {\n'
_BEGIN, _END = b"\n    {", b"\n    }"
_SHORT = b'\n      "scope": "short"'
_RANGE = b'\n      "target_resolve_range": [\n        '


def scannable(document: dict[str, Any]) -> bool:
    """Beside being canonical, what `candidates` relies on: one key, ids once, a status each."""
    items = document["foreshadowing"]
    ids = {item["id"] for item in items}
    whole = len(ids) == len(items) > 0 and all("status" in item for item in items)
    return whole and len(document) == 1


def candidates(data: bytes, names: Collection[str], chapter: int) -> list[dict[str, Any]]:
    """A superset of what `foreshadowing.tasks` needs of the facts: named ones, and those due by their range.

    `data` are canonical bytes of a `scannable` document; `names` are the planned ids.
    """
    found = set()
    if names:
        spelled = b"|".join(
            re.escape(json.dumps(name, ensure_ascii=False).encode("utf-8")) for name in sorted(names)
        )
        named = re.compile(rb'\n      "id": (?:' + spelled + rb"),?\n")
        found = {_around(data, one.start()) for one in named.finditer(data)}
    for one in re.finditer(rb'\n      "status": (?!"resolved")', data):
        piece = _around(data, one.start())
        if _due(data, piece, chapter):
            found.add(piece)
    return [json.loads(data[begin:end]) for begin, end in sorted(found)]


def _around(data: bytes, at: int) -> tuple[int, int]:
    """Where the thread begins and ends that has one of its own lines at `at`."""
    return data.rindex(_BEGIN, 0, at + 1) + len(_BEGIN) - 1, data.index(_END, at) + len(_END)


def _due(data: bytes, piece: tuple[int, int], chapter: int) -> bool:
    at = data.find(_RANGE, *piece)
    if at < 0:
        return False
    first, last = data[at + len(_RANGE) : piece[1]].split(b"\n", 2)[:2]
    return int(first.rstrip(b",")) <= chapter and (chapter <= int(last) or data.find(_SHORT, *piece) >= 0)
