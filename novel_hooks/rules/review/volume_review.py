"""A volume's review: its plan compared with its chapters. Pure. Source: protocol §2, seed 002 §2.

`document` is the content of `review.json` (schema `volume-review`). A part without its files is None, and
`unread` gives the reason.
"""

from __future__ import annotations

from novel_hooks.annotations import Any
from novel_hooks.rules.review import continuity, foreshadowing, periodic, storylines, trend
from novel_hooks.rules.review.material import Material
from novel_hooks.rules.text.json_values import objects

MISSED, DOUBTED, UNCHECKED, UNWRITTEN = "missed", "doubted", "unchecked", "unwritten"
"""States of an objective that was not reached; in the last two no judge has checked it."""


def document(material: Material) -> dict[str, Any]:
    """Build the review's document (schema `volume-review`): the same material gives the same document."""
    return {
        "schema_version": 1,
        "volume": material.volume,
        "first_chapter": material.first,
        "last_chapter": material.last,
        "written": len(material.written),
        "chars": material.chars,
        "scores": _scores(material),
        "objectives": None if material.contracts is None else objective_summary(material),
        "threads": foreshadowing.thread_summary(material),
        "storylines": storylines.storyline_summaries(material),
        "convergences": storylines.convergence_summaries(material),
        "bridges": storylines.undefined_bridges(material),
        "unknown_entities": None if material.strangers is None else _unknown_names(material),
        "continuity": continuity.continuity(material),
        "unread": [{"path": path, "detail": detail} for path, detail in material.unread],
    }


def _scores(material: Material) -> dict[str, Any] | None:
    """The scores as `{average, lowest, low[], weakest, forced[], chapters[]}`."""
    rows, evaluations = material.rows, material.evaluations
    if rows is None:
        return None
    scored = [row for row in rows if row["overall"] is not None]
    lowest = min(scored, key=lambda row: (row["overall"], row["chapter"]), default=None)
    shown = ("chapter", "overall", "decision", "revisions", "force_passed")
    return {
        "average": trend.mean_score(rows),
        "lowest": None if lowest is None else {key: lowest[key] for key in ("chapter", "overall")},
        "low": trend.low_chapters(rows, material.low_below),
        "weakest": periodic.weakest_dimension([evaluations[n] for n in sorted(evaluations)]),
        "forced": [row["chapter"] for row in rows if row["force_passed"]],
        "chapters": [{key: row[key] for key in shown} for row in rows],
    }


def objective_summary(material: Material) -> dict[str, Any]:
    """Count the objectives of the chapters up to the last written one, as `{total, reached, open[]}`.

    `open` are those not reached, `{chapter, id, description, required, status}`, by chapter.
    """
    total, found = 0, []
    written = max(material.written, default=0)
    begun = {n: one for n, one in (material.contracts or {}).items() if n <= written}
    for chapter, contract in sorted(begun.items()):
        for one in objects(contract.document.get("objectives")):
            total += 1
            status = _objective_status(material, chapter, str(one.get("id")))
            if status is not None:
                found.append(
                    {
                        "chapter": chapter,
                        "id": str(one.get("id")),
                        "description": str(one.get("description") or ""),
                        "required": one.get("required") is True,
                        "status": status,
                    }
                )
    return {"total": total, "reached": total - len(found), "open": found}


def _objective_status(material: Material, chapter: int, name: str) -> str | None:
    """The state of an objective, None when it was reached; of several checks the worst counts."""
    if chapter not in material.written:
        return UNWRITTEN
    verification = (material.evaluations.get(chapter) or {}).get("contract_verification")
    checks = objects(verification.get("l3_checks") if isinstance(verification, dict) else None)
    statuses = {str(one.get("status")).strip().lower() for one in checks if one.get("objective_id") == name}
    if "violation" in statuses:
        return MISSED
    if "violation_suspected" in statuses:
        return DOUBTED
    return None if "pass" in statuses else UNCHECKED


def _unknown_names(material: Material) -> list[dict[str, Any]]:
    """The names that stand in this volume, in the order of `material.strangers`, with its chapters only."""
    return [
        {"mention": one.mention, "suggested_type": one.suggested_type, "chapters": here}
        for one in material.strangers or ()
        if (here := [n for n in one.chapters if material.first <= n <= material.last])
    ]
