"""The view of a book: its checkpoint and its next step. Reads only. Source: protocol §2.

`next` and `status` load the code of an active stage only when a chapter is in work.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import TYPE_CHECKING, Any
from novel_hooks.errors import Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.chapter.view import View
from novel_hooks.flows.inventory import lost_setting
from novel_hooks.rules.steps import checkpoint as checkpoints
from novel_hooks.rules.steps import next_step
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.rules.steps.next_step import Next, Planned
from novel_hooks.rules.steps.step_name import Step

if TYPE_CHECKING:
    from novel_hooks.flows.planning.desk import PlanDesk
    from novel_hooks.rules.steps.checkpoint import Checkpoint
    from novel_hooks.rules.steps.questions import Question


def view(book: Book) -> View:
    """Return the view of the book.

    Raises what stops the step: a checkpoint that contradicts itself, a key file that is missing or broken.
    """
    point = book.checkpoint()
    contradiction = checkpoints.contradiction(point)
    if contradiction is not None:
        raise contradiction
    _check_not_behind(book, point)
    lost_setting.check(book, point)
    if point.state == "ERROR_RETRY":
        return View(book, point, None, None, next_step.next_step(point, None, None))
    if point.active and point.inflight is not None:
        from novel_hooks.flows.chapter import handout, staged

        desk = staged.Desk(book, point.volume, point.inflight)
        found = staged.staged(desk, point)
        due = next_step.next_step(point, found, None)
        if due.recorded or handout.read(book).exists:
            from novel_hooks.flows.checks import break_points

            due = break_points.apply(desk, point, found, due)
        return View(book, point, desk, found, within_budget(book, point, due))
    if point.document.get("sync"):
        from novel_hooks.flows.resync import view

        sync = view.open_sync(book, point)
        if sync is not None:
            return View(book, point, None, None, within_budget(book, point, sync.due), sync)
    due = next_step.next_step(point, None, planned(book, point))
    return View(book, point, None, None, within_budget(book, point, due))


def within_budget(book: Book, point: Checkpoint, due: Next) -> Next:
    """Return the step; stopped when its agent's work would pass the author's budget."""
    from novel_hooks.flows.book import settings

    # Broken settings are told by every command that needs them; nothing is handed out without them.
    if due.step is None or not attempt(lambda: settings.budget(book))[0]:
        return due
    from novel_hooks.flows.checks import budget  # loaded only where the author set one

    return budget.hold_to_limits(book, point, due)


def verdict(view: View) -> dict[str, Any] | None:
    """Return the verdict that the author is asked about; None when he is not asked."""
    if not view.stopped:
        return None
    from novel_hooks.flows.checks import gate  # loaded only where the author is asked

    return gate.verdict_for_author(view)


def notes(view: View) -> list[dict[str, Any]]:
    """Return the author's notes for the chapter to be written, revised or decided on, as JSON."""
    step = view.due.step
    if step is None or step.kind != "chapter" or step.phase not in ("draft", "revise", "review"):
        return []
    known = view.book.decisions()
    if not known:
        return []
    from novel_hooks.rules.steps import chapter_notes

    return [one._asdict() for one in chapter_notes.of_chapter(known, step.number or 0)]


def page_problems(view: View) -> list[Problem]:
    """Warn of the author's files that nobody reads, when the next step would use his notes for a plan."""
    step = view.due.step
    if step is None or not step.of_plan or step.phase in ("commit", "review"):
        return []
    from novel_hooks.flows.inventory import unread_pages

    return [one for one in unread_pages.problems(view.book.project) if one.severity != "info"]


def changed_problems(view: View) -> list[Problem]:
    """Warn of records of the chapter in work that were changed after the summarizer wrote them."""
    if view.desk is None:
        return []
    from novel_hooks.flows.chapter import staged

    return staged.records_problems(view.desk, view.point)


def changes(view: View) -> list[str]:
    """Return the lines on the last changes in a text that the author is asked about; [] when he is not."""
    step, again = view.due.step, view.sync is not None and view.sync.changed
    over_text = view.stopped and step is not None and step.phase not in ("draft", "summarize")
    if step is None or step.number is None or not (over_text or (again and view.due.stop)):
        return []
    from novel_hooks.flows.review import versions
    from novel_hooks.rules.review import difference

    found = versions.last_work(view.book, step.number)
    if found is None:
        return []
    left = f"，另有 {found.left} 段" if found.left else ""
    whole = f"{difference.counted_text(found.amount)}{left}（看全部：novel diff {step.number}）"
    return [whole, *found.lines]


def _check_not_behind(book: Book, point: Checkpoint) -> None:
    """Refuse an older checkpoint that came back: it would land a chapter over its first text.

    In the middle of a landing the chapter is there before the checkpoint: then the journal waits.
    """
    following = layout.chapter(point.last + 1)
    writing = point.state in checkpoints.WRITING_STATES
    if not writing or not book.project.has(following) or book.project.kind(layout.JOURNAL) != "absent":
        return
    raise errors.CheckpointBehind(layout.CHECKPOINT, last=point.last, chapter=point.last + 1, file=following)


def planned(book: Book, point: Checkpoint) -> Planned:
    """Return the plans of an idle project, as far as its state needs them."""
    if point.state in checkpoints.WRITING_STATES:
        outline = book.outline(point.volume)
        if outline is None or not outline.headings:
            if outline is not None and lost_setting.has_begun(book, point, point.volume):
                raise errors.OutlineEmpty(outline.path)  # never planned anew over landed chapters
            return _volume_due(book, point)
        return Planned(outline=True, end=outline.reach)
    if point.setting_up:
        return _setup_due(book, point)
    return Planned() if point.state == "VOL_REVIEW" else _volume_due(book, point)


_SETUP_OUTPUTS = {
    "brief": layout.BRIEF,
    "world": layout.WORLD_RULES,
    "characters": layout.CHARACTERS,
    "style": layout.STYLE_PROFILE,
}


def _setup_due(book: Book, point: Checkpoint) -> Planned:
    """Return the first setup phase whose output is neither landed nor staged and right; a template is none.

    Or the first whose planner has a question that the author has not answered, or an answer to carry out.
    Before any step has advanced, a staged brief with open places is in the making: its author finds it again.
    """
    from novel_hooks.flows.planning.desk import PlanDesk

    desk = PlanDesk(book, 1)
    for phase in steps.SETUP_PHASES[:-1]:
        step = Step("setup", None, phase)
        if desk.staged(step):
            _, problems = desk.step_files(step)
            making = point.state == "INIT" and any(isinstance(p, errors.BriefOpen) for p in problems)
            found = not making and all(p.severity != "error" for p in problems)
        else:
            found = _is_ready(book, _SETUP_OUTPUTS[phase])
        asked, decided = _asked(desk, step) if found else (None, False)
        if not found or asked or decided:
            return Planned(setup=phase, asked=asked, decided=decided)
    return Planned()


def _asked(desk: PlanDesk, step: Step) -> tuple[Question | None, bool]:
    from novel_hooks.flows.planning import questions

    return questions.open_question(desk.book, desk.questions(step), step)


def _is_ready(book: Book, path: str) -> bool:
    if path.endswith(layout.CHARACTERS):
        return any(name.endswith(".json") for name in book.project.names(path))
    if path.endswith((layout.BRIEF, layout.STYLE_PROFILE)):
        from novel_hooks.flows.book.templates import is_template

        return book.project.has(path) and not is_template(book, path)
    return book.project.has(path)


def _volume_due(book: Book, point: Checkpoint) -> Planned:
    """Return the phase of the volume's plan: found when all its rules pass; a spoilt one is planned again."""
    from novel_hooks.flows.planning.desk import PlanDesk

    desk, outline = PlanDesk(book, point.volume), steps.volume_step(point.volume, "outline")
    if book.project.kind(layout.staged(layout.outline(point.volume))) == "absent":
        from novel_hooks.flows.chapter import handout
        from novel_hooks.flows.planning import questions

        landed = book.outline(point.volume)
        replan = landed is not None and bool(landed.headings) and landed.end > point.last
        unasked = handout.read(book).step != str(outline) and questions.wants_wishes(book, outline)
        return Planned(replan=replan, wishes=unasked)
    _, problems = desk.step_files(outline)
    if any(p.severity == "error" for p in problems):
        return Planned(faulty=True)
    asked, decided = _asked(desk, outline)
    if asked or decided:
        return Planned(asked=asked, decided=decided)
    validated = point.document.get("last_step") == str(steps.volume_step(point.volume, "validate"))
    return Planned(volume_phase="commit" if validated else "validate")
