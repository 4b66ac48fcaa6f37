"""A fast check of foreshadowing by its schema, and a fast reader of the unresolved threads.

A book has thousands of threads, and every chapter changes the file. A document that fails here may still be
valid: then the schema decides, and names the fault.
"""

from __future__ import annotations

import json

from novel_hooks.annotations import Any, Collection
from novel_hooks.rules.foreshadowing.item import ACTIONS, PAYOFF, SCOPES, SIGNAL

_SCOPES, _ACTIONS = {*SCOPES, "", None}, set(ACTIONS)
_STATUS = {*ACTIONS, "", None}
_ITEMS = "foreshadowing"

CANONICAL = b"canonical"
"""The mark in `store.schema.validity` of bytes that `novel` wrote, of a document that is `splittable`."""
_HEAD, _BETWEEN, _TAIL = b'{\n  "foreshadowing": [\n    {', b"\n    },\n    {", b"\n    }\n  ]\n}\n"
_ID, _RESOLVED = b'\n      "id": ', b'\n      "status": "resolved"'


def fits_schema(document: object) -> bool:
    """Return whether the document is `{"foreshadowing": [...]}` of items in the usual shape.

    `volume` may stand beside it. True means that both schemas (facts and plan) hold.
    """
    if type(document) is not dict or type(document.get(_ITEMS)) is not list:
        return False
    volume = document.get("volume", 1)
    return type(volume) is int and volume >= 1 and all(map(_is_item, document[_ITEMS]))


def splittable(document: dict[str, Any]) -> bool:
    """Return whether `unresolved` may read the document's bytes: one key, some items, every id once.

    The document passes `fits_schema`.
    """
    items = document[_ITEMS]
    return len(document) == 1 and len({item["id"] for item in items}) == len(items) > 0


def unresolved(data: bytes, names: Collection[str]) -> list[dict[str, Any]]:
    """Parse the threads that are not resolved, and those with an id among `names`; the others are skipped.

    `data` is `CANONICAL`. No line break is inside a string there, so the indent of a line shows whether it is
    the thread's own; its keys are in order, so its id comes before its status.
    """
    ids = tuple(json.dumps(name, ensure_ascii=False).encode("utf-8", "surrogatepass") for name in names)
    wanted: list[bytes] = []
    at, last = len(_HEAD), len(data) - len(_TAIL)
    while at < last:
        own = data.find(_ID, at) + len(_ID)
        end = data.find(_BETWEEN, own)
        end = last if end < 0 else end
        if data.find(_RESOLVED, own, end) < 0 or data.startswith(ids, own):
            wanted.append(data[at:end])
        at = end + len(_BETWEEN)
    parsed: list[dict[str, Any]] = json.loads(b"[{" + b"},{".join(wanted) + b"}]") if wanted else []
    return parsed


def _is_item(item: Any) -> bool:
    if type(item) is not dict:
        return False
    get = item.get
    name, scope, status, window = get("id"), get("scope"), get("status"), get("target_resolve_range")
    told = map(get, ("description", SIGNAL, PAYOFF, "planted_storyline"))
    if type(name) is not str or not name.strip() or not all(type(one) in _WORD for one in told):
        return False
    if type(scope) not in _WORD or scope not in _SCOPES or type(status) not in _WORD or status not in _STATUS:
        return False
    if not (_is_chapter(get("planted_chapter")) and _is_chapter(get("last_updated_chapter"))):
        return False
    history = get("history")
    return (window is None or _is_window(window)) and (
        history is None or (type(history) is list and all(map(_is_entry, history)))
    )


_WORD = (str, type(None))


def _is_chapter(value: object) -> bool:
    return value is None or (type(value) is int and value >= 1)


def _is_window(value: object) -> bool:
    if type(value) is not list or len(value) != 2:
        return False
    first, last = value
    return type(first) is int and type(last) is int and 1 <= first <= last


def _is_entry(entry: Any) -> bool:
    if type(entry) is not dict:
        return False
    chapter, action = entry.get("chapter"), entry.get("action")
    fits = type(action) is str and action in _ACTIONS and type(entry.get("detail")) in _WORD
    return fits and type(chapter) is int and chapter >= 1
