"""The obstacles to a character's retirement, all at once, and the changes that settle them. Pure.

A character stays while something unfinished needs him: a thread that names him, a storyline with his point of
view, storylines joined by him, a convergence or a planned chapter with him, a card of his in staging.
"""

from __future__ import annotations

from novel_hooks import errors, layout
from novel_hooks.annotations import Any, Callable, Iterator, Mapping, Sequence
from novel_hooks.errors import Problem
from novel_hooks.record import Record
from novel_hooks.rules.cast import characters as casts
from novel_hooks.rules.cast.characters import Character
from novel_hooks.rules.foreshadowing.item import CLOSED, PLANNED, title
from novel_hooks.rules.outline.author_view import LABELS
from novel_hooks.rules.outline.schedule import Schedule
from novel_hooks.rules.outline.storyline import is_finished
from novel_hooks.rules.planning import planned_chapters
from novel_hooks.rules.planning.planned_chapters import PlannedChapter
from novel_hooks.rules.text.json_values import objects
from novel_hooks.rules.text.typed_words import number_list

Tie = tuple[str, str, Mapping[str, object]]

_PLACE_TEXTS = {
    "character_states": "契约里开章时人物的样子，character_states",
    "state_changes": "契约里的状态变化，state_changes",
}
_KEYS = {**LABELS, "target": "对象", "action": "做法", "description": "说明"}


class Ties(Record):
    """A character, and everything unfinished that may need him.

    `plan` is the path of the current volume's foreshadowing plan, `last` the newest landed chapter. `threads`
    are the facts and plans of foreshadowing (`facts.all_threads`). `meetings` are (path, schedule, its raw
    convergence events) of the current volume and those to come. `staged` is the path of his card in staging.
    """

    person: Character
    plan: str
    last: int
    threads: Sequence[Mapping[str, Any]]
    storylines: Mapping[str, Any]
    meetings: Sequence[tuple[str, Schedule, Sequence[Mapping[str, Any]]]]
    chapters: Sequence[PlannedChapter]
    staged: str | None


def problems(ties: Ties) -> list[Problem]:
    """List everything that still needs the character, one RetireNeeded each; [] when nothing does."""
    return [
        errors.RetireNeeded(path, case, name=ties.person.name, **values) for path, case, values in _all(ties)
    ]


def _all(ties: Ties) -> Iterator[Tie]:
    for rule in (_thread_ties, _storyline_ties, _convergence_ties, _chapter_ties):
        yield from rule(ties)
    if ties.staged is not None:
        yield ties.staged, "staged card", {}


class Settlement(Record):
    """The changes that let a character leave although something needs him.

    `threads` are given up (id → title), `lines` are the storylines that go on without him, `chapters` of the
    current volume are planned anew (with their convergences); `left` is for the author alone to settle.
    """

    threads: Mapping[str, str]
    lines: Sequence[str]
    chapters: Sequence[int]
    left: Sequence[Problem]


def settlement(ties: Ties, volume: int) -> Settlement:
    """Work out the settlement of everything that needs the character; `volume` is the current one."""
    threads: dict[str, str] = {}
    lines: dict[str, None] = {}
    chapters: set[int] = set()
    left: list[Problem] = []
    here = f"{layout.volume_dir(volume)}/"
    for path, case, values in _all(ties):
        told = {key: str(value) for key, value in values.items()}
        if case == "thread":
            threads[told["id"]] = told["title"]
        elif case in ("storyline", "relationship"):
            lines.update(dict.fromkeys(told.values()))
        elif case == "staged card" or here not in path:
            left.append(errors.RetireNeeded(path, case, name=ties.person.name, **values))
        else:
            first = int(told.get("chapter") or max(int(told["start"]), ties.last + 1))
            chapters.update(range(first, int(told.get("end") or first) + 1))
    return Settlement(threads, tuple(lines), tuple(sorted(chapters)), tuple(left))


def settled_parts(found: Settlement) -> list[str]:
    """Return the parts of a settlement in the author's words: `[伏笔「灯」放下不收, …]`."""
    quoted = ("、".join(f"「{one}」" for one in names) for names in (found.threads.values(), found.lines))
    threads, lines = quoted
    parts = (
        f"伏笔{threads}放下不收" if threads else "",
        f"故事线{lines}不再由他讲、不再靠他连着" if lines else "",
        f"要他出场的第 {number_list(found.chapters)} 章跟着本卷没写的章一起重排" if found.chapters else "",
    )
    return [part for part in parts if part]


def storylines_without(document: Mapping[str, Any], person: Character) -> dict[str, Any]:
    """Return the storylines' document without the character, as narrator or as link between two."""
    own = set(casts.names_of(person))

    def fewer(names: Any) -> Any:
        return [one for one in names if one not in own] if isinstance(names, list) else names

    lines = [
        one
        if not isinstance(one, dict) or is_finished(one) or "pov_characters" not in one
        else {**one, "pov_characters": fewer(one["pov_characters"])}
        for one in document.get("storylines") or ()
    ]
    bonds = [_bond_without(one, fewer) for one in document.get("relationships") or ()]
    return {
        **document,
        "storylines": lines,
        **({"relationships": bonds} if "relationships" in document else {}),
    }


def _bond_without(one: Any, fewer: Callable[[Any], Any]) -> Any:
    bridges = one.get("bridges") if isinstance(one, dict) else None
    if not isinstance(bridges, dict) or "shared_characters" not in bridges:
        return one
    return {**one, "bridges": {**bridges, "shared_characters": fewer(bridges["shared_characters"])}}


def _thread_ties(ties: Ties) -> Iterator[Tie]:
    words = casts.names_of(ties.person)
    for item in ties.threads:
        if item.get("status") not in CLOSED and any(word in _thread_text(item) for word in words):
            path = ties.plan if item.get("status") == PLANNED else layout.FORESHADOWING
            yield path, "thread", {"id": item["id"], "title": title(item)}


def _thread_text(item: Mapping[str, Any]) -> str:
    """The words of a thread: its description, its history, its characters; not its id."""
    entries = objects(item.get("history"))
    people = item.get("characters") or item.get("involved_characters") or ()
    words = (item.get("description"), *(entry.get("detail") for entry in entries), *people)
    return "\n".join(str(word) for word in words if word)


def _storyline_ties(ties: Ties) -> Iterator[Tie]:
    own = set(casts.names_of(ties.person))
    awake = [one for one in objects(ties.storylines.get("storylines")) if not is_finished(one)]
    for one in awake:
        if own & set(one.get("pov_characters") or ()):
            yield layout.STORYLINES, "storyline", {"line": one.get("name") or one["id"]}
    ids = {str(one["id"]): one.get("name") or one["id"] for one in awake}
    for one in objects(ties.storylines.get("relationships")):
        shared = (one.get("bridges") or {}).get("shared_characters") or ()
        if own & set(shared) and {str(one.get("from")), str(one.get("to"))} <= ids.keys():
            ends = {"one": ids[str(one["from"])], "other": ids[str(one["to"])]}
            yield layout.STORYLINES, "relationship", ends


def _convergence_ties(ties: Ties) -> Iterator[Tie]:
    words = casts.names_of(ties.person)
    for path, schedule, events in ties.meetings:
        for ((start, end), _), event in zip(schedule.convergences, events):
            event_text = f"{event.get('trigger') or ''}\n{event.get('aftermath') or ''}"
            if end > ties.last and any(word in event_text for word in words):
                yield path, "convergence", {"start": start, "end": end}


def _chapter_ties(ties: Ties) -> Iterator[Tie]:
    words = casts.names_of(ties.person)
    for one in ties.chapters:
        where = planned_chapters.needs_person(one, words)
        if where is not None:
            told = {"chapter": one.chapter, "where": _PLACE_TEXTS.get(where) or _key_text(where)}
            yield one.contract.path, "chapter", told


def _key_text(where: str) -> str:
    """`大纲的 POV` → `大纲的视角，POV`."""
    head, _, key = where.rpartition("的 ")
    return f"{head}的{_KEYS[key]}，{key}" if key in _KEYS else where
