"""Schemas of documents: JSON Schema 2020-12, findings in plain Chinese.

The schemas are package data, `novel_hooks/schemas/NAME.schema.json` with `$id` `novel:NAME`; they may
refer to each other and to nothing else. Two rules of protocol §1 are stricter than a plain validator: an
integer is written without a fraction (`7.0` is none), and a number is finite. `x-ascending: true` (ours)
asks that a list of numbers never goes down. `jsonschema` is imported only to find problems;
`store.schema.validity` remembers the documents that have none.
"""

from __future__ import annotations

import json
import os

from novel_hooks import errors, sha2
from novel_hooks.annotations import Any, Iterator
from novel_hooks.errors import Problem

NAMES = (
    "ai-blacklist",
    "audit-line",
    "changelog-line",
    "chapter-contract",
    "chapter-crossref",
    "chapter-delta",
    "chapter-eval",
    "chapter-log",
    "character",
    "checkpoint",
    "current-state",
    "envelope",
    "foreshadowing",
    "foreshadowing-plan",
    "hints",
    "judge-verdict",
    "lock-info",
    "next",
    "packet",
    "planning-questions",
    "storyline-schedule",
    "storyline-spec",
    "storylines",
    "style-profile",
    "unknown-entity-line",
    "volume-review",
    "world-rules",
)
SHARED = "common"
"""Definitions only; no document has this shape."""

OWN = frozenset(
    {
        "audit-line",
        "changelog-line",
        "chapter-log",
        "checkpoint",
        "current-state",
        "lock-info",
        "unknown-entity-line",
        "volume-review",
    }
)
"""The documents that only `novel` writes: a fault there is damage (exit 5), not the author's mistake."""

RULES_OF_CHECKING = b"1"
"""A part of every digest, to be raised when the same schema judges in another way."""

_FOLDER = os.path.join(
    os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "schemas"
)
_sources: dict[str, bytes] = {}
_source_digests: dict[bytes, bytes] = {}
_digests: dict[str, bytes] = {}
_validators: dict[str, Any] = {}


def problems(name: str, value: object, path: str) -> list[Problem]:
    """List all that schema `name` forbids about `value`, in the order of the document's paths.

    `path` is the project-relative file for the message. An empty list means that it fits.
    The problems are SchemaViolation, or OwnFileInvalid for the documents in `OWN`. Raises the
    Problem of `store.host.site` when jsonschema is not installed, ValueError for an unknown name.
    """
    from novel_hooks.store.schema import findings

    kind = errors.OwnFileInvalid if name in OWN else errors.SchemaViolation
    found = findings.describe(_validator(name).iter_errors(value))
    return [kind(path, where=where, fault=fault) for where, fault in found]


def misfit_places(name: str, value: object) -> list[tuple[tuple[str | int, ...], str]]:
    """List the places where `value` breaks schema `name`, as (path of keys and indices, broken keyword).

    A missing key has a path of its own. Raises as `problems`.
    """
    from novel_hooks.store.schema import findings

    return findings.error_places(_validator(name).iter_errors(value))


def schema_source(name: str) -> bytes:
    """Return the bytes of the schema's file. Raises `ValueError` for an unknown name."""
    if name not in NAMES and name != SHARED:
        raise ValueError(f"no schema named {name!r}")
    if name not in _sources:
        with open(os.path.join(_FOLDER, f"{name}.schema.json"), "rb") as file:
            _sources[name] = file.read()
    return _sources[name]


def digest(name: str) -> bytes:
    """Return the SHA-256 over the hashes of the schema and of those it refers to.

    Remembered passes depend on it.
    """
    if name not in _digests:
        parts = [RULES_OF_CHECKING, *map(_source_digest, _with_referred(name))]
        _digests[name] = sha2.sha256(b"\0".join(parts)).digest()
    return _digests[name]


def _source_digest(name: str) -> bytes:
    source = schema_source(name)
    if source not in _source_digests:  # most schemas refer to the same one
        _source_digests[source] = sha2.sha256(source).digest()
    return _source_digests[source]


def _with_referred(name: str) -> list[str]:
    """Return the schema and those that it refers to: all that it names is itself or one of them."""
    names = [name]
    for each in names:
        for rest in schema_source(each).split(b'"novel:')[1:]:
            other = rest.partition(b'"')[0].partition(b"#")[0].decode()
            if other not in names:
                names.append(other)
    return names


def _validator(name: str) -> Any:
    if name not in _validators:
        _validators[name] = _build(name)
    return _validators[name]


def _build(name: str) -> Any:
    from novel_hooks.store.host import environment, site

    site.activate()
    try:
        from jsonschema import Draft202012Validator, validators
        from referencing import Registry
        from referencing.jsonschema import DRAFT202012
    except Exception as wrong:  # half of it is gone: what that raises is anything
        raise environment.missing("jsonschema") from wrong

    types = Draft202012Validator.TYPE_CHECKER.redefine_many({"integer": _is_integer, "number": _is_number})
    extend: Any = validators.extend  # its stub has no types
    dialect = extend(Draft202012Validator, {"x-ascending": _ascending}, type_checker=types)
    documents = {f"novel:{each}": _document(each) for each in _with_referred(name)}
    # Without a registry of its own, jsonschema would look for an unknown $ref on the network.
    registry: Registry[Any] = Registry().with_resources(
        (uri, DRAFT202012.create_resource(document)) for uri, document in documents.items()
    )
    return dialect(documents[f"novel:{name}"], registry=registry)


def _document(name: str) -> dict[str, Any]:
    """Return the schema without `$schema`, which would make jsonschema use its own dialect, not ours."""
    document: dict[str, Any] = json.loads(schema_source(name))
    del document["$schema"]
    return document


def _is_integer(_checker: object, value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(_checker: object, value: object) -> bool:
    if isinstance(value, float):
        return value - value == 0
    return _is_integer(_checker, value)


def _ascending(validator: Any, wanted: bool, value: object, _schema: object) -> Iterator[Any]:
    from jsonschema import ValidationError

    if not wanted or not isinstance(value, list):
        return
    # Items that are no numbers are the finding of `items`, not of this one.
    numbers = [item for item in value if validator.is_type(item, "number")]
    if len(numbers) == len(value) and sorted(numbers) != numbers:
        yield ValidationError("not ascending")
