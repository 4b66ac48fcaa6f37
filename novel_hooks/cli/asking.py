"""A person at a terminal: a question before a large change, and the progress of a long one.

Never for a script.
"""

from __future__ import annotations

import os
import sys

from novel_hooks import errors
from novel_hooks.annotations import Any, Callable, Sequence, T
from novel_hooks.cli import blocks
from novel_hooks.cli.answer import Answer, build, visible
from novel_hooks.cli.context import Context
from novel_hooks.cli.screen import width, wrapping
from novel_hooks.errors import Problem
from novel_hooks.flows.book.book import Book
from novel_hooks.record import Record
from novel_hooks.rules.text import typed_words

_MANY = 50
"""From so many pieces on there is something to wait for."""
_NARROW = 60
"""On fewer columns a line of progress has a shorter bar."""
_ASK = "要做就答 好（是、行、yes 都行），不做就答 不，或直接回车："
_AGAIN = "没看懂。要做就答 好，不做就答 不："


class Offer(Record):
    """An intended change: `text` is all that the author sees, `headline` the same in one line.

    `command` agrees to it. `text` is None when there is nothing to do, and `unchanged` says so. `data` and
    `problems` go with every answer but that of the change itself.
    """

    data: Any
    text: str | None
    headline: str
    command: str
    unchanged: str
    problems: Sequence[Problem] = ()


def ask_first(
    context: Context,
    look: Callable[[Book], T],
    offer: Callable[[T], Offer],
    go: Callable[[T | None], Answer],
) -> Answer:
    """Show the author what `look` found, ask, and call `go` with it; with `--yes` call `go(None)` at once.

    The preview takes the lock and releases it, so nobody waits while the author thinks.
    """
    if context.args.yes:
        return go(None)
    if not can_ask(context):
        found = offer(look(context.book()))
        if found.text is not None:
            return refusal(found.data, found.text, found.headline, found.command)
        return build(found.data, found.unchanged, found.problems)
    shown = _preview_locked(context, look)
    found = offer(shown)
    if found.text is not None and not agrees(found.text):
        return build(found.data, "没有改动。", found.problems)
    return go(shown)


def _preview_locked(context: Context, look: Callable[[Book], T]) -> T:
    from novel_hooks.flows.book.book import Book

    with context.writing() as session:
        return look(Book(session.project))


def can_ask(context: Context) -> bool:
    """Tell whether a person at a terminal can answer and no JSON document is asked for."""
    streams = (sys.stdin, sys.stderr)
    return not context.args.json and all(one is not None and one.isatty() for one in streams)


def agrees(shown: str) -> bool:
    """Show the text on stderr and wait for a yes or a no; ask again after other words.

    An empty line and the end of input count as no.
    """
    _put(f"{visible(shown)}\n{_ASK}")
    while True:
        said = sys.stdin.readline()
        meant = typed_words.yes_or_no(said)
        if meant is not None or not said.strip():
            _put("" if said else "\n")
            return bool(meant)
        _put(_AGAIN)


def _put(text: str) -> None:
    """Write a question on stderr, wrapped to its screen; the answer is typed behind it."""
    columns = width.screen_width(sys.stderr, os.environ)
    sys.stderr.write(text if columns is None else wrapping.wrap(text, columns))
    sys.stderr.flush()


def refusal(data: Any, shown: str, what: str, command: str) -> Answer:
    """Return the refusal when nobody can be asked: the whole offer, and the command that agrees to it."""
    needed = errors.ConfirmationNeeded(what=what, command=command)
    return build(data, shown, [needed], needed.exit)


def progress_bar(context: Context, what: str) -> Callable[[int, int], None]:
    """Return a function of (done, all) that draws a line on stderr and wipes it at the end."""
    if context.args.json or sys.stderr is None or not sys.stderr.isatty():
        return lambda _done, _whole: None
    narrow = (width.screen_width(sys.stderr, os.environ) or width.USUAL) < _NARROW

    def draw(done: int, whole: int) -> None:
        if whole < _MANY or (done % (whole // _MANY) and done != whole):
            return
        line = f"\r{what} {blocks.bar(done, whole, 8 if narrow else 20)} {done}/{whole}"
        sys.stderr.write(line if done < whole else f"\r{' ' * (len(line) + len(what))}\r")
        sys.stderr.flush()

    return draw
