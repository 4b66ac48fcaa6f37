"""Failures of a step since the last one that succeeded: of form and of content, counted apart.

Form is how a file is written: JSON, its shape, headings, lengths. Source: protocol §2 (`fail`) and §8.
"""

from __future__ import annotations

from novel_hooks.annotations import TYPE_CHECKING, Any, Iterable

if TYPE_CHECKING:
    from novel_hooks.errors import Problem
    from novel_hooks.rules.steps.checkpoint import Checkpoint
    from novel_hooks.rules.steps.step_name import Step

MOST, MOST_FORM = 2, 3
"""At so many failures the author is asked: of content, and of form alone."""


def known_failures(point: Checkpoint) -> list[dict[str, Any]]:
    """Return the failures since the last step that succeeded.

    `{step, revision_count, reason}` each, with `form: true` where nothing but form was wrong.
    """
    found = point.document.get("failures")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def count(point: Checkpoint, step: Step, form: bool) -> int:
    """Count the step's failures of one sort in this round of revision."""
    return sum(one.get("form") is True for one in _own(point, step)) if form else _content(point, step)


def has_failed(point: Checkpoint, step: Step) -> bool:
    """Tell whether this step failed before in this round of revision, over more than form."""
    return _content(point, step) > 0


def is_last(point: Checkpoint, step: Step, form: bool) -> bool:
    """Tell whether the author is asked after one more failure of this sort."""
    return count(point, step, form) + 1 >= (MOST_FORM if form else MOST)


def entry(point: Checkpoint, step: Step, reason: str, form: bool) -> dict[str, Any]:
    """Return a failure as the checkpoint keeps it."""
    made = {"step": str(step), "revision_count": point.revisions, "reason": reason}
    return {**made, "form": True} if form else made


def only_form(problems: Iterable[Problem]) -> bool:
    """Tell whether there are errors, and all of them are of form."""
    grave = [problem for problem in problems if problem.severity == "error"]
    return bool(grave) and all(problem.of_form for problem in grave)


def _own(point: Checkpoint, step: Step) -> list[dict[str, Any]]:
    mine = (str(step), point.revisions)
    return [one for one in known_failures(point) if (one.get("step"), one.get("revision_count")) == mine]


def _content(point: Checkpoint, step: Step) -> int:
    return sum(one.get("form") is not True for one in _own(point, step))
