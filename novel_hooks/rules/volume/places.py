"""Texts of a volume's rules for chapters, places and suggestions. All are for the author."""

from __future__ import annotations

from novel_hooks.annotations import Iterable, Sequence
from novel_hooks.rules.text import excerpt, typed_words

_SHOWN = 10
_PLACES = 6
_ALIKE = 0.5


def chapters_text(numbers: Iterable[int]) -> str:
    """Return chapters, each once: `第 1、2、4 章`; of more than ten the first ten: `第 …、10 等 12 章`."""
    listed = list(dict.fromkeys(numbers))
    more = f" 等 {len(listed)} " if len(listed) > _SHOWN else " "
    return f"第 {'、'.join(map(str, listed[:_SHOWN]))}{more}章"


def also_text(numbers: Sequence[int]) -> str:
    """Return the chapters after the first: `（第 5、6 章的契约也是）`; empty without any."""
    return f"（{chapters_text(numbers[1:])}的契约也是）" if len(numbers) > 1 else ""


def closest(word: str, known: Iterable[str]) -> str:
    """Return the known word nearest to `word`; empty when none is close."""
    return typed_words.nearest(word, set(known) - {word}, _ALIKE) or ""


def suggestion_text(word: str, known: Iterable[str]) -> str:
    """Return `（是不是「…」？）` with the nearest known word; empty when none is close."""
    found = closest(word, known)
    return f"（是不是「{found}」？）" if found else ""


def places_text(mentions: Iterable[tuple[str, str]]) -> str:
    """Return (path, place in it), each once: `甲.json 的 objectives、outline.md 的第 2 章 POV`.

    Of more than six the first six are returned, and ` 等 9 处`.
    """
    listed = list(dict.fromkeys(mentions))
    shown = [f"{path} 的{' ' if where[0].isascii() else ''}{where}" for path, where in listed]
    return excerpt.join_first(shown, _PLACES, "处")
