"""One judge's verdict: its checks by layer, those that force a revision, and why it may not be used.

Its scores are read in `rules.evaluation.score`, warnings on a legal one are made in
`rules.evaluation.verdict_warnings`. Source: protocol §1 (evaluation, "Valid means") and §3.
"""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.annotations import Iterator, Mapping
from novel_hooks.errors import Problem
from novel_hooks.rules.text.json_values import number

Fault = tuple[str, str, Mapping[str, object]]

_STATUS = ("pass", "violation", "violation_suspected")
_CONFIDENCE = ("high", "medium", "low")
_CONSTRAINT = ("hard", "soft")
LAYERS: Mapping[str, tuple[str, str]] = {
    "l1": ("世界规则", "rule_id"),
    "l2": ("角色契约", "contract_id"),
    "l3": ("本章目标", "objective_id"),
    "ls": ("故事线规则", "rule_id"),
}
"""Layer → the author's word for it, and the key of the id in its checks."""


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


def layer_checks(verdict: Mapping[str, object]) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield `(layer, check)` for every check that is an object, in the order of the layers."""
    verification = verdict.get("contract_verification")
    if not isinstance(verification, dict):
        return
    for layer in LAYERS:
        listed = verification.get(f"{layer}_checks")
        for check in listed if isinstance(listed, list) else ():
            if isinstance(check, dict):
                yield layer, check


def high_violations(verdict: Mapping[str, object]) -> list[dict[str, object]]:
    """Return the checks that force a revision, each with its `layer`."""
    return [
        {**check, "layer": layer} for layer, check in layer_checks(verdict) if forces_revision(layer, check)
    ]


def forces_revision(layer: str, check: Mapping[str, object]) -> bool:
    """Return whether this check forces a revision: a violation of high confidence, for ls of a hard rule.

    A check of ls without `constraint_type` is of a hard rule.
    """
    if check_word(check, "status") != "violation" or check_word(check, "confidence") != "high":
        return False
    return layer != "ls" or "constraint_type" not in check or check_word(check, "constraint_type") == "hard"


def check_word(check: Mapping[str, object], key: str) -> str:
    """Return one word of a check in lower case, such as its `status`; `""` when it is no text."""
    value = check.get(key)
    return value.lower() if isinstance(value, str) else ""
