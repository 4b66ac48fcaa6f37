"""What JSON values are, without Python's liberties: `True` is no number, NaN is no value."""

from __future__ import annotations

MAX_DEPTH = 100

_LARGEST = float("1.7e308")


def number(value: object) -> float | None:
    """The value when it is a finite JSON number, else None (bool, string, NaN and infinity are none)."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value if -_LARGEST <= value <= _LARGEST else None


def integer(value: object) -> int | None:
    """The value when it is a whole JSON number written as one, else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def text(value: object) -> str | None:
    """The value when it is a string that says something, else None."""
    return value if isinstance(value, str) and value.strip() else None


def same(one: object, other: object) -> bool:
    """Equality of JSON values: `1 == 1.0`, but `1 != true` and `"1" != 1`, at any depth."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return one == other


def is_json(value: object, depth: int = 0) -> bool:
    """Can this be written as JSON: only JSON types, string keys, finite numbers, no absurd depth?"""
    if depth > MAX_DEPTH:
        return False
    if isinstance(value, dict):
        return all(isinstance(key, str) and is_json(held, depth + 1) for key, held in value.items())
    if isinstance(value, list):
        return all(is_json(held, depth + 1) for held in value)
    if value is None or isinstance(value, (bool, str)):
        return True
    return number(value) is not None


def deep_copy(value: object) -> object:
    """A deep copy of the containers, so that a caller's document is never changed under him."""
    if isinstance(value, dict):
        return {key: deep_copy(held) for key, held in value.items()}
    if isinstance(value, list):
        return [deep_copy(held) for held in value]
    return value


class _Faulty(dict):  # type: ignore[type-arg]
    """Empty to whoever reads it, and no number, text or list."""

    __slots__ = ()


FAULTY = _Faulty()
"""Stands in a document where its shape is wrong, and has been told to be."""


def has_faulty(value: object) -> bool:
    """Is there a FAULTY in the value, at any depth? Then nothing follows from what is not there."""
    if value is FAULTY:
        return True
    if isinstance(value, dict):
        return any(map(has_faulty, value.values()))
    return isinstance(value, list) and any(map(has_faulty, value))


def describe(value: object) -> str:
    """For the author: a number or text as it was written, anything else by its kind."""
    if isinstance(value, bool):
        return "真" if value else "假"
    if value is None:
        return "空"
    if isinstance(value, (dict, list)):
        return "一组内容"
    return str(value)
