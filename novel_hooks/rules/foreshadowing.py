"""Foreshadowing: the facts of all volumes, the plan of one, and how a chapter's ops become facts.

Source: seed 002 (normative); protocol §1 and §7 decide the rest. An item is
`{id, description, scope, status, planted_chapter, planted_storyline, target_resolve_range,
last_updated_chapter, history[{chapter, action, detail}]}`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any
from typing import NamedTuple

from novel_hooks import layout
from novel_hooks.errors import ForeshadowingBroken
from novel_hooks.rules.json_values import copied, integer, same, text

ACTIONS = ("planted", "advanced", "resolved")
SCOPES = ("short", "medium", "long")

_KEY, _OTHER_KEY = "foreshadowing", "items"
_PLANNED = ("description", "scope", "target_resolve_range")


class Merged(NamedTuple):
    """The new document of `foreshadowing/global.json`, and Chinese warnings on what was left out."""

    document: dict[str, Any]
    warnings: list[str]


class _Dropped(ValueError):
    """Why one op was not merged."""


def read(document: object, path: str = layout.FORESHADOWING) -> list[dict[str, Any]]:
    """The items of a document in any shape that is read: `foreshadowing`, `items`, or a bare list.

    None (no file) has none. Raises ForeshadowingBroken for any other shape, or an item without an id.
    """
    if document is None:
        return []
    listed = document
    if isinstance(document, dict):
        key = _OTHER_KEY if _KEY not in document and _OTHER_KEY in document else _KEY
        listed = document.get(key)
    if not isinstance(listed, list):
        raise ForeshadowingBroken(path, detail="里面没有伏笔列表")
    for number, item in enumerate(listed, start=1):
        if not isinstance(item, dict) or text(item.get("id")) is None:
            raise ForeshadowingBroken(path, detail=f"第 {number} 条没有 id")
    return listed


def merge(
    document: object, plan: object, ops: Iterable[object], chapter: int, storyline_id: str | None
) -> Merged:
    """The facts after the foreshadow ops of `chapter` (others are passed over), merged in order.

    The same ops again change nothing. `plan` is the volume's plan, or None; a broken one is left aside with
    a warning. The given document is not touched; a bare list or `items` comes back under `foreshadowing`.
    Raises ForeshadowingBroken when the facts themselves are broken.
    """
    items = copied(read(document))
    assert isinstance(items, list)
    warnings: list[str] = []
    planned = _planned(plan, warnings)
    for op in ops:
        if isinstance(op, dict) and op.get("op") == "foreshadow":
            try:
                _merge_one(items, planned, op, chapter, storyline_id)
            except _Dropped as dropped:
                warnings.append(f"伏笔变更「{op.get('path')}：{op.get('value')}」没有记入：{dropped}")
    kept = {} if not isinstance(document, dict) else dict(document)
    if _KEY not in kept:
        kept.pop(_OTHER_KEY, None)
    return Merged({**kept, _KEY: items}, warnings)


def tasks(
    facts: Sequence[Mapping[str, Any]], plan: Sequence[Mapping[str, Any]], chapter: int
) -> list[dict[str, Any]]:
    """What `chapter` has to do with: planned to be planted or within its range, or due by the facts.

    Resolved never; sorted by id; a fact wins over the plan, which fills only what the facts lack.
    """
    known, planned = _by_id(facts), _by_id(plan)
    due = {name for name, item in planned.items() if _planted_at(item, chapter) or _holds(item, chapter)}
    due |= {name for name, item in known.items() if _holds(item, chapter) or _late(item, chapter)}
    found = [_joined(known.get(name), planned.get(name)) for name in sorted(due)]
    return [item for item in found if item.get("status") != "resolved"]


def overdue(items: Sequence[Mapping[str, Any]], last_completed: int) -> list[dict[str, Any]]:
    """The short-scope items, not resolved, whose range ended before `last_completed` (seed 002 §4)."""
    return [dict(item) for item in items if _late(item, last_completed)]


def resolved(items: Sequence[Mapping[str, Any]]) -> set[str]:
    """The ids whose status is resolved, for `delta.apply`."""
    return {item["id"] for item in items if item.get("status") == "resolved"}


def _planned(plan: object, warnings: list[str]) -> dict[str, Mapping[str, Any]]:
    try:
        return _by_id(read(plan, "本卷的伏笔计划"))
    except ForeshadowingBroken as broken:
        warnings.append(f"{broken} 这次没有用它补全资料。")
        return {}


def _merge_one(
    items: list[dict[str, Any]],
    planned: Mapping[str, Mapping[str, Any]],
    op: Mapping[str, Any],
    chapter: int,
    storyline_id: str | None,
) -> None:
    name, action = text(op.get("path")), op.get("value")
    if name is None:
        raise _Dropped("没有写伏笔编号")
    if not isinstance(action, str) or action not in ACTIONS:
        raise _Dropped(f"只能是 {'、'.join(ACTIONS)}")
    item = next((one for one in items if one["id"] == name), None)
    if item is None:
        item = _created(name, action, chapter, storyline_id)
        items.append(item)
    history = item.get("history")
    if history is not None and not isinstance(history, list):
        raise _Dropped("这条伏笔的 history 不是列表，请改正后再试")
    item.update(_filled(item, planned.get(name)))
    item["history"] = _with_entry(history or [], chapter, action, op.get("detail"))
    _advance(item, action, chapter, storyline_id)


def _created(name: str, action: str, chapter: int, storyline_id: str | None) -> dict[str, Any]:
    return {
        "id": name,
        "description": name,
        "scope": "medium",
        "status": action,
        "planted_chapter": chapter if action == "planted" else None,
        "planted_storyline": storyline_id,
        "target_resolve_range": None,
        "last_updated_chapter": chapter,
        "history": [],
    }


def _filled(item: Mapping[str, Any], plan: Mapping[str, Any] | None) -> Iterator[tuple[str, Any]]:
    """The planned fields that the item lacks; a placeholder is `description == id`, with all it brought."""
    placeholder = _lacks(item, "description") or item["description"] == item["id"]
    for key in _PLANNED:
        value = _usable(key, plan.get(key)) if plan is not None else None
        if value is not None and (placeholder or _lacks(item, key)):
            yield key, copied(value)


def _lacks(item: Mapping[str, Any], key: str) -> bool:
    return item.get(key) in (None, "")


def _usable(key: str, value: object) -> object:
    if key == "target_resolve_range":
        return value if span(value) else None
    if key == "scope":
        return value if value in SCOPES else None
    return text(value)


def _with_entry(history: list[Any], chapter: int, action: str, detail: object) -> list[Any]:
    entry = {"chapter": chapter, "action": action}
    known = [{key: old.get(key) for key in entry} for old in history if isinstance(old, dict)]
    told = detail if isinstance(detail, str) else ""
    return history if any(same(old, entry) for old in known) else [*history, {**entry, "detail": told}]


def _advance(item: dict[str, Any], action: str, chapter: int, storyline_id: str | None) -> None:
    """Status moves one way only: planted, advanced, resolved."""
    item["last_updated_chapter"] = max(integer(item.get("last_updated_chapter")) or chapter, chapter)
    if action == "planted" and _lacks(item, "planted_chapter"):
        item["planted_chapter"] = chapter
    if storyline_id and _lacks(item, "planted_storyline"):
        item["planted_storyline"] = storyline_id
    status = item.get("status")
    backwards = status == "resolved" or (action == "planted" and status not in (None, "", "planted"))
    if action == "resolved" or not backwards:
        item["status"] = action


def _by_id(items: Sequence[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """The first of each id: a second one of the same id would be another story."""
    found: dict[str, Mapping[str, Any]] = {}
    for item in items:
        found.setdefault(item["id"], item)
    return found


def span(value: object) -> tuple[int, int] | None:
    """`[start, end]` of whole numbers in order, else None."""
    if not isinstance(value, list) or len(value) != 2:
        return None
    start, end = integer(value[0]), integer(value[1])
    return None if start is None or end is None or start > end else (start, end)


def _holds(item: Mapping[str, Any], chapter: int) -> bool:
    window = span(item.get("target_resolve_range"))
    return window is not None and window[0] <= chapter <= window[1]


def _planted_at(item: Mapping[str, Any], chapter: int) -> bool:
    return integer(item.get("planted_chapter")) == chapter


def _late(item: Mapping[str, Any], chapter: int) -> bool:
    window = span(item.get("target_resolve_range"))
    open_short = item.get("scope") == "short" and item.get("status") != "resolved"
    return open_short and window is not None and chapter > window[1]


def _joined(fact: Mapping[str, Any] | None, plan: Mapping[str, Any] | None) -> dict[str, Any]:
    if fact is None:
        return dict(plan or {})
    missing = {key: value for key, value in (plan or {}).items() if _lacks(fact, key)}
    return {**fact, **missing, **dict(_filled(fact, plan))}
