"""One judge's verdict: may it be used, what does it find, what is odd about it.

Source: protocol §1 (evaluation) and §3; seed 000 Step 3.4-3.5.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

from novel_hooks.errors import Problem, VerdictInvalid
from novel_hooks.rules.json_values import number, text

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
"""Layer → what an author calls it, and the key of the id in its checks."""

TOLERANCE = 0.05

_STATUS = ("pass", "violation", "violation_suspected")
_CONFIDENCE = ("high", "medium", "low")
_CONSTRAINT = ("hard", "soft")


def problems(verdict: object, path: str | None = None) -> list[Problem]:
    """Every reason why the verdict may not be used (protocol §1, "Valid means"); empty = legal.

    `path` is the project-relative file it came from, for the report only.
    """
    if not isinstance(verdict, dict):
        return [VerdictInvalid(path, where="整份结果", detail="应是一个对象")]
    found = [*_overall_faults(verdict), *_check_faults(verdict), *_score_faults(verdict)]
    return [VerdictInvalid(path, where=where, detail=detail) for where, detail in found]


def checks(verdict: Mapping[str, object]) -> Iterator[tuple[str, Mapping[str, object]]]:
    """`(layer, check)` for every check that is an object, in the order of the layers."""
    verification = verdict.get("contract_verification")
    if not isinstance(verification, dict):
        return
    for layer in LAYERS:
        listed = verification.get(f"{layer}_checks")
        for check in listed if isinstance(listed, list) else ():
            if isinstance(check, dict):
                yield layer, check


def high_violations(verdict: Mapping[str, object]) -> list[dict[str, object]]:
    """The checks that force a revision, each with its `layer`: high confidence, and for ls a hard rule."""
    return [{**check, "layer": layer} for layer, check in checks(verdict) if _forces(layer, check)]


def weighted_mean(verdict: Mapping[str, object]) -> float | None:
    """The mean of the eight scores by WEIGHTS, or None when one of them is not there."""
    total = 0.0
    for name, weight in WEIGHTS.items():
        score = score_of(verdict, name)
        if score is None:
            return None
        total += score * weight
    return total


def score_of(verdict: Mapping[str, object], name: str) -> float | None:
    """The score of one dimension, 1..5, or None."""
    scores = verdict.get("scores")
    entry = scores.get(name) if isinstance(scores, dict) else None
    return number(entry.get("score") if isinstance(entry, dict) else entry)


def warnings(
    verdict: Mapping[str, object], *, hard_rules: Iterable[str], required_objectives: Iterable[str]
) -> list[str]:
    """What is odd about a legal verdict, in Chinese for the record; never a reason to judge again."""
    return [
        *_doubts(verdict),
        *_unchecked(verdict, "rule_id", hard_rules, "硬规则"),
        *_unchecked(verdict, "objective_id", required_objectives, "必须完成的目标"),
        *_score_warnings(verdict),
        *_mean_warnings(verdict),
    ]


def _word(check: Mapping[str, object], key: str) -> str:
    value = check.get(key)
    return value.lower() if isinstance(value, str) else ""


def _forces(layer: str, check: Mapping[str, object]) -> bool:
    if _word(check, "status") != "violation" or _word(check, "confidence") != "high":
        return False
    return layer != "ls" or "constraint_type" not in check or _word(check, "constraint_type") == "hard"


def _overall_faults(verdict: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    overall = number(verdict.get("overall"))
    if overall is None or not 0 <= overall <= 5:
        yield "overall（总分）", "应是 0 到 5 之间的数"


def _check_faults(verdict: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    verification = verdict.get("contract_verification")
    if not isinstance(verification, dict):
        yield "contract_verification", "缺少四组核对结果"
        return
    for layer in LAYERS:
        key = f"{layer}_checks"
        listed = verification.get(key)
        if not isinstance(listed, list):
            yield key, "应是一个列表（没有核对项就写空列表）"
            continue
        for index, check in enumerate(listed):
            yield from ((f"{key}[{index}]{where}", detail) for where, detail in _one_check_faults(check))


def _one_check_faults(check: object) -> Iterator[tuple[str, str]]:
    if not isinstance(check, dict):
        yield "", "应是一个对象"
        return
    for key, allowed in (("status", _STATUS), ("confidence", _CONFIDENCE), ("constraint_type", _CONSTRAINT)):
        optional = key == "constraint_type" and key not in check
        if not optional and _word(check, key) not in allowed:
            yield f".{key}", f"应是 {'、'.join(allowed)} 之一"


def _score_faults(verdict: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    scores = verdict.get("scores", {})
    if not isinstance(scores, dict):
        yield "scores", "应是各项评分的对照表"
        return
    for name, entry in scores.items():
        if isinstance(entry, dict) and "score" not in entry:
            continue
        score = number(entry.get("score") if isinstance(entry, dict) else entry)
        if score is None or not 1 <= score <= 5:
            yield f"scores.{name}", "的分数应是 1 到 5 之间的数"


def _doubts(verdict: Mapping[str, object]) -> Iterator[str]:
    for layer, check in checks(verdict):
        if _word(check, "status") == "pass" or _forces(layer, check):
            continue
        title, key = LAYERS[layer]
        how = {"high": "有把握", "medium": "不太确定", "low": "把握很小"}.get(_word(check, "confidence"), "")
        detail = text(check.get("detail")) or "没有写明原因"
        yield f"{title} {text(check.get(key)) or '（没有编号）'}：评审觉得可能不符（{how}）：{detail}"


def _unchecked(verdict: Mapping[str, object], key: str, wanted: Iterable[str], title: str) -> Iterator[str]:
    done = {check.get(key) for _, check in checks(verdict) if isinstance(check.get(key), str)}
    for one in wanted:
        if one not in done:
            yield f"{title} {one} 没有核对。"


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
        elif "weight" in entry and not _near(entry["weight"], weight, 1e-6):
            yield f"「{DIMENSIONS[name]}」的权重应是 {weight:.2f}，评审写成了 {entry['weight']}。"
    unknown = [str(name) for name in scores if name not in WEIGHTS]
    if unknown:
        yield f"多出不认识的评分项：{'、'.join(unknown)}。"


def _mean_warnings(verdict: Mapping[str, object]) -> Iterator[str]:
    mean = weighted_mean(verdict)
    if mean is not None and not _near(verdict.get("overall"), mean, TOLERANCE):
        yield f"总分 {verdict.get('overall')} 与各项加权平均 {mean:.2f} 相差超过 {TOLERANCE}。"


def _near(value: object, wanted: float, tolerance: float) -> bool:
    given = number(value)
    return given is not None and abs(given - wanted) <= tolerance + 1e-9
