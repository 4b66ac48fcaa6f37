"""What is said of the storylines of a draft."""

from __future__ import annotations

from typing import Any

from novel_hooks import layout

SCHEDULE, PLAN = layout.staged(layout.schedule(2)), layout.staged(layout.foreshadowing_plan(2))


def told(problems: Any) -> list[tuple[str, str, str]]:
    """(file, detail, advice) of each problem."""
    found = list(problems)
    assert {p.code for p in found} <= {"VOLUME_STORYLINE"}
    return [(p.path, p.values["detail"], p.values["how"]) for p in found]
