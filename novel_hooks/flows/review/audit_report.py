"""`novel audit`: the guard's permissions and refusals. Reads only.

Source: protocol §1 (`logs/audit.jsonl`).
"""

from __future__ import annotations

from functools import partial

from novel_hooks import errors, layout
from novel_hooks.annotations import Any
from novel_hooks.errors import Problem
from novel_hooks.flows.book.collect import attempt
from novel_hooks.record import Record
from novel_hooks.store.files.project import Project
from novel_hooks.store.formats import jsonio


class Trail(Record):
    """The audit log. `entries` are the wanted lines, oldest first, as in protocol §1.

    `total` counts all readable lines. `warnings` are on unreadable ones: the log is appended to and never
    repaired.
    """

    entries: tuple[dict[str, Any], ...]
    total: int
    warnings: tuple[Problem, ...]


def run(project: Project, chapter: int | None, denied: bool) -> Trail:
    """Return the lines about a file of `chapter`; only refusals when `denied`. Raises what `read` does."""
    found: list[dict[str, Any]] = []
    skipped: list[int] = []
    for number, line in enumerate((project.read(layout.AUDIT) or b"").split(b"\n"), start=1):
        entry = attempt(partial(jsonio.parse, line, layout.AUDIT))[0] if line.strip() else None
        if isinstance(entry, dict):
            found.append(entry)
        elif line.strip():
            skipped.append(number)
    wanted = tuple(e for e in found if _concerns(e, chapter) and (not denied or e.get("decision") == "deny"))
    unread = [errors.AuditLinesSkipped(layout.AUDIT, count=len(skipped), first=skipped[0])] if skipped else []
    return Trail(wanted, len(found), tuple(unread))


def _concerns(entry: dict[str, Any], chapter: int | None) -> bool:
    if chapter is None:
        return True
    path = entry.get("path")
    name = path.rpartition("/")[2] if isinstance(path, str) else ""
    wanted = layout.chapter_id(chapter)
    return name.startswith(wanted) and not name[len(wanted) :][:1].isdigit()
