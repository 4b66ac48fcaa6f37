"""Which step was handed out last, and how long its agent has worked on it.

Kept under `.novel/` (protocol §1). It never decides what comes next; it lets `advance` know a
step whose output is already found, and gives the chapter's log its durations.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

from novel_hooks import layout
from novel_hooks.errors import OwnFileDamaged, Problem, Problems
from novel_hooks.flows.book import Book
from novel_hooks.store import journal, jsonio
from novel_hooks.store.journal import Change

_BEHIND = {"draft": ("summarize", "refine"), "summarize": ("refine",)}
"""Phases that are found by their outputs, and what then comes next."""


def read(book: Book) -> Mapping[str, Any]:
    """`{step, role, model, revisions, at}`, empty when nothing is out."""
    try:
        data = book.read(layout.HANDOUT)
        found = None if data is None else jsonio.parse(data, layout.HANDOUT, own=True)
    except (Problem, Problems):
        return {}
    return found if isinstance(found, dict) else {}


def step_out(book: Book, revisions: int) -> str | None:
    """The step that is out for this round of revision."""
    found = read(book)
    return str(found.get("step")) if found.get("step") and found.get("revisions") == revisions else None


def given(
    step: str, role: str | None, model: str | None, revisions: int, now: float, text: str | None = None
) -> Change:
    """`text` is the hash of the chapter that a judge was handed, as the packet tells it."""
    document = {"step": step, "role": role, "model": model, "revisions": revisions, "at": round(now, 3)}
    if text is not None:
        document["text_sha256"] = text
    return journal.put(layout.HANDOUT, jsonio.dump(document))


def stage(book: Book, chapter: int, entries: Sequence[Mapping[str, Any]], now: str) -> Change:
    """The chapter's work log with these stages more."""
    log = work(book, chapter)
    started = log.get("started_at") or now
    stages = [*log.get("stages", ()), *map(dict, entries)]
    document = {"chapter": chapter, "started_at": started, "stages": stages}
    return journal.put(layout.work_log(chapter), jsonio.dump(document))


def work(book: Book, chapter: int) -> Mapping[str, Any]:
    """`{chapter, started_at, stages[]}`; empty before the first stage."""
    path = layout.work_log(chapter)
    found = book.own(path)
    if found is None:
        return {}
    if not isinstance(found, dict) or not isinstance(found.get("stages", []), list):
        raise OwnFileDamaged(path, detail="应是一个带 stages 列表的对象")
    return found


def entry(book: Book, step: str, name: str, now: float, model: str | None = None) -> dict[str, Any]:
    """One stage of the log. What is not known is null, never 0."""
    out = read(book)
    begun = out.get("at") if out.get("step") == step else None
    duration = round((now - begun) * 1000) if isinstance(begun, (int, float)) and now >= begun else None
    return _entry(name, model or (out.get("model") if out.get("step") == step else None), duration)


def passed(book: Book, step: str, revisions: int) -> list[dict[str, Any]]:
    """The stage that is out while `step` is at hand: [] as a rule.

    A draft and a summary are done as soon as they are found. When their `advance` was killed, `next` goes on
    without it, and nothing but the hand-out tells who made them.
    """
    out = str(step_out(book, revisions) or "")
    chapter, _, phase = out.rpartition(":")
    now, _, at_hand = step.rpartition(":")
    if chapter != now or not now.startswith("chapter:") or at_hand not in _BEHIND.get(phase, ()):
        return []
    return [_entry(phase, read(book).get("model"), None)]


def _entry(name: str, model: Any, duration: int | None) -> dict[str, Any]:
    return {
        "name": name,
        "model": model,
        "duration_ms": duration,
        "input_tokens": None,
        "output_tokens": None,
    }
