"""The budget on a project: the next step, stopped before an agent whose work would pass a limit. Reads only.

Only a chapter's own steps count. An agent that is at work already is not stopped.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from novel_hooks.rules.steps.checkpoint import Checkpoint
    from novel_hooks.rules.steps.next_step import Next

    Stages = list[dict[str, Any]]

from novel_hooks import errors, layout, roles
from novel_hooks.errors import Problem
from novel_hooks.flows.book import settings
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.chapter import handout, writing_run
from novel_hooks.flows.chapter.writing_run import Run
from novel_hooks.rules.settings import budget, prices
from novel_hooks.rules.settings.budget import CHAPTER, MONEY, RUN, TOKENS
from novel_hooks.rules.text.json_values import objects
from novel_hooks.store.formats import jsonio
from novel_hooks.store.lock import lockstate

RECENT = 10
"""So many landed chapters say what a step usually costs."""


def hold_to_limits(book: Book, point: Checkpoint, due: Next) -> Next:
    """Return the next step, stopped with the author's answers when it would pass his budget."""
    if not _is_agents_turn(book, due) or due.step is None or due.step.number is None:
        return due
    chapter = due.step.number
    found = budget.passing(
        settings.budget(book), _work(book, chapter), _earlier_stages(book, point.last), due.step.phase
    )
    if found is None:
        return due
    run = writing_run.read(book)
    left = 1 if run is None or run.wanted is None else max(1, run.chapter + run.wanted - point.last - 1)
    reason = budget.reason(found, chapter, roles.PHASE_TITLES[due.step.phase], settings.currency(book))
    return due._replace(reason=reason, stop=True, choices=budget.choices(found, left))


def _is_agents_turn(book: Book, due: Next) -> bool:
    step = due.step
    if step is None or step.kind != "chapter" or due.recorded or due.stop:
        return False
    out = handout.read(book)
    at_work = (out.step, out.role) == (str(step), due.role) and out.busy and not out.has_outcome
    return step.phase in roles.CHAPTER_AGENTS and not at_work


def uncounted_problems(book: Book, point: Checkpoint) -> list[Problem]:
    """Warn of steps of the chapter in work that the budget cannot count."""
    limits = settings.budget(book)
    if not limits or point.inflight is None:
        return []
    stages = _work(book, point.inflight)[CHAPTER]
    cases = ((TOKENS, "tokens"), (MONEY, "money"))
    counted = [
        (case, budget.spent(stages, what)[1])
        for what, case in cases
        if any(key.endswith(what) for key in limits)
    ]
    return [errors.BudgetUncounted(layout.CONFIG, case=case, count=count) for case, count in counted if count]


def _work(book: Book, chapter: int) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """Return the stages of the chapter so far, and of the run whose session holds the lock."""
    run = writing_run.read(book)
    if run is None or _lock_owner(book) != run.owner:
        return {CHAPTER: _work_stages(book, chapter)}
    return {CHAPTER: _work_stages(book, chapter), RUN: run_stages(book, run, chapter)}


def _work_stages(book: Book, chapter: int) -> Stages:
    return [*_stages(book, layout.work_log(chapter)), *_unlogged_runs(book, chapter)]


def run_stages(book: Book, run: Run, chapter: int) -> Stages:
    """Return the stages of a run, of its landed chapters and of `chapter`, which is in work or comes next.

    Each is as of `prices.stage_costs`.
    """
    own = _work_stages(book, chapter)
    listed: Stages = []
    for number in range(min(run.chapter, chapter), chapter + 1):
        stages = own if number == chapter else _stages(book, layout.chapter_log(number))
        listed += stages[run.stages :] if number == run.chapter else stages
    return listed


def _unlogged_runs(book: Book, chapter: int) -> Stages:
    """Return the agents' runs of the step that is out; its line comes into the log when it advances."""
    out = handout.read(book)
    if out.recorded or out.step is None or not out.step.startswith(f"chapter:{chapter:03d}:"):
        return []
    return [_costs(book, dict(run)) for run in out.runs]


def _earlier_stages(book: Book, last: int) -> Stages:
    numbers = range(max(1, last - RECENT + 1), last + 1)
    return [stage for number in numbers for stage in _stages(book, layout.chapter_log(number))]


def _stages(book: Book, path: str) -> Stages:
    try:
        found = book.own(path)
    except Problem:
        return []  # `novel log` and the checkup name it; what it cost cannot be known
    entries = objects(found.get("stages")) if isinstance(found, dict) else []
    return [_costs(book, one) for one in entries]


def _costs(book: Book, entry: Mapping[str, Any]) -> dict[str, Any]:
    return prices.stage_costs(entry, settings.prices(book))


def _lock_owner(book: Book) -> object:
    raw = lockstate.raw_info(book.project, layout.LOCK_INFO)
    try:
        found = None if raw is None else jsonio.parse(raw, layout.LOCK_INFO)
    except Problem:
        return None
    return found.get("owner") if isinstance(found, dict) else None
