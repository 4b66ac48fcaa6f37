"""The staged files of the chapter in flight, as `next` sees them. Reads only. Source: protocol §2."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any
from novel_hooks.flows.outputs import RECORDED, Desk
from novel_hooks.rules import evaluation as evaluations
from novel_hooks.rules import gate as gates
from novel_hooks.rules.checkpoint import Checkpoint
from novel_hooks.rules.gate import Bands
from novel_hooks.rules.marks import gate_of, metadata
from novel_hooks.rules.nextstep import Staged, Verdict

__all__ = ("Desk", "staged", "stored_bands", "verdict")


def staged(desk: Desk, point: Checkpoint) -> Staged:
    """What is found in staging; the rows of the table need no more than this."""
    if not desk.get("chapter").ok:
        return Staged(False, False, None)
    recorded = all(desk.get(key).ok for key in RECORDED)
    return Staged(True, recorded, verdict(desk, point))


def verdict(desk: Desk, point: Checkpoint) -> Verdict | None:
    """The staged evaluation, or None when there is no legal one."""
    found = desk.get("evaluation")
    if not found.ok:
        return None
    gate = gate_of(found.value)
    key_chapter = desk.book.key_chapter(desk.volume, desk.number)
    missing = tuple(evaluations.complete(found.value, key_chapter))
    outcome = None if missing else gates.judge(found.value, key_chapter, point.revisions, stored_bands(gate))
    return Verdict(
        missing=missing,
        fresh=metadata(found.value).get("text_sha256") in (None, desk.text_sha256()),
        stored=gate.get("decision") if isinstance(gate.get("decision"), str) else None,
        outcome=outcome.decision if outcome else None,
        accepted=bool(gate.get("accepted")),
        polished=gate.get("polished") is True,
    )


def stored_bands(gate: Mapping[str, Any]) -> Bands:
    """The bands that the gate used when it was advanced; the standard ones before that."""
    return Bands.from_json(gate.get("bands"))
