"""The last run: its chapters, the author's decisions, its costs. Pure."""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Any, Iterable, Mapping
from novel_hooks.rules.settings import prices

if TYPE_CHECKING:
    from novel_hooks.rules.steps.step_name import Step

_SHOWN = ("chapter", "title", "chars", "overall", "decision", "gate", "revisions", "forced", "accepted")


def last_run(
    started_at: str,
    first: int,
    wanted: int | None,
    rows: Iterable[Mapping[str, Any]],
    stages: Iterable[Mapping[str, Any]],
    other: Iterable[Step],
    limits: Mapping[str, float],
) -> dict[str, Any]:
    """Return `{started_at, wanted, chapters[], chars, recorded[], planned[], spent, limits}` of a run.

    It began with chapter `first`. `rows` are the report's chapters, `stages` the run's steps as of
    `prices.stage_costs`; `spent` are their totals, with all `tokens` together. `other` are its steps that
    wrote no chapter: `recorded` are the chapters of those that recorded one, `planned` the rest, as the
    author reads them. `limits` are his, as far as they are of a run.
    """
    aside = list(other)
    written = [{key: row[key] for key in _SHOWN} for row in rows if row["chapter"] >= first]
    total = prices.total_costs(stages)
    return {
        "started_at": started_at,
        "wanted": wanted,
        "chapters": written,
        "chars": sum(row["chars"] or 0 for row in written),
        "recorded": sorted({one.number or 0 for one in aside if one.kind == "sync"}),
        "planned": list(dict.fromkeys(one.label for one in aside if one.kind != "sync")),
        "spent": {**total, "tokens": prices.total_tokens(total)},
        "limits": {key: limit for key, limit in limits.items() if key.startswith("run_")},
    }
