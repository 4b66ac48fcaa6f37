"""Fixed keys of a person in the state: their shapes, and the ops that take their first values from his card.

A card gives them in fields of its own or below `starting`; of two values the card's own field counts.
`inventory`, or `items`, becomes the state's `inventory`. Other keys of `starting` stay on the card. Source:
protocol §4.
"""

from __future__ import annotations

from novel_hooks import layout
from novel_hooks.annotations import TYPE_CHECKING, Any, Iterable, Iterator, Mapping
from novel_hooks.rules.cast.field_words import WORDS
from novel_hooks.rules.text.json_values import integer, mapping, number, text

if TYPE_CHECKING:
    from novel_hooks.rules.cast.characters import Character

LISTS = ("injuries", "knows", "owes")
"""Fields that hold a list; the recorder adds one entry at a time."""
_VALUES = ("level", "status", "goes_as")
_CARRIED = ("inventory", "items")
_TEXTS = ("location", "emotional_state")
_BONDS = "relationships"
ON_CARD = (*_VALUES, *LISTS, *_CARRIED)
"""The fields with which the person's state begins, and that a card may give of its own."""
BEGINNING = (*ON_CARD, *_TEXTS, _BONDS)
"""All fields of a card with which the person's state begins."""
FROM_CARD = "角色档案"
"""The `detail` of an op that code made of a card."""


def op_fault(kind: str, fields: list[str], value: Any) -> str | None:
    """Return the fault of an op on a person in Chinese, None without any.

    `fields` are the path's segments after the person's id. Keys other than the fixed ones are free.
    """
    if not fields:
        given = value.items() if isinstance(value, dict) else ()
        return next((fault for key, one in given for fault in [key_fault(key, one)] if fault), None)
    key = fields[0]
    if key not in LISTS and key not in _VALUES:
        return None
    if len(fields) > 1:
        return f"「{WORDS[key]}」底下不再分项"
    if kind == "set":
        return key_fault(key, value)
    if key in LISTS:
        wrong = kind == "inc" or (kind == "add" and _item_fault(key, value))
        return _list_fault(key) if wrong else None
    if kind == "inc" and key == "level":
        return None
    return f"「{WORDS[key]}」只有一个值，用 set 改成新的"


def key_fault(key: str, value: Any) -> str | None:
    """Return the fault of a key's value in Chinese; None for a right one and for a free key."""
    if key in LISTS:
        wrong = not isinstance(value, list) or any(_item_fault(key, one) for one in value)
        return _list_fault(key) if wrong else None
    if key == "level":
        return None if text(value) or number(value) is not None else f"「{WORDS[key]}」应是一句话或一个数"
    if key in _VALUES:
        return None if value is None or text(value) else f"「{WORDS[key]}」应是一句话"
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
        return f"「{WORDS[key]}」是一张清单，一件写成 {{what 欠什么, to 欠谁, due 到什么时候}}"
    return f"「{WORDS[key]}」是一张清单，一件写成一句话"


def name_faults(card: Mapping[str, Any]) -> list[str]:
    """Return in Chinese why the other names on a card cannot be used."""
    aliases, called = card.get("aliases"), card.get("called_by")
    listed = aliases is None or _texts(aliases) is not None
    told = called is None or (isinstance(called, dict) and all(text(one) for one in called.values()))
    found = [] if listed else [f"「{WORDS['aliases']}」是一张清单，一个写成一个名字"]
    return found if told else [*found, f"「{WORDS['called_by']}」是一张对照表，谁怎么叫，一个写成一句话"]


def card_faults(card: Mapping[str, Any]) -> list[str]:
    """Return in Chinese why fields of a card cannot begin the person's state."""
    starting, below = card.get("starting"), mapping(card.get("starting"))
    found: list[str | None] = []
    if starting is not None and not isinstance(starting, dict):
        found.append(f"「{WORDS['starting']}」（starting）是一组资料，一项一个键")
    found += [_fault(key, value) for key, value in beginning(card).items()]
    both = [key for key in ON_CARD if card.get(key) is not None and below.get(key) is not None]
    twice = [key for key in both if card[key] != below[key]]
    found += [f"「{WORDS[key]}」在卡上和 starting 里写得不一样，照卡上的算" for key in twice]
    return list(dict.fromkeys(fault for fault in found if fault))


def beginning(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return by key the card's values at the book's beginning; his place stands below `starting`."""
    below = mapping(card.get("starting"))
    own = {key: card[key] for key in ON_CARD if card.get(key) is not None}
    told = {key: below[key] for key in BEGINNING if below.get(key) is not None}
    return {**told, **own}


def _fault(key: str, value: Any) -> str | None:
    """Return what keeps a field of a card from beginning the person's state, in Chinese."""
    if key in _CARRIED:
        return None if _texts(value) is not None else f"「{WORDS[key]}」是一张清单，一件写成几个字"
    if key in _TEXTS:
        return None if text(value) else f"「{WORDS[key]}」应是一句话"
    if key == _BONDS:
        right = isinstance(value, dict) and all(
            layout.SLUG.match(one) and integer(bond) is not None for one, bond in value.items()
        )
        return None if right else f"「{WORDS[key]}」是一张对照表，一个人的代号配一个整数"
    return key_fault(key, value)


def first_ops(people: Iterable[Character], state: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the ops that begin the entries of people without one in the state, by slug.

    They hold the fixed keys of the cards. A card without any, or a field of a wrong shape, begins nothing.
    """
    known = state.get("characters") or {}
    found: list[dict[str, Any]] = []
    for person in sorted(people, key=lambda one: one.slug):
        fields = [] if person.slug in known else [*_card_ops(person)]
        if fields:
            found += [_op("set", person.slug, "display_name", person.name), *fields]
    return found


def _card_ops(person: Character) -> Iterator[dict[str, Any]]:
    slug = person.slug
    for key, value in beginning(person.document).items():
        if _fault(key, value) is not None:
            continue
        if key in LISTS or key in _CARRIED:
            name = "inventory" if key in _CARRIED else key
            yield from (_op("add", slug, name, one) for one in value)
        elif key == _BONDS:
            yield from (_op("set", slug, f"{key}.{one}", value[one]) for one in sorted(value))
        else:
            yield _op("set", slug, key, value)


def _texts(value: Any) -> list[str] | None:
    return value if isinstance(value, list) and all(text(one) for one in value) else None


def _op(kind: str, slug: str, key: str, value: Any) -> dict[str, Any]:
    return {"op": kind, "path": f"characters.{slug}.{key}", "value": value, "detail": FROM_CARD}
