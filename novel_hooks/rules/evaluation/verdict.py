"""One judge's verdict, and the reasons why it may not be used.

Its fields are read in `rules.evaluation.verdict_fields`, warnings on a legal one are made in
`rules.evaluation.verdict_warnings`. Source: protocol §1 (evaluation, "Valid means").
"""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.annotations import Iterator, Mapping
from novel_hooks.errors import Problem
from novel_hooks.rules.evaluation.verdict_fields import (
    LAYERS,
    check_word,
)
from novel_hooks.rules.text.json_values import number

Fault = tuple[str, str, Mapping[str, object]]

_STATUS = ("pass", "violation", "violation_suspected")
_CONFIDENCE = ("high", "medium", "low")
_CONSTRAINT = ("hard", "soft")


def problems(verdict: object, path: str | None = None) -> list[Problem]:
    """Return every reason why the verdict cannot be used (protocol §1, "Valid means"); [] when it is legal.

    `path` is its project-relative file, for the report only.
    """
    if not isinstance(verdict, dict):
        return [errors.VerdictInvalid(path, case="no object", where="整份结果")]
    faults = [*_overall_faults(verdict), *_check_faults(verdict), *_score_faults(verdict)]
    return [errors.VerdictInvalid(path, case, where=where, **values) for where, case, values in faults]


def _overall_faults(verdict: Mapping[str, object]) -> Iterator[Fault]:
    overall = number(verdict.get("overall"))
    if overall is None or not 0 <= overall <= 5:
        yield "overall（总分）", "overall", {}


def _check_faults(verdict: Mapping[str, object]) -> Iterator[Fault]:
    verification = verdict.get("contract_verification")
    if not isinstance(verification, dict):
        yield "contract_verification", "no checks", {}
        return
    for layer in LAYERS:
        key = f"{layer}_checks"
        listed = verification.get(key)
        if not isinstance(listed, list):
            yield key, "no list", {}
            continue
        for index, check in enumerate(listed):
            for where, case, values in _one_check_faults(check):
                yield f"{key}[{index}]{where}", case, values


def _one_check_faults(check: object) -> Iterator[Fault]:
    if not isinstance(check, dict):
        yield "", "no object", {}
        return
    for key, allowed in (("status", _STATUS), ("confidence", _CONFIDENCE), ("constraint_type", _CONSTRAINT)):
        optional = key == "constraint_type" and key not in check
        if not optional and check_word(check, key) not in allowed:
            yield f".{key}", "unknown word", {"known": "、".join(allowed)}


def _score_faults(verdict: Mapping[str, object]) -> Iterator[Fault]:
    scores = verdict.get("scores", {})
    if not isinstance(scores, dict):
        yield "scores", "no scores", {}
        return
    for name, entry in scores.items():
        if isinstance(entry, dict) and "score" not in entry:
            continue
        score = number(entry.get("score") if isinstance(entry, dict) else entry)
        if score is None or not 1 <= score <= 5:
            yield f"scores.{name}", "score", {}
