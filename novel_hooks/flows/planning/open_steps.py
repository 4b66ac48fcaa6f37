"""The packets of the planning steps: whether a step is open, its inputs, its outputs. Reads only.

Source: protocol §2 (the steps of each state), §5 and §7.
"""

from __future__ import annotations

from novel_hooks import errors, roles
from novel_hooks.annotations import Any
from novel_hooks.flows.book import planned_chapters
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.chapter.view import View
from novel_hooks.flows.packet.gathering import Assembled
from novel_hooks.flows.planning import desk, planner_inputs
from novel_hooks.record import Record
from novel_hooks.rules.planning import planner_tasks
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.checkpoint import SETTING_UP
from novel_hooks.rules.steps.step_name import Step

_CASES = {
    "INIT": "setting up",
    "QUICK_START": "setting up",
    "VOL_REVIEW": "review due",
    "VOL_PLANNING": "other volume",
    "ERROR_RETRY": "step failed",
}


class Planned(Record):
    """A planning step prepared. `first` is the volume's first chapter."""

    volume: int
    first: int
    assembled: Assembled
    outputs: list[dict[str, Any]]


def prepare_step(book: Book, view: View, step: Step) -> Planned:
    """Prepare the step's packet. Raises StepNotConducted, PlanningNotDue, or all that stops the step."""
    if step.phase not in planner_tasks.CONDUCTED[step.kind]:
        raise errors.StepNotConducted(step=step.label)
    check_open(view, step)
    volume, last = step.number or view.point.volume, view.point.last
    first = planned_chapters.first_chapter(book, volume, last) if step.kind == "volume" else 1
    found = planner_inputs.for_step(book, view.point, step, volume, first)
    return Planned(volume, first, found, output_entries(book, step, volume))


def output_entries(book: Book, step: Step, volume: int) -> list[dict[str, Any]]:
    """Return the step's outputs as a packet lists them."""
    slot = {"V": f"vol-{volume:02d}", "STEP": step.file_name, "C": "{C}", "ID": "{ID}"}
    return [
        {"key": o.key, "path": o.pattern.format(**slot), "schema": o.schema, "required": o.required}
        for o in desk.outputs_of(book, step)
    ]


def check_open(view: View, step: Step) -> None:
    """Raise PlanningNotDue for a step that is not open: of a setup that is over, of another volume's plan."""
    point, due = view.point, view.due.step
    told = {"what": describe_step(step), "due": view.due.label}
    if step.kind == "setup":
        stopped = point.state == "ERROR_RETRY" and point.error.get("from_state") in SETTING_UP
        if stopped or not point.setting_up:
            raise errors.PlanningNotDue(case="step failed" if stopped else "set up", **told)
    elif due is None or (due.kind, due.number) != ("volume", step.number) or due.phase == "review":
        case, meant = _CASES.get(point.state, "writing"), steps.volume_step(point.volume, "outline")
        told["meant"] = describe_step(meant)
        raise errors.PlanningNotDue(case=case, volume=point.volume, **told)


def describe_step(step: Step) -> str:
    """Describe the step's work for the author, in a refusal of it."""
    if step.phase == "commit":
        return "让初始设定入库" if step.kind == "setup" else f"让第 {step.number} 卷的规划入库"
    return roles.PHASE_TITLES[step.phase] if step.kind == "setup" else f"规划第 {step.number} 卷"
