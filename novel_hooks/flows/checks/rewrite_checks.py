"""Warnings on rewriting: a refiner who changed too much, a revision that changed nothing. Reads only.

Nobody judges a polished text again, so the author must know when it was more than a polish. A revision
without a change would pay for a summary, a refining and a judge without need.
"""

from __future__ import annotations

from novel_hooks import errors, layout, sha2
from novel_hooks.annotations import TYPE_CHECKING, Iterator
from novel_hooks.errors import Problem
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.chapter import handout
from novel_hooks.rules.evaluation import gate_entry
from novel_hooks.rules.review import change_share
from novel_hooks.rules.steps import step_name as steps

if TYPE_CHECKING:
    from novel_hooks.flows.chapter.desk import Desk

_NEWEST = 8
_UNCHANGED = {
    "revise": {"what": "修订", "who": "写手", "then": "这一稿会原样再评审一次"},
    "polish": {"what": "再润色", "who": "润色师", "then": "这一稿会原样入库"},
}


def problems(desk: Desk, phase: str) -> Iterator[Problem]:
    """Warn of a `refine` or `polish` that changed too much of the text it was given."""
    found = desk.get("chapter")
    before = _handed_out_text(desk, phase) if found.ok else None
    if before is None:
        return
    share = change_share.change_share(before[1], found.value)
    if share > change_share.MOST:
        yield errors.ChapterRetouched(
            found.path,
            chapter=desk.number,
            share=round(share * 100),
            most=round(change_share.MOST * 100),
            before=before[0],
        )


def unchanged_problems(desk: Desk, phase: str) -> Iterator[Problem]:
    """Warn of a `revise` or `polish` that left the judged text unchanged.

    A hand edit since the verdict counts as a change. A polish that was taken is not checked again.
    """
    found, evaluation = desk.get("chapter"), desk.get("evaluation")
    if not found.ok or not evaluation.ok or gate_entry.gate_of(evaluation.value).get("polished") is True:
        return
    if gate_entry.metadata(evaluation.value).get("text_sha256") == desk.text_sha256():
        yield errors.ChapterUnchanged(found.path, chapter=desk.number, **_UNCHANGED[phase])


def _handed_out_text(desk: Desk, phase: str) -> tuple[str, str] | None:
    """Return (path of the text as it was handed out, the text); None when it was not kept."""
    out = handout.read(desk.book)
    place = out.before if out.step == str(steps.chapter_step(desk.number, phase)) else None
    if place is None and phase == "polish":
        place = _judged_attempt(desk)
    if place is None:
        return None
    text, _ = attempt(lambda: desk.book.text(place))
    return None if text is None else (place, text)


def _judged_attempt(desk: Desk) -> str | None:
    """Return the attempt that holds the text that was judged, by its hash."""
    evaluation = desk.get("evaluation")
    wanted = gate_entry.metadata(evaluation.value).get("text_sha256") if evaluation.ok else None
    base, name = layout.attempts(desk.number), layout.chapter(desk.number).rpartition("/")[2]
    for folder in sorted(desk.book.project.names(base), reverse=True)[:_NEWEST]:
        place = f"{base}/{folder}/{name}"
        data = desk.book.read(place) if desk.book.project.has(place) else None
        if data is not None and sha2.digest(data) == wanted:
            return place
    return None
