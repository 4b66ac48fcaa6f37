"""Words of judge and plans as the chapter's writer may read them: without secrets that are not due yet.

Source: protocol §7. The author is told that something was kept back; his own note is given as it is.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from novel_hooks.flows.packet.gathering import Gathering

from novel_hooks import errors, layout
from novel_hooks.flows.book import foreshadowing
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast import world_rules
from novel_hooks.rules.foreshadowing import secrets
from novel_hooks.rules.packet import packet

_PLANS = ("project_brief", "current_volume_outline", "world_pages")
"""What a writer gets of the plans beyond his own chapter's."""


def from_writer(g: Gathering, entries: Sequence[Any]) -> list[Any]:
    """Return the entries without the sentences that tell a secret, with a warning when there were any.

    A word that the packet shows already is no secret.
    """
    hidden, names = _secrets(g)
    if not hidden or not entries:
        return list(entries)
    from_plans(g)  # what they tell too early is not shown
    shown = "\n".join(one.body() for one in g.inputs)
    found = secrets.look_through(entries, hidden, shown, names)
    if found.removed:
        told = [p for p in g.problems if isinstance(p, errors.FixHeldBack)]
        before = [str(one.values["words"]) for one in told]
        words = dict.fromkeys([*before, *(f"「{one}」" for one in found.removed)])
        g.problems[:] = [p for p in g.problems if p not in told]
        g.problems.append(errors.FixHeldBack(words="".join(words), chapter=g.desk.number))
    return found.entries


def from_plans(g: Gathering) -> None:
    """Take out of brief and outline the sentences that tell a secret; what is written already is none."""
    if not any(one.key in _PLANS for one in g.inputs):
        return
    hidden = [*_secrets(g)[0], *_later_rules(g)]
    if not hidden:
        return
    shown = "\n".join(one.body() for one in g.inputs if one.key not in _PLANS)
    for at, one in enumerate(g.inputs):
        if one.key in _PLANS:
            told = one.body()
            left = secrets.without_secrets(told, hidden, shown)
            if left != told:
                g.inputs[at] = packet.excerpt_input(one.key, one.type, left)


def _later_rules(g: Gathering) -> list[str]:
    """Return the rules that the book introduces in a later chapter."""
    document = g.attempt(g.book.document, layout.WORLD_RULES, "world-rules") or {}
    begun = (world_rules.introduced(document, g.desk.number) or {}).get("rules") or ()
    return [str(one.get("rule")) for one in document.get("rules") or () if one not in begun]


def _secrets(g: Gathering) -> tuple[list[str], list[str]]:
    """Return (what this chapter must not tell yet, everybody's names)."""
    people = g.attempt(g.book.cast) or []
    payoffs = g.attempt(foreshadowing.secret_payoffs, g.book, g.desk.volume, g.desk.number) or []
    names = [name for person in people for name in casts.names_of(person)[:-1]]
    return [*payoffs, *(told for person in people if (told := casts.secret(person)) is not None)], names
