"""The sentence by which a thread was planted or advanced: the one most similar to the thread's hints. Pure.

A thread has no name, so it is found by pairs of characters that its description, its signal and its history
share with a sentence. Its payoff is never read. A thread may be similar to no sentence.
"""

from __future__ import annotations

from novel_hooks.annotations import Any, Mapping
from novel_hooks.rules.recall import sentences
from novel_hooks.rules.recall.selection import Mention
from novel_hooks.rules.text.json_values import integer, objects, text

NEWEST = 2
"""So many chapters, the last that its history names, give a sentence."""
_HINTS = ("description", "signal")
_COMMON = frozenset("的了是在不一这那有个人他她它我你们和与也都就还着过又上下来去到里么什把被")
"""Characters that stand everywhere: a pair with one of them is no likeness."""
_LEAST_PAIRS = 2
_LEAST_WEIGHT = 0.75
"""The least sum over the shared pairs: each is worth one, divided by the chapter's sentences that have it."""


def hints(thread: Mapping[str, Any]) -> dict[int, str]:
    """Return chapter → the words to search in it, of the chapters that planted or advanced the thread."""
    common = [thread.get(key) for key in _HINTS]
    found: dict[int, str] = {}
    for entry in objects(thread.get("history")):
        chapter = integer(entry.get("chapter"))
        if chapter is not None:
            known = [text(one) or "" for one in (*common, entry.get("detail"))]
            found[chapter] = " ".join([found.get(chapter, ""), *known])
    return dict(sorted(found.items()))


def sentence(chapter: int, prose: str, hint: str, about: str) -> Mention | None:
    """Return the sentence most similar to the hint; None without one. Of equals the first."""
    pairs = (a + b for a, b in zip(hint, hint[1:]) if _is_telling(a) and _is_telling(b))
    wanted = [pair for pair in dict.fromkeys(pairs) if pair in prose]
    listed = [one for one in sentences.sentences(prose, wanted) if not one.text.startswith("#")]
    shared = [[pair for pair in wanted if pair in one.text] for one in listed]
    count = {pair: sum(pair in one for one in shared) for pair in wanted}
    weights = [sum(1 / count[pair] for pair in one) for one in shared]
    fitting = [
        (-weight, place)
        for place, weight in enumerate(weights)
        if len(shared[place]) >= _LEAST_PAIRS and weight >= _LEAST_WEIGHT
    ]
    if not fitting:
        return None
    place = min(fitting)[1]
    rarest = min(shared[place], key=lambda pair: (count[pair], pair))
    return Mention(chapter, listed[place].line, sentences.excerpt(listed[place].text, [rarest]), (about,))


def _is_telling(mark: str) -> bool:
    return "\u4e00" <= mark <= "\u9fff" and mark not in _COMMON
