"""A volume looked back on: what it planned against what was written. Pure. Source: protocol §2, seed 002 §2.

`Past` holds what was read; `document` is what `review.json` holds (`volume-review`). A part whose files could
not be read is None there, and `unread` says why.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from novel_hooks.rules.contract import Contract
    from novel_hooks.rules.entities import Stranger

from novel_hooks.record import Record
from novel_hooks.rules import periodic, pulse, review_facts, review_lines, review_threads

MISSED, DOUBTED, UNCHECKED, UNWRITTEN = "missed", "doubted", "unchecked", "unwritten"
"""What an objective is that was not reached; in the last two nobody has looked."""


class Past(Record):
    """One volume. `first` and `last` are its chapters by the outline, `written` those that have landed.

    `contracts`, `evaluations` and `crossrefs` are by chapter, as far as they could be read. `log` are the
    change log's lines of the volume, `places` who is where by the state as each of its chapters begins.
    `plan` are the items of the volume's foreshadowing plan, `facts` those of the book. `people` are the
    names, aliases, ids of everybody with a card. `low_below` is the score below which a chapter is low,
    `chars` the volume's length in 字. None: could not be read.
    """

    volume: int
    first: int
    last: int
    written: tuple[int, ...]
    chars: int | None
    rows: Sequence[Mapping[str, Any]] | None
    low_below: float
    contracts: Mapping[int, Contract] | None
    evaluations: Mapping[int, Mapping[str, Any]]
    crossrefs: Mapping[int, Mapping[str, Any]]
    log: Sequence[Mapping[str, Any]] | None
    places: Mapping[int, Mapping[str, str]] | None
    plan: Sequence[Mapping[str, Any]] | None
    facts: Sequence[Mapping[str, Any]] | None
    schedule: Mapping[str, Any] | None
    storylines: Mapping[str, Any] | None
    people: frozenset[str] | None
    strangers: Sequence[Stranger] | None
    unread: tuple[tuple[str, str], ...]


def document(past: Past) -> dict[str, Any]:
    """`volume-review`; the same book gives the same document."""
    return {
        "schema_version": 1,
        "volume": past.volume,
        "first_chapter": past.first,
        "last_chapter": past.last,
        "written": len(past.written),
        "chars": past.chars,
        "scores": None if past.rows is None else scores(past.rows, past.evaluations, past.low_below),
        "objectives": None if past.contracts is None else objectives(past),
        "threads": review_threads.threads(past),
        "storylines": review_lines.storylines(past),
        "convergences": review_lines.convergences(past),
        "bridges": review_lines.bridges(past),
        "unknown_entities": None if past.strangers is None else _strangers(past),
        "continuity": review_facts.continuity(past),
        "unread": [{"path": path, "detail": detail} for path, detail in past.unread],
    }


def scores(
    rows: Sequence[Mapping[str, Any]], evaluations: Mapping[int, Mapping[str, Any]], below: float
) -> dict[str, Any]:
    """`{average, lowest, low[], weakest, forced[], chapters[]}`; `rows` are those of `lately.score`."""
    known = [row for row in rows if row["overall"] is not None]
    lowest = min(known, key=lambda row: (row["overall"], row["chapter"]), default=None)
    shown = ("chapter", "overall", "decision", "revisions", "force_passed")
    return {
        "average": pulse.mean(rows),
        "lowest": None if lowest is None else {key: lowest[key] for key in ("chapter", "overall")},
        "low": pulse.low(rows, below),
        "weakest": periodic.weakest_of([evaluations[n] for n in sorted(evaluations)]),
        "forced": [row["chapter"] for row in rows if row["force_passed"]],
        "chapters": [{key: row[key] for key in shown} for row in rows],
    }


def objectives(past: Past) -> dict[str, Any]:
    """`{total, reached, open[{chapter, id, description, required, status}]}` of all its contracts."""
    total, found = 0, []
    for chapter, contract in sorted((past.contracts or {}).items()):
        for one in _listed(contract.document.get("objectives")):
            total += 1
            status = _status(past, chapter, str(one.get("id")))
            if status is not None:
                told = {"chapter": chapter, "id": str(one.get("id"))}
                told["description"] = str(one.get("description") or "")
                found.append({**told, "required": one.get("required") is True, "status": status})
    return {"total": total, "reached": total - len(found), "open": found}


def _status(past: Past, chapter: int, name: str) -> str | None:
    """None when it was reached; of several checks the worst counts."""
    if chapter not in past.written:
        return UNWRITTEN
    verification = (past.evaluations.get(chapter) or {}).get("contract_verification")
    checks = _listed(verification.get("l3_checks") if isinstance(verification, dict) else None)
    said = {str(one.get("status")).strip().lower() for one in checks if one.get("objective_id") == name}
    if "violation" in said:
        return MISSED
    if "violation_suspected" in said:
        return DOUBTED
    return None if "pass" in said else UNCHECKED


def _strangers(past: Past) -> list[dict[str, Any]]:
    """Those who were met in this volume, the most frequent first."""
    found = []
    for one in past.strangers or ():
        here = [n for n in one.chapters if past.first <= n <= past.last]
        if here:
            found.append({"mention": one.mention, "suggested_type": one.suggested_type, "chapters": here})
    return found


def _listed(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
