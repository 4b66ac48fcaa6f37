"""How the rules of a volume say where something is, and what may have been meant."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

from novel_hooks.rules.text import typed_words

_SHOWN = 10
_PLACES = 6
_ALIKE = 0.5


def chapters_text(numbers: Iterable[int]) -> str:
    """`第 1、2、4 章`, the first ten of them."""
    listed = list(dict.fromkeys(numbers))
    more = f" 等 {len(listed)} " if len(listed) > _SHOWN else " "
    return f"第 {'、'.join(map(str, listed[:_SHOWN]))}{more}章"


def also_text(numbers: Sequence[int]) -> str:
    """Where else, when one fault stands in several chapters; the first is told by the path."""
    return f"（{chapters_text(numbers[1:])}的契约也是）" if len(numbers) > 1 else ""


def closest(word: str, known: Iterable[str]) -> str:
    """The known word that may have been meant; empty when none is close."""
    return typed_words.nearest(word, set(known) - {word}, _ALIKE) or ""


def suggestion_text(word: str, known: Iterable[str]) -> str:
    """`（是不是「…」？）` when one of the known words is close; else nothing."""
    found = closest(word, known)
    return f"（是不是「{found}」？）" if found else ""


def places_text(told: Iterable[tuple[str, str]]) -> str:
    """(path, place in it) → `甲.json 的 objectives、大纲的第 2 章 POV`, the first six of them."""
    listed = list(dict.fromkeys(told))
    shown = [f"{path} 的{' ' if where[0].isascii() else ''}{where}" for path, where in listed[:_PLACES]]
    return "、".join(shown) + (f" 等 {len(listed)} 处" if len(listed) > _PLACES else "")
