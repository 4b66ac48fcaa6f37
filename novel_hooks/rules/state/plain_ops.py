"""A delta's ops as the change log keeps them: names of the text become keys, and a first op makes the entry.

For items, locations and factions the second segment of a path may be the name as the text has it. An entry
that bears the name, as its key, display name or alias, is the one that is meant; else the name begins an
entry `{display_name}`. The ops of the log are plain, so that a replay needs no name, and old logs need no new
rule. Source: protocol §4.
"""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.annotations import Any, Mapping
from novel_hooks.rules.cast import person_state
from novel_hooks.rules.cast.names import normalize_name
from novel_hooks.rules.state import operations
from novel_hooks.rules.state.entry_names import ranked_names
from novel_hooks.rules.state.operations import Dropped
from novel_hooks.rules.text.json_values import deep_copy, text

LONGEST_NAME = 20


def plain_ops(state: Mapping[str, Any], op: Any) -> list[Any]:
    """Return the plain ops that `op` stands for on this state; together they apply, or Dropped is raised."""
    kind, path, value = operations.op_parts(op)
    if kind == "foreshadow":
        return [op]
    section, name, *fields = operations.split_path(path)
    if section == "characters":
        fault = person_state.op_fault(kind, fields, value)
        if fault:
            raise Dropped(fault)
        return [*_made_list(state, op, name, fields), op]
    key = _key_of(state, section, name) if section in operations.NAMED else name
    if section not in operations.NAMED or (layout.SLUG.match(name) and key in (None, name)):
        return [op]
    entries = state.get(section) or {}
    entry = None if key is None else entries[key]
    ops = _entry_ops(op, section, key or new_name(name), fields, entry)
    _try(section, key, entry, ops)
    return ops


def _made_list(state: Mapping[str, Any], op: Mapping[str, Any], slug: str, fields: list[str]) -> list[Any]:
    """Return the op that makes a list of what an older book has as one sentence, before it is added to."""
    person = (state.get("characters") or {}).get(slug)
    old = person.get(fields[0]) if fields and isinstance(person, dict) else None
    if op["op"] != "add" or not text(old) or fields[0] not in person_state.LISTS:
        return []
    return [{**op, "op": "set", "value": [{"what": old} if fields[0] == "owes" else old]}]


def _entry_ops(
    op: Mapping[str, Any], section: str, key: str, fields: list[str], entry: Any
) -> list[dict[str, Any]]:
    """Return the plain ops on an entry; `entry` is None when there is none yet."""
    place, value = f"{section}.{key}", op["value"]
    if not fields and entry is not None and not isinstance(entry, dict):  # a bare value of an old log
        return [{**op, "path": place}]
    if not fields and (op["op"] != "set" or not isinstance(value, dict) or not value):
        raise Dropped("一样东西应是一组资料，请写到具体的一项")
    given: dict[str, Any] = value if not fields else {fields[0]: value}
    _check_names(op["op"], given if len(fields) < 2 else {})
    ops = [{**op, "path": f"{place}.{one}", "value": given[one]} for one in sorted(given)]
    if fields:
        ops = [{**op, "path": ".".join([place, *fields])}]
    if entry is None and op["op"] != "remove" and "display_name" not in given:
        return [{**op, "op": "set", "path": f"{place}.display_name", "value": key}, *ops]
    return ops


def _check_names(kind: str, given: Mapping[str, Any]) -> None:
    """Raise Dropped for a display name, an alias or a key that is no name."""
    if any("." in one for one in given):
        raise Dropped("一样东西的各项名字里不能有点")
    if "display_name" in given and (kind != "set" or text(given["display_name"]) is None):
        raise Dropped("名字应是几个字")
    if "aliases" in given and not _are_aliases(kind, given["aliases"]):
        raise Dropped("别名应是名字的清单，一次添一个")


def _try(section: str, key: str | None, entry: Any, ops: list[dict[str, Any]]) -> None:
    """Apply the ops to a copy of the entry alone. Raises Dropped when one of them does not apply."""
    scratch: dict[str, Any] = {section: {} if key is None else {key: deep_copy(entry)}}
    for one in ops:
        operations.apply_plain(scratch, one)


def _composed(name: str) -> str:
    if name.isascii():
        return name
    from unicodedata import normalize

    return normalize("NFC", name)


def new_name(name: str) -> str:
    """Return the key of a new entry with this name: the name in NFC.

    Raises Dropped when no entry can have it.
    """
    key = _composed(name)
    if len(key) > LONGEST_NAME:
        raise Dropped(f"名字太长，最多 {LONGEST_NAME} 个字；请写正文里的叫法")
    if not key.isprintable() or any(mark.isspace() for mark in key):
        raise Dropped("名字里有空格或看不见的字符；请照正文里的叫法写")
    return key


def _key_of(state: Mapping[str, Any], section: str, name: str) -> str | None:
    """Return the key of the entry that is called so: by its key, else its display name, else an alias."""
    entries = state.get(section)
    if not isinstance(entries, dict):
        return None
    exact = next((key for key in (name, _composed(name)) if key in entries), None)
    if exact is not None:
        return exact
    wanted, found = normalize_name(name), dict[str, str]()
    for key in sorted(entries):
        for rank, word in ranked_names(key, entries[key]):
            if normalize_name(word) == wanted:
                found.setdefault(rank, key)
    return min(found.items())[1] if found else None


def _are_aliases(kind: str, value: Any) -> bool:
    if kind == "set":
        return isinstance(value, list) and all(text(one) for one in value)
    return kind in ("add", "remove") and text(value) is not None
