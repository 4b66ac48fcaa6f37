"""Verdicts for tests: legal ones, with one thing changed."""

from __future__ import annotations

from typing import Any

from novel_hooks.rules.evaluation.score import WEIGHTS


def legal_verdict(
    overall: Any = 4.0, violation: dict[str, Any] | None = None, **changes: Any
) -> dict[str, Any]:
    """A legal verdict; `violation` is one check with the `layer` it stands in."""
    checks: dict[str, Any] = {f"{layer}_checks": [] for layer in ("l1", "l2", "l3", "ls")}
    if violation is not None:
        check = dict(violation)
        checks[f"{check.pop('layer')}_checks"].append(check)
    return {"chapter": 7, "overall": overall, "contract_verification": checks, **changes}


def scores(value: float = 4.0, **changed: float) -> dict[str, Any]:
    """All eight dimensions with `value`, some of them changed."""
    return {
        name: {
            "score": changed.get(name, value),
            "weight": weight,
            "reason": f"{name} 的理由",
            "evidence": "原文",
        }
        for name, weight in WEIGHTS.items()
    }


def breach(layer: str = "l1", confidence: str = "high", **more: Any) -> dict[str, Any]:
    """A check that found a violation."""
    return {"layer": layer, "status": "violation", "confidence": confidence, **more}
