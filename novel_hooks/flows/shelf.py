"""Taking staged files away: what no longer describes the text is kept under `.novel/attempts/`.

Source: protocol §2 (`advance`, `decide`).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

from novel_hooks import layout
from novel_hooks.flows.outputs import Desk
from novel_hooks.store import journal
from novel_hooks.store.journal import Change


def away(desk: Desk, keys: Sequence[str], label: str) -> list[Change]:
    """Move the staged files of these keys to a new attempt; nothing staged, nothing done.

    `label` says why, in the attempt's folder name.
    """
    return [*kept(desk, keys, label), *removed(desk, keys)]


def kept(desk: Desk, keys: Sequence[str], label: str) -> list[Change]:
    """Copy the staged files of these keys to a new attempt; they stay where they are."""
    found = [desk.get(key) for key in keys if desk.get(key).data]
    folder = attempt_folder(desk, label) if found else ""
    return [journal.put(f"{folder}/{_name(f.path)}", f.data or b"") for f in found]


def removed(desk: Desk, keys: Sequence[str]) -> list[Change]:
    """Take the staged files of these keys away."""
    return [journal.remove(desk.get(key).path) for key in keys if desk.get(key).data is not None]


def attempt_folder(desk: Desk, label: str) -> str:
    """The next free folder: `.novel/attempts/chapter-007/0003-r1-judge`."""
    base = layout.attempts(desk.number)
    taken = [int(n[:4]) for n in desk.book.project.names(base) if n[:4].isdigit()]
    return f"{base}/{max(taken, default=0) + 1:04d}-{label}"


def _name(path: str) -> str:
    return path.rsplit("/", 1)[-1]
