"""`recall` of a chapter's writer: sentences of earlier chapters on the people and things of its plan.

Reads only. They are looked up and never judged. Chapters whose text the writer has are left out. New rows of
the index are in `book.learnt`.
"""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.annotations import Any, Sequence
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.book.collect import attempt
from novel_hooks.flows.recall import index, subjects
from novel_hooks.rules.recall import selection, threads
from novel_hooks.rules.recall.selection import Mention, MentionsOf, Subject

THREADS = 8
"""So many threads of the chapter's tasks give a sentence, the first ones."""


def for_chapter(
    book: Book, chapter: int, plan: str, tasks: Sequence[dict[str, Any]], newest: int
) -> list[dict[str, object]]:
    """Return `{about, chapter, text}` of each sentence, the newest chapter first.

    `plan` is the text of the chapter's contract and outline, `tasks` are its threads, `newest` is the last
    chapter whose text the writer does not have. Raises the faults of the active cards or the state.
    """
    known = subjects.read(book, chapter)
    wanted = known.in_text(plan)[: selection.SUBJECTS]
    names = index.NameIndex(book, [word for one in wanted for word in one.words], chapter - 1)
    seen: dict[int, list[Mention]] = {}

    def mentions_of(number: int) -> list[Mention]:
        if number not in seen:
            seen[number] = selection.mentions(number, _text(book, number), wanted, known.names.ids_in_text)
        return seen[number]

    used = {one.id: _chapters(one, names, newest, mentions_of) for one in wanted}
    names.learn()
    planted = _thread_mentions(book, tasks, newest)
    used.update({one.about[0]: [m.chapter for m in planted if m.about == one.about] for one in planted})
    used = {name: chapters for name, chapters in used.items() if chapters}
    chosen = selection.choose([*(m for n in sorted(seen) for m in seen[n]), *planted], used)
    return selection.document(chosen, {one.id: one.name for one in wanted})


def _chapters(one: Subject, names: index.NameIndex, newest: int, mentions_of: MentionsOf) -> list[int]:
    first = next(names.chapters_of(one.words), newest + 1)
    chapters = (n for n in names.chapters_of(one.words, newest_first=True) if n <= newest)
    return selection.chapters_to_use(one.id, chapters, first if first <= newest else None, mentions_of)


def _text(book: Book, chapter: int) -> str:
    """Return the landed text; one that cannot be read is empty, for the checkup reports it."""
    return attempt(lambda: book.text(layout.chapter(chapter)))[0] or ""


def _thread_mentions(book: Book, tasks: Sequence[dict[str, Any]], newest: int) -> list[Mention]:
    """Return the sentences by which the chapter's threads came up last, the newest of each first."""
    found: list[Mention] = []
    for task in tasks[:THREADS]:
        hints = {n: hint for n, hint in threads.hints(task).items() if n <= newest}
        for chapter in sorted(hints, reverse=True)[: threads.NEWEST]:
            one = threads.sentence(chapter, _text(book, chapter), hints[chapter], task["id"])
            found += [one] if one is not None else []
    return found
