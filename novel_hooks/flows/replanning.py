"""`novel replan`: the rest of the current volume is planned anew; what is written stays. Source: issue 7.

The book goes back to VOL_PLANNING in the same volume; `cancel` takes that back. No plan is touched here: the
new one replaces the old one when it lands.
"""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.errors import ReplanNotNow
from novel_hooks.flows import handout
from novel_hooks.flows.book import Book
from novel_hooks.flows.session import Session
from novel_hooks.record import Record
from novel_hooks.rules import checkpoint as checkpoints
from novel_hooks.rules.checkpoint import Checkpoint
from novel_hooks.store import journal, jsonio

_LOOK = "运行 `novel next` 看现在该做什么。"


class Replanned(Record):
    """`first` is the first chapter that is planned anew."""

    volume: int
    first: int
    changed: bool
    point: Checkpoint


def run(session: Session) -> Replanned:
    """Raises ReplanNotNow; then nothing has changed. Said again it changes nothing."""
    book = Book(session.project)
    point = book.checkpoint()
    end = _end(book, point)
    if point.state == "VOL_PLANNING" and end > point.last:
        return Replanned(point.volume, point.last + 1, False, point)
    _refuse(book, point)
    if end <= point.last:
        raise ReplanNotNow(detail=f"第 {point.volume} 卷没有还没写的章", how=_LOOK)
    return _moved(session, point, "VOL_PLANNING")


def cancel(session: Session) -> Replanned:
    """Back to writing by the plan that is there."""
    book = Book(session.project)
    point = book.checkpoint()
    if point.state in checkpoints.WRITING_STATES:
        return Replanned(point.volume, point.last + 1, False, point)
    if point.state != "VOL_PLANNING" or _end(book, point) <= point.last:
        raise ReplanNotNow(detail=f"第 {point.volume} 卷没有可以接着写的规划", how=_LOOK)
    return _moved(session, point, "WRITING")


def _moved(session: Session, point: Checkpoint, state: str) -> Replanned:
    moved = point.moved(session.caller.stamp, orchestrator_state=state, drop=("failures",))
    book = Book(session.project)
    out = [] if book.read(layout.HANDOUT) is None else [journal.remove(layout.HANDOUT)]
    changes = [*out, journal.put(layout.CHECKPOINT, jsonio.dump(moved.document))]
    session.land(changes, label="重排本卷" if state == "VOL_PLANNING" else "照原来的规划写")
    return Replanned(point.volume, point.last + 1, True, moved)


def _end(book: Book, point: Checkpoint) -> int:
    """The last chapter of the volume's landed plan; 0 without one."""
    outline = book.outline(point.volume) if point.volume else None
    return outline.end if outline is not None and outline.headings else 0


def _refuse(book: Book, point: Checkpoint) -> None:
    if point.state not in checkpoints.WRITING_STATES:
        raise ReplanNotNow(detail="现在不在写作中", how=_LOOK)
    if point.active:
        raise ReplanNotNow(detail=f"第 {point.inflight} 章正写到一半", how=_LOOK)
    if point.document.get("sync"):
        raise ReplanNotNow(detail="正在重新记录一章", how=_LOOK)
    draft = layout.staged(layout.chapter(point.last + 1))
    if book.project.has(draft):
        how = f"请先写完这一章，或把 {draft} 移走。"
        raise ReplanNotNow(draft, detail=f"第 {point.last + 1} 章已有一稿在暂存区", how=how)
    out = handout.at_work(book)
    if out:
        how = f"请等它做完；不做了，运行 `novel fail {out} --reason 重排`，再来一次。"
        raise ReplanNotNow(detail=f"「{out}」已经交给代理去做", how=how)
