"""Checks and scores of one judge's verdict, read by layer and dimension.

Source: protocol §1 (evaluation) and §3; seed 000 Step 3.4-3.5.
"""

from __future__ import annotations

import math

from novel_hooks.annotations import Iterator, Mapping
from novel_hooks.rules.text.json_values import number

WEIGHTS: Mapping[str, float] = {
    "plot_logic": 0.18,
    "character": 0.18,
    "immersion": 0.15,
    "foreshadowing": 0.10,
    "pacing": 0.08,
    "style_naturalness": 0.15,
    "emotional_impact": 0.08,
    "storyline_coherence": 0.08,
}
DIMENSIONS: Mapping[str, str] = {
    "plot_logic": "情节逻辑",
    "character": "人物",
    "immersion": "沉浸感",
    "foreshadowing": "伏笔",
    "pacing": "节奏",
    "style_naturalness": "文风自然",
    "emotional_impact": "情绪感染",
    "storyline_coherence": "故事线连贯",
}
LAYERS: Mapping[str, tuple[str, str]] = {
    "l1": ("世界规则", "rule_id"),
    "l2": ("角色契约", "contract_id"),
    "l3": ("本章目标", "objective_id"),
    "ls": ("故事线规则", "rule_id"),
}
"""Layer → the author's word for it, and the key of the id in its checks."""


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


def weighted_mean(verdict: Mapping[str, object]) -> float | None:
    """Return the mean of the eight scores by WEIGHTS, or None when one of them is missing."""
    total = 0.0
    for name, weight in WEIGHTS.items():
        score = score_of(verdict, name)
        if score is None:
            return None
        total += score * weight
    return total


def with_computed_overall(verdict: Mapping[str, object]) -> dict[str, object]:
    """Return the verdict with the mean of its scores as `overall`, the judge's own number beside it.

    The mean has two decimals, half up. The judge's number stays when a score is missing (protocol §1).
    """
    mean = weighted_mean(verdict)
    if mean is None:
        return dict(verdict)
    overall = math.floor(mean * 100 + 0.5 + 1e-6) / 100
    return {**verdict, "overall": overall, "overall_reported": verdict.get("overall")}


def score_of(verdict: Mapping[str, object], name: str) -> float | None:
    """Return the score of one dimension as the judge wrote it, or None when it is no number.

    The judge may write it bare or as `{"score": …}`.
    """
    scores = verdict.get("scores")
    entry = scores.get(name) if isinstance(scores, dict) else None
    return number(entry.get("score") if isinstance(entry, dict) else entry)


def check_word(check: Mapping[str, object], key: str) -> str:
    """Return one word of a check in lower case, such as its `status`; `""` when it is no text."""
    value = check.get(key)
    return value.lower() if isinstance(value, str) else ""


def forces_revision(layer: str, check: Mapping[str, object]) -> bool:
    """Return whether this check forces a revision: a violation of high confidence, for ls of a hard rule.

    A check of ls without `constraint_type` is of a hard rule.
    """
    if check_word(check, "status") != "violation" or check_word(check, "confidence") != "high":
        return False
    return layer != "ls" or "constraint_type" not in check or check_word(check, "constraint_type") == "hard"
