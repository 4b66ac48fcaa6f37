"""The budget of a project: stops the next step before an agent whose work would pass a limit. Reads only.

Every step of an agent counts: of chapters, of a sync, of planning. An agent at work is not stopped.
"""

from __future__ import annotations

from novel_hooks import errors, layout, roles
from novel_hooks.annotations import TYPE_CHECKING, Any, Mapping
from novel_hooks.errors import Problem
from novel_hooks.flows.book import settings
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.chapter import handout, work_log, writing_run
from novel_hooks.flows.chapter.writing_run import Run
from novel_hooks.rules.settings import budget, prices
from novel_hooks.rules.settings.budget import CHAPTER, RUN, TOKENS, Unpriced
from novel_hooks.rules.steps import agents, resync_steps
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.text.json_values import objects
from novel_hooks.store.lock import lockstate

if TYPE_CHECKING:
    from novel_hooks.rules.steps.checkpoint import Checkpoint
    from novel_hooks.rules.steps.next_step import Next
    from novel_hooks.rules.steps.step_name import Step

    Stages = list[dict[str, Any]]

RECENT = 10
"""So many landed chapters say what a step usually costs."""


def hold_to_limits(book: Book, point: Checkpoint, due: Next) -> Next:
    """Return the next step, stopped with the author's answers when it would pass his budget."""
    step = due.step
    if step is None or not _is_agents_turn(book, due, step):
        return due
    limits, work = settings.budget(book), _work(book, point, step)
    blind = _unpriced(book, limits, work, due)
    currency = settings.currency(book)
    if blind is not None:
        why = budget.unpriced_reason(blind, currency)
        return due._replace(reason=why, stop=True, choices=budget.unpriced_choices(blind))
    earlier = _earlier_stages(book, point.last, step)
    uncounted = budget.uncounted(limits, work, earlier)
    if uncounted is not None:
        why = budget.uncounted_reason(uncounted, currency)
        return due._replace(reason=why, stop=True, choices=budget.uncounted_choices(uncounted))
    found = budget.passing(limits, work, earlier, step.phase)
    if found is None:
        return due
    run = writing_run.read(book)
    left = None if run is None or run.wanted is None else max(1, run.chapter + run.wanted - point.last - 1)
    title = roles.phase_title(step.kind, step.phase)
    reason = budget.reason(found, step.number, title, currency)
    return due._replace(reason=reason, stop=True, choices=budget.choices(found, left))


def _is_agents_turn(book: Book, due: Next, step: Step) -> bool:
    if agents.agent_of(step) is None or due.recorded or due.stop:
        return False
    out = handout.read(book)
    return not ((out.step, out.role) == (str(step), due.role) and out.busy and not out.has_outcome)


def _unpriced(
    book: Book, limits: Mapping[str, float], work: Mapping[str, Stages], due: Next
) -> Unpriced | None:
    sent = agents.model_of(due.step, due.role, settings.models(book)) if due.step else None
    known = any(prices.is_whole(price) for price in settings.prices(book).values())
    return budget.unpriced(limits, work, sent, known)


def uncounted_problems(book: Book, point: Checkpoint) -> list[Problem]:
    """Warn of work that the budget cannot count: models without prices, steps of the chapter or sync."""
    found = settings.unpriced_warnings(book)
    opened = resync_steps.open_sync(point)
    chapter = opened.chapter if opened else point.inflight
    if not settings.budget(book) or chapter is None:
        return found
    _, count = budget.spent(_work_stages(book, chapter), TOKENS)
    return [*found, errors.BudgetUncounted(layout.CONFIG, count=count)] if count else found


def _work(book: Book, point: Checkpoint, step: Step) -> Mapping[str, Stages]:
    """Return the stages of the step's chapter so far, and of the run whose session holds the lock."""
    own = None if step.chapter is None else _work_stages(book, step.chapter)
    work = {} if own is None else {CHAPTER: own}
    run = writing_run.read(book)
    if run is None or lockstate.read_info(book.project).get("owner") != run.owner:
        return work
    return {**work, RUN: run_stages(book, run, point)}


def _work_stages(book: Book, chapter: int) -> Stages:
    return [*_stages(book, layout.work_log(chapter)), *_unlogged_runs(book, chapter)]


def run_stages(book: Book, run: Run, point: Checkpoint) -> Stages:
    """Return the stages of a run: of its landed chapters, of the one in work, of its other steps.

    Each is as of `prices.stage_costs`.
    """
    listed: Stages = []
    at_work = point.inflight or point.last + 1
    for number in range(min(run.chapter, at_work), at_work + 1):
        path = layout.work_log(number) if number == at_work else layout.chapter_log(number)
        stages = _stages(book, path, recorded=False)
        listed += stages[run.stages :] if number == run.chapter else stages
    other = work_log.other_stages(book)[run.other :]
    return [*listed, *(_costs(book, one) for one in other), *_unlogged_runs(book)]


def other_work(book: Book, run: Run) -> list[Step]:
    """Return the steps of a run that wrote no chapter, one entry for each agent that was sent."""
    names = (str(one.get("step")) for one in work_log.other_stages(book)[run.other :])
    return [step for name in names if (step := _step(name)) is not None]


def _unlogged_runs(book: Book, chapter: int | None = None) -> Stages:
    """Return the agents' runs of the step that is out; its line comes into the log when it advances.

    `chapter`: only when it is a step of this chapter.
    """
    out = handout.read(book)
    step = _step(out.step or "")
    if out.recorded or step is None or chapter not in (None, step.chapter):
        return []
    return [_costs(book, {**run, "name": step.phase}) for run in out.runs]


def _step(name: str) -> Step | None:
    return attempt(lambda: steps.parse(name))[0]


def _earlier_stages(book: Book, last: int, step: Step) -> Stages:
    """Return the stages that say what the step usually costs; for a chapter's own, those of chapters."""
    numbers = range(max(1, last - RECENT + 1), last + 1)
    found = [stage for number in numbers for stage in _stages(book, layout.chapter_log(number))]
    other = [] if step.kind == "chapter" else work_log.other_stages(book)
    return [*found, *(_costs(book, one) for one in other)]


def _stages(book: Book, path: str, recorded: bool = True) -> Stages:
    """Return the stages of a log; without `recorded`, not those of a sync: they have a log of their own."""
    found, _ = attempt(lambda: book.own(path))  # `novel log` and the checkup name a fault
    entries = objects(found.get("stages")) if isinstance(found, dict) else []
    return [_costs(book, one) for one in entries if recorded or "step" not in one]


def _costs(book: Book, entry: Mapping[str, Any]) -> dict[str, Any]:
    return prices.stage_costs(entry, settings.prices(book))
