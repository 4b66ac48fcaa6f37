"""Which step was handed out last, and how long its agent has worked on it.

Kept under `.novel/` (protocol §1). It lets `advance` know a step whose output is already found, `next` one
whose agent has finished a text that he wrote over, and gives the chapter's log its durations.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

from novel_hooks import errors, layout
from novel_hooks.errors import Problem
from novel_hooks.flows.book import Book
from novel_hooks.record import Record
from novel_hooks.rules import step as steps
from novel_hooks.store import journal, jsonio
from novel_hooks.store.journal import Change

_BEHIND = {"draft": ("summarize", "refine"), "summarize": ("refine",)}
"""Phases that are found by their outputs, and what then comes next."""

AMOUNTS = (
    "duration_ms",
    "input_tokens",
    "output_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
)


class Run(Record):
    """An agent's work on what was handed out, as its host tells it. What is not known is None.

    `id` is the host's name for it, by which one that is told twice is known. `amounts` are of `AMOUNTS`:
    milliseconds and tokens, what was read from or written to the host's cache apart from `input_tokens`.
    """

    id: str
    model: str | None
    amounts: Mapping[str, int]


def read(book: Book) -> Mapping[str, Any]:
    """`{step, role, model, revisions, at, text_sha256?, runs?, recorded?}`, empty when nothing is out.

    `runs` are the agents' (`Run`), `recorded` that the verdict asked for has been taken. With break points
    also `before` (where the text is kept as it was handed out), `said` and `over` (the author's answer, and
    the hash of what it was about), `note` (what he wants done better). `given`: the packet was written or
    embedded for an agent, not only read; `done`: the agent has finished;
    `handed`: the hash of the text that an agent was given to write over. `failed`: what came of it does not
    count, the step is to be handed out again.
    """
    try:
        data = book.read(layout.HANDOUT)
        found = None if data is None else jsonio.parse(data, layout.HANDOUT, own=True)
    except Problem:
        return {}
    return found if isinstance(found, dict) else {}


def step_out(book: Book, revisions: int) -> str | None:
    """The step that is out for this round of revision."""
    found = read(book)
    return str(found.get("step")) if found.get("step") and found.get("revisions") == revisions else None


def at_work(book: Book) -> str | None:
    """The step that an agent has and did not fail at; None when a packet was only read."""
    found = read(book)
    busy = any(map(found.get, ("given", "done", "recorded", "said"))) and not found.get("failed")
    return str(found["step"]) if busy and found.get("step") else None


def given(
    step: str,
    role: str | None,
    model: str | None,
    revisions: int,
    now: float,
    text: str | None = None,
    **more: Any,
) -> Change:
    """`text` is the hash of the chapter that a judge was handed, as the packet tells it.

    `more`: `before`, `handed`, `note`, `given` and `runs`, where there are any.
    """
    document = {"step": step, "role": role, "model": model, "revisions": revisions, "at": round(now, 3)}
    if text is not None:
        document["text_sha256"] = text
    document.update((key, value) for key, value in more.items() if value is not None)
    return journal.put(layout.HANDOUT, jsonio.dump(document))


def note(book: Book, step: str) -> str | None:
    """What the author wants done better in this step that is out."""
    found = read(book)
    told = found.get("note") if found.get("step") == step else None
    return told if isinstance(told, str) and told.strip() else None


def answered(book: Book, step: str, revisions: int, said: str, over: str, note: str | None) -> Change:
    """The hand-out with the author's answer at a break point; a new `note` takes the old one's place."""
    out = dict(read(book))
    if (out.get("step"), out.get("revisions")) != (step, revisions):
        out = {"step": step, "revisions": revisions}
    out.pop("failed", None)
    out.update(said=said, over=over, **({"note": note} if note else {}))
    return journal.put(layout.HANDOUT, jsonio.dump(out))


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
        raise errors.OwnFileDamaged(path, detail="应是一个带 stages 列表的对象")
    return found


def entry(book: Book, step: str, name: str, now: float, model: str | None = None) -> dict[str, Any]:
    """One stage of the log. What is not known is null, never 0."""
    out = read(book) if read(book).get("step") == step else {}
    begun = out.get("at")
    duration = round((now - begun) * 1000) if isinstance(begun, (int, float)) and now >= begun else None
    return {**_entry(name, model or out.get("model"), duration), **_told(_runs(out))}


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
    found = read(book)
    return [{**_entry(phase, found.get("model"), None), **_told(_runs(found))}]


def _entry(name: str, model: Any, duration: int | None) -> dict[str, Any]:
    return {
        "name": name,
        "model": model,
        "duration_ms": duration,
        "input_tokens": None,
        "output_tokens": None,
    }


def worked(book: Book, run: Run) -> list[Change]:
    """Note an agent's run with the hand-out it worked on; [] when it is known already, or nothing is out.

    The stage's line is made when the step advances. A judge's is there by then: it is told anew.
    """
    out = read(book)
    runs = _runs(out)
    if not out.get("step") or any(known.get("id") == run.id for known in runs):
        return []
    runs = [*runs, {"id": run.id, "model": run.model, **run.amounts}]
    return [
        journal.put(layout.HANDOUT, jsonio.dump({**out, "runs": runs, "done": True})),
        *_retold(book, out, runs),
    ]


def undone(book: Book, step: str) -> list[Change]:
    """The hand-out without its claim to be done: what the agent handed in was nothing, or not good enough."""
    out = dict(read(book))
    if out.get("step") != step or out.get("failed") is True:
        return []
    left = {key: value for key, value in out.items() if key not in ("done", "said", "over")}
    return [journal.put(layout.HANDOUT, jsonio.dump({**left, "failed": True}))]


def recorded(book: Book, step: str, role: str) -> list[Change]:
    """The hand-out with the mark that its verdict has been taken."""
    out = read(book)
    if (out.get("step"), out.get("role")) != (step, role):
        return []
    return [journal.put(layout.HANDOUT, jsonio.dump({**out, "recorded": True}))]


def _runs(out: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = out.get("runs")
    return [run for run in found if isinstance(run, dict)] if isinstance(found, list) else []


def _told(runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Of a stage's line, what the runs know: the last model, sums of what all of them took."""
    models = [run["model"] for run in runs if run.get("model")]
    found: dict[str, Any] = {"model": models[-1]} if models else {}
    for key in AMOUNTS:
        known = [run[key] for run in runs if isinstance(run.get(key), int)]
        if known:
            found[key] = sum(known)
    return found


def _retold(book: Book, out: Mapping[str, Any], runs: Sequence[Mapping[str, Any]]) -> list[Change]:
    chapter = steps.parse(str(out["step"])).number
    if not out.get("recorded") or chapter is None:
        return []
    log = work(book, chapter)
    stages = list(log.get("stages", ()))
    if not stages or stages[-1].get("name") != "judge":
        return []
    stages[-1] = {**stages[-1], **_told(runs)}
    return [journal.put(layout.work_log(chapter), jsonio.dump({**log, "stages": stages}))]


def learnt(book: Book) -> list[Change]:
    """What a command learnt of the files it read: verdicts of schemas, the settings as they were read."""
    changes = [journal.put(path, data) for path, data in sorted(book.learnt.items())]
    data = book.validity.changes()
    return changes if data is None else [*changes, journal.put(layout.VALIDITY, data)]
