"""The check of a crossref report: knowledge that leaks from one storyline into another.

Source: protocol §1 (crossref): `{storyline_id, cross_references[{entity, source_storyline, context}],
leak_risk: none|low|high, leak_detail}`.
"""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.annotations import Collection
from novel_hooks.errors import Problem
from novel_hooks.rules.text.json_values import text

RISKS = ("none", "low", "high")


def problems(
    document: object, storyline_id: str, schedule_ids: Collection[str], path: str | None = None
) -> list[Problem]:
    """Return the faults of a report: another storyline, an unknown risk, a high one without detail.

    A source outside the volume's schedule is a warning. Empty `schedule_ids` allow any source.
    """
    if not isinstance(document, dict):
        return [errors.CrossrefMismatch(path, where="整份内容", case="no object")]
    found: list[Problem] = []
    line, risk = document.get("storyline_id"), document.get("leak_risk")
    if line != storyline_id:
        found.append(
            errors.CrossrefMismatch(
                path, case="other storyline", where="storyline_id", wanted=storyline_id, storyline=line
            )
        )
    if risk not in RISKS:
        found.append(
            errors.CrossrefMismatch(path, case="unknown risk", where="leak_risk", known="、".join(RISKS))
        )
    if risk == "high" and text(document.get("leak_detail")) is None:
        found.append(errors.CrossrefMismatch(path, case="no leak told", where="leak_detail"))
    known = {storyline_id, *schedule_ids} if schedule_ids else None
    return [*found, *_source_problems(document, known, path)]


def _source_problems(
    document: dict[str, object], known: Collection[str] | None, path: str | None
) -> list[Problem]:
    listed = document.get("cross_references")
    if not isinstance(listed, list):
        return [errors.CrossrefMismatch(path, where="cross_references", case="no list")]
    found: list[Problem] = []
    for index, entry in enumerate(listed):
        where = f"cross_references[{index}]"
        source = entry.get("source_storyline") if isinstance(entry, dict) else None
        if text(source) is None:
            found.append(errors.CrossrefMismatch(path, where=where, case="no source"))
        elif known is not None and source not in known:
            found.append(errors.CrossrefUnknownStoryline(path, where=where, storyline=source))
    return found
