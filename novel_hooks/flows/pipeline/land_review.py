"""`novel advance volume:VV:review`: the volume's review lands. Source: protocol §2, §5."""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.chapter import attempts, handout
from novel_hooks.flows.chapter.step_result import Advanced
from novel_hooks.flows.chapter.view import View
from novel_hooks.flows.review import volume_review
from novel_hooks.flows.session.session import Session
from novel_hooks.rules.steps.step_name import Step
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal import journal
from novel_hooks.store.journal.journal import Change


def run(session: Session, book: Book, view: View, step: Step) -> Advanced:
    """Land the volume's review; the next volume is due to be planned."""
    found = volume_review.run(book, step.number)
    puts = [
        journal.put(layout.volume_review(found.volume), found.text.encode("utf-8")),
        journal.put(layout.volume_review_data(found.volume), jsonio.dump(found.document)),
    ]
    kept = attempts.replaced_texts(book, step, puts[:1])
    point = view.point.moved(
        session.caller.stamp,
        orchestrator_state="VOL_PLANNING",
        current_volume=found.volume + 1,
        inflight_chapter=None,
        revision_count=0,
        last_step=str(step),
        drop=("failures",),
    )
    changes: list[Change] = [
        *(journal.put(where, book.read(path) or b"") for path, where in kept),
        *puts,
        *handout.learnt_changes(book),
        journal.put(layout.CHECKPOINT, jsonio.dump(point.document)),
    ]
    session.land(changes, label=f"第 {found.volume} 卷回顾")
    told = [*found.unread, *(errors.PlanKept(path, kept=where) for path, where in kept)]
    return Advanced(step, True, point, None, tuple(told))
