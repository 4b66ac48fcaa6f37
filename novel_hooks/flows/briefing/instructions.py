"""`novel instructions STEP`: the packet of a step, handed out when it is the next one. Source: seed 004."""

from __future__ import annotations

from novel_hooks import errors, layout, roles
from novel_hooks.annotations import TYPE_CHECKING, Any
from novel_hooks.errors import FINDINGS, REFUSED, Problem, Problems
from novel_hooks.flows.book import settings
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.briefing import due_step, edits_before_draft
from novel_hooks.flows.chapter import desk as desks
from novel_hooks.flows.chapter import handout, kept_attempts, work_log
from novel_hooks.flows.chapter.desk import Desk
from novel_hooks.flows.chapter.handout import Handout
from novel_hooks.flows.chapter.view import View
from novel_hooks.flows.checks import break_points
from novel_hooks.flows.inventory import lost_chapters
from novel_hooks.flows.packet import chapter_inputs
from novel_hooks.flows.session import fence
from novel_hooks.flows.session.caller import Caller
from novel_hooks.flows.session.session import Session
from novel_hooks.record import Record
from novel_hooks.rules.packet import packet
from novel_hooks.rules.steps import agents
from novel_hooks.rules.steps import break_points as steps_break_points
from novel_hooks.rules.steps.checkpoint import WRITING_STATES
from novel_hooks.rules.steps.next_step import Next
from novel_hooks.rules.steps.step_name import Step
from novel_hooks.store.formats import jsonio
from novel_hooks.store.formats.text import comments, decode, without_comments
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change

if TYPE_CHECKING:
    from collections.abc import Mapping


class Instructions(Record):
    """A packet, the guides it names (path → bytes), and whether its step is the next one."""

    packet: dict[str, Any]
    guides: dict[str, bytes]
    due: bool
    revisions: int
    hints: Mapping[str, str] = {}
    halt: str = ""
    """Why nobody may be sent yet: the step would pass the author's budget."""

    def manifest(self) -> str:
        """Return the path of the packet in staging."""
        return layout.manifest(str(self.packet["step"]).replace(":", "-"))


def build(book: Book, step: Step, embed: bool = False, role: str | None = None) -> Instructions:
    """Build the step's packet. Reads only. `role` names a judge other than the one due.

    Raises everything that stops the step, at once.
    """
    if step.of_plan:
        return _planning_packet(book, step, embed)
    if step.number is None:
        raise errors.StepNotConducted(step=step.label)
    view = _view(book, step, step.number)
    point = view.point
    desk = _desk(book, view, step, step.number)
    due = view.due.step == step
    if step.phase != "judge" or role is None:
        role = view.due.role if due else ("primary" if step.phase == "judge" else None)
    found = chapter_inputs.for_phase(desk, step.phase, point.revisions)
    model = agents.model_of(step, role, settings.models(book))
    document = packet.document(
        step,
        desk.volume,
        found.inputs,
        _outputs(desk, step.phase),
        _next_actions(book, step, role, view),
        model=model,
        codex=agents.codex_choice(step.phase, role, model, settings.codex_models(book)),
        role=role,
        embed=embed,
        warnings=found.warnings,
        cap=found.cap,
        note=handout.author_note(book, str(step)),
    )
    halt = view.due.reason if due and view.due.stop and document["agent"] and not view.due.recorded else ""
    return Instructions(document, dict(found.guides), due, point.revisions, found.hints, halt)


def _view(book: Book, step: Step, chapter: int) -> View:
    """Return the view; an obstacle to it is raised with everything else that stops the step."""
    try:
        return due_step.view(book)
    except Problem as first:
        if step.kind == "chapter" and first.exit in (FINDINGS, REFUSED):
            raise Problems(_all_problems(book, step, chapter, first.problems)) from first
        raise


def _all_problems(book: Book, step: Step, chapter: int, told: tuple[Problem, ...]) -> list[Problem]:
    point = book.checkpoint()
    if chapter != (point.inflight if point.active else point.last + 1):
        return list(told)
    desk = Desk(book, point.volume, chapter)
    _, more = attempt(lambda: chapter_inputs.for_phase(desk, step.phase, point.revisions))
    known, lost = {str(p) for p in told}, {p.path for p in told if isinstance(p, errors.LostFile)}
    missing = (p for p in more if not (isinstance(p, errors.FileMissing) and p.path in lost))
    return [*told, *(p for p in missing if str(p) not in known)]


def _planning_packet(book: Book, step: Step, embed: bool) -> Instructions:
    """Build the packet of a step of setting up or of planning a volume."""
    from novel_hooks.flows.planning import open_steps
    from novel_hooks.rules.planning import planner_tasks as sheets

    view = due_step.view(book)
    plan = open_steps.prepare_step(book, view, step)
    found = plan.assembled
    model = agents.model_of(step, None, settings.models(book))
    document = sheets.document(
        step,
        plan.volume,
        plan.first,
        view.point.last,
        found.inputs,
        plan.outputs,
        model=model,
        codex=agents.codex_choice(step.phase, None, model, settings.codex_models(book)),
        embed=embed,
        warnings=found.warnings,
        cap=found.cap,
    )
    held = due_step.within_budget(book, view.point, Next(step, ""))
    # any step that is open may be handed out
    return Instructions(document, dict(found.guides), True, 0, found.hints, held.reason if held.stop else "")


def _desk(book: Book, view: View, step: Step, chapter: int) -> Desk:
    """Raises ChapterNotDue, SyncNotOpen, SyncTextChanged."""
    if step.kind == "sync":
        from novel_hooks.flows.resync import view as resync_view

        sync = resync_view.require_sync(view, step)
        if sync.changed:
            raise errors.SyncTextChanged(layout.chapter(chapter), chapter=chapter)
        return sync.desk
    point = view.point
    between = not point.active and point.state not in (*WRITING_STATES, "ERROR_RETRY")
    if between or chapter != (point.inflight if point.active else point.last + 1):
        raise errors.ChapterNotDue(chapter=chapter, case="other step", due=view.due.label)
    return view.desk or Desk(book, point.volume, chapter)


def _outputs(desk: Desk, phase: str) -> list[dict[str, Any]]:
    """Return the step's outputs. A judge has none: its answer is recorded. A skipped delta stays skipped."""
    if phase == "judge":
        return []
    return [
        {"key": o.key, "path": desk.path(o), "schema": o.schema, "required": o.required}
        for o in roles.CHAPTER_OUTPUTS.get(phase, ())
        if not (o.key == "delta" and desk.has_skipped_delta())
    ]


def _next_actions(book: Book, step: Step, role: str | None, view: View) -> list[str]:
    if step.phase == "commit":
        return [f"novel commit --chapter {step.number}"]
    if step.phase == "review":
        return [choice.command for choice in view.due.choices]
    taken = [f"novel validate {step}", f"novel advance {step}"]
    if step.phase == "judge" and not (view.due.step == step and view.due.recorded):
        record = f"novel judge record --chapter {step.number} --role {role or 'primary'} --file FILE"
        return ["novel next", record]  # `next` first: a hook may have taken the verdict
    if step.phase == "judge":
        return taken
    stopped = step.kind == "chapter" and step.phase in break_points.stops(book)
    return ["novel next", *taken] if stopped else taken


def hand_out(session: Session, step: Step, embed: bool, write: bool) -> Instructions:
    """Build the packet and record the hand-out; with `write` the packet lands in staging/manifests/."""
    book = Book(session.project)
    found = build(book, step, embed)
    session.caller.check_boundary()
    if found.halt:
        raise errors.BudgetReached(reason=found.halt)
    told = _without_comments(session, book, step) if write or embed else book
    if told is not book:
        book, found = told, build(told, step, embed)
    changes: list[Change] = [
        journal.put(path, data) for path, data in found.guides.items() if book.read(path) != data
    ]
    if write:
        data = jsonio.dump(found.packet)
        changes += [journal.put(found.manifest(), data)] if book.read(found.manifest()) != data else []
    if found.due and found.packet["agent"]:
        if not handout.read(book).exists:  # a step that is still out keeps the marks it was handed out with
            changes += fence.mark(session.project, str(step), book.checkpoint().last)
        changes += _handout_changes(book, found, session.caller, given=write or embed)
        lost_chapters.remember(book)
        edits_before_draft.remember_setting(book)
    changes += handout.learnt_changes(book)
    if step.of_plan:
        from novel_hooks.flows.planning import questions

        changes += questions.asked_changes(book, step)
    if step.kind == "volume" and step.phase == "outline":
        from novel_hooks.flows.planning import setting_changes

        changes += setting_changes.packet_changes(book)
    session.land(changes, label=f"交出 {step.label} 的任务包")
    return found


def _without_comments(session: Session, book: Book, step: Step) -> Book:
    """Make the author's comments in a text that an agent is to write over his notes for the chapter.

    They would be lost with the text, or be taken for the agent's. Returns the book after that landing.
    """
    if step.kind != "chapter" or step.number is None or step.phase not in steps_break_points.REWRITING:
        return book
    path = layout.staged(layout.chapter(step.number))
    data = book.read(path) or b""
    if b"<!--" not in data or not desks.is_taken(book, step.number) or due_step.view(book).due.step != step:
        return book
    from novel_hooks.rules.steps import chapter_notes, questions

    known = book.decisions()
    text = decode(data, path)
    for line, words in comments(text):
        told = f"{words}（写在稿子第 {line} 行的批注）"
        known, _ = chapter_notes.with_note(known, step.number, told, session.caller.stamp)
    puts = [
        journal.put(path, without_comments(text).encode("utf-8")),
        journal.put(layout.DECISIONS, jsonio.dump(questions.document(known))),
    ]
    session.land(puts, label=f"把第 {step.number} 章稿子里的批注记成给这一章的话")
    return Book(session.project)


def _handout_changes(book: Book, found: Instructions, caller: Caller, given: bool) -> list[Change]:
    """Return the hand-out. The same step again keeps its first moment; done again, its note and its costs.

    `given`: an agent gets the packet; else it is only read.
    """
    out = handout.read(book)
    step, role = str(found.packet["step"]), found.packet["role"]
    phase = found.packet["phase"]
    given_text = next((i["sha256"] for i in found.packet["inputs"] if i["key"] == "chapter_content"), None)
    text = given_text if phase in ("judge", "summarize") else None  # his words are about no other
    same = (out.step, out.role, out.revisions, out.text_sha256)
    known = same == (step, role, found.revisions, text) and not out.has_outcome
    if known and (out.given or not given):
        return []
    saved = _attempt_changes(book, found)
    again = out.said == steps_break_points.AGAIN or ((out.done or out.failed) and out.step == step)
    noted = Handout(
        step=step,
        role=role,
        model=found.packet["model"],
        revisions=found.revisions,
        at=round(caller.now, 3),
        text_sha256=text,
        handed=given_text if phase in steps_break_points.REWRITING else None,
        before=_kept_text_path(out, step, found, saved),
        note=handout.author_note(book, step),
        given=given,
        runs=out.runs if again else (),
    )
    passed = work_log.passed_stages(book, step, found.revisions)
    log = [work_log.add_stages(book, found.packet["chapter"], passed, caller.stamp)] if passed else []
    log += work_log.closing_changes(book, caller.now, caller.stamp) if out.step != step else []
    return [*saved, *log, handout.handout_change(noted)]


def _kept_text_path(out: Handout, step: str, found: Instructions, saved: list[Change]) -> str | None:
    """Return the path of the copy of the text that the agent will write over; the first copy stays."""
    if found.packet["phase"] not in steps_break_points.REWRITING:
        return None
    if out.step == step and out.before is not None:
        return out.before
    name = layout.chapter(found.packet["chapter"]).rpartition("/")[2]
    return next((c.path for c in saved if c.kind == "put" and c.path.endswith(name)), None)


def _attempt_changes(book: Book, found: Instructions) -> list[Change]:
    """Keep the text that the writer will write over, and a verdict on a text that is replaced.

    A text that does not pass may be the author's own, saved in another encoding.
    """
    point, phase = book.checkpoint(), found.packet["phase"]
    if not str(found.packet["step"]).startswith("chapter:"):
        return []
    desk = Desk(book, point.volume, found.packet["chapter"])
    label = f"r{point.revisions}-before-{phase}"
    if phase == "draft":
        gone = ("evaluation",) if point.active else ()
        return [*kept_attempts.copy(desk, ("chapter", *gone), label), *kept_attempts.drop(desk, gone)]
    rewritten = phase == "refine" or (phase in ("revise", "polish") and point.stage == "judged")
    rewritten = rewritten or (phase in steps_break_points.REWRITING and phase in break_points.stops(book))
    return kept_attempts.copy(desk, ("chapter",), label) if rewritten else []
