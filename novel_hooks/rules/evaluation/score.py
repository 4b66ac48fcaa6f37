"""The eight scores of a verdict: their names, their weights, and the overall score that they make.

Source: protocol §1 (evaluation) and §3; seed 000 Step 3.4-3.5.
"""

from __future__ import annotations

import math

from novel_hooks.annotations import Mapping
from novel_hooks.rules.text.json_values import mapping, number

_SCORES = (
    ("plot_logic", "情节逻辑", 0.18),
    ("character", "人物", 0.18),
    ("immersion", "沉浸感", 0.15),
    ("foreshadowing", "伏笔", 0.10),
    ("pacing", "节奏", 0.08),
    ("style_naturalness", "文风自然", 0.15),
    ("emotional_impact", "情绪感染", 0.08),
    ("storyline_coherence", "故事线连贯", 0.08),
)
DIMENSIONS: Mapping[str, str] = {name: word for name, word, _ in _SCORES}
WEIGHTS: Mapping[str, float] = {name: weight for name, _, weight in _SCORES}


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
    entry = mapping(verdict.get("scores")).get(name)
    return number(entry.get("score") if isinstance(entry, dict) else entry)
