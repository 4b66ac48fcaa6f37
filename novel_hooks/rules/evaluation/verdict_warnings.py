"""Warnings on a legal verdict, for the record: never a reason to judge again.

Source: protocol §1 (evaluation, "Other faults of shape …").
"""

from __future__ import annotations

from novel_hooks.annotations import Iterable, Iterator, Mapping
from novel_hooks.rules.evaluation.score import DIMENSIONS, WEIGHTS, score_of, weighted_mean
from novel_hooks.rules.evaluation.verdict import LAYERS, check_word, forces_revision, layer_checks
from novel_hooks.rules.text.json_values import describe, number, text

_SURE = {"high": "有把握", "medium": "不太确定", "low": "把握很小"}
TOLERANCE = 0.05
"""How far the judge's own sum may lie from the weighted mean of the scores."""


def warnings(
    verdict: Mapping[str, object], *, hard_rules: Iterable[str], required_objectives: Iterable[str]
) -> list[str]:
    """Return Chinese lines on suspected violations, missing checks, scores and the weighted mean.

    `hard_rules` and `required_objectives` are the ids that need a check.
    """
    return [
        *_suspicion_warnings(verdict),
        *_unchecked_warnings(verdict, "rule_id", hard_rules, "硬规则"),
        *_unchecked_warnings(verdict, "objective_id", required_objectives, "必须完成的目标"),
        *_score_warnings(verdict),
        *_mean_warnings(verdict),
    ]


def chapter_warnings(verdict: Mapping[str, object], chapter: int) -> Iterator[str]:
    """Yield a Chinese line when the judge wrote another chapter's number than `chapter`."""
    written = verdict.get("chapter", chapter)
    if written != chapter or isinstance(written, bool):
        yield f"评审写的章号是「{describe(written)}」，而这是第 {chapter} 章：请看一眼它评的是不是这一章。"


def _suspicion_warnings(verdict: Mapping[str, object]) -> Iterator[str]:
    for layer, check in layer_checks(verdict):
        if check_word(check, "status") == "pass" or forces_revision(layer, check):
            continue
        title, key = LAYERS[layer]
        how = _SURE.get(check_word(check, "confidence"), "")
        detail = text(check.get("detail")) or "没有写明原因"
        yield f"{title} {text(check.get(key)) or '（没有编号）'}：评审觉得可能不符（{how}）：{detail}"


def _unchecked_warnings(
    verdict: Mapping[str, object], key: str, needed: Iterable[str], title: str
) -> Iterator[str]:
    checked = {check.get(key) for _, check in layer_checks(verdict) if isinstance(check.get(key), str)}
    missing = [name for name in needed if name not in checked]
    if missing:
        yield f"评审没有核对{title} {'、'.join(missing)}。"


def _score_warnings(verdict: Mapping[str, object]) -> Iterator[str]:
    scores = verdict.get("scores")
    if not isinstance(scores, dict):
        yield "没有分项评分。"
        return
    for name, weight in WEIGHTS.items():
        entry = scores.get(name)
        if score_of(verdict, name) is None:
            yield f"缺少「{DIMENSIONS[name]}」的评分。"
        elif not isinstance(entry, dict):
            yield f"「{DIMENSIONS[name]}」只有分数，没有理由和引文。"
        elif "weight" in entry and not _is_near(entry["weight"], weight, 1e-6):
            yield f"「{DIMENSIONS[name]}」的权重应是 {weight:.2f}，评审写成了 {describe(entry['weight'])}。"
    unknown = [str(name) for name in scores if name not in WEIGHTS]
    if unknown:
        yield f"多出不认识的评分项：{'、'.join(unknown)}。"


def _mean_warnings(verdict: Mapping[str, object]) -> Iterator[str]:
    mean = weighted_mean(verdict)
    reported = verdict.get("overall_reported", verdict.get("overall"))
    if mean is not None and not _is_near(reported, mean, TOLERANCE):
        yield f"评审自己报的总分是 {describe(reported)}，按八项分数算是 {mean:.2f}，以算出来的为准。"


def _is_near(value: object, wanted: float, tolerance: float) -> bool:
    written = number(value)
    return written is not None and abs(written - wanted) <= tolerance + 1e-9
