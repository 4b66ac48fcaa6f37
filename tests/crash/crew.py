"""A scripted crew that asks `novel next` and does what it says, and a book's bytes to compare.

The crew knows nothing but the book: what it hands in follows from the chapter's number, so that whoever goes
on after a kill, or after a rollback, hands in the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from builders import make_verdict
from rewriting import MOVE, files, plant

from novel_hooks import layout

if TYPE_CHECKING:
    from builders import Book

JUDGES = {"primary": "sonnet", "secondary": "opus"}


def due(made: Book) -> tuple[str, ...]:
    """The command that carries the book on; what it needs is handed in before.

    `lock acquire` at an idle book, which begins the chapter, and when `next` says that a landing waits, as a
    host's new session does first: before it is finished half a book is read. `judge record` while a verdict
    is missing.
    """
    answer = made.novel("next")
    assert answer.exit == 0, answer.diagnostics
    if "JOURNAL_WAITS" in [note.code for note in answer.diagnostics]:
        return ("lock", "acquire")
    asked = answer.data
    made.chapter = asked["chapter"]
    point = made.point()
    if point["inflight_chapter"] != made.chapter:
        return ("lock", "acquire")
    phase = asked["phase"]
    if phase == "commit":
        return ("commit", "--chapter", str(made.chapter))
    if phase == "judge" and not asked["recorded"]:
        role = next(role for role, model in JUDGES.items() if model == asked["model"])
        return (
            "judge",
            "record",
            "--role",
            role,
            "--model",
            asked["model"],
            "--file",
            made.words(make_verdict()),
        )
    if phase == "draft":
        made.draft()
    if phase == "summarize":
        _records(made)
    return ("advance", asked["step"])


def _records(made: Book) -> None:
    """A delta that counts, so that one applied twice shows; a thread now and then, a name nobody knows."""
    chapter = made.chapter
    ops: list[dict[str, Any]] = [{**MOVE, "value": f"渡口{chapter}"}, _count()]
    if chapter % 4 == 1:
        ops.append(plant(f"bell-{chapter // 12}", ("planted", "advanced", "resolved")[chapter // 4 % 3]))
    entity = {"mention": f"渔夫{chapter // 5}", "context": "在岸上", "suggested_type": "character"}
    made.records(ops=ops, unknown_entities=[entity] if chapter % 3 == 0 else [])


def _count() -> dict[str, Any]:
    return {"op": "inc", "path": "characters.shen-du.relationships.qiao-jiu", "value": 1}


def landed(made: Book) -> int:
    """The last chapter that landed."""
    last: int = made.point()["last_completed_chapter"]
    return last


def book_bytes(made: Book) -> dict[str, bytes]:
    """path → bytes of the book, and of everything that is kept for its chapters under `.novel/`."""
    return {
        path: data for path, data in files(made).items() if path not in (layout.LANDED_MARKS, layout.RECALL)
    }
