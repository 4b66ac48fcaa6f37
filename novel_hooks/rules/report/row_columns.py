"""The columns of score and work in a chapter's row of the report. Pure."""

from __future__ import annotations

from novel_hooks.annotations import Any, Mapping
from novel_hooks.rules.evaluation.gate_entry import ADOPTED, decision_word
from novel_hooks.rules.evaluation.score import DIMENSIONS
from novel_hooks.rules.settings import prices
from novel_hooks.rules.text.json_values import mapping, number


def score_list(evaluation: Mapping[str, Any]) -> list[float | None]:
    """Return the scores of the verdict in use, in the order of `DIMENSIONS`; None where there is none."""
    entries = mapping(evaluation.get("scores"))
    return [
        number(one.get("score")) if isinstance(one := entries.get(name), dict) else None
        for name in DIMENSIONS
    ]


def without_heading(text: str) -> str:
    """Return a chapter's text, its heading left out: the first line where it begins with `#`."""
    plain = text.lstrip()
    return plain.partition("\n")[2] if plain.startswith(("#", "＃")) else plain


def score_columns(score: Mapping[str, Any], evaluation: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a row that the evaluation gives; `score` as of `recent_chapters.score`.

    `gate` is the author's word for what became of the chapter.
    """
    gate = decision_word(score["decision"], score["accepted"], score["force_passed"])
    return {
        "overall": score["overall"],
        "scores": score_list(evaluation),
        "decision": score["decision"],
        "gate": ADOPTED if score["adopted"] else gate,
        "revisions": score["revisions"],
        "forced": score["force_passed"],
        "accepted": score["accepted"],
        "adopted": score["adopted"],
    }


def work_columns(work: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a row that the log gives; `work` as of `work_report.row`. Unknown is None."""
    total = work["total"]
    return {"duration_ms": total["duration_ms"], "tokens": prices.total_tokens(total), "cost": total["cost"]}
