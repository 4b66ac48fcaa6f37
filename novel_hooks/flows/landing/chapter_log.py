"""`logs/chapter-C-log.json`: each agent's work and its duration. Source: protocol §1.

Unknown is null, never 0.
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.flows.book import settings
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.chapter import work_log
from novel_hooks.flows.chapter.desk import Desk
from novel_hooks.rules.evaluation import gate_entry
from novel_hooks.rules.settings import prices as settings_prices
from novel_hooks.rules.steps.checkpoint import Checkpoint

_DOLLARS = ("美元", "美金", "USD", "US$", "$")


def document(desk: Desk, point: Checkpoint, evaluation: Mapping[str, Any]) -> dict[str, Any]:
    """Return the chapter's log as it lands."""
    work = work_log.read(desk.book, desk.number)
    stages = list(work.get("stages") or ())
    known = [s["duration_ms"] for s in stages if isinstance(s.get("duration_ms"), int)]
    gate = gate_entry.gate_of(evaluation)
    return {
        "chapter": desk.number,
        "storyline_id": desk.contract().storyline_id,
        "started_at": work.get("started_at"),
        "stages": stages,
        "gate_decision": gate.get("decision"),
        "revisions": point.revisions,
        "force_passed": bool(gate.get("force_passed")),
        "accepted": gate_entry.is_accepted(evaluation),
        "judges": judges(gate_entry.metadata(evaluation)),
        "total_duration_ms": sum(known) if known else None,
        "total_cost_usd": _dollars(desk.book, stages),
    }


def _dollars(book: Book, stages: Sequence[Any]) -> float | None:
    """Return the cost of all stages together, where the author's prices are in dollars and complete."""
    try:
        prices, money = settings.prices(book), settings.currency(book)
    except Problem:
        return None
    if (money or "").upper() not in _DOLLARS or not all(isinstance(one, dict) for one in stages):
        return None
    total = settings_prices.total_costs(settings_prices.stage_costs(one, prices) for one in stages)
    whole = not total["unpriced"] and not total["rough"]
    return total["cost"] if whole else None


def judges(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the judges' models and scores, without the verdicts, which stay in the evaluation."""
    judges = metadata.get("judges")
    if not isinstance(judges, dict):
        return {}
    return {
        name: {k: v for k, v in value.items() if k != "verdict"} if isinstance(value, dict) else value
        for name, value in judges.items()
    }
