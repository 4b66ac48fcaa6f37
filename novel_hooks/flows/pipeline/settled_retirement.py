"""`novel retire NAME --settle`: a character leaves the book, and everything that still needs him is settled.

All of it is one landing: his files move, threads about him are given up, storylines go on without him, the
chapters that need him are planned anew. A tie that only the author can settle stops it before anything
changes.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.errors import refuse
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.chapter import handout
from novel_hooks.flows.planning import dropped_threads, questions, replan
from novel_hooks.flows.rollback import retire
from novel_hooks.flows.session.session import Session
from novel_hooks.record import Record
from novel_hooks.rules.cast.characters import Character
from novel_hooks.rules.planning import retirement
from novel_hooks.rules.planning.retirement import Settlement
from novel_hooks.rules.steps import checkpoint as checkpoints
from novel_hooks.rules.steps import questions as steps_questions
from novel_hooks.rules.steps import step_name as steps
from novel_hooks.store.formats import jsonio
from novel_hooks.store.journal.journal import Change


class Preview(Record):
    """A retirement with its settlement, before it is done.

    `reopened` is the chapter from which the volume is planned anew; None when it is not, or is already.
    """

    who: retire.Preview
    settled: Settlement
    reopened: int | None


class Settled(Record):
    """A retirement that was settled. `archive` is its id; None when he had left already."""

    preview: Preview
    archive: str | None


def preview(book: Book, typed: str, keep_threads: bool) -> Preview:
    """Work out what lets a character leave, by any of his names. Reads only.

    Raises CharacterNotActive, PersonUnclear, BookAtWork, ReplanNotNow, and every RetireNeeded that is the
    author's alone.
    """
    person, there = retire.named_person(book, typed)
    if not there:
        return Preview(retire.Preview(person.slug, person.name, ()), Settlement({}, (), (), ()), None)
    point = book.checkpoint()
    found = retirement.settlement(retire.read_ties(book, person), max(1, point.volume))
    refuse([*retire.busy_problems(book), *found.left])
    if keep_threads:
        found = found._replace(threads={})
    reopens = bool(found.chapters) and point.state in checkpoints.WRITING_STATES
    first = replan.preview(book).first if reopens else None
    return Preview(retire.leaving(book, person), found, first)


def run(session: Session, typed: str, keep_threads: bool, shown: Preview | None = None) -> Settled:
    """Settle everything and let the character leave. `shown` is the preview that the author agreed to.

    Raises as `preview`, and ChangedWhileAsked when the book is not as in `shown`.
    """
    book = Book(session.project)
    found = preview(book, typed, keep_threads)
    if shown is not None and shown != found:
        raise errors.ChangedWhileAsked(layout.CHARACTERS)
    if not found.who.paths:
        return Settled(found, None)
    person, _ = retire.named_person(book, typed)
    files = _settled_files(session, book, person, found)
    changes: list[Change] = []
    if found.reopened is not None:
        changes = [*handout.learnt_changes(book), *replan.open_changes(book, session.caller)]
    return Settled(found, retire.leave(session, book, found.who, files, changes))


def _settled_files(session: Session, book: Book, person: Character, found: Preview) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    if found.settled.threads:
        dropped, reason = found.settled.threads, f"「{person.name}」退场"
        files[layout.DROPPED_THREADS] = dropped_threads.with_given_up(session, book, dropped, reason)
    if found.settled.lines:
        document = book.document(layout.STORYLINES, "storylines") or {}
        files[layout.STORYLINES] = jsonio.dump(retirement.storylines_without(document, person))
    if found.reopened is not None:
        known = questions.answers(book)
        step = str(steps.volume_step(book.checkpoint().volume, "outline"))
        note = f"「{person.name}」退场了，没写的章不再要他出场。"
        remark = steps_questions.remark(step, known)
        now = steps_questions.with_answer(known, remark, None, note, session.caller.stamp)
        files[layout.DECISIONS] = jsonio.dump(steps_questions.document(now))
    return files
