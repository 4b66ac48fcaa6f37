"""A thread as the reader sees it: its signal, and how it is paid off only where it is. Source: seed 002."""

from __future__ import annotations

from novel_hooks.annotations import Any, Iterable, Mapping
from novel_hooks.rules.foreshadowing.item import CLOSED, PAYOFF, SIGNAL
from novel_hooks.rules.text.json_values import text


def as_reader_sees(thread: Mapping[str, Any]) -> dict[str, Any]:
    """Return the thread for the agents that write the chapter: its `signal`, without its `payoff`.

    The description may tell the payoff, so it is given only for a thread that has neither. In the chapter
    that resolves the thread the payoff is given too.
    """
    is_told = text(thread.get(SIGNAL)) or text(thread.get(PAYOFF))
    hidden = {"description", PAYOFF} if is_told else {PAYOFF}
    if thread.get("todo") == "resolved":
        hidden.discard(PAYOFF)
    return {key: value for key, value in thread.items() if key not in hidden}


def payoffs(threads: Iterable[Mapping[str, Any]], resolved_here: Iterable[str] = ()) -> list[str]:
    """Return the secret payoffs: of threads that are neither closed nor resolved in this chapter."""
    over = set(resolved_here)
    waiting = (one for one in threads if one.get("status") not in CLOSED and one["id"] not in over)
    return [payoff for one in waiting if (payoff := text(one.get(PAYOFF))) is not None]
