"""`novel instructions STEP`: the packet of a step; handed out when it is the next one. Source: seed 004."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

from novel_hooks import layout, roles
from novel_hooks.errors import ChapterNotDue, StepNotConducted, SyncTextChanged
from novel_hooks.flows import assemble, fencing, handout, look, shelf
from novel_hooks.flows.book import Book
from novel_hooks.flows.look import View
from novel_hooks.flows.outputs import Desk
from novel_hooks.flows.session import Session
from novel_hooks.record import Record
from novel_hooks.rules import crew, packet
from novel_hooks.rules import delta as deltas
from novel_hooks.rules.step import Step
from novel_hooks.store import journal, jsonio
from novel_hooks.store.journal import Change

_PLANNED = ("setup", "volume")


class Instructions(Record):
    """The packet, the guides it names (path → bytes), and whether the step is the next one."""

    packet: dict[str, Any]
    guides: dict[str, bytes]
    due: bool
    revisions: int

    def manifest(self) -> str:
        return layout.manifest(str(self.packet["step"]).replace(":", "-"))


def build(book: Book, step: Step, embed: bool = False) -> Instructions:
    """Raises everything that stops the step, at once. Reads only."""
    if step.kind in _PLANNED:
        return _planned(book, step, embed)
    if step.kind not in ("chapter", "sync") or step.number is None:
        raise StepNotConducted(step=str(step))
    view = look.at(book)
    point = view.point
    desk = _desk(book, view, step, step.number)
    due = view.due.step == step
    role = view.due.role if due else ("primary" if step.phase == "judge" else None)
    found = assemble.for_phase(desk, step.phase, point.revisions)
    document = packet.document(
        step,
        desk.volume,
        found.inputs,
        _outputs(desk, step.phase),
        _next_actions(step, role, view),
        model=crew.model_for(step.phase, role),
        role=role,
        embed=embed,
        warnings=found.warnings,
    )
    return Instructions(document, dict(found.guides), due, point.revisions)


def _planned(book: Book, step: Step, embed: bool) -> Instructions:
    """A step of setting up or of planning a volume."""
    from novel_hooks.flows import planning
    from novel_hooks.rules import planning as sheets

    view = look.at(book)
    plan = planning.of(book, view, step)
    found = plan.found
    document = sheets.document(
        step, plan.volume, plan.first, found.inputs, plan.outputs, embed=embed, warnings=found.warnings
    )
    return Instructions(document, dict(found.guides), True, 0)  # any step that is open may be handed out


def _desk(book: Book, view: View, step: Step, chapter: int) -> Desk:
    """Raises ChapterNotDue, SyncNotOpen, SyncTextChanged."""
    if step.kind == "sync":
        from novel_hooks.flows import syncview

        sync = syncview.need(view, step)
        if sync.changed:
            raise SyncTextChanged(layout.chapter(chapter), chapter=chapter)
        return sync.desk
    if chapter != (view.point.inflight if view.point.active else view.point.last + 1):
        raise ChapterNotDue(chapter=chapter, detail=_expected(view))
    return view.desk or Desk(book, view.point.volume, chapter)


def _expected(view: View) -> str:
    return f"当前该做的是「{view.due.step or '等作者决定'}」"


def _outputs(desk: Desk, phase: str) -> list[dict[str, Any]]:
    """A judge writes nothing: its answer is recorded. A delta that the author skipped stays skipped."""
    if phase == "judge":
        return []
    return [
        {"key": o.key, "path": desk.path(o), "schema": o.schema, "required": o.required}
        for o in roles.CHAPTER_OUTPUTS.get(phase, ())
        if not (o.key == "delta" and deltas.is_skipped(desk.get("delta").value))
    ]


def _next_actions(step: Step, role: str | None, view: View) -> list[str]:
    if step.phase == "commit":
        return [f"novel commit --chapter {step.number}"]
    if step.phase == "review":
        return [choice.command for choice in view.due.choices]
    if step.phase == "judge":
        advance = [f"novel validate {step}", f"novel advance {step}"]
        if view.due.step == step and view.due.recorded:
            return advance
        record = f"novel judge record --chapter {step.number} --role {role or 'primary'} --file FILE"
        return [record, "novel next"]
    return [f"novel validate {step}", f"novel advance {step}"]


def hand_out(session: Session, step: Step, embed: bool, write: bool) -> Instructions:
    """Build the packet and note the hand-out; with `write` the packet lands in staging/manifests/."""
    book = Book(session.project)
    found = build(book, step, embed)
    changes: list[Change] = [
        journal.put(path, data) for path, data in found.guides.items() if book.read(path) != data
    ]
    if write:
        data = jsonio.dump(found.packet)
        changes += [journal.put(found.manifest(), data)] if book.read(found.manifest()) != data else []
    if found.due and found.packet["agent"]:
        if not handout.read(book):  # a step that is still out keeps the marks it was handed out with
            changes += fencing.mark(session.project, str(step), book.checkpoint().last)
        changes += _noted(book, found, session.caller.now)
    data_learnt = book.validity.changes()
    if data_learnt is not None:
        changes.append(journal.put(layout.VALIDITY, data_learnt))
    session.land(changes, label=f"交出 {step} 的任务包")
    return found


def _noted(book: Book, found: Instructions, now: float) -> list[Change]:
    """The same step handed out again keeps its first moment."""
    out = handout.read(book)
    step, role = str(found.packet["step"]), found.packet["role"]
    text = _judged_text(found)
    same = (out.get("step"), out.get("role"), out.get("revisions"), out.get("text_sha256"))
    if same == (step, role, found.revisions, text):
        return []
    given = handout.given(step, role, found.packet["model"], found.revisions, now, text)
    return [*_saved(book, found), given]


def _judged_text(found: Instructions) -> str | None:
    """The hash of the text that a judge is given; a verdict on another text is not taken."""
    if found.packet["phase"] != "judge":
        return None
    hashes = (i["sha256"] for i in found.packet["inputs"] if i["key"] == "chapter_content")
    return next(hashes, None)


def _saved(book: Book, found: Instructions) -> list[Change]:
    """What the writer is about to write over is kept, and a verdict on a text that is gone goes too.

    A text that does not pass may be the author's own, saved in another encoding.
    """
    point, phase = book.checkpoint(), found.packet["phase"]
    if str(found.packet["step"]).split(":")[0] in ("sync", *_PLANNED):
        return []
    desk = Desk(book, point.volume, found.packet["chapter"])
    label = f"r{point.revisions}-before-{phase}"
    if phase == "draft":
        gone = ("evaluation",) if point.active else ()
        return [*shelf.kept(desk, ("chapter", *gone), label), *shelf.removed(desk, gone)]
    rewritten = phase in ("revise", "polish") and point.stage == "judged"
    return shelf.kept(desk, ("chapter",), label) if rewritten else []
