"""The report to the author after every few chapters (`rules.review.periodic`: when). Reads only.

It follows the landing and never stops it: a part that cannot be read is named. Source: seed 000 Step 4.
"""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.annotations import Any
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.review import recent_chapters
from novel_hooks.flows.review.recent_chapters import RecentChapters
from novel_hooks.rules.cast import unknown_names
from novel_hooks.rules.review import periodic, trend


def run(book: Book, chapter: int) -> dict[str, Any] | None:
    """Return `{chapter, brief, consistency, text}` of a chapter that has just landed; None when none is due.

    `brief` and `consistency` are of `rules.review.periodic`, null when not due or not to be read.
    """
    if not periodic.is_brief_due(chapter):
        return None
    recent = RecentChapters(book, chapter, book.checkpoint().volume)
    brief, _ = attempt(lambda: _brief_report(recent))
    lines = periodic.brief_text(brief) if brief else ["质量简报：评分读不出来，请运行 `novel doctor`。"]
    consistency = None
    if periodic.is_consistency_due(chapter):
        consistency = periodic.consistency_facts(
            attempt(lambda: _unknown_names(book))[0],
            attempt(recent.overdue)[0],
            attempt(recent.storylines)[0],
        )
        lines += periodic.consistency_text(consistency)
    return {"chapter": chapter, "brief": brief, "consistency": consistency, "text": "\n".join(lines)}


def _brief_report(recent: RecentChapters) -> dict[str, Any]:
    rows = recent.scores(trend.WINDOW)
    own = rows[-periodic.BRIEF_EVERY :]
    documents = [recent_chapters.landed_evaluation(recent.book, row["chapter"]) for row in own]
    before = trend.mean_score(rows[: -periodic.BRIEF_EVERY])
    return periodic.quality_brief(own, before, documents, recent_chapters.low_line(recent.book))


def _unknown_names(book: Book) -> list[str]:
    from novel_hooks.flows.book import logs
    from novel_hooks.flows.book import unknown_names as book_unknown_names

    lines = logs.lines(book, layout.UNKNOWN_ENTITIES)
    return unknown_names.unregistered_names(lines, book_unknown_names.settled_names(book)) if lines else []
