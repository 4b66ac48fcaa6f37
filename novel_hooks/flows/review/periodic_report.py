"""What the author is told after every fifth and every tenth chapter. Reads only. Source: seed 000 Step 4.

It comes after the landing and never stands in its way: a part that cannot be read says so.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any
from novel_hooks import layout
from novel_hooks.errors import Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.review import recent_chapters
from novel_hooks.flows.review.recent_chapters import Lately
from novel_hooks.rules.cast import unknown_names
from novel_hooks.rules.review import periodic, trend


def run(book: Book, chapter: int) -> dict[str, Any] | None:
    """`{chapter, brief, consistency, text}` of a chapter that has just landed; None when nothing is due.

    `brief` and `consistency` are of `rules.review.periodic`, null when not due or not to be read.
    """
    if not periodic.brief_due(chapter):
        return None
    recent = Lately(book, chapter, book.checkpoint().volume)
    brief = _tried(lambda: _brief(recent))
    lines = periodic.brief_text(brief) if brief else ["质量简报：评分读不出来，请运行 `novel doctor`。"]
    consistency = None
    if periodic.consistency_due(chapter):
        consistency = _consistency(recent)
        lines += periodic.consistency_text(consistency)
    return {"chapter": chapter, "brief": brief, "consistency": consistency, "text": "\n".join(lines)}


def _brief(recent: Lately) -> dict[str, Any]:
    rows = recent.scores(trend.WINDOW)
    own = rows[-periodic.BRIEF_EVERY :]
    documents = [recent_chapters.evaluation(recent.book, row["chapter"]) for row in own]
    before = trend.mean(rows[: -periodic.BRIEF_EVERY])
    return periodic.brief(own, before, documents, recent_chapters.low_line(recent.book))


def _consistency(recent: Lately) -> dict[str, Any]:
    return periodic.consistency(
        _tried(lambda: _unknown(recent.book)),
        _tried(lambda: recent.overdue()),
        _tried(recent.storylines),
    )


def _unknown(book: Book) -> list[str]:
    from novel_hooks.flows.book import logs
    from novel_hooks.flows.book import unknown_names as book_unknown_names

    lines = logs.lines(book, layout.UNKNOWN_ENTITIES)
    return unknown_names.unregistered(lines, book_unknown_names.registered(book)) if lines else []


def _tried(read: Callable[[], Any]) -> Any:
    try:
        return read()
    except Problem:
        return None
