"""Cuts of each input of a packet over its limit: the pieces to leave out, least needed first.

Each function makes the offers for one key of `size_limit.ORDER`. Equal pieces are ordered by chapter, id or
path, never by the order in which files were found. Source: protocol §7.
"""

from __future__ import annotations

import json

from novel_hooks.annotations import TYPE_CHECKING, Any, Callable, Sequence
from novel_hooks.pattern import Pattern
from novel_hooks.record import Record
from novel_hooks.rules.foreshadowing.item import is_overdue, is_planted_in, span
from novel_hooks.rules.outline import headings
from novel_hooks.rules.packet import packet
from novel_hooks.rules.packet.packet import Input
from novel_hooks.rules.packet.size_limit import BY_LINE, FROM_START, ORDER, Offer
from novel_hooks.rules.text import length

if TYPE_CHECKING:
    from collections.abc import Mapping

PRESSING = 40
"""Number of threads, decisions and problems that stay in the first turn."""
FIRST_PROBLEMS = 10
"""Number of problems of an earlier draft that are never cut."""

_ENTITIES = ("factions", "locations", "items", "characters")
_SPEAKS_OF_NOW = ("chapter_outline", "chapter_contract", "chapter_content", "recent_3_summaries")
_TOKEN = Pattern(r"[A-Za-z0-9_-]+")
_FAR = 10**9
_LONG_LINE = 1000
_SENTENCE = Pattern(rf"(?:[^。！？\n]{{1,{_LONG_LINE - 1}}}[。！？]*|[。！？]+)\n?")


class Matter(Record):
    """The chapter, its inputs and the text on its subject; `tokens` are that text's plain words.

    `called` maps a character's slug to the name on the card, which the state may lack.
    """

    chapter: int
    inputs: tuple[Input, ...]
    spoken: str
    tokens: frozenset[str]
    called: Mapping[str, str] = {}

    def names(self, *words: object) -> bool:
        """Tell whether any of the words occurs in the text on the chapter's subject."""
        return any(isinstance(w, str) and w and self._has(w) for w in words)

    def _has(self, word: str) -> bool:
        return word in self.tokens if _TOKEN.fullmatch(word) else word in self.spoken


def offers(
    agent: str, chapter: int, inputs: Sequence[Input], plan: str, called: Mapping[str, str] | None = None
) -> list[Offer]:
    """Return all offers of an agent's inputs in the order of `size_limit.ORDER`.

    `plan` is the text of the contract and the chapter's outline, `called` the display names of characters by
    slug.
    """
    spoken = "\n".join([plan, *(i.body() for i in inputs if i.key in _SPEAKS_OF_NOW)])
    tokens = frozenset(_TOKEN.findall(spoken))
    matter = Matter(chapter, tuple(inputs), spoken, tokens, called or {})
    found: list[Offer] = []
    turn_of: dict[str, int] = {}
    for key in ORDER.get(agent, ()):
        turns = _MAKERS[key](matter, [n for n, i in enumerate(inputs) if i.key == key])
        turn = turn_of.get(key, 0)
        turn_of[key] = turn + 1
        found += turns[turn] if turn < len(turns) else []
    return found


Turns = list[list[Offer]]


def _thread_offers(matter: Matter, places: Sequence[int]) -> Turns:
    """Return the turns of a list of threads: the least pressing go first, the others keep their order."""
    if not places:
        return []
    index = places[0]
    listed: list[Mapping[str, Any]] = matter.inputs[index].value
    order = sorted(range(len(listed)), key=lambda n: _rank(matter, listed[n]), reverse=True)
    return _two_turns(index, matter.inputs[index], listed, order)


def _two_turns(index: int, one: Input, listed: Sequence[Any], order: Sequence[int]) -> Turns:
    early = max(0, len(order) - PRESSING)
    first = _list_offer(index, one, listed, order[:early])
    return [[first], [_list_offer(index, one, listed, order, early)]]


def _list_offer(
    index: int, one: Input, listed: Sequence[Any], order: Sequence[int], dropped: int = 0
) -> Offer:
    """Return the offer of a list's items in this order, the first `dropped` of which are gone already."""

    def without(count: int) -> Input:
        left_out = set(order[: dropped + count])
        return one._replace(value=[item for n, item in enumerate(listed) if n not in left_out])

    return Offer(index, len(listed), tuple(_json_length(listed[n]) + 1 for n in order[dropped:]), without)


def _rank(matter: Matter, item: Mapping[str, Any]) -> tuple[int, int, str]:
    """Return a thread's rank, the most pressing lowest: named, planted now, overdue, by its window's end.

    An item's own `overdue` counts, where it has one.
    """
    window = span(item.get("target_resolve_range"))
    ends = window[1] if window else _FAR
    if matter.names(item["id"]):
        rank = 0
    elif item.get("status") == "planned" and is_planted_in(item, matter.chapter):
        rank = 1
    else:
        rank = 2 if item.get("overdue", is_overdue(item, matter.chapter)) else 3
    return rank, ends, str(item["id"])


def _problem_offers(matter: Matter, places: Sequence[int]) -> Turns:
    """Return the turns of the problems: the last go first; the first ten stay, for they may hide others."""
    if not places:
        return []
    one = matter.inputs[places[0]]
    return _two_turns(places[0], one, one.value, range(len(one.value) - 1, FIRST_PROBLEMS - 1, -1))


def _decision_offers(matter: Matter, places: Sequence[int]) -> Turns:
    """Return the turns of the author's decisions: the earliest go first; those to be carried out now stay."""
    if not places:
        return []
    one = matter.inputs[places[0]]
    return _two_turns(places[0], one, one.value, [n for n, item in enumerate(one.value) if not item["todo"]])


def _recall_offers(matter: Matter, places: Sequence[int]) -> Turns:
    """Return the turns of the sentences of earlier chapters: the oldest, which stand last, go first."""
    if not places:
        return []
    one = matter.inputs[places[0]]
    return [[_list_offer(places[0], one, one.value, range(len(one.value) - 1, -1, -1))]]


def _outline_offers(matter: Matter, places: Sequence[int]) -> Turns:
    """Return the turns of an outline: the farthest chapters go first, of two the later; its preface stays."""
    if not places:
        return []
    index = places[0]
    one = matter.inputs[index]
    blocks = _outline_parts(one.body())
    far = [n for n, (chapter, _) in enumerate(blocks) if chapter not in (None, matter.chapter)]
    order = sorted(far, key=lambda n: (abs((blocks[n][0] or 0) - matter.chapter), blocks[n][0]), reverse=True)

    def without(count: int) -> Input:
        dropped = set(order[:count])
        text = "".join(block for n, (_, block) in enumerate(blocks) if n not in dropped)
        return packet.excerpt_input(one.key, one.type, text)

    chapters = sum(chapter is not None for chapter, _ in blocks)
    return [[Offer(index, chapters, tuple(length.length(blocks[n][1]) for n in order), without)]]


def _outline_parts(text: str) -> list[tuple[int | None, str]]:
    """Return (chapter or None, text) of each part of an outline; a part begins with a `### ` line."""
    found: list[tuple[int | None, str]] = [(None, "")]
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        whole = line + ("\n" if number < len(lines) else "")
        if line.startswith("### "):
            heading = headings.parse_heading(line)
            found.append((heading[0] if heading else None, whole))
        else:
            chapter, before = found[-1]
            found[-1] = (chapter, before + whole)
    return found


def _rule_offers(matter: Matter, places: Sequence[int]) -> Turns:
    """Return the turns of the world rules, which are soft ones: the last id goes first."""
    if not places:
        return []
    document = json.loads(matter.inputs[places[0]].body())
    listed = document.get("rules") or []
    order = sorted(range(len(listed)), key=lambda n: str(listed[n].get("id")), reverse=True)
    return [[_item_offer(matter, places[0], document, "rules", order)]] if listed else []


def _item_offer(matter: Matter, index: int, document: Any, key: str, order: Sequence[int]) -> Offer:
    one, listed = matter.inputs[index], document[key]

    def without(count: int) -> Input | None:
        dropped = set(order[:count])
        rest = [item for n, item in enumerate(listed) if n not in dropped]
        return packet.value_input(one.key, {**document, key: rest}, one.type) if rest else None

    return Offer(index, len(listed), tuple(_json_length(listed[n]) + 1 for n in order), without)


def _state_offers(matter: Matter, places: Sequence[int]) -> Turns:
    """Return the turns of the entities that the chapter does not name: factions to characters, by id."""
    if not places:
        return []
    one = matter.inputs[places[0]]
    document = one.value if one.text is None else json.loads(one.text)
    idle = [
        (section, name)
        for section in _ENTITIES
        for name in sorted(document.get(section) or {})
        if not matter.names(name, *_names_in(document[section][name]), _card_name(matter, section, name))
    ]

    def without(count: int) -> Input:
        dropped = set(idle[:count])
        rest = {
            key: {n: v for n, v in part.items() if (key, n) not in dropped} if key in _ENTITIES else part
            for key, part in document.items()
        }
        return packet.value_input(one.key, rest, one.type)

    sizes = tuple(_json_length({name: document[section][name]}) - 1 for section, name in idle)
    of = sum(len(document.get(section) or {}) for section in _ENTITIES)
    return [[Offer(places[0], of, sizes, without)]]


def state_about(one: Input, spoken: str) -> Input:
    """Return the state without the entries that the text `spoken` does not name."""
    matter = Matter(0, (one,), spoken, frozenset(_TOKEN.findall(spoken)))
    ((offer,),) = _state_offers(matter, [0])
    return offer.without(len(offer.sizes)) or one


def _names_in(entity: Any) -> list[Any]:
    """Return the names that an entry of the state bears: display name, aliases, the one he goes by."""
    if not isinstance(entity, dict):
        return [entity]
    aliases = entity.get("aliases")
    return [_display_name(entity), entity.get("goes_as"), *(aliases if isinstance(aliases, list) else ())]


def _card_name(matter: Matter, section: str, name: str) -> str | None:
    return matter.called.get(name) if section == "characters" else None


def _display_name(entity: Any) -> Any:
    """Return the display name of a character, location or item; an entity that is no object is its name."""
    return entity.get("display_name") if isinstance(entity, dict) else entity


def _all_names(entity: Any) -> list[Any]:
    """Return the display name of a character, his aliases and the forms in which he is addressed."""
    more = [entity.get("aliases"), entity.get("called_by")] if isinstance(entity, dict) else []
    forms = [[*part.values()] if isinstance(part, dict) else part for part in more]
    return [_display_name(entity), *(one for part in forms if isinstance(part, list) for one in part)]


def _name_offers(matter: Matter, places: Sequence[int]) -> Turns:
    """Return the turns of characters whom the chapter or plan does not name, by id."""
    if not places:
        return []
    one = matter.inputs[places[0]]
    idle = sorted(slug for slug, name in one.value.items() if not matter.names(slug, *_all_names(name)))

    def without(count: int) -> Input:
        dropped = set(idle[:count])
        return one._replace(value={slug: name for slug, name in one.value.items() if slug not in dropped})

    sizes = tuple(_json_length({slug: one.value[slug]}) - 1 for slug in idle)
    return [[Offer(places[0], len(one.value), sizes, without)]]


def _blacklist_offers(matter: Matter, places: Sequence[int]) -> Turns:
    """Return the turns of the blacklist: its log goes first, then its categories; the words stay."""
    if not places:
        return []
    one = matter.inputs[places[0]]
    document = json.loads(one.body())
    idle = [key for key in ("update_log", "categories") if document.get(key)]

    def without(count: int) -> Input:
        return packet.value_input(
            one.key, {k: v for k, v in document.items() if k not in idle[:count]}, one.type
        )

    return [[Offer(places[0], len(document), tuple(_json_length(document[key]) for key in idle), without)]]


def _whole_input_offers(
    order: Callable[[Matter, Sequence[int]], Sequence[int]],
) -> Callable[[Matter, Sequence[int]], Turns]:
    """Return the function that makes the turns of several inputs of a key, each whole, in this order."""

    def turns(matter: Matter, places: Sequence[int]) -> Turns:
        return [[_whole_input_offer(n, matter.inputs[n]) for n in order(matter, places)]]

    return turns


def _whole_input_offer(index: int, one: Input) -> Offer:
    return Offer(index, 1, (length.length(one.body()),), lambda count: None if count else one)


def _line_offers(matter: Matter, places: Sequence[int]) -> Turns:
    """Return the turns of several texts: the last goes first, from its end, by lines or sentences."""
    return [[_line_offer(n, matter.inputs[n]) for n in places[::-1]]]


def _start_offers(matter: Matter, places: Sequence[int]) -> Turns:
    """Return the turns of texts that are cut from their beginning, by lines or sentences."""
    return [[_line_offer(n, matter.inputs[n], from_start=True) for n in places]]


def _line_offer(index: int, one: Input, from_start: bool = False) -> Offer:
    lines = [piece for line in one.body().split("\n") for piece in _line_pieces(f"{line}\n")]
    order = [n for n in range(len(lines)) if lines[n].strip()]
    order = order if from_start else order[::-1]

    def without(count: int) -> Input | None:
        if count == 0:
            return one
        if count == len(order):
            return None
        rest = lines[order[count] :] if from_start else lines[: order[count - 1]]
        return packet.excerpt_input(one.key, one.type, "".join(rest))

    return Offer(index, len(order), tuple(length.length(lines[n]) for n in order), without)


def _line_pieces(line: str) -> list[str]:
    """Return the line, or the sentences of a long one, none of them longer than `_LONG_LINE`."""
    if len(line) <= _LONG_LINE:
        return [line]
    return [found.group() for found in _SENTENCE.finditer(line)]


def _last_first(matter: Matter, places: Sequence[int]) -> Sequence[int]:
    return places[::-1]


def _oldest_first(matter: Matter, places: Sequence[int]) -> Sequence[int]:
    """Return the places from the oldest on: the newest comes first and stays."""
    return places[:0:-1]


def _longest_first(matter: Matter, places: Sequence[int]) -> Sequence[int]:
    return sorted(places, key=lambda n: (-length.length(matter.inputs[n].body()), n))


def _json_length(value: Any) -> int:
    return length.length(packet.canonical_json(value))


_MAKERS: Mapping[str, Callable[[Matter, Sequence[int]], Turns]] = {
    "foreshadowing_tasks": _thread_offers,
    "open_foreshadowing": _thread_offers,
    "previous_problems": _problem_offers,
    "author_decisions": _decision_offers,
    "recall": _recall_offers,
    "current_volume_outline": _outline_offers,
    "previous_volume_outline": _outline_offers,
    "world_rules": _rule_offers,
    "current_state": _state_offers,
    "entity_id_map": _name_offers,
    "character_contracts": _name_offers,
    "ai_blacklist": _blacklist_offers,
    "adjacent_storyline_memories": _whole_input_offers(_last_first),
    "recent_3_summaries": _whole_input_offers(_oldest_first),
    "character_profiles": _whole_input_offers(_longest_first),
    "character_cards": _whole_input_offers(_last_first),
    "storyline_memories": _whole_input_offers(_last_first),
    "touched_contracts": _whole_input_offers(_last_first),
    "world_pages": _whole_input_offers(_last_first),
    "line_text": _whole_input_offers(_last_first),
    **dict.fromkeys(BY_LINE, _line_offers),
    **dict.fromkeys(FROM_START, _start_offers),
}
