"""The paths that a patch of Codex's apply_patch writes, removes or moves to. Source: the real client.

Codex takes a header line with blanks around it, and a patch inside a here-document. Therefore each line that
may be a header counts as one: a path too many is safer than a path too few.
"""

from __future__ import annotations

_HEADERS = ("*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:")
_BLANKS = " \t\r"


def paths(text: str) -> list[str]:
    """List the paths of a patch in their order, each once, as they are written; [] when it names none.

    A line that content gives (`+`, `-` in front) is no header. Other marks than ASCII blanks around a path
    stay: the check of the path refuses them.
    """
    found: dict[str, None] = {}
    for line in text.split("\n"):
        header = line.strip()
        for name in _HEADERS:
            if header.startswith(name):
                found[line[line.index(name) + len(name) :].strip(_BLANKS)] = None
    return list(found)
