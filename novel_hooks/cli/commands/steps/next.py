"""`novel next`: show the next step. Reads only. Source: protocol §2, §8."""

from __future__ import annotations

from novel_hooks import layout, roles
from novel_hooks.annotations import Any, Mapping
from novel_hooks.cli import blocks
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.context import Context
from novel_hooks.errors import Problem
from novel_hooks.flows.book import settings
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import distinct
from novel_hooks.flows.briefing import due_step, edits_before_draft
from novel_hooks.flows.chapter.view import View
from novel_hooks.flows.inventory import hand_edits, lost_chapters, lost_setting, strays
from novel_hooks.flows.packet import preflight
from novel_hooks.flows.session import pending_landing
from novel_hooks.rules.steps import agents, menu

_MADE = {
    "draft": ("chapter",),
    "summarize": ("summary", "delta", "crossref", "memory"),
    "judge": ("evaluation",),
}
"""The outputs whose absence makes a phase due."""


def run(context: Context) -> Answer:
    book = context.book()
    view = due_step.view(book)
    notes = [*pending_landing.problems(book.project), *lost_chapters.missed_problems(book)]
    notes += hand_edits.problems(book)
    notes += lost_setting.near_problems(book)
    notes += strays.near_problems(book.project, max(1, view.point.volume))
    notes += due_step.changed_problems(view)
    notes += edits_before_draft.problems(view)
    notes += due_step.page_problems(view)
    stops = preflight.problems(view)
    lost_setting.tell_places(book.project, [*notes, *stops])
    found = [
        *_unusable_problems(view),
        *_unplanned_problems(book, view),
        *_unsampled_problems(view),
        *_touched_problems(view),
        *_uncounted_problems(view),
        *stops,
    ]
    told = document(view)
    return build(told, describe(view, told, bool(stops)), distinct([*notes, *found]))


def _touched_problems(view: View) -> list[Problem]:
    """A chapter that is about to be written, and was planned before a setting was changed."""
    step = view.due.step
    if step is None or step.number is None or (step.kind, step.phase) != ("chapter", "draft"):
        return []
    if not view.point.document.get("pending_actions"):
        return []
    from novel_hooks.flows.planning import setting_changes

    return setting_changes.problems(view.book, step.number)


def _uncounted_problems(view: View) -> list[Problem]:
    """Steps of the chapter in work that the author's budget cannot count."""
    if not settings.budget(view.book):
        return []
    from novel_hooks.flows.checks import budget

    return budget.uncounted_problems(view.book, view.point)


def _unusable_problems(view: View) -> list[Problem]:
    """Files that are there but do not pass, where that is why the step is due: told as warnings."""
    desk = view.sync.desk if view.sync is not None else view.desk
    if desk is None or view.due.step is None or view.due.recorded:
        return []
    problems = [p for key in _MADE.get(view.due.step.phase, ()) for p in desk.present(key)]
    for problem in problems:
        problem.severity = "warning"
    return problems


def _unplanned_problems(book: Book, view: View) -> list[Problem]:
    """The same for a planning step that is due."""
    step = view.due.step
    if step is None or not step.of_plan or step.phase in ("commit", "review"):
        return []
    from novel_hooks.flows.planning import desk as planning_desk

    problems = planning_desk.unusable_problems(book, step)
    for problem in problems:
        problem.severity = "warning"
    return problems


def _unsampled_problems(view: View) -> list[Problem]:
    """The first draft of the style is due, and there is no prose of the author's: he can still give some."""
    step, due = view.due.step, view.due
    if step is None or (step.kind, step.phase) != ("setup", "style") or due.recorded or due.stop:
        return []
    if view.book.project.has(layout.staged(layout.STYLE_PROFILE)):
        return []
    from novel_hooks.flows.packet import style_measures

    return style_measures.sample_problems(view.book)


def document(view: View) -> dict[str, Any]:
    """Return the JSON document of protocol §8."""
    due, point = view.due, view.point
    step = due.step
    chapter = step.chapter if step else None
    agent = agents.agent_of(step) if step else None
    working = agent is not None and not due.recorded
    return {
        "step": str(step) if step else None,
        "chapter": chapter,
        "volume": step.number if step and step.kind == "volume" else point.volume,
        "phase": step.phase if step else None,
        "agent": agent if working else None,
        "model": _model(view) if working else None,
        "role": due.role if working else None,
        "recorded": due.recorded,
        "stop": due.stop,
        "state": point.state,
        "reason": due.reason,
        "choices": [choice._asdict() for choice in due.choices],
        "verdict": due_step.verdict(view),
        "notes": due_step.notes(view),
        "changes": due_step.changes(view),
    }


def _model(view: View) -> str | None:
    due = view.due
    if due.step is None:
        return None
    return agents.model_of(due.step, due.role, settings.models(view.book))


def describe(view: View, told: Mapping[str, Any], stopped: bool = False) -> str:
    """Return the next step in a few lines. `told` is its document.

    `stopped`: something must be repaired first.
    """
    due = view.due
    if due.step is None:
        head = "下一步：等你决定"
    elif not due.step.of_plan:
        who = roles.CHAPTER_AGENTS.get(due.step.phase)
        doer = f"（{roles.ROLES[who].title}）" if who and not due.recorded else ""
        doer = "（做好了，等你看过）" if view.paused else doer
        head = f"下一步：第 {due.step.number} 章 · {roles.PHASE_TITLES[due.step.phase]}{doer}"
    else:
        who = agents.planner_for(due.step)
        doer = f"（{roles.ROLES[who].title}）" if who else ""
        doer = "（做好了，有事等你定）" if view.paused else doer
        head = f"下一步：{roles.phase_title(due.step.kind, due.step.phase)}{doer}"
    lines = [head, f"原因：{due.reason}"]
    if stopped:
        lines.insert(1, blocks.AHEAD)
    if due.step is not None:
        lines.append(f"步骤：{due.step}")
    lines += blocks.verdict_lines(told["verdict"])
    lines += blocks.note_lines(told["notes"])
    lines += blocks.change_lines(told["changes"])
    lines += [blocks.choice_line(choice.label, choice.why, choice.command) for choice in due.choices]
    asks = bool(due.choices) and (due.stop or due.step is None or due.step.kind != "volume")
    if due.step is not None and not (asks or stopped):
        desk = menu.START if due.step.of_plan else menu.CONTINUE
        lines.append(f"怎么做：在 Claude Code 里输入 {desk}")
    return "\n".join(lines)
