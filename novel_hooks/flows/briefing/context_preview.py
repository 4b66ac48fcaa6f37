"""A preview of an agent's context, for a person: the inputs that are there, and those that are missing.

Nothing is handed out. The packet of a landed chapter is not kept, so its context is made anew: text, state,
foreshadowing and the storyline's memory as they were before it, everything else as it is now. Source: seed
000 Step 2.6, protocol §7.
"""

from __future__ import annotations

from novel_hooks import errors, layout, roles
from novel_hooks.annotations import Any, Iterator, Mapping
from novel_hooks.errors import Problem
from novel_hooks.flows.book import planned_chapters, settings
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.briefing import due_step
from novel_hooks.flows.chapter import landed_desk
from novel_hooks.flows.chapter.desk import Desk
from novel_hooks.flows.chapter.view import View
from novel_hooks.flows.packet import chapter_inputs, phase_inputs
from novel_hooks.flows.packet.gathering import Assembled
from novel_hooks.record import Record
from novel_hooks.rules.steps import agents as steps_agents
from novel_hooks.rules.steps.step_name import Step

NOW, LANDED, DONE, AHEAD = "now", "landed", "done", "ahead"
"""As `instructions` gives it; of a landed chapter; of a planning step that is over, or not yet due."""

_NOT_KEPT = {(LANDED, "hints"): "入库以后不留"}


class Preview(Record):
    """A preview. `when` is NOW, LANDED, DONE or AHEAD.

    `missing`: `{key, path, how}` of inputs that are not there yet. `manifest` is this step's packet in
    staging, as it was handed out; None without one.
    """

    step: Step
    when: str
    volume: int
    agent: str
    model: str | None
    role: str | None
    assembled: Assembled
    missing: tuple[Mapping[str, Any], ...]
    manifest: str | None


def chapter_preview(book: Book, agent: str, chapter: int | None) -> Preview:
    """Preview a chapter's agent: for the chapter in work, the next one, or a landed one.

    Raises ChapterNotDue for a later one, and the faults of the project's files.
    """
    phase = next(phase for phase, who in roles.CHAPTER_AGENTS.items() if who == agent)
    point = book.checkpoint()
    here = point.inflight if point.active and point.inflight else point.last + 1
    view = _view(book, Step("chapter", chapter or here, phase))
    opened = view.sync.opened.chapter if view.sync else None
    asked = chapter or opened or here
    step, role, due = Step("sync" if asked == opened else "chapter", asked, phase), None, view.due.step
    if due is not None and due.number == asked and roles.CHAPTER_AGENTS.get(due.phase) == agent:
        step, role = due, view.due.role
    elif phase == "judge":
        role = "primary"
    when = LANDED if asked <= point.last and asked != opened else NOW
    desk = _desk(book, view, step, asked, here)
    fresh = point.revisions if when == NOW else 1
    found = chapter_inputs.for_phase(desk, step.phase, fresh, ahead=True)
    model = steps_agents.model_of(step, role, settings.models(book))
    missing = tuple(_missing(step, when, found))
    return Preview(step, when, desk.volume, agent, model, role, found, missing, _manifest(book, step))


def _view(book: Book, step: Step) -> View:
    """Return the view; an obstacle to it is raised with everything else that would stop the step."""
    try:
        return due_step.view(book)
    except Problem:
        from novel_hooks.flows.briefing import instructions

        instructions.build(book, step)
        raise


def _desk(book: Book, view: View, step: Step, asked: int, here: int) -> Desk:
    point = view.point
    if view.sync is not None and step.kind == "sync":
        if view.sync.changed:
            raise errors.SyncTextChanged(layout.chapter(asked), chapter=asked)
        return view.sync.desk
    if asked <= point.last:
        return landed_desk.desk(book, asked, staged=False)
    if asked != here:
        raise errors.ChapterNotDue(chapter=asked, case="unwritten before", inflight=here)
    if point.state == "VOL_REVIEW":
        raise errors.ChapterNotDue(chapter=asked, case="volume over", volume=point.volume)
    return view.desk or Desk(book, max(1, point.volume), asked)


def planning_preview(book: Book, agent: str, volume: int | None) -> Preview:
    """Preview a planning agent, at any time. Raises PlanningNotDue when the volume's beginning is unknown."""
    from novel_hooks.flows.planning import planner_inputs

    view = due_step.view(book)
    table = {"setup": roles.SETUP_AGENTS, "volume": roles.VOLUME_AGENTS}
    kind, phase = next((k, p) for k, agents in table.items() for p, who in agents.items() if who == agent)
    number = (volume or _next_volume(book, view)) if kind == "volume" else None
    step, first = Step(kind, number, phase), 1
    if number is not None:
        _check_beginning(book, number)
        first = planned_chapters.first_chapter(book, number, view.point.last)
    held = number or view.point.volume
    found = planner_inputs.for_step(book, view.point, step, held, first, ahead=True)
    model = steps_agents.model_of(step, None, settings.models(book))
    when = _turn(book, view, step)
    missing = tuple(_missing(step, when, found))
    return Preview(step, when, held, agent, model, None, found, missing, _manifest(book, step))


def _next_volume(book: Book, view: View) -> int:
    """Return the volume that is being planned, or will be next."""
    current = max(1, view.point.volume)
    planning = view.point.state == "VOL_PLANNING" or not book.project.has(layout.outline(current))
    return current if planning else current + 1


def _check_beginning(book: Book, volume: int) -> None:
    before = book.outline(volume - 1) if volume > 1 else None
    if volume > 1 and (before is None or not before.headings):
        told = {"what": f"规划第 {volume} 卷", "volume": volume, "before": volume - 1}
        raise errors.PlanningNotDue(layout.outline(volume - 1), case="no outline before", **told)


def _turn(book: Book, view: View, step: Step) -> str:
    from novel_hooks.flows.planning import open_steps

    try:
        open_steps.check_open(view, step)
    except errors.PlanningNotDue:
        return DONE if step.number is None or book.project.has(layout.outline(step.number)) else AHEAD
    return NOW


def _manifest(book: Book, step: Step) -> str | None:
    written = layout.manifest(str(step).replace(":", "-"))
    return written if book.project.has(written) else None


def _missing(step: Step, when: str, found: Assembled) -> Iterator[Mapping[str, Any]]:
    given = {one.key for one in found.inputs} | {cut["key"] for cut in (found.cap or {}).get("cut", ())}
    for problem in found.lacking:
        told = problem.diagnostic()
        how = f"{told.message.rstrip('。')}。{told.fix}"
        yield {"key": _missing_key(problem, step), "path": problem.path, "how": how}
    for part in phase_inputs.phase_parts(step.phase):
        key = part.keys[0] if part.awaited else None
        if key is not None and key not in given:
            yield {"key": key, "path": None, "how": _NOT_KEPT.get((when, key), part.awaited)}


def _missing_key(problem: Problem, step: Step) -> str | None:
    """Return the key of the input that a missing file would be."""
    path = problem.path or ""
    bare = path.removeprefix(f"{layout.STAGING}/")
    names = {
        layout.BRIEF: "project_brief",
        layout.STYLE_PROFILE: "style_profile",
        layout.CHARACTERS: "character_contracts",
    }
    if step.number and step.kind != "volume":
        names[layout.chapter(step.number)] = "chapter_content"
    if bare.endswith("/outline.md"):
        return "chapter_outline"
    return names.get(bare) or ("chapter_contract" if "/chapter-contracts/" in bare else None)
