"""Findings of a JSON Schema validator for an author: the place, and the fault in Chinese.

A schema may carry `x-says`, the sentence for its `pattern`, `anyOf` or `contains`.
"""

from __future__ import annotations

import re

from novel_hooks.annotations import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Mapping
from novel_hooks.record import Record

if TYPE_CHECKING:
    from jsonschema import ValidationError

    Place = tuple[str | int, ...]

WHOLE = "最外层"
_PLAIN_KEY = re.compile(r"[^\s.\[\]\"]+\Z")
_LONGEST_SHOWN = 20
_LARGEST_SHOWN = 10**15

_TYPES = {
    "object": "对象 { }",
    "array": "列表 [ ]",
    "string": "文字",
    "integer": "整数",
    "number": "数字",
    "boolean": "true 或 false",
    "null": "null（空）",
}


class Fault(Record):
    """One error: `keyword` of `schema` asks for `wanted`, and `path` has `value`.

    With `name`, `value` is the key at that place and not its value.
    """

    keyword: str
    wanted: Any
    value: Any
    path: Place
    schema: Mapping[str, Any]
    name: bool


def describe(errors: Iterable[ValidationError]) -> list[tuple[str, str]]:
    """List all findings as (where, detail), each once, ordered by place.

    `where` is a path such as `objectives[0].id`, or 最外层 for the document itself.
    """
    # Two paths differ first in two keys or two indices of one value: they can be compared.
    found = {(path, detail) for error in errors for path, detail, _ in _expand(error)}
    return [(_path_text(path), detail) for path, detail in sorted(found)]


def error_places(errors: Iterable[ValidationError]) -> list[tuple[Place, str]]:
    """List the places of the findings, in order, each with the schema's keyword that the value breaks."""
    found: dict[Place, str] = {}
    for error in errors:
        for path, _, keyword in _expand(error):
            found.setdefault(path, keyword)
    return sorted(found.items())


def _expand(error: ValidationError) -> Iterator[tuple[Place, str, str]]:
    """Yield one error as findings at the places that the author must change: (place, detail, keyword)."""
    meant = _meant_alternative(error)
    if meant:
        for inner in meant:
            yield from _expand(inner)
        return
    fault = _fault(error)
    if fault.keyword == "required":
        for key in fault.wanted:
            if key not in fault.value:
                yield (*fault.path, key), "缺少这一项", fault.keyword
    elif fault.keyword == "additionalProperties":
        for key in _unknown_keys(fault):
            yield (*fault.path, key), "不认识这一项", fault.keyword
    elif fault.name:
        yield (*fault.path, fault.value), f"名称{_detail_text(fault)}", fault.keyword
    else:
        yield fault.path, _detail_text(fault), fault.keyword


def _fault(error: ValidationError) -> Fault:
    return Fault(
        keyword=str(error.validator),
        wanted=error.validator_value,
        value=error.instance,
        path=tuple(error.absolute_path),
        schema=error.schema if isinstance(error.schema, dict) else {},
        name="propertyNames" in error.absolute_schema_path,
    )


def _meant_alternative(error: ValidationError) -> list[ValidationError] | None:
    """Return the errors of the one alternative that the value was meant as; None when several could be.

    An alternative is ruled out when it wants another type or another word at the value's own place.
    """
    if error.validator not in ("anyOf", "oneOf") or "x-says" in _fault(error).schema:
        return None
    branches: dict[object, list[ValidationError]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.relative_schema_path[0], []).append(inner)
    likely = [
        branch
        for branch in branches.values()
        if not any(e.validator in ("type", "const", "enum") and not e.relative_path for e in branch)
    ]
    return likely[0] if len(likely) == 1 else None


def _unknown_keys(fault: Fault) -> list[str]:
    known = fault.schema.get("properties") or {}
    patterns = fault.schema.get("patternProperties") or {}
    return [k for k in fault.value if k not in known and not any(re.search(p, k) for p in patterns)]


def _path_text(path: Place) -> str:
    shown = ""
    for key in path:
        if isinstance(key, int):
            shown += f"[{key}]"
        elif _PLAIN_KEY.match(key):
            shown += f".{key}" if shown else key
        else:
            shown += f'["{key}"]'
    return shown or WHOLE


def value_text(value: object) -> str:
    """Return a value for a Chinese sentence, short enough for one line: `文字“…”`, `列表（3 项）`."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        line = " ".join(value.split())
        cut = line if len(line) <= _LONGEST_SHOWN else f"{line[:_LONGEST_SHOWN]}…"
        return f"文字“{cut}”" if line else "空文字"
    if isinstance(value, list):
        short = len(value) <= 2 and all(isinstance(n, int) and abs(n) < _LARGEST_SHOWN for n in value)
        return str(value) if short else f"列表（{len(value)} 项）"
    if isinstance(value, dict):
        return "对象"
    if isinstance(value, float) and value - value != 0:
        return "一个不是有限值的数"
    return f"{value}" if -_LARGEST_SHOWN < value < _LARGEST_SHOWN else "一个很大的数"  # type: ignore[operator]


def now_text(value: object) -> str:
    """Return `现在是` and the value, with a space between when it begins in ASCII: `现在是 7`."""
    shown = value_text(value)
    return f"现在是 {shown}" if shown[0].isascii() else f"现在是{shown}"


def _values_text(values: Iterable[object]) -> str:
    return "、".join(v if isinstance(v, str) and v else value_text(v) for v in values)


def _type_text(fault: Fault) -> str:
    names = [fault.wanted] if isinstance(fault.wanted, str) else fault.wanted
    return f"应为{'或'.join(_TYPES[name] for name in names)}，{now_text(fault.value)}"


_DETAILS: Mapping[str, Callable[[Fault], str]] = {
    "type": _type_text,
    "enum": lambda f: f"只能是 {_values_text(f.wanted)} 之一，{now_text(f.value)}",
    "const": lambda f: f"必须是 {_values_text([f.wanted])}，{now_text(f.value)}",
    "minimum": lambda f: f"不能小于 {f.wanted}，{now_text(f.value)}",
    "maximum": lambda f: f"不能大于 {f.wanted}，{now_text(f.value)}",
    "exclusiveMinimum": lambda f: f"必须大于 {f.wanted}，{now_text(f.value)}",
    "exclusiveMaximum": lambda f: f"必须小于 {f.wanted}，{now_text(f.value)}",
    "pattern": lambda f: f"写法不对，{now_text(f.value)}",
    "minLength": lambda f: f"至少要有 {f.wanted} 个字，{now_text(f.value)}",
    "maxLength": lambda f: f"最多 {f.wanted} 个字，现在有 {len(f.value)} 个字",
    "minItems": lambda f: f"至少要有 {f.wanted} 项，现在有 {len(f.value)} 项",
    "maxItems": lambda f: f"最多 {f.wanted} 项，现在有 {len(f.value)} 项",
    "uniqueItems": lambda f: "有重复的项",
    "contains": lambda f: "缺少符合要求的一项",
    "minProperties": lambda f: f"至少要有 {f.wanted} 项内容",
    "maxProperties": lambda f: f"最多 {f.wanted} 项内容",
    "anyOf": lambda f: f"与允许的几种写法都不符，{now_text(f.value)}",
    "oneOf": lambda f: f"应只符合允许的写法中的一种，{now_text(f.value)}",
    "not": lambda f: "不允许这样写",
    "x-ascending": lambda f: f"后面的数不能比前面的小，{now_text(f.value)}",
}
"""The sentence of every keyword that a schema of ours uses (a test holds it to that)."""

_WITH_OWN_TEXT = ("pattern", "anyOf", "oneOf", "contains")


def _detail_text(fault: Fault) -> str:
    says = fault.schema.get("x-says")
    if says and fault.keyword in _WITH_OWN_TEXT:
        shown = isinstance(fault.value, str) and fault.value.strip()
        return f"{says}，{now_text(fault.value)}" if shown else str(says)
    word = _DETAILS.get(fault.keyword)
    return word(fault) if word else "不合要求"
