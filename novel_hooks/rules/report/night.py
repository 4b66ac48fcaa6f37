"""The last run: what was written, decided and spent. Pure."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

from novel_hooks.rules.settings import prices

_SHOWN = ("chapter", "title", "chars", "overall", "decision", "revisions", "forced", "accepted")


def night(
    started_at: str,
    first: int,
    wanted: int | None,
    rows: Iterable[Mapping[str, Any]],
    stages: Iterable[Mapping[str, Any]],
    limits: Mapping[str, float],
) -> dict[str, Any]:
    """Return `{started_at, wanted, chapters[], chars, spent, limits}` of a run from chapter `first` on.

    `rows` are the report's chapters, `stages` the run's steps as of `prices.stage_costs`; `spent` are their
    totals, with all `tokens` together. `limits` are the author's, as far as they are of a run.
    """
    written = [{key: row[key] for key in _SHOWN} for row in rows if row["chapter"] >= first]
    total = prices.total_costs(stages)
    return {
        "started_at": started_at,
        "wanted": wanted,
        "chapters": written,
        "chars": sum(row["chars"] or 0 for row in written),
        "spent": {**total, "tokens": prices.total_tokens(total)},
        "limits": {key: limit for key, limit in limits.items() if key.startswith("run_")},
    }
