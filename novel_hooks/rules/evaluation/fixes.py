"""Fixes of a revision: the smallest list that answers the verdicts.

The judges' own `required_fixes` come first; else 3 to 5 are made from the violations that forced the
revision; else from the two weakest scores. Source: protocol §3; seed 000 Step 3.5 (3).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

from novel_hooks.rules.evaluation.verdict_fields import DIMENSIONS, LAYERS, WEIGHTS, high_violations, score_of
from novel_hooks.rules.text.json_values import text

LEAST, MOST = 3, 5
"""So few and so many fixes are made from violations."""
SHOWN, LINE = 3, 160
"""So many faults are shown to the author, each at most so many characters long."""
WHOLE = "全章"
"""The target of a fix that names no place."""

_FILLERS = (
    {"target": WHOLE, "instruction": "通查全章，把与上面同类的冲突一并改掉，没有就不动。"},
    {
        "target": WHOLE,
        "instruction": "改完后核对前后文：人物知道的事、时间和物品要与改动处一致，其余段落保持原样。",
    },
)


def fixes(verdicts: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Return `[{target, instruction}]` from one or two verdicts, the used one first; never empty, no repeats.

    A judge's own list stays whole; only made ones are cut to MOST.
    """
    own = _distinct(fix for verdict in verdicts for fix in _required_fixes(verdict))
    return own or _violation_fixes(verdicts) or _score_fixes(verdicts)


def main_faults(verdicts: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the gravest faults of one or two verdicts, at most SHOWN lines for the author, never none.

    Certain violations come first, then the judges' own fixes, then the two weakest scores; of each the used
    verdict's first. Source: seed 000 Step 3.5 (the author decides over the verdict).
    """
    violations = [_violation_line(check) for verdict in verdicts for check in high_violations(verdict)]
    required = [
        f"{fix['target']}：{fix['instruction']}" for verdict in verdicts for fix in _required_fixes(verdict)
    ]
    weakest = [f"{fix['target']}：{fix['instruction']}" for fix in _score_fixes(verdicts)]
    lines = [_shorten_line(line) for line in [*violations, *required, *weakest]]
    return list(dict.fromkeys(lines))[:SHOWN]


def _violation_line(check: Mapping[str, Any]) -> str:
    title, key = LAYERS[check["layer"]]
    entry = " ".join(part for part in (f"违反{title}", text(check.get(key))) if part)
    return f"{entry}：{text(check.get('detail')) or '评审没有写明'}"


def _shorten_line(line: str) -> str:
    line = " ".join(line.split())
    return line if len(line) <= LINE else f"{line[: LINE - 1]}…"


def _required_fixes(verdict: Mapping[str, Any]) -> Iterable[dict[str, str]]:
    """Yield the judge's own fixes; a bare text is an instruction for the whole chapter."""
    listed = verdict.get("required_fixes")
    for entry in listed if isinstance(listed, list) else ():
        fix = entry if isinstance(entry, dict) else {"instruction": entry}
        instruction = text(fix.get("instruction"))
        if instruction:
            target = text(fix.get("target")) or WHOLE
            yield {"target": target.strip(), "instruction": instruction.strip()}


def _violation_fixes(verdicts: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Return LEAST to MOST fixes, those beyond MOST put together in the last one; [] without violations."""
    made = _distinct(_violation_fix(one) for verdict in verdicts for one in high_violations(verdict))
    if not made:
        return []
    if len(made) > MOST:
        rest = made[MOST - 1 :]
        listed = "；".join(f"{fix['target']}：{fix['instruction']}" for fix in rest)
        return [*made[: MOST - 1], {"target": WHOLE, "instruction": f"其余 {len(rest)} 处一并改正：{listed}"}]
    return [*made, *_FILLERS[: max(0, LEAST - len(made))]]


def _violation_fix(check: Mapping[str, Any]) -> dict[str, str]:
    title, key = LAYERS[check["layer"]]
    detail = text(check.get("detail")) or "评审没有写明，请对照原条目找到冲突处"
    target = f"{title} {text(check.get(key)) or ''}".strip()
    return {"target": target, "instruction": f"改掉违反之处，使正文符合这一条。评审指出：{detail}"}


def _score_fixes(verdicts: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
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
        {"target": WHOLE, "instruction": "评审没有写明扣分处；请对照本章目标逐条补强最弱的一场。"}
    ]


def _score_fix(name: str, score: float, verdict: Mapping[str, Any]) -> dict[str, str]:
    entry = verdict["scores"][name]
    reason = text(entry.get("reason")) if isinstance(entry, dict) else None
    advice = f"评审的理由：{reason}" if reason else "评审没有写理由，请找出这一项最弱的一段重写"
    return {"target": DIMENSIONS[name], "instruction": f"这一项只有 {score} 分，提高它。{advice}"}


def _distinct(made: Iterable[dict[str, str]]) -> list[dict[str, str]]:
    distinct: list[dict[str, str]] = []
    for fix in made:
        if fix not in distinct:
            distinct.append(fix)
    return distinct
