"""What a judge asks for, as the chapter's writer may read it: without secrets that are not due yet.

Source: protocol §7. The author is told that something was kept back; his own note is given as it is.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from novel_hooks.flows.packet.gathering import Gathering

from novel_hooks import errors
from novel_hooks.flows.book import foreshadowing
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.packet import secrets


def from_writer(g: Gathering, entries: Sequence[Any]) -> list[Any]:
    """Return the entries without the sentences that tell a secret, with a warning when there were any.

    What the packet shows already is no secret.
    """
    if not entries:
        return []
    people = g.attempt(g.book.cast) or []
    payoffs = g.attempt(foreshadowing.secret_payoffs, g.book, g.desk.volume, g.desk.number) or []
    hidden = [*payoffs, *(told for person in people if (told := casts.secret(person)) is not None)]
    if not hidden:
        return list(entries)
    shown = "\n".join(one.body() for one in g.inputs)
    names = [name for person in people for name in casts.names_of(person)[:-1]]
    found = secrets.look_through(entries, hidden, shown, names)
    if found.removed:
        told = [p for p in g.problems if isinstance(p, errors.FixHeldBack)]
        before = [words for one in told for words in one.values["removed"]]
        removed = list(dict.fromkeys([*before, *found.removed]))
        g.problems[:] = [p for p in g.problems if p not in told]
        g.problems.append(errors.FixHeldBack(removed=removed, words="　".join(f"「{w}」" for w in removed)))
    return found.entries
