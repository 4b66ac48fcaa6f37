"""A chapter's evaluation file: one or two verdicts become one flat document, and are read back from it.

`{…fields of the used verdict, overall_final, metadata: {judges, text_sha256, warnings, gate?}}`.
`metadata.fixes` is the list of `rules.evaluation.required_fixes`. One verdict alone is checked in
`rules.evaluation.verdict`. Source: protocol §1 (evaluation) and §3; seed 000 Step 3.5 (5).
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Mapping, Sequence
from novel_hooks.record import Record
from novel_hooks.roles import JUDGES
from novel_hooks.rules.evaluation import required_fixes
from novel_hooks.rules.evaluation.gate_entry import metadata
from novel_hooks.rules.evaluation.verdict import problems
from novel_hooks.rules.text.json_values import deep_copy, mapping, number

_OURS = ("overall_final", "metadata")


class Verdict(Record):
    """A legal verdict and its model (None: unknown)."""

    model: str | None
    document: dict[str, Any]


def lower_role(verdicts: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the role with the lower `overall`, secondary when both are equal (protocol §3).

    Needs at least one legal verdict.
    """
    return min(reversed([role for role in JUDGES if role in verdicts]), key=lambda r: verdicts[r]["overall"])


def in_order(verdicts: Mapping[str, Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the verdicts, the used one first. Needs at least one legal verdict."""
    used = lower_role(verdicts)
    return [verdicts[used], *(verdicts[role] for role in JUDGES if role in verdicts and role != used)]


def compose(
    verdicts: Mapping[str, Verdict | None],
    *,
    text_sha256: str | None,
    gate: Mapping[str, object] | None = None,
    warnings: Sequence[str] = (),
    chapter: int | None = None,
    text: str | None = None,
) -> dict[str, Any]:
    """Make the evaluation document: the used verdict's fields flat, the fields of `novel` beside them.

    `text_sha256` is the hash of the judged chapter. `gate` is the decision, once it is made. `chapter`
    overrides the number that the judge wrote. `text` is the judged chapter itself: with it the fixes of all
    verdicts are kept as one list. Needs at least one verdict, and legal ones.
    """
    recorded = {role: verdict for role in JUDGES if (verdict := verdicts.get(role)) is not None}
    used = lower_role({role: verdict.document for role, verdict in recorded.items()})
    overall = recorded[used].document["overall"]
    judges: dict[str, Any] = {role: _judge_entry(verdict) for role, verdict in recorded.items()}
    judges.update(used=used, overall_final=overall)
    ours: dict[str, Any] = {"judges": judges, "text_sha256": text_sha256, "warnings": list(warnings)}
    if text is not None:
        ours["fixes"] = required_fixes.merge_fixes(
            in_order({r: v.document for r, v in recorded.items()}), text
        )
    if gate is not None:
        ours["gate"] = deep_copy(dict(gate))
    flat = deep_copy(recorded[used].document)
    assert isinstance(flat, dict)
    if chapter is not None:
        flat["chapter"] = chapter
    return {**flat, "overall_final": overall, "metadata": ours}


def verdict_of(document: Mapping[str, Any], role: str) -> dict[str, Any] | None:
    """Return the verdict of `role` as its judge gave it, or None when the document does not hold it whole.

    In a file of the seed's format the flat fields are the used verdict's. Of the other one only model and
    overall are recorded, which is no verdict.
    """
    judges = metadata(document).get("judges")
    if not isinstance(judges, dict):
        return _flat(document) if role == "primary" else None
    entry = judges.get(role)
    if isinstance(entry, dict) and isinstance(entry.get("verdict"), dict):
        return dict(entry["verdict"])
    return _flat(document) if judges.get("used", "primary") == role else None


def verdicts_of(document: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the legal verdicts that the document holds whole, by role."""
    verdicts = {role: verdict_of(document, role) for role in JUDGES}
    return {
        role: verdict for role, verdict in verdicts.items() if verdict is not None and not problems(verdict)
    }


def missing_roles(document: object, key_chapter: bool) -> list[str]:
    """Return the roles whose verdict is missing or not legal; a key chapter needs both."""
    needed = [*JUDGES] if key_chapter else ["primary"]
    verdicts = verdicts_of(mapping(document))
    return [role for role in needed if role not in verdicts]


def fixes_of(document: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Return the fixes of all verdicts as `compose` kept them; None in an evaluation without that list."""
    return required_fixes.parse(metadata(document).get("fixes"))


def _judge_entry(verdict: Verdict) -> dict[str, Any]:
    document = deep_copy(verdict.document)
    return {"model": verdict.model, "overall": number(verdict.document["overall"]), "verdict": document}


def _flat(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the flat verdict: the document without the fields of `novel`."""
    return {key: value for key, value in document.items() if key not in _OURS}
