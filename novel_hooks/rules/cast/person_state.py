"""Fixed keys of a person in the state: their shapes, and the ops that take them from his card.

Source: protocol §4. A card's `inventory`, or `items`, becomes the state's `inventory`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from novel_hooks.rules.cast.characters import Character

from novel_hooks.rules.text.json_values import integer, number, text

LISTS = {"injuries": "伤", "knows": "知道的事", "owes": "欠着的事"}
_VALUES = {"level": "境界", "status": "生死去向", "goes_as": "现在用的名字"}
_CARRIED = ("inventory", "items")
CARD_KEYS = (*_VALUES, *LISTS, *_CARRIED)
"""The fields of a card that begin the person's state."""
FROM_CARD = "角色档案"
"""The `detail` of an op that code made of a card."""


def op_fault(kind: str, fields: list[str], value: Any) -> str | None:
    """Return what is wrong with an op on a person in Chinese, None when nothing is.

    `fields` are the segments behind the person's id. Other keys than the fixed ones are free.
    """
    if not fields:
        given = value.items() if isinstance(value, dict) else ()
        return next((fault for key, one in given for fault in [key_fault(key, one)] if fault), None)
    key = fields[0]
    if key not in LISTS and key not in _VALUES:
        return None
    if len(fields) > 1:
        return f"「{LISTS.get(key) or _VALUES[key]}」底下不再分项"
    if kind == "set":
        return key_fault(key, value)
    if key in LISTS:
        wrong = kind == "inc" or (kind == "add" and _item_fault(key, value))
        return _list_fault(key) if wrong else None
    if kind == "inc" and key == "level":
        return None
    return f"「{_VALUES[key]}」只有一个值，用 set 改成新的"


def key_fault(key: str, value: Any) -> str | None:
    """Return what is wrong with the value of a key in Chinese; None for a right one and for a free key."""
    if key in LISTS:
        wrong = not isinstance(value, list) or any(_item_fault(key, one) for one in value)
        return _list_fault(key) if wrong else None
    if key == "level":
        return None if text(value) or number(value) is not None else "「境界」应是一句话或一个数"
    if key in _VALUES:
        return None if value is None or text(value) else f"「{_VALUES[key]}」应是一句话"
    return None


def _item_fault(key: str, item: Any) -> bool:
    """Return whether an entry of a list has a wrong shape: a sentence, or a debt `{what, to?, due?}`."""
    if key != "owes":
        return text(item) is None
    if not isinstance(item, dict) or text(item.get("what")) is None:
        return True
    to, due = item.get("to"), item.get("due")
    return not (to is None or text(to)) or not (due is None or text(due) or integer(due) is not None)


def _list_fault(key: str) -> str:
    if key == "owes":
        return "「欠着的事」是一张清单，一件写成 {what 欠什么, to 欠谁, due 到什么时候}"
    return f"「{LISTS[key]}」是一张清单，一件写成一句话"


def name_faults(card: Mapping[str, Any]) -> list[str]:
    """Return what keeps the other names on a card from being used, in Chinese."""
    aliases, called = card.get("aliases"), card.get("called_by")
    found = [] if aliases is None or _texts(aliases) is not None else ["「别名」是一张清单，一个写成一个名字"]
    told = called is None or (isinstance(called, dict) and all(text(one) for one in called.values()))
    return found if told else [*found, "「别人怎么叫他」是一张对照表，谁怎么叫，一个写成一句话"]


def card_faults(card: Mapping[str, Any]) -> list[str]:
    """Return what keeps fields of a card from beginning the person's state, in Chinese."""
    found = [key_fault(key, card[key]) for key in (*_VALUES, *LISTS) if card.get(key) is not None]
    faults = [fault for fault in found if fault]
    if any(card.get(key) is not None and _texts(card[key]) is None for key in _CARRIED):
        faults.append("「随身之物」是一张清单，一件写成几个字")
    return faults


def first_ops(people: Iterable[Character], state: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the ops that begin the entries of people whom the state does not know, by slug.

    They hold what their cards tell by the fixed keys; a card that tells nothing, or a field of a wrong shape,
    begins nothing.
    """
    known = state.get("characters") or {}
    found: list[dict[str, Any]] = []
    for person in sorted(people, key=lambda one: one.slug):
        fields = [] if person.slug in known else [*_card_ops(person)]
        if fields:
            found += [_op("set", person.slug, "display_name", person.name), *fields]
    return found


def _card_ops(person: Character) -> Iterator[dict[str, Any]]:
    card, slug = person.document, person.slug
    for key in _VALUES:
        if card.get(key) is not None and key_fault(key, card[key]) is None:
            yield _op("set", slug, key, card[key])
    for key in LISTS:
        if card.get(key) is not None and key_fault(key, card[key]) is None:
            yield from (_op("add", slug, key, one) for one in card[key])
    for key in _CARRIED:
        yield from (_op("add", slug, "inventory", one) for one in _texts(card.get(key)) or ())


def _texts(value: Any) -> list[str] | None:
    listed = isinstance(value, list) and all(text(one) for one in value)
    return value if listed else None


def _op(kind: str, slug: str, key: str, value: Any) -> dict[str, Any]:
    return {"op": kind, "path": f"characters.{slug}.{key}", "value": value, "detail": FROM_CARD}
