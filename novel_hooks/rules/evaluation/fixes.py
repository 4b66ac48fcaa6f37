"""Fixes of a revision: the smallest list that answers the verdicts.

The judges' own `required_fixes` come first; else 3 to 5 are made from the violations that forced the
revision; else from the two weakest scores. Source: protocol §3; seed 000 Step 3.5 (3).
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Iterable, Mapping, Sequence
from novel_hooks.rules.evaluation import required_fixes
from novel_hooks.rules.evaluation.required_fixes import KINDS, STORY, TEXT, WHOLE
from novel_hooks.rules.evaluation.score import DIMENSIONS, WEIGHTS, score_of
from novel_hooks.rules.evaluation.verdict import LAYERS, high_violations
from novel_hooks.rules.text import excerpt
from novel_hooks.rules.text.json_values import text

LEAST, MOST = 3, 5
"""So few and so many fixes are made from violations."""
SHOWN, LINE = 3, 160
"""So many faults are shown to the author, each at most so many characters long."""
GOOD = 4
"""A score of a dimension that nobody need raise."""
_WORDS = "style_naturalness"
"""The dimension that is mended in the words alone."""

_FILLERS = (
    {"target": WHOLE, "instruction": "通查全章，把与上面同类的冲突一并改掉，没有就不动。"},
    {
        "target": WHOLE,
        "instruction": "改完后核对前后文：人物知道的事、时间和物品要与改动处一致，其余段落保持原样。",
    },
)


def fixes(
    verdicts: Sequence[Mapping[str, Any]],
    listed: Sequence[Mapping[str, Any]] | None = None,
    told: bool = False,
) -> list[dict[str, Any]]:
    """Return the writer's fixes from one or two verdicts, the used one first, without repeats.

    When the judges ask for nothing, the weakest scores make the list. `told`: the author has said what he
    wants; then a good score makes no fix, and the list may be empty. `listed` are the judges' own fixes as
    the evaluation keeps them, `{target, instruction, kind, quote?}`. An older evaluation keeps none (None),
    and its fixes have no kind. The judges' own list stays whole; only made fixes are cut to MOST.
    """
    asked = _own_fixes(verdicts, listed) or _violation_fixes(verdicts)
    if asked or not told:
        return asked or _score_fixes(verdicts)
    return _score_fixes(verdicts) if _lowest(verdicts) < GOOD else []


def refiner_fixes(
    verdicts: Sequence[Mapping[str, Any]], listed: Sequence[Mapping[str, Any]] | None = None
) -> list[dict[str, Any]]:
    """Return the refiner's list: the `fixes` of the words alone; it may be empty."""
    return [fix for fix in fixes(verdicts, listed) if fix.get("kind", TEXT) == TEXT]


def main_faults(
    verdicts: Sequence[Mapping[str, Any]], listed: Sequence[Mapping[str, Any]] | None = None
) -> list[str]:
    """Return the gravest faults of one or two verdicts, at most SHOWN lines for the author, never none.

    Certain violations come first, then the judges' own fixes, then the two weakest scores unless they are
    good; of each the used verdict's first. Issues that they only mention follow when nothing else is left.
    Source: seed 000 Step 3.5 (the author decides over the verdict).
    """
    violations = [_violation_line(check) for verdict in verdicts for check in high_violations(verdict)]
    required = [fix_line(fix) for fix in _own_fixes(verdicts, listed)]
    weakest = [fix_line(fix) for fix in _score_fixes(verdicts)]
    lines = [*violations, *required, *(weakest if _lowest(verdicts) < GOOD else [])]
    issues = [str(issue) for verdict in verdicts for issue in verdict.get("issues") or () if text(issue)]
    return list(dict.fromkeys(excerpt.shorten(line, LINE) for line in lines or issues or weakest))[:SHOWN]


def _lowest(verdicts: Sequence[Mapping[str, Any]]) -> float:
    """Return the lowest score of a dimension; 0 when there is none."""
    scores = (score_of(verdict, name) for verdict in verdicts for name in WEIGHTS)
    return min((score for score in scores if score is not None), default=0)


def fix_line(fix: Mapping[str, Any]) -> str:
    """Return a fix as the author reads it."""
    return f"{fix['target']}：{fix['instruction']}"


def _own_fixes(
    verdicts: Sequence[Mapping[str, Any]], listed: Sequence[Mapping[str, Any]] | None
) -> list[dict[str, Any]]:
    if listed is not None:
        return required_fixes.of_kind(listed, *KINDS)
    own = (fix for verdict in verdicts for fix in required_fixes.own_fixes(verdict))
    return _distinct({"target": fix["target"], "instruction": fix["instruction"]} for fix in own)


def _violation_line(check: Mapping[str, Any]) -> str:
    title, key = LAYERS[check["layer"]]
    entry = " ".join(part for part in (f"违反{title}", text(check.get(key))) if part)
    return f"{entry}：{text(check.get('detail')) or '评审没有写明'}"


def _violation_fixes(verdicts: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return LEAST to MOST fixes, those beyond MOST put together in the last one; [] without violations."""
    made = _distinct(_violation_fix(one) for verdict in verdicts for one in high_violations(verdict))
    if not made:
        return []
    if len(made) > MOST:
        rest = made[MOST - 1 :]
        listed = "；".join(f"{fix['target']}：{fix['instruction']}" for fix in rest)
        return [*made[: MOST - 1], {"target": WHOLE, "instruction": f"其余 {len(rest)} 处一并改正：{listed}"}]
    return [*made, *_FILLERS[: max(0, LEAST - len(made))]]


def _violation_fix(check: Mapping[str, Any]) -> dict[str, Any]:
    title, key = LAYERS[check["layer"]]
    detail = text(check.get("detail")) or "评审没有写明，请对照原条目找到冲突处"
    target = f"{title} {text(check.get(key)) or ''}".strip()
    return {"target": target, "instruction": f"改掉违反之处，使正文符合这一条。评审指出：{detail}"}


def _score_fixes(verdicts: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return fixes of the two weakest dimensions, each by its lowest score; equal ones by weight."""
    lowest: list[tuple[float, float, str, Mapping[str, Any]]] = []
    for name, weight in WEIGHTS.items():
        scored = [(score, v) for v in verdicts if (score := score_of(v, name)) is not None]
        if scored:
            score, verdict = min(scored, key=lambda pair: pair[0])
            lowest.append((score, -weight, name, verdict))
    lowest.sort(key=lambda entry: entry[:2])
    made = [_score_fix(name, score, verdict) for score, _, name, verdict in lowest[:2]]
    return made or [
        {
            "target": WHOLE,
            "instruction": "评审没有写明扣分处；请对照本章目标逐条补强最弱的一场。",
            "kind": STORY,
        }
    ]


def _score_fix(name: str, score: float, verdict: Mapping[str, Any]) -> dict[str, Any]:
    entry = verdict["scores"][name]
    reason = text(entry.get("reason")) if isinstance(entry, dict) else None
    advice = f"评审的理由：{reason}" if reason else "评审没有写理由，请找出这一项最弱的一段重写"
    return {
        "target": DIMENSIONS[name],
        "instruction": f"这一项只有 {score} 分，提高它。{advice}",
        "kind": TEXT if name == _WORDS else STORY,
    }


def _distinct(made: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    listed = list(made)
    return [fix for at, fix in enumerate(listed) if fix not in listed[:at]]
