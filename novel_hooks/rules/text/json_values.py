"""JSON values by JSON's rules instead of Python's: `True` is no number, NaN is no value."""

from __future__ import annotations

from novel_hooks.annotations import Any, Iterator

MAX_DEPTH = 100

_LARGEST = float("1.7e308")


def number(value: object) -> float | None:
    """Return the value when it is a finite JSON number, else None (also for bool, NaN and infinity)."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value if -_LARGEST <= value <= _LARGEST else None


def integer(value: object) -> int | None:
    """Return the value when it is a whole JSON number, else None (`2.0` is written as a fraction: None)."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def text(value: object) -> str | None:
    """Return the value when it is a string that holds more than blanks, else None."""
    return value if isinstance(value, str) and value.strip() else None


def objects(value: object) -> list[dict[str, Any]]:
    """Return the objects of a list, in order; [] when the value is no list."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def mapping(value: object) -> dict[str, Any]:
    """Return the value when it is an object, else {}."""
    return value if isinstance(value, dict) else {}


def object_ids(value: object) -> list[str]:
    """Return the ids of a list's objects, in order; an object without one is left out."""
    return [one["id"] for one in objects(value) if isinstance(one.get("id"), str)]


def strings(value: object) -> Iterator[str]:
    """Yield every string of the value at any depth, the keys of objects too, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)


def same(one: object, other: object) -> bool:
    """Compare two JSON values at any depth: `1 == 1.0`, but `1 != true` and `"1" != 1`."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return one == other


def is_json(value: object, depth: int = 0) -> bool:
    """Tell whether the value can be written as JSON.

    It can when it holds only JSON types, string keys and finite numbers, at most `MAX_DEPTH` containers deep.
    """
    if depth > MAX_DEPTH:
        return False
    if value is None or isinstance(value, (str, bool)):
        return True
    if isinstance(value, dict):
        return all(isinstance(key, str) and is_json(part, depth + 1) for key, part in value.items())
    if isinstance(value, list):
        return all(is_json(part, depth + 1) for part in value)
    return number(value) is not None


def deep_copy(value: object) -> object:
    """Return a copy of the value that shares no container with it."""
    if isinstance(value, dict):
        return {key: deep_copy(part) for key, part in value.items()}
    if isinstance(value, list):
        return [deep_copy(part) for part in value]
    return value


class _Faulty(dict):  # type: ignore[type-arg]
    """An empty object; being a dict, it is neither number nor text nor list."""

    __slots__ = ()


FAULTY = _Faulty()
"""The value put in the place of a part whose shape is wrong, once a problem of it has been listed."""


def has_faulty(value: object) -> bool:
    """Tell whether the value is FAULTY or holds FAULTY at any depth.

    If so, nothing may be concluded from a part that is missing.
    """
    if value is FAULTY:
        return True
    if isinstance(value, dict):
        return any(map(has_faulty, value.values()))
    return isinstance(value, list) and any(map(has_faulty, value))


def describe(value: object) -> str:
    """Return the value in the author's words: a number or text as written, anything else by its kind."""
    if isinstance(value, bool):
        return "真" if value else "假"
    if value is None:
        return "空"
    if isinstance(value, (dict, list)):
        return "一组内容"
    return str(value)
