"""Secrets in the words of a judge or a plan: found, and removed before a chapter's writer reads them. Pure.

A judge knows a thread's payoff and a character's secret; the writer must not know them before their chapter.
A sentence tells a secret when it has RUN letters in a row from it, or a name that the packet shows nowhere.
Marks and blanks do not count, so that a comma hides nothing. Source: protocol §7.
"""

from __future__ import annotations

from functools import lru_cache

from novel_hooks.annotations import Any, Callable, Collection, Iterable, Sequence
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record

RUN = 4
"""So many letters in a row, which the packet shows nowhere, tell a secret; a shorter one counts whole."""
PLAN_RUN = 8
"""So many in a plan: its other words are of the same hand, and the names in it are no secret."""
INSTEAD = "这一处写到了还没到时候的事：只写视角人物此刻看见、听见、知道的，别的照本章契约和大纲。"
"""What is left of a text when each of its sentences tells a secret."""
WHOLE = "全章"
_TARGET = "target"
_SENTENCE = Pattern(r"[^。！？!?；;\n]+[。！？!?；;\n”’」』]*|[。！？!?；;\n]+")
_PIECE = Pattern(r"[^。！？!?；;\n]+[。！？!?；;”’」』]*\n?|[。！？!?；;]+|\n")


class LookedThrough(Record):
    """The entries without the sentences that tell a secret, and the removed words, each once."""

    entries: list[Any]
    removed: tuple[str, ...]


def look_through(
    entries: Sequence[Any], secrets: Iterable[str], shown: str, names: Collection[str] = ()
) -> LookedThrough:
    """Take the sentences that tell one of `secrets` out of the entries, JSON values of any depth.

    `shown` are the other words of the packet, `names` are everybody's. A text without a sentence left becomes
    INSTEAD, a `target` the whole chapter.
    """
    known = _known(_telling_words(secrets, names, RUN), shown, _TARGET)
    removed: dict[str, None] = {}
    return LookedThrough([_cleaned(entry, known, removed) for entry in entries], tuple(removed))


def of_plan(secrets: Iterable[str], plan: Iterable[str], shown: Callable[[], str]) -> Known:
    """Return the words by which these texts of a plan tell one of the secrets, none when they tell nothing.

    `shown` returns what the reader has anyway. It is long, and asked only where the texts hold such a word.
    """
    words = _telling_words(secrets, (), PLAN_RUN)
    told = _letters("".join(plan)) if words else ""
    return _known(words, shown()) if any(map(told.__contains__, words)) else Known(())


def without_secrets(text: str, known: Known) -> str:
    """Return a plan's text without the sentences that tell a secret, else as it is."""
    if not known.shown_by(text):
        return text
    kept = "".join(one for one in _PIECE.findall(text) if not known.shown_by(one))
    return "" if known.shown_by(kept) else kept


def plan_without_secrets(plan: Any, known: Known) -> LookedThrough:
    """Take the sentences that tell a secret out of a part of a plan, a text or a JSON value of any depth.

    A text of a value without a sentence left becomes INSTEAD.
    """
    if not known.words:
        return LookedThrough([plan], ())
    removed: dict[str, None] = {}
    if not isinstance(plan, str):
        return LookedThrough([_cleaned(plan, known, removed)], tuple(removed))
    told = [one for one in _PIECE.findall(plan) if known.shown_by(one)]
    kept = "".join(one for one in _PIECE.findall(plan) if one not in told)
    return LookedThrough([kept], tuple(dict.fromkeys(one.strip() for one in told)))


class PlanTexts(Record):
    """Texts of a plan, and their letters, one text a line: made once, searched for many secrets."""

    texts: tuple[str, ...]
    letters: str


def plan_texts(texts: Iterable[str]) -> PlanTexts:
    """Return the texts of a plan with their letters, for `telling_sentence`."""
    listed = tuple(texts)
    return PlanTexts(listed, "\n".join(map(_letters, listed)))


def telling_sentence(plan: PlanTexts, secret: str, shown: str = "", run: int = PLAN_RUN) -> str | None:
    """Return the first sentence of a plan's texts that tells the secret; None when none does.

    So many letters in a row as `run` says tell it.
    """
    known = _known(_runs(_letters(secret), run), shown)
    if not known.in_letters(plan.letters):
        return None
    found = (one.strip() for text in plan.texts if known.shown_by(text) for one in _PIECE.findall(text))
    return next((one for one in found if known.shown_by(one)), None)


class Known(Record):
    """The words of the secrets that are not shown; `place` is a key that names a place."""

    words: tuple[str, ...]
    place: str | None = None

    def shown_by(self, text: str) -> bool:
        """Return whether the text holds a word of a secret that is not shown."""
        return bool(self.words) and self.in_letters(_letters(text))

    def in_letters(self, letters: str) -> bool:
        """Return whether these letters hold a word of a secret that is not shown."""
        return any(map(letters.__contains__, self.words))


def _known(words: Collection[str], shown: str, place: str | None = None) -> Known:
    letters = _letters(shown) if words else ""
    return Known(tuple(word for word in words if word not in letters), place)


def _telling_words(secrets: Iterable[str], names: Collection[str], run: int) -> frozenset[str]:
    """Return the words by which a secret is known: its runs of so many letters, and the names in it."""
    found: set[str] = set()
    called = [_letters(name) for name in names]
    for secret in map(_letters, secrets):
        found |= _runs(secret, run)
        found.update(name for name in called if name in secret and len(name) > 1)
    return frozenset(found)


@lru_cache(maxsize=1000)
def _runs(letters: str, run: int) -> frozenset[str]:
    """Return the runs of so many letters; one secret is asked of many texts."""
    found = {letters[at : at + run] for at in range(max(0, len(letters) - run) + 1)}
    return frozenset(word for word in found if len(word) > 1)


def _cleaned(value: Any, known: Known, removed: dict[str, None], key: str = "") -> Any:
    """Return the value without what tells a secret; that is added to `removed`."""
    if isinstance(value, dict):
        return {name: _cleaned(part, known, removed, name) for name, part in value.items()}
    if isinstance(value, list):
        return [_cleaned(part, known, removed, key) for part in value]
    if not isinstance(value, str) or not known.shown_by(value):
        return value
    sentences = _SENTENCE.findall(value)
    kept = "".join(one for one in sentences if not known.shown_by(one)).strip()
    if key == known.place or not kept or known.shown_by(kept):
        removed[value.strip()] = None
        return WHOLE if key == known.place else INSTEAD
    removed.update((one.strip(), None) for one in sentences if known.shown_by(one))
    return kept


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()
