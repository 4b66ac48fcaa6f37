"""Threads of a plan, and what its contracts and outline do with them."""

from __future__ import annotations

from typing import Any

from volumedraft import Draft, ends

from novel_hooks import layout

PLAN = layout.staged(layout.foreshadowing_plan(2))


def told(problems: Any) -> list[tuple[str, str, str]]:
    """(file, detail, advice) of each problem."""
    found = list(problems)
    assert {p.code for p in found} <= {"VOLUME_FORESHADOWING"}
    return [(p.path, p.values["detail"], p.values["how"]) for p in found]


P, A, R = "planted", "advanced", "resolved"


def updates(draft: Draft, **chapters: Any) -> Draft:
    """What the contracts of these chapters (`c4=…`) do; nothing in the others."""
    for number in (4, 5, 6):
        ends(draft, number)["foreshadowing_updates"] = chapters.get(f"c{number}", [])
    return draft
